/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice renderer: three float32 textures and the colour tables through image.frag, then the overlay. The pixel
 * centre of image index i lies at origin + i spacing, so that a fragment at world x has index floor((x - origin) /
 * spacing + 1/2). */
#include "render/slice-renderer.h"

#include "render/colour-texture-private.h"
#include "render/gl-private.h"
#include "render/overlay-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* image.frag for one mode, nearest or smooth, with or without bounds, on a linear or a logarithmic scale; made when
 * first wanted. */
typedef struct ctgl_image_program {
  GLuint program;
  GLint size, base, offset, pitch, half_view, swipe, fade, tile, window, range, least, map_row, diverging_row, corner,
      across, up;
} ctgl_image_program;

struct ctgl_slice_programs {
  int renderers;
  ctgl_image_program image[CTGL_MODES][2][2][2];
  GLuint overlay;
};

struct ctgl_slice_renderer {
  ctgl_slice_programs *programs, **shared; /* shared NULL: it has its own */
  GLuint vertex_array, colours;
  GLuint textures[CTGL_SLOTS];
  ctgl_image_frame frames[CTGL_SLOTS]; /* width 0: empty */
  ctgl_bounds bounds[CTGL_SLOTS];
  bool bounded[CTGL_SLOTS];
  ctgl_overlay overlay;
  GLint largest;
};

/* Nearest display: an image border that falls on a fragment's centre is moved by this part of a device pixel, so that
 * rounding does not scatter it over both neighbours. */
static const double tie_break = 1.0 / 64;

/* Lines of #define for one of the programs. */
static void write_defines(ctgl_mode mode, bool smooth, bool bounded, bool logarithmic, char *text, size_t size) {
  size_t used = 0;
  for (int i = 0; i < CTGL_MODES && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "#define MODE_%s %d\n", ctgl_mode_get((ctgl_mode)i)->name, i);
  if (used < size)
    snprintf(text + used, size - used,
             "#define MODE %d\n#define BILINEAR %d\n#define BOUNDED %d\n#define LOGARITHMIC %d\n"
             "#define LINEAR_PART %.9f\n#define LINEAR_SHARE %.9f\n",
             (int)mode, (int)smooth, (int)bounded, (int)logarithmic, CTGL_LINEAR_PART, CTGL_LINEAR_SHARE);
}

/* The program of a mode, in use; NULL when the driver refuses it. Uniforms that a mode does not use are at -1, which
 * OpenGL ignores. */
static const ctgl_image_program *use_program(ctgl_slice_renderer *renderer, ctgl_mode mode, bool smooth,
                                             bool logarithmic, ct_error **error) {
  bool bounded = false;
  for (int slot = 0; slot < CTGL_SLOTS; slot++) bounded |= renderer->bounded[slot];
  logarithmic &= ctgl_mode_tells_difference(mode);
  ctgl_image_program *held = &renderer->programs->image[mode][smooth][bounded][logarithmic];
  if (held->program) {
    glUseProgram(held->program);
    return held;
  }
  char defines[1024];
  write_defines(mode, smooth, bounded, logarithmic, defines, sizeof defines);
  const GLuint program = ctgl_program_new("image.vert", "image.frag", defines, error);
  if (!program) return NULL;
  *held = (ctgl_image_program){
      .program = program,
      .size = glGetUniformLocation(program, "size"),
      .base = glGetUniformLocation(program, "base"),
      .offset = glGetUniformLocation(program, "offset"),
      .pitch = glGetUniformLocation(program, "pitch"),
      .half_view = glGetUniformLocation(program, "half_view"),
      .swipe = glGetUniformLocation(program, "swipe"),
      .fade = glGetUniformLocation(program, "fade"),
      .tile = glGetUniformLocation(program, "tile"),
      .window = glGetUniformLocation(program, "window"),
      .range = glGetUniformLocation(program, "range"),
      .least = glGetUniformLocation(program, "least"),
      .map_row = glGetUniformLocation(program, "map_row"),
      .diverging_row = glGetUniformLocation(program, "diverging_row"),
      .corner = glGetUniformLocation(program, "corner"),
      .across = glGetUniformLocation(program, "across"),
      .up = glGetUniformLocation(program, "up"),
  };
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "image_a"), CTGL_UNIT_A);
  glUniform1i(glGetUniformLocation(program, "image_b"), CTGL_UNIT_B);
  glUniform1i(glGetUniformLocation(program, "image_map"), CTGL_UNIT_MAP);
  glUniform1i(glGetUniformLocation(program, "colours"), CTGL_UNIT_COLOURS);
  return held;
}

