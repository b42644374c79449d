/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice view in a real window: what it draws, what it keeps, what it says. Skipped where there is no screen. */
#include "tests/test.h"
#include "ui/slice-view/view-private.h"

typedef struct Fixture {
  GtkWidget *window, *view;
  GantryDisplay *display;
} Fixture;

static void close_fixture(Fixture *fixture) {
  if (fixture->window) gtk_window_destroy(GTK_WINDOW(fixture->window));
  g_clear_object(&fixture->display);
  while (g_main_context_iteration(NULL, FALSE)) continue;
}

static gboolean timeout(gpointer data) {
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Lets frames be drawn until the condition holds, 10 s at most. */
static bool settle(GantrySliceView *view, bool (*condition)(GantrySliceView *)) {
  gboolean late = FALSE;
  const guint source = g_timeout_add(10000, timeout, &late);
  while (!late && !condition(view)) g_main_context_iteration(NULL, TRUE);
  if (!late) g_source_remove(source);
  return !late;
}

static bool is_drawn(GantrySliceView *view) {
  return view->renderer && view->camera.width > 1 && !view->stale[0] && !view->stale[1];
}

static GantryImage *flat_image(int width, int height, float value) {
  GantryImage *image = gantry_image_new(width, height);
  image->kind = GANTRY_VIEW_AXIAL;
  for (int i = 0; i < width * height; i++) image->pixels[i] = value;
  return image;
}

static bool open_fixture(Fixture *fixture, GantryViewKind kind) {
  /* A second gtk_init_check after a failed one succeeds. */
  if (!gtk_init_check() || !gdk_display_get_default()) return false;
  fixture->display = gantry_display_new();
  fixture->window = gtk_window_new();
  fixture->view = gantry_slice_view_new(kind, fixture->display);
  gtk_window_set_default_size(GTK_WINDOW(fixture->window), 400, 300);
  gtk_window_set_child(GTK_WINDOW(fixture->window), fixture->view);
  gtk_window_present(GTK_WINDOW(fixture->window));
  return true;
}

#define OPEN(kind)                                                                                                     \
  __attribute__((cleanup(close_fixture))) Fixture fixture = {0};                                                       \
  if (!open_fixture(&fixture, kind)) SKIP("no screen to open a window on");                                            \
  GantrySliceView *view = GANTRY_SLICE_VIEW(fixture.view);                                                             \
  __attribute__((unused)) GantryDisplay *display = fixture.display

/* RGB in the middle of the drawing area, as the window's renderer would show it. */
static guint32 middle_pixel(GantrySliceView *view) {
  g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new(view->area);
  GtkSnapshot *snapshot = gtk_snapshot_new();
  const int width = gtk_widget_get_width(view->area), height = gtk_widget_get_height(view->area);
  gdk_paintable_snapshot(paintable, snapshot, width, height);
  g_autoptr(GskRenderNode) node = gtk_snapshot_free_to_node(snapshot);
  if (!node) return 0xffffffff;
  GskRenderer *renderer = gtk_native_get_renderer(gtk_widget_get_native(view->area));
  g_autoptr(GdkTexture) texture =
      gsk_renderer_render_texture(renderer, node, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
  g_autofree guint32 *pixels = g_new(guint32, (gsize)width * (gsize)height);
  gdk_texture_download(texture, (guchar *)pixels, (gsize)width * 4);
  return pixels[(height / 2 + 3) * width + width / 2 + 3] & 0xffffff;
}

/* Lets frames be drawn until the middle has a grey level or a colour, 10 s at most. */
static bool shows(GantrySliceView *view, guint32 rgb, guint32 tolerance) {
  gboolean late = FALSE, near = FALSE;
  const guint source = g_timeout_add(10000, timeout, &late);
  while (!late && !near) {
    g_main_context_iteration(NULL, TRUE);
    const guint32 pixel = is_drawn(view) ? middle_pixel(view) : 0xffffffff;
    near = pixel <= 0xffffff;
    for (int shift = 0; shift < 24; shift += 8)
      near = near && (guint32)abs((int)(pixel >> shift & 255) - (int)(rgb >> shift & 255)) <= tolerance;
  }
  if (!late) g_source_remove(source);
  return near;
}

static void test_draws(void) {
  OPEN(GANTRY_VIEW_AXIAL);
  gantry_display_set_show_crosshair(display, FALSE);
  g_autoptr(GantryImage) white = flat_image(16, 16, 1);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, white);
  CHECK(shows(view, 0xffffff, 0));
  CHECK(!view->fault);
  gantry_display_set_window(display, 0, 2);
  CHECK(shows(view, 0x808080, 1));
  g_autoptr(GantryImage) broken = flat_image(16, 16, NAN);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, broken);
  CHECK(shows(view, 0xff00ff, 0));
}

