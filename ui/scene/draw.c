/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene's drawing area: the renderer's life with the OpenGL context, the scene of the present geometry, the camera.
 * Scene and images are brought up to date when the next frame is drawn, so that many changes between two frames cost
 * one. */
#include "ui/scene/view-private.h"

#include <math.h>

#include "ui/area-context.h"
#include "ui/image-look.h"
#include "ui/scene-shot.h"

void gantry_scene_view_redraw(GantrySceneView *self) {
  gtk_gl_area_queue_render(GTK_GL_AREA(self->area));
}

/* Labels must not change their size while the area is being drawn. */
static gboolean update_labels(gpointer data) {
  gantry_scene_view_update_labels(data);
  return G_SOURCE_REMOVE;
}

static void update_labels_soon(GantrySceneView *self) {
  g_idle_add_full(G_PRIORITY_HIGH_IDLE, update_labels, g_object_ref(self), g_object_unref);
}

static void set_fault(GantrySceneView *self, const char *text) {
  if (g_strcmp0(self->fault, text) == 0) return;
  if (text) g_warning("%s", text);
  g_free(self->fault);
  self->fault = g_strdup(text);
  update_labels_soon(self);
}

/* The scene */

void gantry_scene_view_change(GantrySceneView *self) {
  self->changed = TRUE;
  gantry_scene_view_stir(self);
  gantry_scene_view_update_labels(self);
  gantry_scene_view_redraw(self);
}

static int view_of(GantrySceneView *self) {
  const int shown = gantry_scene_view_get_shown(self);
  return shown >= 0 ? shown : (int)round(gtk_adjustment_get_value(self->view));
}

/* Between the title above and the caption below. The letters of the axes stand beside the volume. */
static void fit(GantrySceneView *self) {
  static const double above = 34, below = 30, letters = 1.05;
  if (!self->has_scene || self->camera.width < 1) return;
  const int height = self->camera.height;
  self->camera.height = MAX(height - (int)((above + below) * self->ratio), height / 2);
  if (self->fitted_volume)
    ctgl_orbit_fit(&self->camera, self->scene.middle, letters * self->scene.reach);
  else
    ctgl_orbit_fit_points(&self->camera, self->scene.turn, self->scene.turn_points);
  self->camera.height = height;
  ctgl_orbit_pan(&self->camera, 0, (above - below) / 2 * self->ratio);
}

static gboolean make_scene(GantrySceneView *self, ctgl_scene *scene) {
  ctgl_scene_request request = {.geometry = &self->geometry, .grid = &self->grid, .view = view_of(self)};
  gantry_display_get_cross(self->display, request.cross);
  const GantryRay *ray = gantry_display_get_ray(self->display);
  if (ray && ray->view == request.view) request.pointed = ray->uv;
  return ctgl_scene_make(&request, scene, NULL);
}

const ctgl_scene *gantry_scene_view_get_scene(GantrySceneView *self) {
  if (!self->changed) return self->has_scene ? &self->scene : NULL;
  self->changed = FALSE;
  ctgl_scene_clear(&self->scene);
  self->has_scene = FALSE;
  if (!self->has_geometry || !self->has_grid) return NULL;
  self->has_scene = make_scene(self, &self->scene);
  if (self->fitted) fit(self);
  return self->has_scene ? &self->scene : NULL;
}

/* The camera */

void gantry_scene_view_look(GantrySceneView *self, ctgl_look look) {
  ctgl_orbit_look(&self->camera, look);
  gantry_scene_view_fit(self, self->fitted_volume);
}

void gantry_scene_view_fit(GantrySceneView *self, gboolean volume) {
  self->fitted = TRUE;
  self->fitted_volume = volume;
  gantry_scene_view_get_scene(self);
  fit(self);
  gantry_scene_view_update_labels(self);
  gantry_scene_view_redraw(self);
}

static gboolean settle(gpointer user) {
  GantrySceneView *self = user;
  self->settling = 0;
  gantry_scene_view_redraw(self);
  return G_SOURCE_REMOVE;
}

void gantry_scene_view_stir(GantrySceneView *self) {
  enum { REST = 180 }; /* ms */
  if (!gantry_scene_view_shows_solid(self)) return;
  g_clear_handle_id(&self->settling, g_source_remove);
  self->settling = g_timeout_add(REST, settle, self);
}

/* A person has moved the camera. */
static void camera_moved(GantrySceneView *self) {
  self->fitted = FALSE;
  gantry_scene_view_stir(self);
  gantry_scene_view_update_labels(self);
  gantry_scene_view_redraw(self);
}

void gantry_scene_view_turn(GantrySceneView *self, double azimuth, double elevation) {
  ctgl_orbit_turn(&self->camera, azimuth, elevation);
  camera_moved(self);
}

