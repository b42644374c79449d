/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window without an engine: what its views and bars say, what its controls are called and where they stay, and that
 * it goes when it is closed. */
#include "tests/test.h"
#include "tests/ui/window-help.h"
#include "ui/tab.h"

#include "ui/plan/row.h"
#include "ui/slice-view/view-private.h"

/* Those that a session adds, which decide what buttons a run has. */
static void add_run_actions(GantryWindow *window) {
  static const GActionEntry entries[] = {{.name = "pause", .state = "false"}, {.name = "finish"}, {.name = "cancel"}};
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), NULL);
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
  CHECK(!gtk_widget_get_visible(part(window, "run_buttons")) &&
        !gtk_revealer_get_reveal_child(part(window, "message_below")));
  /* Reconstruct is quiet while something is missing. */
  GtkWidget *reconstruct = GTK_WIDGET(part(window, "reconstruct_button"));
  gantry_window_set_missing(window, "Type the distances.");
  CHECK(!gtk_widget_has_css_class(reconstruct, "suggested-action") &&
        !strcmp(gtk_widget_get_tooltip_text(reconstruct), "Type the distances."));
  gantry_window_set_missing(window, NULL);
  CHECK(gtk_widget_has_css_class(reconstruct, "suggested-action"));
  add_run_actions(window);
  gantry_window_set_progress(window, &progress, "back-projecting 1 / 4");
  CHECK(find_label_with(GTK_WIDGET(part(window, "title")), "1 / 4") &&
        find_label_with(part(window, "run_buttons"), "Resume"));
  CHECK_NEAR(gtk_progress_bar_get_fraction(part(window, "progress_bar")), 0.625, 1e-9);
  /* What the scan is follows the plan meanwhile, and is there again afterwards. */
  gantry_window_set_subtitle(window, "fan beam");
  CHECK(find_label_with(GTK_WIDGET(part(window, "title")), "1 / 4"));
  gantry_window_set_progress(window, NULL, NULL);
  CHECK(!gtk_widget_get_visible(part(window, "run_buttons")) &&
        !gtk_widget_get_visible(GTK_WIDGET(part(window, "progress_bar"))));
  CHECK(find_label_with(GTK_WIDGET(part(window, "title")), "fan beam"));
  gantry_window_show_error(window, "tooth.h5: the file ends too early <b>.");
  CHECK(gtk_revealer_get_reveal_child(part(window, "message_below")) &&
        find_label_with(GTK_WIDGET(part(window, "message_below")), "<b>"));
  /* Without a panel it is elsewhere, and as visible. */
  adw_flap_set_reveal_flap(part(window, "flap"), FALSE);
  CHECK(gtk_revealer_get_reveal_child(part(window, "message_views")) &&
        find_label_with(GTK_WIDGET(part(window, "message_views")), "<b>"));
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")));
  gtk_widget_set_visible(part(window, "plots"), FALSE);
  CHECK(gtk_revealer_get_reveal_child(part(window, "message_views")) &&
        find_label_with(GTK_WIDGET(part(window, "message_views")), "<b>"));
  gtk_widget_set_visible(part(window, "plots"), TRUE);
  adw_flap_set_reveal_flap(part(window, "flap"), TRUE);
  /* A remedy is offered for the fault that is told, not for the next. */
  GtkWidget *remedy = GTK_WIDGET(part(window, "message_button"));
  CHECK(!gtk_widget_get_visible(remedy));
  gantry_window_offer_remedy(window, "Reconstruct _to File…", "Write it slab by slab", "win.show-plots");
  CHECK(gtk_widget_get_visible(remedy) && find_label_with(remedy, "Reconstruct to File…") &&
        !strcmp(gtk_actionable_get_action_name(GTK_ACTIONABLE(remedy)), "win.show-plots"));
  gantry_window_show_error(window, "tooth.h5: another fault.");
  CHECK(!gtk_widget_get_visible(remedy));
  CHECK(gtk_widget_has_css_class(part(window, "message_banner"), "fault"));
  gantry_window_clear_error(window);
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")) &&
        !gtk_revealer_get_reveal_child(part(window, "message_above")));
  gantry_window_set_statistics(window, &statistics, &metrics);
  static const char *const words[] = {"−0.5 1/mm", "0.25 1/mm", "0.125 1/mm", "3",   "0.001 1/mm (5 %)",
                                      "1, 2, 3",   "40 dB",     "0.97",       "1.01"};
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
    if (!find_label_with(GTK_WIDGET(gantry_numbers_get_statistics(window->numbers)), words[i]))
      CT_TEST_END(1, "no label says “%s”", words[i]);
  }
  drop_window(window);
}

