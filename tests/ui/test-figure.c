/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures: what a place of a panel shows of A and B in every mode, and the files that come of it. */
#include "tests/test.h"

#include "ui/figure.h"

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

static const ct_test tests[] = {
    {"places show their values", places_show_their_values},
    {"files are what their names say", files_are_what_their_names_say},
};

CT_TEST_MAIN(tests)
