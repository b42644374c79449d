/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of a family of kernels, cone or parallel, that differ in their setting. */
#ifndef CTGL_COMPUTE_SETTING_MACROS_PRIVATE_H
#define CTGL_COMPUTE_SETTING_MACROS_PRIVATE_H

#include "render/compute/state-private.h"

#define CTGL_SETTING(family, n, ...) static const ctgl_##family##_setting setting_##n = {__VA_ARGS__};

/* The functions of descriptors whose `setting` is one of the family's. */
#define CTGL_FAMILY(family)                                                                                            \
  static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {                    \
    return ctgl_##family##_accepts(kernel->setting, request, error);                                                   \
  }                                                                                                                    \
  static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {                                     \
    return ctgl_##family##_memory(kernel->setting, request);                                                           \
  }                                                                                                                    \
  static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {            \
    return ctgl_##family##_prepare(kernel->setting, request, error);                                                   \
  }

#define CTGL_STATE_FUNCTIONS                                                                                           \
  .gpu = true, .ramps = true, .rank = CTGL_RANK_BY_NAME, .run = ctgl_state_run, .finish = ctgl_state_finish,           \
  .read_plane = ctgl_state_read_plane, .read_oblique = ctgl_state_read_oblique, .free = ctgl_state_free

#define CTGL_FUNCTIONS(n)                                                                                              \
  CTGL_STATE_FUNCTIONS, .setting = &setting_##n, .accepts = accepts, .memory = memory, .prepare = prepare

/* Below every kernel of the processor: `auto` takes a card's tuned kernels alone, and nothing drawn in software. */
#define CTGL_RANK_BY_NAME (-1)
/* Above them. */
#define CTGL_RANK_CARD 1000

/* The texture unit keeps 8 bits of the position between two pixels (OpenGL asks for no more), so that positions are off
 * by s = 2^-9 / sqrt(3) RMS along u and along v. On white noise, the worst case, and on a pixel alone the relative RMSE
 * is then sqrt(3) s = 2.0e-3 along one of them and sqrt(6) s = 2.8e-3 along both. */
#define CTGL_TEXTURE_TOLERANCE 3e-3

#endif
