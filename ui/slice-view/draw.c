/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice view's drawing area: the renderer's life with the OpenGL context, the camera, the scene. Images are
 * uploaded when the next frame is drawn, so that many updates between two frames cost one. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/area-context.h"
#include "ui/image-look.h"

void gantry_slice_view_redraw(GantrySliceView *self) {
  gtk_gl_area_queue_render(GTK_GL_AREA(self->area));
}

/* Labels must not change their size while the area is being drawn. */
static gboolean update_labels(gpointer data) {
  gantry_slice_view_update_labels(data);
  return G_SOURCE_REMOVE;
}

static void update_labels_soon(GantrySliceView *self) {
  g_idle_add_full(G_PRIORITY_HIGH_IDLE, update_labels, g_object_ref(self), g_object_unref);
}

/* A fault of the drawing stays in the view instead of the picture until a drawing succeeds. */
static void set_fault(GantrySliceView *self, const char *text) {
  if (g_strcmp0(self->fault, text) == 0) return;
  if (text) g_warning("%s", text);
  g_free(self->fault);
  self->fault = g_strdup(text);
  update_labels_soon(self);
}

/* Camera. */

ctgl_point gantry_slice_view_to_world(GantrySliceView *self, double x, double y) {
  return ctgl_screen_to_world(&self->camera, (ctgl_point){x * self->ratio, y * self->ratio});
}

ctgl_point gantry_slice_view_to_widget(GantrySliceView *self, ctgl_point world) {
  const ctgl_point screen = ctgl_world_to_screen(&self->camera, world);
  return (ctgl_point){screen.x / self->ratio, screen.y / self->ratio};
}

static ctgl_image_frame frame_of(const GantryImage *image) {
  return (ctgl_image_frame){image->width,     image->height,   image->spacing_x,
                            image->spacing_y, image->origin_x, image->origin_y};
}

gboolean gantry_slice_view_frame(GantrySliceView *self, ctgl_image_frame *frame) {
  const GantryImage *image = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  if (!image || self->instead) return FALSE;
  *frame = frame_of(image);
  return TRUE;
}

/* Equal to within a pixel of either, so that a coarse preview and its fine volume are one extent. */
static gboolean same_extent(const ctgl_image_frame *a, const ctgl_image_frame *b) {
  const double slack_x = MAX(a->spacing_x, b->spacing_x), slack_y = MAX(a->spacing_y, b->spacing_y);
  return a->width > 0 && b->width > 0 && fabs(a->width * a->spacing_x - b->width * b->spacing_x) <= slack_x &&
         fabs(a->height * a->spacing_y - b->height * b->spacing_y) <= slack_y &&
         fabs(a->origin_x - b->origin_x) <= slack_x && fabs(a->origin_y - b->origin_y) <= slack_y;
}

/* A sinogram's pixels are detector pixels across and views upwards: it fills what its axes leave of the view. */
static void fit(GantrySliceView *self, ctgl_camera *camera, const ctgl_image_frame *frame) {
  double margins[4];
  if (gantry_slice_view_axis_margins(self, margins))
    ctgl_camera_fill(camera, frame, margins);
  else
    ctgl_camera_fit(camera, frame);
}

void gantry_slice_view_update_camera(GantrySliceView *self) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_frame(self, &frame)) return;
  const gboolean fills = gantry_slice_view_sinogram(self) != NULL;
  if (fills != self->fills) self->fitted = TRUE;
  self->fills = fills;
  /* The extent of an oblique picture changes with every turn of its plane. */
  if (self->kind != GANTRY_VIEW_OBLIQUE && !same_extent(&frame, &self->fitted_to)) self->fitted = TRUE;
  self->fitted_to = frame;
  if (self->fitted) fit(self, &self->camera, &frame);
}

void gantry_slice_view_zoom(GantrySliceView *self, double x, double y, double factor) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_frame(self, &frame) || self->camera.width < 1) return;
  /* From a quarter of the fitted size to an image pixel of 64 logical pixels. */
  ctgl_camera fitted = self->camera;
  fit(self, &fitted, &frame);
  const double most = MAX(64 * self->ratio / MIN(frame.spacing_x, frame.spacing_y), fitted.zoom);
  const ctgl_point held = gantry_slice_view_to_world(self, x, y);
  self->camera.zoom = CLAMP(self->camera.zoom * factor, fitted.zoom / 4, most);
  const ctgl_point moved = gantry_slice_view_to_world(self, x, y);
  self->camera.centre_x += held.x - moved.x;
  self->camera.centre_y += held.y - moved.y;
  self->fitted = FALSE;
  gantry_slice_view_share_camera(self);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

void gantry_slice_view_pan(GantrySliceView *self, double x, double y) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_frame(self, &frame)) return;
  /* The middle of the view stays within the image, so that it cannot get lost. */
  const double centre_x = self->camera.centre_x - x * self->ratio / self->camera.zoom;
  const double centre_y = self->camera.centre_y + y * self->ratio / ctgl_camera_zoom_up(&self->camera);
  self->camera.centre_x = CLAMP(centre_x, frame.origin_x, frame.origin_x + (frame.width - 1) * frame.spacing_x);
  self->camera.centre_y = CLAMP(centre_y, frame.origin_y, frame.origin_y + (frame.height - 1) * frame.spacing_y);
  self->fitted = FALSE;
  gantry_slice_view_share_camera(self);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

