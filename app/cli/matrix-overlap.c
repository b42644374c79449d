/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the rays of some views lie over the slice, as in Fig. 7 of Yu et al. 2018: the outermost rays, and those
 * through the slice's corners, which divide a view's rays into the stretches whose lengths rise, stay and fall. */
#include "app/cli/matrix.h"
#include "app/svg.h"

#include "recon/base/output.h"
#include "recon/base/text-stream.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 250, ACROSS = 3, TITLE = 24 };

/* A panel in mm: y goes up. */
typedef struct panel {
  FILE *to;
  double x, y, scale; /* px of the middle, px a mm */
  double reach;       /* mm to its border */
} panel;

static void put_line(const panel *p, const char *colour, double width, const double from[2], const double to[2]) {
  fprintf(p->to, "<path stroke=\"%s\" stroke-width=\"%.1f\" fill=\"none\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n", colour,
          width, p->x + from[0] * p->scale, p->y - from[1] * p->scale, p->x + to[0] * p->scale,
          p->y - to[1] * p->scale);
}

/* From where the ray enters the panel, or from its source there, to where it leaves. */
static void put_ray(const panel *p, const char *colour, const double point[2], const double way[2], bool diverges) {
  double low = diverges ? 0 : -INFINITY, high = INFINITY;
  for (int i = 0; i < 2; i++) {
    if (fabs(way[i]) < 1e-12) continue;
    const double a = (-p->reach - point[i]) / way[i], b = (p->reach - point[i]) / way[i];
    low = fmax(low, fmin(a, b)), high = fmin(high, fmax(a, b));
  }
  if (!(low < high)) return;
  const double from[2] = {point[0] + low * way[0], point[1] + low * way[1]},
               to[2] = {point[0] + high * way[0], point[1] + high * way[1]};
  put_line(p, colour, 1, from, to);
}

static void put_view(const panel *p, const cli_matrix_case *slice, int view) {
  const ct_geometry *g = &slice->geometry;
  const ct_grid *grid = &slice->grid;
  const bool diverges = ct_geometry_takes(g, CT_TAKES_DISTANCES);
  const double left = grid->x0 - 0.5 * grid->dx, low = grid->y0 - 0.5 * grid->dy, right = left + grid->nx * grid->dx,
               high = low + grid->ny * grid->dy;
  const double corners[5][2] = {{left, low}, {right, low}, {right, high}, {left, high}, {left, low}};
  double point[3], way[3];
  for (int n = 0; n < 4; n++) put_line(p, "#000000", 1.5, corners[n], corners[n + 1]);
  for (int end = 0; end < 2; end++)
    if (ct_geometry_ray(g, view, end ? g->nu - 0.5 : -0.5, g->centre_v, point, way))
      put_ray(p, gantry_svg_colour(0), point, way, diverges);
  for (int n = 0; n < 4; n++) {
    if (!ct_geometry_ray(g, view, g->centre_u, g->centre_v, point, way)) continue;
    /* Parallel rays share their direction, those of a fan their source. */
    const double from[2] = {diverges ? point[0] : corners[n][0], diverges ? point[1] : corners[n][1]},
                 to[2] = {diverges ? corners[n][0] - point[0] : way[0], diverges ? corners[n][1] - point[1] : way[1]};
    put_ray(p, gantry_svg_colour(1), from, to, diverges);
  }
  if (diverges)
    fprintf(p->to, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\"/>\n", p->x + point[0] * p->scale,
            p->y - point[1] * p->scale);
}

static double reach_of(const cli_matrix_case *slice) {
  const ct_geometry *g = &slice->geometry;
  const double half = 0.5 * fmax(slice->grid.nx * slice->grid.dx, slice->grid.ny * slice->grid.dy);
  return 1.08 * (ct_geometry_takes(g, CT_TAKES_DISTANCES) ? fmax(g->sod, 1.5 * half) : 1.5 * half);
}

bool cli_matrix_draw_overlap(const cli_matrix *asked, const cli_matrix_case *slice, ct_error **error) {
  const int down = (asked->bar_count + ACROSS - 1) / ACROSS;
  const double reach = reach_of(slice);
  char *text = NULL;
  size_t size = 0;
  FILE *to = ct_text_stream(&text, &size);
  if (to) {
    gantry_svg_begin(to, ACROSS * SIDE, down * (SIDE + TITLE));
    for (int n = 0; n < asked->bar_count; n++) {
      char title[64];
      const double x = (n % ACROSS + 0.5) * SIDE, top = (double)(n / ACROSS) * (SIDE + TITLE);
      const panel p = {to, x, top + TITLE + SIDE / 2.0, 0.5 * SIDE / reach, reach};
      snprintf(title, sizeof title, "view %d, %.4g°", asked->bar_views[n],
               slice->geometry.angles[asked->bar_views[n]] * 180 / M_PI);
      gantry_svg_text(to, x, top + 16, "middle", title);
      put_view(&p, slice, asked->bar_views[n]);
    }
    fputs("</svg>\n", to);
  }
  const bool whole = to && fclose(to) == 0;
  const bool good = whole ? ct_output_write_text(asked->overlap, text, error)
                          : ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the picture.");
  free(text);
  return good;
}
