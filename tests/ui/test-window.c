/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window without an engine: what it wants when the crosshair moves, what it reads from pictures, what it says. */
#include "tests/test.h"

#include "tests/ui/widgets.h"
#include "ui/plan-row.h"
#include "ui/slice-view-private.h"
#include "ui/window-private.h"

static int windows_alive, planes_wanted, projections_wanted, last_projection;
static gboolean last_sinogram;

static void count_planes(GantryWindow *window, gpointer user) {
  planes_wanted++;
}

static void count_projections(GantryWindow *window, int index, gboolean sinogram, gpointer user) {
  projections_wanted++, last_projection = index, last_sinogram = sinogram;
}

static const ct_grid grid = {64, 48, 32, 0.5, 0.5, 0.5, -16, -12, -8};

static void window_gone(gpointer user, GObject *object) {
  windows_alive--;
}

static GantryWindow *make_window(void) {
  GantryWindow *window = g_object_ref(gantry_window_new(NULL, NULL));
  windows_alive++;
  g_object_weak_ref(G_OBJECT(window), window_gone, NULL);
  planes_wanted = projections_wanted = 0;
  gantry_window_show_scan(window, "pepper", "cone beam");
  g_signal_connect(window, "planes-wanted", G_CALLBACK(count_planes), NULL);
  g_signal_connect(window, "projection-wanted", G_CALLBACK(count_projections), NULL);
  gantry_window_set_grid(window, &grid);
  return window;
}

static void drop_window(GantryWindow *window) {
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(window);
  settle();
}

/* value(x, y) = gain * x along the picture, with a box of height 1 between 2 and 5 mm added if wanted. */
static void set_ramp(GantryWindow *window, ct_plane plane, ctgl_slot slot, double gain, gboolean box) {
  GantryImage *image = gantry_image_new_for_plane(&grid, plane, 0);
  for (int j = 0; j < image->height; j++) {
    for (int i = 0; i < image->width; i++) {
      const double x = image->origin_x + i * image->spacing_x;
      image->pixels[j * image->width + i] = (float)(gain * x + (box && x >= 2 && x <= 5));
    }
  }
  gantry_window_set_image(window, slot, image);
  gantry_image_unref(image);
}

static void crosshair_wants_planes(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  int wanted[3];
  gantry_window_get_wanted(window, wanted);
  CHECK(wanted[0] == 16 && wanted[1] == 24 && wanted[2] == 32 && planes_wanted == 0);
  gantry_display_set_cross(window->display, (const double[]){-16, -12, 7.5});
  gantry_window_get_wanted(window, wanted);
  CHECK(wanted[0] == 31 && wanted[1] == 0 && wanted[2] == 0 && planes_wanted == 1);
  /* Within the same voxels nothing new is wanted; far outside the last slice is. */
  gantry_display_set_cross(window->display, (const double[]){-15.9, -12.1, 7.6});
  CHECK(planes_wanted == 1);
  gantry_display_set_cross(window->display, (const double[]){900, -900, 0});
  gantry_window_get_wanted(window, wanted);
  CHECK(wanted[0] == 16 && wanted[1] == 0 && wanted[2] == 63 && planes_wanted == 2);
  drop_window(window);
}

static void slider_moves_the_crosshair(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  double cross[3];
  int wanted[3];
  g_signal_emit_by_name(window->view[GANTRY_VIEW_SAGITTAL], "slice-wanted", 5);
  gantry_display_get_cross(window->display, cross);
  gantry_window_get_wanted(window, wanted);
  CHECK_NEAR(cross[0], -16 + 5 * 0.5, 1e-9);
  CHECK(wanted[2] == 5 && planes_wanted == 1);
  g_signal_emit_by_name(window->view[GANTRY_VIEW_AXIAL], "slice-wanted", 1000);
  gantry_window_get_wanted(window, wanted);
  CHECK(wanted[0] == 31);
  drop_window(window);
}

