/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projectors whose blocks hold several views, which a symmetry ties together. */
#ifndef CT_FP_BLOCKS_H
#define CT_FP_BLOCKS_H

#include "recon/fp/projector.h"

/* Most views of such a block. */
enum { CT_BLOCK_VIEWS = 8 };
bool ct_projector_ties_views(const ct_projector *projector);

#endif