void gantry_scene_view_pan(GantrySceneView *self, double right, double down) {
  const ctgl_scene *scene = gantry_scene_view_get_scene(self);
  const ctgl_orbit before = self->camera;
  if (!scene) return;
  ctgl_orbit_pan(&self->camera, right * self->ratio, down * self->ratio);
  /* What is looked at stays within the scene, so that it cannot get lost. */
  double square = 0;
  for (int i = 0; i < 3; i++) square += pow(self->camera.target[i] - scene->centre[i], 2);
  if (sqrt(square) > scene->radius) self->camera = before;
  camera_moved(self);
}

void gantry_scene_view_zoom(GantrySceneView *self, double x, double y, double factor) {
  const ctgl_scene *scene = gantry_scene_view_get_scene(self);
  if (!scene || self->camera.width < 1) return;
  /* From a third of the whole scene's size to a fiftieth of the volume over the view. */
  const double side = MIN(self->camera.width, self->camera.height);
  const double least = side / scene->radius / 6, most = MAX(25 * side / scene->reach, 2 * least);
  const double zoom = CLAMP(self->camera.zoom * factor, least, most);
  ctgl_orbit_zoom(&self->camera, x * self->ratio, y * self->ratio, zoom / self->camera.zoom);
  camera_moved(self);
}

static void area_resize(GtkGLArea *area, int width, int height, GantrySceneView *self) {
  const int before = MIN(self->camera.width, self->camera.height);
  self->ratio = gtk_widget_get_scale_factor(self->area);
  self->camera.width = width;
  self->camera.height = height;
  if (before > 0) self->camera.zoom *= (double)MIN(width, height) / before;
  gantry_scene_view_get_scene(self);
  if (self->fitted) fit(self);
  update_labels_soon(self);
}

/* Keeping it */

void gantry_scene_view_get_camera(GantrySceneView *self, double camera[GANTRY_SCENE_CAMERA]) {
  const ctgl_orbit *orbit = &self->camera;
  const double values[GANTRY_SCENE_CAMERA] = {
      orbit->azimuth,   orbit->elevation,          orbit->target[0],          orbit->target[1],
      orbit->target[2], orbit->zoom / self->ratio, orbit->perspective ? 1 : 0};
  memcpy(camera, values, sizeof values);
  if (self->fitted) camera[5] = self->fitted_volume ? -1 : 0;
}

void gantry_scene_view_set_camera(GantrySceneView *self, const double camera[GANTRY_SCENE_CAMERA]) {
  self->camera.azimuth = camera[0];
  self->camera.elevation = CLAMP(camera[1], -G_PI / 2, G_PI / 2);
  self->camera.perspective = camera[6] != 0;
  if (!(camera[5] > 0)) {
    gantry_scene_view_fit(self, camera[5] < 0);
    return;
  }
  memcpy(self->camera.target, camera + 2, sizeof self->camera.target);
  self->camera.zoom = camera[5] * self->ratio;
  camera_moved(self);
}

/* Drawing */

static gboolean upload(GantrySceneView *self, ct_error **error) {
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
    if (!self->stale[kind]) continue;
    if (!gantry_scene_upload_image(self->renderer, (GantryViewKind)kind, self->images[kind], error)) return FALSE;
    self->stale[kind] = FALSE;
  }
  return TRUE;
}

static gboolean upload_solid(GantrySceneView *self, ct_error **error) {
  const GantrySolid *solid = gantry_scene_view_shows_solid(self) ? self->solid : NULL;
  if (!self->solid_stale || (!solid && self->solid)) return TRUE;
  self->solid_stale = FALSE;
  return gantry_scene_upload_solid(self->renderer, solid, error);
}

/* Frame of a picture in mm; of a projection in pixels of the geometry. */
static ctgl_picture_frame frame_of(GantrySceneView *self, const GantryImage *image) {
  ctgl_picture_frame frame = {
      image->width, image->height, {image->spacing_x, image->spacing_y}, {image->origin_x, image->origin_y}};
  if (image->kind != GANTRY_VIEW_PROJECTION) return frame;
  const double bins[2] = {self->bins.bin_u, self->bins.bin_v}, first[2] = {0, self->bins.row0};
  for (int i = 0; i < 2; i++) {
    frame.spacing[i] /= bins[i];
    frame.origin[i] = (frame.origin[i] - first[i] - (bins[i] - 1) / 2) / bins[i];
  }
  return frame;
}

