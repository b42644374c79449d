/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: what pictures are like, as Table 2 of Yu et al. 2018 has it, and where they are asked for the
 * pictures (its Fig. 14) and the profiles through them (its Fig. 15). */
#include "app/bench/iterative-private.h"

#include "app/json.h"
#include "app/svg.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/path.h"
#include "recon/base/text-stream.h"
#include "recon/io/png/plane.h"
#include "recon/metric/metric.h"

#include <math.h>
#include <stdlib.h>

/* The paper averages the pixels around each point of a profile, and does not say how many: here so many rows. */
enum { RUNS = 2, LINES = RUNS + 1, ROWS = 5, WIDTH = 900, HEIGHT = 800 };

typedef struct plan_of_run {
  ct_method method;
  int iterations;
} plan_of_run;
static const plan_of_run runs[RUNS] = {{CT_METHOD_ART_GLOBAL, 50}, {CT_METHOD_ART_VIEW, 30}};

/* The phantom, then a picture each. */
typedef struct pictures {
  iter_case c;
  const char *names[LINES];
  float *made[RUNS];
  double *x, *profiles[LINES], *differences[LINES]; /* [nx]; |profile - the phantom's|, none of the phantom */
} pictures;

static const float *pixels_of(const pictures *p, int line) {
  return line ? p->made[line - 1] : ct_volume_get_data(p->c.truth);
}

/* Means over the rows about y = 0. */
static void read_profiles(pictures *p) {
  const ct_grid *g = &p->c.grid;
  const int rows = g->ny < ROWS ? g->ny : ROWS, first = g->ny / 2 - rows / 2;
  for (int i = 0; i < g->nx; i++) {
    p->x[i] = g->x0 + i * g->dx;
    for (int line = 0; line < LINES; line++) {
      double sum = 0;
      for (int row = first; row < first + rows; row++) sum += (double)pixels_of(p, line)[(size_t)row * g->nx + i];
      p->profiles[line][i] = sum / rows;
      p->differences[line][i] = fabs(p->profiles[line][i] - p->profiles[0][i]);
    }
  }
}

static bool write_numbers(const char *path, const pictures *p, ct_error **error) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = ct_text_stream(&text, &size);
  if (!file) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the profile.");
  fputs("x_mm,phantom,art_global,art_view\n", file);
  for (int i = 0; i < p->c.grid.nx; i++)
    fprintf(file, "%.6g,%.7g,%.7g,%.7g\n", p->x[i], p->profiles[0][i], p->profiles[1][i], p->profiles[2][i]);
  const bool good = fclose(file) == 0 && ct_output_write_text(path, text, error);
  free(text);
  return good;
}

static bool draw_profiles(const char *path, const pictures *p, ct_error **error) {
  gantry_svg_curve above[LINES], below[RUNS];
  char title[120];
  for (int line = 0; line < LINES; line++) {
    const size_t count = (size_t)p->c.grid.nx;
    above[line] = (gantry_svg_curve){p->names[line], p->x, p->profiles[line], count, line, false};
    if (line) below[line - 1] = (gantry_svg_curve){p->names[line], p->x, p->differences[line], count, line, false};
  }
  snprintf(title, sizeof title, "%s, %d x %d: means of %d rows about y = 0 (as Fig. 15 of Yu et al. 2018)",
           p->c.problem.name, p->c.grid.nx, p->c.grid.ny, p->c.grid.ny < ROWS ? p->c.grid.ny : ROWS);
  const gantry_svg_panel panels[] = {
      {.title = title, .x_title = "x, mm", .y_title = "value", .curves = above, .count = LINES},
      {.title = "absolute difference from the phantom",
       .x_title = "x, mm",
       .y_title = "|difference|",
       .log_y = true,
       .decades = 5,
       .curves = below,
       .count = RUNS}};
  char *text = gantry_svg(panels, 2, WIDTH, HEIGHT, error);
  const bool good = text && ct_output_write_text(path, text, error);
  ct_free(text);
  return good;
}

