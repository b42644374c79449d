/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of CPU back-projection kernels. */
#include "recon/bp/kernels-private.h"

#include <string.h>

/* Of equal ranks the first is taken. */
/* clang-format off */
static const ct_bp_kernel *const cpu_kernels[] = {
  &ct_bp_textbook, &ct_bp_voxel_loop,
  &ct_bp_serial_loop, &ct_bp_slabs, &ct_bp_slabs_two_views, &ct_bp_slabs_unroll_jam,
  &ct_bp_chen[0], &ct_bp_chen[1], &ct_bp_chen[2], &ct_bp_chen[3], &ct_bp_chen[4], &ct_bp_chen[5], &ct_bp_chen[6],
  &ct_bp_plain_slices[0], &ct_bp_plain_slices[1], &ct_bp_plain_slices[2], &ct_bp_plain_slices[3], &ct_bp_plain_slices[4], &ct_bp_plain_slices[5],
  &ct_bp_differences[0], &ct_bp_differences[1], &ct_bp_columns[0], &ct_bp_columns[1],
  &ct_bp_oversampled[0], &ct_bp_oversampled[1], &ct_bp_oversampled[2], &ct_bp_half_4,
  CT_SIMD_FORM_ROWS(ct_bp_matrices),
  CT_SIMD_FORM_ROWS(ct_bp_half_64),
  CT_SIMD_FORM_ROWS(ct_bp_lines),
  CT_SIMD_FORM_ROWS(ct_bp_rectified),
  CT_SIMD_FORM_ROWS(ct_bp_rows),
  CT_SIMD_FORM_ROWS(ct_bp_slices),
  CT_SIMD_FORM_ROWS(ct_bp_taps),
  CT_SIMD_FORM_ROWS(ct_bp_z_window),
  CT_SIMD_X86(&ct_bp_slices_int16[0], &ct_bp_slices_int16[1], &ct_bp_z_window_int16,)
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