gboolean gantry_slice_view_get_camera(GantrySliceView *self, double camera[3]) {
  ctgl_image_frame frame;
  if (self->fitted || !gantry_slice_view_frame(self, &frame)) return FALSE;
  camera[0] = self->camera.centre_x;
  camera[1] = self->camera.centre_y;
  camera[2] = self->camera.zoom / self->ratio;
  return TRUE;
}

gboolean gantry_slice_view_get_region(GantrySliceView *self, double region[4], double *pixel) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_frame(self, &frame)) return FALSE;
  const double width = frame.width * frame.spacing_x, height = frame.height * frame.spacing_y;
  region[0] = frame.origin_x - frame.spacing_x / 2, region[2] = region[0] + width;
  region[1] = frame.origin_y - frame.spacing_y / 2, region[3] = region[1] + height;
  *pixel = width / 400;
  if (self->camera.width < 2 || self->camera.height < 2 || !(self->camera.zoom > 0)) return TRUE;
  const ctgl_point upper = ctgl_screen_to_world(&self->camera, (ctgl_point){0, 0});
  const ctgl_point lower =
      ctgl_screen_to_world(&self->camera, (ctgl_point){(double)self->camera.width, (double)self->camera.height});
  *pixel = self->ratio / self->camera.zoom;
  /* Of a fitted picture no more than the picture: the rest of the view is empty. */
  if (self->fitted) return TRUE;
  region[0] = upper.x, region[1] = lower.y, region[2] = lower.x, region[3] = upper.y;
  return TRUE;
}

void gantry_slice_view_set_camera(GantrySliceView *self, const double camera[3]) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_frame(self, &frame) || !(camera[2] > 0)) return;
  self->camera.zoom = camera[2] * self->ratio;
  self->camera.centre_x = camera[0];
  self->camera.centre_y = camera[1];
  /* Their bounds are those of zooming and panning. */
  gantry_slice_view_zoom(self, 0, 0, 1);
  gantry_slice_view_pan(self, 0, 0);
}

static void area_resize(GtkGLArea *area, int width, int height, GantrySliceView *self) {
  const double ratio = gtk_widget_get_scale_factor(self->area);
  self->camera.width = width;
  self->camera.height = height;
  self->camera.zoom *= ratio / self->ratio;
  self->ratio = ratio;
  gantry_slice_view_update_camera(self);
  update_labels_soon(self);
}

/* Scene. */

static gboolean upload(GantrySliceView *self, ct_error **error) {
  for (int slot = 0; slot < CTGL_SLOTS; slot++) {
    if (!self->stale[slot]) continue;
    const GantryImage *image = self->instead ? NULL : self->images[slot];
    const ctgl_image_frame frame = image ? frame_of(image) : (ctgl_image_frame){0};
    if (!ctgl_slice_renderer_set_image(self->renderer, (ctgl_slot)slot, image ? &frame : NULL,
                                       image ? image->pixels : NULL, error))
      return FALSE;
    const gboolean bounded = image && image->kind == GANTRY_VIEW_OBLIQUE;
    const ctgl_bounds bounds = bounded ? gantry_image_bounds(image) : (ctgl_bounds){0};
    ctgl_slice_renderer_set_bounds(self->renderer, (ctgl_slot)slot, bounded ? &bounds : NULL);
    self->stale[slot] = FALSE;
  }
  return TRUE;
}

static void add_crosshair(GantrySliceView *self, ctgl_slice_scene *scene) {
  /* A horizontal line is where the plane lies whose normal is this picture's vertical axis. */
  static const GantryViewKind plane_of_normal[3] = {GANTRY_VIEW_SAGITTAL, GANTRY_VIEW_CORONAL, GANTRY_VIEW_AXIAL};
  int axes[3];
  gantry_slice_view_axes(self->kind, axes);
  const gboolean oblique = self->kind == GANTRY_VIEW_OBLIQUE;
  scene->crosshair = gantry_display_get_show_crosshair(self->display);
  scene->cross = gantry_slice_view_get_cross(self);
  scene->cross_horizontal = gantry_plane_colour(plane_of_normal[axes[1]]);
  scene->cross_vertical = gantry_plane_colour(plane_of_normal[axes[0]]);
  /* No orthogonal plane stands upright on an oblique one. */
  if (oblique) scene->cross_horizontal = scene->cross_vertical = (ctgl_colour){0.9f, 0.9f, 0.9f, 1};
  scene->cross_horizontal.a = scene->cross_vertical.a = 0.85f;
}

static void add_trace(GantrySliceView *self, ctgl_slice_scene *scene) {
  scene->trace = gantry_slice_view_trace(self, &scene->trace_at, &scene->trace_direction, &scene->trace_reach);
  scene->trace_colour = gantry_plane_colour(GANTRY_VIEW_OBLIQUE);
}

