/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pipeline asks about a spiral (stage.h). */
#include "recon/solve/spiral/stage.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/filter/thickness.h"
#include "recon/solve/sequence/sequence.h"
#include "recon/solve/spiral/katsevich.h"

#include <math.h>
#include <string.h>

bool ct_geometry_is_sorted(const ct_geometry *geometry) {
  ct_geometry spiral;
  if (ct_geometry_is_sequence(geometry)) return true;
  if (!ct_spiral_of(geometry, &spiral, NULL)) return false;
  ct_geometry_clear(&spiral);
  return true;
}

bool ct_filtered_geometry(const ct_geometry *integrals, const ct_filter_options *options, ct_geometry *seen,
                          ct_error **error) {
  return (!options->filtered && ct_spiral_of(integrals, seen, NULL)) ||
         ct_filter_output(integrals, options, seen, error);
}

ct_sorted_size ct_filtered_size(const ct_geometry *seen, ct_spiral_method method) {
  ct_sorted_size size = {seen->nu, seen->nv, seen->views};
  if (ct_geometry_is_sequence(seen)) ct_gathered_size(seen, &size.nv, &size.views);
  if (!ct_geometry_is_spiral(seen)) return size;
  return method == CT_SPIRAL_KATSEVICH ? ct_katsevich_size_of(seen) : ct_sorted_size_of(seen);
}

bool ct_filtered_weights(const ct_geometry *seen, ct_spiral_method method, double *weights, ct_error **error) {
  if (ct_geometry_is_sequence(seen)) return ct_gathered_weights(seen, weights, error);
  if (!ct_geometry_is_spiral(seen)) return ct_geometry_view_weights(seen, weights, error);
  const int groups = ct_filtered_size(seen, method).views;
  for (int group = 0; group < groups; group++) weights[group] = M_PI / groups;
  return true;
}

int ct_filtered_view(const ct_geometry *seen, ct_spiral_method method, int view, double z) {
  ct_spiral_views views;
  ct_sequence sequence;
  if (ct_geometry_is_sequence(seen) && ct_sequence_of(seen, &sequence, NULL)) {
    const int position = ct_sequence_position(&sequence, z);
    return (position > 0 ? position : 0) * sequence.views + view;
  }
  if (!ct_geometry_is_spiral(seen) || !ct_spiral_arrange(seen, &views)) return view;
  double first = views.first;
  if (method == CT_SPIRAL_KATSEVICH)
    for (int n = 0; n < seen->views; n++) first = n == 0 || seen->angles[n] < first ? seen->angles[n] : first;
  const double angle = first + view * M_PI / ct_filtered_size(seen, method).views;
  int best = 0;
  double least = INFINITY, nearest = INFINITY;
  for (int n = 0; n < seen->views; n++) {
    const double off = fabs(remainder(seen->angles[n] - angle, M_PI)), away = fabs(ct_geometry_height(seen, n) - z);
    /* Views of one direction differ by rounding alone. */
    if (off < least - 1e-6 || (off < least + 1e-6 && away < nearest)) best = n, least = off, nearest = away;
  }
  return best;
}

ct_spiral_cover ct_spiral_covers_by(ct_spiral_method method, const ct_geometry *spiral, double radius) {
  return method == CT_SPIRAL_KATSEVICH ? ct_katsevich_covers(spiral, radius) : ct_spiral_covers(spiral, radius);
}

struct ct_filtering {
  ct_filter *filter; /* NULL: one of the last two */
  ct_sorter *sorter; /* before it, of a spiral */
  ct_katsevich *katsevich;
  ct_gatherer *gatherer; /* of a sequence */
  double thickness;      /* rows that are averaged; 0: none */
  ct_thick_views thick;
  int threads;
};

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

/* The rows of a spiral's sorted views and of a sequence's positions follow each other in the stack. */
static void set_thickness(ct_filtering *f, const ct_geometry *seen, const ct_filter_options *options) {
  const ct_sorted_size size = ct_filtered_size(seen, options->spiral);
  ct_sequence sequence;
  f->thick = (ct_thick_views){size.nu, size.nv, 1};
  if (f->gatherer && ct_sequence_of(seen, &sequence, NULL)) f->thick.parts = sequence.positions;
  if (f->sorter) f->thick.parts = size.nv / seen->nv;
  f->thick.rows = size.nv / f->thick.parts;
  f->threads = options->threads > 0 ? options->threads : ct_thread_count();
  if (!options->filtered && !f->katsevich) f->thickness = ct_thickness_rows(seen, options->thickness);
}

