/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The papers whose tables and figures are made again, row by row. docs/papers.md is the table: it is built into the
 * program and read from there, so that page and program cannot tell different things. */
#ifndef GANTRY_BENCH_PAPERS_H
#define GANTRY_BENCH_PAPERS_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The cells are Markdown. */
typedef struct bench_paper_row {
  const char *name, *here, *command, *result;
  const char *absent; /* why it is not there ("": no reason is given); NULL: it is */
} bench_paper_row;

typedef struct bench_paper {
  char id[24]; /* its first author, as "chen" */
  const char *title;
  const bench_paper_row *rows;
  int count;
} bench_paper;

typedef struct bench_papers bench_papers;

/* The page that is built in. CT_ERROR_MEMORY; CT_ERROR_FORMAT where a row of it has not four cells. */
bench_papers *bench_papers_new(ct_error **error);
void bench_papers_free(bench_papers *papers);
int bench_papers_count(const bench_papers *papers);
const bench_paper *bench_papers_get(const bench_papers *papers, int index);
/* By its id; NULL: there is none. */
const bench_paper *bench_papers_find(const bench_papers *papers, const char *id);
/* The next command of a row's cell, without its quotes, into text[size]; what follows it is returned, NULL behind the
 * last. *at begins as row->command. Quoted options alone ("--json") are no commands. */
const char *bench_paper_next_command(const char *at, char *text, size_t size);

#endif