/* All in one window: the phantom's densities, 0 black and 1 white. */
static bool write_picture(const char *path, const pictures *p, int line, ct_error **error) {
  const ct_grid *g = &p->c.grid;
  return ct_png_write_plane(path,
                            &(ct_png_plane){.values = pixels_of(p, line),
                                            .width = g->nx,
                                            .height = g->ny,
                                            .pixel_x = g->dx,
                                            .pixel_y = g->dy,
                                            .bits = 8,
                                            .low = 0,
                                            .high = 1},
                            error);
}

static bool write_files(const char *folder, const pictures *p, ct_error **error) {
  bool good = true;
  for (int n = 0; good && n < LINES + 2; n++) {
    char name[40];
    if (n < LINES)
      snprintf(name, sizeof name, "%s.png", p->names[n]);
    else
      snprintf(name, sizeof name, "profile.%s", n == LINES ? "svg" : "csv");
    char *path = ct_path_join(folder, name, error);
    good = path && (n < LINES    ? write_picture(path, p, n, error)
                    : n == LINES ? draw_profiles(path, p, error)
                                 : write_numbers(path, p, error));
    ct_free(path);
  }
  return good;
}

static bool make_picture(bench *b, const iter_case *c, plan_of_run plan, float *picture, ct_error **error) {
  bench_say(b, "%s: %s", c->problem.name, iter_method_id(plan.method));
  ct_iterative *run = iter_start(b, c, &(iter_run){plan.method, .nonnegative = true}, error);
  bool good = run && ct_iterative_run(run, plan.iterations, NULL, b->job, error);
  if (good) {
    ct_metrics m;
    size_t count;
    const ct_iteration *curve = ct_iterative_get_curve(run, &count);
    double seconds = 0;
    for (size_t i = 0; i < count; i++) seconds += curve[i].seconds / (double)count;
    ct_iterative_read(run, picture);
    good = ct_compare(
        &(ct_comparison){
            .a = picture, .b = ct_volume_get_data(c->truth), .nx = c->grid.nx, .ny = c->grid.ny, .nz = 1, .peak = NAN},
        &m, NULL, error);
    if (good)
      iter_add_row(b, "pictures",
                   json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f}", "problem", c->problem.name, "method",
                             iter_method_id(plan.method), "projector", ct_iterative_get_projector(run)->id, "iteration",
                             (int)count, "rmse", m.rmse, "relative_rmse", m.relative_rmse, "ssim", m.ssim, "seconds",
                             seconds));
  }
  ct_iterative_free(run);
  return good;
}

static bool make_room(pictures *p, ct_error **error) {
  const size_t count = (size_t)p->c.grid.nx;
  p->names[0] = "phantom";
  bool good = (p->x = ct_alloc(count, sizeof *p->x, "a profile", error)) != NULL;
  for (int line = 0; good && line < LINES; line++)
    good = (p->profiles[line] = ct_alloc(count, sizeof(double), "a profile", error)) &&
           (p->differences[line] = ct_alloc(count, sizeof(double), "a profile", error));
  for (int n = 0; good && n < RUNS; n++) {
    p->names[n + 1] = iter_method_id(runs[n].method);
    good = (p->made[n] = ct_alloc(ct_grid_voxels(&p->c.grid), sizeof(float), "a picture", error)) != NULL;
  }
  return good;
}

static void clear(pictures *p) {
  for (int n = 0; n < RUNS; n++) ct_free(p->made[n]);
  for (int line = 0; line < LINES; line++) {
    ct_free(p->profiles[line]);
    ct_free(p->differences[line]);
  }
  ct_free(p->x);
  iter_close(&p->c);
}

static const iter_problem pictured = {"fan-1024-720", "fan", 1024, 1, 1024, 720, CT_MODEL_AREA, 360, 0};

static bool run_pictures(bench *b, ct_error **error) {
  pictures p = {0};
  if (!iter_open(b, &pictured, &p.c, error)) return false;
  bool good = make_room(&p, error) && iter_project(b, &p.c, error);
  for (int n = 0; good && n < RUNS; n++) good = make_picture(b, &p.c, runs[n], p.made[n], error);
  if (good) read_profiles(&p);
  if (good && b->options.profile) good = write_numbers(b->options.profile, &p, error);
  if (good && b->options.pictures) good = write_files(b->options.pictures, &p, error);
  clear(&p);
  return good;
}

const iter_part iter_pictures = {"pictures", &pictured, 1, run_pictures};
