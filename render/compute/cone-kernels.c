/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ladder of GPU kernels for 3x4 matrices: RapidRabbit (Papenhausen, Zheng and Mueller 2011) from the formula to four
 * views a pass. Each rung is a setting of cone.comp. */
#include "render/compute/cone-private.h"
#include "render/compute/kernels-private.h"

/* The texture unit keeps 8 bits of the position between two pixels (OpenGL asks for no more): half a step of 1/256 of a
 * pixel. On white noise, the worst case, that is this relative RMSE. */
#define TEXTURE_TOLERANCE 2e-3

#define SETTING(n, ...)                                                                                                \
  static const ctgl_cone_setting setting_##n = {__VA_ARGS__};                                                          \
  static bool accepts_##n(const ct_bp_request *request, ct_error **error) {                                            \
    return ctgl_cone_accepts(&setting_##n, request, error);                                                            \
  }                                                                                                                    \
  static size_t memory_##n(const ct_bp_request *request) {                                                             \
    return ctgl_cone_memory(&setting_##n, request);                                                                    \
  }                                                                                                                    \
  static ct_bp_state *prepare_##n(const ct_bp_request *request, ct_error **error) {                                    \
    return ctgl_cone_prepare(&setting_##n, request, error);                                                            \
  }

SETTING(naive, .views = 1, .voxels = 1, .block_x = 16, .block_y = 16)
SETTING(texture, .texture = true, .views = 1, .voxels = 1, .block_x = 16, .block_y = 16)
SETTING(four, .texture = true, .views = 4, .voxels = 1, .block_x = 16, .block_y = 16)

#define COMMON(n)                                                                                                      \
  .accepts = accepts_##n, .memory = memory_##n, .prepare = prepare_##n, .run = ctgl_cone_run,                          \
  .finish = ctgl_cone_finish, .read_plane = ctgl_cone_read_plane, .free = ctgl_cone_free,                              \
  .beams = CT_BIT(CT_BEAM_PARALLEL) | CT_BIT(CT_BEAM_FAN) | CT_BIT(CT_BEAM_CONE) | CT_BIT(CT_BEAM_FREE),               \
  .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR)

const ct_bp_kernel ctgl_bp_cone[CTGL_CONE_KERNELS] = {
    {COMMON(naive), .id = "gl-naive", .title = "GPU, straight", .precisions = CT_BIT(CT_PRECISION_FLOAT32),
     .tolerance = 1e-5,
     .explanation = "One thread a voxel, one view a pass; projections lie in a buffer and the four pixels are read and "
                    "weighted by the formula. The “naive” kernel of RapidRabbit (Papenhausen et al. 2011)."},
    {COMMON(texture), .id = "gl-texture", .title = "GPU, texture unit",
     .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16), .tolerance = TEXTURE_TOLERANCE,
     .explanation = "The projection is a texture and the card's texture unit interpolates: one fetch instead of four "
                    "reads, through a cache made for pictures, at 8 bits of position between pixels. The “ASIC” kernel "
                    "of RapidRabbit (2011)."},
    {COMMON(four), .id = "gl-four-views", .title = "GPU, four views a pass",
     .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16), .tolerance = TEXTURE_TOLERANCE,
     .explanation = "Four views are summed in a register before the voxel is read and written: a quarter of the memory "
                    "traffic. The “fully optimized” kernel of RapidRabbit (2011)."},
};
