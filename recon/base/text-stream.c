/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream of the C library with functions of its own (fopencookie), which remember that memory was short. */
#include "recon/base/text-stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef struct {
  char **text;
  size_t *size, room;
  bool failed;
} stream;

static ssize_t put(void *cookie, const char *from, size_t bytes) {
  stream *s = cookie;
  if (s->failed) return (ssize_t)bytes; /* fclose tells */
  if (bytes >= s->room - *s->size) {
    const size_t room = 2 * (s->room + bytes);
    char *larger = realloc(*s->text, room);
    s->failed = !larger;
    if (!larger) return (ssize_t)bytes;
    *s->text = larger;
    s->room = room;
  }
  memcpy(*s->text + *s->size, from, bytes);
  *s->size += bytes;
  (*s->text)[*s->size] = 0;
  return (ssize_t)bytes;
}

static int end(void *cookie) {
  stream *s = cookie;
  const bool failed = s->failed;
  if (failed) {
    free(*s->text);
    *s->text = NULL;
    *s->size = 0;
  }
  free(s);
  return failed ? -1 : 0;
}

FILE *ct_text_stream(char **text, size_t *size) {
  enum { FIRST = 4096 };
  stream *s = malloc(sizeof *s);
  FILE *file = NULL;
  *size = 0;
  *text = s ? malloc(FIRST) : NULL;
  if (*text) {
    **text = 0;
    *s = (stream){text, size, FIRST, false};
    file = fopencookie(s, "w", (cookie_io_functions_t){.write = put, .close = end});
  }
  if (file) return file;
  free(*text);
  free(s);
  *text = NULL;
  return NULL;
}
