/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device as the GPU kernels use it: entering and leaving its context, and programs made once from the embedded
 * shaders. */
#ifndef CTGL_COMPUTE_DEVICE_PRIVATE_H
#define CTGL_COMPUTE_DEVICE_PRIVATE_H

#include "render/compute/device.h"
#include "render/compute/meter-private.h"
#include "render/gl.h"

/* Of a voxel, where voxels are tiny. */
#define CTGL_TINY 1e-6f

extern const ctgl_shader_text ctgl_compute_texts[]; /* resources/shaders/compute */

/* Makes the device's context the calling thread's; waits while another thread has it. Every success is ended by leave.
 * A device that was lost is refused from then on: it has to be opened anew. */
bool ctgl_device_enter(ct_bp_device *device, ct_error **error);
/* The same to delete what was made there, also on a device that was lost. False where even that cannot be: all is gone
 * with the context. */
bool ctgl_device_enter_to_delete(ct_bp_device *device);
/* Ends an entry. `good` and no OpenGL error since then: true. Else false, with the driver's message if there is one.
 */
bool ctgl_device_leave(ct_bp_device *device, bool good, const char *what, ct_error **error);

/* While entered: */
/* False when OpenGL reported an error, or the device was lost; the message says what can be done. */
bool ctgl_device_check(ct_bp_device *device, const char *what, ct_error **error);
/* The same after a failure that has to be one (a mapping that gave no memory): always false, CT_ERROR_MEMORY where
 * OpenGL gives no reason. */
bool ctgl_device_refuse(ct_bp_device *device, const char *what, ct_error **error);
/* Errors since entering have been handled. */
void ctgl_device_forget(ct_bp_device *device);
/* Waits for the fence and deletes it; true at once where there is none. False when the device was lost or gives no
 * answer any more, as ctgl_device_check will tell. */
bool ctgl_device_await(ct_bp_device *device, GLsync *fence);
/* Around every back-projecting dispatch; off unless ctgl_device_measure has been called. */
ctgl_meter *ctgl_device_meter(ct_bp_device *device);
/* Where two devices have the same name, the second is "NAME #2". */
void ctgl_device_number_twins(ctgl_device_facts *list, int count);
/* The brief names of all: the name, else its beginning or end or another part that means this device; where none does,
 * the beginning. */
void ctgl_device_shorten_names(ctgl_device_facts *list, int count);
/* The place in the list of the device that is meant by the name, the first one where it is NULL or "auto"; -1 with
 * CT_ERROR_UNSUPPORTED where none is, or several of different names. */
int ctgl_device_find(const ctgl_device_facts *list, int count, const char *name, ct_error **error);
/* The places of all that the name means, in at[CTGL_MOST_TOGETHER]: of "all" every card, else of the names that " + "
 * joins. */
bool ctgl_device_find_all(const ctgl_device_facts *list, int count, const char *name, int *at, int *meant,
                          ct_error **error);
/* The place in the list of the device that is taken in that turn, -1 for none; how many processes take it. */
int ctgl_device_pick(const ctgl_device_facts *list, int count, const char *name, ctgl_turn turn, int *sharers);
/* The same of those that several names mean (ctgl_device_find_all); -1 with an error. */
int ctgl_device_pick_of(const ctgl_device_facts *list, int count, const char *names, ctgl_turn turn, int *sharers,
                        ct_error **error);
/* Bytes of graphics memory that may be filled now; 0: unknown. */
double ctgl_device_room(const ct_bp_device *device);

/* The compute program of a shader file after `defines` (lines of #define); made on first use, kept. Only while entered.
 */
GLuint ctgl_device_program(ct_bp_device *device, const char *shader, const char *defines, ct_error **error);

#endif
