/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmarks' problems. The cones are RabbitCT's in scale: a 256 mm cube at magnification 1.6; P1 to P10 are those
 * of Chen et al. 2021, Table 3 (which states counts only), on the same scanner. */
#include "app/bench/problems-private.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

#define TURN 6.283185307179586

/* name, beam, nu nv views, du sod sdd, offsets, tilt, arc, wobble, nx ny nz, voxel, centre y z. */
/* clang-format off */
const bench_problem bench_problems[] = {
  {"cone-512", "cone", 512, 512, 64, 1.14, 750, 1200, 0, 0, 0, TURN, 0, 512, 512, 512, 0.5, 0, 0},
  {"cone-256", "cone", 512, 512, 64, 1.14, 750, 1200, 0, 0, 0, TURN, 0, 256, 256, 256, 1, 0, 0},
  {"cone-1024-512", "cone", 1024, 1024, 32, 0.57, 750, 1200, 0, 0, 0, TURN, 0, 512, 512, 512, 0.5, 0, 0},
  {"cone-1024-128", "cone", 1024, 1024, 64, 0.57, 750, 1200, 0, 0, 0, TURN, 0, 128, 128, 128, 2, 0, 0},
  {"cone-512-natural", "cone", 512, 512, 64, 0.8, 750, 1200, 0, 0, 0, TURN, 0, 512, 512, 512, 0.5, 0, 0},
  {"cone-512-offset", "cone", 512, 512, 64, 0.8, 750, 1200, 7.3, -3.4, 0, TURN, 0, 511, 509, 507, 0.5, 0, 1},
  {"cone-tilt", "cone", 512, 512, 64, 0.8, 750, 1200, 0, 0, 0.01, TURN, 0, 256, 256, 256, 1, 0, 0},
  {"cone-axial", "cone", 512, 512, 512, 0.8, 750, 1200, 0, 0, 0, TURN, 0, 512, 512, 1, 0.5, 0, 60},
  {"cone-coronal", "cone", 512, 512, 512, 0.8, 750, 1200, 0, 0, 0, TURN, 0, 512, 1, 512, 0.5, 20, 0},
  {"cone-sagittal", "cone", 512, 512, 512, 0.8, 750, 1200, 0, 0, 0, TURN, 0, 1, 512, 512, 0.5, 0, 0},
  {"parallel-64", "parallel", 1024, 64, 512, 1, 0, 0, 0.3, 0, 0, TURN / 2, 0, 1024, 1024, 64, 1, 0, 0},
  {"parallel-between", "parallel", 1024, 64, 128, 1, 0, 0, 0.3, 0.2, 0, TURN / 2, 0, 1021, 1019, 61, 0.9, 0, 0},
  {"parallel-37", "parallel", 1024, 37, 512, 1, 0, 0, 0.3, 0, 0, TURN / 2, 0, 1024, 1024, 37, 1, 0, 0},
  {"parallel-16", "parallel", 1024, 16, 512, 1, 0, 0, 0.3, 0, 0, TURN / 2, 0, 1024, 1024, 16, 1, 0, 0},
  {"parallel-8", "parallel", 1024, 8, 512, 1, 0, 0, 0.3, 0, 0, TURN / 2, 0, 1024, 1024, 8, 1, 0, 0},
  {"parallel-4", "parallel", 1024, 4, 512, 1, 0, 0, 0.3, 0, 0, TURN / 2, 0, 1024, 1024, 4, 1, 0, 0},
  {"parallel-2", "parallel", 1024, 2, 512, 1, 0, 0, 0.3, 0, 0, TURN / 2, 0, 1024, 1024, 2, 1, 0, 0},
  {"parallel-1", "parallel", 1024, 1, 512, 1, 0, 0, 0.3, 0, 0, TURN / 2, 0, 1024, 1024, 1, 1, 0, 0},
  {"parallel-coronal", "parallel", 512, 512, 512, 1, 0, 0, 0.3, 0, 0, TURN / 2, 0, 512, 1, 512, 1, 9, 0},
  {"fan", "fan", 1024, 1, 720, 0.4, 750, 1200, 0.3, 0, 0, TURN, 0, 1024, 1024, 1, 0.25, 0, 0},
  {"free-128", "free", 1248, 960, 64, 0.32, 750, 1200, 0, 0, 0, 3.5, 0.01, 128, 128, 128, 2, 0, 0},
  {"free-256", "free", 1248, 960, 32, 0.32, 750, 1200, 0, 0, 0, 3.5, 0.01, 256, 256, 256, 1, 0, 0},
  {"free-512", "free", 1248, 960, 32, 0.32, 750, 1200, 0, 0, 0, 3.5, 0.01, 512, 512, 512, 0.5, 0, 0},
  {"rabbit-512", "free", 1248, 960, 496, 0.32, 750, 1200, 0, 0, 0, 3.5, 0.01, 512, 512, 512, 0.5, 0, 0},
  {"free-1024", "free", 1248, 960, 4, 0.32, 750, 1200, 0, 0, 0, 3.5, 0.01, 1024, 1024, 512, 0.25, 0, 60},
};
const int bench_problem_count = sizeof bench_problems / sizeof *bench_problems;

