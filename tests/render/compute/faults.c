/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hooks in the places of epoxy's function pointers. */
#include "tests/render/compute/faults.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stddef.h>

static faults now;
static GLenum pending;   /* the error that a hook has caused */
static bool reset, lost; /* for ever */

/* What lies in graphics memory. */
enum { MOST_OBJECTS = 1024 };
static struct {
  GLuint name;
  bool texture;
  double bytes;
} objects[MOST_OBJECTS];

static void resize(bool texture, GLuint name, double bytes) {
  int at = 0;
  while (at < MOST_OBJECTS && !(objects[at].name == name && objects[at].texture == texture)) at++;
  if (at == MOST_OBJECTS)
    for (at = 0; at < MOST_OBJECTS - 1 && objects[at].name;) at++;
  now.bytes += bytes - (objects[at].name == name ? objects[at].bytes : 0);
  objects[at].name = bytes > 0 ? name : 0, objects[at].texture = texture, objects[at].bytes = bytes;
  if (now.bytes > now.most) now.most = now.bytes;
}

/* Whether this event of the kind is one that shall fail. */
static bool strikes(fault_kind kind) {
  if (now.kind != kind) return false;
  const int n = ++now.events;
  const bool struck = n >= now.from && n - now.from < now.count;
  now.failed += struck;
  return struck;
}

/* Each hook calls what was in its place, from that place: the first call of an epoxy function looks up the driver's own
 * and puts it there. */
