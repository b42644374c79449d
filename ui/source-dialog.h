/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks what of a file is the scan: the arrays inside it as a tree with shapes and types, of which one is the
 * projections and others may be flats, darks and angles; and whether pictures are projections or sinograms. Signal
 * "chosen" (ct_scan_told *told, borrowed during the signal): the answer; the window then closes. */
#pragma once

#include <adwaita.h>

#include "recon/io/io.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SOURCE_DIALOG (gantry_source_dialog_get_type())
G_DECLARE_FINAL_TYPE(GantrySourceDialog, gantry_source_dialog, GANTRY, SOURCE_DIALOG, AdwWindow)

typedef struct {
  const char *name;                /* of the file */
  const char *why;                 /* a sentence: what could not be told */
  const ct_dataset_list *datasets; /* empty: the file holds pictures alone */
  ct_layout layout;                /* chosen at first */
} GantrySourceRequest;

GantrySourceDialog *gantry_source_dialog_new(GtkWindow *parent, const GantrySourceRequest *request);

G_END_DECLS
