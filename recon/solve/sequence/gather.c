/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of a sequence filtered as those of a circle, and gathered by their angles (sequence.h). */
#include "recon/solve/sequence/sequence.h"

#include "recon/base/memory.h"

#include <string.h>

struct ct_gatherer {
  ct_sequence sequence;
  ct_filter *filter; /* of one position */
  int rows, columns, beyond;
};

void ct_gathered_size(const ct_geometry *seen, int *rows, int *groups) {
  ct_sequence s;
  *rows = seen->nv;
  *groups = seen->views;
  if (!ct_sequence_of(seen, &s, NULL)) return;
  *rows = s.positions * (seen->nv + 2 * ct_sequence_rows_beyond(seen, &s, ct_geometry_field_radius(seen)));
  *groups = s.views;
}

bool ct_gathered_weights(const ct_geometry *seen, double *weights, ct_error **error) {
  ct_sequence s;
  ct_geometry circle;
  if (!ct_sequence_of(seen, &s, error) || !ct_sequence_circle(seen, &s, 0, &circle, error)) return false;
  const bool good = ct_geometry_view_weights(&circle, weights, error);
  ct_geometry_clear(&circle);
  return good;
}

ct_gatherer *ct_gatherer_new(const ct_geometry *integrals, const ct_geometry *seen, const ct_filter_options *options,
                             ct_error **error) {
  ct_geometry circle;
  ct_gatherer *g = ct_alloc_zero(1, sizeof *g, "the gathering of views", error);
  if (!g || !ct_sequence_of(seen, &g->sequence, error) ||
      !ct_sequence_circle(integrals, &g->sequence, 0, &circle, error)) {
    ct_gatherer_free(g);
    return NULL;
  }
  g->rows = seen->nv;
  g->columns = seen->nu;
  g->beyond = ct_sequence_rows_beyond(seen, &g->sequence, ct_geometry_field_radius(seen));
  g->filter = ct_filter_new(&circle, options, error);
  ct_geometry_clear(&circle);
  if (g->filter) return g;
  ct_gatherer_free(g);
  return NULL;
}

void ct_gatherer_free(ct_gatherer *g) {
  if (!g) return;
  ct_filter_free(g->filter);
  ct_free(g);
}

const ct_filter *ct_gatherer_get_filter(const ct_gatherer *g) {
  return g->filter;
}

/* The outermost rows stand for what lies beyond them. */
static void continue_rows(const ct_gatherer *g, float *view) {
  const size_t columns = (size_t)g->columns, bytes = columns * sizeof *view;
  const float *first = view + (size_t)g->beyond * columns, *last = first + (size_t)(g->rows - 1) * columns;
  for (int row = 0; row < g->beyond; row++) {
    memcpy(view + (size_t)row * columns, first, bytes);
    memcpy(view + (size_t)(g->beyond + g->rows + row) * columns, last, bytes);
  }
}

void ct_gathered_find(const ct_geometry *seen, int view, int *group, int *row0) {
  ct_sequence s;
  *group = view;
  *row0 = 0;
  if (!ct_sequence_of(seen, &s, NULL)) return;
  const int beyond = ct_sequence_rows_beyond(seen, &s, ct_geometry_field_radius(seen));
  *group = view % s.views;
  *row0 = view / s.views * (seen->nv + 2 * beyond) + beyond;
}

bool ct_gatherer_apply(ct_gatherer *g, const ct_stack *integrals, const int *groups, int count, float *const *out,
                       ct_error **error) {
  const int positions = g->sequence.positions;
  const size_t all = (size_t)positions * (size_t)count, columns = (size_t)g->columns,
               part = (size_t)(g->rows + 2 * g->beyond) * columns;
  int *views = ct_alloc(all, sizeof *views, "the views of a batch", error);
  const float **from = ct_alloc(all, sizeof *from, "the views of a batch", error);
  float **to = ct_alloc(all, sizeof *to, "the views of a batch", error);
  bool good = views && from && to;
  for (size_t i = 0; good && i < all; i++) {
    const int position = (int)i % positions, group = groups[i / (size_t)positions];
    views[i] = group;
    from[i] = ct_stack_get_view(integrals, position * g->sequence.views + group);
    to[i] = out[i / (size_t)positions] + (size_t)position * part + (size_t)g->beyond * columns;
  }
  good = good && ct_filter_apply(g->filter, views, (int)all, from, to, error);
  for (size_t i = 0; good && i < all; i++) continue_rows(g, to[i] - (size_t)g->beyond * columns);
  ct_free(views);
  ct_free(from);
  ct_free(to);
  return good;
}