static bool fill(ct_filtering *f, const ct_geometry *integrals, const ct_geometry *seen,
                 const ct_filter_options *options, ct_error **error) {
  if (ct_geometry_is_sequence(seen)) return (f->gatherer = ct_gatherer_new(integrals, seen, options, error)) != NULL;
  if (!ct_geometry_is_spiral(seen) || options->filtered)
    return (f->filter = ct_filter_new(integrals, options, error)) != NULL;
  if (options->spiral == CT_SPIRAL_KATSEVICH) return (f->katsevich = ct_katsevich_new(seen, options, error)) != NULL;
  return (f->filter = filter_of_sorted(seen, options, error)) && (f->sorter = ct_sorter_new(seen, error));
}

ct_filtering *ct_filtering_new(const ct_geometry *integrals, const ct_filter_options *options, ct_geometry *seen,
                               ct_error **error) {
  if (!ct_filtered_geometry(integrals, options, seen, error)) return NULL;
  ct_filtering *f = ct_alloc_zero(1, sizeof *f, "the filter", error);
  if (f && fill(f, integrals, seen, options, error)) {
    set_thickness(f, seen, options);
    return f;
  }
  ct_filtering_free(f);
  ct_geometry_clear(seen);
  return NULL;
}

void ct_filtering_free(ct_filtering *f) {
  if (!f) return;
  ct_filter_free(f->filter);
  ct_sorter_free(f->sorter);
  ct_katsevich_free(f->katsevich);
  ct_gatherer_free(f->gatherer);
  ct_free(f);
}

bool ct_filtering_sorts(const ct_filtering *f) {
  return f->sorter || f->katsevich || f->gatherer;
}

const ct_filter *ct_filtering_get_filter(const ct_filtering *f) {
  return f->gatherer ? ct_gatherer_get_filter(f->gatherer) : f->filter;
}

ct_filtered_place ct_filtered_find(const ct_geometry *seen, int view) {
  ct_spiral_views views;
  ct_filtered_place place = {view, 0, seen->nv};
  if (ct_geometry_is_sequence(seen)) ct_gathered_find(seen, view, &place.view, &place.row0);
  if (!ct_geometry_is_spiral(seen) || !ct_spiral_arrange(seen, &views)) return place;
  const double nearest = round((seen->angles[view] - views.first) * views.groups / M_PI);
  const int m = (int)fmin(fmax(nearest, 0), views.count - 1);
  return (ct_filtered_place){m % views.groups, m / views.groups * seen->nv, seen->nv};
}

void ct_filtering_sort(const ct_filtering *f, const ct_stack *integrals, int view, float *out) {
  if (f->sorter)
    ct_sorter_sort(f->sorter, integrals, &view, 1, &out, 1);
  else
    memcpy(out, ct_stack_get_view(integrals, view),
           (size_t)ct_stack_nv(integrals) * (size_t)ct_stack_nu(integrals) * sizeof *out);
}

bool ct_filtering_apply(ct_filtering *f, const ct_stack *integrals, const int *views, int count, const float *const *in,
                        float *const *out, ct_error **error) {
  if (f->sorter) ct_sorter_sort(f->sorter, integrals, views, count, out, ct_thread_count());
  if (f->katsevich) ct_katsevich_apply(f->katsevich, integrals, views, count, out);
  return (!f->gatherer || ct_gatherer_apply(f->gatherer, integrals, views, count, out, error)) &&
         (!f->filter || ct_filter_apply(f->filter, views, count, in, out, error)) &&
         (f->thickness == 0 || ct_thickness_apply(&f->thick, f->thickness, count, out, f->threads, error));
}

bool ct_spiral_seen(const ct_geometry *geometry, double *low, double *high) {
  ct_geometry spiral;
  if (ct_geometry_is_sequence(geometry)) {
    ct_sequence_seen(geometry, ct_geometry_field_radius(geometry), low, high);
    return true;
  }
  if (!ct_spiral_of(geometry, &spiral, NULL)) return false;
  const ct_spiral_cover cover = ct_spiral_covers(&spiral, ct_geometry_field_radius(&spiral));
  *low = cover.seen_low;
  *high = cover.seen_high;
  ct_geometry_clear(&spiral);
  return true;
}

bool ct_spiral_whole(const ct_geometry *geometry, double dz, double *low, double *high) {
  ct_geometry spiral;
  if (!ct_spiral_of(geometry, &spiral, NULL)) return false;
  const ct_spiral_cover cover = ct_katsevich_covers(&spiral, ct_geometry_field_radius(&spiral));
  const double middle = 0.5 * (cover.low + cover.high),
               slices = fmax(floor((cover.high - cover.low) / dz + 1e-6) + 1, 1);
  *low = middle - 0.5 * slices * dz;
  *high = middle + 0.5 * slices * dz;
  ct_geometry_clear(&spiral);
  return true;
}
