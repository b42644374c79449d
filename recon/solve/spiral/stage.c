/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pipeline asks about a spiral (stage.h). */
#include "recon/solve/spiral/stage.h"

#include "recon/base/memory.h"

#include <math.h>

bool ct_geometry_is_sorted(const ct_geometry *geometry) {
  ct_geometry spiral;
  if (!ct_spiral_of(geometry, &spiral, NULL)) return false;
  ct_geometry_clear(&spiral);
  return true;
}

bool ct_filtered_geometry(const ct_geometry *integrals, const ct_filter_options *options, ct_geometry *seen,
                          ct_error **error) {
  return (!options->filtered && ct_spiral_of(integrals, seen, NULL)) ||
         ct_filter_output(integrals, options, seen, error);
}

ct_sorted_size ct_filtered_size(const ct_geometry *seen) {
  if (ct_geometry_is_spiral(seen)) return ct_sorted_size_of(seen);
  return (ct_sorted_size){seen->nu, seen->nv, seen->views};
}

bool ct_filtered_weights(const ct_geometry *seen, double *weights, ct_error **error) {
  if (!ct_geometry_is_spiral(seen)) return ct_geometry_view_weights(seen, weights, error);
  const int groups = ct_sorted_size_of(seen).views;
  for (int group = 0; group < groups; group++) weights[group] = M_PI / groups;
  return true;
}

static ct_filter *filter_of_sorted(const ct_geometry *spiral, const ct_filter_options *options, ct_error **error) {
  ct_geometry parallel;
  ct_filter_options own = *options;
  own.redundancy = CT_REDUNDANCY_AUTO;
  own.outline = NULL;
  if (!ct_spiral_serves(spiral, error) || !ct_sorted_geometry(spiral, &parallel, error)) return NULL;
  ct_filter *filter = ct_filter_new(&parallel, &own, error);
  ct_geometry_clear(&parallel);
  return filter;
}

bool ct_filtered_tools(const ct_geometry *integrals, const ct_filter_options *options, ct_filter **filter,
                       ct_sorter **sorter, ct_geometry *seen, ct_error **error) {
  *filter = NULL;
  *sorter = NULL;
  if (!ct_filtered_geometry(integrals, options, seen, error)) return false;
  if (ct_geometry_is_spiral(seen) && !options->filtered) {
    *filter = filter_of_sorted(seen, options, error);
    *sorter = *filter ? ct_sorter_new(seen, error) : NULL;
    if (*sorter) return true;
  } else if ((*filter = ct_filter_new(integrals, options, error))) {
    return true;
  }
  ct_filter_free(*filter);
  ct_geometry_clear(seen);
  return false;
}

bool ct_spiral_seen(const ct_geometry *geometry, double *low, double *high) {
  ct_geometry spiral;
  if (!ct_spiral_of(geometry, &spiral, NULL)) return false;
  const ct_spiral_cover cover = ct_spiral_covers(&spiral, ct_geometry_field_radius(&spiral));
  *low = cover.seen_low;
  *high = cover.seen_high;
  ct_geometry_clear(&spiral);
  return true;
}
