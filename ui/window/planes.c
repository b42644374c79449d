/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The crosshair decides; the sliders move it. */
#include "ui/window/planes.h"

#include <math.h>
#include <string.h>

struct _GantryPlanes {
  GantryDisplay *display;
  GantryQuad *quad;
  GantryRefresh *refresh;
  void (*wanted_changed)(gpointer user);
  gpointer user;
  ct_grid grid;
  gboolean has_grid;
  int wanted[3];
  double oblique_wanted[3]; /* rotation, tilt, d; NAN: none */
};

static const ct_plane planes[] = {CT_AXIAL, CT_CORONAL, CT_SAGITTAL};

/* The world axis that a slice view is perpendicular to. */
static int normal_of(GantryViewKind kind) {
  return kind == GANTRY_VIEW_AXIAL ? 2 : kind == GANTRY_VIEW_CORONAL ? 1 : 0;
}

static int slices_of(const ct_grid *grid, GantryViewKind kind) {
  int width, height, count;
  ct_grid_plane_size(grid, planes[kind], &width, &height, &count);
  return count;
}

/* mm of the first and last voxels' centres. */
static void find_extent(const ct_grid *grid, double low[3], double high[3]) {
  const double first[] = {grid->x0, grid->y0, grid->z0}, step[] = {grid->dx, grid->dy, grid->dz};
  const int count[] = {grid->nx, grid->ny, grid->nz};
  for (int i = 0; i < 3; i++) low[i] = first[i], high[i] = first[i] + (count[i] - 1) * step[i];
}

/* Sliders */

static void show_range(GantryPlanes *self, GantryViewKind kind) {
  const gboolean none = kind != GANTRY_VIEW_AXIAL && gantry_display_get_flat(self->display);
  const int count = none ? 1 : slices_of(&self->grid, kind);
  gantry_slice_view_set_range(gantry_quad_get_view(self->quad, kind), count, none ? 0 : self->wanted[kind],
                              ct_grid_plane_position(&self->grid, planes[kind], 0),
                              ct_grid_plane_position(&self->grid, planes[kind], count - 1),
                              gantry_display_get_units(self->display).length);
}

static void show_ranges(GantryPlanes *self) {
  for (int k = 0; k < 3; k++) show_range(self, (GantryViewKind)k);
}

static void show_oblique_range(GantryPlanes *self) {
  GantryPose pose;
  double cross[3], first, last;
  int count, index;
  gantry_display_get_oblique(self->display, &pose);
  gantry_display_get_cross(self->display, cross);
  gantry_pose_range(&pose, &self->grid, cross, &count, &index, &first, &last);
  if (gantry_display_get_flat(self->display)) count = 1, index = 0;
  gantry_slice_view_set_range(gantry_quad_get_view(self->quad, GANTRY_VIEW_OBLIQUE), count, index, first, last,
                              gantry_display_get_units(self->display).length);
}

/* What the crosshair wants. Each tells whether that is another plane than before. */

static gboolean update_slices(GantryPlanes *self) {
  const double step[] = {self->grid.dx, self->grid.dy, self->grid.dz};
  double cross[3];
  gboolean changed = FALSE;
  gantry_display_get_cross(self->display, cross);
  for (int k = 0; k < 3; k++) {
    const int axis = normal_of((GantryViewKind)k), count = slices_of(&self->grid, (GantryViewKind)k);
    const double first = ct_grid_plane_position(&self->grid, planes[k], 0);
    const double index = CLAMP(round((cross[axis] - first) / step[axis]), 0, count - 1);
    changed |= self->wanted[k] != (int)index;
    self->wanted[k] = (int)index;
  }
  return changed;
}

