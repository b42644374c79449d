/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed against error of variants. */
#include "app/variants-picture.h"

#include "app/svg.h"
#include "recon/base/memory.h"

#include <stdio.h>

enum { WIDTH = 900, HEIGHT = 560 };

char *gantry_variants_picture(const gantry_variants *variants, const char *title, ct_error **error) {
  gantry_svg_curve *points = ct_alloc(variants->count, sizeof *points, "the picture", error);
  char label[CT_PLAN_NAME + 120], *text = NULL;
  size_t count = 0;
  int equal = 0;
  if (!points) return NULL;
  for (size_t i = 0; i < variants->count; i++) {
    const gantry_variant *row = &variants->rows[i];
    if (row->state != GANTRY_VARIANT_DONE || !row->compared) continue;
    equal += row->metrics.rmse == 0;
    if (row->metrics.rmse > 0)
      points[count++] =
          (gantry_svg_curve){row->name, &row->seconds, &row->metrics.relative_rmse, 1, row->plan.precision, true};
  }
  snprintf(label, sizeof label, equal ? "seconds (%d variant%s without any error not shown)" : "seconds", equal,
           equal == 1 ? "" : "s");
  const gantry_svg_panel panel = {.title = title,
                                  .x_title = label,
                                  .y_title = "relative RMSE against the reference",
                                  .log_x = true,
                                  .log_y = true,
                                  .curves = points,
                                  .count = count};
  if (count)
    text = gantry_svg(&panel, 1, WIDTH, HEIGHT, error);
  else
    ct_error_set(error, CT_ERROR_DATA, "No variant has both a time and an error: there is nothing to draw.");
  ct_free(points);
  return text;
}
