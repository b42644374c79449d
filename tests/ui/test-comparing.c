/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A and B beside each other, through the loupe, and at the places where they differ most. */
#include "tests/test.h"
#include "tests/ui/window-help.h"

#include "ui/histogram.h"
#include "ui/plot/plot-private.h"
#include "ui/slice-view/view-private.h"

static GantryWindow *make_pair(void) {
  GantryWindow *window = make_window();
  for (int k = 0; k < 3; k++) {
    set_ramp(window, (ct_plane)k, CTGL_SLOT_A, 1, FALSE);
    set_ramp(window, (ct_plane)k, CTGL_SLOT_B, 0.75, FALSE);
  }
  gantry_window_set_result_titles(window, "a", "b");
  settle();
  return window;
}

static GantrySliceView *companion(GantryWindow *window, GantryViewKind kind, int i) {
  return view_of(window, kind)->companions[i];
}

static void stand_side_by_side(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_pair();
  GtkWidget *widget = GTK_WIDGET(window);
  GantrySliceView *leader = view_of(window, GANTRY_VIEW_CORONAL);
  gantry_quad_maximise(window->quad, GANTRY_VIEW_CORONAL);
  gtk_widget_activate_action(widget, "win.side-by-side", NULL);
  GantrySliceView *b = companion(window, GANTRY_VIEW_CORONAL, 0),
                  *difference = companion(window, GANTRY_VIEW_CORONAL, 1);
  CHECK(b && difference && gantry_quad_get_maximised(window->quad) == GANTRY_VIEW_CORONAL);
  CHECK(gantry_slice_view_mode(leader) == CTGL_SHOW_A && gantry_slice_view_mode(b) == CTGL_SHOW_B);
  CHECK(gantry_slice_view_mode(difference) == CTGL_SHOW_DIFFERENCE);
  /* Which difference, the display says. */
  gtk_widget_activate_action(widget, "win.mode", "s", "relative");
  CHECK(gantry_slice_view_mode(difference) == CTGL_SHOW_RELATIVE && gantry_slice_view_mode(leader) == CTGL_SHOW_A);
  /* One plane: pictures, slice and zoom. */
  set_ramp(window, CT_CORONAL, CTGL_SLOT_A, 2, FALSE);
  CHECK(b->images[CTGL_SLOT_A] == leader->images[CTGL_SLOT_A] && b->images[CTGL_SLOT_B] == leader->images[CTGL_SLOT_B]);
  CHECK(difference->count == leader->count && difference->count > 1);
  gtk_window_present(GTK_WINDOW(window));
  CHECK(wait_mapped(difference->area, TRUE));
  settle();
  gantry_slice_view_zoom(difference, 20, 20, 2);
  CHECK(leader->camera.zoom == difference->camera.zoom && b->camera.zoom == difference->camera.zoom);
  CHECK(leader->camera.centre_x == difference->camera.centre_x && b->camera.centre_y == difference->camera.centre_y);
  gantry_slice_view_pan(leader, 5, 0);
  CHECK(leader->camera.centre_x == difference->camera.centre_x);
  /* A companion's slider asks as the leader's does. */
  double cross[3], moved[3];
  gantry_display_get_cross(window->display, cross);
  gantry_slice_view_step_slice(b, 3);
  gantry_display_get_cross(window->display, moved);
  CHECK_NEAR(moved[1] - cross[1], 1.5, 1e-6);
  /* They go with the row, or with B. */
  gantry_quad_maximise(window->quad, GANTRY_VIEWS);
  CHECK(!companion(window, GANTRY_VIEW_CORONAL, 0) && gantry_slice_view_mode(leader) == CTGL_SHOW_RELATIVE);
  gtk_widget_activate_action(widget, "win.side-by-side", NULL);
  gantry_window_set_result_titles(window, "a", NULL);
  CHECK(!companion(window, GANTRY_VIEW_AXIAL, 0) && gantry_quad_get_maximised(window->quad) == GANTRY_VIEWS);
  CHECK(!g_action_group_get_action_enabled(G_ACTION_GROUP(window), "side-by-side"));
  drop_window(window);
}

