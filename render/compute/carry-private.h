/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finished tiles on their way back to main memory while the card computes the next ones: the copy into one of two
 * halves of a buffer that stays mapped is queued behind the tile's dispatches; when the tile after it is queued as
 * well, another thread adds the sums to the volume (Zinsser and Keck 2013 overlap their read-back the same way). */
#ifndef CTGL_COMPUTE_CARRY_PRIVATE_H
#define CTGL_COMPUTE_CARRY_PRIVATE_H

#include "render/compute/device-private.h"

#include <pthread.h>
#include <stddef.h>

/* Adds the `count` sums that arrived for `tile`; on the other thread. */
typedef void ctgl_carry_add(const void *user, int tile, const float *sums, size_t count, float *data);

typedef struct ctgl_carry_half {
  GLsync sent; /* the copy is queued, not added yet */
  pthread_t adder;
  bool adding;
  int tile;
  size_t count;
  const float *sums;
  float *data;
  const struct ctgl_carry *carry;
} ctgl_carry_half;

typedef struct ctgl_carry {
  ct_bp_device *device;
  GLuint buffer;
  size_t half; /* floats */
  int next;    /* half that the next tile takes */
  ctgl_carry_half halves[2];
  ctgl_carry_add *add;
  const void *user;
} ctgl_carry;

/* While entered; needs ctgl_device_facts.persistent_map. `user` and the carry itself stay where they are until the end.
 */
bool ctgl_carry_init(ctgl_carry *carry, ct_bp_device *device, size_t half, ctgl_carry_add *add, const void *user,
                     ct_error **error);
void ctgl_carry_clear(ctgl_carry *carry);
/* Queues `count` floats of the buffer, from float `first` on, to be added to `data`. */
void ctgl_carry_send(ctgl_carry *carry, GLuint from, size_t first, size_t count, int tile, float *data);
/* Waits until all that was sent is added. */
void ctgl_carry_settle(ctgl_carry *carry);

#endif