/* The oblique plane's line goes through the crosshair; its ends turn the plane, the line shifts it. */
static void test_oblique_line(void) {
  OPEN(GANTRY_VIEW_SAGITTAL);
  g_autoptr(GantryImage) image = flat_image(16, 16, 1);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  CHECK(settle(view, is_drawn));
  gantry_display_set_cross(display, (double[]){3, 8, 7});
  ctgl_point at, along;
  double reach;
  CHECK(!gantry_slice_view_trace(view, &at, &along, &reach));
  gantry_display_set_oblique(display, TRUE, &(GantryPose){0, G_PI / 3});
  CHECK(gantry_slice_view_trace(view, &at, &along, &reach));
  CHECK(at.x == 8 && at.y == 7 && reach > 0);
  CHECK_NEAR(fabs(along.y / along.x), tan(G_PI / 3), 1e-9);
  const ctgl_point on =
      gantry_slice_view_to_widget(view, (ctgl_point){8 + 0.4 * reach * along.x, 7 + 0.4 * reach * along.y});
  const ctgl_point end = gantry_slice_view_to_widget(view, (ctgl_point){8 - reach * along.x, 7 - reach * along.y});
  CHECK(gantry_slice_view_trace_at(view, on.x, on.y) == GANTRY_DRAG_TRACE);
  CHECK(gantry_slice_view_trace_at(view, end.x, end.y) == GANTRY_DRAG_TRACE_TURN);
  CHECK(gantry_slice_view_trace_at(view, on.x + 20, on.y) == GANTRY_DRAG_NONE);
  /* A shift along the line changes nothing, one across it moves the plane by as much. */
  GantryPose pose;
  double cross[3], before[3], after[3];
  view->drag = GANTRY_DRAG_TRACE;
  view->drag_world = (ctgl_point){9, 7};
  gantry_slice_view_begin_trace(view);
  gantry_slice_view_drag_trace(view, (ctgl_point){9 + 2 * along.x, 7 + 2 * along.y});
  gantry_display_get_cross(display, cross);
  CHECK_NEAR(cross[1], 8, 1e-9);
  CHECK_NEAR(cross[2], 7, 1e-9);
  gantry_display_get_oblique(display, &pose);
  gantry_pose_from_world(&pose, cross, before);
  gantry_slice_view_drag_trace(view, (ctgl_point){9 - 2 * along.y, 7 + 2 * along.x});
  gantry_display_get_cross(display, cross);
  gantry_pose_from_world(&pose, cross, after);
  CHECK_NEAR(fabs(after[2] - before[2]), 2, 1e-9);
  CHECK(cross[0] == 3);
  /* A turn by a quarter of a circle about the crosshair. */
  gantry_display_set_cross(display, (double[]){3, 8, 7});
  view->drag = GANTRY_DRAG_TRACE_TURN;
  view->drag_world = (ctgl_point){8 + along.x, 7 + along.y};
  gantry_slice_view_begin_trace(view);
  gantry_slice_view_drag_trace(view, (ctgl_point){8 - along.y, 7 + along.x});
  gantry_display_get_oblique(display, &pose);
  CHECK_NEAR(pose.tilt, 5 * G_PI / 6, 1e-9);
  CHECK_NEAR(pose.rotation, 0, 1e-9);
  /* The plane is parallel to this view. */
  gantry_display_set_oblique(display, TRUE, &(GantryPose){G_PI / 2, G_PI / 2});
  CHECK(!gantry_slice_view_trace(view, &at, &along, &reach));
}