static void read_pixel(cairo_surface_t *surface, int x, int y, int rgb[3]) {
  cairo_surface_flush(surface);
  const guint32 pixel = *(const guint32 *)(gconstpointer)(cairo_image_surface_get_data(surface) +
                                                          y * cairo_image_surface_get_stride(surface) + 4 * x);
  for (int c = 0; c < 3; c++) rgb[c] = (int)(pixel >> (16 - 8 * c) & 255);
}

/* Each pixel of A, B and A - B, left to right, as large as told and in its colour. */
static void loupe_shows_pixels(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_pair();
  GantrySliceView *view = view_of(window, GANTRY_VIEW_AXIAL);
  gantry_quad_maximise(window->quad, GANTRY_VIEW_AXIAL);
  gtk_window_present(GTK_WINDOW(window));
  CHECK(wait_mapped(view->area, TRUE));
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (view->camera.width < 400 && g_get_monotonic_time() < until) g_main_context_iteration(NULL, TRUE);
  gantry_display_set_window(window->display, 0, 32);
  gantry_display_set_range(window->display, CTGL_SCALE_DIFFERENCE, 8);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 700, 300);
  cairo_t *cr = cairo_create(surface);
  gantry_slice_view_draw_loupe(view, cr, (ctgl_point){0.2, 0}, 8);
  /* The pane: an odd number of pixels of 8, its name above; the pixel in the middle is the nearest to x = 0.2, at 0. */
  const GantryImage *a = view->images[CTGL_SLOT_A], *b = view->images[CTGL_SLOT_B];
  const int size = 21 * 8, name = 16, gap = 6;
  const ctgl_colour_map *diverging = ctgl_colour_map_find("blue-white-red");
  for (int i = 0; i < 21; i += 3) {
    const double x = (i - 10) * 0.5, first = gantry_image_shown_value(a, x, 0, FALSE),
                 second = gantry_image_shown_value(b, x, 0, FALSE);
    const double place[] = {first / 32, second / 32, 0.5 + (first - second) / 16};
    for (int pane = 0; pane < 3; pane++) {
      double expected[3];
      int seen[3];
      ctgl_colour_map_at(pane == 2 ? diverging : NULL, place[pane], expected);
      read_pixel(surface, pane * (size + gap) + 8 * i + 4, name + 8 * 4 + 4, seen);
      for (int c = 0; c < 3; c++)
        if (fabs(seen[c] - 255 * expected[c]) > 2)
          CT_TEST_END(1, "pane %d, pixel %d: %d for %.0f", pane, i, seen[c], 255 * expected[c]);
    }
  }
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  /* Shown where the keyboard is. */
  CHECK(!gtk_widget_get_visible(view->loupe));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.next-loupe", NULL);
  view->pointer_inside = TRUE;
  gantry_slice_view_update_readout(view);
  CHECK(gtk_widget_get_visible(view->loupe));
  /* Side by side each shows its own, of the place that is pointed at in one of them. */
  gtk_widget_activate_action(GTK_WIDGET(window), "win.side-by-side", NULL);
  GantrySliceView *difference = companion(window, GANTRY_VIEW_AXIAL, 1);
  while (difference->camera.width < 100 && g_get_monotonic_time() < until) g_main_context_iteration(NULL, TRUE);
  gantry_slice_view_update_readout(view);
  CHECK(gtk_widget_get_visible(difference->loupe) && gtk_widget_get_visible(view->loupe));
  const int one = gtk_drawing_area_get_content_width(GTK_DRAWING_AREA(view->loupe));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.side-by-side", NULL);
  gantry_slice_view_update_readout(view);
  CHECK(gtk_drawing_area_get_content_width(GTK_DRAWING_AREA(view->loupe)) > one);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.side-by-side", NULL);
  difference = companion(window, GANTRY_VIEW_AXIAL, 1);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.loupe", "s", "off");
  CHECK(!gtk_widget_get_visible(difference->loupe));
  CHECK(!gtk_widget_get_visible(view->loupe));
  drop_window(window);
}

static GantryImage *copy_with_gain(const GantryImage *image, double gain) {
  GantryImage *copy = gantry_image_new_for_plane(&grid, CT_AXIAL, 0);
  for (int i = 0; i < image->width * image->height; i++) copy->pixels[i] = (float)(gain * image->pixels[i]);
  return copy;
}

