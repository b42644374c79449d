/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exchange of one process: nothing is sent, and the file is an ordinary one. */
#include "recon/exchange/exchange-private.h"

#include "recon/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct alone {
  int descriptor;
  char *path;
} alone;

static void leave(ct_exchange *x) {
  alone *own = x->state;
  if (own && own->descriptor >= 0) close(own->descriptor);
  if (own) ct_free(own->path);
  ct_free(own);
  ct_free(x);
}

static bool agree(ct_exchange *x, bool good, ct_error **error) {
  if (!good) x->refused++;
  return good;
}
static void tell(ct_exchange *x, void *data, size_t bytes) {}
static void gather(ct_exchange *x, const void *own, size_t bytes, void *every) {
  memcpy(every, own, bytes);
}
static double same(ct_exchange *x, double value) {
  return value;
}
static void arrange(ct_exchange *x, int groups, int columns) {
  x->groups = groups;
  x->columns = columns;
}

static bool make_room(ct_exchange *x, size_t slice, int slices, ct_error **error) {
  return true;
}
static bool begin_sum(ct_exchange *x, float *slab, size_t slice, int slices, ct_error **error) {
  return true;
}
static bool end_sum(ct_exchange *x) {
  return true;
}
static void nothing(ct_exchange *x) {}

static bool pulse(ct_exchange *x, const ct_pulse *own, ct_pulse *all) {
  *all = *own;
  return true;
}

static void sum_numbers(ct_exchange *x, double *values, int count) {}
static void sum_values(ct_exchange *x, float *values, size_t count) {}
static void trade(ct_exchange *x, const ct_trade *trades, int count) {}

static bool open_file(ct_exchange *x, const char *path, ct_error **error) {
  alone *own = x->state;
  ct_free(own->path);
  if (!(own->path = ct_strdup(path, error))) return false;
  own->descriptor = open(path, O_WRONLY | O_CLOEXEC);
  return own->descriptor >= 0 || ct_error_set_errno(error, errno, "Cannot write %s", path);
}

static bool write_file(ct_exchange *x, uint64_t offset, const void *data, size_t bytes, ct_error **error) {
  const alone *own = x->state;
  for (size_t at = 0; at < bytes;) {
    const ssize_t count = pwrite(own->descriptor, (const char *)data + at, bytes - at, (off_t)(offset + at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return ct_error_set_errno(error, count < 0 ? errno : EIO, "Cannot write %s", own->path);
    at += (size_t)count;
  }
  x->traffic.written += (double)bytes;
  return true;
}

static bool sync_file(ct_exchange *x, ct_error **error) {
  const alone *own = x->state;
  return fdatasync(own->descriptor) == 0 || errno == EINVAL || errno == EROFS ||
         ct_error_set_errno(error, errno, "Cannot write %s", own->path);
}

static bool close_file(ct_exchange *x, ct_error **error) {
  alone *own = x->state;
  const bool good = own->descriptor < 0 || close(own->descriptor) == 0;
  own->descriptor = -1;
  return good || ct_error_set_errno(error, errno, "Cannot write %s", own->path);
}

static const ct_exchange_way way = {
    .title = "one process",
    .leave = leave,
    .agree = agree,
    .tell = tell,
    .gather = gather,
    .least = same,
    .most_of_column = same,
    .arrange = arrange,
    .make_room = make_room,
    .begin_sum = begin_sum,
    .end_sum = end_sum,
    .wait_sum = nothing,
    .begin_pulses = nothing,
    .pulse = pulse,
    .sum_numbers = sum_numbers,
    .sum_values = sum_values,
    .trade = trade,
    .open = open_file,
    .write = write_file,
    .sync = sync_file,
    .close = close_file,
};

ct_exchange *ct_exchange_alone(ct_error **error) {
  ct_exchange *x = ct_alloc_zero(1, sizeof *x, "an exchange", error);
  alone *own = x ? ct_alloc_zero(1, sizeof *own, "an exchange", error) : NULL;
  if (!own) {
    ct_free(x);
    return NULL;
  }
  own->descriptor = -1;
  *x = (ct_exchange){.way = &way, .ranks = 1, .locals = 1, .groups = 1, .columns = 1, .state = own};
  return x;
}
