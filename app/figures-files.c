/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of a figure as SVG and as comma-separated values. */
#include "app/figures.h"

#include "app/svg.h"
#include "recon/base/text-stream.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/path.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 900, HEIGHT = 760 };

char *gantry_profiles_svg(const gantry_profiles *p, ct_error **error) {
  gantry_svg_curve above[GANTRY_FIGURE_CURVES], below[GANTRY_FIGURE_CURVES];
  char title[400], axis[80], from[GANTRY_FIGURE_NAME + 40];
  const size_t count = (size_t)p->count;
  size_t differences = 0;
  for (int c = 0; c < p->curves; c++) {
    above[c] = (gantry_svg_curve){p->names[c], p->y, p->values[c], count, c, false};
    if (c != p->against)
      below[differences++] = (gantry_svg_curve){p->names[c], p->y, p->differences[c], count, c, false};
  }
  snprintf(title, sizeof title, "%s, column %d: %s (as Fig. %d of Chilingaryan et al. 2019)", p->of, p->column,
           p->figure->title, p->figure->number);
  snprintf(axis, sizeof axis, "y, %s", p->unit);
  snprintf(from, sizeof from, "absolute difference from %s", p->names[p->against]);
  const gantry_svg_panel panels[] = {
      {.title = title, .x_title = axis, .y_title = "value", .curves = above, .count = (size_t)p->curves},
      {.title = from,
       .x_title = axis,
       .y_title = "|difference|",
       .log_y = p->figure->phantom,
       .decades = 5,
       .curves = below,
       .count = differences},
  };
  return gantry_svg(panels, 2, WIDTH, HEIGHT, error);
}

char *gantry_profiles_csv(const gantry_profiles *p, ct_error **error) {
  char *text = NULL, *copy = NULL;
  size_t size = 0;
  FILE *to = ct_text_stream(&text, &size);
  if (to) {
    fprintf(to, "# %s, figure %d, column %d, differences from %s\ny", p->of, p->figure->number, p->column,
            p->names[p->against]);
    for (int c = 0; c < p->curves; c++) fprintf(to, ",\"%s\"", p->names[c]);
    for (int c = 0; c < p->curves; c++)
      if (c != p->against) fprintf(to, ",\"|%s - %s|\"", p->names[c], p->names[p->against]);
    fputc('\n', to);
    for (int y = 0; y < p->count; y++) {
      fprintf(to, "%.9g", p->y[y]);
      for (int c = 0; c < p->curves; c++) fprintf(to, ",%.9g", p->values[c][y]);
      for (int c = 0; c < p->curves; c++)
        if (c != p->against) fprintf(to, ",%.9g", p->differences[c][y]);
      fputc('\n', to);
    }
    if (fclose(to) == 0) copy = ct_strdup(text, error);
  }
  free(text);
  if (!copy && error && !*error) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the table.");
  return copy;
}

static bool write_text(const char *folder, int number, const char *extension, char *text, ct_error **error) {
  char name[40];
  snprintf(name, sizeof name, "figure-%d.%s", number, extension);
  char *path = text ? ct_path_join(folder, name, error) : NULL;
  const bool good = path && ct_output_write_text(path, text, error);
  ct_free(path);
  ct_free(text);
  return good;
}

bool gantry_profiles_write(const gantry_profiles *p, const char *folder, ct_error **error) {
  return write_text(folder, p->figure->number, "svg", gantry_profiles_svg(p, error), error) &&
         write_text(folder, p->figure->number, "csv", gantry_profiles_csv(p, error), error);
}