static void crosshair_stays_in_millimetres(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  double cross[3];
  int wanted[3];
  const ct_grid finer = {128, 96, 64, 0.25, 0.25, 0.25, -16, -12, -8}, smaller = {10, 10, 10, 0.5, 0.5, 0.5, 0, 0, 0};
  gantry_display_set_cross(window->display, (const double[]){-4, 3, 2});
  gantry_window_set_grid(window, &finer);
  gantry_display_get_cross(window->display, cross);
  gantry_window_get_wanted(window, wanted);
  CHECK(cross[0] == -4 && cross[1] == 3 && cross[2] == 2 && wanted[0] == 40 && wanted[1] == 60 && wanted[2] == 48);
  gantry_window_set_grid(window, &smaller);
  gantry_display_get_cross(window->display, cross);
  CHECK(cross[0] == 0 && cross[1] == 3 && cross[2] == 2);
  drop_window(window);
}

static void fourth_view_asks_for_projections(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  g_signal_emit_by_name(window->view[GANTRY_VIEW_PROJECTION], "slice-wanted", 3);
  CHECK(projections_wanted == 0);
  gantry_window_set_projection_range(window, 360, 100);
  g_signal_emit_by_name(window->view[GANTRY_VIEW_PROJECTION], "slice-wanted", 400);
  CHECK(projections_wanted == 1 && last_projection == 359 && !last_sinogram);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "sinogram");
  CHECK(projections_wanted == 2 && last_projection == 50 && last_sinogram);
  /* Another detector: the middle row is shown on the slider and asked for. */
  gantry_window_set_projection_range(window, 360, 60);
  settle();
  CHECK(projections_wanted == 3 && last_projection == 30 && last_sinogram);
  drop_window(window);
}

static void profile_is_read_from_the_pictures(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 0.25, FALSE);
  set_ramp(window, CT_AXIAL, CTGL_SLOT_B, 0.05, FALSE);
  gantry_window_set_result_titles(window, "volume", "before");
  gantry_display_set_profile(window->display, GANTRY_VIEW_AXIAL, (ctgl_point){-8, -6}, (ctgl_point){8, 6});
  settle();
  g_autofree char *csv = gantry_plot_to_csv(window->profile);
  g_auto(GStrv) lines = g_strsplit(csv, "\n", -1);
  CHECK(!strcmp(lines[0], "distance (mm),A (1/mm),B (1/mm),A − B (1/mm)"));
  int rows = 0;
  for (; lines[rows + 1] && *lines[rows + 1]; rows++) {
    double s, a, b, d;
    CHECK(sscanf(lines[rows + 1], "%lf,%lf,%lf,%lf", &s, &a, &b, &d) == 4);
    const double x = -8 + s * 0.8;
    CHECK_NEAR(a, 0.25 * x, 2e-6);
    CHECK_NEAR(b, 0.05 * x, 2e-6);
    CHECK_NEAR(d, a - b, 2e-6);
  }
  CHECK(rows == 41); /* 20 mm at a pitch of 0.5 mm */
  CHECK(find_label_with(window->plots, "20 mm"));
  gantry_display_set_profile(window->display, GANTRY_VIEWS, (ctgl_point){0, 0}, (ctgl_point){0, 0});
  settle();
  g_autofree char *none = gantry_plot_to_csv(window->profile);
  CHECK(!*none);
  GActionGroup *actions = G_ACTION_GROUP(window);
  CHECK(!g_action_group_get_action_enabled(actions, "copy-profile"));
  gantry_display_set_profile(window->display, GANTRY_VIEW_AXIAL, (ctgl_point){-8, -6}, (ctgl_point){8, 6});
  settle();
  CHECK(g_action_group_get_action_enabled(actions, "copy-profile") &&
        g_action_group_get_action_enabled(actions, "save-profile") && gtk_widget_get_visible(window->profile_buttons));
  gtk_stack_set_visible_child_name(window->plot_pages, "histogram");
  CHECK(!gtk_widget_get_visible(window->profile_buttons));
  drop_window(window);
}