#define CHEN(label, side, pitch, edge) \
  {label, "cone", side, side, 512, pitch, 750, 1200, 0, 0, 0, TURN, 0, edge, edge, edge, 256.0 / edge, 0, 0}
const bench_problem bench_chen_problems[] = {
  CHEN("P1", 256, 2.28, 256),  CHEN("P2", 256, 2.28, 512),  CHEN("P3", 256, 2.28, 1024),
  CHEN("P4", 512, 1.14, 256),  CHEN("P5", 512, 1.14, 512),  CHEN("P6", 512, 1.14, 1024),
  CHEN("P7", 1024, 0.57, 256), CHEN("P8", 1024, 0.57, 512), CHEN("P9", 1024, 0.57, 1024),
  CHEN("P10", 1024, 0.57, 1300),
};
const int bench_chen_problem_count = sizeof bench_chen_problems / sizeof *bench_chen_problems;
/* clang-format on */

bool bench_check_problems(const bench *b, const bench_problem *problems, int count, const char *more,
                          ct_error **error) {
  char known[1024] = "";
  for (int n = 0; n < count; n++) bench_add_name(known, sizeof known, problems[n].name);
  if (more) bench_add_name(known, sizeof known, more);
  bench_add_name(known, sizeof known, "all");
  return bench_check_list(b, "problem", b->options.problems, known, error);
}

static int shrunk(int n, double factor, int least) {
  if (n <= least) return n;
  const int smaller = (int)floor(n * factor + 0.5);
  return smaller < least ? least : smaller;
}

bench_problem bench_shrink(const bench_problem *problem, int size) {
  bench_problem p = *problem;
  const int sides[] = {p.nu, p.nv, p.nx, p.ny, p.nz};
  int longest = 1;
  for (int i = 0; i < 5; i++)
    if (sides[i] > longest) longest = sides[i];
  if (size < 1 || longest <= size) return p;
  const double factor = (double)size / longest;
  p.nu = shrunk(p.nu, factor, 1);
  p.nv = shrunk(p.nv, factor, 1);
  p.nx = shrunk(p.nx, factor, 1);
  p.ny = shrunk(p.ny, factor, 1);
  p.nz = shrunk(p.nz, factor, 1);
  p.views = shrunk(p.views, factor, 4);
  p.du /= factor;
  p.voxel /= factor;
  return p;
}

/* A C-arm's view: the circle's matrix, turned a little about all detector axes and shifted. */
static void free_matrix(const bench_problem *p, const ct_geometry *g, double angle, double matrix[12]) {
  const double a = p->wobble * sin(3 * angle + 0.3), b = p->wobble * cos(2 * angle), s = sin(angle), c = cos(angle);
  const double x[3] = {c, s, b}, z[3] = {-b * c + a * s, -b * s - a * c, 1}, d[3] = {-s, c, a};
  const double focal = p->sdd / p->du, pixels = p->nu / 31.0;
  const double cu = g->centre_u + p->wobble * pixels * sin(angle), cv = g->centre_v - p->wobble * pixels * cos(angle);
  for (int n = 0; n < 3; n++) {
    matrix[n] = (focal * x[n] + cu * d[n]) / p->sod;
    matrix[4 + n] = (focal * z[n] + cv * d[n]) / p->sod;
    matrix[8 + n] = d[n] / p->sod;
  }
  matrix[3] = cu, matrix[7] = cv, matrix[11] = 1;
}

bool bench_problem_geometry(const bench_problem *p, ct_geometry *geometry, ct_error **error) {
  if (!ct_geometry_init(geometry, ct_beam_find(p->beam)->beam, p->nu, p->nv, p->views, error)) return false;
  geometry->du = geometry->dv = p->du;
  if (!ct_geometry_promises(geometry, CT_TRAIT_PARALLEL)) geometry->sod = p->sod, geometry->sdd = p->sdd;
  geometry->centre_u += p->offset_u;
  geometry->centre_v += p->offset_v;
  geometry->tilt = p->tilt;
  const double first = ct_geometry_takes(geometry, CT_TAKES_DISTANCES) ? 0.01 : 0;
  ct_geometry_set_arc(geometry, first, p->arc / p->views);
  for (int view = 0; geometry->matrices && view < p->views; view++)
    free_matrix(p, geometry, geometry->angles[view], geometry->matrices + 12 * (size_t)view);
  return true;
}
