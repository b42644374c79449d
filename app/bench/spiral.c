/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spirals beside a circle of the same detector, from exact line integrals of five balls: the mean within each ball, the
 * RMSE of an exact scan and of one with photons, as many for each height at every pitch, and the rate of the
 * back-projection, whose updates are counted. */
#include "app/bench/suites-private.h"
#include "app/json.h"
#include "recon/geom/questions.h"
#include "recon/phantom/simulation.h"
#include "recon/solve/pipeline.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <string.h>

/* pitch 0: the circle; INFINITY: the largest that the method takes, less half a per cent. */
static const struct {
  const char *name;
  double pitch;
} scans[] = {{"circle", 0},      {"pitch-0.3", 0.3},   {"pitch-0.6", 0.6},         {"pitch-1", 1},
             {"pitch-1.4", 1.4}, {"pitch-1.65", 1.65}, {"pitch-largest", INFINITY}};
enum { SCANS = sizeof scans / sizeof *scans, COLUMNS = 128, TURN = 400, MOST_BALLS = 8, MOST_REPEATS = 100 };
const char bench_spiral_problems[] = "circle, pitch-0.3, pitch-0.6, pitch-1, pitch-1.4, pitch-1.65, pitch-largest, all";

/* Photons a pixel of the circle; mm of the phantom, of the grid, and of what the RMSE is of. */
static const double photons = 1e4, phantom_radius = 50, grid_half = 30, rmse_radius = 50, rmse_half = 24;
/* Of a ball's radius. */
static const double within = 0.75;

typedef struct trial {
  bench *b;
  const char *problem;
  ct_spiral_method method;
  double pitch, turns; /* turns: 0 of the circle */
  ct_simulation simulation;
  ct_plan plan;
  double means[MOST_BALLS], rmse, dose_rmse;
  int balls;
  double times[MOST_REPEATS];
  int runs;
} trial;

/* How many voxels fewer than at full size lie along an axis. */
static double shrink_of(const bench *b) {
  return b->options.size > 0 && b->options.size < COLUMNS ? (double)COLUMNS / b->options.size : 1;
}

static double axis_height(const ct_simulation *s) {
  return s->nv * s->pixel * s->sod / s->sdd;
}

/* Heights within the phantom's radius; the feed within that of all columns, as the method asks for it. */
static bool covers(trial *t, ct_spiral_cover *cover, ct_error **error) {
  ct_geometry g;
  ct_simulation s = t->simulation;
  if (!ct_simulation_geometry(&s, &g, error)) return false;
  *cover = ct_spiral_covers_by(t->method, &g, phantom_radius);
  cover->most_feed = ct_spiral_covers_by(t->method, &g, ct_geometry_field_radius(&g)).most_feed;
  ct_geometry_clear(&g);
  return true;
}

/* The fewest half turns that cover the balls and in which every row passes each of them: all get the same dose. */
static bool set_spiral(trial *t, double pitch, ct_error **error) {
  enum { MOST_HALVES = 60 };
  ct_simulation *s = &t->simulation;
  ct_spiral_cover cover;
  s->arc = 4 * M_PI;
  s->feed = axis_height(s);
  if (!covers(t, &cover, error)) return false;
  s->feed = isinf(pitch) ? 0.995 * cover.most_feed : pitch * axis_height(s);
  t->pitch = s->feed / axis_height(s);
  const int least = (int)ceil(2 * (2 * grid_half + axis_height(s)) / s->feed);
  for (int halves = least; halves < MOST_HALVES; halves++) {
    s->arc = halves * M_PI;
    t->turns = 0.5 * halves;
    if (!covers(t, &cover, error)) return false;
    if (cover.low <= -grid_half && cover.high >= grid_half) break;
  }
  return true;
}

