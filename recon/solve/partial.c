/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at a volume in the making: its planes as they stand, scaled as if the views so far were all. Of a slab the
 * slices before it come from the overview. */
#include "recon/solve/pipeline-private.h"

#include "recon/solve/overview.h"

const ct_grid *ct_partial_grid(const ct_partial *partial) {
  return partial->overview ? &partial->overview->grid : ct_volume_grid(partial->volume);
}

int ct_partial_views_done(const ct_partial *partial) {
  return partial->done;
}

const ct_iteration *ct_partial_curve(const ct_partial *partial, size_t *count) {
  if (partial->run) return ct_iterative_get_curve(partial->run, count);
  *count = 0;
  return NULL;
}

bool ct_partial_is_asked_for(const ct_partial *partial) {
  return partial->asked_for;
}

void ct_partial_publish(const ct_partial *partial) {
  if (partial->publisher && partial->publisher->publish) partial->publisher->publish(partial->publisher->user, partial);
}

static bool has_something(const ct_partial *partial) {
  size_t iterations;
  if (partial->overview && partial->overview->done) return true;
  return partial->run ? ct_iterative_get_curve(partial->run, &iterations) && iterations : partial->done;
}

void ct_partial_show(void *user) {
  ct_partial *partial = user;
  if (!has_something(partial)) return;
  if (partial->current) *partial->current = false;
  partial->asked_for = true;
  ct_partial_publish(partial);
  partial->asked_for = false;
}

/* An iterated image is brought into the volume when somebody looks. */
static void refresh(const ct_partial *partial) {
  if (!partial->run || *partial->current) return;
  ct_iterative_read(partial->run, ct_volume_data(partial->volume));
  *partial->current = true;
}

const ct_volume *ct_partial_volume(const ct_partial *partial, float *scale) {
  *scale = (float)partial->scale;
  refresh(partial);
  return (partial->kernel && partial->kernel->read_plane) || partial->overview ? NULL : partial->volume;
}

/* A plane of what is in work. */
static bool read_work(const ct_partial *partial, ct_plane plane, int index, float *out, ct_error **error) {
  refresh(partial);
  if (partial->kernel && partial->kernel->read_plane) {
    if (!partial->kernel->read_plane(partial->state, partial->volume, plane, index, out, error)) return false;
  } else
    ct_volume_copy_plane(partial->volume, plane, index, out);
  int width, height;
  ct_grid_plane_size(ct_volume_grid(partial->volume), plane, &width, &height, NULL);
  const size_t pixels = (size_t)width * (size_t)height;
  for (size_t i = 0; i < pixels; i++) out[i] *= (float)partial->scale;
  return true;
}

bool ct_partial_read_plane(const ct_partial *partial, ct_plane plane, int index, float *out, ct_error **error) {
  const ct_overview *overview = partial->overview;
  if (!overview) return read_work(partial, plane, index, out, error);
  ct_overview_read_plane(overview, plane, index, out);
  if (plane == CT_AXIAL) {
    const bool within = index >= overview->done && index < overview->done + ct_volume_grid(partial->volume)->nz;
    return !within || read_work(partial, plane, index - overview->done, out, error);
  }
  /* The slices in work are rows of the plane, one behind the other. */
  int width;
  ct_grid_plane_size(&overview->grid, plane, &width, NULL, NULL);
  return read_work(partial, plane, index, out + (size_t)overview->done * (size_t)width, error);
}
