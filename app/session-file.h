/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session as a file: what was open and how it was looked at (docs/session.md). No GTK and no GLib: reading what
 * others wrote, cut or damaged is tested by itself. Paths are absolute here; in the file they are relative to it where
 * they can be, so that a folder can be moved with its session. */
#ifndef GANTRY_SESSION_FILE_H
#define GANTRY_SESSION_FILE_H

#include "recon/base/error.h"
#include "recon/geom/grid.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of a file that the session refers to. */
typedef enum {
  GANTRY_PLACE_NONE,    /* it never was in a file */
  GANTRY_PLACE_THERE,   /* where the session says */
  GANTRY_PLACE_CHANGED, /* there, with another size or other contents than then */
  GANTRY_PLACE_MISSING
} gantry_place;

typedef struct gantry_session_result {
  char *path;               /* of the volume; NULL: it was in memory alone */
  uint64_t bytes, checksum; /* of its file then; 0: unknown */
  gantry_place place;       /* found when the session was read */
  char *name;               /* that the user gave; NULL: none */
  char *title;              /* what it was called, for messages; may be NULL */
  char *plan;               /* JSON, as asked for; NULL: of a volume that was opened */
  char *record;             /* its header, JSON: how it was made; NULL: none */
  bool made;                /* by a run of the scan; else a volume that was opened */
  bool phantom;             /* the truth of the built-in example, on this grid */
  ct_grid grid;
  int views, views_all, iterations;
  double seconds, gups;
  bool is_a, is_b, pinned, ticked;
} gantry_session_result;

typedef struct gantry_session_file {
  char *title;       /* of what is open: "bell-pepper" */
  char *saved;       /* when, UTC: "2026-11-26T06:20:01Z" */
  bool example;      /* the built-in scan */
  char *scan;        /* path; NULL: none, or the example */
  char *description; /* JSON that the scan is opened with, where its user told more than its file; NULL: none */
  bool has_scan;     /* either */
  gantry_place scan_place;
  char *plan;      /* JSON with the scan's identity; NULL: none */
  char *reference; /* JSON of the plan whose slices are B; NULL: B is a result, or there is none */
  gantry_session_result *results;
  size_t count;
  json_t *view;    /* object: how the window looks, each member a truth value, a number, a text or a list of numbers */
  json_t *regions; /* list: what is measured */
  char **notes;    /* of a reading: sentences about what in it could not be used */
  size_t note_count;
} gantry_session_file;

/* Whether a file has the form of a session, also of a damaged one. */
bool gantry_session_file_is(const char *path);
/* False for what is no session, of a newer version, damaged or cut, with the line; then *file is empty. What can be
 * left out (a result without a path, an unknown member) is, with a note. */
bool gantry_session_file_read(gantry_session_file *file, const char *path, ct_error **error);
/* Through a temporary name. Fills in size and checksum of results where these are 0. */
bool gantry_session_file_write(gantry_session_file *file, const char *path, ct_error **error);
void gantry_session_file_clear(gantry_session_file *file);
bool gantry_session_file_add_note(gantry_session_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Size of a file, and a checksum of parts of it spread over the whole: reads 64 KB however large it is. False where it
 * cannot be read (a folder, a pattern of files). */
bool gantry_session_identify(const char *path, uint64_t *bytes, uint64_t *checksum);
/* New text (ct_free): `path` as seen from a folder ("../scans/bell.h5"), absolute where they share nothing but the
 * root; both absolute. NULL: memory. */
char *gantry_session_relative(const char *folder, const char *path);

#endif
