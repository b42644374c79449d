/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every drawing of render needs from OpenGL: programs from the embedded shaders, errors as messages, and the state
 * of a context that we borrow. */
#ifndef CTGL_GL_PRIVATE_H
#define CTGL_GL_PRIVATE_H

#include "render/gl.h"

/* Texture units that the renderer uses: A, B, the map of their similarity, colour maps. */
enum { CTGL_UNIT_A, CTGL_UNIT_B, CTGL_UNIT_MAP, CTGL_UNIT_COLOURS, CTGL_UNITS };

extern const ctgl_shader_text ctgl_shader_texts[]; /* made by render/embed-shaders.py */

/* Compiles and links two shaders by name, as GLSL 3.30 with `defines` (lines of #define, or "") before them; 0 with the
 * driver's message when that fails. */
GLuint ctgl_program_new(const char *vertex, const char *fragment, const char *defines, ct_error **error);

typedef struct ctgl_state {
  GLint program, vertex_array, array_buffer, unpack_buffer, active_texture;
  GLint textures[CTGL_UNITS], samplers[CTGL_UNITS];
  GLint viewport[4], polygon_mode[2];
  GLint unpack[6];
  GLint blend_source[2], blend_target[2], blend_equation[2];
  GLboolean colour_mask[4];
  GLboolean switches[10];
} ctgl_state;

void ctgl_state_save(ctgl_state *state);
void ctgl_state_restore(const ctgl_state *state);
/* Everything that could disturb a plain 2-D drawing over the whole viewport switched off. Save first. */
void ctgl_state_plain(int width, int height);
/* Tightly packed client memory as source of texture uploads. Save first. */
void ctgl_state_plain_unpack(void);

#endif
