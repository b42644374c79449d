/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the side panel's graphics devices and kernels: a kernel that does not suit the scan or the plan as they
 * are says so in its title, as one that needs a device does while none is chosen. */
#include "ui/plan/panel-private.h"

#include "recon/base/units.h"
#include "recon/geom/questions.h"

#include <string.h>

GantryPlanRow *gantry_plan_panel_find_row(GantryPlanPanel *self, size_t offset) {
  for (guint i = 0; i < self->rows->len; i++)
    if (gantry_plan_row_get_param(self->rows->pdata[i])->offset == offset) return self->rows->pdata[i];
  return NULL;
}

const ctgl_device_facts *gantry_plan_panel_get_device(GantryPlanPanel *self) {
  const gboolean any = !strcmp(self->plan.device, "auto");
  for (gsize i = 0; i < self->device_count; i++)
    if (any ? !self->devices[i].software : !strcmp(self->plan.device, self->devices[i].name)) return &self->devices[i];
  return NULL;
}

/* Behind the name, which the choice itself shows. */
static char *describe(const ctgl_device_facts *device) {
  char memory[32] = "not told by the driver", buffer[32], shared[32];
  if (device->memory > 0) ct_format_bytes(device->memory, memory, sizeof memory);
  ct_format_bytes((double)device->storage_block, buffer, sizeof buffer);
  ct_format_bytes(device->shared_memory, shared, sizeof shared);
  return g_strdup_printf("Driver: OpenGL %s\nMemory: %s\nLargest buffer: %s\nLargest texture: %d × %d, %d layers\n"
                         "Shared memory: %s, for up to %d threads%s",
                         device->driver, memory, buffer, device->texture_side, device->texture_side,
                         device->texture_layers, shared, device->group_threads,
                         device->software ? "\nDrawn in software by the processor: to look at kernels, not for speed."
                                          : "");
}

static void show_devices(GantryPlanPanel *self) {
  g_autoptr(GPtrArray) ids = g_ptr_array_new(), titles = g_ptr_array_new(),
                       tips = g_ptr_array_new_with_free_func(g_free);
  const ctgl_device_facts *first = self->device_count && !self->devices[0].software ? self->devices : NULL;
  g_autofree char *automatic = g_strdup_printf("Automatic: %s", first ? first->name : "none");
  g_ptr_array_add(ids, (gpointer) "auto");
  g_ptr_array_add(titles, automatic);
  g_ptr_array_add(tips,
                  first ? describe(first)
                        : g_strdup("No graphics card with OpenGL 4.3 was found: the processor's kernels are used."));
  g_ptr_array_add(ids, (gpointer) "none");
  g_ptr_array_add(titles, (gpointer) "None");
  g_ptr_array_add(tips, g_strdup("Only the processor's kernels are used."));
  for (gsize i = 0; i < self->device_count; i++) {
    g_ptr_array_add(ids, self->devices[i].name);
    g_ptr_array_add(titles, self->devices[i].name);
    g_ptr_array_add(tips, describe(&self->devices[i]));
  }
  gantry_plan_row_set_words(gantry_plan_panel_find_row(self, offsetof(ct_plan, device)),
                            (const char *const *)ids->pdata, (const char *const *)titles->pdata,
                            (const char *const *)tips->pdata, ids->len);
}

/* What a kernel is not made for, of the scan and the plan as they are, in a few words for its title; NULL: it may
 * serve. What it accepts beyond that, it says itself when it is asked to run. */
static char *misfit(GantryPlanPanel *self, const ct_bp_kernel *kernel, ct_beam beam) {
  const ct_interp interp = (ct_interp)self->plan.interp;
  const ct_precision precision = (ct_precision)self->plan.precision;
  switch (ct_bp_find_fit(kernel, self->facts.base.scan ? ct_beam_traits(beam) : ~0u, interp, precision,
                         gantry_plan_panel_get_device(self) != NULL)) {
  case CT_BP_LACKS_DEVICE:
    return g_strdup("needs a graphics device");
  case CT_BP_LACKS_GEOMETRY:
    return g_strdup_printf("not for %s", ct_beam_title(beam));
  case CT_BP_LACKS_INTERP:
    return g_strdup_printf("not with %s interpolation", ct_interp_id(interp));
  case CT_BP_LACKS_PRECISION:
    return g_strdup_printf("not in %s", ct_precision_id(precision));
  case CT_BP_FITS:
    break;
  }
  return NULL;
}

void gantry_plan_panel_show_kernels(GantryPlanPanel *self, gboolean anew) {
  const gboolean device = gantry_plan_panel_get_device(self) != NULL;
  const ct_beam beam = ct_plan_facts_beam(&self->plan, &self->facts.base);
  const guint serves = (guint)device | (guint)self->facts.base.scan << 1 | (guint)beam << 2 |
                       (guint)self->plan.interp << 8 | (guint)self->plan.precision << 16;
  if (!anew && serves == self->kernels_for) return;
  self->kernels_for = serves;
  g_autoptr(GPtrArray) ids = g_ptr_array_new(), titles = g_ptr_array_new_with_free_func(g_free),
                       tips = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(ids, (gpointer) "auto");
  g_ptr_array_add(titles, g_strdup("Automatic"));
  g_ptr_array_add(tips, g_strdup("The fastest technique that suits the geometry and this machine."));
  for (guint i = 0; i < self->kernels->len; i++) {
    const ct_bp_kernel *kernel = self->kernels->pdata[i];
    g_autofree char *why = misfit(self, kernel, beam);
    g_ptr_array_add(ids, (gpointer)kernel->id);
    g_ptr_array_add(titles, why ? g_strdup_printf("%s (%s)", kernel->title, why) : g_strdup(kernel->title));
    g_ptr_array_add(tips,
                    g_strdup_printf("%s%s", kernel->explanation,
                                    kernel->gpu && !device ? "\nIt needs a graphics device: choose one below." : ""));
  }
  gantry_plan_row_set_words(gantry_plan_panel_find_row(self, offsetof(ct_plan, kernel)),
                            (const char *const *)ids->pdata, (const char *const *)titles->pdata,
                            (const char *const *)tips->pdata, ids->len);
  if (anew) show_devices(self);
}
