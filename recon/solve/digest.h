/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Digests that tell what has to be made again after a change: of a plan's parameters by the stage from which they
 * count, which the plan table states, and of a geometry. */
#ifndef CT_SOLVE_DIGEST_H
#define CT_SOLVE_DIGEST_H

#include "recon/solve/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of all parameters that count up to the end of a stage: equal digests, equal products. */
uint64_t ct_plan_digest(const ct_plan *plan, ct_plan_stage stage);
/* Of this stage's parameters alone, for products that take those of earlier stages as values (a geometry, a centre). */
uint64_t ct_plan_stage_digest(const ct_plan *plan, ct_plan_stage stage);

/* Of a geometry; centre and tilt are left out when `with_centre` is false. */
uint64_t ct_geometry_digest(const ct_geometry *geometry, bool with_centre);
/* Adds bytes to a digest. The bytes of a struct with gaps are no value. */
uint64_t ct_digest(uint64_t seed, const void *data, size_t bytes);

#endif
