/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks what of a file is the scan: the arrays inside it as a tree with shapes and types, of which one is the
 * projections and others may be flats, darks and angles; whether pictures are projections or sinograms; how raw samples
 * are stored; and the geometry that the file leaves open. Signal
 * "chosen" (ct_scan_told *told, borrowed during the signal): the answer; the window then closes.
 * Signals "preset-saved" and "preset-removed" (char *name): the fields are to be kept under a name, a preset is to be
 * forgotten.
 * Signal "looks" (ct_scan_told *told, borrowed): a frame of the scan as it is told now is wanted, to be shown. */
#pragma once

#include <adwaita.h>

#include "recon/io/io.h"
#include "ui/source-preview.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SOURCE_DIALOG (gantry_source_dialog_get_type())
G_DECLARE_FINAL_TYPE(GantrySourceDialog, gantry_source_dialog, GANTRY, SOURCE_DIALOG, AdwWindow)

typedef struct {
  const char *name;                /* of the file */
  const char *why;                 /* a sentence: what could not be told */
  const ct_dataset_list *datasets; /* empty: the file holds pictures alone */
  ct_layout layout;                /* chosen at first */
  gboolean raw;                    /* its samples are raw: how they are stored is asked for */
  guint64 bytes;                   /* of a raw file */
  const char *const *presets;      /* names and such lines by turns, NULL at the end */
  const char *told;                /* lines of "key=value" that the fields begin with, or NULL */
} GantrySourceRequest;

GantrySourceDialog *gantry_source_dialog_new(GtkWindow *parent, const GantrySourceRequest *request);
/* Its fields as such lines (g_free). */
char *gantry_source_dialog_get_told(GantrySourceDialog *self);
/* Which frame is wanted. */
int gantry_source_dialog_get_frame(GantrySourceDialog *self);
void gantry_source_dialog_show_frame(GantrySourceDialog *self, const GantrySourceSeen *seen);
/* None can be shown, and why. */
void gantry_source_dialog_show_no_frame(GantrySourceDialog *self, const char *why);
/* A preset was kept, or forgotten. */
void gantry_source_dialog_put_preset(GantrySourceDialog *dialog, const char *name, const char *text);
void gantry_source_dialog_forget_preset(GantrySourceDialog *dialog, const char *name);

G_END_DECLS
