/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running variants one after the other over one scan, with one pipeline, so that what they have in common is made once:
 * read, corrected, filtered. Each is compared with one reference. */
#ifndef GANTRY_VARIANTS_RUN_H
#define GANTRY_VARIANTS_RUN_H

#include "app/variants.h"
#include "recon/base/job.h"
#include "recon/data/volume.h"
#include "recon/solve/pipeline.h"

/* Before a row's run, and behind it: the volume is lent, NULL where the row has failed. The worker's thread calls; any
 * may be NULL. Row index `count` is the reference, where it is no row. keep may fail, which fails the row. */
typedef struct gantry_variants_watcher {
  void *user;
  void (*begins)(void *user, size_t row, const char *name);
  bool (*keep)(void *user, size_t row, const ct_volume *volume, ct_error **error);
  void (*ended)(void *user, size_t row);
} gantry_variants_watcher;

typedef struct gantry_variants_request {
  /* What errors are taken against: a plan (NULL: none), or a volume (borrowed; NULL: none), which counts first. */
  const ct_plan *reference;
  const ct_volume *reference_volume;
  bool one_slice; /* of the base's grid, as a volume of one voxel's thickness; iterative methods only where that is a
                     problem of its own */
  ct_plane plane;
  int index;  /* -1: the middle */
  int repeat; /* runs of each, of which the quickest counts; >= 1 */
} gantry_variants_request;

/* What the first plan's automatic values came to and all rows were given, but where an axis varies them: words such as
 * "centre at column 312.4 (mirror correlation), 640 x 640 x 2 voxels of 1 px". */
enum { GANTRY_FROZEN_TEXT = 400 };

/* Why an iterative method fails where one slice is asked for. */
#define GANTRY_SLICE_NEEDS_VOLUME "An iterative method gives this slice only with the whole volume."

/* Whether all kernels that the rows and the reference (NULL: none) name exist, here or elsewhere; whether they serve is
 * each run's to tell. gantry_variants_run asks it first. */
bool gantry_variants_check(const gantry_variants *variants, const ct_plan *reference, const ct_backend *backend,
                           ct_error **error);

/* Runs every row. What a row cannot do is its reason, and the others are run all the same. False with an error where
 * there is nothing to compare with: the scan cannot be prepared, the reference cannot be made, the memory will not do;
 * CT_ERROR_CANCELLED where the job was cancelled: the rows that were done stand, the others are waiting. frozen may be
 * NULL. */
bool gantry_variants_run(gantry_variants *variants, const gantry_variants_request *request, ct_scan *scan,
                         const ct_backend *backend, const gantry_variants_watcher *watcher,
                         char frozen[GANTRY_FROZEN_TEXT], ct_job *job, ct_error **error);

/* A reference from its text: "textbook" (the base with kernel textbook, float64 and linear interpolation), "first" (the
 * first row), or "KEY=VALUE,..." upon the base; "textbook,KEY=VALUE" joins the two. */
bool gantry_variants_reference(const gantry_variants *variants, const char *text, ct_plan *plan, ct_error **error);

#endif