static void bind_texture(int unit, GLuint texture) {
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(GL_TEXTURE_2D, texture);
}

/* A texture without mipmaps is complete only with filters that need none. */
static GLuint new_texture(int unit) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  bind_texture(unit, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  return texture;
}

/* Those that are there, or new ones. NULL: no memory. */
static ctgl_slice_programs *join(ctgl_slice_programs **shared) {
  ctgl_slice_programs *programs = shared && *shared ? *shared : calloc(1, sizeof *programs);
  if (programs) programs->renderers++;
  if (shared) *shared = programs;
  return programs;
}

static void leave(ctgl_slice_programs *programs, ctgl_slice_programs **shared) {
  if (!programs || --programs->renderers > 0) return;
  for (int mode = 0; mode < CTGL_MODES; mode++)
    for (int kind = 0; kind < 8; kind++)
      glDeleteProgram(programs->image[mode][kind / 4][kind / 2 % 2][kind % 2].program);
  glDeleteProgram(programs->overlay);
  free(programs);
  if (shared) *shared = NULL;
}

ctgl_slice_renderer *ctgl_slice_renderer_new(ctgl_slice_programs **shared, ct_error **error) {
  if (!epoxy_is_desktop_gl() || epoxy_gl_version() < 33) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "The pictures need OpenGL 3.3; this display offers %s %d.%d.",
                 epoxy_is_desktop_gl() ? "OpenGL" : "OpenGL ES", epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    return NULL;
  }
  ctgl_slice_renderer *renderer = calloc(1, sizeof *renderer);
  ctgl_slice_programs *programs = renderer ? join(shared) : NULL;
  if (!programs) {
    free(renderer);
    ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for the picture's renderer.");
    return NULL;
  }
  renderer->programs = programs;
  renderer->shared = shared;
  for (int slot = 0; slot < CTGL_SLOTS; slot++) ctgl_slice_renderer_set_bounds(renderer, (ctgl_slot)slot, NULL);
  ctgl_state state;
  ctgl_forget_errors();
  ctgl_state_save(&state);
  ctgl_state_plain_unpack();
  bool good = use_program(renderer, CTGL_SHOW_A, false, false, error) &&
              ctgl_overlay_init(&renderer->overlay, &programs->overlay, error);
  if (good) {
    glGenVertexArrays(1, &renderer->vertex_array);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &renderer->largest);
    renderer->colours = new_texture(CTGL_UNIT_COLOURS);
    ctgl_upload_colours();
    for (int slot = 0; slot < CTGL_SLOTS; slot++) renderer->textures[slot] = new_texture(slot);
    good = ctgl_check("the start of the slice renderer", error);
  }
  ctgl_state_restore(&state);
  if (good) return renderer;
  ctgl_slice_renderer_free(renderer);
  return NULL;
}

void ctgl_slice_renderer_free(ctgl_slice_renderer *renderer) {
  if (!renderer) return;
  leave(renderer->programs, renderer->shared);
  glDeleteVertexArrays(1, &renderer->vertex_array);
  glDeleteTextures(1, &renderer->colours);
  glDeleteTextures(CTGL_SLOTS, renderer->textures);
  ctgl_overlay_clear(&renderer->overlay);
  free(renderer);
}

