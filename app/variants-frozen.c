/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the first variant's automatic values came to. */
#include "app/variants-frozen.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/solve/record.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const size_t of_grid[] = {offsetof(ct_plan, nx),           offsetof(ct_plan, ny),
                                 offsetof(ct_plan, nz),           offsetof(ct_plan, voxel),
                                 offsetof(ct_plan, voxel_z),      offsetof(ct_plan, centre_mm[0]),
                                 offsetof(ct_plan, centre_mm[1]), offsetof(ct_plan, centre_mm[2])};

static bool varies_at(const gantry_variants *v, size_t offset) {
  for (size_t i = 0; i < v->axis_count; i++)
    if (v->axes[i].param && v->axes[i].param->offset == offset) return true;
  return false;
}

static bool varies_in(const gantry_variants *v, ct_section section) {
  for (size_t i = 0; i < v->axis_count; i++)
    if (v->axes[i].param && v->axes[i].param->section == section) return true;
  return false;
}

static bool grid_varies(const gantry_variants *v) {
  for (size_t i = 0; i < sizeof of_grid / sizeof *of_grid; i++)
    if (varies_at(v, of_grid[i])) return true;
  return varies_in(v, CT_SECTION_GEOMETRY);
}

void gantry_hold_grid(const ct_grid *grid, ct_plan *plan) {
  plan->nx = grid->nx;
  plan->ny = grid->ny;
  plan->nz = grid->nz;
  plan->voxel = grid->dx;
  plan->voxel_z = grid->dz;
  plan->centre_mm[0] = grid->x0 + 0.5 * (grid->nx - 1) * grid->dx;
  plan->centre_mm[1] = grid->y0 + 0.5 * (grid->ny - 1) * grid->dy;
  plan->centre_mm[2] = grid->z0 + 0.5 * (grid->nz - 1) * grid->dz;
}

bool gantry_choose_slice(const gantry_variants_request *request, ct_grid *grid, ct_error **error) {
  if (!request->one_slice) return true;
  int width, height, count;
  ct_grid_plane_size(grid, request->plane, &width, &height, &count);
  const int index = request->index < 0 ? count / 2 : request->index;
  if (index >= count)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no %s slice %d; the volume has 0..%d.",
                        ct_plane_id(request->plane), index, count - 1);
  *grid = ct_grid_plane(grid, request->plane, index);
  return true;
}

/* "centre at column 312.4 (found ...), 640 x 640 x 2 voxels of 1 px" */
static void describe(const gantry_frozen *frozen, const ct_pipeline_facts *facts, char *words) {
  const ct_plan *p = &frozen->values;
  char voxel[48], centre[48];
  int used = 0;
  if (frozen->centre)
    used = snprintf(words, GANTRY_FROZEN_TEXT, "centre at column %s%s%.160s%s",
                    ct_format_number(p->centre_u, 7, centre, sizeof centre), facts->centre_how ? " (" : "",
                    facts->centre_how ? facts->centre_how : "", facts->centre_how ? ")" : "");
  if (frozen->grid)
    snprintf(words + used, GANTRY_FROZEN_TEXT - (size_t)used, "%s%d x %d x %d voxels of %s", used ? ", " : "", p->nx,
             p->ny, p->nz, ct_format_length(p->voxel, 5, facts->units.length, voxel, sizeof voxel));
}

bool gantry_freeze(const gantry_variants *variants, const gantry_variants_request *request, ct_pipeline *pipeline,
                   gantry_frozen *frozen, char *words, ct_job *job, ct_error **error) {
  const ct_plan *first = &variants->rows[0].plan;
  char *how = NULL;
  ct_plan used;
  *frozen = (gantry_frozen){0};
  if (!ct_pipeline_prepare_planes(pipeline, first, job, error)) return false;
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  ct_grid grid = facts->grid;
  char *record = ct_pipeline_record(pipeline, first, NULL, error);
  bool good = record && ct_record_read_resolved(record, &used, &frozen->values, &how, error);
  ct_free(record);
  ct_free(how);
  if (good && grid_varies(variants) && request->one_slice)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "One slice of all variants needs one grid: leave it as it is.");
  if (!good || !gantry_choose_slice(request, &grid, error)) return false;
  gantry_hold_grid(&grid, &frozen->values);
  frozen->values.centre_method = used.centre_method;
  frozen->values.centre_u = used.centre_u;
  frozen->centre = used.centre_method == CT_CENTRE_FOUND && !varies_in(variants, CT_SECTION_CENTRE) &&
                   !varies_in(variants, CT_SECTION_GEOMETRY) && !varies_at(variants, offsetof(ct_plan, flip_columns));
  frozen->log = !varies_at(variants, offsetof(ct_plan, values)) && !varies_at(variants, offsetof(ct_plan, prep.log));
  frozen->redundancy = !ct_method_iterates(first->iterative.method) && !varies_in(variants, CT_SECTION_GEOMETRY) &&
                       !varies_at(variants, offsetof(ct_plan, filter.redundancy)) && frozen->centre;
  frozen->grid = !grid_varies(variants);
  if (words) describe(frozen, facts, words);
  return true;
}

void gantry_apply_frozen(const gantry_frozen *frozen, ct_plan *plan) {
  const ct_plan *v = &frozen->values;
  if (frozen->centre && ct_plan_centre_method(plan) != CT_CENTRE_MANUAL) {
    plan->centre_method = v->centre_method;
    plan->centre_u = v->centre_u;
  }
  if (frozen->log && plan->prep.log == CT_LOG_AUTO) plan->prep.log = v->prep.log;
  if (frozen->redundancy && plan->filter.redundancy == CT_REDUNDANCY_AUTO)
    plan->filter.redundancy = v->filter.redundancy;
  if (!frozen->grid) return;
  plan->nx = v->nx, plan->ny = v->ny, plan->nz = v->nz;
  plan->voxel = v->voxel, plan->voxel_z = v->voxel_z;
  memcpy(plan->centre_mm, v->centre_mm, sizeof plan->centre_mm);
}
