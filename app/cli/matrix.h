/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of gantry-cli matrix share: what was asked for, the slice's scan, and what is made of it. */
#ifndef GANTRY_CLI_MATRIX_H
#define GANTRY_CLI_MATRIX_H

#include "app/cli/cli.h"
#include "recon/fp/matrix/build.h"
#include "recon/fp/projector.h"
#include "recon/solve/plan.h"

enum { CLI_MOST_FORMS = 16, CLI_MOST_BARS = 64 };

typedef struct cli_matrix {
  /* The scan: a file with a plan, or numbers. */
  const char *scan, *description;
  ct_plan plan;
  const char *plan_file; /* NULL: none was given */
  ct_identity plan_input;
  bool made; /* one of the numbers was given */
  ct_beam beam;
  int views, rays, size;
  double sod, sdd, width, pixel, arc, first; /* mm, radians; NaN: by default */
  int model;                                 /* ct_ray_model; -1: the plan's, or areas */
  /* What to do. */
  const char *forms[CLI_MOST_FORMS];
  int form_count;
  bool count_only, json, quiet;
  const char *output, *bars, *overlap, *spy;
  int bar_views[CLI_MOST_BARS], bar_count;
  int threads;
  double memory; /* bytes; 0: what is free */
} cli_matrix;

/* The slice and its views, and the matrix's size counted without building it. */
typedef struct cli_matrix_case {
  ct_geometry geometry;
  ct_grid grid;
  ct_ray_model model;
  char note[128]; /* what was left away of the scan; may be empty */
  ct_matrix_request request;
  uint64_t *starts; /* [rows + 1] */
  uint64_t rows, entries;
  double seconds;                       /* of counting */
  uint64_t stored_rows, stored_entries; /* of the views that the square's symmetry leaves; 0: not symmetric */
  char reason[256];                     /* why it is not */
} cli_matrix_case;

/* The geometry and the grid of the slice from what was asked for. */
bool cli_matrix_scan(const cli_matrix *asked, cli_watch *watch, cli_matrix_case *slice, ct_error **error);
bool cli_matrix_count(cli_matrix_case *slice, ct_job *job, ct_error **error);
void cli_matrix_clear(cli_matrix_case *slice);
/* The file of asked->bars, by its ending. */
bool cli_matrix_draw_bars(const cli_matrix *asked, const cli_matrix_case *slice, const char *description,
                          ct_error **error);
/* The file of asked->overlap, an SVG of the same views. */
bool cli_matrix_draw_overlap(const cli_matrix *asked, const cli_matrix_case *slice, ct_error **error);
/* Text file and pictures, made from pieces of the matrix. *at_fault names the file that failed. */
bool cli_matrix_export(const cli_matrix *asked, const cli_matrix_case *slice, ct_job *job, const char **at_fault,
                       ct_error **error);

/* One stored form, prepared or refused. */
typedef struct cli_matrix_form {
  const ct_projector *projector;
  ct_projector_shape shape;
  double needed;    /* bytes that it told beforehand; 0: it tells none */
  char reason[400]; /* why it was not made; empty: it was */
} cli_matrix_form;
/* False only when the job was cancelled. */
bool cli_matrix_forms(const cli_matrix *asked, const cli_matrix_case *slice, ct_job *job, cli_matrix_form *forms,
                      int *count, ct_error **error);
/* On standard output. */
bool cli_matrix_report(const cli_matrix *asked, const cli_matrix_case *slice, const cli_matrix_form *forms, int count,
                       ct_error **error);

#endif
