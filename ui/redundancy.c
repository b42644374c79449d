/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the weights beside a sinogram, and their words. */
#include "ui/redundancy.h"

#include <math.h>

#include "ui/number-text.h"

GantryRedundancy *gantry_redundancy_new(int columns, int rows, int rays, int views) {
  g_autoptr(GantryRedundancy) self = g_try_new0(GantryRedundancy, 1);
  gsize cells = 0;
  if (!self) return NULL;
  *self = (GantryRedundancy){.columns = columns, .rows = rows, .views = views, .rays = rays, .spacing = 1};
  g_atomic_ref_count_init(&self->references);
  if (!g_size_checked_mul(&cells, (gsize)columns, (gsize)rows)) return NULL;
  self->map = g_try_new0(guint8, cells);
  self->twice = g_try_new0(guint8, cells);
  self->low = g_try_new0(float, views);
  self->mean = g_try_new0(float, views);
  self->high = g_try_new0(float, views);
  self->across = g_try_new0(float, rays);
  const gboolean good = self->map && self->twice && self->low && self->mean && self->high && self->across;
  return good ? g_steal_pointer(&self) : NULL;
}

GantryRedundancy *gantry_redundancy_ref(GantryRedundancy *self) {
  g_atomic_ref_count_inc(&self->references);
  return self;
}

void gantry_redundancy_unref(GantryRedundancy *self) {
  if (!self || !g_atomic_ref_count_dec(&self->references)) return;
  g_free(self->map);
  g_free(self->twice);
  g_free(self->low);
  g_free(self->mean);
  g_free(self->high);
  g_free(self->across);
  g_free(self);
}

char *gantry_redundancy_arc_text(const GantryRedundancy *self) {
  g_autofree char *first = gantry_quantity_text(self->first, 4, NULL),
                  *last = gantry_quantity_text(self->last, 4, NULL), *arc = gantry_quantity_text(self->arc, 4, NULL),
                  *needed = gantry_quantity_text(self->needed, 4, NULL);
  g_autoptr(GString) text = g_string_new("Arc ");
  if (isfinite(self->first) && isfinite(self->last))
    g_string_append_printf(text, "%s° to %s° (%s°)", first, last, arc);
  else
    g_string_append_printf(text, "of %s°", arc);
  if (!isfinite(self->needed)) return g_string_free(g_steal_pointer(&text), FALSE);
  if (self->needed > 359.999)
    g_string_append(text, "; a displaced detector needs 360°");
  else if (self->fan)
    g_string_append_printf(text, "; 180° and the fan are %s°", needed);
  else
    g_string_append(text, "; parallel rays need 180°");
  return g_string_free(g_steal_pointer(&text), FALSE);
}

char *gantry_redundancy_weights_text(const GantryRedundancy *self) {
  /* Wang's weights end near 0. */
  const double low = self->least < 1e-3 * self->largest ? 0 : self->least;
  g_autofree char *least = gantry_quantity_text(low, 3, NULL), *largest = gantry_quantity_text(self->largest, 3, NULL),
                  *share = gantry_quantity_text(100 * self->share, 2, NULL);
  g_autoptr(GString) text = g_string_new(self->title);
  if (self->largest - self->least <= 1e-3 * self->largest)
    g_string_append_printf(text, ": weight %s", largest);
  else
    g_string_append_printf(text, ": weight %s to %s", least, largest);
  if (!isfinite(self->needed)) return g_string_free(g_steal_pointer(&text), FALSE);
  if (self->share <= 0)
    g_string_append(text, ", no ray measured twice");
  else if (self->share >= 1)
    g_string_append(text, ", every ray measured twice");
  else
    g_string_append_printf(text, ", %s %% measured twice", share);
  return g_string_free(g_steal_pointer(&text), FALSE);
}