static void hidden_plots_catch_up(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 0.25, FALSE);
  gtk_widget_set_visible(part(window, "plots"), FALSE);
  settle();
  gantry_display_set_profile(window->display, GANTRY_VIEW_AXIAL, (ctgl_point){-8, -6}, (ctgl_point){8, 6});
  settle();
  gtk_widget_set_visible(part(window, "plots"), TRUE);
  settle();
  CHECK(find_label_with(part(window, "plots"), "20 mm"));
  drop_window(window);
}

/* Laid out, and not cut. */
static gboolean comes_to_show_whole(GtkLabel *label) {
  const gint64 until = g_get_monotonic_time() + 5 * G_TIME_SPAN_SECOND;
  while (g_get_monotonic_time() < until && gtk_widget_get_width(GTK_WIDGET(label)) < 20)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  settle();
  return gtk_widget_get_width(GTK_WIDGET(label)) >= 20 && !pango_layout_is_ellipsized(gtk_label_get_layout(label));
}

static void crosshair_value_is_a_label(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 0.5, FALSE);
  gantry_display_set_cross(window->display, (const double[]){-4, 3, 2});
  settle();
  /* The place along z is the picture's. */
  CHECK(!strcmp(gtk_label_get_text(part(window, "cross_label")),
                "−2 1/mm at\nx\u00a0−4.00, y\u00a03.00, z\u00a0−8.00\u00a0mm"));
  gantry_window_set_units(window, ct_units_of(true));
  settle();
  CHECK(!strcmp(gtk_label_get_text(part(window, "cross_label")),
                "−2 1/px at\nx\u00a0−4.00, y\u00a03.00, z\u00a0−8.00\u00a0px"));
  gantry_window_set_units(window, ct_units_of(false));
  set_ramp(window, CT_AXIAL, CTGL_SLOT_B, 0.25, FALSE);
  settle();
  CHECK(!strcmp(gtk_label_get_text(part(window, "cross_label")), "A\u00a0−2  B\u00a0−1\nA\u00a0−\u00a0B\u00a0−1 1/mm"));
  CHECK(strstr(gtk_widget_get_tooltip_text(GTK_WIDGET(part(window, "cross_label"))),
               "−1 1/mm at x\u00a0−4.00, y\u00a03.00, z\u00a0−8.00\u00a0mm\n"));
  /* Between two voxels the label tells what the picture shows there, and says the place whole. */
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 1, FALSE);
  gantry_window_clear_images(window, CTGL_SLOT_B);
  gantry_display_set_cross(window->display, (const double[]){-3.85, 3.25, 2});
  settle();
  CHECK(g_str_has_prefix(gtk_label_get_text(part(window, "cross_label")), "−4 1/mm at\nx\u00a0−3.85, y\u00a03.25"));
  gantry_display_set_smooth(window->display, TRUE);
  CHECK(g_str_has_prefix(gtk_label_get_text(part(window, "cross_label")), "−3.85 1/mm at"));
  drop_window(window);
}

/* What a window of 1024 pixels leaves beside its side panel. */
#define NARROW_VIEWS (1024 - 10 - 393)

static void count_complaint(const char *domain, GLogLevelFlags level, const char *message, gpointer count) {
  ++*(int *)count;
}

