/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Isotropic total variation of images in natural layout, sum of |D x| over voxels with forward differences: the
 * denoising step by its dual, with the momentum of Beck & Teboulle 2009 (FGP; Chambolle 2004), and the gradient of a
 * smoothed form. */
#include "recon/solve/iterative/solver-private.h"

#include <math.h>
#include <omp.h>

static inline size_t row_of(const ct_tv *tv, int j, int k) {
  return ((size_t)k * (size_t)tv->ny + (size_t)j) * (size_t)tv->nx;
}

bool ct_tv_prepare(ct_problem *p, bool dual, ct_tv *tv, ct_error **error) {
  const ct_grid *g = &p->grid;
  *tv = (ct_tv){.nx = g->nx,
                .ny = g->ny,
                .nz = g->nz,
                .threads = p->threads,
                .passes = p->passes,
                .w = {1, (float)(g->dx / g->dy), (float)(g->dx / g->dz)}};
  for (int d = 0; dual && d < (g->nz > 1 ? 3 : 2); d++)
    if (!(tv->p[d] = ct_problem_natural(p, error)) || !(tv->q[d] = ct_problem_natural(p, error))) return false;
  if (dual) return (tv->primal = ct_problem_natural(p, error));
  tv->normals = ct_problem_room(p, (size_t)p->threads * CT_TV_NORMALS * (size_t)g->nx, sizeof(float), error);
  return tv->normals;
}

/* The image less tau times the divergence of a dual, kept between low and high. */
typedef struct primal_step {
  float *const *dual;
  const float *image;
  float tau, low, high;
  float *out;
} primal_step;

static void primal_row(const ct_tv *tv, const primal_step *s, int j, int k) {
  float *const *dual = s->dual;
  const size_t row = row_of(tv, j, k);
  const ct_tv_primal_row request = {.u = s->image + row,
                                    .q = {dual[0] + row, dual[1] + row, dual[2] ? dual[2] + row : NULL},
                                    .below = j > 0 ? dual[1] + row_of(tv, j - 1, k) : NULL,
                                    .before = dual[2] && k > 0 ? dual[2] + row_of(tv, j, k - 1) : NULL,
                                    .w = tv->w,
                                    .tau = s->tau,
                                    .low = s->low,
                                    .high = s->high,
                                    .out = s->out + row,
                                    .count = tv->nx};
  tv->passes->tv_primal(&request);
}

static void dual_row(ct_tv *tv, int j, int k, float sigma, float momentum) {
  const size_t row = row_of(tv, j, k);
  const ct_tv_dual_row request = {.v = tv->primal + row,
                                  .above = j + 1 < tv->ny ? tv->primal + row_of(tv, j + 1, k) : NULL,
                                  .behind = k + 1 < tv->nz ? tv->primal + row_of(tv, j, k + 1) : NULL,
                                  .w = tv->w,
                                  .sigma = sigma,
                                  .momentum = momentum,
                                  .p = {tv->p[0] + row, tv->p[1] + row, tv->p[2] ? tv->p[2] + row : NULL},
                                  .q = {tv->q[0] + row, tv->q[1] + row, tv->q[2] ? tv->q[2] + row : NULL},
                                  .count = tv->nx};
  tv->passes->tv_dual(&request);
}

/* q = p: momentum starts anew with each image. */
static void restart(ct_tv *tv) {
  const size_t count = (size_t)tv->nx * (size_t)tv->ny * (size_t)tv->nz;
  for (int d = 0; d < 3 && tv->p[d]; d++) {
    float *q = tv->q[d];
    const float *p = tv->p[d];
#pragma omp parallel for schedule(static) num_threads(tv->threads)
    for (size_t n = 0; n < count; n++) q[n] = p[n];
  }
}

