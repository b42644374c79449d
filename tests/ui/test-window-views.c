/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's views without an engine: what they want when the crosshair moves, what is read from their pictures, how
 * these are shown. */
#include "tests/test.h"
#include "tests/ui/window-help.h"

#include "ui/plot/plot-private.h"
#include "ui/slice-view/view-private.h"

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
  g_signal_emit_by_name(view_of(window, GANTRY_VIEW_SAGITTAL), "slice-wanted", 5);
  gantry_display_get_cross(window->display, cross);
  gantry_window_get_wanted(window, wanted);
  CHECK_NEAR(cross[0], -16 + 5 * 0.5, 1e-9);
  CHECK(wanted[2] == 5 && planes_wanted == 1);
  g_signal_emit_by_name(view_of(window, GANTRY_VIEW_AXIAL), "slice-wanted", 1000);
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
  g_signal_emit_by_name(view_of(window, GANTRY_VIEW_PROJECTION), "slice-wanted", 3);
  CHECK(projections_wanted == 0);
  gantry_window_set_projection_range(window, 360, 100);
  g_signal_emit_by_name(view_of(window, GANTRY_VIEW_PROJECTION), "slice-wanted", 400);
  CHECK(projections_wanted == 1 && last_projection == 359 && !last_sinogram);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "sinogram");
  CHECK(projections_wanted == 2 && last_projection == 50 && last_sinogram);
  /* Another detector: the middle row is shown on the slider and asked for. */
  gantry_window_set_projection_range(window, 360, 60);
  settle();
  CHECK(projections_wanted == 3 && last_projection == 30 && last_sinogram);
  drop_window(window);
}

static void sinogram_of_one_row(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gantry_window_suit_fourth(window, 1);
  gantry_window_set_projection_range(window, 360, 1);
  settle();
  check_fourth(window, "sinogram");
  CHECK(projections_wanted == 1 && last_sinogram && last_projection == 0);
  gantry_window_suit_fourth(window, 1);
  check_fourth(window, "sinogram");
  GantryImage *sinogram = gantry_image_new(4, 360);
  memset(sinogram->pixels, 0, 4 * 360 * sizeof *sinogram->pixels);
  gantry_window_set_image(window, CTGL_SLOT_A, sinogram);
  gantry_image_unref(sinogram);
  CHECK(!strcmp(gtk_label_get_text(GTK_LABEL(view_of(window, GANTRY_VIEW_PROJECTION)->position)), "0"));
  gantry_window_suit_fourth(window, 100);
  check_fourth(window, "projection");
  /* What the user has chosen stays. */
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "oblique");
  gantry_window_suit_fourth(window, 1);
  check_fourth(window, "oblique");
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "sinogram");
  gantry_window_suit_fourth(window, 100);
  check_fourth(window, "sinogram");
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
  g_autofree char *csv = gantry_plot_to_csv(gantry_profile_get_plot(window->profile));
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
  CHECK(find_label_with(part(window, "plots"), "20 mm"));
  gantry_display_set_profile(window->display, GANTRY_VIEWS, (ctgl_point){0, 0}, (ctgl_point){0, 0});
  settle();
  g_autofree char *none = gantry_plot_to_csv(gantry_profile_get_plot(window->profile));
  CHECK(!*none);
  GActionGroup *actions = G_ACTION_GROUP(window);
  CHECK(!g_action_group_get_action_enabled(actions, "copy-profile"));
  gantry_display_set_profile(window->display, GANTRY_VIEW_AXIAL, (ctgl_point){-8, -6}, (ctgl_point){8, 6});
  settle();
  CHECK(g_action_group_get_action_enabled(actions, "copy-profile") &&
        g_action_group_get_action_enabled(actions, "save-profile") &&
        gtk_widget_get_visible(part(window, "profile_buttons")));
  gtk_stack_set_visible_child_name(part(window, "plot_pages"), "histogram");
  CHECK(!gtk_widget_get_visible(part(window, "profile_buttons")));
  drop_window(window);
}

