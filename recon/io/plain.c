/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers alone of formats whose samples are one plain array, made by the formats' own writers: for volumes whose
 * samples several processes write, each at its place. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "recon/io/shared/io-private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const ct_companion *companion_of(const ct_format *format, const char *path) {
  const ct_companion *c = format->companions;
  while (c && c->extension && !ct_path_has_extension(path, c->extension)) c++;
  return c && c->extension ? c : NULL;
}

bool ct_volume_is_plain(const ct_format *format, const char *path, bool *apart, char **samples, ct_error **error) {
  const ct_companion *beside = companion_of(format, path);
  *apart = beside != NULL;
  *samples = NULL;
  if (!format->writer || !format->writer->plain) return false;
  if (!beside) return true;
  /* The header lies beside NAME.raw as NAME.raw.json, but the samples beside NAME.mhd as NAME.raw. */
  const bool itself = ct_path_has_extension(beside->beside, "json");
  *samples = itself ? ct_strdup(path, error) : ct_companion_path(beside, path, error);
  return *samples != NULL;
}

/* A file of a header and no samples. */
static bool write_header(const ct_format *format, const char *path, const ct_grid *grid, const char *plan,
                         ct_error **error) {
  const ct_volume_header header = {
      .path = path, .grid = *grid, .plan = plan, .units = ct_units_of_header(plan), .header_only = true};
  void *state = format->writer->open(&header, error);
  return state && format->writer->close(state, true, error);
}

static char *read_and_remove(const char *path, size_t *size, ct_error **error) {
  char *bytes = ct_read_whole(path, (size_t)1 << 28, size, error);
  unlink(path);
  return bytes;
}

/* The header with so many blanks and line ends behind the plan. */
static char *padded(const ct_format *format, const char *beside, const ct_grid *grid, const char *plan, size_t blanks,
                    int lines, size_t *size, ct_error **error) {
  const size_t length = strlen(plan);
  char *longer = ct_alloc(length + blanks + (size_t)lines + 1, 1, "a header", error);
  if (!longer) return NULL;
  memcpy(longer, plan, length);
  memset(longer + length, ' ', blanks);
  memset(longer + length + blanks, '\n', (size_t)lines);
  longer[length + blanks + (size_t)lines] = 0;
  char *bytes = write_header(format, beside, grid, longer, error) ? read_and_remove(beside, size, error) : NULL;
  ct_free(longer);
  return bytes;
}

/* HDF5's files have their full length while they are made: where they cannot be sparse each try takes that long.
 * How long a blank gets hangs on where it stands (MetaImage cuts plans into lines, and escapes their ends): the number
 * is found by trying, with line ends, which are escaped everywhere, for what blanks cannot reach. */
static char *made_to_size(const ct_format *format, const char *beside, const ct_grid *grid, const char *plan,
                          size_t room, ct_error **error) {
  for (int lines = 0; lines < 4; lines++) {
    size_t size, blanks = 0;
    for (int turn = 0; turn < 16; turn++) {
      char *bytes = padded(format, beside, grid, plan, blanks, lines, &size, error);
      if (!bytes || size == room) return bytes;
      ct_free(bytes);
      if (size < room)
        blanks += room - size;
      else if (size - room <= blanks)
        blanks -= size - room;
      else
        break;
    }
  }
  return NULL;
}

char *ct_volume_header_bytes_of(const ct_format *format, const char *beside, const ct_grid *grid, const char *plan,
                                size_t room, size_t *size, ct_error **error) {
  *size = room;
  return room ? made_to_size(format, beside, grid, plan, room, error)
              : padded(format, beside, grid, plan, 0, 0, size, error);
}

bool ct_volume_finish_apart(const ct_format *format, const char *path, const ct_grid *grid, const char *plan,
                            const char *part, ct_error **error) {
  bool apart;
  char *samples;
  if (!ct_volume_is_plain(format, path, &apart, &samples, error) || !apart) return false;
  bool good = write_header(format, path, grid, plan, error);
  if (good && rename(part, samples) != 0) good = ct_error_set_errno(error, errno, "Cannot write %s", samples);
  ct_free(samples);
  return good;
}
