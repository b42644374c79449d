/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli lesson: lists lessons, prints one, measures its claims. */
#include "app/cli/cli.h"
#include "app/lesson/claim.h"
#include "recon/base/memory.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK = 256 };

static const cli_option options[] = {
    {CHECK, "check", NULL, "Simulates and reconstructs what the steps show, and measures their claims."},
    {'q', "quiet", NULL, "No progress, and of the claims only those that do not hold."},
    {0},
};

static void list_lessons(FILE *to) {
  fputs("\nLessons:\n", to);
  for (int i = 0; i < gantry_lesson_count(); i++) {
    gantry_lesson *lesson = gantry_lesson_open(i, NULL);
    if (!lesson) continue;
    fprintf(to, "  %2d  %s\n", i + 1, lesson->title);
    if (lesson->summary) cli_print_wrapped(to, 6, lesson->summary);
    gantry_lesson_free(lesson);
  }
}

/* By its number, or by its file. */
static gantry_lesson *open_lesson(const char *word, ct_error **error) {
  char *end;
  const long number = strtol(word, &end, 10);
  if (*end) return gantry_lesson_read(word, error);
  if (number >= 1 && number <= gantry_lesson_count()) {
    gantry_lesson *lesson = gantry_lesson_open((int)number - 1, error);
    if (lesson && *error) fprintf(stderr, "warning: %s\n", (*error)->message);
    if (lesson) ct_error_clear(error);
    return lesson;
  }
  ct_error_set(error, CT_ERROR_ARGUMENT, "There is no lesson %ld: there are 1 to %d.", number, gantry_lesson_count());
  return NULL;
}

/* Emphasis is for the window. */
static void print_plainly(char *paragraph) {
  char *to = paragraph;
  for (const char *c = paragraph; *c; c++)
    if (*c != '*') *to++ = *c;
  *to = 0;
  cli_print_wrapped(stdout, 3, paragraph);
}

static void print_paragraphs(const char *title, const char *text) {
  if (title) printf("\n   %s\n", title);
  for (const char *c = text; *c;) {
    const char *end = strstr(c, "\n\n");
    const size_t length = end ? (size_t)(end - c) : strlen(c);
    char *paragraph = ct_strprintf("%.*s", (int)length, c);
    putchar('\n');
    if (paragraph) print_plainly(paragraph);
    ct_free(paragraph);
    c += length + (end ? 2 : 0);
  }
}

static void print_step(const gantry_lesson_step *step, size_t number) {
  printf("\n%zu. %s\n", number, step->title);
  print_paragraphs(NULL, step->text);
  if (step->formula) printf("\n      %s\n", step->formula);
  for (size_t i = 0; i < step->claim_count; i++) {
    putchar('\n');
    cli_print_wrapped(stdout, 3, step->claims[i].says);
    printf("      %s\n", step->claims[i].check);
  }
  if (step->question) print_paragraphs("Question", step->question);
  if (step->answer) print_paragraphs("Answer", step->answer);
}

static void print_lesson(const gantry_lesson *lesson) {
  printf("%s\n", lesson->title);
  if (lesson->summary) cli_print_wrapped(stdout, 0, lesson->summary);
  for (size_t i = 0; i < lesson->count; i++) print_step(&lesson->steps[i], i + 1);
}

/* Counts what does not hold in *failed. */
static bool check_step(const gantry_lesson_step *step, size_t number, bool quiet, int *failed, ct_job *job,
                       ct_error **error) {
  gantry_lesson_lab *lab = gantry_lesson_lab_new(error);
  bool good = lab != NULL;
  for (size_t i = 0; good && i < step->claim_count; i++) {
    const gantry_claim *claim = &step->claims[i];
    gantry_finding finding;
    char text[512];
    good = gantry_claim_check(claim, &step->state, lab, &finding, job, error);
    if (!good) {
      ct_error_prefix(error, "step %zu, claim %zu", number, i + 1);
    } else if (!finding.holds || !quiet) {
      printf("%zu.%zu %s: %s\n      %s\n", number, i + 1, finding.holds ? "holds" : "DOES NOT HOLD", claim->check,
             gantry_finding_text(claim, &finding, text, sizeof text));
      *failed += !finding.holds;
    }
  }
  gantry_lesson_lab_free(lab);
  return good;
}

static int check_lesson(const char *word, const gantry_lesson *lesson, bool quiet) {
  ct_error *error = NULL;
  int failed = 0;
  cli_watch *watch = cli_watch_begin(true, &error);
  if (!watch) return cli_failure(NULL, &error);
  bool good = true;
  printf("%s\n", lesson->title);
  for (size_t i = 0; good && i < lesson->count; i++)
    good = check_step(&lesson->steps[i], i + 1, quiet, &failed, cli_watch_job(watch), &error);
  cli_watch_end(watch);
  if (!good) return cli_failure(word, &error);
  if (failed) printf("%d claim%s not hold.\n", failed, failed == 1 ? " does" : "s do");
  return failed ? CLI_FAILED : CLI_DONE;
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value;
  int letter, status = CLI_DONE;
  bool check = false, quiet = false;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    check = check || letter == CHECK;
    quiet = quiet || letter == 'q';
  }
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc == optind) {
    list_lessons(stdout);
    return CLI_DONE;
  }
  for (int i = optind; i < argc; i++) {
    ct_error *error = NULL;
    gantry_lesson *lesson = open_lesson(argv[i], &error);
    if (!lesson) return cli_failure(argv[i], &error);
    if (check) {
      const int checked = check_lesson(argv[i], lesson, quiet);
      status = checked > status ? checked : status;
    } else {
      print_lesson(lesson);
    }
    gantry_lesson_free(lesson);
  }
  return status;
}

const cli_command cli_lesson = {
    "lesson",
    "[NUMBER | FILE]... [--check]",
    "Prints a lesson, of those that the program brings or from a file (docs/lessons.md); without one it lists them. "
    "--check measures what its steps claim; status 1 where a claim does not hold.",
    options,
    list_lessons,
    run,
};
