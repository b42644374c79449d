/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the faces of the box that look away from the eye, each fragment one line of sight through the volume. */
#include "render/scene/solid-private.h"

#include "render/colour-texture-private.h"
#include "render/scene/strokes-private.h"

#include <math.h>
#include <stdio.h>

/* Samples along a line of sight: at rest about one per voxel of the largest texture that is given. */
enum { COARSE_STEPS = 72, FINE_STEPS = 288 };

void ctgl_solid_clear(ctgl_solid_volume *volume) {
  for (int i = 0; i < CTGL_SOLIDS; i++) glDeleteProgram(volume->programs[i]);
  glDeleteTextures(1, &volume->texture);
  *volume = (ctgl_solid_volume){0};
}

static GLuint use_program(ctgl_solid_volume *volume, ctgl_solid solid, ct_error **error) {
  GLuint *held = &volume->programs[solid];
  if (!*held) {
    char defines[192];
    snprintf(defines, sizeof defines,
             "#define SOLID_MAXIMUM %d\n#define SOLID_MEAN %d\n#define SOLID_SURFACE %d\n#define SOLID_TRANSLUCENT %d\n"
             "#define SOLID %d\n",
             CTGL_SOLID_MAXIMUM, CTGL_SOLID_MEAN, CTGL_SOLID_SURFACE, CTGL_SOLID_TRANSLUCENT, (int)solid);
    *held = ctgl_program_new("scene.vert", "scene-solid.frag", defines, error);
    if (!*held) return 0;
    glUseProgram(*held);
    glUniform1i(glGetUniformLocation(*held, "volume"), CTGL_UNIT_A);
    glUniform1i(glGetUniformLocation(*held, "colours"), CTGL_UNIT_COLOURS);
  }
  glUseProgram(*held);
  return *held;
}

bool ctgl_solid_set(ctgl_solid_volume *volume, const int size[3], const float *values, const double low[3],
                    const double high[3], ct_error **error) {
  GLint bound = 0, largest = 0;
  glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &largest);
  for (int i = 0; values && i < 3; i++)
    if (size[i] < 1 || size[i] > largest)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "The volume has %d x %d x %d values; this display's OpenGL draws at most %d along a side.",
                          size[0], size[1], size[2], largest);
  if (!volume->texture) glGenTextures(1, &volume->texture);
  glActiveTexture(GL_TEXTURE0 + CTGL_UNIT_A);
  glGetIntegerv(GL_TEXTURE_BINDING_3D, &bound);
  glBindTexture(GL_TEXTURE_3D, volume->texture);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
  if (values)
    glTexImage3D(GL_TEXTURE_3D, 0, GL_R32F, size[0], size[1], size[2], 0, GL_RED, GL_FLOAT, values);
  else /* A single value gives the memory back. */
    glTexImage3D(GL_TEXTURE_3D, 0, GL_R32F, 1, 1, 1, 0, GL_RED, GL_FLOAT, NULL);
  glBindTexture(GL_TEXTURE_3D, (GLuint)bound);
  const bool good = ctgl_check("the volume's upload", error);
  for (int i = 0; i < 3; i++) {
    volume->size[i] = good && values ? size[i] : 0;
    volume->low[i] = low ? low[i] : 0;
    volume->high[i] = high ? high[i] : 0;
  }
  return good;
}

/* Places in the box, 0 to 1. */

static void in_box(const ctgl_solid_volume *volume, const double point[3], double place[3]) {
  for (int i = 0; i < 3; i++) place[i] = (point[i] - volume->low[i]) / (volume->high[i] - volume->low[i]);
}

static ctgl_scene_vertex vertex_at(const ctgl_solid_volume *volume, const ctgl_solid_look *look,
                                   const double place[3]) {
  double point[3], clip[4];
  for (int i = 0; i < 3; i++) point[i] = volume->low[i] + place[i] * (volume->high[i] - volume->low[i]);
  ctgl_orbit_clip(look->camera, look->reach, point, clip);
  return (ctgl_scene_vertex){{(float)clip[0], (float)clip[1], (float)clip[2], (float)clip[3]},
                             {(float)place[0], (float)place[1], (float)place[2], 0}};
}

