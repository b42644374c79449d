/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the transposes of joseph-2d share: a pencil's rays between zeros, and where pixels see them. */
#include "recon/fp/joseph/joseph-2d-private.h"

void ct_j2d_fill_pencil(const ct_j2d_pencil *p, const float *rays, float *scratch, size_t origin) {
  const float length = (float)p->length;
  const ptrdiff_t step = p->step;
  rays += p->first;
  for (int phase = 0; phase < p->phases; phase++) {
    float *to = scratch + (ct_j2d_ray_place(p, phase) - origin);
    for (int t = phase; t < p->count; t += p->phases) *to++ = length * rays[step * t];
  }
}

ct_j2d_source ct_j2d_source_of(const ct_j2d *j, const ct_j2d_pencil *p, int phase, bool own, bool flip) {
  const bool swap = own && p->transposed;
  const double per = 1.0 / p->phases;
  ct_j2d_source source = {.count = ct_j2d_phase_count(p, phase),
                          .c0 = (p->c0 - phase * p->w0) * per,
                          .cl = ((swap ? p->cj : p->ci) - phase * (swap ? p->wj : p->wi)) * per,
                          .cr = ((swap ? p->ci : p->cj) - phase * (swap ? p->wi : p->wj)) * per,
                          .w0 = p->w0,
                          .wl = swap ? p->wj : p->wi,
                          .wr = swap ? p->wi : p->wj,
                          .alike = (float)(p->pt * p->phases),
                          .plain = p->plain};
  if (flip) source.c0 += source.cr * (p->rows - 1), source.cr = -source.cr;
  source.straight[0] = j->scratch + ct_j2d_ray_place(p, phase);
  if (p->divergent) {
    source.even = j->even + ct_j2d_ray_place(p, phase);
    source.slanted = j->slanted + ct_j2d_ray_place(p, phase);
    source.scale = j->scales[p - j->pencils];
    source.r0 = (p->r0 + p->r1 * phase) * per, source.r1 = p->r1;
  }
  return source;
}