/* Told in a label while it is steered by keys, and no longer. */
static void test_steering(void) {
  OPEN(GANTRY_VIEW_OBLIQUE);
  g_autoptr(GantryImage) image = flat_image(16, 16, 1);
  image->kind = GANTRY_VIEW_OBLIQUE;
  gantry_slice_view_set_range(view, 21, 10, -5, 5, "mm");
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  gantry_display_set_cross(display, (double[]){0, 0, 2});
  gantry_display_set_oblique(display, TRUE, &(GantryPose){G_PI, 0});
  CHECK(!gtk_widget_get_visible(view->hint));
  gantry_slice_view_steer_oblique(view, 2, -1);
  GantryPose pose;
  gantry_display_get_oblique(display, &pose);
  CHECK_NEAR(pose.rotation, -178 * G_PI / 180, 1e-9);
  CHECK_NEAR(pose.tilt, -G_PI / 180, 1e-9);
  CHECK(gtk_widget_get_visible(view->hint));
  CHECK(strcmp(gtk_label_get_text(GTK_LABEL(view->hint)), "Tilt −1.0°, rotation −178.0°, d = 2.00 mm") == 0);
  gantry_display_set_cross(display, (double[]){0, 0, 3});
  CHECK(strstr(gtk_label_get_text(GTK_LABEL(view->hint)), "d = 3.00 mm"));
  gantry_slice_view_set_steered(view, FALSE);
  CHECK(!gtk_widget_get_visible(view->hint));
}

static void test_many_updates_cost_one_upload(void) {
  OPEN(GANTRY_VIEW_AXIAL);
  for (int i = 0; i <= 100; i++) {
    g_autoptr(GantryImage) image = flat_image(16, 16, (float)i / 100);
    gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
    /* Nothing is uploaded before the next frame, and the old picture is let go at once. */
    CHECK(view->stale[CTGL_SLOT_A]);
  }
  gantry_display_set_show_crosshair(display, FALSE);
  CHECK(shows(view, 0xffffff, 0));
}

static void test_survives_its_context(void) {
  OPEN(GANTRY_VIEW_AXIAL);
  gantry_display_set_show_crosshair(display, FALSE);
  g_autoptr(GantryImage) white = flat_image(16, 16, 1);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, white);
  CHECK(settle(view, is_drawn));
  for (int i = 0; i < 3; i++) {
    g_object_ref(view);
    gtk_window_set_child(GTK_WINDOW(fixture.window), NULL);
    CHECK(!view->renderer);
    gtk_window_set_child(GTK_WINDOW(fixture.window), GTK_WIDGET(view));
    g_object_unref(view);
    CHECK(shows(view, 0xffffff, 0));
  }
}

static void test_keeps_the_camera(void) {
  OPEN(GANTRY_VIEW_AXIAL);
  g_autoptr(GantryImage) first = flat_image(64, 64, 1), again = flat_image(64, 64, 0), finer = flat_image(128, 128, 0),
                         larger = flat_image(90, 64, 0);
  finer->spacing_x = finer->spacing_y = 0.5;
  finer->origin_x = finer->origin_y = -0.25;
  gantry_slice_view_set_image(view, CTGL_SLOT_A, first);
  CHECK(settle(view, is_drawn));
  const double fitted = view->camera.zoom;
  const ctgl_point before = gantry_slice_view_to_world(view, 100, 80);
  gantry_slice_view_zoom(view, 100, 80, 3);
  const ctgl_point after = gantry_slice_view_to_world(view, 100, 80);
  CHECK_NEAR(view->camera.zoom, 3 * fitted, 1e-9);
  CHECK_NEAR(after.x, before.x, 1e-9);
  CHECK_NEAR(after.y, before.y, 1e-9);
  const ctgl_camera held = view->camera;
  gantry_slice_view_set_image(view, CTGL_SLOT_A, again);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, finer);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, NULL);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, again);
  CHECK(memcmp(&held, &view->camera, sizeof held) == 0);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, larger);
  CHECK(view->fitted && view->camera.centre_x == 44.5);
  gantry_slice_view_zoom(view, 10, 10, 1e9);
  CHECK(view->camera.zoom <= 64 * view->ratio);
  gantry_slice_view_fit(view);
  CHECK(view->camera.centre_x == 44.5);
}

static void remember(GantrySliceView *view, int index, int *wanted) {
  *wanted = index;
}