/* And those of every ticked result, at the same place, where they are of the same plane. */
static void loupe_shows_ticked_results(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_pair();
  GantrySliceView *view = view_of(window, GANTRY_VIEW_AXIAL);
  gantry_quad_maximise(window->quad, GANTRY_VIEW_AXIAL);
  gtk_window_present(GTK_WINDOW(window));
  CHECK(wait_mapped(view->area, TRUE));
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (view->camera.width < 700 && g_get_monotonic_time() < until) g_main_context_iteration(NULL, TRUE);
  const GantryImage *a = view->images[CTGL_SLOT_A];
  g_autoptr(GantryImage) half = copy_with_gain(a, 0.5), elsewhere = copy_with_gain(a, 2);
  elsewhere->position += 1;
  const GantryVariant variants[] = {
      {.name = "shown", .is_a = TRUE, .images = {[GANTRY_VIEW_AXIAL] = half}},
      {.name = "half", .colour = 1, .images = {[GANTRY_VIEW_AXIAL] = half}},
      {.name = "elsewhere", .colour = 2, .images = {[GANTRY_VIEW_AXIAL] = elsewhere}},
  };
  gantry_window_set_variants(window, variants, G_N_ELEMENTS(variants));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.next-loupe", NULL);
  view->pointer_inside = TRUE;
  const ctgl_point middle =
      gantry_slice_view_to_widget(view, (ctgl_point){a->origin_x + 40 * a->spacing_x, a->origin_y});
  view->pointer_x = middle.x, view->pointer_y = middle.y;
  gantry_slice_view_update_readout(view);
  const double value = gantry_image_shown_value(a, a->origin_x + 40 * a->spacing_x, a->origin_y, FALSE);
  g_autofree char *expected =
      g_strdup_printf("A %g, B %g, A − B %g, half %g 1/mm", value, 0.75 * value, 0.25 * value, 0.5 * value);
  g_autofree char *told =
      gtk_test_accessible_check_property(GTK_ACCESSIBLE(view->loupe), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, expected);
  if (told) CT_TEST_END(1, "the loupe reads %s for %s", told, expected);
  /* Four panes beside each other. */
  const int width = gtk_drawing_area_get_content_width(GTK_DRAWING_AREA(view->loupe)), gap = 6, name = 16;
  const int size = (width + gap) / 4 - gap;
  CHECK(size >= 5 * 8 && gtk_drawing_area_get_content_height(GTK_DRAWING_AREA(view->loupe)) == size + name);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, size + name);
  cairo_t *cr = cairo_create(surface);
  gantry_display_set_window(window->display, 0, 32);
  gantry_slice_view_draw_loupe(view, cr, (ctgl_point){a->origin_x + 40 * a->spacing_x, a->origin_y}, 8);
  int seen[3];
  read_pixel(surface, 3 * (size + gap) + size / 2, name + size / 2, seen);
  CHECK(fabs(seen[0] - 255 * 0.5 * value / 32) < 2);
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  drop_window(window);
}

static int worst_asked;

static void count_asked(GantryWindow *window, gpointer user) {
  worst_asked++;
}

static bool reads(GantryWindow *window, const char *text) {
  const char *badge = gtk_label_get_text(GTK_LABEL(view_of(window, GANTRY_VIEW_AXIAL)->badge));
  return strstr(badge, text) != NULL;
}

