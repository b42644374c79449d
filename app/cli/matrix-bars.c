/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of entries of every ray of some views, as in Fig. 6 of Yu et al. 2018: pixels of a picture (FILE.png), or
 * a figure with letters and scales (FILE.svg). */
#include "app/cli/matrix.h"
#include "app/svg.h"

#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/io/matrix/picture.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 800, PANEL = 170, TITLE = 80 };

static bool is_svg(const char *path) {
  const size_t length = strlen(path);
  return length > 4 && !strcmp(path + length - 4, ".svg");
}

/* Entries of the rays of a view; a corner at each end of a ray, so that the curve is made of steps. */
static void fill_steps(const cli_matrix_case *slice, int view, double *x, double *y) {
  const int nu = slice->geometry.nu;
  const uint64_t *starts = slice->starts + (size_t)view * (size_t)nu;
  for (int u = 0; u < nu; u++)
    for (int end = 0; end < 2; end++) {
      x[2 * u + end] = u - 0.5 + end;
      y[2 * u + end] = (double)(starts[u + 1] - starts[u]);
    }
}

static bool write_figure(const cli_matrix *asked, const cli_matrix_case *slice, ct_error **error) {
  const int count = asked->bar_count;
  const size_t corners = 2 * (size_t)slice->geometry.nu;
  gantry_svg_curve curves[CLI_MOST_BARS];
  gantry_svg_panel panels[CLI_MOST_BARS];
  char titles[CLI_MOST_BARS][TITLE];
  double *values = ct_alloc((size_t)count, 2 * corners * sizeof *values, "a figure", error);
  if (!values) return false;
  for (int n = 0; n < count; n++) {
    const int view = asked->bar_views[n];
    double *x = values + 2 * (size_t)n * corners, *y = x + corners;
    fill_steps(slice, view, x, y);
    snprintf(titles[n], TITLE, "view %d, %.4g°", view, slice->geometry.angles[view] * 180 / M_PI);
    curves[n] = (gantry_svg_curve){NULL, x, y, corners, 0, false};
    panels[n] = (gantry_svg_panel){.title = titles[n],
                                   .x_title = n == count - 1 ? "ray" : NULL,
                                   .y_title = "entries",
                                   .curves = curves + n,
                                   .count = 1};
  }
  char *text = gantry_svg(panels, (size_t)count, WIDTH, count * PANEL, error);
  const bool good = text && ct_output_write_text(asked->bars, text, error);
  ct_free(text);
  ct_free(values);
  return good;
}

bool cli_matrix_draw_bars(const cli_matrix *asked, const cli_matrix_case *slice, const char *description,
                          ct_error **error) {
  if (is_svg(asked->bars)) return write_figure(asked, slice, error);
  const int nu = slice->geometry.nu;
  uint64_t *counts = ct_alloc((size_t)asked->bar_count * (size_t)nu, sizeof *counts, "a picture", error);
  if (!counts) return false;
  for (int n = 0; n < asked->bar_count; n++) {
    const uint64_t *starts = slice->starts + (size_t)asked->bar_views[n] * (size_t)nu;
    for (int u = 0; u < nu; u++) counts[(size_t)n * (size_t)nu + (size_t)u] = starts[u + 1] - starts[u];
  }
  const bool good = ct_matrix_picture_bars(asked->bars, counts, asked->bar_count, nu, description, error);
  ct_free(counts);
  return good;
}
