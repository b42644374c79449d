/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several graphics devices make one volume: each kernel of the table as one that gives each device a share of the
 * slices, of all views the rows that see them, and a thread of its own. */
#include "render/compute/together-private.h"

#include "recon/base/memory.h"
#include "render/compute/device-private.h"

#include <pthread.h>
#include <string.h>

/* A share begins at a multiple: kernels take so many slices of a texture at a time. */
enum { SLICES = 4 };

typedef struct share {
  const ct_bp_kernel *kernel;
  ct_bp_request request; /* of the share's slices on its device */
  int first;             /* slice of the whole */
  ct_geometry geometry;  /* of the detector's rows from row0 on; the request's in a prepared share */
  int row0;
  const float **projections; /* [request.batch] of the call under way, from row0 on */
  ct_bp_state *state;
  ct_volume *part;
  /* of the call under way */
  ct_bp_batch batch;
  ct_job *job;
  bool good;
  ct_error *error;
} share;

struct together {
  ct_grid grid;
  int count;
  const ct_volume *whole; /* whose parts the shares have */
  share shares[];
};

static const ct_bp_kernel *inner_of(const ct_bp_kernel *kernel) {
  return ((const ctgl_together_kernel *)(const void *)kernel)->inner;
}

static struct together *of(ct_bp_state *state) {
  return (struct together *)(void *)state;
}

static int count_devices(const ct_bp_device *device) {
  int count = 0;
  for (; device; device = ctgl_device_next(device)) count++;
  return count;
}

/* Slice at which share n of `count` begins. */
static int begin_of(const ct_grid *grid, int n, int count) {
  const int blocks = (grid->nz + SLICES - 1) / SLICES, slice = (int)((long long)blocks * n / count) * SLICES;
  return slice < grid->nz ? slice : grid->nz;
}

/* The n-th share of the request; false: it has no slice. */
static bool share_of(const ct_bp_request *request, ct_bp_device *device, int n, int count, share *s) {
  const int first = begin_of(&request->grid, n, count), end = begin_of(&request->grid, n + 1, count);
  *s = (share){.request = *request, .first = first};
  s->request.device = device;
  s->request.grid.nz = end - first;
  s->request.grid.z0 += first * request->grid.dz;
  s->request.threads = request->threads > count ? request->threads / count : 1;
  return end > first;
}

/* Cuts the detector down to the rows that see the share, from an even row on, as filters take rows in pairs: what they
 * make of them then is what they make in the whole. A share that no view sees gets the first rows. */
static bool take_rows(share *s, ct_error **error) {
  const ct_geometry *whole = s->request.geometry;
  int row0 = 0, rows = 1;
  if (!ct_geometry_copy(&s->geometry, whole, error) ||
      !(s->projections = ct_alloc((size_t)s->request.batch, sizeof *s->projections, "several devices", error)))
    return false;
  ct_grid_detector_rows(&s->request.grid, whole, &row0, &rows);
  rows += row0 % 2;
  row0 -= row0 % 2;
  if (rows % 2 && row0 + rows < whole->nv) rows++;
  ct_geometry_crop_rows(&s->geometry, row0, rows);
  s->row0 = row0;
  s->request.geometry = &s->geometry;
  return true;
}

/* A batch is added whole by every device, also where the job is asked to finish early: what each could leave out is not
 * the same. */
static void give(share *s, const ct_bp_batch *batch, ct_job *job) {
  for (int n = 0; n < batch->count; n++)
    s->projections[n] = batch->projections[n] + (size_t)s->row0 * (size_t)s->geometry.nu;
  s->batch = *batch;
  s->batch.projections = s->projections;
  s->batch.added = NULL;
  s->batch.next = NULL;
  s->job = job;
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const int count = count_devices(request->device);
  int n = 0;
  for (ct_bp_device *device = request->device; device; device = ctgl_device_next(device), n++) {
    share s;
    if (share_of(request, device, n, count, &s) && !ct_bp_accepts(inner_of(kernel), &s.request, error)) {
      ct_error_prefix(error, "%s", ctgl_device_get_facts(device)->name);
      return false;
    }
  }
  return true;
}

static int rank_for(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return ct_bp_rank(inner_of(kernel), request);
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_bp_kernel *inner = inner_of(kernel);
  const int count = count_devices(request->device);
  size_t bytes = 0;
  int n = 0;
  for (ct_bp_device *device = request->device; device; device = ctgl_device_next(device), n++) {
    share s;
    if (share_of(request, device, n, count, &s)) bytes += inner->memory ? inner->memory(inner, &s.request) : 0;
  }
  return bytes;
}