/* A line or box of which one end is set. */
static void add_tool(GantrySliceView *self, ctgl_slice_scene *scene) {
  const ctgl_point to = self->tool_points ? gantry_slice_view_to_world(self, self->pointer_x, self->pointer_y)
                                          : gantry_slice_view_get_cross(self);
  if (self->tool == GANTRY_TOOL_RECTANGLE || self->tool == GANTRY_TOOL_MARK) return;
  if (self->tool == GANTRY_TOOL_PROFILE) {
    scene->profile = true;
    scene->profile_from = self->tool_from;
    scene->profile_to = to;
  } else {
    scene->region = true;
    scene->region_from = self->tool_from;
    scene->region_to = to;
  }
}

/* Of the lines that are averaged, mm; 0 where it is a single one. */
static double profile_width(GantrySliceView *self) {
  const GantryImage *a = self->images[CTGL_SLOT_A];
  const int lines = gantry_display_get_profile_lines(self->display);
  return a && lines > 1 ? lines * fmin(a->spacing_x, a->spacing_y) : 0;
}

static ctgl_slice_scene make_scene(GantrySliceView *self) {
  ctgl_image_frame frame;
  const gboolean filled = gantry_slice_view_frame(self, &frame);
  ctgl_slice_scene scene = {
      .camera = self->camera,
      .mode = gantry_slice_view_mode(self),
      .smooth = gantry_display_get_smooth(self->display),
      .range = gantry_slice_view_range(self),
      .logarithmic = gantry_display_get_logarithmic(self->display),
      .least = gantry_display_get_least(self->display),
      .map = ctgl_colour_map_find(gantry_display_get_colour_map(self->display)),
      .diverging = ctgl_colour_map_find(gantry_display_get_diverging_map(self->display)),
      .swipe = gantry_display_get_swipe(self->display),
      .fade = gantry_display_get_fade(self->display),
      .tile = gantry_display_get_tile(self->display) * self->ratio,
      .pixel_ratio = self->ratio,
      .frame = gantry_plane_colour(self->kind),
      .scale_bar = filled && !gantry_slice_view_sinogram(self),
  };
  gantry_slice_view_get_window(self, &scene.low, &scene.high);
  scene.frame.a = 0.8f;
  if (!filled) {
    scene.mode = CTGL_SHOW_A;
    return scene;
  }
  if (gantry_slice_view_is_plane(self)) add_crosshair(self, &scene);
  add_trace(self, &scene);
  gantry_slice_view_add_links(self, &scene);
  scene.profile = gantry_display_get_profile(self->display, &scene.profile_from, &scene.profile_to) == self->kind;
  scene.profile_width = profile_width(self);
  scene.region = self->region;
  scene.region_from = self->region_from;
  scene.region_to = self->region_to;
  gantry_slice_view_add_rectangle(self, &scene);
  if (self->tool_started) add_tool(self, &scene);
  return scene;
}

static gboolean area_render(GtkGLArea *area, GdkGLContext *context, GantrySliceView *self) {
  if (!self->renderer || self->camera.width < 1) return TRUE;
  ct_error *error = NULL;
  const ctgl_slice_scene scene = make_scene(self);
  if (upload(self, &error) && ctgl_slice_renderer_draw(self->renderer, &scene, &error))
    set_fault(self, NULL);
  else
    set_fault(self, error ? error->message : "The picture could not be drawn.");
  ct_error_clear(&error);
  return TRUE;
}

/* Context. */

static void area_realize(GtkGLArea *area, GantrySliceView *self) {
  gtk_gl_area_make_current(area);
  const GError *refused = gtk_gl_area_get_error(area);
  if (refused) {
    g_autofree char *text =
        g_strdup_printf("The pictures need OpenGL 3.3, which this display does not offer: %s", refused->message);
    set_fault(self, text);
    return;
  }
  ct_error *error = NULL;
  self->renderer = ctgl_slice_renderer_new(gantry_area_context_programs(area), &error);
  for (int slot = 0; slot < CTGL_SLOTS; slot++) self->stale[slot] = TRUE;
  set_fault(self, error ? error->message : NULL);
  ct_error_clear(&error);
}

static void area_unrealize(GtkGLArea *area, GantrySliceView *self) {
  if (!self->renderer) return;
  gtk_gl_area_make_current(area);
  if (!gtk_gl_area_get_error(area)) ctgl_slice_renderer_free(self->renderer);
  self->renderer = NULL;
}

void gantry_slice_view_connect_area(GantrySliceView *self) {
  gtk_gl_area_set_required_version(GTK_GL_AREA(self->area), 3, 3);
  gantry_area_context_share(GTK_GL_AREA(self->area));
  g_signal_connect(self->area, "realize", G_CALLBACK(area_realize), self);
  g_signal_connect(self->area, "unrealize", G_CALLBACK(area_unrealize), self);
  g_signal_connect(self->area, "resize", G_CALLBACK(area_resize), self);
  g_signal_connect(self->area, "render", G_CALLBACK(area_render), self);
}