static gboolean update_oblique(GantryPlanes *self) {
  GantryPose pose;
  double cross[3], place[3];
  if (!self->has_grid || !gantry_display_get_oblique(self->display, &pose)) return FALSE;
  gantry_slice_view_set_empty_text(gantry_quad_get_view(self->quad, GANTRY_VIEW_OBLIQUE),
                                   gantry_display_get_flat(self->display)
                                       ? "This volume is a single slice: there is nothing to tilt."
                                       : "The oblique plane appears here when it is reconstructed.");
  gantry_display_get_cross(self->display, cross);
  gantry_pose_from_world(&pose, cross, place);
  const double now[3] = {pose.rotation, pose.tilt, place[2]};
  const gboolean same_angles = now[0] == self->oblique_wanted[0] && now[1] == self->oblique_wanted[1];
  if (same_angles && fabs(now[2] - self->oblique_wanted[2]) <= 1e-6 * self->grid.dx) return FALSE;
  memcpy(self->oblique_wanted, now, sizeof now);
  show_oblique_range(self);
  return TRUE;
}

static void cross_moved(GantryDisplay *display, GantryPlanes *self) {
  gantry_refresh_queue(self->refresh);
  if (!self->has_grid) return;
  const gboolean slices = update_slices(self), oblique = update_oblique(self);
  if (!slices && !oblique) return;
  show_ranges(self);
  self->wanted_changed(self->user);
}

static void oblique_changed(GantryDisplay *display, GantryPlanes *self) {
  GantryPose pose;
  if (!gantry_display_get_oblique(display, &pose)) self->oblique_wanted[0] = NAN; /* asked for anew when it is shown */
  if (update_oblique(self)) self->wanted_changed(self->user);
}

/* What the sliders want */

static void oblique_slider_moved(GantryPlanes *self, int index) {
  GantryPose pose;
  double cross[3], place[3], low[3], high[3], first, last;
  int count, now;
  gantry_display_get_oblique(self->display, &pose);
  gantry_display_get_cross(self->display, cross);
  gantry_pose_range(&pose, &self->grid, cross, &count, &now, &first, &last);
  const double step = count > 1 ? (last - first) / (count - 1) : 0;
  gantry_pose_from_world(&pose, cross, place);
  place[2] = first + CLAMP(index, 0, count - 1) * step;
  gantry_pose_to_world(&pose, place, cross);
  /* Beyond the grid's side the crosshair goes to the middle of the plane. */
  find_extent(&self->grid, low, high);
  gboolean outside = FALSE;
  for (int i = 0; i < 3; i++) outside |= cross[i] < low[i] || cross[i] > high[i];
  if (outside) {
    const ct_oblique plane = ct_oblique_through(&self->grid, cross, pose.rotation, pose.tilt);
    for (int i = 0; i < 3; i++) cross[i] = CLAMP(plane.centre[i], low[i], high[i]);
  }
  gantry_display_set_cross(self->display, cross);
}

static void slider_moved(GantrySliceView *view, int index, GantryPlanes *self) {
  const GantryViewKind kind = gantry_slice_view_get_kind(view);
  double cross[3];
  if (!self->has_grid) return;
  if (kind == GANTRY_VIEW_OBLIQUE) {
    oblique_slider_moved(self, index);
    return;
  }
  index = CLAMP(index, 0, slices_of(&self->grid, kind) - 1);
  gantry_display_get_cross(self->display, cross);
  cross[normal_of(kind)] = ct_grid_plane_position(&self->grid, planes[kind], index);
  gantry_display_set_cross(self->display, cross);
}

GantryPlanes *gantry_planes_new(GantryDisplay *display, GantryQuad *quad, GantryRefresh *refresh,
                                void (*wanted)(gpointer user), gpointer user) {
  GantryPlanes *self = g_new0(GantryPlanes, 1);
  self->display = g_object_ref(display);
  self->quad = quad;
  self->refresh = refresh;
  self->wanted_changed = wanted;
  self->user = user;
  self->oblique_wanted[0] = NAN;
  for (int k = 0; k < GANTRY_VIEWS; k++)
    if (k != GANTRY_VIEW_PROJECTION)
      g_signal_connect(gantry_quad_get_view(quad, (GantryViewKind)k), "slice-wanted", G_CALLBACK(slider_moved), self);
  g_signal_connect(display, "cross-moved", G_CALLBACK(cross_moved), self);
  g_signal_connect(display, "oblique-changed", G_CALLBACK(oblique_changed), self);
  return self;
}

