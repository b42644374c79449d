/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The descriptors of all projectors of graphics cards. */
#ifndef CTGL_COMPUTE_PROJECTORS_PRIVATE_H
#define CTGL_COMPUTE_PROJECTORS_PRIVATE_H

#include "recon/fp/projector.h"

extern const ct_projector ctgl_projector_joseph, ctgl_projector_merge;

enum { CTGL_MATRIX_PROJECTORS = 4 };
extern const ct_projector ctgl_projector_matrix[CTGL_MATRIX_PROJECTORS];

#endif
