/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stack of projections in memory: float32 [view][v][u], u fastest. */
#ifndef CT_DATA_STACK_H
#define CT_DATA_STACK_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_stack ct_stack;

/* Contents undefined. CT_ERROR_MEMORY names the size. */
ct_stack *ct_stack_new(int nu, int nv, int views, ct_error **error);
ct_stack *ct_stack_dup(const ct_stack *stack, ct_error **error);
void ct_stack_free(ct_stack *stack);

int ct_stack_nu(const ct_stack *stack);
int ct_stack_nv(const ct_stack *stack);
int ct_stack_views(const ct_stack *stack);
size_t ct_stack_bytes(const ct_stack *stack);
float *ct_stack_data(ct_stack *stack);
float *ct_stack_view(ct_stack *stack, int view);
const float *ct_stack_get_view(const ct_stack *stack, int view);

/* Takes out the views that are marked, [views]; at least one stays. */
void ct_stack_drop_views(ct_stack *stack, const bool *dropped);

#endif