#define HOOK(result, name, parameters)                                                                                 \
  static result hook_##name parameters;                                                                                \
  static result(*real_##name) parameters;                                                                              \
  static result hook_##name parameters
#define CALL(name) (epoxy_##name = real_##name)
#define AGAIN(name) (real_##name = epoxy_##name, epoxy_##name = hook_##name)

HOOK(GLenum, glGetError, (void)) {
  const GLenum mine = pending;
  pending = GL_NO_ERROR;
  if (lost) return GL_CONTEXT_LOST;
  if (mine) return mine;
  const GLenum answer = CALL(glGetError)();
  AGAIN(glGetError);
  return answer;
}

HOOK(GLenum, glGetGraphicsResetStatus, (void)) {
  if (reset) return GL_UNKNOWN_CONTEXT_RESET;
  const GLenum answer = CALL(glGetGraphicsResetStatus)();
  AGAIN(glGetGraphicsResetStatus);
  return answer;
}

HOOK(EGLBoolean, eglMakeCurrent, (EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)) {
  if (context != EGL_NO_CONTEXT && strikes(FAULT_CLOSED)) return EGL_FALSE;
  const EGLBoolean answer = CALL(eglMakeCurrent)(display, draw, read, context);
  AGAIN(eglMakeCurrent);
  return answer;
}

static GLuint bound(GLenum target) {
  GLint name = 0;
  glGetIntegerv(target == GL_SHADER_STORAGE_BUFFER ? GL_SHADER_STORAGE_BUFFER_BINDING
                : target == GL_UNIFORM_BUFFER      ? GL_UNIFORM_BUFFER_BINDING
                : target == GL_PIXEL_UNPACK_BUFFER ? GL_PIXEL_UNPACK_BUFFER_BINDING
                : target == GL_TEXTURE_2D_ARRAY    ? GL_TEXTURE_BINDING_2D_ARRAY
                                                   : target /* the copy buffers, whose names are the same */,
                &name);
  return (GLuint)name;
}

/* Whether there is room for the object bound to the target; else the error is pending. */
static bool allocate(GLenum target, double bytes) {
  const bool struck = strikes(FAULT_ALLOCATION);
  if (struck || (now.room > 0 && now.bytes + bytes > now.room)) {
    now.failed += !struck;
    pending = GL_OUT_OF_MEMORY;
    return false;
  }
  resize(target == GL_TEXTURE_2D_ARRAY, bound(target), bytes);
  return true;
}

HOOK(void, glBufferData, (GLenum target, GLsizeiptr size, const void *data, GLenum usage)) {
  if (!allocate(target, (double)size)) return;
  CALL(glBufferData)(target, size, data, usage);
  AGAIN(glBufferData);
}

HOOK(void, glBufferStorage, (GLenum target, GLsizeiptr size, const void *data, GLbitfield flags)) {
  if (!allocate(target, (double)size)) return;
  CALL(glBufferStorage)(target, size, data, flags);
  AGAIN(glBufferStorage);
}

static double texel_bytes(GLenum format) {
  return format == GL_R16F                            ? 2
         : format == GL_R32F || format == GL_RG16F    ? 4
         : format == GL_RG32F || format == GL_RGBA16F ? 8
                                                      : 16;
}

HOOK(void, glTexStorage3D,
     (GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height, GLsizei depth)) {
  if (!allocate(target, texel_bytes(format) * width * height * depth)) return;
  CALL(glTexStorage3D)(target, levels, format, width, height, depth);
  AGAIN(glTexStorage3D);
}

HOOK(void, glGenBuffers, (GLsizei count, GLuint *names)) {
  CALL(glGenBuffers)(count, names);
  AGAIN(glGenBuffers);
  now.buffers += count;
}

HOOK(void, glDeleteBuffers, (GLsizei count, const GLuint *names)) {
  for (int n = 0; n < count; n++) resize(false, names[n], 0), now.buffers -= names[n] != 0;
  CALL(glDeleteBuffers)(count, names);
  AGAIN(glDeleteBuffers);
}

HOOK(void, glGenTextures, (GLsizei count, GLuint *names)) {
  CALL(glGenTextures)(count, names);
  AGAIN(glGenTextures);
  now.textures += count;
}

HOOK(void, glDeleteTextures, (GLsizei count, const GLuint *names)) {
  for (int n = 0; n < count; n++) resize(true, names[n], 0), now.textures -= names[n] != 0;
  CALL(glDeleteTextures)(count, names);
  AGAIN(glDeleteTextures);
}

HOOK(void *, glMapBufferRange, (GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access)) {
  if (strikes(FAULT_MAPPING_MUTE)) return NULL;
  if (strikes(FAULT_MAPPING)) {
    pending = GL_OUT_OF_MEMORY;
    return NULL;
  }
  void *mapped = CALL(glMapBufferRange)(target, offset, length, access);
  AGAIN(glMapBufferRange);
  return mapped;
}

static bool refused; /* the last program, whose link state is asked for next */

HOOK(GLuint, glCreateShaderProgramv, (GLenum type, GLsizei count, const GLchar *const *strings)) {
  if (strikes(FAULT_PROGRAM)) return 0;
  refused = strikes(FAULT_LINK);
  const GLuint program = CALL(glCreateShaderProgramv)(type, count, strings);
  AGAIN(glCreateShaderProgramv);
  now.programs += program != 0;
  return program;
}

HOOK(void, glGetProgramiv, (GLuint program, GLenum name, GLint *value)) {
  CALL(glGetProgramiv)(program, name, value);
  AGAIN(glGetProgramiv);
  if (refused && name == GL_LINK_STATUS) *value = GL_FALSE;
}

HOOK(void, glDeleteProgram, (GLuint program)) {
  now.programs -= program != 0;
  CALL(glDeleteProgram)(program);
  AGAIN(glDeleteProgram);
}

HOOK(GLsync, glFenceSync, (GLenum condition, GLbitfield flags)) {
  const GLsync fence = CALL(glFenceSync)(condition, flags);
  AGAIN(glFenceSync);
  /* Whoever counts what was dispatched plays the clock: the device then has to be done at once, as that clock says. */
  if (now.dispatched) glFinish();
  now.fences += fence != NULL;
  return fence;
}

HOOK(void, glDeleteSync, (GLsync fence)) {
  now.fences -= fence != NULL;
  CALL(glDeleteSync)(fence);
  AGAIN(glDeleteSync);
}

HOOK(GLenum, glClientWaitSync, (GLsync fence, GLbitfield flags, GLuint64 timeout)) {
  now.waits++;
  if (strikes(FAULT_WAIT)) return GL_WAIT_FAILED;
  if (strikes(FAULT_TIMEOUT)) return GL_TIMEOUT_EXPIRED;
  const GLenum answer = CALL(glClientWaitSync)(fence, flags, timeout);
  AGAIN(glClientWaitSync);
  return answer;
}

HOOK(void, glDispatchCompute, (GLuint x, GLuint y, GLuint z)) {
  CALL(glDispatchCompute)(x, y, z);
  AGAIN(glDispatchCompute);
  if (strikes(FAULT_RESET)) reset = true;
  if (strikes(FAULT_LOST)) lost = true;
  if (now.dispatched) now.dispatched(x, y, z);
}

#define TAKE(name) real_##name = epoxy_##name, epoxy_##name = hook_##name

faults *faults_get(void) {
  if (real_glGetError) return &now;
  TAKE(glGetError), TAKE(glGetGraphicsResetStatus), TAKE(eglMakeCurrent);
  TAKE(glBufferData), TAKE(glBufferStorage), TAKE(glTexStorage3D), TAKE(glMapBufferRange);
  TAKE(glGenBuffers), TAKE(glDeleteBuffers), TAKE(glGenTextures), TAKE(glDeleteTextures);
  TAKE(glCreateShaderProgramv), TAKE(glGetProgramiv), TAKE(glDeleteProgram);
  TAKE(glFenceSync), TAKE(glDeleteSync), TAKE(glClientWaitSync), TAKE(glDispatchCompute);
  return &now;
}

void faults_reset(void) {
  *faults_get() = (faults){0};
  for (int n = 0; n < MOST_OBJECTS; n++) objects[n].name = 0;
  pending = GL_NO_ERROR;
  reset = lost = refused = false;
}

void faults_plan(fault_kind kind, int from, int count) {
  now.kind = kind, now.from = from, now.count = count;
  now.events = now.failed = now.waits = 0;
}
