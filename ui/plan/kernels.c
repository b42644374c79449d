/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of kernels: automatic, then by groups (bp/groups.h). One that does not suit the scan or the plan as they are
 * is grey and says why, as one that needs a device does while none is chosen; below it stands how fast it was here. */
#include "ui/plan/panel-private.h"

#include "recon/bp/groups.h"
#include "recon/geom/questions.h"

#include <string.h>

GantryPlanRow *gantry_plan_panel_find_row(GantryPlanPanel *self, size_t offset) {
  for (guint i = 0; i < self->rows->len; i++)
    if (gantry_plan_row_get_param(self->rows->pdata[i])->offset == offset) return self->rows->pdata[i];
  return NULL;
}

static const ct_bp_kernel *find_kernel(GantryPlanPanel *self, const char *id) {
  for (guint i = 0; i < self->kernels->len; i++) {
    const ct_bp_kernel *kernel = self->kernels->pdata[i];
    if (!strcmp(kernel->id, id)) return kernel;
  }
  return NULL;
}

/* What a kernel is not made for, of the scan and the plan as they are, in a few words; NULL: it may serve. What it
 * accepts beyond that, who is asked tells. */
static char *misfit(GantryPlanPanel *self, const ct_bp_kernel *kernel) {
  const ct_interp interp = (ct_interp)self->plan.interp;
  const ct_precision precision = (ct_precision)self->plan.precision;
  const ct_beam beam = ct_plan_facts_beam(&self->plan, &self->facts.base);
  switch (ct_bp_find_fit(kernel, self->facts.base.scan ? ct_beam_traits(beam) : ~0u, interp, precision,
                         gantry_plan_panel_get_device(self) != NULL)) {
  case CT_BP_LACKS_DEVICE:
    return g_strdup("Needs a graphics device: choose one below.");
  case CT_BP_LACKS_GEOMETRY:
    return g_strdup_printf("Not for %s.", ct_beam_title(beam));
  case CT_BP_LACKS_INTERP:
    return g_strdup_printf("Not with %s interpolation.", ct_interp_id(interp));
  case CT_BP_LACKS_PRECISION:
    return g_strdup_printf("Not in %s.", ct_precision_id(precision));
  case CT_BP_FITS:
    break;
  }
  if (ct_bp_runs_here(kernel)) return NULL;
  return g_strdup_printf("Needs a processor with %s.", ct_simd_title(ct_bp_needs(kernel)));
}

static GantryKernelNote note_of(GantryPlanPanel *self, const char *id) {
  const ct_bp_kernel *kernel = find_kernel(self, id);
  GantryKernelNote note = {0};
  if (!kernel) return note;
  if (self->ask_kernel && self->facts.base.scan) note = self->ask_kernel(self->ask_user, id);
  char *short_words = misfit(self, kernel);
  if (!short_words) return note;
  g_free(note.refusal);
  note.refusal = short_words;
  return note;
}

static char *tell_note(gpointer panel, const char *id, gboolean *grey) {
  const GantryKernelNote note = note_of(panel, id);
  g_autofree char *refusal = note.refusal, *measured = note.measured;
  *grey = refusal != NULL;
  if (refusal && measured) return g_strdup_printf("%s\n%s", refusal, measured);
  return g_strdup(refusal ? refusal : measured);
}

char *gantry_plan_panel_dup_kernel_refusal(GantryPlanPanel *self) {
  const GantryKernelNote note = note_of(self, self->plan.kernel);
  g_free(note.measured);
  return note.refusal;
}

void gantry_plan_panel_set_ask_kernel(GantryPlanPanel *self, GantryAskKernel ask, gpointer user) {
  self->ask_kernel = ask;
  self->ask_user = user;
}

/* Made anew */

static void add(GPtrArray *list, const char *text) {
  g_ptr_array_add(list, (gpointer)text);
}

void gantry_plan_panel_show_kernels(GantryPlanPanel *self) {
  const ct_bp_table table = {(const ct_bp_kernel *const *)self->kernels->pdata, self->kernels->len};
  g_autofree const ct_bp_kernel **sorted = g_new(const ct_bp_kernel *, table.count + 1);
  g_autoptr(GPtrArray) ids = g_ptr_array_new(), titles = g_ptr_array_new(), tips = g_ptr_array_new(),
                       headings = g_ptr_array_new();
  GantryPlanRow *row = gantry_plan_panel_find_row(self, offsetof(ct_plan, kernel));
  ct_bp_sort_by_group(&table, sorted);
  add(ids, "auto");
  add(titles, "Automatic");
  add(tips, "The fastest technique that suits the geometry and this machine.");
  add(headings, NULL);
  for (gsize i = 0; i < table.count; i++) {
    const ct_bp_group group = ct_bp_group_of(sorted[i]);
    const gboolean first = i == 0 || ct_bp_group_of(sorted[i - 1]) != group;
    add(ids, sorted[i]->id);
    add(titles, sorted[i]->title);
    add(tips, sorted[i]->explanation);
    add(headings, first ? ct_choice_title(ct_bp_group_choices, (int)group) : NULL);
  }
  gantry_plan_row_set_headings(row, (const char *const *)headings->pdata, headings->len);
  gantry_plan_row_set_note(row, tell_note, self);
  gantry_plan_row_set_words(row, (const char *const *)ids->pdata, (const char *const *)titles->pdata,
                            (const char *const *)tips->pdata, ids->len);
}
