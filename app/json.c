/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON on standard output. */
#include "app/json.h"
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *gantry_json_real(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *gantry_json_text(const char *text) {
  json_t *value = text ? json_string(text) : NULL;
  char *utf8 = text && !value ? ct_path_to_utf8(text, NULL) : NULL;
  if (utf8) value = json_string(utf8);
  ct_free(utf8);
  return value ? value : json_null();
}

void gantry_json_add_grid(json_t *object, const ct_grid *grid) {
  json_object_set_new(object, "size", json_pack("[i,i,i]", grid->nx, grid->ny, grid->nz));
  json_object_set_new(object, "voxel_mm", json_pack("[f,f,f]", grid->dx, grid->dy, grid->dz));
  json_object_set_new(object, "origin_mm", json_pack("[f,f,f]", grid->x0, grid->y0, grid->z0));
}

json_t *gantry_json_beams(unsigned traits) {
  json_t *list = json_array();
  int count;
  const ct_beam_kind *kinds = ct_beam_kinds(&count);
  for (int i = 0; i < count; i++)
    if (ct_beam_promises(kinds[i].beam, traits)) json_array_append_new(list, json_string(kinds[i].id));
  return list;
}

bool gantry_json_print(json_t *root, ct_error **error) {
  char *text = root ? ct_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(root);
  if (!text) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to print the result.");
  puts(text);
  free(text);
  return true;
}
