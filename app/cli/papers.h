/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of `gantry-cli bench papers` share: a row's commands made small, their runs, and the page of results.
 */
#ifndef GANTRY_CLI_PAPERS_H
#define GANTRY_CLI_PAPERS_H

#include "app/bench/papers.h"
#include "app/cli/cli.h"

enum { PAPERS_WORDS = 64, PAPERS_FILES = 8, PAPERS_WHY = 512 };

typedef struct papers_request {
  int size; /* pixels and voxels a side at most */
  const char *folder, *scan;
  const char *device; /* of kernels on a card; NULL: there is none, or none is wanted */
  bool software;      /* the device is the processor in a card's place */
} papers_request;

/* A command of a row as it is run: argv, with its outputs in the folder. */
typedef struct papers_command {
  const cli_command *command;
  char *words[PAPERS_WORDS + 1];
  int count;
  char *names[PAPERS_FILES];         /* of its outputs on the page, "" for those added here */
  const char *outputs[PAPERS_FILES]; /* their paths, borrowed from the words */
  int output_count;
  bool card; /* it runs on a graphics device */
} papers_command;

/* Files by the names that the page gives them. */
typedef struct papers_file {
  char *name, *path;
  struct papers_file *next;
} papers_file;

/* What came of a command. */
typedef enum papers_outcome { PAPERS_DONE, PAPERS_FAILED, PAPERS_LEFT_OUT, PAPERS_INTERRUPTED } papers_outcome;
typedef struct papers_result {
  papers_outcome outcome;
  bool card;
  char *text;     /* the command as it was run; as the page has it where it was not */
  char *files;    /* names in the folder, separated by ", "; "" for none */
  char *headline; /* what came out; why not */
} papers_result;

/* A row's result; commands is 0 where the page names none. */
enum { PAPERS_COMMANDS = 4 };
typedef struct papers_row_result {
  const bench_paper_row *row;
  int number; /* counted from 1 */
  papers_result results[PAPERS_COMMANDS];
  int count;
} papers_row_result;
void papers_row_result_clear(papers_row_result *result);

/* A name of the page that the command reads and that is not among the files (SCAN, fan.h5, ...): it has to be made
 * first. */
bool papers_find_missing(const char *text, const papers_file *files, char *name, size_t size);
/* The command that makes such a file as the page's commands do, with small numbers of its own; NULL: it cannot be made
 * here. */
const char *papers_stand_in(const char *name);
/* Reads "bench chen --kernels ..." as the page has it: sizes cut to the request's, outputs named stem.EXT in the
 * folder, inputs found among the files. CT_ERROR_UNSUPPORTED: it cannot be run here, and the message says why. Cleared
 * by the caller in any case. */
bool papers_read(papers_command *command, const char *text, const char *stem, const papers_request *request,
                 const papers_file *files, ct_error **error);
void papers_command_clear(papers_command *command);
/* Its words for people, each path without the folder; ct_free. */
char *papers_tell_command(const papers_command *command, const char *folder);
/* The path of a name; NULL: it is not among them. */
const char *papers_find_file(const papers_file *files, const char *name);

/* The one line that matters of what a command printed, and of the JSON that it wrote; ct_free. */
char *papers_headline(const papers_command *command, const char *printed, ct_error **error);

/* Runs the commands of a row one after the other, and those that make their inputs; what they print goes to stem.txt.
 * False only when the memory is short. */
typedef struct papers_run papers_run;
papers_run *papers_run_new(const papers_request *request, ct_error **error);
void papers_run_free(papers_run *run);
bool papers_run_row(papers_run *run, const bench_paper *paper, int index, papers_row_result *result, ct_error **error);

/* FOLDER/papers.md: what was made, with which command, in which file; and what could not be, and why. */
typedef struct papers_page {
  const bench_paper *paper;
  const papers_row_result *rows;
  int count;
} papers_page;
bool papers_write_page(const papers_request *request, const papers_page pages[], int count, ct_error **error);

#endif
