/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli bench papers: lists the papers' tables and figures, and makes those of a paper again. */
#include "app/cli/papers.h"
#include "recon/base/memory.h"
#include "render/compute/device.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SIZE = 256, SCAN, SOFTWARE, MOST_ROWS = 512 };

static const cli_option options[] = {
    {SIZE, "size", "N",
     "No side of a detector or of a volume is longer, 16 to 4096; numbers of views are cut below 1024, too; default: "
     "64. RabbitCT's smallest volume is 128."},
    {'r', "rows", "LIST", "Only these rows, numbers of the list separated by commas."},
    {'o', "output", "FOLDER",
     "Where results and papers.md are written; is made where it is missing; default: papers-PAPER."},
    {SCAN, "scan", "FILE",
     "Takes the place of SCAN, FILE, tooth.h5 and lotus.h5 in the commands; default: simulated scans."},
    {SOFTWARE, "software", NULL,
     "Where there is no graphics card, rows that need one run on the processor in its place: their errors are right, "
     "their rates mean nothing."},
    {'q', "quiet", NULL, "Does not tell the rows as they are made."},
    {0},
};

typedef struct request {
  papers_request papers;
  const char *list; /* of rows; NULL: all */
  bool software, quiet;
} request;

static void print_help(FILE *to) {
  fputc('\n', to);
  cli_print_wrapped(
      to, 0,
      "Papers, rows and commands are those of docs/papers.md, which is built in: chen (2021), chandrachary, mueller "
      "(lecture), yu (2018), chilingaryan (2019), or all. Commands run with the given size, one run of each row, and "
      "write to files by the row's number and name; papers.md tells of each row the command, the files and what came "
      "out, and what could not be made here and why. A row that fails does not stop the others, and the exit status is "
      "1 then; Ctrl+C keeps what was done.");
}

static void print_row(const bench_paper_row *row, int number) {
  printf("  %2d  %s\n", number, row->name);
  if (row->absent) printf("      not there%s%s\n", *row->absent ? ": " : "", row->absent);
  char command[1024];
  for (const char *at = row->command; (at = bench_paper_next_command(at, command, sizeof command));)
    printf("      gantry-cli %s\n", command);
}

static void print_papers(const bench_papers *papers) {
  for (int i = 0; i < bench_papers_count(papers); i++) {
    const bench_paper *paper = bench_papers_get(papers, i);
    int absent = 0;
    for (int n = 0; n < paper->count; n++) absent += paper->rows[n].absent != NULL;
    printf("%s%s: %s: %d rows, %d not there\n", i ? "\n" : "", paper->id, paper->title, paper->count, absent);
    for (int n = 0; n < paper->count; n++) print_row(&paper->rows[n], n + 1);
  }
}

/* Whether the list of numbers holds one. */
static bool is_listed(const char *list, int number) {
  if (!list) return true;
  for (; *list; list += strcspn(list, ","), list += *list == ',')
    if (atoi(list) == number) return true;
  return false;
}

static bool check_list(const cli_command *command, const char *list, int count) {
  for (const char *at = list; at && *at;) {
    char word[16];
    long long number;
    const size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    if (!cli_read_int(command, "--rows", word, 1, count, &number)) return false;
    at += length + (at[length] == ',');
  }
  return true;
}

/* The first card; the software device only where it is wanted. The name is copied. */
static bool find_device(const request *r, char *name, size_t size, bool *software, ct_error **error) {
  ctgl_device_facts *list;
  int count;
  *name = 0;
  if (!ctgl_devices_list(&list, &count, error)) return false;
  for (int i = count - 1; i >= 0; i--) { /* cards stand first */
    if (list[i].software && !r->software) continue;
    snprintf(name, size, "%s", list[i].name);
    *software = list[i].software;
  }
  ct_free(list);
  if (*name || !r->software) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "--software: no device with OpenGL 4.3 is found, also none in software.");
}

/* Ctrl+C between two commands. */
static bool is_interrupted(void) {
  sigset_t pending;
  return sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
}

static void tell_row(const request *r, const bench_paper *paper, const papers_row_result *row) {
  if (r->quiet) return;
  printf("%s %d, %s\n", paper->id, row->number, row->row->name);
  if (row->row->absent) printf("    not there%s%s\n", *row->row->absent ? ": " : "", row->row->absent);
  if (!row->row->absent && !row->count) puts("    no command makes it");
  for (int i = 0; i < row->count; i++) {
    static const char *const words[] = {"", "FAILED: ", "not run: ", "interrupted: "};
    const papers_result *result = &row->results[i];
    printf("    gantry-cli %s\n    %s%s%s\n", result->text, result->card && r->papers.software ? "(software) " : "",
           words[result->outcome], result->headline);
  }
  fflush(stdout);
}

