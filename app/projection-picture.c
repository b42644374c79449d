/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights are those that the filter takes, from the same geometry; which rays are measured twice is asked of it. */
#include "app/projection-picture.h"

#include "recon/filter/filter.h"
#include "recon/geom/twin.h"
#include "recon/solve/digest.h"
#include "recon/solve/plan.h"

#include <math.h>
#include <string.h>

/* Cells of the map beside a sinogram, one way: a screen shows no more. */
enum { MOST_CELLS = 512 };

GantryImage *gantry_image_new_from_stack(const ct_stack *stack, const ct_pipeline_facts *facts,
                                         const GantryWanted *wanted) {
  const ct_geometry *geometry = facts ? facts->geometry : NULL;
  const int bin_u = facts ? facts->bin_u : 1, bin_v = facts ? facts->bin_v : 1, row0 = facts ? facts->row0 : 0;
  const int nu = ct_stack_nu(stack), nv = ct_stack_nv(stack), views = ct_stack_views(stack);
  const int index = CLAMP(wanted->projection_index, 0, (wanted->sinogram ? nv : views) - 1);
  GantryImage *image = gantry_image_new(nu, wanted->sinogram ? views : nv);
  if (!image) return NULL;
  image->kind = GANTRY_VIEW_PROJECTION;
  image->integrals = facts != NULL;
  image->spacing_x = bin_u;
  image->origin_x = (bin_u - 1) / 2.0;
  image->spacing_y = wanted->sinogram ? 1 : bin_v;
  image->origin_y = wanted->sinogram ? 0 : row0 + (bin_v - 1) / 2.0;
  image->index = index;
  image->generation = wanted->generation;
  image->position = index;
  if (wanted->sinogram) {
    gantry_image_set_sinogram(image, geometry, 0, 1);
    for (int view = 0; view < views; view++)
      memcpy(image->pixels + (gsize)view * nu, ct_stack_get_view(stack, view) + (gsize)index * nu,
             (gsize)nu * sizeof(float));
  } else {
    memcpy(image->pixels, ct_stack_get_view(stack, index), (gsize)nu * nv * sizeof(float));
    if (geometry && geometry->angles && index < geometry->views) image->position = geometry->angles[index] * 180 / G_PI;
  }
  return image;
}

GantryImage *gantry_image_new_from_pipeline(const ct_pipeline *pipeline, const GantryWanted *wanted) {
  if (wanted->values == GANTRY_VALUES_STORED) return NULL;
  const ct_stack *filtered = wanted->values == GANTRY_VALUES_FILTERED ? ct_pipeline_get_filtered(pipeline) : NULL;
  const ct_stack *stack = filtered ? filtered : ct_pipeline_get_line_integrals(pipeline);
  GantryImage *image = stack ? gantry_image_new_from_stack(stack, ct_pipeline_get_facts(pipeline), wanted) : NULL;
  if (image && filtered) {
    image->values = GANTRY_VALUES_FILTERED;
    image->integrals = FALSE;
  }
  return image;
}

/* Weights */

/* Iterative methods need none, and a spiral's parallel views have none. */
static gboolean has_weights(const ct_geometry *g, const ct_plan *plan) {
  return g && g->feed == 0 && !ct_method_iterates(plan->iterative.method);
}

/* Line integrals of a row times the cosine weights of its rays. */
static gboolean weigh_by_cosine(const ct_geometry *geometry, int view, int row, float *out) {
  ct_geometry one;
  g_autofree float *cosines = g_try_new(float, (gsize)geometry->nu);
  if (!cosines || !ct_geometry_copy(&one, geometry, NULL)) return FALSE;
  ct_geometry_crop_rows(&one, row, 1);
  const gboolean good = ct_cosine_weights(&one, view, cosines, NULL);
  for (int u = 0; good && u < geometry->nu; u++) out[u] *= cosines[u];
  ct_geometry_clear(&one);
  return good;
}

