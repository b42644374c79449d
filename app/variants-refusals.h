/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a variant cannot do, told before it is run. */
#ifndef GANTRY_VARIANTS_REFUSALS_H
#define GANTRY_VARIANTS_REFUSALS_H

#include "app/variants-run.h"

/* Whether the plan can be carried out with this scan, as far as plan, scan and kernels tell: false with the words that
 * its run would fail with. Nothing is read or allocated. device: a graphics device will be there that the backend does
 * not have; its kernels and projectors are not asked. */
bool gantry_variant_serves(const ct_plan *plan, const gantry_variants_request *request, const ct_scan *scan,
                           const ct_backend *backend, bool device, ct_error **error);

#endif
