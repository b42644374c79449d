/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene's renderer. Opaque pictures and lines first, tested for depth; then a detector that is seen from behind,
 * through which the volume stays visible; last what lies over all. */
#include "render/scene/renderer.h"

#include "render/colour-texture-private.h"
#include "render/scene/canvas-private.h"
#include "render/scene/solid-private.h"
#include "render/scene/strokes-private.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Opacity of lines that are behind something, and of a detector before the volume. */
static const float behind_share = 0.28f, veil_share = 0.45f;

typedef struct picture {
  GLuint texture;
  int width, height; /* 0: none */
  ctgl_bounds bounds;
} picture;

struct ctgl_scene_renderer {
  GLuint lines, pictures; /* programs */
  GLint line_share;
  GLint size, window, map_row, share, corner, across, up;
  GLuint vertex_array, buffer, colours;
  picture held[CTGL_PICTURES];
  ctgl_scene_canvas canvas;
  ctgl_solid_volume volume;
  GLint largest;
};

/* State beyond ctgl_state. */
typedef struct more_state {
  GLint draw, read, renderbuffer, depth_function;
  GLboolean depth_mask;
  GLfloat clear[4];
  ctgl_state state;
} more_state;

static void save(more_state *more) {
  ctgl_forget_errors();
  ctgl_state_save(&more->state);
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &more->draw);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &more->read);
  glGetIntegerv(GL_RENDERBUFFER_BINDING, &more->renderbuffer);
  glGetIntegerv(GL_DEPTH_FUNC, &more->depth_function);
  glGetBooleanv(GL_DEPTH_WRITEMASK, &more->depth_mask);
  glGetFloatv(GL_COLOR_CLEAR_VALUE, more->clear);
}

static void restore(const more_state *more) {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)more->draw);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)more->read);
  glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)more->renderbuffer);
  glDepthFunc((GLenum)more->depth_function);
  glDepthMask(more->depth_mask);
  glClearColor(more->clear[0], more->clear[1], more->clear[2], more->clear[3]);
  ctgl_state_restore(&more->state);
}

/* Making */

static bool make_programs(ctgl_scene_renderer *r, ct_error **error) {
  r->lines = ctgl_program_new("scene.vert", "scene-line.frag", "", error);
  r->pictures = r->lines ? ctgl_program_new("scene.vert", "scene-picture.frag", "", error) : 0;
  if (!r->pictures) return false;
  r->line_share = glGetUniformLocation(r->lines, "share");
  r->size = glGetUniformLocation(r->pictures, "size");
  r->window = glGetUniformLocation(r->pictures, "window");
  r->map_row = glGetUniformLocation(r->pictures, "map_row");
  r->share = glGetUniformLocation(r->pictures, "share");
  r->corner = glGetUniformLocation(r->pictures, "corner");
  r->across = glGetUniformLocation(r->pictures, "across");
  r->up = glGetUniformLocation(r->pictures, "up");
  glUseProgram(r->pictures);
  glUniform1i(glGetUniformLocation(r->pictures, "picture"), CTGL_UNIT_A);
  glUniform1i(glGetUniformLocation(r->pictures, "colours"), CTGL_UNIT_COLOURS);
  return true;
}

static GLuint make_texture(int unit, GLint filter) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

static void make_buffers(ctgl_scene_renderer *r) {
  glGenVertexArrays(1, &r->vertex_array);
  glGenBuffers(1, &r->buffer);
  glBindVertexArray(r->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, r->buffer);
  static const size_t offsets[2] = {offsetof(ctgl_scene_vertex, place), offsetof(ctgl_scene_vertex, extra)};
  for (GLuint i = 0; i < 2; i++) {
    glEnableVertexAttribArray(i);
    glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, sizeof(ctgl_scene_vertex), (const void *)offsets[i]);
  }
  r->colours = make_texture(CTGL_UNIT_COLOURS, GL_NEAREST);
  ctgl_upload_colours();
  for (int kind = 0; kind < CTGL_PICTURES; kind++)
    r->held[kind].texture = make_texture(CTGL_UNIT_A, GL_LINEAR_MIPMAP_LINEAR);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &r->largest);
}

ctgl_scene_renderer *ctgl_scene_renderer_new(ct_error **error) {
  if (!epoxy_is_desktop_gl() || epoxy_gl_version() < 33) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "The scene needs OpenGL 3.3; this display offers %s %d.%d.",
                 epoxy_is_desktop_gl() ? "OpenGL" : "OpenGL ES", epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    return NULL;
  }
  ctgl_scene_renderer *renderer = calloc(1, sizeof *renderer);
  if (!renderer) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for the scene's renderer.");
    return NULL;
  }
  more_state state;
  save(&state);
  ctgl_state_plain_unpack();
  bool good = make_programs(renderer, error);
  if (good) {
    make_buffers(renderer);
    good = ctgl_check("the start of the scene", error);
  }
  restore(&state);
  if (good) return renderer;
  ctgl_scene_renderer_free(renderer);
  return NULL;
}