bool ctgl_slice_renderer_set_image(ctgl_slice_renderer *renderer, ctgl_slot slot, const ctgl_image_frame *frame,
                                   const float *pixels, ct_error **error) {
  ctgl_image_frame *held = &renderer->frames[slot];
  const bool empty = !frame || !pixels;
  if (!empty) {
    if (frame->width < 1 || frame->height < 1 || !isnormal(frame->spacing_x) || !isnormal(frame->spacing_y) ||
        !isfinite(frame->origin_x) || !isfinite(frame->origin_y))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "A picture of %d x %d pixels of %g x %g mm cannot be drawn.",
                          frame->width, frame->height, frame->spacing_x, frame->spacing_y);
    if (frame->width > renderer->largest || frame->height > renderer->largest)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "The picture has %d x %d pixels; this display's OpenGL draws at most %d x %d.", frame->width,
                          frame->height, renderer->largest, renderer->largest);
  } else if (held->width == 0) {
    return true;
  }
  ctgl_state state;
  ctgl_forget_errors();
  ctgl_state_save(&state);
  ctgl_state_plain_unpack();
  bind_texture((int)slot, renderer->textures[slot]);
  if (empty) /* A single pixel gives the memory back. */
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 1, 1, 0, GL_RED, GL_FLOAT, NULL);
  else if (held->width == frame->width && held->height == frame->height)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, frame->width, frame->height, GL_RED, GL_FLOAT, pixels);
  else
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, frame->width, frame->height, 0, GL_RED, GL_FLOAT, pixels);
  *held = empty ? (ctgl_image_frame){0} : *frame;
  const bool good = ctgl_check("a picture's upload", error);
  if (!good) *held = (ctgl_image_frame){0};
  ctgl_state_restore(&state);
  return good;
}

void ctgl_slice_renderer_set_bounds(ctgl_slice_renderer *renderer, ctgl_slot slot, const ctgl_bounds *bounds) {
  /* A picture without bounds beside one that has them: every pixel is in the middle of its own. */
  static const ctgl_bounds all = {.corner = {0.5, 0.5, 0.5}};
  renderer->bounded[slot] = bounds != NULL;
  renderer->bounds[slot] = bounds ? *bounds : all;
}

static void set_bounds(const ctgl_slice_renderer *renderer, const ctgl_image_program *program) {
  GLfloat corner[3 * CTGL_SLOTS], across[3 * CTGL_SLOTS], up[3 * CTGL_SLOTS];
  for (int i = 0; i < 3 * CTGL_SLOTS; i++) {
    const ctgl_bounds *bounds = &renderer->bounds[i / 3];
    corner[i] = (float)bounds->corner[i % 3];
    across[i] = (float)bounds->across[i % 3];
    up[i] = (float)bounds->up[i % 3];
  }
  glUniform3fv(program->corner, CTGL_SLOTS, corner);
  glUniform3fv(program->across, CTGL_SLOTS, across);
  glUniform3fv(program->up, CTGL_SLOTS, up);
}

static int to_int(double value) {
  return (int)fmin(fmax(value, -1e9), 1e9);
}

