/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs commands of docs/papers.md one after the other in this process, each with its output caught. A command that the
 * page names twice is run once. Ctrl+C ends the command under way, as it does when that runs alone, and the run. */
#include "app/cli/papers.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/path.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 1024 };

/* A command that was run: the page's text, and its result. */
typedef struct done_command {
  char *text;
  papers_result result;
  struct done_command *next;
} done_command;

struct papers_run {
  papers_request request;
  papers_file *files;
  done_command *done;
};

static void clear_result(papers_result *r) {
  ct_free(r->text);
  ct_free(r->files);
  ct_free(r->headline);
  *r = (papers_result){0};
}

void papers_row_result_clear(papers_row_result *result) {
  for (int i = 0; i < result->count; i++) clear_result(&result->results[i]);
}

/* The newest of a name is found first. Borrows name and path. */
static bool add_file(papers_run *run, const char *name, const char *path, ct_error **error) {
  papers_file *file = ct_alloc_zero(1, sizeof *file, "a file's name", error);
  if (!file) return false;
  file->name = ct_strdup(name, error);
  file->path = ct_strdup(path, error);
  file->next = run->files;
  run->files = file;
  return file->name && file->path;
}

papers_run *papers_run_new(const papers_request *request, ct_error **error) {
  static const char *const scans[] = {"SCAN", "FILE", "tooth.h5", "lotus.h5"};
  papers_run *run = ct_alloc_zero(1, sizeof *run, "the run", error);
  if (!run) return NULL;
  run->request = *request;
  for (int i = 0; request->scan && i < 4; i++)
    if (!add_file(run, scans[i], request->scan, error)) {
      papers_run_free(run);
      return NULL;
    }
  return run;
}

void papers_run_free(papers_run *run) {
  if (!run) return;
  for (papers_file *file = run->files, *next; file; file = next) {
    next = file->next;
    ct_free(file->name);
    ct_free(file->path);
    ct_free(file);
  }
  for (done_command *done = run->done, *next; done; done = next) {
    next = done->next;
    ct_free(done->text);
    clear_result(&done->result);
    ct_free(done);
  }
  ct_free(run);
}

/* Standard output and error go to files while a command runs. */
typedef struct capture {
  FILE *files[2];
  int saved[2];
} capture;

static bool begin_capture(capture *c, ct_error **error) {
  fflush(stdout);
  fflush(stderr);
  for (int i = 0; i < 2; i++) c->files[i] = tmpfile();
  for (int i = 0; i < 2; i++) c->saved[i] = dup(i + 1);
  if (!c->files[0] || !c->files[1] || c->saved[0] < 0 || c->saved[1] < 0)
    return ct_error_set_errno(error, errno, "Cannot catch what a command prints");
  for (int i = 0; i < 2; i++) dup2(fileno(c->files[i]), i + 1);
  return true;
}

/* What was written to the file; ct_free. */
static char *read_back(FILE *file, ct_error **error) {
  const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  char *text = size >= 0 ? ct_alloc((size_t)size + 1, 1, "what a command printed", error) : NULL;
  if (!text) {
    ct_error_set(error, CT_ERROR_IO, "What a command printed cannot be read back.");
    return NULL;
  }
  rewind(file);
  text[fread(text, 1, (size_t)size, file)] = 0;
  return text;
}

static void end_capture(capture *c) {
  fflush(stdout);
  fflush(stderr);
  for (int i = 0; i < 2; i++) {
    if (c->saved[i] < 0) continue;
    dup2(c->saved[i], i + 1);
    close(c->saved[i]);
  }
}

/* tune keeps what it found; that of a small trial must not replace the user's. */
static char *redirect_cache(const char *folder, const papers_command *command) {
  if (strcmp(command->words[0], "tune") != 0 || !command->card) return NULL;
  char *before = ct_strdup(getenv("XDG_CACHE_HOME") ? getenv("XDG_CACHE_HOME") : "", NULL);
  char *path = realpath(folder, NULL);
  if (path) setenv("XDG_CACHE_HOME", path, 1);
  free(path);
  return before;
}

static void restore_cache(char *before) {
  if (before && *before)
    setenv("XDG_CACHE_HOME", before, 1);
  else if (before)
    unsetenv("XDG_CACHE_HOME");
  ct_free(before);
}