/* Frames as stored are no line integrals, and are not said to be. */
static void profile_says_what_a_projection_holds(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gantry_display_set_profile(window->display, GANTRY_VIEW_PROJECTION, (ctgl_point){0, 0}, (ctgl_point){3, 0});
  for (int integrals = 0; integrals < 2; integrals++) {
    GantryImage *image = gantry_image_new(4, 2);
    for (int i = 0; i < 8; i++) image->pixels[i] = (float)i;
    image->integrals = integrals;
    gantry_window_set_image(window, CTGL_SLOT_A, image);
    gantry_image_unref(image);
    settle();
    CHECK(!strcmp(gantry_plot_get_data(gantry_profile_get_plot(window->profile))->panels[0].title,
                  integrals ? "line integral" : "value as stored"));
  }
  drop_window(window);
}

/* Its pixels are not looked through again where whoever made it has found their range. */
static void window_of_a_projection_comes_with_it(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  double low, high;
  g_autoptr(GantryImage) image = gantry_image_new(4, 2);
  for (int i = 0; i < 8; i++) image->pixels[i] = (float)i;
  image->has_grey = TRUE;
  image->grey[0] = 300, image->grey[1] = 500;
  gantry_window_set_image(window, CTGL_SLOT_A, image);
  gantry_display_get_projection_window(window->display, &low, &high);
  CHECK(low == 300 && high == 500);
  gantry_display_set_projection_window(window->display, 1, 2);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.auto-window", NULL);
  gantry_display_get_projection_window(window->display, &low, &high);
  CHECK(low == 300 && high == 500);
  drop_window(window);
}

/* A context takes a software renderer as long as a frame. */
static void views_share_a_context(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gtk_window_present(GTK_WINDOW(window));
  if (!wait_mapped(view_of(window, GANTRY_VIEW_AXIAL)->area, TRUE) ||
      gtk_gl_area_get_error(GTK_GL_AREA(view_of(window, GANTRY_VIEW_AXIAL)->area))) {
    drop_window(window);
    SKIP("the display offers no OpenGL");
  }
  GdkGLContext *context = gtk_gl_area_get_context(GTK_GL_AREA(view_of(window, GANTRY_VIEW_AXIAL)->area));
  for (int k = GANTRY_VIEW_CORONAL; k <= GANTRY_VIEW_PROJECTION; k++)
    CHECK(context && gtk_gl_area_get_context(GTK_GL_AREA(view_of(window, k)->area)) == context);
  drop_window(window);
}

static void profile_width_is_that_of_the_box(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  set_ramp(window, CT_CORONAL, CTGL_SLOT_A, 0, TRUE);
  gantry_display_set_profile(window->display, GANTRY_VIEW_CORONAL, (ctgl_point){-10, 0}, (ctgl_point){10, 0});
  settle();
  /* Pixels at 2.0 .. 5.0 mm are 1, their neighbours 0: half is crossed half a pixel outside. */
  CHECK(find_label_with(part(window, "plots"), "3.5 mm") && find_label_with(part(window, "plots"), "1 1/mm at"));
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
  const double range = gantry_display_get_range(window->display, CTGL_SCALE_DIFFERENCE);
  CHECK(range >= 4 && range < 5.5);
  drop_window(window);
}

static void set_differing(GantryWindow *window, double factor) {
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 0.25 + factor, FALSE);
  settle();
}

/* The scale follows a difference that has outgrown it or become small, not one that changes a little, and not when it
 * is locked. The ramps reach 16. */
static void difference_scale_is_refitted(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GantryDisplay *display = window->display;
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_B, 0.25, FALSE);
  gantry_window_set_result_titles(window, "a", "b");
  set_differing(window, 0.001);
  const double first = gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE);
  CHECK(first >= 0.016 && first < 0.022);
  set_differing(window, 0.0008);
  CHECK(gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE) == first);
  set_differing(window, 0.01);
  const double grown = gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE);
  CHECK(grown >= 0.16 && grown < 0.22);
  set_differing(window, 0.002);
  CHECK(gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE) < 0.05);
  /* A equal to B says nothing of the scale. */
  const double before = gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE);
  set_differing(window, 0);
  CHECK(gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE) == before);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.scale-locked", NULL);
  set_differing(window, 0.1);
  CHECK(gantry_display_get_locked(display) && gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE) == before);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fit-scale", NULL);
  CHECK(!gantry_display_get_locked(display) && gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE) >= 1.6);
  /* By hand: it stays what it was made. */
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "absolute");
  gantry_slice_view_adjust_window(view_of(window, GANTRY_VIEW_AXIAL), 0, 1, 1, log(100), 0);
  settle();
  CHECK(gantry_display_get_locked(display));
  CHECK_NEAR(gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE), 100, 1e-9);
  drop_window(window);
}

