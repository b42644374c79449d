/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A frame of a scan as it would be opened: its picture, smallest and largest value, histogram, and what is known of the
 * scan; with a slider for which frame. */
#pragma once

#include <gtk/gtk.h>

#include "recon/metric/metric.h"
#include "ui/image.h"

G_BEGIN_DECLS

enum { GANTRY_SOURCE_BINS = 128 };

typedef struct {
  char *error;          /* NULL: all below is known; else nothing is, and this says why */
  GantryImage *image;   /* thinned where the frame is larger than a screen */
  double low, high;     /* its grey window */
  int width, height;    /* of the frame, samples */
  int step;             /* 1: numbers and histogram are of all samples; else of every step-th row */
  gboolean sinogram;    /* of a detector row: its rows are views */
  int index, count;     /* which of how many */
  ct_statistics values; /* of finite ones, with the number of others */
  int bins;             /* 0: no value is finite */
  double bin_low, bin_width;
  gsize counts[GANTRY_SOURCE_BINS];
  char **facts; /* names and texts by turns, NULL at the end */
} GantrySourceSeen;

/* Frees what it holds. */
void gantry_source_seen_clear(GantrySourceSeen *seen);

#define GANTRY_TYPE_SOURCE_PREVIEW (gantry_source_preview_get_type())
G_DECLARE_FINAL_TYPE(GantrySourcePreview, gantry_source_preview, GANTRY, SOURCE_PREVIEW, GtkBox)

/* Signal "frame-changed": the user chose another one. */
GtkWidget *gantry_source_preview_new(void);
/* The frame chosen, counted from 0. */
int gantry_source_preview_get_frame(GantrySourcePreview *self);
/* A frame has been asked for: what is shown is of another one, which is seen where reading takes long. */
void gantry_source_preview_wait(GantrySourcePreview *self);
void gantry_source_preview_show(GantrySourcePreview *self, const GantrySourceSeen *seen);
/* Nothing can be shown, and why. */
void gantry_source_preview_show_nothing(GantrySourcePreview *self, const char *why);

G_END_DECLS