static void profile_width_is_that_of_the_box(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  set_ramp(window, CT_CORONAL, CTGL_SLOT_A, 0, TRUE);
  gantry_display_set_profile(window->display, GANTRY_VIEW_CORONAL, (ctgl_point){-10, 0}, (ctgl_point){10, 0});
  settle();
  /* Pixels at 2.0 .. 5.0 mm are 1, their neighbours 0: half is crossed half a pixel outside. */
  CHECK(!strcmp(gtk_label_get_text(window->profile_words[2]), "3.5 mm"));
  CHECK(g_str_has_prefix(gtk_label_get_text(window->profile_words[1]), "1 1/mm"));
  drop_window(window);
}

static void first_pictures_set_the_window(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  double low, high;
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 1, FALSE);
  settle();
  gantry_display_get_window(window->display, &low, &high);
  CHECK(low < -11 && low > -17 && high > 11 && high < 17);
  /* Later pictures leave it alone, until asked, or until they have nothing in common with it. */
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 3, FALSE);
  settle();
  double later_low, later_high;
  gantry_display_get_window(window->display, &later_low, &later_high);
  CHECK(later_low == low && later_high == high);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.auto-window", NULL);
  gantry_display_get_window(window->display, &later_low, &later_high);
  CHECK(later_high > 33);
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 100, FALSE);
  settle();
  gantry_display_get_window(window->display, &later_low, &later_high);
  CHECK(later_high > 1100);
  drop_window(window);
}

/* Distances that were typed scale the grid and the values: the window follows while it is the fitted one. */
static void window_follows_another_scale(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  double low, high, kept;
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 1, FALSE);
  settle();
  const ct_grid larger = {64, 48, 32, 1, 1, 1, -32, -24, -16}, coarse = {32, 24, 16, 2, 2, 2, -32, -24, -16};
  gantry_window_set_grid(window, &larger);
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 2, FALSE);
  settle();
  gantry_display_get_window(window->display, &low, &high);
  CHECK(low < -22 && high > 22);
  /* A coarser grid of the same extent is no other scale. */
  gantry_window_set_grid(window, &coarse);
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 1, FALSE);
  settle();
  gantry_display_get_window(window->display, &low, &kept);
  CHECK(kept == high);
  /* What the user has set stays. */
  gantry_display_set_window(window->display, -3, 5);
  gantry_window_set_grid(window, &grid);
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 1, FALSE);
  settle();
  gantry_display_get_window(window->display, &low, &high);
  CHECK(low == -3 && high == 5);
  drop_window(window);
}

static void difference_scale_holds_nearly_all(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  for (int k = 0; k < 3; k++) {
    set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 0.5, FALSE);
    set_ramp(window, (ct_plane)k, CTGL_SLOT_B, 0.25, FALSE);
  }
  gantry_window_set_result_titles(window, "a", "b");
  settle();
  const double range = gantry_display_get_difference_range(window->display);
  CHECK(range > 3.5 && range <= 4.0001);
  drop_window(window);
}

static void modes_need_a_reference(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GAction *mode = g_action_map_lookup_action(G_ACTION_MAP(window), "mode");
  CHECK(!g_action_get_enabled(mode) && !gtk_widget_get_visible(window->modes));
  gantry_window_set_result_titles(window, "volume", "before");
  CHECK(g_action_get_enabled(mode) && gtk_widget_get_visible(window->modes));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "swipe");
  CHECK(gantry_display_get_mode(window->display) == CTGL_SHOW_SWIPE && gtk_widget_get_visible(window->swipe));
  gantry_display_set_swipe(window->display, 0.25);
  CHECK_NEAR(gtk_adjustment_get_value(window->swipe_adjustment), 0.25, 1e-9);
  gtk_adjustment_set_value(window->swipe_adjustment, 0.75);
  CHECK_NEAR(gantry_display_get_swipe(window->display), 0.75, 1e-9);
  gantry_window_set_result_titles(window, "volume", NULL);
  CHECK(gantry_display_get_mode(window->display) == CTGL_SHOW_A && !gtk_widget_get_visible(window->swipe));
  drop_window(window);
}

static void legend_tells_the_scale(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gantry_window_set_result_titles(window, "volume", "before");
  gantry_display_set_window(window->display, 1e-12, 0.02);
  CHECK(!strcmp(find_label_with(window->legend_box, ""), "0") && find_label_with(window->legend_box, "0.02 1/mm"));
  gantry_display_set_difference_range(window->display, 0.0125);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "difference");
  CHECK(find_label_with(window->legend_box, "−0.0125") && find_label_with(window->legend_box, "0.0125 1/mm"));
  drop_window(window);
}