/* Counts failed commands in *failed. False at an interruption, too. */
static bool run_paper(const request *r, papers_run *run, papers_page pages[], int count, int *failed,
                      ct_error **error) {
  papers_page *page = &pages[count - 1];
  papers_row_result *rows = ct_alloc_zero((size_t)page->paper->count, sizeof *rows, "the results", error);
  bool good = rows != NULL, interrupted = false;
  page->rows = rows;
  for (int i = 0; good && !interrupted && i < page->paper->count; i++) {
    if (!is_listed(r->list, i + 1)) continue;
    papers_row_result *row = &rows[page->count++];
    good = papers_run_row(run, page->paper, i, row, error);
    for (int n = 0; good && n < row->count; n++) {
      *failed += row->results[n].outcome == PAPERS_FAILED;
      interrupted = interrupted || row->results[n].outcome == PAPERS_INTERRUPTED;
    }
    if (good) tell_row(r, page->paper, row);
    good = good && papers_write_page(&r->papers, pages, count, error);
    interrupted = interrupted || is_interrupted();
  }
  return good && (!interrupted || ct_error_set(error, CT_ERROR_CANCELLED, "interrupted"));
}

static int run_papers(const request *r, const bench_papers *papers, const bench_paper *only) {
  ct_error *error = NULL;
  int failed = 0, count = 0;
  papers_page pages[16] = {0};
  if (mkdir(r->papers.folder, 0777) != 0 && errno != EEXIST) {
    ct_error_set_errno(&error, errno, "Cannot make the folder %s", r->papers.folder);
    return cli_failure(NULL, &error);
  }
  papers_run *run = papers_run_new(&r->papers, &error);
  bool good = run != NULL;
  for (int i = 0; good && i < bench_papers_count(papers); i++) {
    const bench_paper *paper = bench_papers_get(papers, i);
    if (only && paper != only) continue;
    pages[count++].paper = paper;
    good = run_paper(r, run, pages, count, &failed, &error);
  }
  for (int i = 0; i < count; i++) {
    for (int n = 0; n < pages[i].count; n++) papers_row_result_clear((papers_row_result *)&pages[i].rows[n]);
    ct_free((void *)pages[i].rows);
  }
  papers_run_free(run);
  if (!good && error && error->code == CT_ERROR_CANCELLED) {
    ct_error_clear(&error);
    fprintf(stderr, "gantry-cli: interrupted; %s/papers.md tells what was made\n", r->papers.folder);
    return CLI_FAILED;
  }
  if (!good) return cli_failure(NULL, &error);
  if (failed)
    fprintf(stderr, "gantry-cli: %d command%s failed, see %s/papers.md\n", failed, failed == 1 ? "" : "s",
            r->papers.folder);
  return failed ? CLI_FAILED : CLI_DONE;
}

/* Signals wait here, and are taken by the commands' own watches; between two of them is_interrupted looks. */
static int run_with_device(const request *asked, const bench_papers *papers, const bench_paper *only) {
  request own = *asked, *const r = &own;
  char device[128], folder[64];
  ct_error *error = NULL;
  sigset_t blocked, before;
  if (!find_device(r, device, sizeof device, &r->papers.software, &error)) return cli_failure(NULL, &error);
  r->papers.device = *device ? device : NULL;
  snprintf(folder, sizeof folder, "papers-%s", only ? only->id : "all");
  if (!r->papers.folder) r->papers.folder = folder;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const int status = run_papers(r, papers, only);
  if (is_interrupted()) { /* taken, and told */
    int number;
    sigwait(&blocked, &number);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return status;
}

static bool read_option(const cli_command *command, int letter, const char *value, request *r) {
  long long number;
  switch (letter) {
  case SIZE:
    if (!cli_read_int(command, "--size", value, 16, 4096, &number)) return false;
    r->papers.size = (int)number;
    return true;
  case 'r':
    r->list = value;
    return true;
  case 'o':
    r->papers.folder = value;
    return true;
  case SCAN:
    r->papers.scan = value;
    return true;
  case SOFTWARE:
    return r->software = true;
  default:
    return r->quiet = true;
  }
}

static int choose(const cli_command *command, const char *name, request *r, const bench_papers *papers) {
  if (!name && (r->list || r->papers.folder || r->papers.scan)) return cli_misuse(command, "a paper is needed, or all");
  if (!name) {
    print_papers(papers);
    return CLI_DONE;
  }
  const bench_paper *paper = bench_papers_find(papers, name);
  if (!paper && strcmp(name, "all") != 0) {
    char names[256] = "";
    for (int i = 0; i < bench_papers_count(papers); i++) {
      const size_t used = strlen(names);
      snprintf(names + used, sizeof names - used, "%s, ", bench_papers_get(papers, i)->id);
    }
    return cli_misuse(command, "there is no paper \"%s\"; there are %sand all", name, names);
  }
  if (!paper && r->list) return cli_misuse(command, "--rows goes with one paper");
  if (paper && !check_list(command, r->list, paper->count)) return CLI_MISUSED;
  return run_with_device(r, papers, paper);
}

static int run(const cli_command *command, int argc, char **argv) {
  request r = {.papers.size = 64};
  const char *value;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, &r)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc > optind + 1) return cli_misuse(command, "\"%s\" is one word too many", argv[optind + 1]);
  ct_error *error = NULL;
  bench_papers *papers = bench_papers_new(&error);
  if (!papers) return cli_failure(NULL, &error);
  const int status = choose(command, argv[optind], &r, papers);
  bench_papers_free(papers);
  return status;
}

const cli_command cli_bench_papers = {
    "bench papers",
    "[PAPER | all] [--size N] [--rows LIST] [options] [-o FOLDER]",
    "Makes every table and figure of a paper again that can be made here, each by its command, with a page of results "
    "and of what could not be made; without a paper it lists papers and rows.",
    options,
    print_help,
    run,
};
