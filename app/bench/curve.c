/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates of reading, updating and pure writing over the length of a vector, as Figures 3 and 4 of Chandrachary and
 * others have them (CacheBench): each thread goes through a vector of its own again and again. Beside them, at the
 * lengths of what a problem's kernels work on: projections, and what each kernel makes of them. */
#include "app/bench/measure-private.h"
#include "app/bench/rates-private.h"
#include "app/bench/suites-private.h"
#include "app/svg.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/units.h"

#include <math.h>
#include <string.h>

enum { KINDS = 3, MOST_LENGTHS = 64, MOST_MARKS = 64, WIDTH = 900, HEIGHT = 620 };

static const struct {
  bench_work kind;
  const char *name, *title;
} kinds[KINDS] = {
    {BENCH_READ, "read", "reading"},
    {BENCH_WRITE, "write", "writing"},
    {BENCH_UPDATE, "update", "updating (read and written)"},
};

/* What is worked on, and how fast vectors of its length are read. */
typedef struct mark {
  char name[80];
  double bytes, gbs; /* of a thread; GB/s of all threads */
} mark;

typedef struct curve {
  double bytes[MOST_LENGTHS], gbs[KINDS][MOST_LENGTHS];
  size_t count;
  mark marks[MOST_MARKS];
  size_t mark_count;
} curve;

static void add_row(bench *b, const char *what, const char *kind, double bytes, double gbs) {
  char text[32];
  bench_row row = {.kernel = kind,
                   .problem = what,
                   .precision = "float32",
                   .interp = "",
                   .threads = b->options.threads,
                   .seconds = NAN,
                   .spread = NAN,
                   .gups = NAN,
                   .speedup = NAN,
                   .rel_rmse = NAN,
                   .bytes = bytes,
                   .unshrunk = !strcmp(what, "curve")};
  snprintf(row.note, sizeof row.note, "%.4g GB/s at %s a thread", gbs, ct_format_bytes(bytes, text, sizeof text));
  bench_add_row(b, &row, json_pack("{s:f, s:s}", "rate", gbs, "unit", "GB/s"));
}

/* From 4 KiB to 128 MiB, two lengths an octave. */
static bool measure_curve(bench *b, curve *c, ct_error **error) {
  const size_t largest = (size_t)128 << 20;
  /* Within --limit for a row, at some 5 GB/s. */
  const size_t traffic = (size_t)fmin(4e8, 5e9 * b->options.limit / (b->options.repeat + 1));
  float *data = ct_alloc_zero((size_t)b->options.threads * largest, 1, "the vectors whose reading is timed", error);
  if (!data) return false;
  bool good = true;
  for (int n = 0; good && c->count < MOST_LENGTHS; n++) {
    const size_t bytes = (size_t)(4096 * pow(2, 0.5 * n)) / 512 * 512;
    if (bytes > largest) break;
    bench_say(b, "curve: %zu bytes", bytes);
    c->bytes[c->count] = (double)bytes;
    for (int k = 0; k < KINDS; k++) {
      c->gbs[k][c->count] = bench_rate_of(b, kinds[k].kind, data, bytes, traffic);
      add_row(b, "curve", kinds[k].name, (double)bytes, c->gbs[k][c->count]);
    }
    c->count++;
    good = ct_job_may_go_on(b->job, error);
  }
  ct_free(data);
  return good;
}

/* On the curve of reading, between two lengths; NaN beyond them. */
static double read_at(const curve *c, double bytes) {
  for (size_t n = 1; n < c->count; n++)
    if (bytes >= c->bytes[n - 1] && bytes <= c->bytes[n]) {
      const double part = log(bytes / c->bytes[n - 1]) / log(c->bytes[n] / c->bytes[n - 1]);
      return c->gbs[0][n - 1] * pow(c->gbs[0][n] / c->gbs[0][n - 1], part);
    }
  return NAN;
}

static void add_mark(bench *b, curve *c, const char *problem, const char *name, double bytes) {
  if (c->mark_count == MOST_MARKS || !(bytes > 0)) return;
  mark *m = c->marks + c->mark_count;
  *m = (mark){.bytes = bytes, .gbs = read_at(c, bytes)};
  snprintf(m->name, sizeof m->name, "%s", name);
  /* Beyond the curve main memory goes on as it ends. */
  if (bytes > c->bytes[c->count - 1]) m->bytes = c->bytes[c->count - 1], m->gbs = c->gbs[0][c->count - 1];
  if (bytes < c->bytes[0]) m->bytes = c->bytes[0], m->gbs = c->gbs[0][0];
  add_row(b, problem, name, bytes, m->gbs);
  c->mark_count++;
}

/* A projection, which a sweep of one view reads again and again, and what each kernel keeps for a batch: shared by all
 * threads, of which each reads about its share. */
static void mark_problem(bench *b, const bench_case *p, curve *c) {
  const double projection = (double)p->geometry.nu * p->geometry.nv * sizeof(float);
  const double row = (double)p->grid.nx * sizeof(float);
  add_mark(b, c, p->name, "a line of voxels", row);
  add_mark(b, c, p->name, "a projection", projection);
  for (size_t i = 0; i < b->backend.kernels.count; i++) {
    const bench_run run = {.kernel = b->backend.kernels.kernels[i],
                           .interp = CT_INTERP_LINEAR,
                           .precision = CT_PRECISION_FLOAT32,
                           .threads = b->options.threads,
                           .batch = b->options.batch};
    const ct_bp_request request = bench_request(b, p, &run);
    if (run.kernel->gpu || !run.kernel->memory || !bench_listed(b->options.kernels, run.kernel->id) ||
        !ct_bp_accepts(run.kernel, &request, NULL))
      continue;
    add_mark(b, c, p->name, run.kernel->id, (double)run.kernel->memory(run.kernel, &request) / b->options.threads);
  }
}

static bool draw(const bench *b, const curve *c, ct_error **error) {
  gantry_svg_curve curves[KINDS + MOST_MARKS];
  char title[80];
  size_t count = 0;
  if (!b->options.picture) return true;
  for (int k = 0; k < KINDS; k++)
    curves[count++] = (gantry_svg_curve){kinds[k].title, c->bytes, c->gbs[k], c->count, k, false};
  for (size_t n = 0; n < c->mark_count; n++)
    curves[count++] = (gantry_svg_curve){c->marks[n].name, &c->marks[n].bytes, &c->marks[n].gbs, 1, 4, true};
  snprintf(title, sizeof title, "Rates over the length of a vector, %d thread%s", b->options.threads,
           b->options.threads == 1 ? "" : "s");
  const gantry_svg_panel panel = {.title = title,
                                  .x_title = "bytes of a thread's vector",
                                  .y_title = "GB/s of all threads",
                                  .log_x = true,
                                  .log_y = true,
                                  .curves = curves,
                                  .count = count};
  char *text = gantry_svg(&panel, 1, WIDTH, HEIGHT, error);
  const bool good = text && ct_output_write_text(b->options.picture, text, error);
  ct_free(text);
  return good;
}

bool bench_curve(bench *b, ct_error **error) {
  curve c = {0};
  if (!measure_curve(b, &c, error)) return false;
  for (int n = 0; n < bench_problem_count; n++) {
    ct_error *fault = NULL;
    bench_case p;
    if (!bench_chosen(b, bench_problems[n].name, "cone-256")) continue;
    if (!bench_case_open(b, &bench_problems[n], &p, &fault)) {
      bench_skip(b, bench_problems[n].name, NULL, &fault);
      continue;
    }
    mark_problem(b, &p, &c);
    bench_case_clear(&p);
  }
  return draw(b, &c, error);
}
