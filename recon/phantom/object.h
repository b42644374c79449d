/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line integrals of a volume, so that a scan can be made of any object. */
#ifndef CT_PHANTOM_OBJECT_H
#define CT_PHANTOM_OBJECT_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/stack.h"
#include "recon/data/volume.h"
#include "recon/geom/geometry.h"

/* Of every detector pixel's central ray, dimensionless, by the fastest forward projector that serves (Joseph 1982: the
 * volume is sampled once per voxel row that the ray crosses). CT_ERROR_ARGUMENT: the volume reaches the source or holds
 * what is not finite, or no projector serves; CT_ERROR_MEMORY. */
ct_stack *ct_object_project(const ct_volume *object, const ct_geometry *geometry, ct_job *job, ct_error **error);

#endif
