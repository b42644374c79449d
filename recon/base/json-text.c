/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jansson allocates through functions that count, by thread, what they could not give. They are set before main, since
 * what was allocated before could not be told from what was after.
 *
 * Its parser (2.14) ends the program where it gets no memory for the next letter of a number. So it always gets some
 * while it reads: what malloc refuses comes from a reserve, and the text ends behind the piece at hand. */
#include "recon/base/json-text.h"

#include "recon/base/untold.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Thread_local unsigned refused;
static _Thread_local struct {
  char *begin;
  size_t size, used;
} reserve;

static void *allocate(size_t bytes) {
  enum { ALIGNED = 16 };
  void *block = malloc(bytes);
  if (block) return block;
  refused++;
  ct_untold_note("There was not enough memory for JSON");
  if (bytes > SIZE_MAX - ALIGNED) return NULL;
  bytes = (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
  if (bytes > reserve.size - reserve.used) return NULL;
  block = reserve.begin + reserve.used;
  reserve.used += bytes;
  return block;
}

static void release(void *block) {
  const uintptr_t at = (uintptr_t)block, begin = (uintptr_t)reserve.begin;
  if (reserve.size == 0 || at < begin || at - begin >= reserve.size) free(block);
}

__attribute__((constructor)) static void begin(void) {
  json_set_alloc_funcs(allocate, release);
}

char *ct_json_text(const json_t *root, size_t flags) {
  char *text = refused ? NULL : json_dumps(root, flags);
  if (refused) {
    free(text);
    text = NULL;
  }
  refused = 0;
  return text;
}

typedef struct {
  const char *text;
  size_t left;
  unsigned before; /* refusals, of the thread */
} source;

static size_t feed(void *to, size_t most, void *data) {
  source *s = data;
  if (refused != s->before) return (size_t)-1;
  const size_t bytes = s->left < most ? s->left : most;
  memcpy(to, s->text, bytes);
  s->text += bytes;
  s->left -= bytes;
  return bytes;
}

static json_t *no_memory(json_error_t *fault, ct_error **error) {
  if (fault) {
    *fault = (json_error_t){.line = -1, .column = -1};
    snprintf(fault->text, sizeof fault->text, "out of memory");
    fault->text[sizeof fault->text - 1] = json_error_out_of_memory;
  }
  ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to read JSON.");
  return NULL;
}

/* What stands in a file is not repeated: another file's name may have led to it. The last byte is the error's code. */
static void forget_quote(char text[JSON_ERROR_TEXT_LENGTH]) {
  char *quote = strstr(text, strncmp(text, "invalid Unicode", 15) == 0 ? " '" : " near '");
  if (quote) *quote = 0;
}

json_t *ct_json_read(const char *text, size_t flags, json_error_t *fault, ct_error **error) {
  /* Of the 1 KiB that the parser takes at once, and of a word that grows to twice what it is. */
  enum { OF_A_PIECE = 1 << 18, OF_A_WORD = 4 };
  source s = {text, strlen(text), refused};
  const size_t size = OF_A_PIECE + OF_A_WORD * s.left;
  void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return no_memory(fault, error);
  reserve.begin = block, reserve.size = size, reserve.used = 0;
  json_t *root = json_load_callback(feed, &s, flags, fault);
  if (!root && fault) forget_quote(fault->text);
  const bool short_of_memory = refused != s.before;
  if (short_of_memory) json_decref(root);
  refused = s.before;
  reserve.size = 0;
  munmap(block, size);
  return short_of_memory ? no_memory(fault, error) : root;
}

bool ct_json_try(const char *text, size_t flags, json_t **root, ct_error **error) {
  json_error_t fault;
  *root = ct_json_read(text, flags, &fault, error);
  return *root || json_error_code(&fault) != json_error_out_of_memory;
}