static void one_view_stands_alone(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  g_signal_emit_by_name(window->view[GANTRY_VIEW_CORONAL], "maximise-toggled");
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    CHECK(gtk_widget_get_visible(gtk_widget_get_parent(GTK_WIDGET(window->view[k]))) == (k == GANTRY_VIEW_CORONAL));
  }
  CHECK(gtk_widget_get_visible(window->upper_row) && !gtk_widget_get_visible(window->lower_row));
  g_signal_emit_by_name(window->view[GANTRY_VIEW_CORONAL], "maximise-toggled");
  CHECK(window->maximised == GANTRY_VIEWS && gtk_widget_get_visible(window->lower_row));
  drop_window(window);
}

static void display_and_actions_agree(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gantry_display_set_colour_map(window->display, "viridis");
  gantry_display_set_smooth(window->display, TRUE);
  g_autoptr(GVariant) map = g_action_group_get_action_state(G_ACTION_GROUP(window), "colour-map");
  g_autoptr(GVariant) smooth = g_action_group_get_action_state(G_ACTION_GROUP(window), "smooth");
  CHECK(!strcmp(g_variant_get_string(map, NULL), "viridis") && g_variant_get_boolean(smooth));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.colour-map", "s", "cividis");
  CHECK(!strcmp(gantry_display_get_colour_map(window->display), "cividis"));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.show-plots", NULL);
  CHECK(!gtk_widget_get_visible(window->plots));
  drop_window(window);
}

static void words_reach_the_screen(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  const ct_progress progress = {.stage = CT_STAGE_BACKPROJECTING,
                                .done = 1,
                                .total = 4,
                                .part = 1,
                                .parts = 2,
                                .fraction = 0.625,
                                .paused = true};
  const ct_statistics statistics = {.min = -0.5, .max = 2, .mean = 0.25, .deviation = 0.125, .count = 10, .nans = 3};
  const ct_metrics metrics = {.rmse = 0.001,
                              .relative_rmse = 0.05,
                              .max_abs = 0.3,
                              .max_at = {1, 2, 3},
                              .psnr = 40,
                              .ssim = 0.97,
                              .pearson_r = 0.999,
                              .slope = 1.01};
  CHECK(!gtk_widget_get_visible(window->run_buttons) && !gtk_revealer_get_reveal_child(window->error_below));
  gantry_window_set_progress(window, &progress, "back-projecting 1 / 4");
  CHECK(find_label_with(GTK_WIDGET(window->title), "1 / 4") && find_label_with(window->run_buttons, "Resume"));
  CHECK_NEAR(gtk_progress_bar_get_fraction(window->progress_bar), 0.625, 1e-9);
  /* What the scan is follows the plan meanwhile, and is there again afterwards. */
  gantry_window_set_subtitle(window, "fan beam");
  CHECK(find_label_with(GTK_WIDGET(window->title), "1 / 4"));
  gantry_window_set_progress(window, NULL, NULL);
  CHECK(!gtk_widget_get_visible(window->run_buttons) && !gtk_widget_get_visible(GTK_WIDGET(window->progress_bar)));
  CHECK(find_label_with(GTK_WIDGET(window->title), "fan beam"));
  gantry_window_show_error(window, "tooth.h5: the file ends too early <b>.");
  CHECK(gtk_revealer_get_reveal_child(window->error_below) && find_label_with(GTK_WIDGET(window->error_below), "<b>"));
  /* Without a panel it is elsewhere, and as visible. */
  adw_flap_set_reveal_flap(window->flap, FALSE);
  CHECK(gtk_revealer_get_reveal_child(window->error_above) && find_label_with(GTK_WIDGET(window->error_above), "<b>"));
  CHECK(!gtk_revealer_get_reveal_child(window->error_below));
  adw_flap_set_reveal_flap(window->flap, TRUE);
  /* A remedy is offered for the fault that is told, not for the next. */
  GtkWidget *remedy = GTK_WIDGET(window->error_button);
  CHECK(!gtk_widget_get_visible(remedy));
  gantry_window_offer_remedy(window, "Reconstruct _to File…", "Write it slab by slab", "win.show-plots");
  CHECK(gtk_widget_get_visible(remedy) && find_label_with(remedy, "Reconstruct to File…") &&
        !strcmp(gtk_actionable_get_action_name(GTK_ACTIONABLE(remedy)), "win.show-plots"));
  gantry_window_show_error(window, "tooth.h5: another fault.");
  CHECK(!gtk_widget_get_visible(remedy));
  gantry_window_clear_error(window);
  CHECK(!gtk_revealer_get_reveal_child(window->error_below) && !gtk_revealer_get_reveal_child(window->error_above));
  gantry_window_set_statistics(window, &statistics, &metrics);
  static const char *const words[] = {"−0.5 1/mm", "0.25 1/mm", "0.125 1/mm", "3",   "0.001 1/mm (5 %)",
                                      "1, 2, 3",   "40 dB",     "0.97",       "1.01"};
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
    if (!find_label_with(GTK_WIDGET(window->statistics), words[i])) CT_TEST_END(1, "no label says “%s”", words[i]);
  }
  drop_window(window);
}

