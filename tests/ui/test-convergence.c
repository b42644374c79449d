/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convergence page fed as a run feeds it: curves, names, readout, table, and the window's commands about it. */
#include "tests/test.h"

#include "tests/ui/window-help.h"
#include "ui/plot/plot-private.h"

/* residual 1/k of the picture that the iteration began with, RMSE 0.01/k, SSIM at every fourth one only. */
static void feed(GantryConvergencePage *page, guint run, int count, int planned) {
  g_autofree ct_iteration *points = g_new0(ct_iteration, count + 1);
  for (int i = 0; i < count; i++)
    points[i] = (ct_iteration){.index = i + 1,
                               .seconds = 0.5,
                               .residual = 1.0 / (i + 1),
                               .residual_after = i,
                               .change = 0.5,
                               .rmse = 0.01 / (i + 1),
                               .relative_rmse = 0.1,
                               .ssim = i % 4 ? NAN : 0.9};
  gantry_convergence_page_set_points(page, run, points, (gsize)count, planned);
}

static GantryConvergencePage *make_page(void) {
  return g_object_ref_sink(GANTRY_CONVERGENCE_PAGE(gantry_convergence_page_new()));
}

static GtkDropDown *choice(GantryConvergencePage *page, gboolean second) {
  GtkWidget *first = find_widget(GTK_WIDGET(page), GTK_TYPE_DROP_DOWN);
  return GTK_DROP_DOWN(second ? gtk_widget_get_next_sibling(first) : first);
}

/* The only curve, or the first. */
static const GantryCurveData *curve_of(GantryConvergencePage *page) {
  const GantryPlotData *data = gantry_plot_get_data(gantry_convergence_page_get_plot(page));
  for (int c = 0; c < GANTRY_CURVES; c++)
    if (data->panels[0].curves[c].count) return &data->panels[0].curves[c];
  return NULL;
}

static void curve_grows(void) {
  NEED_DISPLAY();
  g_autoptr(GantryConvergencePage) page = make_page();
  const guint run = gantry_convergence_page_add(page, "SIRT", "the whole recipe");
  CHECK(run && !gantry_convergence_page_has_points(page) && !curve_of(page));
  feed(page, run, 3, 50);
  CHECK(curve_of(page)->count == 3 && curve_of(page)->y[2] == 1.0 / 3 && curve_of(page)->x[2] == 2);
  const GantryPlotData *data = gantry_plot_get_data(gantry_convergence_page_get_plot(page));
  CHECK(data->extent[0] == 0 && data->extent[1] == 50 && data->panels[0].scale == GANTRY_SCALE_LOG);
  CHECK(find_label_with(GTK_WIDGET(page), "0.333"));
  feed(page, run, 5, 0);
  CHECK(curve_of(page)->count == 5 && data->extent[1] == 1 && find_label_with(GTK_WIDGET(page), "0.2"));
  feed(page, run, 300, 5000);
  CHECK(data->extent[1] == 500);
  feed(page, run, 5, 0);
  feed(page, run + 7, 9, 0);
  CHECK(curve_of(page)->count == 5);
}

static void measures_are_chosen(void) {
  NEED_DISPLAY();
  g_autoptr(GantryConvergencePage) page = make_page();
  feed(page, gantry_convergence_page_add(page, "SIRT", NULL), 9, 0);
  const GantryPlotData *data = gantry_plot_get_data(gantry_convergence_page_get_plot(page));
  gtk_drop_down_set_selected(choice(page, FALSE), 1);
  CHECK(data->extent[0] == 1 && curve_of(page)->x[8] == 9);
  CHECK(curve_of(page)->count == 9 && curve_of(page)->y[8] == 0.01 / 9 && !strcmp(data->panels[0].unit, "1/mm"));
  gtk_drop_down_set_selected(choice(page, FALSE), 2);
  CHECK(curve_of(page)->count == 3 && curve_of(page)->x[1] == 5 && data->panels[0].scale == GANTRY_SCALE_LINEAR);
  gtk_drop_down_set_selected(choice(page, TRUE), 1);
  CHECK(curve_of(page)->x[1] == 2.5 && data->x_scale == GANTRY_SCALE_LINEAR && !strcmp(data->x_unit, "s"));
  gtk_drop_down_set_selected(choice(page, FALSE), 0);
  CHECK(data->panels[0].scale == GANTRY_SCALE_LOG && curve_of(page)->x[0] == 0 && curve_of(page)->x[3] == 1.5);
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(gtk_widget_get_next_sibling(GTK_WIDGET(choice(page, TRUE)))), FALSE);
  CHECK(data->panels[0].scale == GANTRY_SCALE_LINEAR);
}

