/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task behind the picture in the dialog that asks what of a file is the scan. */
#pragma once

#include "app/tasks.h"
#include "ui/source-preview.h"

G_BEGIN_DECLS

/* Files worker: opens a scan as it is described, and looks at one of its frames; of sinograms at that of a row. */
typedef struct {
  GantryWork work;
  char *path, *description; /* as ct_scan_open takes them */
  GantryScan *scan; /* opened by the same before, NULL: not yet; out: the one that was looked at, NULL: there is none */
  int index;        /* the last one where there are not so many */
  GantrySourceSeen seen; /* out; its error is that of the work */
} GantrySourceTask;
/* scan: may be NULL. */
GantrySourceTask *gantry_source_task_new(GObject *owner, GantryDone done, const char *path, const char *description,
                                         GantryScan *scan);

/* What a file or folder is, which some formats are tried out for in a child process. */
typedef struct {
  GantryWork work;
  char *path;
  ct_content content; /* out */
} GantryContentTask;
GantryContentTask *gantry_content_task_new(GObject *owner, GantryDone done, const char *path);

G_END_DECLS