static void hidden_plots_catch_up(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 0.25, FALSE);
  gtk_widget_set_visible(window->plots, FALSE);
  settle();
  gantry_display_set_profile(window->display, GANTRY_VIEW_AXIAL, (ctgl_point){-8, -6}, (ctgl_point){8, 6});
  settle();
  gtk_widget_set_visible(window->plots, TRUE);
  settle();
  CHECK(find_label_with(window->plots, "20 mm"));
  drop_window(window);
}

static void crosshair_value_is_a_label(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 0.5, FALSE);
  gantry_display_set_cross(window->display, (const double[]){-4, 3, 2});
  settle();
  CHECK(!strcmp(gtk_label_get_text(window->cross_label), "−2 1/mm at x\u00a0−4.00, y\u00a03.00, z\u00a02.00\u00a0mm"));
  set_ramp(window, CT_AXIAL, CTGL_SLOT_B, 0.25, FALSE);
  settle();
  CHECK(!strcmp(gtk_label_get_text(window->cross_label),
                "A −2, B −1 1/mm at x\u00a0−4.00, y\u00a03.00, z\u00a02.00\u00a0mm"));
  CHECK(g_str_has_prefix(gtk_widget_get_tooltip_text(GTK_WIDGET(window->cross_label)), "A −2, B −1 1/mm at x"));
  /* Between two voxels the label tells what the picture shows there, and says the place whole. */
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 1, FALSE);
  gantry_window_clear_images(window, CTGL_SLOT_B);
  gantry_display_set_cross(window->display, (const double[]){-3.85, 3.25, 2});
  settle();
  CHECK(g_str_has_prefix(gtk_label_get_text(window->cross_label), "−4 1/mm at x\u00a0−3.85, y\u00a03.25"));
  gantry_display_set_smooth(window->display, TRUE);
  CHECK(g_str_has_prefix(gtk_label_get_text(window->cross_label), "−3.85 1/mm at"));
  drop_window(window);
}

static GtkWidget *spin_named(GtkWidget *widget, const char *tip) {
  const char *told = gtk_widget_get_tooltip_text(widget);
  if (GTK_IS_SPIN_BUTTON(widget) && told && strstr(told, tip)) return widget;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = spin_named(child, tip);
    if (found) return found;
  }
  return NULL;
}

