/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings as files: what is drawn in points becomes a PNG picture, an SVG or a PDF drawing, as the name of the file
 * says, whole or not at all. */
#pragma once

#include <gtk/gtk.h>

#include "recon/base/error.h"

G_BEGIN_DECLS

#define GANTRY_POINTS_PER_MM (72 / 25.4)
/* Of pictures on paper: 300 dots per inch. */
#define GANTRY_DOTS_PER_POINT (300 / 72.0)

typedef struct {
  const char *what;     /* for messages: "plot" */
  double width, height; /* points */
  double dots;          /* of a PNG, per point */
  void (*draw)(gpointer user, cairo_t *cr, double width, double height);
  gpointer user;
} GantryDrawing;

gboolean gantry_drawing_save(const GantryDrawing *drawing, const char *path, ct_error **error);
/* For letters on paper, whose size does not hang on the screen (g_object_unref). font: "Sans 9.3". */
PangoContext *gantry_paper_context_new(const char *font);

G_END_DECLS
