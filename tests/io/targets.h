/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that volumes are written to, from the table of formats: the first extension of each, those that have files
 * beside them, and folders of slices. */
#ifndef CT_TESTS_IO_TARGETS_H
#define CT_TESTS_IO_TARGETS_H

#include "recon/io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct target {
  const ct_format *format;
  char name[24]; /* "v.mhd"; "v": a folder */
} target;

static target targets[64];

static inline bool has_companion(const ct_format *format, const char *extension) {
  for (const ct_companion *c = format->companions; c && c->extension; c++)
    if (strcmp(c->extension, extension) == 0) return true;
  return false;
}

/* Fills `targets`; the number of them. */
static inline int find_targets(void) {
  size_t count;
  int found = 0;
  const ct_format *const *formats = ct_formats(&count);
  for (size_t i = 0; i < count; i++) {
    const char *word = ct_format_can(formats[i], CT_FORMAT_WRITE_VOLUME) ? formats[i]->extensions : "";
    for (; *word && found < 63; word += strcspn(word, " "), word += strspn(word, " ")) {
      char extension[16];
      snprintf(extension, sizeof extension, "%.*s", (int)strcspn(word, " "), word);
      if (word != formats[i]->extensions && !has_companion(formats[i], extension)) continue;
      targets[found].format = formats[i];
      snprintf(targets[found++].name, sizeof targets->name, "v.%s", extension);
    }
    if (formats[i]->writes_folder) targets[found++] = (target){formats[i], "v"};
  }
  if (found < 8) abort();
  return found;
}

#endif