/* Of every ray the weight by which it counts beside those that measured the same line, as the filter applies it: in
 * place of a line integral, or times it and the ray's cosine weight. NULL: there are none now, or an iterative method
 * needs none. */
static GantryImage *weights_image(const ct_pipeline *pipeline, const ct_plan *plan, const GantryWanted *wanted) {
  const ct_stack *integrals = ct_pipeline_get_line_integrals(pipeline);
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  const ct_geometry *g = facts ? facts->geometry : NULL;
  if (!integrals || !has_weights(g, plan)) return NULL;
  const gsize nu = (gsize)g->nu;
  g_autofree float *weights = g_try_new(float, nu *(gsize)g->views);
  GantryImage *image = weights ? gantry_image_new_from_stack(integrals, facts, wanted) : NULL;
  if (!image) return NULL;
  if (!ct_redundancy_weights(g, plan->filter.redundancy, weights, NULL)) {
    gantry_image_unref(image);
    return NULL;
  }
  const gboolean weighted = wanted->values == GANTRY_VALUES_WEIGHTED, sinogram = wanted->sinogram;
  for (int row = 0; row < image->height; row++) {
    const int view = sinogram ? row : image->index, line = sinogram ? image->index : row;
    float *out = image->pixels + (gsize)row * nu;
    const float *own = weights + (gsize)view * nu;
    for (gsize u = 0; u < nu; u++) out[u] = weighted ? out[u] * own[u] : own[u];
    if (!weighted || weigh_by_cosine(g, view, line, out)) continue;
    gantry_image_unref(image);
    return NULL;
  }
  image->values = wanted->values;
  image->integrals = FALSE;
  return image;
}

GantryImage *gantry_projection_picture(const ct_pipeline *pipeline, const ct_plan *plan, const GantryWanted *wanted,
                                       GantryKeptRedundancy *kept) {
  GantryImage *image = NULL;
  if (wanted->values >= GANTRY_VALUES_WEIGHTS) image = weights_image(pipeline, plan, wanted);
  if (!image) image = gantry_image_new_from_pipeline(pipeline, wanted);
  if (image) gantry_projection_add_redundancy(image, pipeline, plan, wanted, kept);
  return image;
}

/* Beside the sinogram */

/* First of the n things that cell i of `cells` begins with. */
static int begin_of(int i, int cells, int n) {
  return (int)((gint64)i * n / cells);
}

static void sum_up(GantryRedundancy *r, const float *weights) {
  const gsize rays = (gsize)r->rays;
  r->least = INFINITY;
  for (int view = 0; view < r->views; view++) {
    const float *row = weights + (gsize)view * rays;
    double sum = 0;
    r->low[view] = r->high[view] = row[0];
    for (gsize k = 0; k < rays; k++) {
      sum += (double)row[k];
      r->low[view] = MIN(r->low[view], row[k]);
      r->high[view] = MAX(r->high[view], row[k]);
      r->across[k] += row[k] / (float)r->views;
    }
    r->mean[view] = (float)(sum / (double)rays);
    r->least = fmin(r->least, (double)r->low[view]);
    r->largest = fmax(r->largest, (double)r->high[view]);
  }
}

static void fill_map(GantryRedundancy *r, const float *weights) {
  for (int row = 0; row < r->rows; row++) {
    const int first = begin_of(row, r->rows, r->views), end = begin_of(row + 1, r->rows, r->views);
    for (int column = 0; column < r->columns; column++) {
      const int left = begin_of(column, r->columns, r->rays), right = begin_of(column + 1, r->columns, r->rays);
      double sum = 0;
      for (int view = first; view < end; view++)
        for (int k = left; k < right; k++) sum += (double)weights[(gsize)view * (gsize)r->rays + (gsize)k];
      const double mean = sum / ((double)(end - first) * (right - left));
      r->map[(gsize)row * (gsize)r->columns + (gsize)column] =
          (guint8)lround(255 * CLAMP(r->largest > 0 ? mean / r->largest : 0, 0, 1));
    }
  }
}

