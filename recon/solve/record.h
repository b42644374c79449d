/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a result carries besides its voxels: how it was made, from what, and what makes its numbers doubtful. It is a
 * plan's JSON with more members, so that a result can be given wherever a plan is read. */
#ifndef CT_SOLVE_RECORD_H
#define CT_SOLVE_RECORD_H

#include "recon/base/warnings.h"
#include "recon/solve/plan.h"

typedef struct ct_record {
  const ct_plan *plan;
  const ct_identity *identity; /* NULL: unknown */
  const ct_warnings *warnings; /* NULL: not a result's */
} ct_record;

/* JSON text (ct_free). */
char *ct_record_to_json(const ct_record *record, ct_error **error);
/* The warnings in such a text; none where it tells none. CT_ERROR_FORMAT where it is no JSON. */
bool ct_record_read_warnings(const char *json, ct_warnings *warnings, ct_error **error);

#endif
