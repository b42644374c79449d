/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a setting that tuning and a user's --knobs may change. */
#ifndef CTGL_COMPUTE_KNOBS_PRIVATE_H
#define CTGL_COMPUTE_KNOBS_PRIVATE_H

#include "recon/base/error.h"
#include "render/compute/tuning-private.h"

#include <limits.h>
#include <stddef.h>

#define CTGL_KNOB_END INT_MIN

typedef struct ctgl_knob {
  const char *name; /* NULL ends the list */
  size_t offset;    /* of an int in the setting */
  int least, most;  /* what can be asked for by hand; 0, 0: the values below alone */
  int values[12];   /* that the search tries, up to CTGL_KNOB_END */
} ctgl_knob;

extern const ctgl_knob ctgl_cone_knobs[], ctgl_parallel_knobs[];

int *ctgl_knob_field(const ctgl_knob *knob, void *setting);
/* "views 32, voxels 4, ..." */
void ctgl_knobs_print(const ctgl_knob *knobs, const void *setting, char *text, size_t size);
/* What was printed, whole; false where a knob is missing or has a value that it cannot take. */
bool ctgl_knobs_read(const ctgl_knob *knobs, void *setting, const char *text);

#endif
