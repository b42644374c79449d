/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convergence page's runs, shared by its files: convergence-page.c (curves, axes, the page), convergence-rows.c
 * (the list that names them). */
#pragma once

#include "ui/convergence-page.h"

/* The colours of A and B, and their dashed forms, keep their meaning. */
enum { RESERVED = 2, RUNS = GANTRY_CURVES - 2 * RESERVED };

typedef struct {
  guint number, curve;
  char *name, *recipe;
  ct_iteration *points;
  gsize count;
  int planned;
  gboolean cancelled;
  GtkWidget *row, *mark, *value;
} Run;

struct _GantryConvergencePage {
  GtkWidget parent_instance;
  GantryPlot *plot;
  GtkWidget *measure, *abscissa, *logarithm, *list, *scrolled, *side;
  GPtrArray *runs;
  guint last;
  double cursor;
  const char *unit; /* of the RMSE */
};

/* A name that no run has, so that runs with the same parameters differ. */
char *gantry_convergence_unused_name(GantryConvergencePage *self, const char *name);
/* The name with the state of the run: "SIRT (cancelled)". */
char *gantry_convergence_title(const Run *run);
/* The button that removes the run, whose number is its data "run"; nothing is connected to it yet. */
GtkWidget *gantry_convergence_make_row(GantryConvergencePage *self, Run *run);
