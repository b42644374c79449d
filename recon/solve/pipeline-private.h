/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a pipeline, shared by the files that make its parts. */
#ifndef CT_SOLVE_PIPELINE_PRIVATE_H
#define CT_SOLVE_PIPELINE_PRIVATE_H

#include "recon/solve/pipeline.h"

#include <stdint.h>

struct ct_pipeline {
  ct_scan *scan;
  ct_bp_table kernels;

  /* Line integrals of detector rows [row0, row0 + rows) (binned rows), and the plan that made them. */
  ct_stack *lines;
  ct_plan lines_plan;
  int row0, rows;
  uint64_t lines_version; /* counts up whenever the line integrals change */
  ct_prep_report report;

  /* Filtered projections, and what they were made from: version of the lines, geometry and filter options. When memory is
   * short they take the place of the line integrals. */
  ct_stack *filtered;
  uint64_t filtered_key;

  /* The centre as searched last, for the key that it was searched with. */
  bool centre_found;
  uint64_t centre_key;
  double centre, confidence; /* in columns of the unbinned detector */

  ct_geometry geometry; /* cropped, binned, centred; belongs to filtered */
  bool has_geometry;
  char centre_how[160];
  ct_pipeline_facts facts;
};

int ct_plan_threads(const ct_plan *plan);
/* Options of the filter for the scan's projections, with the plan's threads. */
ct_filter_options ct_plan_filter_options(const ct_plan *plan, const ct_scan *scan);

/* A digest of a geometry; centre and tilt are left out when `with_centre` is false. */
uint64_t ct_geometry_digest(const ct_geometry *geometry, bool with_centre);
uint64_t ct_digest(uint64_t seed, const void *data, size_t bytes);

/* Fills the request and picks the plan's kernel; where an explicitly chosen kernel cannot serve a thin grid of a slice
 * (`thin`), the automatic choice does. */
const ct_bp_kernel *ct_plan_kernel(const ct_plan *plan, const ct_bp_table *table, const ct_geometry *geometry, const ct_grid *grid,
                                   bool thin, ct_bp_request *request, char *why, size_t why_size, ct_error **error);

/* Back-projects all views of the filtered stack onto `grid` (thin), masked as the plan says. */
ct_volume *ct_backproject_thin(const ct_plan *plan, const ct_bp_table *table, const ct_geometry *geometry, const ct_stack *filtered,
                               const ct_grid *grid, ct_job *job, ct_error **error);

/* The volume in the making where it holds what was added so far (NULL: its kernel keeps that elsewhere), and the factor that makes
 * it absolute. */
const ct_volume *ct_partial_volume(const ct_partial *partial, float *scale);

/* Zeroes voxels outside the circle that every view sees. */
void ct_mask_field(ct_volume *volume, const ct_geometry *geometry);

/* A sweep over trial centres with given line integrals; see ct_pipeline_sweep. `geometry` is that of the lines; its centre is the
 * middle of the range where the plan tells none. Columns in and out are those of the lines. */
bool ct_sweep_centres(const ct_plan *plan, const ct_filter_options *options, const ct_bp_table *table, const ct_stack *lines, const ct_geometry *geometry, const ct_grid *grid,
                      int index, ct_centre_trial **trials, size_t *count, double *best, ct_job *job, ct_error **error);
/* Columns of the unbinned detector and of bins of b. */
double ct_unbinned_column(double column, int b);
double ct_binned_column(double column, int b);

#endif
