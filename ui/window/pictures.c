/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window is told of the pictures that it shows: units, grid, geometry, images, ranges. */
#include "ui/window/window-private.h"

void gantry_window_set_units(GantryWindow *self, ct_units units) {
  gantry_display_set_units(self->display, units);
  gantry_statistics_page_set_unit(gantry_numbers_get_statistics(self->numbers), units.value);
  gantry_errors_page_set_unit(gantry_errors_get_page(self->errors), units.value);
  gantry_convergence_page_set_unit(gantry_runs_get_page(self->runs), units.value);
}

void gantry_window_set_scale(GantryWindow *self, const ct_named_scale *scale) {
  gantry_display_set_told(self->display, scale);
}

void gantry_window_set_grid(GantryWindow *self, const ct_grid *grid) {
  if (gantry_planes_set_grid(self->planes, grid)) gantry_scales_set_rescaled(self->scales);
  gantry_layouts_suit(self->layouts, grid);
  gantry_scene_view_set_grid(gantry_quad_get_scene(self->quad), grid);
}

void gantry_window_set_geometry(GantryWindow *self, const ct_geometry *geometry, GantryBins bins) {
  gantry_scene_view_set_geometry(gantry_quad_get_scene(self->quad), geometry, bins);
  gantry_links_set_geometry(self->links, geometry, bins);
  gantry_refresh_queue(self->refresh);
}

void gantry_window_set_scene_grid(GantryWindow *self, const ct_grid *grid) {
  if (!gantry_planes_get_grid(self->planes)) gantry_scene_view_set_grid(gantry_quad_get_scene(self->quad), grid);
}

gboolean gantry_window_wants_solid(GantryWindow *self) {
  return gantry_scene_part_wants_solid(self->scene);
}

void gantry_window_set_solid(GantryWindow *self, GantrySolid *solid) {
  gantry_scene_view_set_solid(gantry_quad_get_scene(self->quad), solid);
}

void gantry_window_get_wanted(GantryWindow *self, int index[3]) {
  gantry_planes_get_wanted(self->planes, index);
}

void gantry_window_set_image(GantryWindow *self, ctgl_slot slot, GantryImage *image) {
  g_return_if_fail(image && (int)image->kind >= 0 && image->kind < GANTRY_VIEWS);
  gantry_slice_view_set_image(gantry_quad_get_view(self->quad, image->kind), slot, image);
  if (slot == CTGL_SLOT_A) gantry_scene_part_set_image(self->scene, image->kind, image);
  if (image->kind == GANTRY_VIEW_PROJECTION && slot == CTGL_SLOT_A) gantry_fourth_arrived(self->fourth, image);
  if (image->kind == GANTRY_VIEW_OBLIQUE) gantry_planes_judge_oblique(self->planes);
  gantry_refresh_queue(self->refresh);
}

void gantry_window_set_outdated(GantryWindow *self, GantryViewKind kind, gboolean outdated) {
  gantry_slice_view_set_outdated(gantry_quad_get_view(self->quad, kind), outdated);
}

void gantry_window_clear_images(GantryWindow *self, ctgl_slot slot) {
  for (int k = 0; k < GANTRY_VIEWS; k++)
    gantry_slice_view_set_image(gantry_quad_get_view(self->quad, (GantryViewKind)k), slot, NULL);
  for (int k = 0; k < GANTRY_VIEWS && slot == CTGL_SLOT_A; k++)
    gantry_scene_part_set_image(self->scene, (GantryViewKind)k, NULL);
  gantry_planes_judge_oblique(self->planes);
  gantry_refresh_queue(self->refresh);
}

void gantry_window_set_projection_range(GantryWindow *self, int views, int rows) {
  gantry_fourth_set_range(self->fourth, views, rows);
}

void gantry_window_suit_fourth(GantryWindow *self, int rows) {
  gantry_fourth_suit(self->fourth, rows);
}

void gantry_window_auto_window(GantryWindow *self) {
  gantry_scales_fit(self->scales);
  gantry_refresh_queue(self->refresh);
}

void gantry_window_expect_other_values(GantryWindow *self) {
  gantry_scales_settle(self->scales);
  gantry_scales_renew_projection(self->scales);
}

GantryProjectionValues gantry_window_get_projection_values(GantryWindow *self) {
  return gantry_fourth_get_values(self->fourth);
}

gboolean gantry_window_wants_redundancy(GantryWindow *self) {
  return gantry_fourth_wants_arc(self->fourth);
}
