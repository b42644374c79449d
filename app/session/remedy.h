/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the banner offers where a plan cannot be carried out, as changes of that plan. Owns nothing: plain functions of
 * values. */
#pragma once

#include <glib.h>

#include "recon/solve/pipeline.h"
#include "recon/solve/plan.h"

G_BEGIN_DECLS

/* The fastest kernel and projector of the processor, where one of a graphics device was chosen. */
void gantry_remedy_processor(ct_plan *plan, const ct_backend *backend);
/* The automatic choice. */
void gantry_remedy_kernel(ct_plan *plan, const ct_backend *backend);
void gantry_remedy_projector(ct_plan *plan, const ct_backend *backend);
/* Bad pixels become the median of their neighbours. */
void gantry_remedy_outliers(ct_plan *plan, const ct_backend *backend);
/* What the estimate suggests: coarser pixels, else a smaller grid; nothing where it suggests neither. */
void gantry_remedy_advice(ct_plan *plan, const ct_estimate *estimate);

G_END_DECLS
