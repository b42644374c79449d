/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of a problem, zero at first, which ct_problem_clear frees: an image or rays in the projector's order, or an
 * image in that of a volume. */
#include "recon/base/memory.h"
#include "recon/solve/iterative/solver-private.h"

void *ct_problem_room(ct_problem *p, size_t count, size_t element, ct_error **error) {
  if (p->scratches == CT_SCRATCH) {
    ct_error_set(error, CT_ERROR_MEMORY, "The method asks for more than %d vectors.", CT_SCRATCH);
    return NULL;
  }
  void *room = ct_alloc_zero(count, element, "the iterative method", error);
  if (room) p->scratch[p->scratches++] = room;
  return room;
}

float *ct_problem_image(ct_problem *p, ct_error **error) {
  return ct_problem_room(p, p->shape.image, sizeof(float), error);
}
float *ct_problem_rays(ct_problem *p, ct_error **error) {
  return ct_problem_room(p, p->shape.rays, sizeof(float), error);
}
float *ct_problem_natural(ct_problem *p, ct_error **error) {
  return ct_problem_room(p, ct_grid_voxels(&p->grid), sizeof(float), error);
}