/* The list of recent scans is put in order anew with every one that is opened, and the keys of its items with it. */
static void recent_scans_change_places(void) {
  NEED_DISPLAY();
  g_autoptr(GtkApplication) application = gtk_application_new("org.gantry.Test", G_APPLICATION_NON_UNIQUE);
  CHECK(g_application_register(G_APPLICATION(application), NULL, NULL));
  GantryWindow *window = g_object_ref(gantry_window_new(application, NULL));
  windows_alive++;
  g_object_weak_ref(G_OBJECT(window), window_gone, NULL);
  int complaints = 0;
  const guint handler = g_log_set_handler("GLib-GObject", G_LOG_LEVEL_CRITICAL, count_complaint, &complaints);
  g_autoptr(GSimpleAction) open = g_simple_action_new("open-recent", G_VARIANT_TYPE_STRING);
  g_action_map_add_action(G_ACTION_MAP(window), G_ACTION(open));
  const char *const uris[] = {"file:///a", "file:///b", "file:///c", NULL}, *const names[] = {"a", "b", "c", NULL};
  const char *const moved[] = {"file:///c", "file:///a", "file:///b", NULL};
  gantry_window_set_recent(window, uris, names);
  gtk_window_present(GTK_WINDOW(window));
  gantry_window_show_scan(window, "c", "cone beam");
  CHECK(wait_mapped(GTK_WIDGET(window), TRUE));
  gantry_window_set_recent(window, moved, names);
  settle();
  g_auto(GStrv) first = gtk_application_get_actions_for_accel(application, "<Control>1");
  g_auto(GStrv) third = gtk_application_get_actions_for_accel(application, "<Control>3");
  CHECK(first[0] && strstr(first[0], "file:///c") && !first[1] && third[0] && strstr(third[0], "file:///b"));
  g_log_remove_handler("GLib-GObject", handler);
  drop_window(window);
  if (complaints) CT_TEST_END(1, "%d complaints of the toolkit", complaints);
}

/* Beside the panel A and B are named whole, and the oblique plane's angles do not push the panel away. */
static void narrow_windows_have_room(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  int least, whole;
  gtk_window_present(GTK_WINDOW(window));
  gantry_window_set_result_titles(window, "volume 256³, 1440 views", "slices of the plan kept as B");
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "oblique");
  settle();
  GtkWidget *sides = gtk_widget_get_parent(GTK_WIDGET(part(window, "title_a")));
  gtk_widget_measure(sides, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &whole, NULL, NULL);
  gtk_widget_measure(part(window, "paned"), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  drop_window(window);
  if (whole > NARROW_VIEWS) CT_TEST_END(1, "the names of A and B need %d pixels", whole);
  if (least > NARROW_VIEWS) CT_TEST_END(1, "the views and the oblique plane's angles need %d pixels", least);
}

/* The example's values, swiped: read whole in a window of 1280 pixels; and the bar leaves the side panel its room in
 * one of 1024. */
static void values_fit_the_bar(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gtk_window_present(GTK_WINDOW(window));
  gantry_window_set_result_titles(window, "volume", "before");
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 0.0010247, FALSE);
  set_ramp(window, CT_AXIAL, CTGL_SLOT_B, 0.0010071, FALSE);
  settle();
  gantry_display_set_window(window->display, -0.0019, 0.0209);
  /* Of A alone the bar is no higher. */
  gantry_window_clear_images(window, CTGL_SLOT_B);
  settle();
  int height;
  gtk_widget_measure(GTK_WIDGET(part(window, "cross_label")), GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  if (height > 34) CT_TEST_END(1, "the reading is %d pixels high", height);
  CHECK(strchr(gtk_label_get_text(part(window, "cross_label")), '\n'));
  set_ramp(window, CT_AXIAL, CTGL_SLOT_B, 0.0010071, FALSE);
  settle();
  gantry_display_set_cross(window->display, (const double[]){-4, 3, 2});
  gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "swipe");
  int least;
  settle();
  gtk_widget_measure(part(window, "paned"), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  if (least > NARROW_VIEWS) CT_TEST_END(1, "the views need %d pixels", least);
  CHECK(comes_to_show_whole(part(window, "cross_label")));
  CHECK(pango_layout_get_line_count(gtk_label_get_layout(part(window, "cross_label"))) == 2);
  CHECK(gtk_widget_get_height(GTK_WIDGET(part(window, "cross_label"))) <= 34);
  CHECK(gtk_widget_get_mapped(part(window, "legend_box")) && !gtk_widget_get_mapped(part(window, "small_legend_box")));
  drop_window(window);
}

/* With a reference the bar of a window of 1024 pixels is full: the scale stands where it cannot lie, and the side panel
 * stays. */
