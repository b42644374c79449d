/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures: what a place of a panel shows of A and B in every mode, and the files that come of it. */
#include "tests/test.h"

#include "ui/figure.h"
#include "ui/marks/draw.h"
#include "ui/scale-text.h"
#include "ui/sinogram-axis.h"

#include <cairo.h>
#include <glib/gstdio.h>

enum { SIDE = 8 };

/* The value of a pixel is its number; B's are larger by 1, and have other pixels where `finer`. */
static GantryImage *make_image(double more, int finer) {
  const int side = SIDE * finer;
  GantryImage *image = gantry_image_new(side, side);
  image->kind = GANTRY_VIEW_AXIAL;
  image->spacing_x = image->spacing_y = 1.0 / finer;
  image->origin_x = image->origin_y = -0.5 + 0.5 / finer;
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++) image->pixels[j * side + i] = (float)(j / finer * SIDE + i / finer + more);
  return image;
}

static GantryFigure make_figure(GantryDisplay *display, GantryImage *a, GantryImage *b, ctgl_mode mode) {
  gantry_display_set_window(display, 0, SIDE * SIDE - 1);
  GantryFigure figure = {
      .display = display, .count = 1, .aspect = 1, .width = 85, .caption = g_strdup("bell. A: volume")};
  figure.panels[0] = (GantryFigurePanel){.a = a,
                                         .b = b,
                                         .mode = mode,
                                         .region = {-0.5, -0.5, SIDE - 0.5, SIDE - 0.5},
                                         .pixel = 0.1,
                                         .title = g_strdup("Axial z = 1 mm")};
  return figure;
}

static void places_show_their_values(void) {
  g_autoptr(GantryDisplay) display = gantry_display_new();
  g_autoptr(GantryImage) a = make_image(0, 1), b = make_image(1, 2);
  GantryFigure figure = make_figure(display, a, b, CTGL_SHOW_A);
  GantryFigurePanel *panel = &figure.panels[0];
  const double all = SIDE * SIDE - 1;
  CHECK_NEAR(gantry_figure_part(&figure, panel, 3, 2), (2 * SIDE + 3) / all, 1e-6);
  panel->mode = CTGL_SHOW_B;
  CHECK_NEAR(gantry_figure_part(&figure, panel, 3, 2), (2 * SIDE + 4) / all, 1e-6);
  panel->mode = CTGL_SHOW_FADE;
  gantry_display_set_fade(display, 0.25);
  CHECK_NEAR(gantry_figure_part(&figure, panel, 3, 2), (2 * SIDE + 3.25) / all, 1e-6);
  panel->mode = CTGL_SHOW_SWIPE;
  gantry_display_set_swipe(display, 0.5);
  CHECK_NEAR(gantry_figure_part(&figure, panel, 3, 2), (2 * SIDE + 3) / all, 1e-6);
  CHECK_NEAR(gantry_figure_part(&figure, panel, 4, 2), (2 * SIDE + 5) / all, 1e-6);
  panel->mode = CTGL_SHOW_DIFFERENCE; /* -1 of 4: about a middle of 0.5 */
  gantry_display_set_range(display, CTGL_SCALE_DIFFERENCE, 4);
  CHECK_NEAR(gantry_figure_part(&figure, panel, 3, 2), 0.375, 1e-6);
  panel->mode = CTGL_SHOW_ABSOLUTE;
  CHECK_NEAR(gantry_figure_part(&figure, panel, 3, 2), 0.25, 1e-6);
  panel->b = NULL;
  CHECK(isnan(gantry_figure_part(&figure, panel, 3, 2)));
  gantry_figure_clear(&figure);
}

/* Grey of a PNG at parts of its width and height. */
static int grey_at(cairo_surface_t *picture, double x, double y) {
  const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
  const unsigned char *row =
      cairo_image_surface_get_data(picture) + (int)(y * height) * (gsize)cairo_image_surface_get_stride(picture);
  return row[4 * (int)(x * width)];
}

