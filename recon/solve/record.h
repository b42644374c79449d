/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a result carries besides its voxels: how it was made, from what, and what makes its numbers doubtful. It is a
 * plan's JSON with more members, so that a result can be given wherever a plan is read. */
#ifndef CT_SOLVE_RECORD_H
#define CT_SOLVE_RECORD_H

#include "recon/base/value-scale.h"
#include "recon/base/warnings.h"
#include "recon/solve/plan.h"

typedef struct ct_record {
  const ct_plan *plan;
  const ct_identity *identity; /* NULL: unknown */
  const ct_plan *resolved;     /* with what the automatic values came to; NULL: not told */
  const ct_named_scale *scale; /* of its values, NULL or without a unit: none */
  bool in_pixels;              /* lengths are px and values 1/px: ct_plan_in_pixels */
  const char *centre_how;      /* "found by comparing opposite views"; NULL: not told */
  double centre_confidence;    /* 0..1; NaN: none */
  const ct_warnings *warnings; /* NULL: not a result's */
} ct_record;

/* JSON text (ct_free). */
char *ct_record_to_json(const ct_record *record, ct_error **error);
/* The warnings in such a text; none where it tells none. CT_ERROR_FORMAT where it is no JSON. */
bool ct_record_read_warnings(const char *json, ct_warnings *warnings, ct_error **error);

/* The plan of such a text, the same with its automatic values replaced by what they came to (as far as it tells), and
 * how the centre was found, new text (ct_free), NULL where it does not tell. */
bool ct_record_read_resolved(const char *json, ct_plan *plan, ct_plan *resolved, char **centre_how, ct_error **error);

/* Lines "TITLE (KEY): VALUE OF A, VALUE OF B" of the values in use that differ between two records and change voxels.
 * asked: those that both plans ask for; else those that one of them at least left to the program, the centre that was
 * found among them. New text (ct_free), empty where nothing differs; NULL with an error. */
char *ct_record_differences(const char *a, const char *b, bool asked, ct_error **error);

#endif
