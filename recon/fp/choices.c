/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the models of a ray. */
#include "recon/fp/choices.h"

#include "recon/fp/model/ray-model.h"

const ct_choice ct_model_choices[] = {
    {CT_MODEL_JOSEPH, "joseph", "Linear (Joseph)", NULL},
    {CT_MODEL_SIDDON, "siddon", "Line through pixels (Siddon)", NULL},
    {CT_MODEL_AREA, "area", "Area of the ray's strip", NULL},
    CT_CHOICE_END,
};

const char *ct_model_id(ct_ray_model model) {
  return ct_choice_id(ct_model_choices, (int)model);
}

const char *ct_model_title(ct_ray_model model) {
  return ct_choice_title(ct_model_choices, (int)model);
}
