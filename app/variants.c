/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plans of a grid of parameter values. */
#include "app/variants.h"

#include "recon/base/memory.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

enum { VALUE = CT_PLAN_TEXT };

/* The n-th value of "KEY=A,B,C"; false behind the last. An empty one is a value too: the plan refuses it. */
static bool value_at(const char *axis, size_t n, char value[VALUE]) {
  const char *from = strchr(axis, '=') + 1;
  for (size_t i = 0; i < n; i++) {
    from = strchr(from, ',');
    if (!from) return false;
    from++;
  }
  const size_t length = strcspn(from, ",");
  snprintf(value, VALUE, "%.*s", (int)(length < VALUE ? length : VALUE - 1), from);
  return true;
}

/* The parameter in which two plans differ; NULL: none. */
static const ct_param *changed(const ct_plan *a, const ct_plan *b) {
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++)
    if (!ct_param_equal(a, b, &params[i])) return &params[i];
  return NULL;
}

/* The parameter that a key stands for; a short one is told by the values, of which one at least changes the plan. */
static const ct_param *param_of(const ct_plan *base, const char *key, const char *axis) {
  const ct_param *param = ct_param_find(key);
  char value[VALUE];
  for (size_t n = 0; !param && value_at(axis, n, value); n++) {
    ct_plan plan = *base;
    if (ct_plan_set_text(&plan, key, value, NULL)) param = changed(base, &plan);
  }
  return param;
}

static bool read_axis(gantry_variants *v, const char *axis, ct_error **error) {
  char key[CT_PLAN_TEXT], value[VALUE];
  const char *equals = strchr(axis, '=');
  if (!equals || equals == axis || (size_t)(equals - axis) >= sizeof key)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "An axis is KEY=A,B,C, not \"%s\".", axis);
  snprintf(key, sizeof key, "%.*s", (int)(equals - axis), axis);
  size_t values = 0;
  for (; value_at(axis, values, value); values++) {
    ct_plan plan = v->base;
    if (ct_plan_set_text(&plan, key, value, error)) continue;
    ct_error_prefix(error, "%s", axis);
    return false;
  }
  const ct_param *param = param_of(&v->base, key, axis);
  if (param && param->stage == CT_PLAN_FILE)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: %s changes the file alone.", axis, param->key);
  if (param && param->offset == offsetof(ct_plan, device))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "%s: all variants run on one device; vary reconstruction.kernel instead.", axis);
  if (param && gantry_variants_vary(v, param))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: %s varies already.", axis, param->key);
  v->axes[v->axis_count++] = (gantry_axis){param, values};
  return true;
}

static bool has_plan(const gantry_variants *v, const ct_plan *plan) {
  for (size_t i = 0; i < v->count; i++)
    if (!ct_plans_differ(&v->rows[i].plan, plan)) return true;
  return false;
}

static bool set_plan(const gantry_variants *v, const char *const axes[], size_t combination, ct_plan *plan,
                     ct_error **error) {
  *plan = v->base;
  for (size_t i = v->axis_count; i-- > 0;) {
    char key[CT_PLAN_TEXT], value[VALUE];
    snprintf(key, sizeof key, "%.*s", (int)(strchr(axes[i], '=') - axes[i]), axes[i]);
    value_at(axes[i], combination % v->axes[i].values, value);
    combination /= v->axes[i].values;
    if (!ct_plan_set_text(plan, key, value, error)) return false;
  }
  return true;
}

static bool make_names(gantry_variants *v, ct_error **error) {
  const ct_plan **plans = ct_alloc(v->count, sizeof *plans, "the variants", error);
  char(*names)[CT_PLAN_NAME] = ct_alloc(v->count, sizeof *names, "the variants", error);
  const bool good = plans && names;
  for (size_t i = 0; good && i < v->count; i++) plans[i] = &v->rows[i].plan;
  if (good) ct_plan_names(plans, v->count, names);
  for (size_t i = 0; good && i < v->count; i++) memcpy(v->rows[i].name, names[i], CT_PLAN_NAME);
  ct_free(plans);
  ct_free(names);
  return good;
}

static bool make_rows(gantry_variants *v, const char *const axes[], ct_error **error) {
  size_t all = 1;
  for (size_t i = 0; i < v->axis_count; i++)
    if (!ct_size_multiply(all, v->axes[i].values, &all) || all > GANTRY_VARIANTS_MOST)
      return ct_error_set(error, CT_ERROR_ARGUMENT, "These are more than %d variants.", GANTRY_VARIANTS_MOST);
  v->rows = ct_alloc_zero(all, sizeof *v->rows, "the variants", error);
  if (!v->rows) return false;
  for (size_t i = 0; i < all; i++) {
    ct_plan plan;
    if (!set_plan(v, axes, i, &plan, error)) return false;
    if (has_plan(v, &plan))
      v->repeated++;
    else
      v->rows[v->count++].plan = plan;
  }
  return make_names(v, error);
}

bool gantry_variants_init(gantry_variants *variants, const ct_plan *base, const char *const axes[], size_t count,
                          ct_error **error) {
  *variants = (gantry_variants){.base = *base};
  if (count > GANTRY_AXES_MOST)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "At most %d parameters can vary at a time.", GANTRY_AXES_MOST);
  bool good = true;
  for (size_t i = 0; good && i < count; i++) good = read_axis(variants, axes[i], error);
  good = good && make_rows(variants, axes, error);
  if (!good) gantry_variants_clear(variants);
  return good;
}

void gantry_variants_clear(gantry_variants *variants) {
  for (size_t i = 0; i < variants->count; i++) ct_free(variants->rows[i].reason);
  ct_free(variants->rows);
  *variants = (gantry_variants){0};
}

bool gantry_variants_vary(const gantry_variants *variants, const ct_param *param) {
  for (size_t i = 0; i < variants->axis_count; i++)
    if (variants->axes[i].param == param) return true;
  return false;
}

bool gantry_variants_failed(const gantry_variants *variants) {
  for (size_t i = 0; i < variants->count; i++)
    if (variants->rows[i].state == GANTRY_VARIANT_FAILED) return true;
  return false;
}
