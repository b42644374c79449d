/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views whose rays the models of a slice serve, and the line of a ray. In the frame of a view (u along the detector, r
 * from source to detector) the ray of place a is u - (a / SDD) r = a SOD / SDD, and u = a for parallel beam, which
 * loses no digits however far the source is. */
#include "recon/fp/model/ray-model-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>

static double farthest_corner(const ct_grid *grid) {
  const double x = fmax(fabs(grid->x0 - 0.5 * grid->dx), fabs(grid->x0 + (grid->nx - 0.5) * grid->dx));
  const double y = fmax(fabs(grid->y0 - 0.5 * grid->dy), fabs(grid->y0 + (grid->ny - 0.5) * grid->dy));
  return hypot(x, y);
}

static bool area_accepts(const ct_geometry *g, const ct_grid *grid, ct_error **error) {
  if (ct_geometry_promises(g, CT_TRAIT_PARALLEL)) return true;
  const double corner = farthest_corner(grid);
  if (!(corner < g->sod))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The model “%s” needs a slice that lies between source and detector: its corner is %.4g mm from the "
        "axis, the source %.4g mm.",
        ct_model_title(CT_MODEL_AREA), corner, g->sod);
  if (!(g->du / fabs(cos(g->tilt)) < 2 * g->sdd))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Detector columns of %g mm are too wide for a source %g mm away.",
                        g->du, g->sdd);
  return true;
}

bool ct_model_accepts(const ct_geometry *g, const ct_grid *grid, ct_ray_model model, ct_error **error) {
  if (model != CT_MODEL_JOSEPH && model != CT_MODEL_SIDDON && model != CT_MODEL_AREA)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no model of a ray with the number %d.", (int)model);
  if (!ct_geometry_check(g, error) || !ct_grid_check(grid, error)) return false;
  if (!ct_geometry_promises(g, CT_TRAIT_CIRCULAR))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Rows of a slice's matrix are made for parallel, fan and cone beam, not for projection matrices.");
  if (ct_geometry_promises(g, CT_TRAIT_SPATIAL) && g->tilt != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Rows of a slice's matrix need an untilted detector (it is tilted by %g degrees).",
                        g->tilt * 180 / M_PI);
  if (!(fabs(cos(g->tilt)) > 1e-6))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A fan's detector cannot be tilted by a right angle.");
  size_t pixels;
  if (!ct_size_product(grid->nx, grid->ny, 1, 1, &pixels) || pixels > UINT32_MAX)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A slice of %d x %d pixels has more than 32-bit column indices can name.", grid->nx, grid->ny);
  const double reach = (farthest_corner(grid) + fabs(g->centre_u) * g->du + g->nu * g->du) / fmin(grid->dx, grid->dy);
  if (!(reach < 1e12))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The slice or the detector lies so far out (%.3g pixels) that rays cannot be told apart.",
                        reach);
  return model != CT_MODEL_AREA || area_accepts(g, grid, error);
}

ct_model_view ct_model_view_make(const ct_geometry *g, const ct_grid *grid, ct_ray_model model, int view) {
  const bool divergent = !ct_geometry_promises(g, CT_TRAIT_PARALLEL);
  return (ct_model_view){
      .model = model,
      .divergent = divergent,
      .nx = grid->nx,
      .ny = grid->ny,
      .dx = grid->dx,
      .dy = grid->dy,
      .x0 = grid->x0,
      .y0 = grid->y0,
      .cosine = cos(g->angles[view]),
      .sine = sin(g->angles[view]),
      .pitch = ct_geometry_promises(g, CT_TRAIT_SPATIAL) ? g->du : g->du / cos(g->tilt),
      .centre_u = g->centre_u,
      .sod = g->sod,
      .sdd = g->sdd,
      .magnification = divergent ? g->sdd / g->sod : 1,
  };
}

void ct_model_equation(const ct_model_view *view, double place, double equation[3]) {
  const double slope = view->divergent ? place / view->sdd : 0;
  const double nx = view->cosine + slope * view->sine, ny = view->sine - slope * view->cosine;
  equation[0] = nx * view->dx;
  equation[1] = ny * view->dy;
  equation[2] = place / view->magnification - nx * view->x0 - ny * view->y0;
}
