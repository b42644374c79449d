/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic RabbitCT data. */
#ifndef GANTRY_BENCH_RABBITCT_PRIVATE_H
#define GANTRY_BENCH_RABBITCT_PRIVATE_H

#include "recon/base/job.h"
#include "recon/data/stack.h"
#include "recon/geom/geometry.h"

/* Synthetic RabbitCT data: a C-arm's irregular orbit of 200 degrees about the 3-D Shepp-Logan phantom, projections
 * weighted and filtered. `detector` columns (1248 are the real one's), 10/13 as many rows. */
bool bench_make_rabbitct(int detector, int views, int threads, ct_job *job, ct_geometry *geometry, ct_stack **stack,
                         ct_error **error);
extern const float bench_rabbitct_scale[2];

#endif
