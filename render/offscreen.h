/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A private OpenGL core context without window or display, through EGL: Mesa's surfaceless platform, else the first
 * device that gives one. Rendering goes to framebuffer objects. A context is current in one thread at a time; two
 * contexts share nothing. */
#ifndef CTGL_OFFSCREEN_H
#define CTGL_OFFSCREEN_H

#include "recon/base/error.h"

#include <stdbool.h>

typedef struct ctgl_offscreen ctgl_offscreen;

/* At least the version asked for; `debug` asks for a context that checks its callers. Not current yet.
 * CT_ERROR_UNSUPPORTED when the machine has none. */
ctgl_offscreen *ctgl_offscreen_new(int major, int minor, bool debug, ct_error **error);
/* The same on one device: 0 .. ctgl_offscreen_devices() - 1 as EGL lists them, or CTGL_SURFACELESS, Mesa's own choice.
 */
#define CTGL_SURFACELESS (-1)
ctgl_offscreen *ctgl_offscreen_new_on(int device, int major, int minor, bool debug, ct_error **error);
int ctgl_offscreen_devices(void);
/* Whether EGL says that the processor plays this device; false where it does not tell. Nothing is opened. */
bool ctgl_offscreen_is_software(int device);
/* Makes it current in the calling thread; NULL makes none current. */
bool ctgl_offscreen_make_current(ctgl_offscreen *offscreen, ct_error **error);
/* Not while it is current in another thread. */
void ctgl_offscreen_free(ctgl_offscreen *offscreen);

#endif
