/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphics cards that back-project: a private OpenGL 4.3 context without a window, its limits, and the kernels that run
 * on it. A device may be used from several threads; each use waits for the one before. */
#ifndef CTGL_COMPUTE_DEVICE_H
#define CTGL_COMPUTE_DEVICE_H

#include "recon/base/error.h"
#include "recon/solve/backend.h"

#include <stdbool.h>
#include <stddef.h>

/* Of GL_NV_shader_thread_group. */
#define CTGL_MULTIPROCESSOR "gl_SMIDNV"

typedef struct ctgl_device_facts {
  char name[128];                               /* what the driver calls it; "NAME #2" for the second of that name */
  char brief[64];                               /* of a longer name a part that means no other (device-names.c) */
  char driver[128];                             /* "4.6.0 NVIDIA 550.54" */
  bool software;                                /* the processor does the work: for tests, not for speed */
  double memory;                                /* bytes in all; 0 when the driver does not tell */
  size_t storage_block;                         /* bytes, largest buffer that a shader can see */
  int texture_side, texture_layers, texture_3d; /* texels, layers */
  int shared_memory;                            /* bytes of a work group */
  int group_threads;                            /* of a work group */
  bool atomic_float;                            /* GL_NV_shader_atomic_float */
  bool persistent_map;                          /* GL_ARB_buffer_storage */
  bool shuffles;                                /* GL_KHR_shader_subgroup with shuffles, four threads at least */
  const char *multiprocessor; /* that runs a group, in GLSL; NULL: the driver does not tell (CTGL_MULTIPROCESSOR) */
} ctgl_device_facts;

/* All devices with OpenGL 4.3, hardware first; *list is allocated (ct_free) and *count may be 0. False:
 * CT_ERROR_MEMORY. */
bool ctgl_devices_list(ctgl_device_facts **list, int *count, ct_error **error);

/* The device of that name, or the only one whose name contains it, or the first (NULL or "auto"). `debug`: the driver
 * checks every call, and what it reports becomes the error of the operation under way. CT_ERROR_UNSUPPORTED when there
 * is none. Several work together: those whose names are joined ("A + B"), or all cards; the first of them is given, and
 * stands for all where a kernel is prepared on it. */
#define CTGL_ALL_CARDS "all"
#define CTGL_JOINED " + "
ct_bp_device *ctgl_device_new(const char *name, bool debug, ct_error **error);
/* The first card that opens, NULL without any. What the processor plays is not opened where EGL tells it beforehand:
 * that alone takes a tenth of a second. */
ct_bp_device *ctgl_device_new_card(void);
/* One of several processes on this machine, which take its devices in turn: the `number`-th of `of`. */
typedef struct ctgl_turn {
  int number, of;
} ctgl_turn;
/* Device number `turn.number` of those that match, begun anew behind the last: the cards (NULL or "auto"; no card is no
 * error), or those of that name or with it in their names: "NAME" is all of that name, "NAME #2" the second; of "all"
 * and "A + B" each takes one. Those who share a device share its memory. */
bool ctgl_device_new_in_turn(const char *name, ctgl_turn turn, ct_bp_device **device, ct_error **error);
/* The next of those that work together; NULL behind the last. */
ct_bp_device *ctgl_device_next(const ct_bp_device *device);
/* After all kernel objects on it; frees those that work together with it. */
void ctgl_device_free(ct_bp_device *device);

const ctgl_device_facts *ctgl_device_get_facts(const ct_bp_device *device);

/* Extensions that some kernels and projectors need, by number: whether that of an id does, and whether a device has it.
 */
enum { CTGL_EXTENSIONS = 2 };
const char *ctgl_extension(int number);
bool ctgl_needs_extension(const char *id, int number);
bool ctgl_has_extension(const ctgl_device_facts *facts, int number);
/* Of the views of a run, those that a kernel takes in one sweep over the volume at most. */
int ctgl_pass_views(const char *id, const ct_bp_request *request);

/* What is left out of every kernel that is prepared from now on, to see what it costs (Zinsser and Keck 2013); each
 * leaves out what those before it do. The volumes are wrong. */
typedef enum {
  CTGL_WHOLE,       /* nothing */
  CTGL_TINY_VOXELS, /* all voxels fetch the same pixel: no cache ever misses */
  CTGL_NO_FETCHES,  /* positions are taken for values */
  CTGL_NO_UPDATES,  /* the volume is neither read nor written */
  CTGL_OMISSIONS
} ctgl_omission;
void ctgl_device_omit(ct_bp_device *device, ctgl_omission omission);
ctgl_omission ctgl_device_omits(const ct_bp_device *device);

/* Measures the back-projecting dispatches on the device alone from now on, by its own clock; false: it has none. Of
 * several that work together the one that takes longest counts. */
bool ctgl_device_measure(ct_bp_device *device, ct_error **error);
/* Seconds that they have taken since the last call, without uploads, the making of sinograms and read-backs; 0 when
 * nothing was measured. */
double ctgl_device_take_seconds(ct_bp_device *device);
/* The same of those that filter (ct_bp_request.ramp). */
double ctgl_device_take_filter_seconds(ct_bp_device *device);

/* The GPU kernels and projectors alone; they refuse requests without a device. Of several devices that work together
 * kernels that share out the slices; projectors use the first. */
ct_backend ctgl_backend(ct_bp_device *device);

#endif
