/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files damaged in every way that is cheap: cut at each length, and each byte of the beginning set to several
 * values. Whatever is read of them is read whole; nothing may crash, hang or take memory that the file cannot mean. */
#ifndef CT_TESTS_IO_DAMAGE_H
#define CT_TESTS_IO_DAMAGE_H

#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/files.h"

/* Opens a file as a scan and a volume and reads all of it. */
static inline void read_all_of(const char *path) {
  ct_scan *scan = ct_scan_open(path, NULL, NULL);
  const ct_geometry *g = scan ? &ct_scan_get_facts(scan)->geometry : NULL;
  float *frame = g ? ct_alloc((size_t)g->nu * (size_t)g->nv, sizeof *frame, "a frame", NULL) : NULL;
  for (int view = 0; frame && view < g->views && view < 8; view++)
    ct_scan_read(scan, CT_FRAME_PROJECTION, view, 0, g->nv, frame, NULL);
  ct_free(frame);
  ct_scan_free(scan);
  ct_volume_free(ct_volume_read(path, NULL, NULL));
  ct_path_content(path, NULL);
}

static inline void damage(const char *path, size_t header, size_t step) {
  static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff, '9', ' ', '\''};
  size_t size;
  unsigned char *bytes = read_file(path, &size), *copy = malloc(size + 1);
  if (!copy) abort();
  for (size_t length = 0; length < size; length += length < header ? step : size / 7 + 1) {
    write_file(path, bytes, length);
    read_all_of(path);
  }
  for (size_t at = 0; at < header && at < size; at += step)
    for (size_t i = 0; i < sizeof values; i++) {
      memcpy(copy, bytes, size);
      copy[at] = values[i];
      write_file(path, copy, size);
      read_all_of(path);
    }
  write_file(path, bytes, size);
  free(copy);
  free(bytes);
}

#endif