static void test_slices(void) {
  OPEN(GANTRY_VIEW_CORONAL);
  int wanted = -1;
  g_signal_connect(view, "slice-wanted", G_CALLBACK(remember), &wanted);
  gantry_slice_view_set_range(view, 100, 40, -10, 10, "mm");
  gantry_slice_view_set_range(view, 80, 79, -10, 10, "mm");
  CHECK(wanted == -1);
  gantry_slice_view_step_slice(view, -3);
  CHECK(wanted == 76);
  gantry_slice_view_step_slice(view, 10);
  CHECK(wanted == 79);
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(view->spin), 12);
  CHECK(wanted == 12);
  CHECK(gtk_widget_is_sensitive(view->row));
  gantry_slice_view_set_range(view, 0, 0, 0, 0, NULL);
  CHECK(gtk_widget_get_visible(view->row) && !gtk_widget_is_sensitive(view->row));
  wanted = -1;
  gantry_slice_view_step_slice(view, 1);
  CHECK(wanted == -1);
}

static void test_crosshair_and_words(void) {
  OPEN(GANTRY_VIEW_SAGITTAL);
  CHECK(gtk_widget_get_visible(view->empty) && strstr(gtk_label_get_text(GTK_LABEL(view->empty)), "press Reconstruct"));
  g_autoptr(GantryImage) image = flat_image(20, 30, 0.0625f);
  image->kind = GANTRY_VIEW_SAGITTAL;
  image->position = -0.04;
  gantry_slice_view_set_range(view, 21, 10, -10, 10, "mm");
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  CHECK(!gtk_widget_get_visible(view->empty));
  CHECK(strcmp(gtk_label_get_text(GTK_LABEL(view->position)), "x = 0.0 mm") == 0);
  /* Sagittal is (y, z); beyond the picture the crosshair stops at its border. */
  gantry_display_set_cross(display, (double[3]){5, 0, 0});
  gantry_slice_view_set_cross(view, (ctgl_point){7, 99});
  double cross[3];
  gantry_display_get_cross(display, cross);
  CHECK(cross[0] == 5 && cross[1] == 7 && cross[2] == 29);
  const char *readout = gtk_label_get_text(GTK_LABEL(view->readout));
  CHECK(strstr(readout, "0.0625 1/mm") && strstr(readout, "y 7.0") && strstr(readout, "z 29.0 mm"));
  gantry_slice_view_set_image(view, CTGL_SLOT_A, NULL);
  CHECK(gtk_widget_get_visible(view->empty) && !gtk_widget_get_visible(view->readout));
}

static bool says_before(GantrySliceView *view) {
  return gtk_widget_get_visible(view->before) && gtk_widget_get_opacity(view->area) < 1 &&
         !strcmp(gtk_label_get_text(GTK_LABEL(view->before)), "before the change");
}

static void test_marks_a_picture_of_before(void) {
  OPEN(GANTRY_VIEW_AXIAL);
  gantry_slice_view_set_outdated(view, TRUE);
  CHECK(!says_before(view)); /* there is no picture */
  g_autoptr(GantryImage) image = flat_image(8, 8, 1);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  CHECK(says_before(view));
  gantry_display_set_mode(display, CTGL_SHOW_B);
  CHECK(!says_before(view)); /* the mark is about A */
  gantry_display_set_mode(display, CTGL_SHOW_A);
  CHECK(says_before(view));
  gantry_slice_view_set_outdated(view, FALSE);
  CHECK(!says_before(view) && gtk_widget_get_opacity(view->area) == 1 && !*gtk_label_get_text(GTK_LABEL(view->before)));
}

/* A left of the swipe line and B right of it, each where it has room, at most 16 pixels away. */
static bool sides_are_named(GantrySliceView *view) {
  const double width = gtk_widget_get_width(view->area), edge = gantry_display_get_swipe(view->display) * width;
  graphene_rect_t at;
  for (int side = 0; side < 2; side++) {
    const bool has_room = (side ? width - edge : edge) > 40;
    if (gtk_widget_get_visible(view->sides[side]) != has_room) return false;
    if (!has_room) continue;
    if (!gtk_widget_compute_bounds(view->sides[side], view->area, &at)) return false;
    const double gap = side ? (double)at.origin.x - edge : edge - (double)(at.origin.x + at.size.width);
    if (!(at.size.width > 4 && gap > 2 && gap < 16)) return false;
  }
  return true;
}

