/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of CPU back-projection kernels, and the choice among kernels of any table. */
#include "recon/bp/interp-private.h"
#include "recon/bp/kernels-private.h"

#include "recon/base/machine.h"

#include <stdio.h>
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
  &ct_bp_differences[2],
  &ct_bp_differences[3],
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

const char *ct_precision_id(ct_precision precision) {
  switch (precision) {
  case CT_PRECISION_FLOAT16:
    return "float16";
  case CT_PRECISION_INT16:
    return "int16";
  case CT_PRECISION_FLOAT64:
    return "float64";
  case CT_PRECISION_FLOAT32:
    break;
  }
  return "float32";
}

const ct_bp_kernel *ct_bp_find(const ct_bp_table *table, const char *id) {
  for (size_t i = 0; i < table->count; i++)
    if (!strcmp(table->kernels[i]->id, id)) return table->kernels[i];
  return NULL;
}

static bool check_request(const ct_bp_request *request, ct_error **error) {
  if (!request->geometry) return ct_error_set(error, CT_ERROR_ARGUMENT, "The back-projection has no geometry.");
  if (request->threads < 1 || request->batch < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The back-projection needs at least one thread and one view at a time.");
  return ct_grid_check(&request->grid, error);
}

/* Brief: 2^34 updates, half a second or so of the kernels that ask for more than 64 views. */
int ct_bp_batch_views(const ct_bp_kernel *kernel, const ct_grid *grid) {
  enum { usual = 64 };
  const double brief = 17179869184.0 / (double)ct_grid_voxels(grid);
  if (!kernel || kernel->batch <= usual || brief <= usual) return usual;
  return brief < kernel->batch ? (int)brief : kernel->batch;
}

static const char *missing_instructions(unsigned missing) {
  if (missing & CT_CPU_AVX512_VBMI) return "AVX-512 VBMI";
  if (missing & CT_CPU_AVX512_VNNI) return "AVX-512 VNNI";
  if (missing & CT_CPU_AVX512) return "AVX-512";
  return "AVX2 with FMA";
}

bool ct_bp_accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  if (!check_request(request, error)) return false;
  const unsigned missing = kernel->cpu & ~ct_cpu_features();
  if (missing)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” needs a processor with %s.", kernel->title,
                        missing_instructions(missing));
  if (kernel->gpu && !request->device)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Kernel “%s” needs a graphics device with OpenGL 4.3; choose one, or another kernel.",
                        kernel->title);
  if (!(kernel->beams & CT_BIT(request->geometry->beam)))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” does not serve this geometry: %s.", kernel->title,
                        ct_beam_title(request->geometry->beam));
  if (!(kernel->interps & CT_BIT(request->interp)))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” does not interpolate this way: %s.", kernel->title,
                        ct_interp_get_shape(request->interp)->title);
  if (!(kernel->precisions & CT_BIT(request->precision)))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” does not calculate in %s.", kernel->title,
                        ct_precision_id(request->precision));
  return !kernel->accepts || kernel->accepts(request, error);
}

int ct_bp_rank(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return kernel->rank_for ? kernel->rank_for(request) : kernel->rank;
}

static const ct_bp_kernel *choose_best(const ct_bp_table *table, const ct_bp_request *request) {
  const ct_bp_kernel *best = NULL;
  int highest = 0;
  for (size_t i = 0; i < table->count; i++) {
    const ct_bp_kernel *kernel = table->kernels[i];
    if (!ct_bp_accepts(kernel, request, NULL)) continue;
    const int rank = ct_bp_rank(kernel, request);
    if (!best || rank > highest) best = kernel, highest = rank;
  }
  return best;
}

/* The instructions for want of which a kernel does not serve a request that it is made for; 0: none is. */
static unsigned missing_for(const ct_bp_table *table, const ct_bp_request *request) {
  const unsigned here = ct_cpu_features();
  for (size_t i = 0; i < table->count; i++) {
    const ct_bp_kernel *kernel = table->kernels[i];
    if ((kernel->cpu & ~here) && (kernel->beams & CT_BIT(request->geometry->beam)) &&
        (kernel->interps & CT_BIT(request->interp)) && (kernel->precisions & CT_BIT(request->precision)) &&
        (!kernel->accepts || kernel->accepts(request, NULL)))
      return kernel->cpu & ~here;
  }
  return 0;
}

const ct_bp_kernel *ct_bp_choose(const ct_bp_table *table, const char *id, const ct_bp_request *request, char *why,
                                 size_t why_size, ct_error **error) {
  if (why && why_size) *why = 0;
  if (id && strcmp(id, "auto")) {
    const ct_bp_kernel *kernel = ct_bp_find(table, id);
    if (!kernel) {
      ct_error_set(error, CT_ERROR_ARGUMENT, "There is no back-projection kernel named “%s”.", id);
      return NULL;
    }
    if (!ct_bp_accepts(kernel, request, error)) return NULL;
    if (why) snprintf(why, why_size, "%s, as chosen.", kernel->title);
    return kernel;
  }
  if (!check_request(request, error)) return NULL;
  const ct_bp_kernel *best = choose_best(table, request);
  if (!best) {
    const unsigned missing = missing_for(table, request);
    ct_bp_request single = *request;
    single.precision = CT_PRECISION_FLOAT32;
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "No back-projection kernel serves %s with %s interpolation in %s%s%s.%s",
                 ct_beam_title(request->geometry->beam), ct_interp_id(request->interp),
                 ct_precision_id(request->precision), missing ? " here: that needs a processor with " : "",
                 missing ? missing_instructions(missing) : "",
                 choose_best(table, &single) ? " Choose single precision." : "");
    return NULL;
  }
  if (why)
    snprintf(why, why_size, "%s: the fastest on this machine for %s, %d x %d x %d voxels, %s interpolation, %s.",
             best->title, ct_beam_title(request->geometry->beam), request->grid.nx, request->grid.ny, request->grid.nz,
             ct_interp_id(request->interp), ct_precision_id(request->precision));
  return best;
}
