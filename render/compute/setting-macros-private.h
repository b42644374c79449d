/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A descriptor's functions carry no user pointer: each setting of a family of kernels gets three small functions of its
 * own. FAMILY is cone or parallel. */
#ifndef CTGL_COMPUTE_SETTING_MACROS_PRIVATE_H
#define CTGL_COMPUTE_SETTING_MACROS_PRIVATE_H

#include "render/compute/state-private.h"

#define CTGL_SETTING(family, n, ...)                                                                                   \
  static const ctgl_##family##_setting setting_##n = {__VA_ARGS__};                                                    \
  static bool accepts_##n(const ct_bp_request *request, ct_error **error) {                                            \
    return ctgl_##family##_accepts(&setting_##n, request, error);                                                      \
  }                                                                                                                    \
  static size_t memory_##n(const ct_bp_request *request) {                                                             \
    return ctgl_##family##_memory(&setting_##n, request);                                                              \
  }                                                                                                                    \
  static ct_bp_state *prepare_##n(const ct_bp_request *request, ct_error **error) {                                    \
    return ctgl_##family##_prepare(&setting_##n, request, error);                                                      \
  }

#define CTGL_FUNCTIONS(n)                                                                                              \
  .gpu = true, .rank = CTGL_RANK_BY_NAME, .accepts = accepts_##n, .memory = memory_##n, .prepare = prepare_##n,        \
  .run = ctgl_state_run, .finish = ctgl_state_finish, .read_plane = ctgl_state_read_plane,                             \
  .read_oblique = ctgl_state_read_oblique, .free = ctgl_state_free

/* Below every kernel of the processor: `auto` takes a card's tuned kernels alone, and nothing drawn in software. */
#define CTGL_RANK_BY_NAME (-1)
/* Above them. */
#define CTGL_RANK_CARD 1000

/* The texture unit keeps 8 bits of the position between two pixels (OpenGL asks for no more): half a step of 1/256 of a
 * pixel. On white noise, the worst case, that is this relative RMSE. */
#define CTGL_TEXTURE_TOLERANCE 2e-3

#endif