static void files_are_what_their_names_say(void) {
  ct_error *error = NULL;
  g_autofree char *folder = g_dir_make_tmp("gantry-figure-XXXXXX", NULL);
  g_autoptr(GantryDisplay) display = gantry_display_new();
  g_autoptr(GantryImage) a = make_image(0, 1);
  GantryFigure figure = make_figure(display, a, NULL, CTGL_SHOW_A);
  static const char *const begins[][2] = {{"a.png", "\x89PNG"}, {"a.svg", "<?xml"}, {"a.pdf", "%PDF"}};
  for (gsize i = 0; i < G_N_ELEMENTS(begins); i++) {
    g_autofree char *path = g_build_filename(folder, begins[i][0], NULL), *text = NULL;
    gsize length;
    CHECK_OK(gantry_figure_save(&figure, path, &error));
    CHECK(g_file_get_contents(path, &text, &length, NULL) && length > 500 && g_str_has_prefix(text, begins[i][1]));
    if (i == 0) {
      /* 85 mm at 300 dots per inch; the lowest row is dark and the highest bright, right of them stands the colour bar.
       */
      cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
      const gboolean wide = cairo_image_surface_get_width(picture) == 1004;
      const int low = grey_at(picture, 0.1, 0.80), high = grey_at(picture, 0.1, 0.2),
                edge = grey_at(picture, 0.99, 0.5);
      cairo_surface_destroy(picture);
      CHECK(wide && low < 60 && high > 190 && edge == 255);
    }
    g_unlink(path);
  }
  g_autofree char *other = g_build_filename(folder, "a.bmp", NULL);
  CHECK_FAILS(gantry_figure_save(&figure, other, &error), CT_ERROR_ARGUMENT, ".png, .svg or .pdf");
  g_autofree char *nowhere = g_build_filename(folder, "none", "a.png", NULL);
  CHECK_FAILS(gantry_figure_save(&figure, nowhere, &error), CT_ERROR_IO, "none");
  gantry_figure_clear(&figure);
  g_rmdir(folder);
}

/* Green is what the picture itself has not. */
static gboolean has_green(const char *path) {
  cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
  const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
  gboolean found = FALSE;
  for (int y = 0; y < height && !found; y++) {
    const unsigned char *row =
        cairo_image_surface_get_data(picture) + y * (gsize)cairo_image_surface_get_stride(picture);
    for (int x = 0; x < width; x++) found |= row[4 * x + 1] > row[4 * x + 2] + 80;
  }
  cairo_surface_destroy(picture);
  return found;
}

/* The band of half a turn is green. */
static void arc_and_weights_are_drawn(void) {
  ct_error *error = NULL;
  g_autoptr(GantryDisplay) display = gantry_display_new();
  g_autoptr(GantryImage) a = make_image(0, 1);
  double angles[SIDE];
  a->kind = GANTRY_VIEW_PROJECTION;
  gantry_display_set_projection_window(display, 0, SIDE * SIDE - 1);
  for (int i = 0; i < SIDE; i++) angles[i] = 30 * i;
  gantry_image_set_sinogram(a, NULL, 0, 1);
  a->angles = g_memdup2(angles, sizeof angles);
  GantryFigure figure = make_figure(display, a, NULL, CTGL_SHOW_A);
  g_autofree char *folder = g_dir_make_tmp("gantry-figure-XXXXXX", NULL),
                  *path = g_build_filename(folder, "a.png", NULL);
  CHECK_OK(gantry_figure_save(&figure, path, &error));
  CHECK(!has_green(path));
  GantryRedundancy *r = a->redundancy = gantry_redundancy_new(SIDE, SIDE, SIDE, SIDE);
  r->arc = 240, r->needed = 200, r->first = 0, r->last = 210, r->largest = 1;
  r->title = "Short scan (Parker)";
  CHECK_OK(gantry_figure_save(&figure, path, &error));
  CHECK(has_green(path));
  g_unlink(path);
  g_rmdir(folder);
  gantry_figure_clear(&figure);
}

/* Those of the slice alone. */
static ctgl_point as_they_are(gpointer user, const double point[2]) {
  return (ctgl_point){point[0], point[1]};
}

/* Words of marks in one place stand below each other, and up where there is no room below; also in a picture of the
 * height of two. */
static void words_do_not_cover_words(void) {
  enum { MARKS = 4 };
  g_autoptr(GantryDisplay) display = gantry_display_new();
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 400, 300);
  cairo_t *cr = cairo_create(surface);
  PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
  double points[2][2] = {{180, 140}, {220, 150}};
  char name[] = "The same place";
  const double tops[] = {0, 130};
  for (int n = 0; n < 2; n++) {
    GantryMarkPaper paper = {as_they_are, NULL, 1, 1, 0, tops[n], 400, 300 - 2 * tops[n], 0.85, cairo_region_create()};
    cairo_rectangle_int_t all;
    int area = 0;
    for (int i = 0; i < MARKS; i++) {
      const GantryMark mark = {
          .kind = GANTRY_MARK_RECTANGLE, .plane = CT_AXIAL, .count = 2, .points = points, .name = name};
      gantry_mark_draw_words(&mark, display, &paper, context, cr);
    }
    for (int i = 0; i < cairo_region_num_rectangles(paper.words); i++) {
      cairo_rectangle_int_t part;
      cairo_region_get_rectangle(paper.words, i, &part);
      area += part.width * part.height;
    }
    cairo_region_get_extents(paper.words, &all);
    CHECK(area == all.width * all.height && all.y >= tops[n] && all.y + all.height <= 300 - tops[n] + 1);
    CHECK(n ? all.height > 24 && all.height <= 41 : all.height > 60);
    cairo_region_destroy(paper.words);
  }
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
}