static void list_reads_at_the_cursor(void) {
  NEED_DISPLAY();
  g_autoptr(GantryConvergencePage) page = make_page();
  feed(page, gantry_convergence_page_add(page, "SIRT", NULL), 10, 0);
  g_signal_emit_by_name(gantry_convergence_page_get_plot(page), "cursor-moved", 3.0);
  CHECK(find_label_with(GTK_WIDGET(page), "0.25"));
  g_signal_emit_by_name(gantry_convergence_page_get_plot(page), "cursor-moved", NAN);
  CHECK(!find_label_with(GTK_WIDGET(page), "0.25") && find_label_with(GTK_WIDGET(page), "0.1"));
}

static void runs_have_colours_of_their_own(void) {
  NEED_DISPLAY();
  g_autoptr(GantryConvergencePage) page = make_page();
  const GantryPlotData *data = gantry_plot_get_data(gantry_convergence_page_get_plot(page));
  guint runs[20];
  for (int i = 0; i < 20; i++) {
    g_autofree char *name = g_strdup_printf("run %d.", i);
    runs[i] = gantry_convergence_page_add(page, name, NULL);
    feed(page, runs[i], 2, 0);
    int shown = 0;
    for (int c = 0; c < GANTRY_CURVES; c++) shown += data->panels[0].curves[c].count > 0;
    CHECK(shown == MIN(i + 1, 12));
    CHECK(!data->panels[0].curves[GANTRY_CURVE_A].count && !data->panels[0].curves[GANTRY_CURVE_B].count);
  }
  CHECK(!find_label_with(GTK_WIDGET(page), "run 7.") && find_label_with(GTK_WIDGET(page), "run 8."));
  gantry_convergence_page_remove(page, runs[12]);
  CHECK(!find_label_with(GTK_WIDGET(page), "run 12."));
  gantry_convergence_page_add(page, "run 13.", NULL);
  CHECK(find_label_with(GTK_WIDGET(page), "run 13. (2)"));
  gantry_convergence_page_clear(page);
  CHECK(!curve_of(page) && !gantry_convergence_page_has_points(page));
}

static void table_holds_all_that_is_known(void) {
  NEED_DISPLAY();
  g_autoptr(GantryConvergencePage) page = make_page();
  g_autofree char *none = gantry_convergence_page_to_csv(page);
  feed(page, gantry_convergence_page_add(page, "SART, relaxation 0.5", NULL), 2, 0);
  feed(page, gantry_convergence_page_add(page, "CGLS", NULL), 1, 0);
  g_autofree char *csv = gantry_convergence_page_to_csv(page);
  CHECK(!*none);
  if (strcmp(csv, "run,iteration,time (s),residual,change,RMSE (1/mm),relative RMSE,SSIM,residual after\n"
                  "\"SART, relaxation 0.5\",1,0.5,1,0.5,0.01,0.1,0.9,0\n"
                  "\"SART, relaxation 0.5\",2,1,0.5,0.5,0.005,0.1,,1\n"
                  "CGLS,1,0.5,1,0.5,0.01,0.1,0.9,0\n") != 0)
    CT_TEST_END(1, "the table is\n%.400s", csv);
}

static void cancelled_run_says_so(void) {
  NEED_DISPLAY();
  g_autoptr(GantryConvergencePage) page = make_page();
  const guint run = gantry_convergence_page_add(page, "SIRT", NULL),
              other = gantry_convergence_page_add(page, "CGLS", NULL);
  feed(page, run, 2, 50);
  feed(page, other, 1, 0);
  CHECK(!find_label_with(GTK_WIDGET(page), "cancelled"));
  feed(page, run, 2, 0);
  gantry_convergence_page_mark_cancelled(page, run);
  gantry_convergence_page_mark_cancelled(page, other + 7);
  CHECK(curve_of(page)->count == 2);
  CHECK(find_label_with(GTK_WIDGET(page), "cancelled"));
  g_autofree char *csv = gantry_convergence_page_to_csv(page);
  CHECK(strstr(csv, "\nSIRT (cancelled),2,") && strstr(csv, "\nCGLS,1,"));
}