/* B everywhere 2 % below A; near its zero there is nothing to divide by. */
static void relative_scale_is_fitted(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  for (int k = 0; k < 3; k++) {
    set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 1, FALSE);
    set_ramp(window, (ct_plane)k, CTGL_SLOT_B, 0.98, FALSE);
  }
  gantry_window_set_result_titles(window, "a", "b");
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "relative");
  settle();
  const double range = gantry_display_get_range(window->display, CTGL_SCALE_RELATIVE);
  const double least = gantry_display_get_least(window->display);
  CHECK(range > 0.0204 && range < 0.03);
  CHECK(least > 0.08 * 16 && least < 0.14 * 16);
  drop_window(window);
}

static void flips_and_mixes(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GantryDisplay *display = window->display;
  GtkWidget *widget = GTK_WIDGET(window);
  CHECK(!g_action_group_get_action_enabled(G_ACTION_GROUP(window), "flip"));
  gantry_window_set_result_titles(window, "a", "b");
  gtk_widget_activate_action(widget, "win.flip", NULL);
  CHECK(gantry_display_get_mode(display) == CTGL_SHOW_B);
  gtk_widget_activate_action(widget, "win.flip", NULL);
  CHECK(gantry_display_get_mode(display) == CTGL_SHOW_A);
  gtk_widget_activate_action(widget, "win.mix-forth", NULL);
  CHECK(gantry_display_get_mode(display) == CTGL_SHOW_FADE && gtk_widget_get_visible(part(window, "fade")));
  gtk_widget_activate_action(widget, "win.mix-forth", NULL);
  CHECK_NEAR(gantry_display_get_fade(display), 0.2, 1e-9);
  gtk_adjustment_set_value(part(window, "fade_adjustment"), 0.75);
  CHECK_NEAR(gantry_display_get_fade(display), 0.75, 1e-9);
  gtk_widget_activate_action(widget, "win.mode", "s", "checkerboard");
  const int tile = gantry_display_get_tile(display);
  gtk_widget_activate_action(widget, "win.mix-back", NULL);
  CHECK(gantry_display_get_tile(display) < tile && gtk_widget_get_visible(part(window, "tile")));
  /* The flicker goes on by itself, and ends with another mode. */
  gtk_widget_activate_action(widget, "win.flicker-rate", "i", 8);
  gtk_widget_activate_action(widget, "win.flicker", NULL);
  const ctgl_mode at_first = gantry_display_get_mode(display);
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (gantry_display_get_mode(display) == at_first && g_get_monotonic_time() < until)
    g_main_context_iteration(NULL, TRUE);
  CHECK(gantry_display_get_mode(display) == (at_first == CTGL_SHOW_A ? CTGL_SHOW_B : CTGL_SHOW_A));
  gtk_widget_activate_action(widget, "win.mode", "s", "difference");
  g_autoptr(GVariant) flickers = g_action_group_get_action_state(G_ACTION_GROUP(window), "flicker");
  CHECK(!g_variant_get_boolean(flickers));
  gantry_window_set_result_titles(window, "a", NULL);
  CHECK(gantry_display_get_mode(display) == CTGL_SHOW_A);
  drop_window(window);
}

