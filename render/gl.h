/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenGL for all of render: embedded shaders, and pending errors as messages. */
#ifndef CTGL_GL_H
#define CTGL_GL_H

#include "recon/base/error.h"

#include <epoxy/gl.h>
#include <stdbool.h>

typedef struct ctgl_shader_text {
  const char *name; /* file name in resources/shaders; NULL ends the list */
  const char *text;
} ctgl_shader_text;

/* The first pending OpenGL error, or GL_NO_ERROR; clears them all. */
GLenum ctgl_take_error(void);
/* False with a message about the first pending OpenGL error; clears them all. */
bool ctgl_check(const char *what, ct_error **error);
/* Clears errors that others left in the context, so that ctgl_check reports our own calls only. */
void ctgl_forget_errors(void);

#endif
