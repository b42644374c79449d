/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device as the GPU kernels use it: entering and leaving its context, and programs made once from the embedded shaders. */
#ifndef CTGL_COMPUTE_DEVICE_PRIVATE_H
#define CTGL_COMPUTE_DEVICE_PRIVATE_H

#include "render/compute/device.h"
#include "render/gl.h"

extern const ctgl_shader_text ctgl_compute_texts[]; /* resources/shaders/compute */

/* Makes the device's context the calling thread's; waits while another thread has it. Every success is ended by leave. */
bool ctgl_device_enter(ct_bp_device *device, ct_error **error);
/* Ends an entry. `good` and no OpenGL error since then: true. Else false, with the driver's words where there are any. */
bool ctgl_device_leave(ct_bp_device *device, bool good, const char *what, ct_error **error);

/* The compute program of a shader file after `defines` (lines of #define); made on first use, kept. Only while entered. */
GLuint ctgl_device_program(ct_bp_device *device, const char *shader, const char *defines, ct_error **error);

#endif