static void window_fits_what_is_on_show(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  double low, high;
  for (int k = 0; k < 3; k++) {
    set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 1, FALSE);
    set_ramp(window, (ct_plane)k, CTGL_SLOT_B, 20, FALSE);
  }
  gantry_window_set_result_titles(window, "a", "b");
  settle();
  static const struct {
    const char *mode;
    double low, high;
  } expected[] = {{"a", 11, 17}, {"b", 230, 330}, {"difference", 11, 17}, {"swipe", 200, 330}};
  for (gsize i = 0; i < G_N_ELEMENTS(expected); i++) {
    gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", expected[i].mode);
    gtk_widget_activate_action(GTK_WIDGET(window), "win.auto-window", NULL);
    gantry_display_get_window(window->display, &low, &high);
    if (!(high > expected[i].low && high < expected[i].high))
      CT_TEST_END(1, "%s: %g to %g", expected[i].mode, low, high);
  }
  /* Showing A alone again changes nothing. */
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "a");
  for (int k = 0; k < 3; k++) set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 1.1, FALSE);
  settle();
  double kept_low, kept_high;
  gantry_display_get_window(window->display, &kept_low, &kept_high);
  CHECK(kept_low == low && kept_high == high);
  drop_window(window);
}

static void modes_need_a_reference(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GAction *mode = g_action_map_lookup_action(G_ACTION_MAP(window), "mode");
  GtkWidget *first = gtk_widget_get_first_child(part(window, "modes"));
  CHECK(!g_action_get_enabled(mode) && !gtk_widget_get_sensitive(first));
  CHECK(strstr(gtk_widget_get_tooltip_text(first), "There is no B to compare with"));
  gantry_window_set_result_titles(window, "volume", "before");
  CHECK(g_action_get_enabled(mode) && gtk_widget_get_sensitive(first));
  CHECK(!strcmp(gtk_widget_get_tooltip_text(first), "Show A, the result (Alt+1)"));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "swipe");
  CHECK(gantry_display_get_mode(window->display) == CTGL_SHOW_SWIPE && gtk_widget_get_visible(part(window, "swipe")));
  gantry_display_set_swipe(window->display, 0.25);
  CHECK_NEAR(gtk_adjustment_get_value(part(window, "swipe_adjustment")), 0.25, 1e-9);
  gtk_adjustment_set_value(part(window, "swipe_adjustment"), 0.75);
  CHECK_NEAR(gantry_display_get_swipe(window->display), 0.75, 1e-9);
  gantry_window_set_result_titles(window, "volume", NULL);
  CHECK(gantry_display_get_mode(window->display) == CTGL_SHOW_A && !gtk_widget_get_visible(part(window, "swipe")));
  drop_window(window);
}

static void legend_tells_the_scale(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gantry_window_set_result_titles(window, "volume", "before");
  gantry_display_set_window(window->display, 1e-12, 0.02);
  CHECK(!strcmp(find_label_with(part(window, "legend_box"), ""), "0") &&
        find_label_with(part(window, "legend_box"), "0.02 1/mm"));
  gantry_display_set_range(window->display, CTGL_SCALE_DIFFERENCE, 0.0125);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "difference");
  CHECK(find_label_with(part(window, "legend_box"), "−0.0125") &&
        find_label_with(part(window, "legend_box"), "0.0125 1/mm"));
  CHECK(!strcmp(find_label_with(part(window, "small_legend_box"), "−"), "−0.0125"));
  CHECK(!strcmp(find_label_with(part(window, "small_legend_box"), "0.0125"), "0.0125"));
  drop_window(window);
}

static void one_view_stands_alone(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  g_signal_emit_by_name(view_of(window, GANTRY_VIEW_CORONAL), "maximise-toggled");
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    CHECK(gtk_widget_get_visible(gtk_widget_get_parent(GTK_WIDGET(view_of(window, k)))) == (k == GANTRY_VIEW_CORONAL));
  }
  g_signal_emit_by_name(view_of(window, GANTRY_VIEW_CORONAL), "maximise-toggled");
  CHECK(gantry_quad_get_maximised(window->quad) == GANTRY_VIEWS);
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
  CHECK(!gtk_widget_get_visible(part(window, "plots")));
  drop_window(window);
}