static void step_through_the_worst(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_pair();
  GtkWidget *widget = GTK_WIDGET(window);
  gtk_window_present(GTK_WINDOW(window));
  CHECK(wait_mapped(view_of(window, GANTRY_VIEW_AXIAL)->area, TRUE));
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (view_of(window, GANTRY_VIEW_AXIAL)->camera.width < 100 && g_get_monotonic_time() < until)
    g_main_context_iteration(NULL, TRUE);
  g_signal_connect(window, "worst-wanted", G_CALLBACK(count_asked), NULL);
  worst_asked = 0;
  const GantryPlace places[] = {{{1, 2, 3}, 0.5, 0.7}, {{-4, 5, 0.5}, 0.1, 0}, {{0, 0, 0}, 0.2, 0.25}};
  gtk_widget_activate_action(widget, "win.worst-next", NULL);
  CHECK(worst_asked == 1 && reads(window, "Looking for"));
  gantry_window_set_worst(window, places, 3, "in the whole volume");
  double cross[3];
  gantry_display_get_cross(window->display, cross);
  CHECK(cross[0] == 1 && cross[1] == 2 && cross[2] == 3);
  CHECK(reads(window, "1 of 3: A − B = −0.2 1/mm\nat 1, 2, 3 mm\nin the whole volume"));
  gtk_widget_activate_action(widget, "win.worst-next", NULL);
  gantry_display_get_cross(window->display, cross);
  CHECK(worst_asked == 1 && cross[0] == -4 && reads(window, "2 of 3: A − B = 0.1 1/mm\nat −4, 5, 0.5 mm"));
  gtk_widget_activate_action(widget, "win.worst-previous", NULL);
  gtk_widget_activate_action(widget, "win.worst-previous", NULL);
  CHECK(reads(window, "3 of 3: A − B = −0.05 1/mm"));
  /* Elsewhere it is no longer told; other pictures have other places. */
  gantry_display_set_cross(window->display, (const double[]){2, 2, 2});
  CHECK(!reads(window, "of 3"));
  view_of(window, GANTRY_VIEW_AXIAL)->images[CTGL_SLOT_A]->generation++;
  gtk_widget_activate_action(widget, "win.worst-next", NULL);
  CHECK(worst_asked == 2);
  gantry_window_set_worst(window, places, 0, "in the slices shown");
  CHECK(reads(window, "A and B are equal"));
  /* What was not asked for is not shown. */
  gantry_window_set_worst(window, places, 3, "in the whole volume");
  CHECK(!reads(window, "of 3"));
  drop_window(window);
}

static void badges_say_what_is_shown(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_pair();
  GantryDisplay *display = window->display;
  gtk_window_present(GTK_WINDOW(window));
  CHECK(wait_mapped(view_of(window, GANTRY_VIEW_AXIAL)->area, TRUE));
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (view_of(window, GANTRY_VIEW_AXIAL)->camera.width < 100 && g_get_monotonic_time() < until)
    g_main_context_iteration(NULL, TRUE);
  gantry_display_set_mode(display, CTGL_SHOW_DIFFERENCE);
  gantry_display_set_range(display, CTGL_SCALE_DIFFERENCE, 0.0125);
  CHECK(reads(window, "A − B  ±0.0125 1/mm") && !reads(window, "log") && !reads(window, "resampled"));
  gantry_display_set_logarithmic(display, TRUE);
  gantry_display_set_locked(display, TRUE);
  CHECK(reads(window, "A − B  ±0.0125 1/mm, log from ±0.000013, locked"));
  gantry_display_set_mode(display, CTGL_SHOW_ABSOLUTE);
  CHECK(reads(window, "|A − B|  0 to 0.0125 1/mm"));
  gantry_display_set_mode(display, CTGL_SHOW_RELATIVE);
  gantry_display_set_range(display, CTGL_SCALE_RELATIVE, 0.05);
  gantry_display_set_least(display, 0.002);
  CHECK(reads(window, "±5 %") && reads(window, "where |B| > 0.002 1/mm"));
  gantry_display_set_mode(display, CTGL_SHOW_SIMILARITY);
  gantry_display_set_range(display, CTGL_SCALE_SIMILARITY, 0.002);
  CHECK(reads(window, "SSIM  0.998 to 1"));
  gantry_display_set_mode(display, CTGL_SHOW_FADE);
  gantry_display_set_fade(display, 0.3);
  CHECK(reads(window, "70 % A, 30 % B"));
  /* B on voxels of its own. */
  const ct_grid coarse = {32, 24, 16, 1, 1, 1, -16, -12, -8};
  g_autoptr(GantryImage) b = gantry_image_new_for_plane(&coarse, CT_AXIAL, 0);
  for (int i = 0; i < b->width * b->height; i++) b->pixels[i] = 1;
  gantry_window_set_image(window, CTGL_SLOT_B, b);
  CHECK(reads(window, "B resampled onto A’s voxels"));
  gantry_display_set_mode(display, CTGL_SHOW_A);
  CHECK(!reads(window, "resampled"));
  drop_window(window);
}