static void scale_stays_in_narrow_windows(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gtk_window_set_default_size(GTK_WINDOW(window), 1024, 768);
  gtk_window_present(GTK_WINDOW(window));
  gantry_window_set_result_titles(window, "volume", "before");
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 0.0010247, FALSE);
  set_ramp(window, CT_AXIAL, CTGL_SLOT_B, 0.0010071, FALSE);
  settle();
  gantry_display_set_window(window->display, -0.00192, 0.00655);
  gantry_display_set_range(window->display, CTGL_SCALE_DIFFERENCE, 0.000275);
  static const char *const modes[] = {"difference", "swipe"}, *const highs[] = {"0.000275", "0.00655"};
  for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
    gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", modes[i]);
    CHECK(wait_mapped(part(window, "small_legend_box"), TRUE) && !adw_flap_get_folded(part(window, "flap")));
    CHECK(find_label_with(part(window, "small_legend_box"), highs[i]) &&
          !gtk_widget_get_mapped(part(window, "legend_box")));
  }
  /* Also while something is being made; and with a digit more. */
  int least;
  gantry_display_set_window(window->display, -0.000192, 0.000655);
  gantry_window_set_busy(window, TRUE, "Reconstructing slices…");
  while (!gantry_status_shows_busy(window->status)) g_main_context_iteration(NULL, TRUE);
  gtk_widget_measure(part(window, "paned"), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  if (least > NARROW_VIEWS) CT_TEST_END(1, "the busy views need %d pixels", least);
  /* The value is whole beside it, also before the reference has a picture. */
  gantry_display_set_window(window->display, -0.0012, 0.0206);
  gantry_window_clear_images(window, CTGL_SLOT_B);
  const gint64 until = g_get_monotonic_time() + 300000;
  while (g_get_monotonic_time() < until)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  CHECK(!pango_layout_is_ellipsized(gtk_label_get_layout(part(window, "cross_label"))));
  gantry_window_set_busy(window, FALSE, NULL);
  drop_window(window);
}