void ctgl_scene_renderer_free(ctgl_scene_renderer *renderer) {
  if (!renderer) return;
  glDeleteProgram(renderer->lines);
  glDeleteProgram(renderer->pictures);
  glDeleteVertexArrays(1, &renderer->vertex_array);
  glDeleteBuffers(1, &renderer->buffer);
  glDeleteTextures(1, &renderer->colours);
  for (int kind = 0; kind < CTGL_PICTURES; kind++) glDeleteTextures(1, &renderer->held[kind].texture);
  ctgl_scene_canvas_clear(&renderer->canvas);
  ctgl_solid_clear(&renderer->volume);
  free(renderer);
}

/* Pictures */

bool ctgl_scene_renderer_set_picture(ctgl_scene_renderer *renderer, ctgl_picture_kind kind, const int size[2],
                                     const float *pixels, const ctgl_bounds *bounds, ct_error **error) {
  static const ctgl_bounds all = {.corner = {0.5, 0.5, 0.5}};
  picture *held = &renderer->held[kind];
  if (pixels && (size[0] < 1 || size[1] < 1))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A picture of %d x %d pixels cannot be drawn.", size[0], size[1]);
  if (pixels && (size[0] > renderer->largest || size[1] > renderer->largest))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The picture has %d x %d pixels; this display's OpenGL draws at most %d x %d.", size[0],
                        size[1], renderer->largest, renderer->largest);
  if (!pixels && held->width == 0) return true;
  more_state state;
  save(&state);
  ctgl_state_plain_unpack();
  glActiveTexture(GL_TEXTURE0 + CTGL_UNIT_A);
  glBindTexture(GL_TEXTURE_2D, held->texture);
  const bool same = pixels && held->width == size[0] && held->height == size[1];
  if (!pixels) /* A single pixel gives the memory back. */
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 1, 1, 0, GL_RED, GL_FLOAT, NULL);
  else if (same)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size[0], size[1], GL_RED, GL_FLOAT, pixels);
  else
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, size[0], size[1], 0, GL_RED, GL_FLOAT, pixels);
  glGenerateMipmap(GL_TEXTURE_2D);
  held->width = pixels ? size[0] : 0;
  held->height = pixels ? size[1] : 0;
  held->bounds = bounds ? *bounds : all;
  const bool good = ctgl_check("a picture's upload", error);
  if (!good) held->width = held->height = 0;
  restore(&state);
  return good;
}

bool ctgl_scene_renderer_set_volume(ctgl_scene_renderer *renderer, const int size[3], const float *values,
                                    const double low[3], const double high[3], ct_error **error) {
  if (!values && renderer->volume.size[0] == 0) return true;
  more_state state;
  save(&state);
  ctgl_state_plain_unpack();
  const bool good = ctgl_solid_set(&renderer->volume, size, values, low, high, error);
  restore(&state);
  return good;
}

static void set_three(GLint place, const double values[3]) {
  glUniform3f(place, (float)values[0], (float)values[1], (float)values[2]);
}

static void draw_picture(const ctgl_scene_renderer *r, const ctgl_scene_look *look, int kind, double reach,
                         float share) {
  static const signed char turn[6] = {0, 1, 3, 3, 1, 2};
  const picture *held = &r->held[kind];
  ctgl_scene_vertex vertices[6];
  for (int i = 0; i < 6; i++) {
    const int k = turn[i];
    double clip[4];
    ctgl_orbit_clip(&look->camera, reach, look->corners[kind].at[k], clip);
    vertices[i] = (ctgl_scene_vertex){{(float)clip[0], (float)clip[1], (float)clip[2], (float)clip[3]},
                                      {k == 1 || k == 2 ? (float)held->width : 0, k >= 2 ? (float)held->height : 0}};
  }
  const bool projection = kind == CTGL_PICTURE_PROJECTION;
  const double low = projection ? look->projection_low : look->low,
               high = projection ? look->projection_high : look->high;
  glUniform2f(r->size, (float)held->width, (float)held->height);
  glUniform2f(r->window, (float)low, ctgl_reciprocal(high - low));
  glUniform1i(r->map_row, ctgl_colour_row(look->map, "grey"));
  glUniform1f(r->share, share);
  set_three(r->corner, held->bounds.corner);
  set_three(r->across, held->bounds.across);
  set_three(r->up, held->bounds.up);
  glActiveTexture(GL_TEXTURE0 + CTGL_UNIT_A);
  glBindTexture(GL_TEXTURE_2D, held->texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, look->smooth ? GL_LINEAR : GL_NEAREST);
  glBufferData(GL_ARRAY_BUFFER, sizeof vertices, vertices, GL_STREAM_DRAW);
  glDrawArrays(GL_TRIANGLES, 0, 6);
}

/* Drawing */

/* Whether the camera looks at the back of the detector, which then lies before the volume. */
static bool from_behind(const ctgl_scene *scene, const ctgl_orbit *camera) {
  double right[3], up[3], back[3], sum = 0;
  ctgl_orbit_axes(camera, right, up, back);
  for (int i = 0; i < 3; i++) sum += back[i] * scene->detector.forward[i];
  return sum > 0;
}

