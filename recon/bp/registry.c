/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of CPU back-projection kernels. */
#include "recon/bp/kernels-private.h"

#include <string.h>

/* clang-format off */
static const ct_bp_kernel *const cpu_kernels[] = {
  &ct_bp_textbook,
  &ct_bp_voxel_loop,
  &ct_bp_serial_loop,
  &ct_bp_slabs,
  &ct_bp_slabs_two_views,
  &ct_bp_slabs_unroll_jam,
  &ct_bp_chen_transpose,
  &ct_bp_chen_share,
  &ct_bp_chen_symmetry,
  &ct_bp_chen_subline,
  &ct_bp_chen_share_local,
  &ct_bp_chen_symmetry_local,
  &ct_bp_chen_prefetch,
  &ct_bp_plain_slices[0],
  &ct_bp_plain_slices[1],
  &ct_bp_plain_slices[2],
  &ct_bp_plain_slices[3],
  &ct_bp_plain_slices[4],
  &ct_bp_plain_slices[5],
  &ct_bp_differences[0],
  &ct_bp_differences[1],
  &ct_bp_columns[0],
  &ct_bp_columns[1],
  &ct_bp_oversampled[0],
  &ct_bp_oversampled[1],
  &ct_bp_oversampled[2],
  &ct_bp_half_4,
  &ct_bp_free_c8,
  &ct_bp_half_c8,
  &ct_bp_lines_c8,
  &ct_bp_rectified_c8,
  &ct_bp_rows_c8,
  &ct_bp_slices_c8,
  &ct_bp_zwindow_c8,
#ifdef CT_BP_X86
  &ct_bp_free_c16,
  &ct_bp_half_c16,
  &ct_bp_lines_c16,
  &ct_bp_rectified_c16,
  &ct_bp_rows_c16,
  &ct_bp_slices_c16,
  &ct_bp_zwindow_c16,
  &ct_bp_free_v3,
  &ct_bp_free_v4,
  &ct_bp_half_v3,
  &ct_bp_half_v4,
  &ct_bp_lines_v3,
  &ct_bp_lines_v4,
  &ct_bp_rectified_v3,
  &ct_bp_rectified_v4,
  &ct_bp_rows_v3,
  &ct_bp_rows_v4,
  &ct_bp_slices_v3,
  &ct_bp_slices_v4,
  &ct_bp_zwindow_v3,
  &ct_bp_zwindow_v4,
  &ct_bp_slices_int16_v3,
  &ct_bp_slices_int16_v4,
  &ct_bp_zwindow_int16,
#endif
};
/* clang-format on */

ct_bp_table ct_bp_cpu_kernels(void) {
  return (ct_bp_table){.kernels = cpu_kernels, .count = sizeof cpu_kernels / sizeof *cpu_kernels};
}

const ct_bp_kernel *ct_bp_find(const ct_bp_table *table, const char *id) {
  for (size_t i = 0; i < table->count; i++)
    if (!strcmp(table->kernels[i]->id, id)) return table->kernels[i];
  return NULL;
}
