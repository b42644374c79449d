/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An axial slice as it is after some of its views, with what the last of them added, and the errors of all numbers of
 * views so far as they are known. */
#pragma once

#include "recon/solve/view-sums.h"
#include "ui/image.h"

G_BEGIN_DECLS

/* What the page "View by View" wants to see. */
typedef struct {
  int count; /* views; 0: as many as there are */
  ct_view_order order;
  gboolean filtered;
} GantryGrowthWish;

typedef struct {
  GantryGrowthWish wish;
  int count, views;        /* shown, and all; count 0: the curve alone is new */
  int view;                /* that was added last */
  double angle, position;  /* its, degrees, NAN: not known; of the slice, mm */
  GantryImage *sum, *last; /* the plain sum, and what the last view added */
  double scale;            /* of the sum */
  ct_view_sums_point point;
  ct_view_sums_point *points;
  int point_count;
  gboolean complete, has_truth;
} GantryGrowthReport;

/* NULL is none. */
void gantry_growth_report_free(GantryGrowthReport *report);

G_END_DECLS
