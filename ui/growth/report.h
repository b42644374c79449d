/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An axial slice as it is after some of its views, with what the last of them added, and the errors of all numbers of
 * views so far as they are known; or the same of the iterations of an iterative volume. */
#pragma once

#include "recon/solve/view-sums.h"
#include "ui/image.h"

G_BEGIN_DECLS

/* What the page "View by View" wants to see. */
typedef struct {
  int count; /* views; 0: as many as there are */
  ct_view_order order;
  gboolean filtered;
  gboolean iterations;       /* those of the volume, where slices of them are kept */
  gboolean count_is_of_them; /* of the kept ones; where what is shown is of the other kind all of that is meant */
} GantryGrowthWish;

typedef struct {
  GantryGrowthWish wish;
  int count, views;          /* shown, and all; count 0: the curve alone is new */
  int view;                  /* that was added last, */
  gboolean directions;       /* of a spiral one that stands for all of its direction, which are added in one */
  double angle, position;    /* its, degrees, NAN: not known; of the slice, mm */
  GantryImage *sum, *last;   /* the plain sum, and what the last view added */
  gboolean adds_nothing;     /* it is 0 everywhere, as at the ends of a short scan */
  gboolean rest_add_nothing; /* all views are shown, and those behind `view` have no weight */
  double scale;              /* of the sum */
  ct_view_sums_point point;
  ct_view_sums_point *points;
  int point_count;
  gboolean complete, has_truth;
  gboolean no_filter;      /* the plan has none: filtered or not is the same */
  gboolean has_iterations; /* they could be shown */
  gboolean iterates; /* they are: `views` are slices of kept iterations, `view` the iteration that is shown, and */
  gboolean against_reference; /* in place of the truth: from_truth is from the reference, of the volume as a whole */
  gboolean has_change;        /* `last` what it changed */
  int changed_since;          /* this iteration; 0: the beginning */
} GantryGrowthReport;

/* NULL is none. */
void gantry_growth_report_free(GantryGrowthReport *report);

G_END_DECLS
