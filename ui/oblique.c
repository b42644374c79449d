/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic of the oblique plane: coordinates, traces, turns, its picture's frame. */
#include "ui/oblique.h"

#include <math.h>

static void axes_of(const GantryPose *pose, double axes[3][3]) {
  static const double origin[3];
  const ct_oblique plane = ct_oblique_turned(origin, pose->rotation, pose->tilt, 1, 1, 1);
  for (int i = 0; i < 3; i++) {
    axes[0][i] = plane.across[i];
    axes[1][i] = plane.up[i];
  }
  ct_oblique_normal(&plane, axes[2]);
}

void gantry_pose_from_world(const GantryPose *pose, const double point[3], double place[3]) {
  double axes[3][3];
  axes_of(pose, axes);
  for (int k = 0; k < 3; k++) place[k] = axes[k][0] * point[0] + axes[k][1] * point[1] + axes[k][2] * point[2];
}

void gantry_pose_to_world(const GantryPose *pose, const double place[3], double point[3]) {
  double axes[3][3];
  axes_of(pose, axes);
  for (int i = 0; i < 3; i++) point[i] = axes[0][i] * place[0] + axes[1][i] * place[1] + axes[2][i] * place[2];
}

/* World axes of the horizontal and the vertical of an orthogonal picture. */
static void picture_axes(GantryViewKind kind, int *across, int *up) {
  *across = kind == GANTRY_VIEW_SAGITTAL ? 1 : 0;
  *up = kind == GANTRY_VIEW_AXIAL ? 1 : 2;
}

gboolean gantry_pose_trace(const GantryPose *pose, GantryViewKind kind, double direction[2]) {
  static const double origin[3];
  double point[2];
  const ct_oblique plane = ct_oblique_turned(origin, pose->rotation, pose->tilt, 1, 1, 1);
  return ct_oblique_trace(&plane, (ct_plane)kind, 0, point, direction);
}

static double wrapped(double angle) {
  return angle - 2 * G_PI * ceil((angle - G_PI) / (2 * G_PI));
}

GantryPose gantry_pose_turned(const GantryPose *pose, GantryViewKind kind, double angle) {
  double axes[3][3], rotation, tilt;
  int across, up;
  axes_of(pose, axes);
  picture_axes(kind, &across, &up);
  double *normal = axes[2];
  const double a = normal[across], b = normal[up];
  normal[across] = cos(angle) * a - sin(angle) * b;
  normal[up] = sin(angle) * a + cos(angle) * b;
  if (!ct_oblique_angles(normal, &rotation, &tilt, NULL)) return *pose;
  /* An axial plane may have any rotation. */
  if (fabs(sin(tilt)) < 1e-9) rotation = pose->rotation;
  /* (r + pi, -t) is the same plane with its picture turned by half a circle. */
  if (fabs(wrapped(rotation - pose->rotation)) > G_PI / 2) {
    rotation += G_PI;
    tilt = -tilt;
  }
  return (GantryPose){wrapped(rotation), wrapped(tilt)};
}

void gantry_pose_range(const GantryPose *pose, const ct_grid *g, const double point[3], int *count, int *index,
                       double *first, double *last) {
  const double half[3] = {0.5 * (g->nx - 1) * g->dx, 0.5 * (g->ny - 1) * g->dy, 0.5 * (g->nz - 1) * g->dz};
  const double middle[3] = {g->x0 + half[0], g->y0 + half[1], g->z0 + half[2]};
  const double step = fmin(g->dx, fmin(g->dy, g->dz));
  double axes[3][3], centre[3], place[3], reach = 0;
  axes_of(pose, axes);
  gantry_pose_from_world(pose, middle, centre);
  gantry_pose_from_world(pose, point, place);
  for (int i = 0; i < 3; i++) reach += fabs(axes[2][i]) * half[i];
  const int each = (int)floor(reach / step + 1e-6);
  *count = 2 * each + 1;
  *index = CLAMP((int)lround((place[2] - centre[2]) / step), -each, each) + each;
  *first = centre[2] - each * step;
  *last = centre[2] + each * step;
}

GantryImage *gantry_image_new_for_oblique(const ct_oblique *oblique, const GantryPose *pose, const ct_grid *volume) {
  GantryImage *image = gantry_image_new(oblique->width, oblique->height);
  if (!image) return NULL;
  double corner[3], place[3];
  ct_oblique_point(oblique, 0, 0, corner);
  gantry_pose_from_world(pose, corner, place);
  image->kind = GANTRY_VIEW_OBLIQUE;
  image->spacing_x = image->spacing_y = oblique->spacing;
  image->origin_x = place[0];
  image->origin_y = place[1];
  image->position = place[2];
  image->rotation = pose->rotation;
  image->tilt = pose->tilt;
  image->oblique = *oblique;
  image->volume = *volume;
  return image;
}

gboolean gantry_image_is_beside(const GantryImage *image, const ct_grid *grid) {
  return !ct_oblique_meets(&image->oblique, grid);
}

gboolean gantry_image_is_oblique(const GantryImage *image, const GantryPose *pose, const double point[3]) {
  double place[3];
  gantry_pose_from_world(pose, point, place);
  return image->rotation == pose->rotation && image->tilt == pose->tilt &&
         fabs(image->position - place[2]) <= 1e-6 * image->spacing_x;
}