static bool set_up(trial *t, double pitch, ct_error **error) {
  const double shrink = shrink_of(t->b);
  ct_simulation *s = &t->simulation;
  ct_simulation_init(s);
  s->phantom = ct_phantom_find("spheres");
  s->radius = phantom_radius;
  s->nu = (int)(COLUMNS / shrink);
  s->nv = s->nu / 2;
  s->pixel = 1.6 * COLUMNS / s->nu;
  s->views = (int)fmax(TURN / shrink, 60);
  ct_plan_init(&t->plan);
  t->plan.threads = t->b->options.threads;
  t->plan.filter.spiral = t->method;
  t->plan.centre_method = CT_CENTRE_SCAN;
  t->plan.voxel = t->plan.voxel_z = s->pixel * s->sod / s->sdd;
  t->plan.nx = t->plan.ny = s->nu;
  t->plan.nz = 2 * (int)ceil(grid_half / t->plan.voxel_z);
  return pitch == 0 || set_spiral(t, pitch, error);
}

/* Means over what they should be. */
static void find_means(trial *t, const ct_volume *volume) {
  const ct_grid *g = ct_volume_grid(volume);
  const ct_simulation *s = &t->simulation;
  const float *data = ct_volume_get_data(volume);
  for (t->balls = 0; t->balls < MOST_BALLS && (size_t)t->balls < s->phantom->count; t->balls++) {
    const ct_shape *ball = &s->phantom->shapes[t->balls];
    const double radius = within * ball->half[0] * s->radius;
    double sum = 0;
    size_t count = 0;
    for (size_t n = 0; n < ct_grid_voxels(g); n++) {
      const size_t row = n / (size_t)g->nx;
      const double x = g->x0 + (double)(n % (size_t)g->nx) * g->dx - ball->centre[0] * s->radius,
                   y = g->y0 + (double)(row % (size_t)g->ny) * g->dy - ball->centre[1] * s->radius,
                   z = g->z0 + (double)(row / (size_t)g->ny) * g->dz - ball->centre[2] * s->radius;
      if (x * x + y * y + z * z > radius * radius) continue;
      sum += (double)data[n];
      count++;
    }
    t->means[t->balls] = sum / ((double)count * s->mu * ball->density);
  }
}

static bool find_rmse(trial *t, const ct_volume *volume, double *rmse, ct_error **error) {
  const ct_grid *g = ct_volume_grid(volume);
  ct_volume *truth = ct_simulation_truth(&t->simulation, g, t->b->job, error);
  if (!truth) return false;
  double sum = 0;
  size_t count = 0;
  for (size_t n = 0; n < ct_grid_voxels(g); n++) {
    const size_t row = n / (size_t)g->nx;
    const double x = g->x0 + (double)(n % (size_t)g->nx) * g->dx, y = g->y0 + (double)(row % (size_t)g->ny) * g->dy,
                 z = g->z0 + (double)(row / (size_t)g->ny) * g->dz,
                 off = (double)ct_volume_get_data(volume)[n] - (double)ct_volume_get_data(truth)[n];
    if (hypot(x, y) > rmse_radius || fabs(z) > rmse_half) continue;
    sum += off * off;
    count++;
  }
  ct_volume_free(truth);
  *rmse = sqrt(sum / (double)count);
  return true;
}

/* The back-projection of filtered views, as often as repeat and limit say. */
static ct_volume *run_timed(trial *t, ct_pipeline *pipeline, int repeat, ct_error **error) {
  ct_volume *volume = NULL;
  if (!ct_pipeline_prepare(pipeline, &t->plan, t->b->job, error)) return NULL;
  double spent = 0;
  for (t->runs = 0; t->runs < repeat && (t->runs < 1 || spent < t->b->options.limit); t->runs++) {
    ct_volume_free(volume);
    const bench_clock start = bench_start();
    volume = ct_pipeline_volume(pipeline, &t->plan, NULL, t->b->job, error);
    spent += t->times[t->runs] = bench_elapsed(t->b, start, t->b->options.threads);
    if (!volume) return NULL;
  }
  return volume;
}