void ct_tv_denoise(ct_tv *tv, float *image, double weight, int steps, float low, float high) {
  if (!(weight > 0)) return;
  double norm = 0, t = 1;
  for (int d = 0; d < 3 && tv->p[d]; d++) norm += 4 * (double)tv->w[d] * (double)tv->w[d];
  const float tau = (float)weight, sigma = (float)(1 / (weight * norm));
  const primal_step ahead = {tv->q, image, tau, low, high, tv->primal},
                    last = {tv->p, image, tau, low, high, tv->primal};
  restart(tv);
  for (int step = 0; step < steps; step++) {
    const double next = (1 + sqrt(1 + 4 * t * t)) / 2;
    const float momentum = (float)((t - 1) / next);
    t = next;
#pragma omp parallel num_threads(tv->threads)
    {
#pragma omp for schedule(static) collapse(2)
      for (int k = 0; k < tv->nz; k++)
        for (int j = 0; j < tv->ny; j++) primal_row(tv, &ahead, j, k);
#pragma omp for schedule(static) collapse(2)
      for (int k = 0; k < tv->nz; k++)
        for (int j = 0; j < tv->ny; j++) dual_row(tv, j, k, sigma, momentum);
    }
  }
#pragma omp parallel for schedule(static) collapse(2) num_threads(tv->threads)
  for (int k = 0; k < tv->nz; k++)
    for (int j = 0; j < tv->ny; j++) primal_row(tv, &last, j, k);
  const size_t count = (size_t)tv->nx * (size_t)tv->ny * (size_t)tv->nz;
#pragma omp parallel for schedule(static) num_threads(tv->threads)
  for (size_t n = 0; n < count; n++) image[n] = tv->primal[n];
}

/* Differences to the next voxels, scaled. */
static inline void differences(const ct_tv *tv, const float *v, int i, int j, int k, double d[3]) {
  const size_t plane = (size_t)tv->nx * (size_t)tv->ny;
  d[0] = i + 1 < tv->nx ? (double)(tv->w[0] * (v[1] - v[0])) : 0;
  d[1] = j + 1 < tv->ny ? (double)(tv->w[1] * (v[tv->nx] - v[0])) : 0;
  d[2] = k + 1 < tv->nz ? (double)(tv->w[2] * (v[plane] - v[0])) : 0;
}

double ct_tv_value(const ct_tv *tv, const float *image) {
  double sum = 0;
  for (int k = 0; k < tv->nz; k++)
    for (int j = 0; j < tv->ny; j++)
      for (int i = 0; i < tv->nx; i++) {
        double d[3];
        differences(tv, image + row_of(tv, j, k) + i, i, j, k, d);
        sum += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      }
  return sum;
}

static void normals_of(const ct_tv *tv, const float *image, int j, int k, float eps2, float *const n[3]) {
  const float *v = image + row_of(tv, j, k);
  tv->passes->tv_normals(v, j + 1 < tv->ny ? v + tv->nx : NULL, k + 1 < tv->nz ? image + row_of(tv, j, k + 1) : NULL,
                         tv->w, eps2, n, tv->nx);
}

/* Rows [first, end) of all slices; the sum of squares. */
static double gradient_rows(const ct_tv *tv, const float *image, int first, int end, float eps2, float *room,
                            float *out) {
  const size_t nx = (size_t)tv->nx;
  float *n[3][3]; /* of the row, of the one below, of the one before */
  for (int m = 0; m < CT_TV_NORMALS; m++) n[m / 3][m % 3] = m % 3 < 2 || tv->nz > 1 ? room + (size_t)m * nx : NULL;
  double sum = 0;
  for (int row = first; row < end; row++) {
    const int j = row % tv->ny, k = row / tv->ny;
    float **own = n[(row - first) % 2], **below = n[(row - first + 1) % 2];
    if (j > 0 && row == first) normals_of(tv, image, j - 1, k, eps2, below);
    if (k > 0) normals_of(tv, image, j, k - 1, eps2, n[2]);
    normals_of(tv, image, j, k, eps2, own);
    const float *const normals[3] = {own[0], own[1], own[2]};
    sum += tv->passes->tv_divergence(normals, j > 0 ? below[1] : NULL, k > 0 ? n[2][2] : NULL, out + row_of(tv, j, k),
                                     tv->nx);
  }
  return sum;
}

double ct_tv_gradient(const ct_tv *tv, const float *image, double eps, float *out) {
  enum { PARTS = 64 };
  const long long rows = (long long)tv->ny * tv->nz;
  double total = 0, parts[PARTS];
#pragma omp parallel for schedule(static) num_threads(tv->threads)
  for (int part = 0; part < PARTS; part++)
    parts[part] =
        gradient_rows(tv, image, (int)(rows * part / PARTS), (int)(rows * (part + 1) / PARTS), (float)(eps * eps),
                      tv->normals + (size_t)omp_get_thread_num() * CT_TV_NORMALS * (size_t)tv->nx, out);
  for (int part = 0; part < PARTS; part++) total += parts[part];
  return sqrt(total);
}
