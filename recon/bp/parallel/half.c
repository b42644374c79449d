/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, up to 64 slices interleaved, tables in half precision, widened to single by the processor's own
 * instruction (F16C, AVX-512), in portable vectors by integer arithmetic: Chilingaryan et al. (2019), sections 5.3 and
 * 6.7, on the CPU. */
#include "recon/bp/parallel/half-loops-private.h"
#include "recon/geom/questions.h"

static const ct_parallel_technique technique_8 = {.least = 8,
                                                  .slices = ct_parallel_slices,
                                                  .samples = 1,
                                                  .entry = sizeof(uint16_t),
                                                  .encode = ct_parallel_encode_half};
static const ct_parallel_technique technique_16 = {.least = 16,
                                                   .slices = ct_parallel_slices,
                                                   .samples = 1,
                                                   .entry = sizeof(uint16_t),
                                                   .encode = ct_parallel_encode_half};

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const ct_half_loops *loops = ct_simd_loops_usable(&kernel->loops);
  ct_bp_state *state = ct_parallel_prepare(kernel, request, error);
  if (state) state->add = loops->add;
  return state;
}

#define TECHNIQUE_AVX512 &technique_16
#define TECHNIQUE_AVX2 &technique_8
#define TECHNIQUE_PORTABLE_8 &technique_8
#define TECHNIQUE_PORTABLE_16 &technique_16
#define WIDENED_AVX512 "by the processor's own instruction"
#define WIDENED_AVX2 "by the processor's own instruction"
#define WIDENED_PORTABLE_8 "by integer arithmetic"
#define WIDENED_PORTABLE_16 "by integer arithmetic"
/* The tolerance is that of a filtered scan: the samples' rounding alone, 2^-11 / sqrt 3 in the mean square at worst. */
#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "half-64" id_end,                                                                                             \
   .title = "Half precision, 64 slices" title_end,                                                                     \
   .family = "half-64",                                                                                                \
   .explanation = "Projections stored as 16-bit floats and widened " WIDENED_##kind                                    \
   ", 64 slices interleaved: half the memory, at the price of a conversion for every load (Chilingaryan et al. 2019, " \
   "sections 5.3 and 6.7)." note,                                                                                      \
   .geometry = CT_GEOMETRY_PARALLEL,                                                                                   \
   .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),                                                    \
   .precisions = CT_BIT(CT_PRECISION_FLOAT16),                                                                         \
   CT_SIMD_LOOPS(kind, ct_half_loops),                                                                                 \
   .tolerance = 3e-4,                                                                                                  \
   .accepts = ct_bp_accepts_untilted,                                                                                  \
   .setting = TECHNIQUE_##kind,                                                                                        \
   .memory = ct_parallel_memory,                                                                                       \
   .prepare = prepare,                                                                                                 \
   .run = ct_parallel_run,                                                                                             \
   .rank_for = ct_bp_rank_of_cpu,                                                                                      \
   .free = ct_parallel_free},

const ct_bp_kernel ct_bp_half_64[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};