static json_t *describe(const trial *t) {
  json_t *means = json_array(), *more = json_object();
  for (int n = 0; n < t->balls; n++) json_array_append_new(means, gantry_json_real(t->means[n]));
  json_object_set_new(more, "method", json_string(ct_spiral_choices[t->method].id));
  json_object_set_new(more, "pitch", gantry_json_real(t->pitch));
  json_object_set_new(more, "turns", gantry_json_real(t->turns));
  json_object_set_new(more, "means", means);
  json_object_set_new(more, "rmse", gantry_json_real(t->rmse));
  json_object_set_new(more, "rmse_same_dose", gantry_json_real(t->dose_rmse));
  return more;
}

static void tell(trial *t, const ct_pipeline_facts *facts) {
  const double updates = (double)ct_grid_voxels(&facts->grid) * facts->views_all;
  double low = INFINITY, high = -INFINITY;
  for (int n = 0; n < t->balls; n++) low = fmin(low, t->means[n]), high = fmax(high, t->means[n]);
  bench_row row = {.kernel = facts->kernel->id,
                   .problem = t->problem,
                   .precision = "float32",
                   .interp = "linear",
                   .threads = t->b->options.threads,
                   .views = facts->geometry->views,
                   .speedup = NAN,
                   .rel_rmse = NAN,
                   .bytes = NAN};
  row.seconds = bench_median(t->times, t->runs, &row.spread);
  row.gups = updates / row.seconds / 1e9;
  int used = 0;
  if (t->turns > 0) {
    const double made = ct_spiral_updates(t->method, facts->geometry, &facts->grid);
    row.gups = (double)ct_grid_voxels(&facts->grid) * facts->geometry->views / row.seconds / 1e9;
    row.updated_share = made / ((double)ct_grid_voxels(&facts->grid) * facts->geometry->views);
    used = snprintf(row.note, sizeof row.note, "pitch %.3g, %.3g turns; ", t->pitch, t->turns);
  }
  snprintf(row.note + used, sizeof row.note - (size_t)used,
           "means %.4f to %.4f; RMSE %.2g 1/mm, of the same dose %.2g 1/mm", low, high, t->rmse, t->dose_rmse);
  bench_add_row(t->b, &row, describe(t));
}

/* A scan with so many photons a pixel (0: exact); the first is timed and told of. */
static bool run_scan(trial *t, double noise, double *rmse, ct_error **error) {
  t->simulation.imperfections.photons = noise;
  ct_scan *scan = ct_simulate(&t->simulation, t->problem, t->b->job, error);
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, &t->b->backend, error) : NULL;
  ct_volume *volume = NULL;
  if (pipeline)
    volume = noise > 0 ? ct_pipeline_volume(pipeline, &t->plan, NULL, t->b->job, error)
                       : run_timed(t, pipeline, t->b->options.repeat, error);
  const bool good = volume && find_rmse(t, volume, rmse, error);
  if (good && noise > 0) tell(t, ct_pipeline_get_facts(pipeline));
  if (good && !(noise > 0)) find_means(t, volume);
  ct_volume_free(volume);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return good;
}

static bool measure(bench *b, int n, ct_spiral_method method, ct_error **error) {
  trial t = {.b = b, .problem = scans[n].name, .method = method};
  bench_say(b, "spiral, %s, %s", scans[n].name, ct_spiral_choices[method].id);
  return set_up(&t, scans[n].pitch, error) && run_scan(&t, 0, &t.rmse, error) &&
         run_scan(&t, photons * (t.turns > 0 ? t.pitch : 1), &t.dose_rmse, error);
}

bool bench_spiral(bench *b, ct_error **error) {
  static const ct_spiral_method methods[] = {CT_SPIRAL_WEIGHTED, CT_SPIRAL_KATSEVICH};
  bool good = bench_check_list(b, "problem", b->options.problems, bench_spiral_problems, error);
  for (int m = 0; m < 2; m++)
    for (int n = 0; n < SCANS; n++)
      if (good && bench_chosen(b, scans[n].name, "all") && (m == 0 || scans[n].pitch > 0))
        good = measure(b, n, methods[m], error);
  return good;
}