static void marks_are_drawn(void) {
  ct_error *error = NULL;
  g_autofree char *folder = g_dir_make_tmp("gantry-figure-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "a.png", NULL);
  g_autoptr(GantryDisplay) display = gantry_display_new();
  g_autoptr(GantryImage) a = make_image(0, 1);
  double points[2][2] = {{1, 1}, {5, 6}};
  const GantryMark mark = {.kind = GANTRY_MARK_ELLIPSE, .plane = CT_AXIAL, .position = 3, .count = 2, .points = points};
  CHECK(gantry_marks_add(gantry_display_get_marks(display), &mark));
  GantryFigure figure = make_figure(display, a, NULL, CTGL_SHOW_A);
  figure.panels[0].step = 1;
  for (int slice = 2; slice <= 3; slice++) {
    a->position = slice;
    CHECK_OK(gantry_figure_save(&figure, path, &error));
    CHECK(has_green(path) == (slice == 3));
  }
  gantry_figure_clear(&figure);
  g_unlink(path);
  g_rmdir(folder);
}

static void ticks_of_a_sinogram(void) {
  g_autoptr(GantryImage) image = gantry_image_new(100, 720);
  GantryTick ticks[GANTRY_MOST_TICKS];
  image->sinogram = TRUE;
  CHECK(gantry_sinogram_angles(image, 0, 719, 4, ticks) >= 3 && strcmp(ticks[0].text, "view 0") == 0);
  image->angles = g_new(double, 720);
  for (int i = 0; i < 720; i++) image->angles[i] = 0.5 * i - 90;
  CHECK(gantry_sinogram_angles(image, -20, 900, 4, ticks) == 4);
  for (int i = 0; i < 4; i++) CHECK_NEAR(ticks[i].at, 180.0 * i, 1e-9);
  CHECK(strcmp(ticks[0].text, "−90°") == 0 && strcmp(ticks[3].text, "180°") == 0);
  /* The other way round, a part of it. */
  for (int i = 0; i < 720; i++) image->angles[i] = -0.5 * i;
  CHECK(gantry_sinogram_angles(image, 100, 104, 8, ticks) >= 4);
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(image->angles[0] - 0.5 * ticks[i].at, g_ascii_strtod(ticks[i].text + 3, NULL) * -1, 1e-6);
  /* Up and down: the angle of a row is its own. */
  for (int i = 0; i < 720; i++) image->angles[i] = fmod(111.25 * i, 180);
  CHECK(gantry_sinogram_angles(image, 0, 719, 5, ticks) == 4);
  CHECK(ticks[1].at == 200 && strcmp(ticks[1].text, "110°") == 0);
  CHECK(gantry_sinogram_columns(0, 99, 4, ticks) == 2);
  CHECK(strcmp(ticks[0].text, "0") == 0 && strcmp(ticks[1].text, "50 px") == 0);
}

/* Down to ranges of which single precision knows some hundred steps. */
static void ends_are_told_apart(void) {
  static const double lows[] = {-1024, -0.002, 0, 1, 1000, 65535, 3e7};
  for (gsize i = 0; i < G_N_ELEMENTS(lows); i++)
    for (double range = 1e-6; range < 1e6; range *= 1.7) {
      if (range < 2e-6 * fabs(lows[i])) continue;
      const double values[] = {lows[i], lows[i] + range / 2, lows[i] + range};
      for (int k = 0; k < 2; k++) {
        g_autofree char *first = gantry_scale_end_text(values[k], range, ""),
                        *second = gantry_scale_end_text(values[k + 1], range, "");
        g_autofree char *value = gantry_value_text(values[k], range, ""),
                        *other = gantry_value_text(values[k + 1], range, "");
        CHECK(strcmp(first, second) != 0 && strcmp(value, other) != 0);
      }
    }
  g_autofree char *last = gantry_scale_end_text(1000.002, 0.002, "1/mm");
  CHECK(strcmp(last, "1000.002 1/mm") == 0);
}

static const ct_test tests[] = {
    {"places show their values", places_show_their_values},
    {"marks of the slice are drawn", marks_are_drawn},
    {"arc and weights beside a sinogram are drawn", arc_and_weights_are_drawn},
    {"words of marks do not cover each other", words_do_not_cover_words},
    {"the ends of a scale are told apart", ends_are_told_apart},
    {"ticks of a sinogram", ticks_of_a_sinogram},
    {"files are what their names say", files_are_what_their_names_say},
};

CT_TEST_MAIN(tests)
