/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laying and adding by one team. A batch is taken in steps, one for each chunk of views and slab of the volume; the
 * step after its last one is the first of the batch that follows. */
#include "recon/bp/layout/layouts.h"

#include "recon/bp/layout/int16.h"
#include "recon/bp/support.h"

#include <string.h>

static int chunks_of(const ct_bp_layouts *l, const ct_bp_batch *batch) {
  return (batch->count + l->slots - 1) / l->slots;
}

/* Step `step`; count 0: there is none. */
static ct_bp_chunk chunk_at(const ct_bp_layouts *l, const ct_bp_batch *batch, int step, int layout) {
  const int chunk = step / l->slabs, first = chunk * l->slots;
  if (!batch || chunk >= chunks_of(l, batch)) return (ct_bp_chunk){0};
  const int left = batch->count - first;
  return (ct_bp_chunk){layout * l->slots,    left < l->slots ? left : l->slots,
                       batch->views + first, batch->projections + first,
                       step % l->slabs,      batch->first && chunk == 0};
}

static bool is_held(const ct_bp_layouts *l, const ct_bp_chunk *chunk) {
  return l->held == chunk->count && !memcmp(l->held_views, chunk->views, (size_t)l->held * sizeof *l->held_views);
}

static void hold(ct_bp_layouts *l, const ct_bp_chunk *chunk) {
  l->held = chunk->count;
  if (l->held) memcpy(l->held_views, chunk->views, (size_t)l->held * sizeof *l->held_views);
}

static void measure_all(ct_bp_state *state, const ct_bp_layouts *l, const ct_bp_chunk *chunk, int *refused,
                        const ct_job *job) {
  if (!l->measure) return;
#pragma omp for schedule(dynamic)
  for (int n = 0; n < chunk->count; n++)
    if (!ct_bp_stopped(job) && !l->measure(state, chunk, n))
#pragma omp atomic write
      *refused = chunk->views[n];
}

static void lay_piece(ct_bp_state *state, const ct_bp_layouts *l, const ct_bp_chunk *chunk, int n) {
  l->lay(state, chunk, n / l->pieces, n % l->pieces);
}

static void lay_all(ct_bp_state *state, const ct_bp_layouts *l, const ct_bp_chunk *chunk, const ct_job *job) {
#pragma omp for schedule(dynamic)
  for (int n = 0; n < chunk->count * l->pieces; n++)
    if (!ct_bp_stopped(job)) lay_piece(state, l, chunk, n);
}

/* Adds the present chunk and lays the next one, whose pieces come evenly between the tiles. */
static void add_and_lay(ct_bp_state *state, const ct_bp_layouts *l, const ct_bp_chunk *now, const ct_bp_chunk *next,
                        float *data, const ct_job *job) {
  const long pieces = (long)next->count * l->pieces, all = pieces + l->tiles;
#pragma omp for schedule(dynamic)
  for (long n = 0; n < all; n++) {
    if (ct_bp_stopped(job)) continue;
    const long before = n * pieces / all;
    if ((n + 1) * pieces / all > before)
      lay_piece(state, l, next, (int)before);
    else
      l->add(state, now, (int)(n - before), data, job);
  }
}

bool ct_bp_run_layouts(ct_bp_state *state, const ct_bp_request *request, ct_bp_layouts *l, const ct_bp_batch *batch,
                       ct_volume *volume, ct_job *job, ct_error **error) {
  const int layouts = ct_bp_layout_count(request), steps = chunks_of(l, batch) * l->slabs, turn = l->turn;
  const ct_bp_chunk first = chunk_at(l, batch, 0, turn);
  const ct_bp_chunk following = layouts > 1 ? chunk_at(l, batch->next, 0, (turn + steps) % layouts) : (ct_bp_chunk){0};
  const bool laid = is_held(l, &first);
  int refused = -1;
  float *data = ct_volume_data(volume);
#pragma omp parallel num_threads(request->threads)
  for (int step = 0; step < steps; step++) {
    const ct_bp_chunk now = chunk_at(l, batch, step, (turn + step) % layouts);
    ct_bp_chunk next = {0};
    if (layouts > 1) next = step + 1 < steps ? chunk_at(l, batch, step + 1, (turn + step + 1) % layouts) : following;
    if (step == 0 ? !laid : layouts == 1) {
      measure_all(state, l, &now, &refused, job);
      lay_all(state, l, &now, job);
    }
    measure_all(state, l, &next, &refused, job);
    add_and_lay(state, l, &now, &next, data, job);
  }
  l->turn = (turn + steps) % layouts;
  l->held = 0;
  if (!ct_bp_conclude(job, error)) return false;
  if (refused >= 0) return ct_int16_refuse(refused, error);
  hold(l, &following);
  return true;
}