/* gain * x + bend * y * y, on any voxels. */
static GantryImage *make_parabola(const ct_grid *voxels, double gain, double bend) {
  GantryImage *image = gantry_image_new_for_plane(voxels, CT_AXIAL, 0);
  for (int j = 0; j < image->height; j++)
    for (int i = 0; i < image->width; i++) {
      const double x = image->origin_x + i * image->spacing_x, y = image->origin_y + j * image->spacing_y;
      image->pixels[j * image->width + i] = (float)(gain * x + bend * y * y);
    }
  image->position = ct_grid_plane_position(&grid, CT_AXIAL, 0);
  return image;
}

static void show_parabola(GantryWindow *window, ctgl_slot slot, double gain) {
  g_autoptr(GantryImage) image = make_parabola(&grid, gain, 0);
  gantry_window_set_image(window, slot, image);
}

/* Of the profile as a table, by the column's name; NAN where there is none. */
static double read_cell(GantryWindow *window, const char *column, int row) {
  g_autofree char *csv = gantry_plot_to_csv(gantry_profile_get_plot(window->profile));
  g_auto(GStrv) lines = g_strsplit(csv, "\n", -1);
  g_auto(GStrv) heads = g_strsplit(lines[0], ",", -1), cells = g_strsplit(lines[row + 1], ",", -1);
  for (int i = 0; heads[i]; i++)
    if (g_str_equal(heads[i], column)) return *cells[i] ? g_ascii_strtod(cells[i], NULL) : NAN;
  printf("# no column %s in %s\n", column, lines[0]);
  return NAN;
}

/* Ticked results over one another, on voxels of their own too, and what each differs from the reference by. */
static void profiles_lie_over_one_another(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  static const ct_grid coarse = {32, 24, 8, 1.5, 1.5, 2, -23.25, -17.25, -7};
  g_autoptr(GantryImage) near_by = make_parabola(&grid, 0.26, 0), other = make_parabola(&coarse, 0.3, 0),
                         elsewhere = make_parabola(&grid, 1, 0);
  elsewhere->position += 1;
  const GantryVariant variants[] = {
      {.name = "single", .colour = 0, .is_a = TRUE, .images = {near_by}},
      {.name = "half", .colour = 1, .images = {near_by}},
      {.name = "coarse", .colour = 2, .resampled = TRUE, .images = {other}},
      {.name = "of another plane", .colour = 3, .images = {elsewhere}},
      {.name = "beyond the colours", .colour = 20, .images = {near_by}},
  };
  show_parabola(window, CTGL_SLOT_A, 0.25);
  gantry_window_set_result_titles(window, "volume", NULL);
  gantry_window_set_variants(window, variants, G_N_ELEMENTS(variants));
  gantry_display_set_profile(window->display, GANTRY_VIEW_AXIAL, (ctgl_point){-10, 3}, (ctgl_point){10, 3});
  settle();
  /* Without B the reference is A. Row 5 is at x = -7.5. */
  CHECK_NEAR(read_cell(window, "A: single (1/mm)", 5), -7.5 * 0.25, 1e-6);
  CHECK_NEAR(read_cell(window, "half (1/mm)", 5), -7.5 * 0.26, 1e-6);
  CHECK_NEAR(read_cell(window, "coarse (resampled) (1/mm)", 5), -7.5 * 0.3, 1e-6);
  CHECK_NEAR(read_cell(window, "half − A (1/mm)", 5), -7.5 * 0.01, 1e-6);
  CHECK_NEAR(read_cell(window, "coarse (resampled) − A (1/mm)", 5), -7.5 * 0.05, 1e-6);
  const GantryPlotData *data = gantry_plot_get_data(gantry_profile_get_plot(window->profile));
  CHECK(data->panels[1].curves[GANTRY_CURVE_OTHER + 1].count && !data->panels[1].curves[GANTRY_CURVE_OTHER].count);
  CHECK(!data->panels[0].curves[GANTRY_CURVE_OTHER + 3].count && !strcmp(data->panels[1].title, "difference from A"));
  /* x = -10 .. 10 in steps of 0.5: the root of the mean of x^2 is sqrt(35) where 41 points are taken. */
  GtkWidget *plots = part(window, "plots");
  CHECK(find_label_with(plots, "0.0592") && find_label_with(plots, "0.296") && find_label_with(plots, "beyond"));
  CHECK(find_label_with(plots, "reference"));
  /* With B all differ from it. */
  show_parabola(window, CTGL_SLOT_B, 0.2);
  gantry_window_set_result_titles(window, "volume", "before");
  settle();
  CHECK_NEAR(read_cell(window, "A: single − B (1/mm)", 5), -7.5 * 0.05, 1e-6);
  CHECK_NEAR(read_cell(window, "coarse (resampled) − B (1/mm)", 5), -7.5 * 0.1, 1e-6);
  gantry_window_set_variants(window, NULL, 0);
  settle();
  CHECK_NEAR(read_cell(window, "A − B (1/mm)", 5), -7.5 * 0.05, 1e-6);
  drop_window(window);
}