/* Where each image lies under the viewport: see image.frag. */
static void set_frames(const ctgl_slice_renderer *renderer, const ctgl_image_program *program,
                       const ctgl_slice_scene *scene) {
  GLint size[2 * CTGL_SLOTS], base[2 * CTGL_SLOTS];
  GLfloat offset[2 * CTGL_SLOTS], pitch[2 * CTGL_SLOTS];
  const double centre[2] = {scene->camera.centre_x, scene->camera.centre_y};
  const double zoom[2] = {scene->camera.zoom, ctgl_camera_zoom_up(&scene->camera)};
  for (int slot = 0; slot < CTGL_SLOTS; slot++) {
    const ctgl_image_frame *frame = &renderer->frames[slot];
    const double spacing[2] = {frame->spacing_x, frame->spacing_y}, origin[2] = {frame->origin_x, frame->origin_y};
    size[2 * slot] = frame->width;
    size[2 * slot + 1] = frame->height;
    for (int axis = 0; axis < 2; axis++) {
      const int k = 2 * slot + axis;
      const double per_pixel = frame->width ? 1 / (zoom[axis] * spacing[axis]) : 0;
      const double middle = frame->width ? (centre[axis] - origin[axis]) / spacing[axis] + 0.5 : 0;
      base[k] = to_int(floor(middle));
      offset[k] = (float)(middle - base[k] + (scene->smooth ? 0 : tie_break * per_pixel));
      pitch[k] = (float)per_pixel;
    }
  }
  glUniform2iv(program->size, CTGL_SLOTS, size);
  glUniform2iv(program->base, CTGL_SLOTS, base);
  glUniform2fv(program->offset, CTGL_SLOTS, offset);
  glUniform2fv(program->pitch, CTGL_SLOTS, pitch);
}

static void set_colours(const ctgl_image_program *program, const ctgl_slice_scene *scene) {
  glUniform1i(program->map_row, ctgl_colour_row(scene->map, "grey"));
  glUniform1i(program->diverging_row, ctgl_colour_row(scene->diverging, "blue-white-red"));
  glUniform2f(program->window, (float)scene->low, ctgl_reciprocal(scene->high - scene->low));
  glUniform1f(program->range, ctgl_reciprocal(scene->range));
  glUniform1f(program->least, (float)scene->least);
}

static bool scene_is_usable(const ctgl_slice_scene *scene, ct_error **error) {
  const ctgl_camera *camera = &scene->camera;
  if (camera->width < 1 || camera->height < 1 || !(camera->zoom > 0) || !isfinite(camera->zoom) ||
      !isfinite(camera->centre_x) || !isfinite(camera->centre_y))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A view of %d x %d pixels at %g pixels per mm cannot be drawn.",
                        camera->width, camera->height, camera->zoom);
  if ((int)scene->mode < 0 || scene->mode >= CTGL_MODES)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no way %d of showing two pictures.", (int)scene->mode);
  return true;
}

static void draw_images(const ctgl_slice_renderer *renderer, const ctgl_image_program *program,
                        const ctgl_slice_scene *scene) {
  set_frames(renderer, program, scene);
  set_bounds(renderer, program);
  set_colours(program, scene);
  glUniform2f(program->half_view, (float)scene->camera.width / 2, (float)scene->camera.height / 2);
  glUniform1f(program->swipe, (float)round(fmin(fmax(scene->swipe, 0), 1) * scene->camera.width));
  glUniform1f(program->fade, (float)fmin(fmax(scene->fade, 0), 1));
  glUniform1f(program->tile, (float)fmax(round(scene->tile), 1));
  for (int slot = 0; slot < CTGL_SLOTS; slot++) bind_texture(slot, renderer->textures[slot]);
  bind_texture(CTGL_UNIT_COLOURS, renderer->colours);
  glBindVertexArray(renderer->vertex_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

bool ctgl_slice_renderer_draw(ctgl_slice_renderer *renderer, const ctgl_slice_scene *scene, ct_error **error) {
  if (!scene_is_usable(scene, error)) return false;
  ctgl_state state;
  ctgl_forget_errors();
  ctgl_state_save(&state);
  ctgl_state_plain(scene->camera.width, scene->camera.height);
  const ctgl_image_program *program = use_program(renderer, scene->mode, scene->smooth, scene->logarithmic, error);
  if (program) {
    draw_images(renderer, program, scene);
    ctgl_overlay_draw(&renderer->overlay, scene);
  }
  const bool good = ctgl_check("the drawing of a slice", error) && program;
  ctgl_state_restore(&state);
  return good;
}
