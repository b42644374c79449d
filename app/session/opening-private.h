/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What opening.c and opening-choose.c share. */
#pragma once

#include "app/session/opening.h"
#include "ui/source-dialog.h"

struct _GantryOpening {
  GObject parent_instance;
  GantryOpeningParts with;
  GantrySourceDialog *source; /* while it is open; */
  GantryScan *seen;           /* the scan that it shows a frame of, NULL: none, */
  char *seen_as;              /* as it is described */
  guint64 looks;
};