static void angles_take_either_minus(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GtkWidget *rotation = spin_named(window->oblique_pane, "About the axis of rotation");
  GantryPose pose;
  CHECK(rotation != NULL);
  static const char *const typed[] = {"-30", "−12.5"}, *const shown[] = {"−30.0", "−12.5"};
  static const double degrees[] = {-30, -12.5};
  for (int i = 0; i < 2; i++) {
    gtk_editable_set_text(GTK_EDITABLE(rotation), typed[i]);
    gtk_spin_button_update(GTK_SPIN_BUTTON(rotation));
    gantry_display_get_oblique(window->display, &pose);
    CHECK_NEAR(pose.rotation, degrees[i] * G_PI / 180, 1e-9);
    CHECK(!strcmp(gtk_editable_get_text(GTK_EDITABLE(rotation)), shown[i]));
  }
  gtk_editable_set_text(GTK_EDITABLE(rotation), "left");
  gtk_spin_button_update(GTK_SPIN_BUTTON(rotation));
  CHECK(!strcmp(gtk_editable_get_text(GTK_EDITABLE(rotation)), shown[1]));
  drop_window(window);
}

/* A single slice has no plane to tilt: no line over it, no angles to set, and words why. */
static void single_slices_have_no_oblique_plane(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  const ct_grid slice = {64, 48, 1, 0.5, 0.5, 0.5, -16, -12, 0};
  ctgl_point at, along;
  double reach;
  GtkWidget *rotation = spin_named(window->oblique_pane, "About the axis of rotation");
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "oblique");
  CHECK(gantry_slice_view_trace(window->view[GANTRY_VIEW_SAGITTAL], &at, &along, &reach) &&
        gtk_widget_is_sensitive(rotation));
  gantry_window_set_grid(window, &slice);
  for (int k = 0; k <= GANTRY_VIEW_SAGITTAL; k++) CHECK(!gantry_slice_view_trace(window->view[k], &at, &along, &reach));
  CHECK(!gtk_widget_is_sensitive(rotation));
  CHECK(find_label_with(window->oblique_pane, "This volume is a single slice: there is nothing to tilt."));
  gantry_window_set_grid(window, &grid);
  CHECK(gantry_slice_view_trace(window->view[GANTRY_VIEW_SAGITTAL], &at, &along, &reach) &&
        gtk_widget_is_sensitive(rotation));
  CHECK(!find_label_with(window->oblique_pane, "nothing to tilt"));
  drop_window(window);
}

static void recent_scans_are_listed(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  static const char *const uris[] = {"file:///data/a_b.h5", "file:///data/walnut.h5", NULL};
  static const char *const names[] = {"a_b.h5", "<walnut> & co", NULL};
  gantry_window_set_recent(window, uris, names);
  CHECK(g_menu_model_get_n_items(G_MENU_MODEL(window->recent_menu)) == 2);
  CHECK(find_label_with(GTK_WIDGET(window->start_page), "<walnut> & co"));
  gantry_window_set_recent(window, NULL, NULL);
  CHECK(g_menu_model_get_n_items(G_MENU_MODEL(window->recent_menu)) == 0);
  CHECK(!find_label_with(GTK_WIDGET(window->start_page), "walnut"));
  drop_window(window);
}

/* Buttons with words name themselves; everything else needs a name. What the toolkit builds inside its own widgets (the
 * halves of a split button, the steps of a spin button) is its own affair. */
static const char *find_nameless(GtkWidget *widget) {
  static char fault[256];
  if (GTK_IS_SWITCH(widget) && !gtk_widget_get_ancestor(widget, GANTRY_TYPE_PLAN_ROW)) return NULL;
  const gboolean control = GTK_IS_BUTTON(widget) || GTK_IS_MENU_BUTTON(widget) || GTK_IS_SPIN_BUTTON(widget) ||
                           GTK_IS_DROP_DOWN(widget) || GTK_IS_SWITCH(widget) || GTK_IS_SCALE(widget) ||
                           GANTRY_IS_PLOT(widget);
  if (control) {
    const gboolean worded =
        GTK_IS_BUTTON(widget) && (gtk_button_get_label(GTK_BUTTON(widget)) || find_widget(widget, GTK_TYPE_LABEL));
    const gboolean named = gtk_test_accessible_has_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
    const gboolean told = gtk_widget_get_tooltip_text(widget) != NULL ||
                          gtk_widget_get_tooltip_text(gtk_widget_get_parent(widget)) ||
                          gtk_widget_get_ancestor(widget, GANTRY_TYPE_PLAN_ROW) ||
                          gtk_widget_get_ancestor(widget, GANTRY_TYPE_SLICE_VIEW);
    if ((!worded && !named) ||
        (!told && !GANTRY_IS_PLOT(widget) && !gtk_widget_get_ancestor(widget, GTK_TYPE_STACK_SWITCHER))) {
      g_snprintf(fault, sizeof fault, "%s in %s", G_OBJECT_TYPE_NAME(widget),
                 G_OBJECT_TYPE_NAME(gtk_widget_get_parent(widget)));
      return fault;
    }
  }
  if (GTK_IS_SPIN_BUTTON(widget) || GTK_IS_DROP_DOWN(widget) || GTK_IS_MENU_BUTTON(widget) ||
      ADW_IS_SPLIT_BUTTON(widget) || GTK_IS_WINDOW_CONTROLS(widget) || GTK_IS_POPOVER(widget))
    return NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    const char *found = find_nameless(child);
    if (found) return found;
  }
  return NULL;
}