void gantry_planes_stop(GantryPlanes *self) {
  g_signal_handlers_disconnect_by_data(self->display, self);
}

void gantry_planes_free(GantryPlanes *self) {
  gantry_planes_stop(self);
  g_object_unref(self->display);
  g_free(self);
}

/* The grid */

void gantry_planes_reset(GantryPlanes *self) {
  self->has_grid = FALSE;
  self->oblique_wanted[0] = NAN;
}

/* A preview and its volume have one extent, to within a voxel of either; other distances or pixels give another. */
static gboolean same_extent(const ct_grid *a, const ct_grid *b) {
  return fabs(a->nx * a->dx - b->nx * b->dx) <= fmax(a->dx, b->dx) &&
         fabs(a->ny * a->dy - b->ny * b->dy) <= fmax(a->dy, b->dy) &&
         fabs(a->nz * a->dz - b->nz * b->dz) <= fmax(a->dz, b->dz);
}

/* In its middle a grid has a voxel, no boundary. */
static void find_middle(const ct_grid *grid, double middle[3]) {
  middle[0] = ct_grid_plane_position(grid, CT_SAGITTAL, grid->nx / 2);
  middle[1] = ct_grid_plane_position(grid, CT_CORONAL, grid->ny / 2);
  middle[2] = ct_grid_plane_position(grid, CT_AXIAL, grid->nz / 2);
}

gboolean gantry_planes_set_grid(GantryPlanes *self, const ct_grid *grid) {
  double cross[3], low[3], high[3];
  const gboolean rescaled = self->has_grid && !same_extent(&self->grid, grid);
  if (self->has_grid) {
    gantry_display_get_cross(self->display, cross);
    find_extent(grid, low, high);
    for (int i = 0; i < 3; i++) cross[i] = CLAMP(cross[i], low[i], high[i]);
  } else {
    find_middle(grid, cross);
  }
  self->grid = *grid;
  self->has_grid = TRUE;
  gantry_quad_set_flat(self->quad, grid->nz < 2);
  gantry_display_set_cross(self->display, cross);
  update_slices(self);
  show_ranges(self);
  self->oblique_wanted[0] = NAN;
  update_oblique(self);
  return rescaled;
}

const ct_grid *gantry_planes_get_grid(GantryPlanes *self) {
  return self->has_grid ? &self->grid : NULL;
}

void gantry_planes_get_wanted(GantryPlanes *self, int index[3]) {
  memcpy(index, self->wanted, sizeof self->wanted);
}

/* The oblique plane */

void gantry_planes_judge_oblique(GantryPlanes *self) {
  const GantryImage *a = gantry_quad_get_image(self->quad, GANTRY_VIEW_OBLIQUE, CTGL_SLOT_A),
                    *b = gantry_quad_get_image(self->quad, GANTRY_VIEW_OBLIQUE, CTGL_SLOT_B);
  const GantryImage *image = a ? a : b;
  const gboolean beside = self->has_grid && image && gantry_image_is_beside(image, &self->grid);
  gantry_slice_view_set_instead(gantry_quad_get_view(self->quad, GANTRY_VIEW_OBLIQUE),
                                beside ? "This plane lies beside the volume: move its slider, or reset its angles."
                                       : NULL);
}

void gantry_planes_reset_oblique(GantryPlanes *self) {
  GantryPose pose;
  double cross[3];
  const gboolean shown = gantry_display_get_oblique(self->display, &pose);
  pose = GANTRY_POSE_DEFAULT;
  gantry_display_set_oblique(self->display, shown, &pose);
  if (!self->has_grid) return;
  gantry_display_get_cross(self->display, cross);
  const ct_oblique plane = ct_oblique_through(&self->grid, cross, pose.rotation, pose.tilt);
  if (ct_oblique_meets(&plane, &self->grid)) return;
  find_middle(&self->grid, cross);
  gantry_display_set_cross(self->display, cross);
}
