/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON on standard output: reals at full precision, null for what is not finite. */
#ifndef GANTRY_JSON_H
#define GANTRY_JSON_H

#include "recon/base/error.h"
#include "recon/geom/grid.h"

#include <jansson.h>

json_t *gantry_json_real(double value);
/* Also of what is not UTF-8, as ct_path_to_utf8 writes it; null for NULL. */
json_t *gantry_json_text(const char *text);
/* {"size": [x, y, z], "voxel_mm": [...], "origin_mm": [...]} added to an object; origin: centre of the first voxel. */
void gantry_json_add_grid(json_t *object, const ct_grid *grid);
/* Ids of the kinds of geometry that a kernel or projector serves which relies on these traits. */
json_t *gantry_json_beams(unsigned traits);
/* Prints and releases root (NULL: memory was short). */
bool gantry_json_print(json_t *root, ct_error **error);

#endif
