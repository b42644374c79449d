/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs, errors, and saving and restoring the state of a borrowed OpenGL context. */
#include "render/gl-private.h"

#include <string.h>

static const GLenum switch_names[] = {GL_BLEND,          GL_DEPTH_TEST,         GL_STENCIL_TEST,
                                      GL_SCISSOR_TEST,   GL_CULL_FACE,          GL_FRAMEBUFFER_SRGB,
                                      GL_COLOR_LOGIC_OP, GL_RASTERIZER_DISCARD, GL_SAMPLE_ALPHA_TO_COVERAGE,
                                      GL_SAMPLE_MASK};
static const GLenum unpack_names[] = {GL_UNPACK_ALIGNMENT,   GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS,
                                      GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SWAP_BYTES, GL_UNPACK_LSB_FIRST};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
_Static_assert(sizeof switch_names / sizeof *switch_names == sizeof((ctgl_state *)0)->switches, "one byte a switch");

static GLuint compile(GLenum kind, const char *name, const char *defines, ct_error **error) {
  const ctgl_shader_text *text = ctgl_shader_texts;
  while (text->name && strcmp(text->name, name) != 0) text++;
  const GLuint shader = text->name ? glCreateShader(kind) : 0;
  if (!shader) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "The OpenGL driver made no shader for %s.", name);
    return 0;
  }
  const char *parts[] = {"#version 330 core\n", defines, text->text};
  glShaderSource(shader, 3, parts, NULL);
  glCompileShader(shader);
  GLint good = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good) return shader;
  char log[512] = "";
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  glDeleteShader(shader);
  log[strcspn(log, "\r\n")] = 0;
  ct_error_set(error, CT_ERROR_UNSUPPORTED, "The OpenGL driver refuses the shader %s: %s", name, log);
  return 0;
}

GLuint ctgl_program_new(const char *vertex, const char *fragment, const char *defines, ct_error **error) {
  const GLuint first = compile(GL_VERTEX_SHADER, vertex, defines, error);
  const GLuint second = first ? compile(GL_FRAGMENT_SHADER, fragment, defines, error) : 0;
  GLuint program = second ? glCreateProgram() : 0;
  if (program) {
    glAttachShader(program, first);
    glAttachShader(program, second);
    glLinkProgram(program);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
      char log[512] = "";
      glGetProgramInfoLog(program, sizeof log, NULL, log);
      log[strcspn(log, "\r\n")] = 0;
      ct_error_set(error, CT_ERROR_UNSUPPORTED, "The OpenGL driver cannot link %s with %s: %s", vertex, fragment, log);
      glDeleteProgram(program);
      program = 0;
    }
  } else if (second) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "The OpenGL driver made no program for %s.", fragment);
  }
  /* Shaders attached to a program live until the program is deleted. */
  if (first) glDeleteShader(first);
  if (second) glDeleteShader(second);
  return program;
}

/* A lost context answers GL_CONTEXT_LOST for ever. */
static const int most_errors = 64;

GLenum ctgl_take_error(void) {
  const GLenum first = glGetError();
  GLenum code = first;
  for (int i = 1; i < most_errors && code != GL_NO_ERROR; i++) code = glGetError();
  return first;
}

bool ctgl_check(const char *what, ct_error **error) {
  const GLenum code = ctgl_take_error();
  if (code == GL_NO_ERROR) return true;
  if (code == GL_OUT_OF_MEMORY)
    return ct_error_set(error, CT_ERROR_MEMORY, "The graphics memory is too small for %s.", what);
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "The OpenGL driver reported error 0x%04x at %s.", code, what);
}

void ctgl_forget_errors(void) {
  ctgl_take_error();
}

void ctgl_state_save(ctgl_state *state) {
  glGetIntegerv(GL_CURRENT_PROGRAM, &state->program);
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &state->vertex_array);
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &state->array_buffer);
  glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &state->unpack_buffer);
  glGetIntegerv(GL_ACTIVE_TEXTURE, &state->active_texture);
  for (int i = 0; i < CTGL_UNITS; i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &state->textures[i]);
    glGetIntegerv(GL_SAMPLER_BINDING, &state->samplers[i]);
  }
  glActiveTexture((GLenum)state->active_texture);
  glGetIntegerv(GL_VIEWPORT, state->viewport);
  glGetIntegerv(GL_POLYGON_MODE, state->polygon_mode);
  for (int i = 0; i < COUNT(unpack_names); i++) glGetIntegerv(unpack_names[i], &state->unpack[i]);
  glGetIntegerv(GL_BLEND_SRC_RGB, &state->blend_source[0]);
  glGetIntegerv(GL_BLEND_SRC_ALPHA, &state->blend_source[1]);
  glGetIntegerv(GL_BLEND_DST_RGB, &state->blend_target[0]);
  glGetIntegerv(GL_BLEND_DST_ALPHA, &state->blend_target[1]);
  glGetIntegerv(GL_BLEND_EQUATION_RGB, &state->blend_equation[0]);
  glGetIntegerv(GL_BLEND_EQUATION_ALPHA, &state->blend_equation[1]);
  glGetBooleanv(GL_COLOR_WRITEMASK, state->colour_mask);
  for (int i = 0; i < COUNT(switch_names); i++) state->switches[i] = glIsEnabled(switch_names[i]);
}

void ctgl_state_restore(const ctgl_state *state) {
  glUseProgram((GLuint)state->program);
  glBindVertexArray((GLuint)state->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, (GLuint)state->array_buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)state->unpack_buffer);
  for (int i = 0; i < CTGL_UNITS; i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glBindTexture(GL_TEXTURE_2D, (GLuint)state->textures[i]);
    glBindSampler((GLuint)i, (GLuint)state->samplers[i]);
  }
  glActiveTexture((GLenum)state->active_texture);
  glViewport(state->viewport[0], state->viewport[1], state->viewport[2], state->viewport[3]);
  glPolygonMode(GL_FRONT_AND_BACK, (GLenum)state->polygon_mode[0]);
  for (int i = 0; i < COUNT(unpack_names); i++) glPixelStorei(unpack_names[i], state->unpack[i]);
  glBlendFuncSeparate((GLenum)state->blend_source[0], (GLenum)state->blend_target[0], (GLenum)state->blend_source[1],
                      (GLenum)state->blend_target[1]);
  glBlendEquationSeparate((GLenum)state->blend_equation[0], (GLenum)state->blend_equation[1]);
  glColorMask(state->colour_mask[0], state->colour_mask[1], state->colour_mask[2], state->colour_mask[3]);
  for (int i = 0; i < COUNT(switch_names); i++) {
    if (state->switches[i])
      glEnable(switch_names[i]);
    else
      glDisable(switch_names[i]);
  }
}

void ctgl_state_plain(int width, int height) {
  for (int i = 0; i < COUNT(switch_names); i++) glDisable(switch_names[i]);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glViewport(0, 0, width, height);
  for (GLuint i = 0; i < CTGL_UNITS; i++) glBindSampler(i, 0);
}

void ctgl_state_plain_unpack(void) {
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  for (int i = 0; i < COUNT(unpack_names); i++) glPixelStorei(unpack_names[i], unpack_names[i] == GL_UNPACK_ALIGNMENT);
}
