/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Surfaceless EGL contexts: EGL_MESA_platform_surfaceless, then EGL_EXT_platform_device (NVIDIA). */
#include "render/offscreen.h"

#include <epoxy/egl.h>
#include <stdlib.h>
#include <string.h>

struct ctgl_offscreen {
  EGLDisplay display;
  EGLContext context;
};

enum { MOST_DEVICES = 16 };

/* A context on this display, or EGL_NO_CONTEXT. */
static EGLContext context_on(EGLDisplay display, int major, int minor, bool debug) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) return EGL_NO_CONTEXT;
  if (!epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context") || !eglBindAPI(EGL_OPENGL_API))
    return EGL_NO_CONTEXT;
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  const EGLint any[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = NULL;
  EGLint count = 0;
  if ((!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) &&
      (!eglChooseConfig(display, any, &config, 1, &count) || count < 1))
    return EGL_NO_CONTEXT;
  /* Asks for notice of a reset of the card; drivers without it refuse the attribute. */
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                               major,
                               EGL_CONTEXT_MINOR_VERSION_KHR,
                               minor,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                               EGL_CONTEXT_FLAGS_KHR,
                               debug ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : 0,
                               EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR,
                               EGL_LOSE_CONTEXT_ON_RESET_KHR,
                               EGL_NONE};
  EGLint plain[sizeof attributes / sizeof *attributes];
  memcpy(plain, attributes, sizeof plain);
  plain[sizeof attributes / sizeof *attributes - 3] = EGL_NONE;
  const EGLContext telling = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  return telling != EGL_NO_CONTEXT ? telling : eglCreateContext(display, config, EGL_NO_CONTEXT, plain);
}

static bool try_display(ctgl_offscreen *offscreen, EGLenum platform, void *native, int major, int minor, bool debug) {
  offscreen->display = eglGetPlatformDisplayEXT(platform, native, NULL);
  offscreen->context = context_on(offscreen->display, major, minor, debug);
  return offscreen->context != EGL_NO_CONTEXT;
}

/* The devices that EGL can open by themselves; their number. */
static int list_devices(EGLDeviceEXT devices[MOST_DEVICES]) {
  EGLint count = 0;
  if (!epoxy_has_egl() || !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") ||
      !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
      !(epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_base")) ||
      !eglQueryDevicesEXT(MOST_DEVICES, devices, &count))
    return 0;
  return count;
}

int ctgl_offscreen_devices(void) {
  EGLDeviceEXT devices[MOST_DEVICES];
  return list_devices(devices);
}

bool ctgl_offscreen_is_software(int device) {
  EGLDeviceEXT devices[MOST_DEVICES];
  if (device < 0 || device >= list_devices(devices)) return false;
  const char *extensions = eglQueryDeviceStringEXT(devices[device], EGL_EXTENSIONS);
  return extensions && strstr(extensions, "EGL_MESA_device_software");
}

static bool try_device(ctgl_offscreen *offscreen, int device, int major, int minor, bool debug) {
  EGLDeviceEXT devices[MOST_DEVICES];
  return device < list_devices(devices) &&
         try_display(offscreen, EGL_PLATFORM_DEVICE_EXT, devices[device], major, minor, debug);
}

static bool try_surfaceless(ctgl_offscreen *offscreen, int major, int minor, bool debug) {
  return epoxy_has_egl() && epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") &&
         epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
         try_display(offscreen, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, major, minor, debug);
}

ctgl_offscreen *ctgl_offscreen_new_on(int device, int major, int minor, bool debug, ct_error **error) {
  ctgl_offscreen *offscreen = calloc(1, sizeof *offscreen);
  if (!offscreen) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for an OpenGL context.");
    return NULL;
  }
  if (device < 0 ? try_surfaceless(offscreen, major, minor, debug) : try_device(offscreen, device, major, minor, debug))
    return offscreen;
  free(offscreen);
  ct_error_set(error, CT_ERROR_UNSUPPORTED, "This machine offers no OpenGL %d.%d without a display (EGL).", major,
               minor);
  return NULL;
}

ctgl_offscreen *ctgl_offscreen_new(int major, int minor, bool debug, ct_error **error) {
  ctgl_offscreen *offscreen = ctgl_offscreen_new_on(CTGL_SURFACELESS, major, minor, debug, NULL);
  for (int n = 0; !offscreen && n < ctgl_offscreen_devices(); n++)
    offscreen = ctgl_offscreen_new_on(n, major, minor, debug, NULL);
  if (!offscreen)
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "This machine offers no OpenGL %d.%d without a display (EGL).", major,
                 minor);
  return offscreen;
}

bool ctgl_offscreen_make_current(ctgl_offscreen *offscreen, ct_error **error) {
  if (!offscreen) {
    const EGLDisplay display = eglGetCurrentDisplay();
    if (display != EGL_NO_DISPLAY) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    return true;
  }
  if (eglBindAPI(EGL_OPENGL_API) &&
      eglMakeCurrent(offscreen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, offscreen->context))
    return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The OpenGL context cannot be used in this thread (EGL error 0x%04x).", (unsigned)eglGetError());
}

void ctgl_offscreen_free(ctgl_offscreen *offscreen) {
  if (!offscreen) return;
  if (eglGetCurrentContext() == offscreen->context) ctgl_offscreen_make_current(NULL, NULL);
  /* The display stays initialised: EGL shares it with every other user in the process. */
  eglDestroyContext(offscreen->display, offscreen->context);
  free(offscreen);
}