static void test_names_the_sides(void) {
  OPEN(GANTRY_VIEW_AXIAL);
  g_autoptr(GantryImage) image = flat_image(8, 8, 1);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  gantry_slice_view_set_image(view, CTGL_SLOT_B, image);
  CHECK(settle(view, is_drawn));
  CHECK(!gtk_widget_get_visible(view->sides[0]) && !gtk_widget_get_visible(view->sides[1]));
  gantry_display_set_mode(display, CTGL_SHOW_SWIPE);
  const double edges[] = {0.5, 0.2, 0.75, 0, 1};
  for (int i = 0; i < 5; i++) {
    gantry_display_set_swipe(display, edges[i]);
    if (!settle(view, sides_are_named)) CT_TEST_END(1, "at %g", edges[i]);
  }
  /* A picture is the same where one reads from right to left. */
  gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL);
  gantry_display_set_swipe(display, 0.2);
  const bool still_named = settle(view, sides_are_named);
  gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR);
  CHECK(still_named);
  CHECK(!strcmp(gtk_label_get_text(GTK_LABEL(view->sides[0])), "A") &&
        !strcmp(gtk_label_get_text(GTK_LABEL(view->sides[1])), "B"));
  gantry_display_set_swipe(display, 0.5);
  gantry_display_set_mode(display, CTGL_SHOW_DIFFERENCE);
  CHECK(!gtk_widget_get_visible(view->sides[0]) && !gtk_widget_get_visible(view->sides[1]));
}

static void test_window_from_region(void) {
  OPEN(GANTRY_VIEW_AXIAL);
  g_autoptr(GantryImage) image = flat_image(50, 50, 0);
  for (int i = 0; i < 2500; i++) image->pixels[i] = (float)(i % 50);
  image->pixels[20 * 50 + 20] = NAN;
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  gantry_slice_view_window_from_region(view, (ctgl_point){30, 30}, (ctgl_point){10, 12});
  double low, high;
  gantry_display_get_window(display, &low, &high);
  CHECK_NEAR(low, 10, 1e-6);
  CHECK_NEAR(high, 30, 1e-6);
  /* Nothing to learn from a place outside or from a point. */
  gantry_slice_view_window_from_region(view, (ctgl_point){25, 25}, (ctgl_point){25, 25});
  gantry_display_get_window(display, &low, &high);
  CHECK(low == 10 && high == 30);
  gantry_slice_view_adjust_window(view, 10, 30, 1, log(2), 0.25);
  gantry_display_get_window(display, &low, &high);
  CHECK_NEAR(high - low, 40, 1e-9);
  CHECK_NEAR((high + low) / 2, 15, 1e-9);
}

static void test_tools_and_actions(void) {
  OPEN(GANTRY_VIEW_AXIAL);
  g_autoptr(GantryImage) image = flat_image(50, 50, 0);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  CHECK(gtk_widget_activate_action(view->area, "view.profile", NULL));
  CHECK(view->tool == GANTRY_TOOL_PROFILE && gtk_widget_get_visible(view->hint));
  gantry_slice_view_place_tool(view, (ctgl_point){1, 2});
  gantry_slice_view_place_tool(view, (ctgl_point){3, 4});
  ctgl_point from, to;
  CHECK(gantry_display_get_profile(display, &from, &to) == GANTRY_VIEW_AXIAL);
  CHECK(from.x == 1 && from.y == 2 && to.x == 3 && to.y == 4 && view->tool == GANTRY_TOOL_NONE);
  CHECK(gtk_widget_activate_action(view->area, "view.clear-profile", NULL));
  CHECK(gantry_display_get_profile(display, NULL, NULL) == GANTRY_VIEWS);
  CHECK(gtk_widget_activate_action(view->area, "view.smooth", NULL));
  CHECK(gantry_display_get_smooth(display));
  CHECK(gtk_widget_activate_action(view->area, "view.colour-map", "s", "cividis"));
  CHECK(strcmp(gantry_display_get_colour_map(display), "cividis") == 0);
  CHECK(gtk_widget_activate_action(view->area, "view.crosshair", NULL));
  CHECK(!gantry_display_get_show_crosshair(display));
}

typedef struct {
  int count, rectangle[4];
} Drawn;

