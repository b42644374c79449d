/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks of a window and the unit that its values are told in, as a JSON list for files that keep a workspace:
 * [{"kind", "name", "plane", "position", "points", "thickness"}, ...,
 * {"kind": "scale", "factor", "offset", "unit"}]. Numbers at full precision. */
#pragma once

#include "app/json.h"
#include "ui/display.h"

G_BEGIN_DECLS

/* A new list; the scale is there where values are not told in the volume's own unit. */
json_t *gantry_marks_to_json(GantryDisplay *display);
/* Takes the place of all marks, which undo brings back, and of the unit. Damaged or foreign: CT_ERROR_DATA with the
 * mark that is at fault, and nothing changes. Members that are not known are passed over. */
gboolean gantry_marks_from_json(GantryDisplay *display, const json_t *json, ct_error **error);

G_END_DECLS