static void place_images(GantrySceneView *self, ctgl_scene_look *look) {
  GantryPose pose;
  const gboolean oblique = gantry_display_get_oblique(self->display, &pose);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
    const GantryImage *image = self->images[kind];
    if (!image || (kind == GANTRY_VIEW_OBLIQUE && !oblique)) continue;
    if (kind == GANTRY_VIEW_PROJECTION && gantry_scene_view_get_shown(self) < 0) continue;
    if (kind < GANTRY_VIEW_PROJECTION && gantry_scene_view_shows_solid(self)) continue;
    const ctgl_picture_frame frame = frame_of(self, image);
    look->shown[kind] = true;
    if (kind == GANTRY_VIEW_PROJECTION) {
      look->corners[kind] = ctgl_projection_corners(&self->scene.detector, &frame);
      continue;
    }
    look->corners[kind] = kind == GANTRY_VIEW_OBLIQUE ? ctgl_oblique_corners(&image->oblique)
                                                      : ctgl_slice_corners((ct_plane)kind, image->position, &frame);
    /* The picture of an oblique plane is larger than what it cuts of the volume. */
    if (kind != GANTRY_VIEW_OBLIQUE) look->frames[kind] = gantry_plane_colour((GantryViewKind)kind);
  }
}

static ctgl_scene_look make_look(GantrySceneView *self) {
  ctgl_scene_look look = {
      .camera = self->camera,
      .pixel_ratio = self->ratio,
      .map = ctgl_colour_map_find(gantry_display_get_colour_map(self->display)),
      .smooth = gantry_display_get_smooth(self->display),
      .solid = gantry_scene_view_shows_solid(self) ? self->how : CTGL_SOLID_NONE,
      .threshold = gtk_adjustment_get_value(self->threshold),
      .part = gantry_scene_view_get_part(self),
      .coarse = self->settling != 0,
      .scale_bar = true,
  };
  gantry_display_get_window(self->display, &look.low, &look.high);
  gantry_display_get_projection_window(self->display, &look.projection_low, &look.projection_high);
  place_images(self, &look);
  return look;
}

GantrySceneShot *gantry_scene_view_dup_shot(GantrySceneView *self, int height) {
  if (!gantry_scene_view_get_scene(self) || self->camera.width < 1) return NULL;
  GantrySceneShot *shot = g_new0(GantrySceneShot, 1);
  if (!make_scene(self, &shot->scene)) {
    g_free(shot);
    return NULL;
  }
  shot->look = make_look(self);
  const double times = (double)height / self->camera.height;
  shot->look.camera.width = 2 * (int)round(times * self->camera.width / 2);
  shot->look.camera.height = 2 * (height / 2);
  shot->look.camera.zoom *= times;
  shot->look.pixel_ratio *= times;
  shot->look.coarse = false;
  shot->look.scale_bar = false; /* its length is a label's */
  for (int kind = 0; kind < GANTRY_VIEWS; kind++)
    if (self->images[kind]) shot->images[kind] = gantry_image_ref(self->images[kind]);
  if (gantry_scene_view_shows_solid(self)) shot->solid = gantry_solid_ref(self->solid);
  return shot;
}

static gboolean area_render(GtkGLArea *area, GdkGLContext *context, GantrySceneView *self) {
  if (!self->renderer || self->camera.width < 1) return TRUE;
  const ctgl_scene *scene = gantry_scene_view_get_scene(self);
  if (!scene) return TRUE;
  ct_error *error = NULL;
  const ctgl_scene_look look = make_look(self);
  if (upload(self, &error) && upload_solid(self, &error) &&
      ctgl_scene_renderer_draw(self->renderer, scene, &look, &error))
    set_fault(self, NULL);
  else
    set_fault(self, error ? error->message : "The scene could not be drawn.");
  ct_error_clear(&error);
  return TRUE;
}

/* Context */

static void area_realize(GtkGLArea *area, GantrySceneView *self) {
  gtk_gl_area_make_current(area);
  const GError *refused = gtk_gl_area_get_error(area);
  if (refused) {
    g_autofree char *text =
        g_strdup_printf("The scene needs OpenGL 3.3, which this display does not offer: %s", refused->message);
    set_fault(self, text);
    return;
  }
  ct_error *error = NULL;
  self->renderer = ctgl_scene_renderer_new(&error);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) self->stale[kind] = TRUE;
  self->solid_stale = TRUE;
  set_fault(self, error ? error->message : NULL);
  ct_error_clear(&error);
}

static void area_unrealize(GtkGLArea *area, GantrySceneView *self) {
  if (!self->renderer) return;
  gtk_gl_area_make_current(area);
  if (!gtk_gl_area_get_error(area)) ctgl_scene_renderer_free(self->renderer);
  self->renderer = NULL;
}

void gantry_scene_view_connect_area(GantrySceneView *self) {
  gtk_gl_area_set_required_version(GTK_GL_AREA(self->area), 3, 3);
  gantry_area_context_share(GTK_GL_AREA(self->area));
  g_signal_connect(self->area, "realize", G_CALLBACK(area_realize), self);
  g_signal_connect(self->area, "unrealize", G_CALLBACK(area_unrealize), self);
  g_signal_connect_swapped(self->area, "map", G_CALLBACK(gantry_scene_view_change), self);
  g_signal_connect(self->area, "resize", G_CALLBACK(area_resize), self);
  g_signal_connect(self->area, "render", G_CALLBACK(area_render), self);
}
