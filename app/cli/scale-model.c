/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model. With V groups and S columns, volume nx ny nz, P views of U x R pixels:
 *   rows of a column  min(R, 1.1 R / S + 16): the cone's slices share rows at their borders, and corrections look
 * beside reading           P/V rows U sample bytes a process; all of them share the disk, a process its link filtering
 * P/V rows U pixels back-projection   nx ny nz P / (V S) updates sums              (V - 1) / V of the column's voxels
 * sent by each process, beside back-projection but for the last slab writing           all voxels on the disk, those of
 * a process over its link, after the sum of each slab The memory is that of line integrals filtered in place, and of
 * two slabs. */
#include "app/cli/scale-model.h"

#include <math.h>

enum { LEAST_SLABS = 4, LEAST_SLICES = 8 };

bool scale_predict(const scale_problem *p, const scale_machine *m, int groups, scale_time *t) {
  const double voxel = 4, n = m->processes, v = groups, s = n / v;
  const double rows = fmin(p->rows, s > 1 ? 1.1 * p->rows / s + 16 : p->rows);
  const double pixels = ceil(p->views / v) * rows * p->columns, column = p->nx * p->ny * ceil(p->nz / s);
  *t = (scale_time){.groups = groups, .columns = (int)s};
  if (s > p->nz || v > p->views) return false;
  const double room = (m->memory - pixels * voxel) / 2;
  const double slices = fmin(ceil(p->nz / s), floor(room / (p->nx * p->ny * voxel)));
  if (!(slices >= fmin(LEAST_SLICES, ceil(p->nz / s)))) return false;
  t->slabs = fmax(fmin(LEAST_SLABS, ceil(p->nz / s)), ceil(ceil(p->nz / s) / slices));
  t->memory = pixels * voxel + 2 * column * voxel / t->slabs;
  t->read_bytes = pixels * p->sample;
  t->sent = (v - 1) / v * column * voxel;
  t->read = fmax(t->read_bytes / m->network, n * t->read_bytes / m->disk);
  t->filter = pixels / m->pixels;
  t->backproject = column * p->views / v / m->updates;
  t->sum = t->sent / m->network;
  t->write = fmax(column * voxel / v / m->network, p->nx * p->ny * p->nz * voxel / m->disk);
  t->seconds = fmax(t->read, t->filter) + fmax(t->backproject, t->sum) + t->sum / t->slabs + t->write;
  return true;
}

bool scale_best(const scale_problem *p, const scale_machine *m, scale_time *best) {
  bool found = false;
  for (int groups = 1; groups <= m->processes; groups++) {
    scale_time t;
    if (m->processes % groups || !scale_predict(p, m, groups, &t)) continue;
    if (!found || t.seconds < best->seconds) *best = t;
    found = true;
  }
  return found;
}