/* The exit status, and what it printed; -1 with an error. */
static int call(papers_run *run, const papers_command *command, char *printed[2], ct_error **error) {
  capture c = {0};
  char *words[PAPERS_WORDS + 1] = {0}; /* getopt changes their order */
  memcpy(words, command->words, (size_t)command->count * sizeof *words);
  int status = -1;
  if (begin_capture(&c, error)) {
    char *before = redirect_cache(run->request.folder, command);
    optind = 0; /* a new list of words for getopt */
    status = cli_flush(command->command->run(command->command, command->count, words));
    restore_cache(before);
  }
  end_capture(&c);
  for (int i = 0; i < 2; i++) {
    printed[i] = status >= 0 ? read_back(c.files[i], error) : NULL;
    if (c.files[i]) fclose(c.files[i]);
  }
  if (printed[0] && printed[1]) return status;
  for (int i = 0; i < 2; i++) ct_free(printed[i]);
  printed[0] = printed[1] = NULL;
  return -1;
}

/* The last line of stderr without the program's name. */
static char *tell_fault(const char *errors, int status) {
  size_t length = strlen(errors);
  while (length > 0 && isspace((unsigned char)errors[length - 1])) length--;
  size_t begin = length;
  while (begin > 0 && errors[begin - 1] != '\n') begin--;
  if (!strncmp(errors + begin, "gantry-cli: ", 12)) begin += 12;
  return length > begin ? ct_strprintf("%.*s", (int)(length - begin), errors + begin)
                        : ct_strprintf("exit status %d", status);
}

/* Names of the outputs that are there, and of the text; NULL: no memory. */
static char *list_files(const papers_command *command, const char *text_path) {
  char *list = ct_strdup(text_path ? ct_path_name(text_path) : "", NULL);
  for (int i = 0; list && i < command->output_count; i++) {
    if (!ct_path_exists(command->outputs[i])) continue;
    char *longer = ct_strprintf("%s%s%s", list, *list ? ", " : "", ct_path_name(command->outputs[i]));
    ct_free(list);
    list = longer;
  }
  return list;
}

static bool is_blank(const char *text) {
  return !text[strspn(text, " \n")];
}

static bool keep_outputs(papers_run *run, const papers_command *command, ct_error **error) {
  bool good = true;
  for (int i = 0; good && i < command->output_count; i++) {
    char stem[64]; /* "SCAN.h5" serves SCAN, too */
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(command->names[i], "."), command->names[i]);
    good = !*command->names[i] || !ct_path_exists(command->outputs[i]) ||
           (add_file(run, command->names[i], command->outputs[i], error) &&
            (!papers_stand_in(stem) || add_file(run, stem, command->outputs[i], error)));
  }
  return good;
}

static bool carry_out(papers_run *run, const papers_command *command, const char *stem, papers_result *result,
                      ct_error **error) {
  char *printed[2];
  const int status = call(run, command, printed, error);
  if (status < 0) return false;
  char *path = is_blank(printed[0]) ? NULL : ct_strprintf("%s/%s.txt", run->request.folder, stem);
  bool good = !path || ct_output_write_text(path, printed[0], error);
  result->outcome = status == CLI_DONE ? PAPERS_DONE : PAPERS_FAILED;
  if (strstr(printed[1], "gantry-cli: interrupted")) result->outcome = PAPERS_INTERRUPTED;
  result->files = list_files(command, path);
  result->headline = status == CLI_DONE ? papers_headline(command, printed[0], error) : tell_fault(printed[1], status);
  good = good && keep_outputs(run, command, error);
  ct_free(path);
  for (int i = 0; i < 2; i++) ct_free(printed[i]);
  return good && result->files && result->headline;
}

static bool leave_out(papers_result *result, const char *text, const char *why) {
  result->outcome = PAPERS_LEFT_OUT;
  result->text = ct_strdup(text, NULL);
  result->files = ct_strdup("", NULL);
  result->headline = ct_strdup(why, NULL);
  return result->text && result->files && result->headline;
}

