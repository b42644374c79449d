/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a result against the reference. */
#pragma once

#include <glib.h>

#include "recon/metric/metric.h"

G_BEGIN_DECLS

typedef enum {
  GANTRY_NUMBERS_NONE,   /* there is no reference */
  GANTRY_NUMBERS_ITSELF, /* this is it */
  GANTRY_NUMBERS_WANTED, /* not known yet */
  GANTRY_NUMBERS_KNOWN,
  GANTRY_NUMBERS_REFUSED, /* cannot be compared */
} GantryNumbersState;

typedef struct {
  GantryNumbersState state;
  ct_metrics metrics;      /* where they are known */
  gboolean resampled;      /* B was, onto this one's voxels */
  const char *why;         /* where they are refused */
  const char *differences; /* lines of values that differ from the reference's although nobody set them, or NULL */
} GantryNumbers;

G_END_DECLS
