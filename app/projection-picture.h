/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of projections and sinograms: values of a stack, the weights of the rays, and what is told beside a
 * sinogram of its arc and its weights. */
#pragma once

#include "app/wanted.h"
#include "recon/solve/pipeline.h"

G_BEGIN_DECLS

/* A projection or sinogram (wanted->sinogram) cut from a stack, with the angle of the geometry's view as its position,
 * in pixels of the whole, unbinned detector. facts: of the pipeline that holds the stack; NULL: the stack is the
 * detector. NULL when memory is short. */
GantryImage *gantry_image_new_from_stack(const ct_stack *stack, const ct_pipeline_facts *facts,
                                         const GantryWanted *wanted);

/* The same of a pipeline, of the values that are wanted: of what is not filtered, line integrals. NULL where it holds
 * neither, where values as stored are wanted, and when memory is short. */
GantryImage *gantry_image_new_from_pipeline(const ct_pipeline *pipeline, const GantryWanted *wanted);

/* What was told of a scan's weights last, so that its rows share it: all zero at first, of one thread. */
typedef struct {
  GantryRedundancy *redundancy; /* NULL: nothing; */
  guint64 digest;               /* of this geometry and choice of weights */
} GantryKeptRedundancy;
void gantry_kept_redundancy_clear(GantryKeptRedundancy *kept);

/* The same, and of the redundancy weights: in place of line integrals, or times them and the cosine weights of the
 * rays, as the filter applies them; with gantry_projection_add_redundancy. NULL as above. */
GantryImage *gantry_projection_picture(const ct_pipeline *pipeline, const ct_plan *plan, const GantryWanted *wanted,
                                       GantryKeptRedundancy *kept);

/* What is told beside a sinogram, where it is wanted and has none: of the views that the pipeline has prepared. Left
 * out for iterative methods and spirals, which have no such weights, where the weights cannot be (filter.h), and when
 * memory is short. */
void gantry_projection_add_redundancy(GantryImage *image, const ct_pipeline *pipeline, const ct_plan *plan,
                                      const GantryWanted *wanted, GantryKeptRedundancy *kept);

G_END_DECLS