/* The faces that are seen from within, of the part that is shown: those whose outer side is turned away. */
static int add_faces(const ctgl_solid_volume *volume, const ctgl_solid_look *look, const double eye[3],
                     const double sight[3], ctgl_scene_vertex vertices[36]) {
  const ctgl_solid_part *part = &look->part;
  static const signed char turn[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
  int count = 0;
  for (int face = 0; face < 6; face++) {
    const int axis = face / 2, end = face % 2;
    const double at = end ? 1 - part->off_high[axis] : part->off_low[axis];
    const double towards = look->camera->perspective ? at - eye[axis] : sight[axis];
    if (end ? towards <= 0 : towards >= 0) continue;
    for (int k = 0; k < 6; k++) {
      double place[3];
      place[axis] = at;
      for (int other = 1; other < 3; other++) {
        const int i = (axis + other) % 3;
        place[i] = turn[k][other - 1] ? 1 - part->off_high[i] : part->off_low[i];
      }
      vertices[count++] = vertex_at(volume, look, place);
    }
  }
  return count;
}

static void set_three(GLuint program, const char *name, const double values[3]) {
  glUniform3f(glGetUniformLocation(program, name), (float)values[0], (float)values[1], (float)values[2]);
}

/* Clip coordinates are affine in the place: four places give the rows for z and w. */
static void set_rows(GLuint program, const ctgl_solid_volume *volume, const ctgl_solid_look *look) {
  static const double places[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  const ctgl_scene_vertex origin = vertex_at(volume, look, places[3]);
  float rows[2][4];
  for (int i = 0; i < 4; i++) {
    const ctgl_scene_vertex vertex = vertex_at(volume, look, places[i]);
    for (int row = 0; row < 2; row++) rows[row][i] = vertex.place[2 + row] - (i < 3 ? origin.place[2 + row] : 0);
  }
  glUniform4fv(glGetUniformLocation(program, "row_z"), 1, rows[0]);
  glUniform4fv(glGetUniformLocation(program, "row_w"), 1, rows[1]);
}

static void set_part(GLuint program, const ctgl_solid_volume *volume, const ctgl_solid_look *look, const double eye[3],
                     const double sight[3]) {
  const ctgl_solid_part *part = &look->part;
  double low[3], high[3], cut[3], beyond[3] = {0};
  in_box(volume, part->at, cut);
  for (int i = 0; i < 3; i++) {
    low[i] = part->off_low[i];
    high[i] = 1 - part->off_high[i];
    const double towards = look->camera->perspective ? eye[i] - cut[i] : -sight[i];
    if (part->corner) beyond[i] = towards < 0 ? -1 : 1;
  }
  set_three(program, "low", low);
  set_three(program, "high", high);
  set_three(program, "cut", cut);
  set_three(program, "beyond", beyond);
}

static bool is_empty(const ctgl_solid_part *part) {
  bool empty = false;
  for (int i = 0; i < 3; i++) empty |= !(part->off_low[i] + part->off_high[i] < 1);
  return empty;
}

bool ctgl_solid_draw(ctgl_solid_volume *volume, const ctgl_solid_look *look, ct_error **error) {
  if (look->solid == CTGL_SOLID_NONE || volume->size[0] == 0 || is_empty(&look->part)) return true;
  const GLuint program = use_program(volume, look->solid, error);
  if (!program) return false;
  double from[3], to[3], eye[3], end[3], sight[3], extent[3];
  ctgl_orbit_sight(look->camera, look->camera->width / 2.0, look->camera->height / 2.0, from, to);
  in_box(volume, from, eye);
  in_box(volume, to, end);
  for (int i = 0; i < 3; i++) {
    sight[i] = (end[i] - eye[i]) / hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    extent[i] = volume->high[i] - volume->low[i];
  }
  ctgl_scene_vertex vertices[36];
  const int count = add_faces(volume, look, eye, sight, vertices);
  set_three(program, "eye", eye);
  set_three(program, "sight", sight);
  set_three(program, "extent", extent);
  set_rows(program, volume, look);
  set_part(program, volume, look, eye, sight);
  glUniform1i(glGetUniformLocation(program, "perspective"), look->camera->perspective);
  glUniform2f(glGetUniformLocation(program, "window"), (float)look->low, ctgl_reciprocal(look->high - look->low));
  glUniform1i(glGetUniformLocation(program, "map_row"), ctgl_colour_row(look->map, "grey"));
  glUniform1i(glGetUniformLocation(program, "steps"), look->coarse ? COARSE_STEPS : FINE_STEPS);
  glUniform1f(glGetUniformLocation(program, "threshold"), (float)look->threshold);
  GLint bound = 0;
  glActiveTexture(GL_TEXTURE0 + CTGL_UNIT_A);
  glGetIntegerv(GL_TEXTURE_BINDING_3D, &bound);
  glBindTexture(GL_TEXTURE_3D, volume->texture);
  const bool surface = look->solid == CTGL_SOLID_SURFACE;
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(surface);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof *vertices * (size_t)count), vertices, GL_STREAM_DRAW);
  glDrawArrays(GL_TRIANGLES, 0, count);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glBindTexture(GL_TEXTURE_3D, (GLuint)bound);
  return true;
}