static double reach_from(const ctgl_scene *scene, const ctgl_orbit *camera) {
  double square = 0;
  for (int i = 0; i < 3; i++) square += pow(scene->centre[i] - camera->target[i], 2);
  return 1.5 * scene->radius + sqrt(square);
}

static void draw_pictures(const ctgl_scene_renderer *r, const ctgl_scene_look *look, double reach, bool veiled) {
  glUseProgram(r->pictures);
  glActiveTexture(GL_TEXTURE0 + CTGL_UNIT_COLOURS);
  glBindTexture(GL_TEXTURE_2D, r->colours);
  for (int kind = 0; kind < CTGL_PICTURES; kind++) {
    if (!look->shown[kind] || r->held[kind].width == 0) continue;
    if (kind != CTGL_PICTURE_PROJECTION || !veiled) draw_picture(r, look, kind, reach, 1);
  }
}

static void draw_strokes(const ctgl_scene_renderer *r, size_t from, size_t to, GLenum depth, float share) {
  glDepthFunc(depth);
  glUniform1f(r->line_share, share);
  glDrawArrays(GL_TRIANGLES, (GLint)from, (GLsizei)(to - from));
}

static void draw_lines(const ctgl_scene_renderer *r, const ctgl_strokes *strokes, const ctgl_stroke_parts *parts) {
  glUseProgram(r->lines);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(strokes->count * sizeof *strokes->vertices), strokes->vertices,
               GL_STREAM_DRAW);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  draw_strokes(r, 0, parts->hidden, GL_LEQUAL, 1);
  draw_strokes(r, parts->hidden, parts->shining, GL_GREATER, behind_share);
  draw_strokes(r, parts->hidden, parts->shining, GL_LEQUAL, 1);
  draw_strokes(r, parts->shining, parts->over, GL_ALWAYS, 1);
}

static bool draw_all(ctgl_scene_renderer *r, const ctgl_scene *scene, const ctgl_scene_look *look,
                     const ctgl_strokes *strokes, const ctgl_stroke_parts *parts, ct_error **error) {
  const bool veiled = from_behind(scene, &look->camera);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glBindVertexArray(r->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, r->buffer);
  draw_pictures(r, look, strokes->reach, veiled);
  const ctgl_solid_look solid = {.camera = &look->camera,
                                 .reach = strokes->reach,
                                 .solid = look->solid,
                                 .low = look->low,
                                 .high = look->high,
                                 .threshold = look->threshold,
                                 .part = look->part,
                                 .map = look->map,
                                 .coarse = look->coarse};
  const bool good = ctgl_solid_draw(&r->volume, &solid, error);
  draw_lines(r, strokes, parts);
  if (!veiled || !look->shown[CTGL_PICTURE_PROJECTION] || r->held[CTGL_PICTURE_PROJECTION].width == 0) return good;
  glUseProgram(r->pictures);
  glDepthFunc(GL_LEQUAL);
  draw_picture(r, look, CTGL_PICTURE_PROJECTION, strokes->reach, veil_share);
  return good;
}

bool ctgl_scene_renderer_draw(ctgl_scene_renderer *renderer, const ctgl_scene *scene, const ctgl_scene_look *look,
                              ct_error **error) {
  const ctgl_orbit *camera = &look->camera;
  if (camera->width < 1 || camera->height < 1 || !(camera->zoom > 0) || !isfinite(camera->zoom) ||
      !(scene->radius > 0) || !isfinite(scene->radius))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A scene of %g mm in %d x %d pixels at %g pixels per mm cannot be drawn.", scene->radius,
                        camera->width, camera->height, camera->zoom);
  ctgl_strokes strokes = {
      .camera = camera, .reach = reach_from(scene, camera), .ratio = look->pixel_ratio > 0 ? look->pixel_ratio : 1};
  for (int kind = 0; kind < CTGL_PICTURES; kind++)
    if (look->shown[kind] && look->frames[kind].a > 0 && renderer->held[kind].width > 0)
      ctgl_strokes_frame(&strokes, &look->corners[kind], look->frames[kind]);
  const ctgl_stroke_parts parts = ctgl_strokes_of_scene(&strokes, scene, look->scale_bar);
  more_state state;
  save(&state);
  ctgl_state_plain(camera->width, camera->height);
  bool good =
      !strokes.cut_short || ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for the lines of the scene.");
  good = good && ctgl_scene_canvas_begin(&renderer->canvas, camera->width, camera->height, error);
  if (good) {
    const bool drawn = draw_all(renderer, scene, look, &strokes, &parts, error);
    glDisable(GL_DEPTH_TEST);
    ctgl_scene_canvas_end(&renderer->canvas, (GLuint)state.draw);
    good = ctgl_check("the drawing of the scene", drawn ? error : NULL) && drawn;
  }
  restore(&state);
  ctgl_strokes_clear(&strokes);
  return good;
}