static void remember_rectangle(GantrySliceView *view, int column, int row, int width, int height, Drawn *drawn) {
  drawn->count++;
  memcpy(drawn->rectangle, (const int[]){column, row, width, height}, sizeof drawn->rectangle);
}

static bool is_rectangle(const int rectangle[4], int column, int row, int width, int height) {
  return rectangle[0] == column && rectangle[1] == row && rectangle[2] == width && rectangle[3] == height;
}

/* In a projection of 2 x 3 bins: pixels are those of the detector, from row 6 on. */
static void test_rectangle(void) {
  OPEN(GANTRY_VIEW_PROJECTION);
  Drawn drawn = {0};
  int r[4];
  g_signal_connect(view, "rectangle-drawn", G_CALLBACK(remember_rectangle), &drawn);
  g_autoptr(GantryImage) image = flat_image(20, 10, 1);
  image->kind = GANTRY_VIEW_PROJECTION;
  image->spacing_x = 2;
  image->spacing_y = 3;
  image->origin_x = 0.5;
  image->origin_y = 7;
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  CHECK(settle(view, is_drawn));
  CHECK(!gantry_slice_view_rectangle(view, r) && !gtk_widget_get_visible(view->numbers));
  gantry_slice_view_start_rectangle(view);
  CHECK(gtk_widget_get_visible(view->hint) && strstr(gtk_label_get_text(GTK_LABEL(view->hint)), "Escape"));
  gantry_slice_view_place_tool(view, (ctgl_point){12.4, 20.6});
  gantry_slice_view_place_tool(view, (ctgl_point){4.6, 9.5});
  CHECK(drawn.count == 1 && is_rectangle(drawn.rectangle, 5, 10, 8, 12) && view->tool == GANTRY_TOOL_NONE);
  gantry_slice_view_rectangle_between(view, (ctgl_point){-9, 99}, (ctgl_point){99, -9}, r);
  CHECK(is_rectangle(r, 0, 6, 40, 30));
  gantry_slice_view_set_rectangle(view, drawn.rectangle);
  /* Along the lower edge, off the picture. */
  CHECK(gtk_widget_get_visible(view->numbers) &&
        gtk_widget_get_ancestor(view->numbers, GTK_TYPE_BOX) == view->readings &&
        gtk_widget_get_valign(view->readings) == GTK_ALIGN_END);
  CHECK(strcmp(gtk_label_get_text(GTK_LABEL(view->numbers)), "Free beam: 8 × 12 px at column 5, row 10") == 0);
  /* The same places at every zoom. */
  for (int zoom = 0; zoom < 3; zoom++) {
    const ctgl_point lower = gantry_slice_view_to_widget(view, (ctgl_point){4.5, 9.5});
    const ctgl_point upper = gantry_slice_view_to_widget(view, (ctgl_point){12.5, 21.5});
    const double x = (lower.x + upper.x) / 2, y = (lower.y + upper.y) / 2;
    const int whole = gantry_slice_view_rectangle_edges(view, x, y);
    const int left = gantry_slice_view_rectangle_edges(view, lower.x - 3, y);
    const int top = gantry_slice_view_rectangle_edges(view, x, upper.y);
    CHECK(left && top && left != top && (left | top) == gantry_slice_view_rectangle_edges(view, lower.x, upper.y - 3));
    CHECK((whole & left) == left && (whole & top) == top && whole != (left | top));
    CHECK(!gantry_slice_view_rectangle_edges(view, lower.x - 12, y) &&
          !gantry_slice_view_rectangle_edges(view, x, lower.y + 12));
    CHECK(strcmp(gantry_slice_view_rectangle_cursor(whole), "move") == 0);
    CHECK(strcmp(gantry_slice_view_rectangle_cursor(left), "ew-resize") == 0);
    CHECK(strcmp(gantry_slice_view_rectangle_cursor(left | top), "nwse-resize") == 0);
    /* Dragged by its upper left corner, then by its inside over the border; given up, it lies where it lay. */
    view->dragging = TRUE;
    view->drag = GANTRY_DRAG_RECTANGLE;
    view->drag_world = (ctgl_point){4.5, 21.5};
    view->drag_edges = left | top;
    gantry_slice_view_drag_rectangle(view, (ctgl_point){6.6, 19.4});
    CHECK(gantry_slice_view_rectangle(view, r) && is_rectangle(r, 7, 10, 6, 10));
    gantry_slice_view_drag_rectangle(view, (ctgl_point){70, -40});
    CHECK(gantry_slice_view_rectangle(view, r) && is_rectangle(r, 12, 10, 1, 1));
    view->drag_edges = whole;
    gantry_slice_view_drag_rectangle(view, (ctgl_point){70, -40});
    CHECK(gantry_slice_view_rectangle(view, r) && is_rectangle(r, 32, 6, 8, 12));
    CHECK(gantry_slice_view_give_up_rectangle(view) && !gantry_slice_view_give_up_rectangle(view));
    CHECK(gantry_slice_view_rectangle(view, r) && is_rectangle(r, 5, 10, 8, 12));
    view->dragging = FALSE;
    gantry_slice_view_zoom(view, x, y, 1.7);
  }
  CHECK(drawn.count == 1);
  gantry_slice_view_set_rectangle(view, NULL);
  CHECK(!gantry_slice_view_rectangle(view, r) && !gtk_widget_get_visible(view->numbers));
}

