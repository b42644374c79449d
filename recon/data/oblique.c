/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of any pose cut out of a volume, trilinear. */
#include "recon/data/volume.h"

#include <math.h>
#include <string.h>

void ct_volume_sample_row(const ct_volume *volume, const ct_oblique *oblique, int j, int first, int end, float *out) {
  float *row = out + (size_t)j * (size_t)oblique->width;
  for (int i = first; i < end; i++) {
    double point[3];
    ct_oblique_point(oblique, i, j, point);
    const double value = ct_volume_sample(volume, point);
    row[i] = isnan(value) ? 0 : (float)value;
  }
}

void ct_volume_copy_oblique(const ct_volume *volume, const ct_oblique *oblique, float *out) {
  memset(out, 0, ct_oblique_pixels(oblique) * sizeof *out);
#pragma omp parallel for schedule(dynamic, 8)
  for (int j = 0; j < oblique->height; j++) {
    int first, end;
    ct_oblique_row_within(oblique, ct_volume_grid(volume), j, &first, &end);
    ct_volume_sample_row(volume, oblique, j, first, end, out);
  }
}
