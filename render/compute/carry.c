/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Double-buffered read-back through a persistently mapped buffer that another thread empties. */
#include "render/compute/carry-private.h"

bool ctgl_carry_init(ctgl_carry *carry, ct_bp_device *device, size_t half, ctgl_carry_add *add, const void *user,
                     ct_error **error) {
  *carry = (ctgl_carry){.device = device, .half = half, .add = add, .user = user};
  const GLsizeiptr bytes = (GLsizeiptr)(2 * half * sizeof(float));
  const GLbitfield how = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glGenBuffers(1, &carry->buffer);
  glBindBuffer(GL_COPY_WRITE_BUFFER, carry->buffer);
  glBufferStorage(GL_COPY_WRITE_BUFFER, bytes, NULL, how | GL_CLIENT_STORAGE_BIT);
  const float *mapped = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes, how);
  for (int n = 0; n < 2; n++) {
    carry->halves[n].sums = mapped ? mapped + (size_t)n * half : NULL;
    carry->halves[n].carry = carry;
  }
  const char *what = "the buffer of sums on their way back";
  return mapped ? ctgl_device_check(device, what, error) : ctgl_device_refuse(device, what, error);
}

static void *add(void *user) {
  const ctgl_carry_half *half = user;
  half->carry->add(half->carry->user, half->tile, half->sums, half->count, half->data);
  return NULL;
}

static void await_adder(ctgl_carry_half *half) {
  if (half->adding) pthread_join(half->adder, NULL);
  half->adding = false;
}

/* Starts adding once the copy has arrived; nothing arrives from a lost device. */
static void begin_adding(ctgl_carry_half *half) {
  if (!half->sent) return;
  if (!ctgl_device_await(half->carry->device, &half->sent)) return;
  half->adding = !pthread_create(&half->adder, NULL, add, half);
  if (!half->adding) add(half);
}

void ctgl_carry_send(ctgl_carry *carry, GLuint from, size_t first, size_t count, int tile, float *data) {
  ctgl_carry_half *half = &carry->halves[carry->next], *other = &carry->halves[1 - carry->next];
  await_adder(half);
  half->tile = tile, half->count = count, half->data = data;
  glBindBuffer(GL_COPY_READ_BUFFER, from);
  glBindBuffer(GL_COPY_WRITE_BUFFER, carry->buffer);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)(first * sizeof(float)),
                      (GLintptr)((size_t)carry->next * carry->half * sizeof(float)),
                      (GLsizeiptr)(count * sizeof(float)));
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  half->sent = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  /* Its dispatches ended before those of this tile, so that this hardly waits. */
  begin_adding(other);
  carry->next = 1 - carry->next;
}

void ctgl_carry_settle(ctgl_carry *carry) {
  for (int n = 0; n < 2; n++) begin_adding(&carry->halves[n]);
  for (int n = 0; n < 2; n++) await_adder(&carry->halves[n]);
}

void ctgl_carry_clear(ctgl_carry *carry) {
  if (!carry->buffer) return;
  ctgl_carry_settle(carry);
  /* Deleting a mapped buffer unmaps it. */
  glDeleteBuffers(1, &carry->buffer);
  *carry = (ctgl_carry){0};
}