/* The rays in the middles of the cells. */
static gboolean fill_twice(GantryRedundancy *r, const ct_geometry *g, const ct_trajectory *t) {
  g_autofree int *views = g_try_new(int, r->rows);
  g_autofree double *columns = g_try_new(double, r->columns);
  gsize found = 0, cells = (gsize)r->rows * (gsize)r->columns;
  if (!views || !columns) return FALSE;
  for (int i = 0; i < r->rows; i++)
    views[i] = (begin_of(i, r->rows, r->views) + begin_of(i + 1, r->rows, r->views)) / 2;
  for (int i = 0; i < r->columns; i++)
    columns[i] = (begin_of(i, r->columns, r->rays) + begin_of(i + 1, r->columns, r->rays) - 1) / 2.0;
  if (!ct_geometry_twice(g, t, views, r->rows, columns, r->columns, r->twice, NULL)) return FALSE;
  for (gsize i = 0; i < cells; i++) found += r->twice[i];
  r->share = (double)found / (double)cells;
  return TRUE;
}

static gboolean fill(GantryRedundancy *r, const ct_geometry *g, const ct_plan *plan) {
  ct_trajectory t;
  g_autofree float *weights = g_try_new(float, (gsize)r->views *(gsize)r->rays);
  if (!weights || !ct_redundancy_weights(g, plan->filter.redundancy, weights, NULL) || !ct_trajectory_make(g, &t, NULL))
    return FALSE;
  sum_up(r, weights);
  fill_map(r, weights);
  const gboolean good = fill_twice(r, g, &t);
  const ct_redundancy used = ct_redundancy_resolve(g, &t, plan->filter.redundancy);
  r->title = ct_choice_title(ct_redundancy_choices, (int)used);
  r->first = g->angles ? g->angles[0] * 180 / G_PI : NAN;
  r->last = g->angles ? g->angles[g->views - 1] * 180 / G_PI : NAN;
  r->arc = t.arc * 180 / G_PI;
  r->needed = ct_geometry_short_arc(g, &t) * 180 / G_PI;
  r->fan = !t.parallel;
  ct_trajectory_clear(&t);
  return good;
}

void gantry_kept_redundancy_clear(GantryKeptRedundancy *kept) {
  g_clear_pointer(&kept->redundancy, gantry_redundancy_unref);
}

/* NULL: there are none. */
static GantryRedundancy *make_redundancy(const ct_geometry *g, const ct_plan *plan, int bin) {
  g_autoptr(GantryRedundancy) r =
      gantry_redundancy_new(MIN(g->nu, MOST_CELLS), MIN(g->views, MOST_CELLS), g->nu, g->views);
  if (!r || !fill(r, g, plan)) return NULL;
  r->spacing = bin;
  r->origin = (bin - 1) / 2.0;
  return g_steal_pointer(&r);
}

void gantry_projection_add_redundancy(GantryImage *image, const ct_pipeline *pipeline, const ct_plan *plan,
                                      const GantryWanted *wanted, GantryKeptRedundancy *kept) {
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  const ct_geometry *g = facts ? facts->geometry : NULL;
  if (image->redundancy || !image->sinogram || !wanted->redundancy || !has_weights(g, plan) ||
      image->height != g->views)
    return;
  const int by[] = {(int)plan->filter.redundancy, facts->bin_u};
  const guint64 digest = ct_digest(ct_geometry_digest(g, true), by, sizeof by);
  if (!kept->redundancy || kept->digest != digest) {
    gantry_kept_redundancy_clear(kept);
    kept->redundancy = make_redundancy(g, plan, facts->bin_u);
    kept->digest = digest;
  }
  if (kept->redundancy) image->redundancy = gantry_redundancy_ref(kept->redundancy);
}
