/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oblique plane in the window: in place of the projection, through the crosshair, at the angles of its bar. */
#include "ui/window/window-private.h"

#include <math.h>
#include <string.h>

static void show_range(GantryWindow *self) {
  GantryPose pose;
  double cross[3], first, last;
  int count, index;
  gantry_display_get_oblique(self->display, &pose);
  gantry_display_get_cross(self->display, cross);
  gantry_pose_range(&pose, &self->grid, cross, &count, &index, &first, &last);
  if (gantry_display_get_flat(self->display)) count = 1, index = 0;
  gantry_slice_view_set_range(self->view[GANTRY_VIEW_OBLIQUE], count, index, first, last, "mm");
}

gboolean gantry_window_update_oblique(GantryWindow *self) {
  GantryPose pose;
  double cross[3], place[3];
  if (!self->has_grid || !gantry_display_get_oblique(self->display, &pose)) return FALSE;
  gantry_slice_view_set_empty_text(self->view[GANTRY_VIEW_OBLIQUE],
                                   gantry_display_get_flat(self->display)
                                       ? "This volume is a single slice: there is nothing to tilt."
                                       : "The oblique plane appears here when it is reconstructed.");
  gantry_display_get_cross(self->display, cross);
  gantry_pose_from_world(&pose, cross, place);
  const double now[3] = {pose.rotation, pose.tilt, place[2]};
  const gboolean same_angles = now[0] == self->oblique_wanted[0] && now[1] == self->oblique_wanted[1];
  if (same_angles && fabs(now[2] - self->oblique_wanted[2]) <= 1e-6 * self->grid.dx) return FALSE;
  memcpy(self->oblique_wanted, now, sizeof now);
  show_range(self);
  return TRUE;
}

void gantry_window_oblique_changed(GantryDisplay *display, GantryWindow *self) {
  GantryPose pose;
  const gboolean shown = gantry_display_get_oblique(display, &pose);
  if (!shown) self->oblique_wanted[0] = NAN; /* asked for anew when it is shown again */
  if (gantry_window_update_oblique(self)) gantry_window_emit_planes_wanted(self);
}

void gantry_window_oblique_wanted(GantryWindow *self, int index) {
  GantryPose pose;
  double cross[3], place[3], first, last;
  int count, now;
  if (!self->has_grid) return;
  gantry_display_get_oblique(self->display, &pose);
  gantry_display_get_cross(self->display, cross);
  gantry_pose_range(&pose, &self->grid, cross, &count, &now, &first, &last);
  const double step = count > 1 ? (last - first) / (count - 1) : 0;
  gantry_pose_from_world(&pose, cross, place);
  place[2] = first + CLAMP(index, 0, count - 1) * step;
  gantry_pose_to_world(&pose, place, cross);
  /* Beyond the grid's side the crosshair goes to the middle of the plane. */
  const ct_grid *g = &self->grid;
  const double low[3] = {g->x0, g->y0, g->z0},
               high[3] = {g->x0 + (g->nx - 1) * g->dx, g->y0 + (g->ny - 1) * g->dy, g->z0 + (g->nz - 1) * g->dz};
  gboolean outside = FALSE;
  for (int i = 0; i < 3; i++) outside |= cross[i] < low[i] || cross[i] > high[i];
  if (outside) {
    const ct_oblique plane = ct_oblique_through(g, cross, pose.rotation, pose.tilt);
    for (int i = 0; i < 3; i++) cross[i] = CLAMP(plane.centre[i], low[i], high[i]);
  }
  gantry_display_set_cross(self->display, cross);
}

void gantry_window_reset_oblique(GantryWindow *self) {
  GantryPose pose;
  double cross[3];
  const ct_grid *g = &self->grid;
  const gboolean shown = gantry_display_get_oblique(self->display, &pose);
  pose = GANTRY_POSE_DEFAULT;
  gantry_display_set_oblique(self->display, shown, &pose);
  if (!self->has_grid) return;
  gantry_display_get_cross(self->display, cross);
  const ct_oblique plane = ct_oblique_through(g, cross, pose.rotation, pose.tilt);
  if (ct_oblique_meets(&plane, g)) return;
  const double middle[3] = {ct_grid_plane_position(g, CT_SAGITTAL, g->nx / 2),
                            ct_grid_plane_position(g, CT_CORONAL, g->ny / 2),
                            ct_grid_plane_position(g, CT_AXIAL, g->nz / 2)};
  gantry_display_set_cross(self->display, middle);
}

void gantry_window_judge_oblique(GantryWindow *self) {
  GantrySliceView *view = self->view[GANTRY_VIEW_OBLIQUE];
  const GantryImage *a = gantry_slice_view_get_image(view, CTGL_SLOT_A),
                    *b = gantry_slice_view_get_image(view, CTGL_SLOT_B);
  const GantryImage *image = a ? a : b;
  const gboolean beside = self->has_grid && image && gantry_image_is_beside(image, &self->grid);
  gantry_slice_view_set_instead(
      view, beside ? "This plane lies beside the volume: move its slider, or reset its angles." : NULL);
}

void gantry_window_set_oblique(GantryWindow *self, gboolean oblique) {
  GantryPose pose;
  if (gantry_display_get_oblique(self->display, &pose) == oblique) return;
  gantry_display_set_oblique(self->display, oblique, &pose);
  const GantryViewKind from = oblique ? GANTRY_VIEW_PROJECTION : GANTRY_VIEW_OBLIQUE,
                       to = oblique ? GANTRY_VIEW_OBLIQUE : GANTRY_VIEW_PROJECTION;
  gantry_window_maximise(self, self->maximised == from ? to : self->maximised);
}
