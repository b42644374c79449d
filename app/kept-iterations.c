/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multiples of a step are kept, and besides the newest; the step doubles where no more would fit. */
#include "app/kept-iterations.h"

struct _GantryKeptIterations {
  gint references;
  double bytes;
  int step;
  ct_grid grid;
  GArray *slices; /* GantryKeptIteration */
};

static void clear(gpointer data) {
  gantry_image_unref(((GantryKeptIteration *)data)->slice);
}

static GantryKeptIteration *at(const GantryKeptIterations *kept, guint i) {
  return &g_array_index(kept->slices, GantryKeptIteration, i);
}

GantryKeptIterations *gantry_kept_iterations_new(double bytes, const GantryKeptIterations *before) {
  GantryKeptIterations *kept = g_new0(GantryKeptIterations, 1);
  kept->references = 1;
  kept->bytes = bytes;
  kept->step = before ? before->step : 1;
  kept->slices = g_array_new(FALSE, FALSE, sizeof(GantryKeptIteration));
  g_array_set_clear_func(kept->slices, clear);
  for (guint i = 0; before && i < before->slices->len; i++) {
    const GantryKeptIteration one = {at(before, i)->iteration, gantry_image_ref(at(before, i)->slice)};
    g_array_append_val(kept->slices, one);
  }
  if (before) kept->grid = before->grid;
  return kept;
}

GantryKeptIterations *gantry_kept_iterations_ref(GantryKeptIterations *kept) {
  g_atomic_int_inc(&kept->references);
  return kept;
}

void gantry_kept_iterations_unref(GantryKeptIterations *kept) {
  if (!kept || !g_atomic_int_dec_and_test(&kept->references)) return;
  g_array_unref(kept->slices);
  g_free(kept);
}

gboolean gantry_kept_iterations_lacks(const GantryKeptIterations *kept, int iteration) {
  return !kept->slices->len || at(kept, kept->slices->len - 1)->iteration < iteration;
}

int gantry_kept_iterations_choose(const GantryKeptIterations *kept, int index) {
  return kept->slices->len ? at(kept, 0)->slice->index : index;
}

static double bytes_of(const GantryImage *slice) {
  return (double)slice->width * slice->height * (double)sizeof(float);
}

static void thin(GantryKeptIterations *kept) {
  kept->step *= 2;
  for (guint i = kept->slices->len; i-- > 0;)
    if (at(kept, i)->iteration % kept->step != 0) g_array_remove_index(kept->slices, i);
}

void gantry_kept_iterations_add(GantryKeptIterations *kept, int iteration, GantryImage *slice, const ct_grid *grid) {
  const double most = kept->bytes / bytes_of(slice);
  const guint last = kept->slices->len;
  if (most < 2) {
    gantry_image_unref(slice);
    return;
  }
  if (last && at(kept, last - 1)->iteration % kept->step != 0) g_array_remove_index(kept->slices, last - 1);
  while (kept->slices->len + 1 > most) thin(kept);
  const GantryKeptIteration one = {iteration, slice};
  g_array_append_val(kept->slices, one);
  kept->grid = *grid;
}

const GantryKeptIteration *gantry_kept_iterations_get(const GantryKeptIterations *kept, int *count) {
  *count = (int)kept->slices->len;
  return (const GantryKeptIteration *)(gconstpointer)kept->slices->data;
}

const ct_grid *gantry_kept_iterations_grid(const GantryKeptIterations *kept) {
  return &kept->grid;
}

double gantry_kept_iterations_bytes(const GantryKeptIterations *kept) {
  return kept->slices->len ? kept->slices->len * bytes_of(at(kept, 0)->slice) : 0;
}