/* Of the values in the slices: whether nothing is cut off, and how many have two lines. */
static gboolean values_are_whole(GantryWindow *window, int *two_lines) {
  gboolean whole = TRUE;
  *two_lines = 0;
  for (int k = 0; k < 3; k++) {
    GtkLabel *readout = GTK_LABEL(view_of(window, k)->readout);
    if (!gtk_widget_get_mapped(GTK_WIDGET(readout))) continue;
    whole &= !pango_layout_is_ellipsized(gtk_label_get_layout(readout));
    *two_lines += strchr(gtk_label_get_text(readout), '\n') != NULL;
  }
  return whole;
}

/* Until every drawing area on screen has told its size, and the words over it followed. */
static void settle_sizes(GantryWindow *window) {
  graphene_rect_t bounds[GANTRY_VIEWS];
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  gboolean told = FALSE;
  while (!told && g_get_monotonic_time() < until) {
    measure_views(window, bounds);
    told = TRUE;
    for (int k = 0; k < 3; k++) {
      const GantrySliceView *view = view_of(window, k);
      told &=
          !gtk_widget_get_mapped(view->area) || view->camera.width == gtk_widget_get_width(view->area) * view->ratio;
    }
  }
  measure_views(window, bounds);
}

static void values_fit_small_views(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  int two_lines;
  for (int k = 0; k < 3; k++) {
    set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 0.012345, FALSE);
    set_ramp(window, (ct_plane)k, CTGL_SLOT_B, 0.023456, FALSE);
  }
  gtk_window_set_default_size(GTK_WINDOW(window), 740, 768);
  gtk_window_present(GTK_WINDOW(window));
  CHECK(wait_mapped(GTK_WIDGET(window), TRUE));
  settle_sizes(window);
  CHECK(values_are_whole(window, &two_lines) && two_lines == 3);
  gantry_window_set_result_titles(window, "a", "b");
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "difference");
  gantry_display_set_cross(window->display, (const double[]){-15.75, -11.75, -7.75});
  settle_sizes(window);
  CHECK(values_are_whole(window, &two_lines) && two_lines == 3);
  /* Where there is room one line is enough. */
  gantry_quad_maximise(window->quad, GANTRY_VIEW_AXIAL);
  settle_sizes(window);
  CHECK(values_are_whole(window, &two_lines) && two_lines == 0);
  /* In larger letters it is not. */
  g_autoptr(GtkCssProvider) large = gtk_css_provider_new();
  gtk_css_provider_load_from_data(large, ".gantry-view-label { font-size: 3em; }", -1);
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(large),
                                             GTK_STYLE_PROVIDER_PRIORITY_USER);
  settle_sizes(window);
  gantry_display_set_cross(window->display, (const double[]){-4, 3, 2});
  settle_sizes(window);
  gtk_style_context_remove_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(large));
  values_are_whole(window, &two_lines);
  CHECK(two_lines == 1);
  drop_window(window);
}

static const ct_test tests[] = {
    {"crosshair wants planes", crosshair_wants_planes},
    {"slider moves the crosshair", slider_moves_the_crosshair},
    {"crosshair stays in millimetres", crosshair_stays_in_millimetres},
    {"fourth view asks for projections", fourth_view_asks_for_projections},
    {"a detector of one row shows its sinogram", sinogram_of_one_row},
    {"profile is read from the pictures", profile_is_read_from_the_pictures},
    {"profile says what a projection holds", profile_says_what_a_projection_holds},
    {"the window of a projection comes with it", window_of_a_projection_comes_with_it},
    {"views share a context", views_share_a_context},
    {"profile width is that of the box", profile_width_is_that_of_the_box},
    {"first pictures set the window", first_pictures_set_the_window},
    {"window follows another scale", window_follows_another_scale},
    {"difference scale holds nearly all", difference_scale_holds_nearly_all},
    {"difference scale is refitted", difference_scale_is_refitted},
    {"relative scale is fitted", relative_scale_is_fitted},
    {"A and B flip, mix and flicker", flips_and_mixes},
    {"the grey window fits what is on show", window_fits_what_is_on_show},
    {"modes need a reference", modes_need_a_reference},
    {"legend tells the scale", legend_tells_the_scale},
    {"values fit small views", values_fit_small_views},
    {"one view stands alone", one_view_stands_alone},
    {"display and actions agree", display_and_actions_agree},
};

WIDGET_TEST_MAIN(tests)
