/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views one after the other, each correcting a slice in front of the next (SART and its kin). One team does them all:
 * threads own chunks of rows, and a chunk that a view has corrected is projected along the next one's rays at once,
 * while it lies in the second-level cache. What then is to be carried back is small, and every thread makes it for
 * itself from the chunks' sums, so that threads wait for each other once per view. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include <omp.h>
#include <string.h>

/* Rows that are handed over at a time: they stay in the first-level cache in between. */
enum { handed = CT_J2D_TILE };

static size_t scratch_of(const ct_j2d_pencil *p) {
  return (size_t)p->phases * ct_j2d_run(p);
}

/* A thread's room: sums along rays, the rays, and the scratch of the transpose. */
static size_t padded_rays(const ct_j2d *j) {
  return ct_projector_padded((size_t)j->nu) + CT_J2D_LANES;
}

size_t ct_j2d_alone_size(const ct_j2d *j) {
  size_t most = 0;
  for (int n = 0; n < j->count; n++)
    if (scratch_of(j->pencils + n) > most) most = scratch_of(j->pencils + n);
  return 2 * padded_rays(j) + most;
}

/* A sweep under way, as one thread sees it: the view whose rays are carried back. */
typedef struct going {
  ct_j2d *j;
  int slice;
  const float *x; /* of the slice */
  const ct_projector_visit *visit;
  ct_j2d_source *sources;
  ct_j2d_place *places;
  int number, count; /* of the view; of its sources */
} going;

/* The rays of a view from its chunks' sums, compared, into the scratch. */
static double make_rays(const going *g, int view, const float *sums, float *room) {
  const ct_j2d *j = g->j;
  const ct_j2d_pencil *p = j->pencils + j->first_pencil[view];
  float *rays = room + padded_rays(j), *scratch = rays + padded_rays(j);
  ct_j2d_gather_chunks(j, view, sums, room, rays);
  const double sum = g->visit->compare(g->visit->user, (size_t)view * j->view_rays + (size_t)g->slice * j->slice_rays,
                                       j->slice_rays, rays);
  memset(scratch, 0, scratch_of(p) * sizeof *scratch);
  ct_j2d_fill_pencil(p, rays, scratch, p->scratch);
  for (int phase = 0; phase < p->phases; phase++) {
    g->sources[phase] = ct_j2d_source_of(j, p, phase, false, false);
    g->sources[phase].straight[0] = scratch + (ct_j2d_ray_place(p, phase) - p->scratch);
  }
  if (p->phases == 1 && j->nx >= CT_J2D_LANES) j->loops->back->places(g->sources, j->nx, g->places);
  return sum;
}

static void correct_rows(const going *g, int row, int rows, float *own) {
  ct_j2d *j = g->j;
  const size_t first = (size_t)g->slice * j->slice_image + CT_J2D_MARGIN + (size_t)row * j->pitch;
  const bool single = g->count == 1 && j->nx >= CT_J2D_LANES;
  if (!single) ct_j2d_back_rows(j, g->sources, g->count, row, rows, own);
  for (int n = 0; n < rows; n++) {
    float *values = own + (size_t)n * j->pitch;
    if (single) j->loops->back->row(g->sources, g->places, row + n, j->nx, values = own);
    g->visit->take(g->visit->user, g->number, first + (size_t)n * j->pitch, (size_t)j->nx, values);
  }
}

/* Upwards and downwards by turns, so that what a view saw last serves the next one. */
static void correct_chunk(const going *g, int chunk, bool down) {
  ct_j2d *j = g->j;
  float *own = j->tall + (size_t)omp_get_thread_num() * CT_J2D_TALL * j->pitch;
  const int first = chunk * CT_J2D_CHUNK, left = j->ny - first, rows = left < CT_J2D_CHUNK ? left : CT_J2D_CHUNK,
            parts = (rows + handed - 1) / handed;
  for (int n = 0; n < parts; n++) {
    const int at = (down ? parts - 1 - n : n) * handed;
    correct_rows(g, first + at, rows - at < handed ? rows - at : handed, own);
  }
}

void ct_j2d_sweep_slice(ct_j2d *j, const ct_projector_sweep *sweep) {
  const int chunks = ct_j2d_chunks(j), slice = sweep->layer, count = sweep->count, *blocks = sweep->blocks;
  const size_t all = (size_t)chunks * ct_projector_padded((size_t)j->nu);
#pragma omp parallel num_threads(j->threads)
  {
    const int thread = omp_get_thread_num(), team = omp_get_num_threads();
    float *room = j->alone + (size_t)thread * j->alone_size;
    going g = {.j = j,
               .slice = slice,
               .x = sweep->x + (size_t)slice * j->slice_image,
               .visit = sweep->visit,
               .sources = j->alone_sources + (size_t)thread * (size_t)j->most_phases,
               .places = j->alone_places + (size_t)thread * (j->pitch / 8)};
    for (int n = -1; n < count; n++) {
      const float *done = j->sums + (size_t)(n & 1) * all;
      float *next = j->sums + (size_t)((n + 1) & 1) * all;
      if (n >= 0) {
        const double sum = make_rays(&g, blocks[n], done, room);
        if (thread == 0) sweep->sums[n] = sum;
        g.number = n;
        g.count = j->pencils[j->first_pencil[blocks[n]]].phases;
      }
      const int from = chunks * thread / team, to = chunks * (thread + 1) / team;
      for (int k = from; k < to; k++) {
        const int chunk = n & 1 ? from + to - 1 - k : k;
        if (n >= 0) correct_chunk(&g, chunk, n & 1);
        if (n + 1 < count)
          ct_j2d_project_chunk(j, blocks[n + 1], chunk, g.x,
                               next + (size_t)chunk * ct_j2d_chunk_sums(j, blocks[n + 1]));
      }
#pragma omp barrier
    }
  }
}
