/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of marks: the cells of the list, and the same as CSV at full precision. */
#pragma once

#include "ui/display.h"

G_BEGIN_DECLS

/* After the name; each has a line of A's numbers, and one of B's where there is a B. */
typedef enum {
  GANTRY_MARK_MEAN,
  GANTRY_MARK_DEVIATION,
  GANTRY_MARK_LEAST,
  GANTRY_MARK_MOST,
  GANTRY_MARK_SIZE, /* area, length or angle */
  GANTRY_MARK_VOXELS,
  GANTRY_MARK_CONTRAST,
  GANTRY_MARK_WIDTH,
  GANTRY_MARK_COLUMNS
} GantryMarkColumn;

typedef struct {
  GantryDisplay *display;
  gboolean has_b;
  guint background; /* the region that contrast to noise is taken against; 0: none */
} GantryMarkTable;

/* Title with the unit, and what it is; g_free. */
char *gantry_mark_column_title(const GantryMarkTable *table, GantryMarkColumn column);
const char *gantry_mark_column_tip(GantryMarkColumn column);
/* g_free; empty where the mark has no such number. */
char *gantry_mark_cell(const GantryMarkTable *table, const GantryMark *mark, GantryMarkColumn column);
/* "ellipse, z = 12.4 mm, slice 75", and below what makes the numbers doubtful, or why there are none; g_free. */
char *gantry_mark_place(const GantryMarkTable *table, const GantryMark *mark);
char *gantry_mark_note(const GantryMarkTable *table, const GantryMark *mark);
/* A line for each mark and result; g_free. */
char *gantry_mark_csv(const GantryMarkTable *table);

G_END_DECLS