static void picture_names_every_run(void) {
  NEED_DISPLAY();
  g_autoptr(GantryConvergencePage) page = make_page();
  for (int i = 0; i < 12; i++)
    feed(page, gantry_convergence_page_add(page, "OS-SART 10 subsets, relaxation 0.5", NULL), 3 + i, 0);
  g_autofree char *folder = g_dir_make_tmp("gantry-curves-XXXXXX", NULL);
  g_autofree char *png = g_build_filename(folder, "c.png", NULL), *bytes = NULL;
  gsize length;
  ct_error *error = NULL;
  CHECK_OK(gantry_plot_save(gantry_convergence_page_get_plot(page), png, NULL, &error));
  CHECK(g_file_get_contents(png, &bytes, &length, NULL) && length > 4000);
  if (g_getenv("GANTRY_TEST_PICTURE"))
    g_file_set_contents(g_getenv("GANTRY_TEST_PICTURE"), bytes, (gssize)length, NULL);
  remove(png), remove(folder);
}

static int continued_for;

static void continue_for(GSimpleAction *action, GVariant *value, gpointer user) {
  continued_for = g_variant_get_int32(value);
}

static void window_shows_runs(void) {
  NEED_DISPLAY();
  GantryWindow *window = g_object_ref(gantry_window_new(NULL, NULL));
  gantry_window_show_scan(window, "pepper", "cone beam");
  GActionGroup *actions = G_ACTION_GROUP(window);
  CHECK(!g_action_group_get_action_enabled(actions, "copy-convergence"));
  const guint run = gantry_window_add_run(window, "SIRT", "recipe");
  CHECK(!strcmp(gtk_stack_get_visible_child_name(part(window, "plot_pages")), "convergence"));
  CHECK(gtk_widget_get_visible(part(window, "convergence_buttons")) &&
        !gtk_widget_get_visible(part(window, "profile_buttons")));
  const ct_iteration point = {.index = 1, .residual = 0.5, .rmse = NAN, .ssim = NAN};
  gantry_window_set_run(window, run, &point, 1, 10);
  CHECK(g_action_group_get_action_enabled(actions, "copy-convergence") &&
        g_action_group_get_action_enabled(actions, "save-convergence"));
  /* Somebody who looks at another page is left there. */
  gtk_stack_set_visible_child_name(part(window, "plot_pages"), "histogram");
  gantry_window_add_run(window, "CGLS", "recipe");
  CHECK(!strcmp(gtk_stack_get_visible_child_name(part(window, "plot_pages")), "histogram"));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.show-convergence", NULL);
  CHECK(!strcmp(gtk_stack_get_visible_child_name(part(window, "plot_pages")), "convergence"));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.clear-convergence", NULL);
  CHECK(!g_action_group_get_action_enabled(actions, "clear-convergence"));
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(window);
}

static void continue_takes_a_number(void) {
  NEED_DISPLAY();
  GantryWindow *window = g_object_ref(gantry_window_new(NULL, NULL));
  const GActionEntry entry = {.name = "continue-for", .parameter_type = "i", .activate = continue_for};
  g_action_map_add_action_entries(G_ACTION_MAP(window), &entry, 1, NULL);
  CHECK(!gtk_widget_get_sensitive(part(window, "continue_button")));
  gantry_window_set_continue(window, 50);
  CHECK(gtk_widget_get_sensitive(part(window, "continue_button")));
  CHECK(gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(part(window, "continue_spin"))) == 50);
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(part(window, "continue_spin")), 7);
  g_signal_emit_by_name(part(window, "continue_for"), "clicked");
  CHECK(continued_for == 7);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(window);
}

static const ct_test tests[] = {
    {"a curve grows with its run", curve_grows},
    {"measure, abscissa and scale are chosen", measures_are_chosen},
    {"the list reads values at the cursor", list_reads_at_the_cursor},
    {"runs have colours of their own, the oldest is removed", runs_have_colours_of_their_own},
    {"the table holds all that is known", table_holds_all_that_is_known},
    {"a cancelled run keeps its curve and says so", cancelled_run_says_so},
    {"a saved picture names every run", picture_names_every_run},
    {"the window shows runs", window_shows_runs},
    {"continue takes a number", continue_takes_a_number},
};

WIDGET_TEST_MAIN(tests)
