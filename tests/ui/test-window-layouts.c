/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the views are: by the volume, and as the user chooses. */
#include "tests/test.h"
#include "tests/ui/window-help.h"

#include "ui/slice-view/view-private.h"
#include "ui/spectrum/page.h"
#include "ui/tips.h"

static ct_grid grid_of(int across, int high) {
  return (ct_grid){across, across, high, 1, 1, 1, 0, 0, 0};
}

static void layouts_follow_the_volume(void) {
  const ct_grid cube = grid_of(128, 128), few = grid_of(640, 2), disc = grid_of(128, 20), tall = grid_of(40, 128);
  CHECK(gantry_layout_for(&cube) == GANTRY_LAYOUT_GRID);
  CHECK(gantry_layout_for(&few) == GANTRY_LAYOUT_PAIR);
  CHECK(gantry_layout_for(&disc) == GANTRY_LAYOUT_LARGE);
  CHECK(gantry_layout_for(&tall) == GANTRY_LAYOUT_ROW);
}

static gboolean is_shown(GantryWindow *window, GantryViewKind kind) {
  return gtk_widget_get_visible(gtk_widget_get_parent(GTK_WIDGET(view_of(window, kind))));
}

static const char *state_of(GantryWindow *window) {
  g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(window), "layout");
  return g_intern_string(g_variant_get_string(state, NULL));
}

/* A few slices: upright planes would be streaks. What the user has chosen stays until another scan is opened. */
static void few_slices_leave_upright_planes_out(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  const ct_grid few = grid_of(64, 2);
  CHECK(!strcmp(state_of(window), "grid") && is_shown(window, GANTRY_VIEW_CORONAL));
  gantry_window_set_grid(window, &few);
  CHECK(!strcmp(state_of(window), "pair"));
  CHECK(is_shown(window, GANTRY_VIEW_AXIAL) && is_shown(window, GANTRY_VIEW_PROJECTION) &&
        !is_shown(window, GANTRY_VIEW_CORONAL) && !is_shown(window, GANTRY_VIEW_SAGITTAL));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.layout", "s", "row");
  CHECK(is_shown(window, GANTRY_VIEW_CORONAL));
  gantry_window_set_grid(window, &grid);
  CHECK(!strcmp(state_of(window), "row"));
  gantry_window_show_scan(window, "other", "cone beam");
  gantry_window_set_grid(window, &grid);
  CHECK(!strcmp(state_of(window), "grid"));
  drop_window(window);
}

static double area_of(graphene_rect_t bounds) {
  return (double)bounds.size.width * (double)bounds.size.height;
}

static void tiles_lie_beside_each_other(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  graphene_rect_t bounds[GANTRY_VIEWS], cut;
  static const char *const layouts[] = {"grid", "large", "row"};
  gtk_window_present(GTK_WINDOW(window));
  for (gsize n = 0; n < G_N_ELEMENTS(layouts); n++) {
    gtk_widget_grab_focus(GTK_WIDGET(view_of(window, GANTRY_VIEW_SAGITTAL)));
    gtk_widget_activate_action(GTK_WIDGET(window), "win.layout", "s", layouts[n]);
    measure_views(window, bounds);
    for (int i = 0; i <= GANTRY_VIEW_PROJECTION; i++)
      for (int j = 0; j < i; j++) {
        CHECK(area_of(bounds[i]) > 1000);
        if (graphene_rect_intersection(&bounds[i], &bounds[j], &cut) && cut.size.width >= 1 && cut.size.height >= 1)
          CT_TEST_END(1, "%s: views %d and %d overlap", layouts[n], i, j);
      }
    /* That with the keyboard is the large one. */
    const double others = area_of(bounds[GANTRY_VIEW_AXIAL]);
    CHECK((area_of(bounds[GANTRY_VIEW_SAGITTAL]) > 3 * others) == (n == 1));
    CHECK((bounds[GANTRY_VIEW_SAGITTAL].origin.y == bounds[GANTRY_VIEW_AXIAL].origin.y) == (n > 0));
  }
  drop_window(window);
}

/* No row below a picture is higher than the others, whatever the fourth view is. */
static void rows_are_of_one_height(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  graphene_rect_t bounds[GANTRY_VIEWS], canvas;
  static const char *const kinds[] = {"projection", "oblique"};
  gtk_window_present(GTK_WINDOW(window));
  float heights[2];
  for (int n = 0; n < 2; n++) {
    const GantryViewKind kind = n ? GANTRY_VIEW_OBLIQUE : GANTRY_VIEW_PROJECTION;
    gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", kinds[n]);
    measure_views(window, bounds);
    GtkWidget *area = find_widget(GTK_WIDGET(view_of(window, kind)), GTK_TYPE_GL_AREA);
    CHECK(gtk_widget_compute_bounds(area, GTK_WIDGET(window), &canvas));
    heights[n] = bounds[kind].size.height - canvas.size.height;
  }
  CHECK(heights[0] > 10 && heights[0] == heights[1]);
  drop_window(window);
}