static void profiles_are_averaged_across(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  g_autoptr(GantryImage) image = make_parabola(&grid, 0, 1);
  gantry_window_set_image(window, CTGL_SLOT_A, image);
  gantry_display_set_profile(window->display, GANTRY_VIEW_AXIAL, (ctgl_point){-10, 1}, (ctgl_point){10, 1});
  settle();
  CHECK_NEAR(read_cell(window, "A (1/mm)", 7), 1, 1e-6);
  /* y = 0.5, 1, 1.5 */
  gantry_display_set_profile_lines(window->display, 3);
  settle();
  CHECK_NEAR(read_cell(window, "A (1/mm)", 7), (0.25 + 1 + 2.25) / 3, 1e-6);
  /* One line more than fits: no mean of those that do. */
  gantry_display_set_profile(window->display, GANTRY_VIEW_AXIAL, (ctgl_point){-10, 11.4}, (ctgl_point){10, 11.4});
  settle();
  CHECK(isnan(read_cell(window, "A (1/mm)", 7)) && !find_label_with(part(window, "plots"), "1/mm at"));
  drop_window(window);
}

/* Values in the bins about a value. */
static gsize count_about(GantryWindow *window, double value) {
  double low, high;
  gsize count, found = 0;
  const gsize *bins = gantry_histogram_get_bins(
      GANTRY_HISTOGRAM(find_widget(part(window, "plots"), GANTRY_TYPE_HISTOGRAM)), &low, &high, &count);
  for (gsize i = 0; i < count; i++) {
    const double middle = low + ((double)i + 0.5) * (high - low) / (double)count;
    if (fabs(middle - value) <= 1.5 * (high - low) / (double)count) found += bins[i];
  }
  return found;
}

static void histogram_follows_what_is_shown(void) {
  NEED_DISPLAY();
  static const struct {
    ctgl_mode mode;
    double value;
  } cases[] = {
      {CTGL_SHOW_A, 3}, {CTGL_SHOW_B, 2}, {CTGL_SHOW_DIFFERENCE, 1}, {CTGL_SHOW_ABSOLUTE, 1}, {CTGL_SHOW_RELATIVE, 50}};
  GantryWindow *window = make_window();
  for (int slot = 0; slot < 2; slot++) {
    g_autoptr(GantryImage) image = make_parabola(&grid, 0, 0);
    for (int i = 0; i < image->width * image->height; i++) image->pixels[i] = slot ? 2 : 3;
    gantry_window_set_image(window, (ctgl_slot)slot, image);
  }
  gantry_window_set_result_titles(window, "volume", "before");
  gtk_stack_set_visible_child_name(part(window, "plot_pages"), "histogram");
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    gantry_display_set_mode(window->display, cases[i].mode);
    settle();
    const gsize found = count_about(window, cases[i].value);
    if (found != 64 * 48) CT_TEST_END(1, "case %zu: %zu pixels of %d", i, (size_t)found, 64 * 48);
  }
  drop_window(window);
}

static const ct_test tests[] = {
    {"the histogram follows what is shown", histogram_follows_what_is_shown},
    {"profiles of ticked results lie over one another", profiles_lie_over_one_another},
    {"profiles are averaged across the line", profiles_are_averaged_across},
    {"A, B and their difference stand side by side", stand_side_by_side},
    {"the loupe shows pixels", loupe_shows_pixels},
    {"the loupe shows every ticked result", loupe_shows_ticked_results},
    {"the crosshair steps through the worst places", step_through_the_worst},
    {"badges say what is shown on which scale", badges_say_what_is_shown},
};
WIDGET_TEST_MAIN(tests)