static void every_control_has_a_name(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  const char *nameless = find_nameless(GTK_WIDGET(window));
  if (nameless) CT_TEST_END(1, "no name or no tooltip: %s", nameless);
  drop_window(window);
}

/* Every action that a menu or a button of the window names exists, or is one that the application adds. */
static void menus_name_real_actions(void) {
  NEED_DISPLAY();
  static const char *const others =
      " open open-folder open-example open-recent close-scan save-volume save-slice save-plan load-plan "
      "reconstruct reconstruct-to-file pause finish cancel find-centre sweep-centre tune-device undo redo "
      "set-reference "
      "clear-reference auto-preview show-help-overlay continue compare-direct ";
  GantryWindow *window = make_window();
  static const char *const files[] = {"menus", "window", "start-page"};
  int found = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
    g_autofree char *path = g_strdup_printf("/org/gantry/Gantry/ui/%s.ui", files[i]);
    g_autoptr(GBytes) bytes = g_resources_lookup_data(path, 0, NULL);
    CHECK(bytes != NULL);
    const char *text = g_bytes_get_data(bytes, NULL);
    for (const char *at = text; (at = strstr(at, ">win.")); at++) {
      g_autofree char *name = g_strndup(at + 5, strcspn(at + 5, "<"));
      g_autofree char *word = g_strdup_printf(" %s ", name);
      if (!g_action_map_lookup_action(G_ACTION_MAP(window), name) && !strstr(others, word))
        CT_TEST_END(1, "no action %s", name);
      found++;
    }
  }
  CHECK(found > 60);
  drop_window(window);
}

static void closed_windows_are_freed(void) {
  NEED_DISPLAY();
  windows_alive = 0;
  GantryWindow *window = make_window();
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 1, FALSE);
  gantry_window_set_busy(window, TRUE, "working");
  g_autoptr(GantryDisplay) display = g_object_ref(gantry_window_get_display(window));
  drop_window(window);
  CHECK(windows_alive == 0);
  gantry_display_set_cross(display, (const double[]){1, 2, 3});
  settle();
}

/* Runs that end one after the other within the toast's animation, each with its offer. */
static void offers_follow_quickly(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gtk_window_present(GTK_WINDOW(window));
  for (int n = 0; n < 30; n++) {
    g_autofree char *text = g_strdup_printf("Reconstructed %d", n);
    gantry_window_toast(window, text, "_Save", "win.save-volume");
    gantry_window_toast_step(window, text);
    for (int i = 0; i < 12; i++) {
      settle();
      g_usleep((gulong)(n % 7 + 1) * 1500);
    }
  }
  settle();
  gtk_window_destroy(GTK_WINDOW(window));
}

/* Until the widget is on screen, or is no longer. */
static gboolean wait_mapped(GtkWidget *widget, gboolean mapped) {
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (gtk_widget_get_mapped(widget) != mapped && g_get_monotonic_time() < until)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  return gtk_widget_get_mapped(widget) == mapped;
}

