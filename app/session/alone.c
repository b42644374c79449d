/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes without a scan: the first that is opened is A, whose slices are shown, measured and compared; nothing can be
 * reconstructed, and there is no projection. */
#include "app/session/session-private.h"
#include "recon/data/pitch.h"

gboolean gantry_session_is_alone(GantrySession *self) {
  return !gantry_scan_slot_get(self->slot) && gantry_shelf_get_result(self->shelf);
}

gboolean gantry_session_can_show_alone(GantrySession *self) {
  return !gantry_scan_slot_get(self->slot) && !gantry_shelf_get_result(self->shelf) && gantry_jobs_is_idle(self->jobs);
}

/* "96 × 96 × 40 voxels of 0.5 mm · no scan" */
static char *dup_subtitle(const ct_volume *volume, ct_units units) {
  const ct_grid *grid = ct_volume_grid(volume);
  char voxel[64], height[64] = "";
  ct_format_length(grid->dx, 4, units.length, voxel, sizeof voxel);
  if (grid->dz != grid->dx || grid->dy != grid->dx) ct_format_length(grid->dz, 4, units.length, height, sizeof height);
  return g_strdup_printf("%d × %d × %d voxels of %s%s%s · no scan", grid->nx, grid->ny, grid->nz, voxel,
                         *height ? " × " : "", height);
}

void gantry_session_title_alone(GantrySession *self) {
  const GantryResult *result = gantry_shelf_get_result(self->shelf);
  if (!gantry_session_is_alone(self) || !result->file) return;
  GantryWindow *window = self->context->window;
  const ct_units units = ct_volume_get_units(result->volume);
  g_autofree char *subtitle = dup_subtitle(result->volume, units);
  gantry_window_set_title(window, result->file);
  gantry_window_set_subtitle(window, subtitle);
  gantry_window_set_units(window, units);
}

static void set_fourth(GantrySession *self, const char *view) {
  g_action_group_change_action_state(G_ACTION_GROUP(self->context->window), "fourth", g_variant_new_string(view));
}

/* What the program wrote has its plan; other files tell at most a scale. */
static void tell_unit(GantrySession *self, const ct_volume *volume) {
  if (!ct_volume_get_plan(volume) && !ct_volume_get_scale(volume).unit[0])
    gantry_context_toast(self->context, GANTRY_ABOUT_ASIDE, NULL, NULL,
                         "The file does not tell the unit of its values: they are taken for %s",
                         ct_volume_get_units(volume).value);
}

void gantry_session_show_alone(GantrySession *self, GantryEntry *entry) {
  const GantryResult *result = gantry_entry_get_result(entry);
  if (!result || !result->file) return;
  GantryWindow *window = self->context->window;
  gantry_window_clear_error(window);
  gantry_pictures_reset(self->pictures);
  gantry_window_show_scan(window, result->file, NULL);
  const ct_named_scale scale = ct_volume_get_scale(result->volume);
  gantry_window_set_scale(window, &scale);
  gantry_window_set_projection_range(window, 0, 0);
  /* Of a projection's view nothing would be seen. */
  set_fourth(self, "oblique");
  self->alone = TRUE;
  tell_unit(self, result->volume);
  gantry_shelf_set_a(self->shelf, entry);
  gantry_slices_choose(self->slices);
  gantry_context_changed(self->context);
}

void gantry_session_end_alone(GantrySession *self) {
  if (self->alone) set_fourth(self, "projection");
  self->alone = FALSE;
}
