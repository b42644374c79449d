/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stack of projections in memory, [view][v][u]. */
#include "recon/data/stack.h"

#include "recon/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct ct_stack {
  int nu, nv, views;
  float *data;
};

ct_stack *ct_stack_new(int nu, int nv, int views, ct_error **error) {
  size_t bytes;
  if (nu < 1 || nv < 1 || views < 1) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "A stack of projections cannot be %d x %d in %d views.", nu, nv, views);
    return NULL;
  }
  if (!ct_size_product(nu, nv, views, sizeof(float), &bytes)) {
    ct_error_set(error, CT_ERROR_MEMORY, "%d projections of %d x %d pixels are more than this machine can address.",
                 views, nu, nv);
    return NULL;
  }
  ct_stack *stack = malloc(sizeof *stack);
  if (!stack) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the projections.");
    return NULL;
  }
  *stack = (ct_stack){nu, nv, views, ct_alloc(bytes / sizeof(float), sizeof(float), "the projections", error)};
  if (stack->data) return stack;
  free(stack);
  return NULL;
}

ct_stack *ct_stack_dup(const ct_stack *stack, ct_error **error) {
  ct_stack *copy = ct_stack_new(stack->nu, stack->nv, stack->views, error);
  if (copy) memcpy(copy->data, stack->data, ct_stack_bytes(stack));
  return copy;
}

void ct_stack_free(ct_stack *stack) {
  if (!stack) return;
  ct_free(stack->data);
  free(stack);
}

int ct_stack_nu(const ct_stack *stack) {
  return stack->nu;
}
int ct_stack_nv(const ct_stack *stack) {
  return stack->nv;
}
int ct_stack_views(const ct_stack *stack) {
  return stack->views;
}

static size_t view_size(const ct_stack *stack) {
  return (size_t)stack->nu * (size_t)stack->nv;
}

size_t ct_stack_bytes(const ct_stack *stack) {
  return view_size(stack) * (size_t)stack->views * sizeof(float);
}
float *ct_stack_data(ct_stack *stack) {
  return stack->data;
}
float *ct_stack_view(ct_stack *stack, int view) {
  return stack->data + view_size(stack) * (size_t)view;
}
const float *ct_stack_get_view(const ct_stack *stack, int view) {
  return stack->data + view_size(stack) * (size_t)view;
}

void ct_stack_drop_views(ct_stack *stack, const bool *dropped) {
  int kept = 0;
  for (int view = 0; view < stack->views; view++) {
    if (dropped[view]) continue;
    if (kept < view)
      memcpy(ct_stack_view(stack, kept), ct_stack_get_view(stack, view), view_size(stack) * sizeof(float));
    kept++;
  }
  stack->views = kept;
}