/* Where each view is, in the window, once nothing moves any more. */
static void measure_views(GantryWindow *window, graphene_rect_t bounds[GANTRY_VIEWS]) {
  /* With a line that pulses there is always something to do. */
  const gint64 until = g_get_monotonic_time() + 300000;
  while (g_get_monotonic_time() < until)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  for (int k = 0; k < GANTRY_VIEWS; k++)
    if (!gtk_widget_compute_bounds(GTK_WIDGET(window->view[k]), GTK_WIDGET(window), &bounds[k]))
      bounds[k] = GRAPHENE_RECT_INIT(0, 0, 0, 0);
}

static void slices_stay_in_place(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  const ct_progress progress = {.stage = CT_STAGE_BACKPROJECTING, .done = 1, .total = 4, .fraction = 0.25};
  graphene_rect_t before[GANTRY_VIEWS], now[GANTRY_VIEWS];
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
  gtk_window_present(GTK_WINDOW(window));
  for (int panel = 1; panel >= 0; panel--) {
    adw_flap_set_reveal_flap(window->flap, panel);
    measure_views(window, before);
    CHECK(before[GANTRY_VIEW_AXIAL].size.height > 100);
    gantry_window_set_progress(window, &progress,
                               "slab 2 / 12 · back-projecting 1 / 4 · 21.4 GUPS · 3 s left · 210 MB");
    gantry_window_show_error(
        window, "bell-pepper/0172.tif: the picture ends after row 97 of 140. Copy the file again, or leave this "
                "view out with “Every n-th view”.");
    gantry_window_offer_remedy(window, "Reconstruct _to File…", "Write it slab by slab", "win.show-plots");
    gantry_window_toast(window, "Reconstructed in 3 s", "Save", "win.show-plots");
    CHECK(wait_mapped(window->error_banner, TRUE) && wait_mapped(window->run_buttons, TRUE));
    measure_views(window, now);
    for (int k = 0; k < GANTRY_VIEW_OBLIQUE; k++) CHECK(graphene_rect_equal(&before[k], &now[k]));
    gantry_window_set_progress(window, NULL, NULL);
    gantry_window_set_busy(window, TRUE, "preparing the projections");
    gantry_window_clear_error(window);
    CHECK(wait_mapped(window->busy_label, TRUE) && wait_mapped(window->error_banner, FALSE));
    measure_views(window, now);
    for (int k = 0; k < GANTRY_VIEW_OBLIQUE; k++) CHECK(graphene_rect_equal(&before[k], &now[k]));
    gantry_window_set_busy(window, FALSE, NULL);
  }
  /* A toast lies over the views, not over the plots. */
  CHECK(find_label_with(GTK_WIDGET(window->view_toasts), "Reconstructed in 3 s"));
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", TRUE, NULL);
  drop_window(window);
}

static const ct_test tests[] = {
    {"slices stay in place when runs, errors and toasts come and go", slices_stay_in_place},
    {"offers that follow one another quickly do no harm", offers_follow_quickly},
    {"crosshair wants planes", crosshair_wants_planes},
    {"slider moves the crosshair", slider_moves_the_crosshair},
    {"crosshair stays in millimetres", crosshair_stays_in_millimetres},
    {"fourth view asks for projections", fourth_view_asks_for_projections},
    {"profile is read from the pictures", profile_is_read_from_the_pictures},
    {"profile width is that of the box", profile_width_is_that_of_the_box},
    {"first pictures set the window", first_pictures_set_the_window},
    {"window follows another scale", window_follows_another_scale},
    {"difference scale holds nearly all", difference_scale_holds_nearly_all},
    {"modes need a reference", modes_need_a_reference},
    {"legend tells the scale", legend_tells_the_scale},
    {"one view stands alone", one_view_stands_alone},
    {"display and actions agree", display_and_actions_agree},
    {"words reach the screen", words_reach_the_screen},
    {"hidden plots catch up when they are shown", hidden_plots_catch_up},
    {"crosshair value is a label", crosshair_value_is_a_label},
    {"angles take either minus", angles_take_either_minus},
    {"single slices have no oblique plane", single_slices_have_no_oblique_plane},
    {"recent scans are listed", recent_scans_are_listed},
    {"closed windows are freed", closed_windows_are_freed},
    {"every control has a name", every_control_has_a_name},
    {"menus name real actions", menus_name_real_actions},
};

WIDGET_TEST_MAIN(tests)
