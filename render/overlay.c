/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uploads the overlay's shapes as triangles and draws them blended over the image. */
#include "render/overlay-private.h"

#include <stddef.h>

typedef struct ctgl_vertex {
  float place[2], local[2], extent[2], style[2], tint[4];
} ctgl_vertex;

bool ctgl_overlay_init(ctgl_overlay *overlay, GLuint *program, ct_error **error) {
  if (!*program) *program = ctgl_program_new("overlay.vert", "overlay.frag", "", error);
  if (!*program) return false;
  overlay->program = *program;
  overlay->view = glGetUniformLocation(overlay->program, "view");
  glGenVertexArrays(1, &overlay->vertex_array);
  glGenBuffers(1, &overlay->buffer);
  glBindVertexArray(overlay->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
  static const struct {
    GLint count;
    size_t offset;
  } parts[] = {
      {2, offsetof(ctgl_vertex, place)}, {2, offsetof(ctgl_vertex, local)}, {2, offsetof(ctgl_vertex, extent)},
      {2, offsetof(ctgl_vertex, style)}, {4, offsetof(ctgl_vertex, tint)},
  };
  for (GLuint i = 0; i < sizeof parts / sizeof *parts; i++) {
    glEnableVertexAttribArray(i);
    glVertexAttribPointer(i, parts[i].count, GL_FLOAT, GL_FALSE, sizeof(ctgl_vertex), (const void *)parts[i].offset);
  }
  return true;
}

void ctgl_overlay_clear(ctgl_overlay *overlay) {
  glDeleteVertexArrays(1, &overlay->vertex_array);
  glDeleteBuffers(1, &overlay->buffer);
  *overlay = (ctgl_overlay){0};
}

/* Two triangles, one device pixel larger than the shape for its smooth edge. */
static void triangles(const ctgl_shape *shape, ctgl_vertex vertices[6]) {
  static const signed char corners[6][2] = {{-1, -1}, {1, -1}, {-1, 1}, {-1, 1}, {1, -1}, {1, 1}};
  for (int i = 0; i < 6; i++) {
    const double along = corners[i][0] * (shape->half_length + 1), across = corners[i][1] * (shape->half_width + 1);
    vertices[i] = (ctgl_vertex){
        {(float)(shape->centre.x + along * shape->direction_x - across * shape->direction_y),
         (float)(shape->centre.y + along * shape->direction_y + across * shape->direction_x)},
        {(float)along, (float)across},
        {(float)shape->half_length, (float)shape->half_width},
        {(float)shape->radius, (float)shape->stroke},
        {shape->colour.r, shape->colour.g, shape->colour.b, shape->colour.a},
    };
  }
}

void ctgl_overlay_draw(const ctgl_overlay *overlay, const ctgl_slice_scene *scene) {
  ctgl_shape shapes[CTGL_MOST_SHAPES];
  ctgl_vertex vertices[CTGL_MOST_SHAPES * 6];
  const int count = ctgl_overlay_shapes(scene, shapes);
  if (count == 0) return;
  for (int i = 0; i < count; i++) triangles(&shapes[i], vertices + 6 * i);
  glUseProgram(overlay->program);
  glUniform2f(overlay->view, (float)scene->camera.width, (float)scene->camera.height);
  glBindVertexArray(overlay->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof *vertices * 6 * count, vertices, GL_STREAM_DRAW);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  glDrawArrays(GL_TRIANGLES, 0, 6 * count);
}
