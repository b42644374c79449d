/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing is a small file, at the end of a run. A cache folder that cannot be written costs no more than the numbers
 * of the next start. */
#include "app/session/speeds.h"

#include "app/speeds.h"
#include "recon/base/machine.h"
#include "ui/number-text.h"

#include <math.h>
#include <string.h>

struct _GantryKernelSpeeds {
  GObject parent_instance;
  GantryContext *context;
  GantryScanSlot *slot;
  gantry_speeds kept;
};

G_DEFINE_FINAL_TYPE(GantryKernelSpeeds, gantry_kernel_speeds, G_TYPE_OBJECT)

static void gantry_kernel_speeds_finalize(GObject *object) {
  GantryKernelSpeeds *self = GANTRY_KERNEL_SPEEDS(object);
  gantry_speeds_clear(&self->kept);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_kernel_speeds_parent_class)->finalize(object);
}

static void gantry_kernel_speeds_class_init(GantryKernelSpeedsClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_kernel_speeds_finalize;
}

static void gantry_kernel_speeds_init(GantryKernelSpeeds *self) {}

static void tell_fault(ct_error *fault) {
  if (fault) g_debug("speeds: %s", fault->message);
  ct_error_clear(&fault);
}

GantryKernelSpeeds *gantry_kernel_speeds_new(GantryContext *context, GantryScanSlot *slot) {
  GantryKernelSpeeds *self = g_object_new(GANTRY_TYPE_KERNEL_SPEEDS, NULL);
  ct_error *fault = NULL;
  self->context = gantry_context_ref(context);
  self->slot = slot;
  gantry_speeds_read(&self->kept, &fault);
  tell_fault(fault);
  return self;
}

/* The problem */

static const ct_bp_kernel *kernel_of(GantryKernelSpeeds *self, const char *id) {
  return ct_bp_find(&gantry_backend_get(self->context->backend)->kernels, id);
}

/* All but the numbers; false: the kernel or the scan is not there, or the plan makes no grid. */
static gboolean find_problem(GantryKernelSpeeds *self, const ct_plan *plan, const char *id, gantry_speed *problem) {
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  const ct_bp_kernel *kernel = kernel_of(self, id);
  ct_geometry geometry;
  ct_grid grid;
  if (!scan || !kernel || !ct_plan_geometry(plan, gantry_scan_get(scan), &geometry, NULL)) return FALSE;
  const gboolean good = ct_plan_grid(plan, &geometry, &grid, NULL);
  const ct_beam beam = geometry.beam;
  const int views = geometry.views;
  ct_geometry_clear(&geometry);
  if (!good) return FALSE;
  const ctgl_device_facts *device = kernel->gpu && self->context->window
                                        ? gantry_plan_panel_get_device(gantry_context_get_panel(self->context))
                                        : NULL;
  if (kernel->gpu && !device) return FALSE;
  *problem = (gantry_speed){.interp = (ct_interp)plan->interp,
                            .precision = (ct_precision)plan->precision,
                            .size = {grid.nx, grid.ny, grid.nz},
                            .views = views,
                            .threads = kernel->serial      ? 1
                                       : plan->threads > 0 ? plan->threads
                                                           : ct_thread_count(),
                            .error = NAN,
                            .when = (double)g_get_real_time() * 1e-6};
  g_strlcpy(problem->kernel, id, sizeof problem->kernel);
  g_strlcpy(problem->device, device ? device->name : "", sizeof problem->device);
  g_strlcpy(problem->scan, gantry_scan_get_name(scan), sizeof problem->scan);
  g_strlcpy(problem->beam, ct_beam_id(beam), sizeof problem->beam);
  return TRUE;
}

/* Taking */

static void add(GantryKernelSpeeds *self, const gantry_speed *fresh, gsize count) {
  ct_error *fault = NULL;
  if (count) gantry_speeds_add(&self->kept, fresh, count, &fault);
  tell_fault(fault);
}

void gantry_kernel_speeds_take_run(GantryKernelSpeeds *self, const GantryResult *result, const GantryOutcome *outcome) {
  const ct_bp_kernel *kernel = outcome ? outcome->facts.kernel : NULL;
  const ct_grid *grid = result->volume ? ct_volume_grid(result->volume) : NULL;
  gantry_speed speed;
  if (!kernel || !grid || !(result->gups > 0) || result->plan.iterative.method != CT_METHOD_DIRECT ||
      !find_problem(self, &result->plan, kernel->id, &speed))
    return;
  const int size[3] = {grid->nx, grid->ny, grid->nz};
  memcpy(speed.size, size, sizeof size);
  speed.views = result->views;
  speed.gups = result->gups;
  add(self, &speed, 1);
}

void gantry_kernel_speeds_take_rows(GantryKernelSpeeds *self, const gantry_variants *rows, gboolean textbook) {
  g_autofree gantry_speed *fresh = g_new(gantry_speed, rows->count + 1);
  gsize count = 0;
  for (size_t i = 0; i < rows->count; i++) {
    const gantry_variant *row = &rows->rows[i];
    if (row->state != GANTRY_VARIANT_DONE || !(row->gups > 0)) continue;
    if (!find_problem(self, &row->plan, row->kernel, &fresh[count])) continue;
    fresh[count].views = row->views;
    fresh[count].gups = row->gups;
    if (textbook && row->compared) fresh[count].error = row->metrics.relative_rmse;
    count++;
  }
  add(self, fresh, count);
}

/* Words */

/* What it was measured on. */
static char *origin(const gantry_speed *speed, const gantry_speed *asked, gboolean same) {
  g_autoptr(GDateTime) when = g_date_time_new_from_unix_local((gint64)speed->when);
  g_autofree char *date = when ? g_date_time_format(when, "%-d %B %Y") : g_strdup("an unknown day");
  if (same) return g_strdup_printf("with this scan, %s", date);
  g_autoptr(GString) text = g_string_new("with ");
  g_string_append(text, strcmp(speed->scan, asked->scan) ? speed->scan : "this scan");
  if (speed->size[2] == 1)
    g_string_append_printf(text, ", one slice of %d × %d voxels", speed->size[0], speed->size[1]);
  else
    g_string_append_printf(text, ", %d × %d × %d voxels", speed->size[0], speed->size[1], speed->size[2]);
  g_string_append_printf(text, ", %d views", speed->views);
  if (speed->threads != asked->threads)
    g_string_append_printf(text, ", %d thread%s", speed->threads, speed->threads == 1 ? "" : "s");
  g_string_append_printf(text, ", %s", date);
  return g_string_free(g_steal_pointer(&text), FALSE);
}

char *gantry_kernel_speeds_dup_words(GantryKernelSpeeds *self, const ct_plan *plan, gboolean one_slice) {
  gantry_speed asked;
  bool same;
  if (!self->kept.count || !find_problem(self, plan, plan->kernel, &asked)) return NULL;
  if (one_slice) asked.size[2] = 1;
  const gantry_speed *speed = gantry_speeds_find(&self->kept, &asked, &same);
  if (!speed) return NULL;
  g_autofree char *from = origin(speed, &asked, same), *rate = gantry_quantity_text(speed->gups, 3, NULL);
  if (isnan(speed->error)) return g_strdup_printf("%s GUPS: %s", rate, from);
  if (speed->error == 0) return g_strdup_printf("%s GUPS, equal to textbook: %s", rate, from);
  g_autofree char *error = gantry_quantity_text(speed->error, 2, NULL);
  return g_strdup_printf("%s GUPS, relative RMSE %s against textbook%s: %s", rate, error,
                         speed->interp == CT_INTERP_LINEAR ? "" : " with linear interpolation", from);
}
