/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file as the sink of a volume that is made in slabs: begun with the first slab, whose plan is that of the whole
 * volume. Knows no GLib: the command line uses it, too. */
#ifndef GANTRY_SLAB_FILE_H
#define GANTRY_SLAB_FILE_H

#include "recon/io/io.h"
#include "recon/solve/slabs.h"

typedef struct gantry_slab_file {
  const ct_format *format;
  const char *path; /* borrowed, as the format */
  ct_write_options options;
  ct_volume_writer *writer; /* NULL before the first slab */
} gantry_slab_file;

/* With the plan's samples and compression. False when the file could not be written now: no folder, no space, 16 bits
 * without their values. */
bool gantry_slab_file_init(gantry_slab_file *file, const ct_format *format, const char *path, const ct_plan *plan,
                           const ct_grid *grid, ct_error **error);
ct_slab_sink gantry_slab_file_sink(gantry_slab_file *file);
/* keep: all slabs came, the file takes its name; else nothing of it stays. */
bool gantry_slab_file_end(gantry_slab_file *file, bool keep, ct_error **error);

#endif
