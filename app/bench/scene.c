/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suite scene: frames per second of the volume in the scene, coarse as while it is turned, and fine as at rest. */
#include "app/bench/suites-private.h"
#include "app/json.h"
#include "recon/base/memory.h"
#include "render/scene/timing.h"

#include <math.h>
#include <stdio.h>

/* Of the scene maximised in a window of 1280 x 800; wanted: for coarse frames, on two cores without a card. */
enum { WIDTH = 880, HEIGHT = 440, SIDE = 256, MOST_FRAMES = 100 };

static const struct {
  ctgl_solid solid;
  const char *name;
} ways[] = {{CTGL_SOLID_NONE, "slices"},
            {CTGL_SOLID_MAXIMUM, "maximum"},
            {CTGL_SOLID_MEAN, "average"},
            {CTGL_SOLID_SURFACE, "surface"},
            {CTGL_SOLID_TRANSLUCENT, "translucent"}};

/* A shell with a smaller ball in it. */
static void fill(float *values, int side) {
  const double middle = (side - 1) / 2.0;
  for (size_t k = 0; k < (size_t)side * (size_t)side * (size_t)side; k++) {
    const size_t n = (size_t)side;
    const double x = ((double)(k % n) - middle) / middle, y = ((double)(k / n % n) - middle) / middle,
                 z = ((double)(k / n / n) - middle) / middle, r = sqrt(x * x + y * y + z * z);
    values[k] = (float)(r < 0.9 && r > 0.75 ? 0.8 : r < 0.4 ? 1 : 0.1);
  }
}

static void add_row(bench *b, const char *way, bool coarse, int side, double *seconds, int frames, const char *device) {
  char name[64], problem[32];
  double spread;
  snprintf(name, sizeof name, "%s, %s", way, coarse ? "coarse" : "fine");
  snprintf(problem, sizeof problem, "scene-%d", side);
  const double median = bench_median(seconds, frames, &spread);
  bench_row row = {.kernel = name,
                   .problem = problem,
                   .precision = "float32",
                   .interp = "linear",
                   .threads = b->options.threads,
                   .seconds = median,
                   .spread = spread,
                   .gups = NAN,
                   .speedup = NAN,
                   .rel_rmse = NAN,
                   .bytes = 4.0 * side * side * side};
  snprintf(row.note, sizeof row.note, "%.1f frames/s of %d x %d, %s", 1 / median, WIDTH, HEIGHT, device);
  bench_add_row(b, &row, json_pack("{s:o, s:s}", "frames_per_second", gantry_json_real(1 / median), "device", device));
}

bool bench_scene(bench *b, ct_error **error) {
  const int side = b->options.size && b->options.size < SIDE ? b->options.size : SIDE;
  const int frames = b->options.repeat < MOST_FRAMES ? b->options.repeat : MOST_FRAMES;
  if (!bench_check_list(b, "problem", b->options.problems, "scene-256", error)) return false;
  float *values = ct_alloc_zero((size_t)side * (size_t)side, sizeof *values * (size_t)side, "the volume", error);
  if (!values) return false;
  fill(values, side);
  bool good = true;
  for (size_t n = 0; good && n < sizeof ways / sizeof *ways; n++)
    for (int coarse = 1; good && coarse >= 0; coarse--) {
      double seconds[MOST_FRAMES];
      char device[96];
      const ctgl_scene_timing timing = {WIDTH, HEIGHT, side, values, ways[n].solid, coarse, frames};
      bench_say(b, "scene: %s, %s", ways[n].name, coarse ? "coarse" : "fine");
      good = ctgl_scene_time(&timing, seconds, device, sizeof device, error);
      if (good) add_row(b, ways[n].name, coarse, side, seconds, frames, device);
      good = good && ct_job_may_go_on(b->job, error);
    }
  ct_free(values);
  return good;
}
