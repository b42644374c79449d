/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The claims of a lesson's step: read from "rmse{views=45} > 2 * rmse", and measured. */
#ifndef GANTRY_LESSON_CLAIM_H
#define GANTRY_LESSON_CLAIM_H

#include "app/lesson/lab.h"
#include "app/lesson/lesson.h"

/* claim->check and the step's state are there; fills the rest. CT_ERROR_ARGUMENT with what is allowed. */
bool gantry_claim_parse(gantry_claim *claim, const gantry_lesson_state *own, ct_error **error);
void gantry_claim_clear(gantry_claim *claim);

/* What a claim came to. */
typedef struct gantry_finding {
  bool holds;
  double left, right; /* measured, without factors; 1 of a number */
} gantry_finding;

/* "RMSE 0.0123 1/mm with views=45; RMSE 0.0031 1/mm". Returns text. */
char *gantry_finding_text(const gantry_claim *claim, const gantry_finding *finding, char *text, size_t size);

/* Measures both sides. False: it cannot be measured, or CT_ERROR_CANCELLED. */
bool gantry_claim_check(const gantry_claim *claim, const gantry_lesson_state *own, gantry_lesson_lab *lab,
                        gantry_finding *finding, ct_job *job, ct_error **error);

#endif