static GantryTipPlace place_of(GtkWidget *widget) {
  return gantry_tips_find_place(widget, "Words that take a line");
}

/* Above or below, where that is no picture or plot. */
static void tooltips_cover_no_picture(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  graphene_rect_t bounds[GANTRY_VIEWS];
  gtk_window_present(GTK_WINDOW(window));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.layout", "s", "grid");
  gtk_widget_activate_action(GTK_WIDGET(window), "win.show-spectrum", NULL);
  measure_views(window, bounds);
  GtkWidget *page = find_widget(GTK_WIDGET(window), GANTRY_TYPE_SPECTRUM_PAGE);
  GtkWidget *choice = find_widget(page, GTK_TYPE_CHECK_BUTTON);
  CHECK(wait_mapped(choice, TRUE));
  CHECK(place_of(choice) == GANTRY_TIP_ABOVE);
  CHECK(place_of(view_of(window, GANTRY_VIEW_AXIAL)->row) == GANTRY_TIP_NOWHERE);
  CHECK(place_of(view_of(window, GANTRY_VIEW_SAGITTAL)->row) == GANTRY_TIP_BELOW);
  CHECK(place_of(GTK_WIDGET(window)) == GANTRY_TIP_ANYWHERE);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.layout", "s", "row");
  measure_views(window, bounds);
  CHECK(place_of(view_of(window, GANTRY_VIEW_AXIAL)->row) == GANTRY_TIP_BELOW);
  drop_window(window);
}

static void fill(GantryBeside *beside) {
  for (int i = 0; i < 2; i++) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_set_size_request(box, i ? 250 : 400, 50);
    gtk_widget_set_parent(box, GTK_WIDGET(beside));
  }
}

static bool shows(GantryBeside *beside, int width, bool first, bool second) {
  gtk_widget_size_allocate(GTK_WIDGET(beside), &(GtkAllocation){0, 0, width, 100}, -1);
  settle();
  return gtk_widget_get_child_visible(gtk_widget_get_first_child(GTK_WIDGET(beside))) == first &&
         gtk_widget_get_child_visible(gtk_widget_get_last_child(GTK_WIDGET(beside))) == second &&
         gantry_beside_get_shown(beside) == second;
}

/* The button is pressed exactly while the shelf is seen, and a narrow window can show it too. */
static void shelf_makes_room(void) {
  NEED_DISPLAY();
  g_autoptr(GantryBeside) beside = g_object_ref_sink(g_object_new(GANTRY_TYPE_BESIDE, NULL));
  int least;
  fill(beside);
  gtk_widget_measure(GTK_WIDGET(beside), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  CHECK(least == 400 && shows(beside, 650, true, true));
  CHECK(gtk_widget_get_width(gtk_widget_get_last_child(GTK_WIDGET(beside))) == 250);
  CHECK(shows(beside, 1000, true, true));
  CHECK(gtk_widget_get_width(gtk_widget_get_last_child(GTK_WIDGET(beside))) == 320);
  /* Too narrow: it goes by itself, comes when asked for, and goes when a page is. */
  CHECK(shows(beside, 600, true, false));
  gantry_beside_set_shown(beside, TRUE);
  CHECK(shows(beside, 600, false, true));
  gantry_beside_give_way(beside);
  CHECK(shows(beside, 600, true, false) && shows(beside, 700, true, true));
  gantry_beside_set_shown(beside, FALSE);
  CHECK(shows(beside, 700, true, false) && shows(beside, 600, true, false) && shows(beside, 700, true, false));
}

static void count(int *told) {
  ++*told;
}

/* Actions of the window may keep it longer than the window itself. */
static void shelf_is_silent_without_window(void) {
  NEED_DISPLAY();
  GtkWidget *window = g_object_ref_sink(gtk_window_new());
  g_autoptr(GantryBeside) beside = g_object_ref_sink(g_object_new(GANTRY_TYPE_BESIDE, NULL));
  int told = 0;
  fill(beside);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(beside));
  g_signal_connect_swapped(beside, "notify::shown", G_CALLBACK(count), &told);
  gtk_widget_size_allocate(GTK_WIDGET(beside), &(GtkAllocation){0, 0, 600, 100}, -1);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(window);
  settle();
  CHECK(told == 0 && !gantry_beside_get_shown(beside));
}

static const ct_test tests[] = {
    {"the shelf makes room", shelf_makes_room},
    {"the shelf is silent without a window", shelf_is_silent_without_window},
    {"layouts follow the volume", layouts_follow_the_volume},
    {"few slices leave upright planes out", few_slices_leave_upright_planes_out},
    {"tiles lie beside each other", tiles_lie_beside_each_other},
    {"rows are of one height", rows_are_of_one_height},
    {"tooltips cover no picture", tooltips_cover_no_picture},
};

WIDGET_TEST_MAIN(tests)
