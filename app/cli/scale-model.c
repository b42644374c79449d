/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of the direct method. With V groups and S columns, volume nx ny nz, P views of U x R pixels:
 *   rows of a column  min(R, 1.1 R / S + 16): the cone's slices share rows at their borders, and corrections look
 * beside reading           P/V rows U sample bytes a process; all of them share the disk, a process its link filtering
 * P/V rows U pixels back-projection   nx ny nz P / (V S) updates sums              (V - 1) / V of the column's voxels
 * sent by each process, beside back-projection but for the last slab writing           all voxels on the disk, those of
 * a process over its link, after the sum of each slab The memory is that of line integrals filtered in place, and of
 * two slabs.
 *   An iterative method projects and carries back once in an iteration, and once before the first:
 *   nx ny nz P / (V S) updates a process; then, nothing beside it, the line integrals of rows that its slab shares with
 * the two beside it, and the sums of its slab over the groups. Shadows of a boundary b rows off the middle, a the
 * aperture, lie between b / (1 + a) and b / (1 - a). */
#include "app/cli/scale-model.h"

#include "recon/solve/shared.h"

#include <math.h>

enum { LEAST_SLICES = 8 };

bool scale_predict(const scale_problem *p, const scale_machine *m, int groups, scale_time *t) {
  const double voxel = 4, n = m->processes, v = groups, s = n / v;
  const double rows = fmin(p->rows, s > 1 ? 1.1 * p->rows / s + 16 : p->rows);
  const double pixels = ceil(p->views / v) * rows * p->columns, column = p->nx * p->ny * ceil(p->nz / s);
  *t = (scale_time){.groups = groups, .columns = (int)s};
  if (s > p->nz || v > p->views) return false;
  const double room = (m->memory - pixels * voxel) / 2;
  const double slices = fmin(ceil(p->nz / s), floor(room / (p->nx * p->ny * voxel)));
  if (!(slices >= fmin(LEAST_SLICES, ceil(p->nz / s)))) return false;
  const int thick = ct_shared_slab_slices((int)ceil(p->nz / s), groups, p->nx * p->ny * p->views);
  t->slabs = ceil(ceil(p->nz / s) / fmin(thick, slices));
  t->memory = pixels * voxel + 2 * column * voxel / t->slabs;
  t->read_bytes = pixels * p->sample;
  t->sent = (v - 1) / v * column * voxel;
  t->read = fmax(t->read_bytes / m->network, n * t->read_bytes / m->disk);
  t->filter = pixels / m->pixels;
  t->backproject = column * p->views / v / m->updates;
  t->sum = t->sent / m->network;
  t->write = fmax(column * voxel / v / m->network, p->nx * p->ny * p->nz * voxel / m->disk);
  t->waited = t->sum / t->slabs + fmax(0, t->sum - t->backproject);
  t->seconds = fmax(t->read, t->filter) + t->backproject + t->waited + t->write;
  return true;
}

/* Rows that the slabs on both sides of a boundary hold, `at` of the height of all: those of its shadow, and six, as
 * each slab takes rays that pass it by a voxel, and whole rows. */
static double shared_rows(const scale_problem *p, double at) {
  const double reach = 6, a = p->aperture;
  if (at <= 0 || at >= 1 || a == 0) return 0;
  return fmin(2 * a / (1 - a * a) * fabs(at - 0.5) * p->rows + reach, p->rows);
}

bool scale_predict_iterated(const scale_problem *p, const scale_machine *m, int groups, scale_time *t) {
  /* As recon/solve/iterated.c and halo.c count them: images and line integrals, the volume and what was read included,
   * and values that are exchanged at a time. */
  enum { IMAGES = 8, RAYS = 6, BUFFERS = 3 };
  const double voxel = 4, together = 1 << 22, n = m->processes, v = groups, s = n / v;
  *t = (scale_time){.groups = groups, .columns = (int)s, .slabs = 1};
  if (s > p->nz || v > p->views || (p->together && groups > 1)) return false;
  double most = 0, shared = 0;
  for (double c = 0; c < s; c++) {
    const double both = shared_rows(p, c / s) + shared_rows(p, (c + 1) / s), rows = p->rows / s + both / 2;
    most = fmax(most, fmin(rows, p->rows));
    shared = fmax(shared, both);
  }
  const double rays = ceil(p->views / v) * p->columns, slab = p->nx * p->ny * ceil(p->nz / s);
  const double lists = shared * rays;
  t->memory = voxel * (IMAGES * slab + RAYS * most * rays + lists + BUFFERS * fmin(lists, together));
  if (t->memory > m->memory) return false;
  t->traded = lists * voxel;
  t->sent = v > 1 ? slab * voxel : 0;
  t->read_bytes = most * rays * p->sample;
  t->read = fmax(t->read_bytes / m->network, n * t->read_bytes / m->disk);
  t->backproject = slab * ceil(p->views / v) / m->iterated;
  t->sum = 2 * (v - 1) / v * t->sent / m->network;
  t->exchange = t->traded / m->network + t->sum;
  t->iterate = t->backproject + t->exchange;
  t->write = fmax(slab * voxel / v / m->network, p->nx * p->ny * p->nz * voxel / m->disk);
  t->seconds = t->read + (1 + p->iterations) * t->iterate + t->write;
  return true;
}

bool scale_best(const scale_problem *p, const scale_machine *m, scale_time *best) {
  bool (*const predict)(const scale_problem *, const scale_machine *, int, scale_time *) =
      p->iterations > 0 ? scale_predict_iterated : scale_predict;
  bool found = false;
  for (int groups = 1; groups <= m->processes; groups++) {
    scale_time t;
    if (m->processes % groups || !predict(p, m, groups, &t)) continue;
    if (!found || t.seconds < best->seconds) *best = t;
    found = true;
  }
  return found;
}