static void recent_scans_are_listed(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  static const char *const uris[] = {"file:///data/a_b.h5", "file:///data/walnut.h5", NULL};
  static const char *const names[] = {"a_b.h5", "<walnut> & co", NULL};
  gantry_window_set_recent(window, uris, names);
  CHECK(g_menu_model_get_n_items(G_MENU_MODEL(gantry_frame_get_recent(window->frame))) == 2);
  CHECK(find_label_with(GTK_WIDGET(part(window, "start_page")), "<walnut> & co"));
  gantry_window_set_recent(window, NULL, NULL);
  CHECK(g_menu_model_get_n_items(G_MENU_MODEL(gantry_frame_get_recent(window->frame))) == 0);
  CHECK(!find_label_with(GTK_WIDGET(part(window, "start_page")), "walnut"));
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

/* With the panel hidden a message takes a strip from the views, below them, and gives it back. */
static void check_place(const graphene_rect_t *before, const graphene_rect_t *now, gboolean strip, const char *when) {
  for (int k = 0; k < GANTRY_VIEW_OBLIQUE; k++)
    if (strip ? now[k].size.width != before[k].size.width || now[k].size.height < before[k].size.height - 40
              : !graphene_rect_equal(&before[k], &now[k]))
      CT_TEST_END(1, "%s view %d is at %g, %g, %g x %g, not at %g, %g, %g x %g", when, k, (double)now[k].origin.x,
                  (double)now[k].origin.y, (double)now[k].size.width, (double)now[k].size.height,
                  (double)before[k].origin.x, (double)before[k].origin.y, (double)before[k].size.width,
                  (double)before[k].size.height);
}

static void slices_stay_in_place(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  const ct_progress progress = {.stage = CT_STAGE_BACKPROJECTING, .done = 1, .total = 4, .fraction = 0.25};
  graphene_rect_t before[GANTRY_VIEWS], now[GANTRY_VIEWS];
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
  gtk_window_present(GTK_WINDOW(window));
  for (int panel = 1; panel >= 0; panel--) {
    adw_flap_set_reveal_flap(part(window, "flap"), panel);
    measure_views(window, before);
    CHECK(before[GANTRY_VIEW_AXIAL].size.height > 100);
    gantry_window_set_progress(window, &progress,
                               "slab 2 / 12 · back-projecting 1 / 4 · 21.4 GUPS · 3 s left · 210 MB");
    gantry_window_show_error(
        window, "bell-pepper/0172.tif: the picture ends after row 97 of 140. Copy the file again, or leave this "
                "view out with “Every n-th view”.");
    gantry_window_offer_remedy(window, "Reconstruct _to File…", "Write it slab by slab", "win.show-plots");
    gantry_window_toast(window, GANTRY_ABOUT_RUN, "Reconstructed in 3 s", "Save", "win.show-plots");
    CHECK(wait_mapped(part(window, "message_banner"), TRUE) && wait_mapped(part(window, "run_buttons"), TRUE));
    measure_views(window, now);
    check_place(before, now, !panel, "during a run");
    gantry_window_set_progress(window, NULL, NULL);
    gantry_window_set_busy(window, TRUE, "preparing the projections");
    gantry_window_clear_error(window);
    CHECK(wait_mapped(part(window, "busy_label"), TRUE) && wait_mapped(part(window, "message_banner"), FALSE));
    measure_views(window, now);
    check_place(before, now, FALSE, "behind it");
    gantry_window_set_busy(window, FALSE, NULL);
  }
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", TRUE, NULL);
  drop_window(window);
}

/* The projection is there before the first slice: no picture changes its size when that comes. */
static void sliders_have_their_place(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  graphene_rect_t before[GANTRY_VIEWS], area[GANTRY_VIEWS];
  gtk_window_present(GTK_WINDOW(window));
  gantry_window_show_scan(window, "walnut", "cone beam");
  gantry_window_set_projection_range(window, 360, 100);
  for (int slices = 0; slices < 2; slices++) {
    if (slices) gantry_window_set_grid(window, &grid);
    measure_views(window, area);
    for (int k = 0; k <= GANTRY_VIEW_PROJECTION; k++) {
      CHECK(gtk_widget_compute_bounds(view_of(window, k)->area, GTK_WIDGET(window), &area[k]));
      CHECK(gtk_widget_is_sensitive(view_of(window, k)->row) == (slices || k == GANTRY_VIEW_PROJECTION));
      CHECK(area[k].size.height == area[k & 2].size.height && (!slices || graphene_rect_equal(&area[k], &before[k])));
      before[k] = area[k];
    }
  }
  drop_window(window);
}

/* Tab comes to every view and to the header, and back to where it began; Shift+Tab goes the same way back. */
static void tab_goes_round(void) {
  NEED_DISPLAY();
  enum { MOST = 300 };
  GantryWindow *window = make_window();
  set_ramp(window, CT_AXIAL, CTGL_SLOT_A, 1, FALSE);
  gtk_window_present(GTK_WINDOW(window));
  CHECK(wait_mapped(GTK_WIDGET(view_of(window, GANTRY_VIEW_PROJECTION)), TRUE));
  gtk_widget_grab_focus(GTK_WIDGET(view_of(window, GANTRY_VIEW_AXIAL)));
  GtkWidget *first = gtk_window_get_focus(GTK_WINDOW(window));
  CHECK(first != NULL);
  int stops[2] = {0}, views[2] = {0}, header[2] = {0};
  for (int back = 0; back < 2; back++) {
    GtkWidget *focus;
    do {
      CHECK(gantry_tab_move(GTK_WINDOW(window), back));
      focus = gtk_window_get_focus(GTK_WINDOW(window));
      views[back] += GTK_IS_GL_AREA(focus);
      header[back] += gtk_widget_is_ancestor(focus, GTK_WIDGET(part(window, "open_button")));
    } while (focus != first && ++stops[back] < MOST);
  }
  CHECK(stops[0] > 15 && stops[0] < MOST && stops[1] == stops[0]);
  CHECK(views[0] == 4 && views[1] == 4 && header[0] > 0);
  drop_window(window);
}

static const ct_test tests[] = {
    {"Tab goes round", tab_goes_round},
    {"sliders have their place before there are slices", sliders_have_their_place},
    {"slices stay in place when runs, errors and toasts come and go", slices_stay_in_place},
    {"words reach the screen", words_reach_the_screen},
    {"hidden plots catch up when they are shown", hidden_plots_catch_up},
    {"crosshair value is a label", crosshair_value_is_a_label},
    {"values of A and B fit the bar", values_fit_the_bar},
    {"scale stays in narrow windows", scale_stays_in_narrow_windows},
    {"recent scans change places", recent_scans_change_places},
    {"narrow windows have room for names and angles", narrow_windows_have_room},
    {"recent scans are listed", recent_scans_are_listed},
    {"closed windows are freed", closed_windows_are_freed},
    {"every control has a name", every_control_has_a_name},
};

WIDGET_TEST_MAIN(tests)