static void free_state(ct_bp_state *state) {
  struct together *self = of(state);
  if (!self) return;
  for (int n = 0; n < self->count; n++) {
    share *s = &self->shares[n];
    if (s->state) s->kernel->free(s->state);
    ct_volume_free(s->part);
    ct_geometry_clear(&s->geometry);
    ct_free(s->projections);
  }
  ct_free(self);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const int count = count_devices(request->device);
  struct together *self =
      ct_alloc_zero(1, sizeof *self + (size_t)count * sizeof *self->shares, "several devices", error);
  if (!self) return NULL;
  self->grid = request->grid;
  int n = 0;
  for (ct_bp_device *device = request->device; device; device = ctgl_device_next(device), n++) {
    share *s = &self->shares[self->count];
    if (!share_of(request, device, n, count, s)) continue;
    self->count++;
    s->kernel = inner_of(kernel);
    s->state = take_rows(s, error) ? s->kernel->prepare(s->kernel, &s->request, error) : NULL;
    if (s->state) continue;
    ct_error_prefix(error, "%s", ctgl_device_get_facts(device)->name);
    free_state((ct_bp_state *)(void *)self);
    return NULL;
  }
  return (ct_bp_state *)(void *)self;
}

/* Whether the parts are this volume's, and not those of one that lay at the same place before. */
static bool is_taken(const struct together *self, const ct_volume *volume) {
  return self->whole == volume &&
         (!self->count || ct_volume_get_data(self->shares[0].part) == ct_volume_get_data(volume));
}

static bool take_volume(struct together *self, ct_volume *volume, ct_error **error) {
  if (is_taken(self, volume)) return true;
  self->whole = NULL;
  for (int n = 0; n < self->count; n++) {
    share *s = &self->shares[n];
    ct_volume_free(s->part);
    if (!(s->part = ct_volume_new_part(volume, s->first, s->request.grid.nz, error))) return false;
  }
  self->whole = volume;
  return true;
}

static void *run_share(void *user) {
  share *s = user;
  s->good = s->kernel->run(s->state, &s->batch, s->part, s->job, &s->error);
  return NULL;
}

static void *finish_share(void *user) {
  share *s = user;
  s->good = s->kernel->finish(s->state, s->part, &s->error);
  return NULL;
}

/* All shares at once, the first in this thread, and what no thread could be had for behind it. The first error counts,
 * before a cancel. */
static bool all(struct together *self, void *(*call)(void *), ct_error **error) {
  pthread_t threads[CTGL_MOST_TOGETHER];
  bool has_thread[CTGL_MOST_TOGETHER] = {false}, good = true;
  for (int n = 1; n < self->count; n++) has_thread[n] = pthread_create(&threads[n], NULL, call, &self->shares[n]) == 0;
  for (int n = 0; n < self->count; n++)
    if (!has_thread[n]) call(&self->shares[n]);
  for (int n = 1; n < self->count; n++)
    if (has_thread[n]) pthread_join(threads[n], NULL);
  ct_error *told = NULL;
  for (int n = 0; n < self->count; n++) {
    share *s = &self->shares[n];
    good = good && s->good;
    if (s->error && s->error->code != CT_ERROR_CANCELLED)
      ct_error_prefix(&s->error, "%s", ctgl_device_get_facts(s->request.device)->name);
    if (s->error && (!told || (told->code == CT_ERROR_CANCELLED && s->error->code != CT_ERROR_CANCELLED))) {
      ct_error_clear(&told);
      told = s->error;
      s->error = NULL;
    }
    ct_error_clear(&s->error);
  }
  if (told) ct_error_set(error, told->code, "%s", told->message);
  ct_error_clear(&told);
  return good;
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  struct together *self = of(state);
  if (!take_volume(self, volume, error)) return false;
  for (int n = 0; n < self->count; n++) give(&self->shares[n], batch, job);
  return all(self, run_share, error);
}

static bool finish(ct_bp_state *state, ct_volume *volume, ct_error **error) {
  return take_volume(of(state), volume, error) && all(of(state), finish_share, error);
}

static bool read_plane(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                       ct_error **error) {
  struct together *self = of(state);
  int width, height, count;
  ct_grid_plane_size(&self->grid, plane, &width, &height, &count);
  if (!is_taken(self, volume)) { /* nothing was added yet */
    ct_volume_copy_plane(volume, plane, index, out);
    return true;
  }
  for (int n = 0; n < self->count; n++) {
    const share *s = &self->shares[n];
    const int slice = index - s->first;
    if (plane == CT_AXIAL && (slice < 0 || slice >= s->request.grid.nz)) continue;
    float *at = plane == CT_AXIAL ? out : out + (size_t)s->first * (size_t)width;
    if (!s->kernel->read_plane(s->state, s->part, plane, plane == CT_AXIAL ? slice : index, at, error)) return false;
  }
  return true;
}

int ctgl_together_rows(ct_bp_state *state, int n, int *row0) {
  const struct together *self = of(state);
  if (n >= self->count) return 0;
  *row0 = self->shares[n].row0;
  return self->shares[n].geometry.nv;
}

ctgl_together_kernel ctgl_together(const ct_bp_kernel *kernel) {
  ctgl_together_kernel own = {*kernel, kernel};
  own.kernel.accepts = accepts;
  own.kernel.rank_for = rank_for;
  own.kernel.memory = memory;
  own.kernel.prepare = prepare;
  own.kernel.run = run;
  own.kernel.finish = kernel->finish ? finish : NULL;
  own.kernel.read_plane = kernel->read_plane ? read_plane : NULL;
  own.kernel.read_oblique = NULL; /* a plane across the seam takes slices of both */
  own.kernel.free = free_state;
  return own;
}
