/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Regions" and the commands about marks. Owns the page; the marks are the display's. */
#pragma once

#include "ui/marks/page.h"
#include "ui/window/messages.h"
#include "ui/window/plots.h"
#include "ui/window/quad.h"

G_BEGIN_DECLS

typedef struct {
  GtkWidget *window;
  GantryDisplay *display;
  GantryPlots *plots;
  GantryQuad *quad;
  GantryMessages *messages;
} GantryMarksPartParts;

typedef struct _GantryMarksPart GantryMarksPart;
/* Adds the actions draw-mark, mark-next, mark-previous, mark-there, remove-mark, remove-marks, undo-mark, copy-marks,
 * save-marks and show-marks; the parts are borrowed. */
GantryMarksPart *gantry_marks_part_new(const GantryMarksPartParts *parts);
void gantry_marks_part_free(GantryMarksPart *self);
/* The window is gone. */
void gantry_marks_part_stop(GantryMarksPart *self);
/* In an idle moment. */
void gantry_marks_part_refresh(GantryMarksPart *self, gboolean has_b);

G_END_DECLS
