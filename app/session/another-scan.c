/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a session when its scan is another one, or the same simulated anew. */
#include "app/session/session-private.h"

/* Its session begins: its plan, no results, no pictures. */
static void reset(GantrySession *self) {
  gantry_plan_editor_reset(self->editor);
  gantry_reference_reset(self->reference);
  gantry_shelf_clear(self->shelf);
  gantry_appraisal_renew(self->appraisal);
  gantry_banner_reset(self->banner);
  gantry_preview_reset(self->preview);
  gantry_slices_reset(self->slices);
  gantry_run_reset(self->run);
  gantry_pictures_reset(self->pictures);
  gantry_statistics_reset(self->statistics);
  gantry_analyser_forget(self->analyser);
  gantry_plan_files_forget(self->plans);
  gantry_variant_grid_reset(self->variants);
  gantry_truth_reset(self->truth);
  gantry_simulator_show(self->simulator);
}

static void show_scan(GantrySession *self, GantryScan *scan) {
  const ct_scan_facts *facts = gantry_scan_get_facts(scan);
  const ct_plan *plan = gantry_plan_editor_get(self->editor);
  g_autofree char *subtitle = gantry_scan_dup_subtitle(scan, plan);
  GantryWindow *window = self->context->window;
  GantryPlanPanel *panel = gantry_context_get_panel(self->context);
  gantry_session_end_alone(self);
  gantry_plan_panel_set_scan(panel, gantry_scan_get_name(scan), facts);
  gantry_plan_panel_set_outcome(panel, NULL, NULL, NULL);
  gantry_plan_panel_set_sweep(panel, NULL, 0, 0);
  gantry_plan_panel_set_plan(panel, plan);
  gantry_window_show_scan(window, gantry_scan_get_name(scan), subtitle);
  gantry_window_set_units(window, ct_plan_units(plan, gantry_scan_get(scan)));
  gantry_window_set_scale(window, &facts->scale);
  gantry_window_set_projection_range(window, facts->geometry.views, facts->geometry.nv);
  gantry_window_suit_fourth(window, facts->geometry.nv);
}

static void scan_replaced(GantrySession *self, const char *plan) {
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  gantry_plan_panel_hold(gantry_context_get_panel(self->context));
  gantry_window_clear_error_until(self->context->window, gantry_scan_slot_get_mark(self->slot));
  gantry_banner_show_warnings(self->banner, NULL);
  reset(self);
  if (scan) {
    const char *note = gantry_scan_get_facts(scan)->note;
    show_scan(self, scan);
    if (plan) gantry_plan_files_scan_loaded(self->plans, plan, NULL);
    if (note && *note) gantry_context_toast(self->context, GANTRY_ABOUT_ASIDE, NULL, NULL, "%s", note);
  } else {
    gantry_plan_panel_set_scan(gantry_context_get_panel(self->context), NULL, NULL);
    gantry_window_show_start(self->context->window);
  }
  gantry_slices_choose(self->slices);
  gantry_slices_request_projection(self->slices);
  gantry_context_changed(self->context);
  gantry_plan_panel_release(gantry_context_get_panel(self->context));
}

void gantry_session_scan_loaded(GantryScanSlot *slot, gboolean replaced, const char *plan, const GError *error,
                                GantrySession *self) {
  if (replaced) {
    scan_replaced(self, plan);
    return;
  }
  if (plan) gantry_plan_files_scan_loaded(self->plans, plan, error);
  gantry_context_changed(self->context);
  gantry_slices_request(self->slices);
}

/* The same object, other imperfections: plan, B and shelf go on. */
void gantry_session_scan_renewed(GantryScanSlot *slot, GantrySession *self) {
  GantryScan *scan = gantry_scan_slot_get(slot);
  const ct_plan *plan = gantry_plan_editor_get(self->editor);
  g_autofree char *subtitle = gantry_scan_dup_subtitle(scan, plan);
  gantry_plan_panel_hold(gantry_context_get_panel(self->context));
  gantry_shelf_outlive_scan(self->shelf);
  gantry_run_reset(self->run);
  gantry_variant_grid_reset(self->variants);
  gantry_window_set_subtitle(self->context->window, subtitle);
  gantry_plan_panel_set_scan(gantry_context_get_panel(self->context), gantry_scan_get_name(scan),
                             gantry_scan_get_facts(scan));
  gantry_slices_take_scan(self->slices);
  gantry_context_changed(self->context);
  gantry_plan_panel_release(gantry_context_get_panel(self->context));
}