static bool run_read(papers_run *run, const char *text, const char *stem, papers_result *result, ct_error **error) {
  papers_command command;
  ct_error *fault = NULL;
  bool good = papers_read(&command, text, stem, &run->request, run->files, &fault);
  result->card = command.card;
  if (!good && fault && fault->code == CT_ERROR_UNSUPPORTED) {
    good = leave_out(result, text, fault->message);
  } else if (good) {
    result->text = papers_tell_command(&command, run->request.folder);
    good = result->text && carry_out(run, &command, stem, result, &fault);
  }
  papers_command_clear(&command);
  if (!good) ct_error_set(error, CT_ERROR_IO, "%s", fault ? fault->message : "There is not enough memory.");
  ct_error_clear(&fault);
  return good;
}

/* Makes what the command reads. A result is set where that did not go. */
static bool make_inputs(papers_run *run, const char *text, papers_result *result, ct_error **error) {
  char name[TEXT], why[TEXT + PAPERS_WHY], stem[TEXT + 8];
  while (papers_find_missing(text, run->files, name, sizeof name)) {
    papers_result made = {0};
    const char *command = papers_stand_in(name);
    if (!command) {
      snprintf(why, sizeof why, "it reads %s, which no command of the page makes", name);
      return leave_out(result, text, why);
    }
    if (!make_inputs(run, command, result, error)) return false;
    if (result->text) return true;
    snprintf(stem, sizeof stem, "input-%.*s", (int)strcspn(name, "."), name);
    const bool good = run_read(run, command, stem, &made, error);
    const papers_outcome outcome = made.outcome;
    snprintf(why, sizeof why, "its input %s was not made: %.*s", name, PAPERS_WHY - 64, good ? made.headline : "");
    clear_result(&made);
    if (!good) return false;
    if (outcome == PAPERS_DONE && papers_find_file(run->files, name)) continue;
    const bool told = leave_out(result, text, why);
    result->outcome = outcome == PAPERS_DONE ? PAPERS_FAILED : outcome;
    return told;
  }
  return true;
}

static bool copy_result(papers_result *to, const papers_result *from) {
  *to = (papers_result){from->outcome, from->card, ct_strdup(from->text, NULL), ct_strdup(from->files, NULL),
                        ct_strdup(from->headline, NULL)};
  return to->text && to->files && to->headline;
}

static bool keep_done(papers_run *run, const char *text, const papers_result *result) {
  done_command *done = ct_alloc_zero(1, sizeof *done, "a result", NULL);
  if (!done) return false;
  done->next = run->done;
  run->done = done;
  done->text = ct_strdup(text, NULL);
  return done->text && copy_result(&done->result, result);
}

static bool run_text(papers_run *run, const char *text, const char *stem, papers_result *result, ct_error **error) {
  for (const done_command *done = run->done; done; done = done->next)
    if (!strcmp(done->text, text)) return copy_result(result, &done->result);
  if (!make_inputs(run, text, result, error)) return false;
  if (!result->text && !run_read(run, text, stem, result, error)) return false;
  return keep_done(run, text, result);
}

/* "chen-07-fig-2": what stands before the first comma or colon of the row's name. */
static void name_stem(const bench_paper *paper, int index, char *stem, size_t size) {
  size_t used = (size_t)snprintf(stem, size, "%s-%02d-", paper->id, index + 1);
  const size_t most = used + 32 < size - 1 ? used + 32 : size - 1;
  for (const char *c = paper->rows[index].name; *c && !strchr(",:", *c) && used < most; c++)
    if (isalnum((unsigned char)*c))
      stem[used++] = (char)tolower((unsigned char)*c);
    else if (stem[used - 1] != '-')
      stem[used++] = '-';
  while (used > 1 && stem[used - 1] == '-') used--;
  stem[used] = 0;
}

bool papers_run_row(papers_run *run, const bench_paper *paper, int index, papers_row_result *result, ct_error **error) {
  char stem[80], text[TEXT], numbered[96];
  *result = (papers_row_result){.row = &paper->rows[index], .number = index + 1};
  name_stem(paper, index, stem, sizeof stem);
  const char *at = result->row->command;
  while (result->count < PAPERS_COMMANDS && (at = bench_paper_next_command(at, text, sizeof text))) {
    if (result->count)
      snprintf(numbered, sizeof numbered, "%s-%d", stem, result->count + 1);
    else
      snprintf(numbered, sizeof numbered, "%s", stem);
    papers_result *r = &result->results[result->count++];
    if (!run_text(run, text, numbered, r, error))
      return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the results.");
    if (r->outcome == PAPERS_INTERRUPTED) break;
  }
  return true;
}
