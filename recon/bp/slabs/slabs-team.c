/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels of the slab ladder share (see slabs-private.h): their state, one slab a thread with the thread bound
 * to a core, and the passes over a slab. */
#include "recon/bp/slabs/slabs-private.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <omp.h>
#ifdef __linux__
#include <sched.h>
#endif

size_t ct_slabs_memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return (size_t)request->batch * 12 * sizeof(double);
}

void ct_slabs_free(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->matrices);
  ct_free(state);
}

ct_bp_state *ct_slabs_prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->matrices = ct_alloc((size_t)request->batch, sizeof *state->matrices, "the views' matrices", error);
  if (state->matrices) return state;
  ct_slabs_free(state);
  return NULL;
}

void ct_slabs_set_matrices(ct_bp_state *state, const ct_bp_batch *batch) {
  for (int n = 0; n < batch->count; n++)
    ct_geometry_matrix(state->request.geometry, batch->views[n], state->matrices[n]);
}

/* Binding is undone after the work, because OpenMP's threads live on. It is a help, not a need: where the system
 * refuses it, or there are more threads than cores, the threads stay free. */
#ifdef __linux__
typedef struct cores {
  cpu_set_t allowed, before;
  bool bound;
} cores;

static void get_cores(cores *c) {
  *c = (cores){0};
  if (sched_getaffinity(0, sizeof c->allowed, &c->allowed)) CPU_ZERO(&c->allowed);
}

static void bind_thread(cores *c, int thread, int threads) {
  if (threads > CPU_COUNT(&c->allowed) || sched_getaffinity(0, sizeof c->before, &c->before)) return;
  int core = -1;
  for (int left = thread + 1; left;) left -= CPU_ISSET(++core, &c->allowed) != 0;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  c->bound = !sched_setaffinity(0, sizeof one, &one);
}

static void unbind_thread(const cores *c) {
  if (c->bound) sched_setaffinity(0, sizeof c->before, &c->before);
}
#else
typedef struct cores {
  bool bound;
} cores;

static void get_cores(cores *c) {
  c->bound = false;
}

static void bind_thread(cores *c, int thread, int threads) {}

static void unbind_thread(const cores *c) {}
#endif

bool ct_slabs_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_slab_work work, ct_job *job,
                  ct_error **error) {
  const int nz = state->request.grid.nz;
  float *data = ct_volume_data(volume);
  ct_slabs_set_matrices(state, batch);
  cores all;
  get_cores(&all);
#pragma omp parallel num_threads(state->request.threads)
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    /* Whole pairs of slices, so that what is unrolled by two does not depend on the number of threads. */
    const long long pairs = (nz + 1) / 2;
    const int from = 2 * (int)(pairs * thread / threads), to = 2 * (int)(pairs * (thread + 1) / threads);
    cores mine = all;
    bind_thread(&mine, thread, threads);
    work(state, batch, from, to < nz ? to : nz, data, job);
    unbind_thread(&mine);
  }
  return ct_bp_conclude(job, error);
}

void ct_slabs_pass(const ct_bp_state *state, const double a[12], const float *image, int from, int to, float *data,
                   const ct_job *job) {
  const ct_grid *g = &state->request.grid;
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  for (int k = from; k < to; k++) {
    const double z = g->z0 + k * g->dz;
    for (int j = 0; j < g->ny; j++) {
      const double y = g->y0 + j * g->dy;
      float *row = data + ((size_t)k * (size_t)g->ny + (size_t)j) * (size_t)g->nx;
      if (ct_bp_stopped(job)) return;
      for (int i = 0; i < g->nx; i++) row[i] += ct_slab_value(a, image, nu, nv, g->x0 + i * g->dx, y, z);
    }
  }
}

void ct_slabs_pass_two(const ct_bp_state *state, const double (*matrices)[12], const float *const *images, int from,
                       int to, float *data, const ct_job *job) {
  const ct_grid *g = &state->request.grid;
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  for (int k = from; k < to; k++) {
    const double z = g->z0 + k * g->dz;
    for (int j = 0; j < g->ny; j++) {
      const double y = g->y0 + j * g->dy;
      float *row = data + ((size_t)k * (size_t)g->ny + (size_t)j) * (size_t)g->nx;
      if (ct_bp_stopped(job)) return;
      for (int i = 0; i < g->nx; i++) {
        const double x = g->x0 + i * g->dx;
        row[i] += ct_slab_value(matrices[0], images[0], nu, nv, x, y, z);
        row[i] += ct_slab_value(matrices[1], images[1], nu, nv, x, y, z);
      }
    }
  }
}