static void test_too_large_says_so(void) {
  OPEN(GANTRY_VIEW_PROJECTION);
  g_autoptr(GantryImage) strip = flat_image(70000, 1, 0);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, strip);
  gboolean late = FALSE;
  const guint source = g_timeout_add(10000, timeout, &late);
  while (!late && !(view->fault && gtk_widget_get_visible(view->empty))) g_main_context_iteration(NULL, TRUE);
  CHECK(!late);
  g_source_remove(source);
  CHECK(strstr(gtk_label_get_text(GTK_LABEL(view->empty)), "70000 x 1"));
  g_autoptr(GantryImage) small = flat_image(7, 7, 0);
  gantry_slice_view_set_image(view, CTGL_SLOT_A, small);
  CHECK(settle(view, is_drawn));
  CHECK(!view->fault);
}

/* Letters that would lie over one another are left out. */
static void test_small_views(void) {
  OPEN(GANTRY_VIEW_PROJECTION);
  g_autoptr(GantryImage) image = flat_image(16, 16, 1);
  image->kind = GANTRY_VIEW_PROJECTION;
  image->index = 75;
  gantry_slice_view_set_axes(view, "u", "v");
  gantry_slice_view_set_range(view, 147, 75, 0, 292, "°");
  gantry_slice_view_set_image(view, CTGL_SLOT_A, image);
  CHECK(settle(view, is_drawn));
  const int sizes[][2] = {{600, 300}, {600, 100}, {260, 300}};
  for (int i = 0; i < 3; i++) {
    view->camera.width = sizes[i][0] * view->ratio;
    view->camera.height = sizes[i][1] * view->ratio;
    gantry_slice_view_update_labels(view);
    CHECK(gtk_widget_get_visible(view->across) == (i != 1) && gtk_widget_get_visible(view->upward) == (i != 1));
    CHECK(gtk_widget_get_visible(view->number) == (i != 2));
    CHECK(!strcmp(gtk_label_get_text(GTK_LABEL(view->number)), "75 (0–146)"));
  }
}

static const ct_test tests[] = {
    {"a picture reaches the screen", test_draws},
    {"the oblique plane is turned and shifted by its line", test_oblique_line},
    {"the oblique plane is steered by keys, with labels", test_steering},
    {"small views leave out what has no room", test_small_views},
    {"many updates cost one upload", test_many_updates_cost_one_upload},
    {"the view survives the loss of its OpenGL context", test_survives_its_context},
    {"the camera is kept with the extent", test_keeps_the_camera},
    {"slices are asked for by the user only", test_slices},
    {"crosshair, readout and words of an empty view", test_crosshair_and_words},
    {"marks a picture of before a change", test_marks_a_picture_of_before},
    {"a swipe's sides are named", test_names_the_sides},
    {"window from a region and by dragging", test_window_from_region},
    {"profile tool and menu actions", test_tools_and_actions},
    {"a rectangle of detector pixels is drawn and dragged", test_rectangle},
    {"a picture beyond OpenGL's limits says so", test_too_large_says_so},
};
CT_TEST_MAIN(tests)
