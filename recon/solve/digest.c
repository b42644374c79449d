/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FNV-1a over values. */
#include "recon/solve/digest.h"

#include <math.h>
#include <string.h>

static const uint64_t basis = 0xcbf29ce484222325u;

uint64_t ct_digest(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}

static uint64_t add_param(uint64_t hash, const ct_plan *plan, const ct_param *param) {
  hash = ct_digest(hash, param->key, strlen(param->key) + 1);
  if (param->type == CT_PARAM_TEXT) {
    const char *text = (const char *)plan + param->offset;
    return ct_digest(hash, text, strlen(text) + 1);
  }
  const double value = ct_param_get_number(plan, param);
  /* One form for automatic, and one zero: equal values have equal bytes. */
  const double number = isnan(value) ? NAN : value == 0 ? 0 : value;
  return ct_digest(hash, &number, sizeof number);
}

static uint64_t plan_digest(const ct_plan *plan, ct_plan_stage first, ct_plan_stage last) {
  size_t count;
  const ct_param *params = ct_params(&count);
  uint64_t hash = basis;
  for (size_t i = 0; i < count; i++)
    if (params[i].stage >= first && params[i].stage <= last) hash = add_param(hash, plan, params + i);
  return hash;
}

uint64_t ct_plan_digest(const ct_plan *plan, ct_plan_stage stage) {
  return plan_digest(plan, CT_PLAN_INTEGRALS, stage);
}

uint64_t ct_plan_stage_digest(const ct_plan *plan, ct_plan_stage stage) {
  return plan_digest(plan, stage, stage);
}

uint64_t ct_geometry_digest(const ct_geometry *g, bool with_centre) {
  const int counts[] = {(int)g->beam, g->nu, g->nv, g->views, (int)g->narrow_side, g->stops};
  const double sizes[] = {g->du, g->dv, g->sod, g->sdd, g->feed, g->height, g->begin},
               centre[] = {g->centre_u, g->centre_v, g->tilt};
  uint64_t hash = ct_digest(basis, counts, sizeof counts);
  hash = ct_digest(hash, sizes, sizeof sizes);
  if (with_centre) hash = ct_digest(hash, centre, sizeof centre);
  if (g->angles) hash = ct_digest(hash, g->angles, (size_t)g->views * sizeof(double));
  if (g->matrices) hash = ct_digest(hash, g->matrices, 12 * (size_t)g->views * sizeof(double));
  return hash;
}
