/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: its parts, one after the other. */
#include "app/bench/iterative-private.h"
#include "app/bench/suites-private.h"

static const iter_part *const parts[] = {&iter_sizes, &iter_memory, &iter_projectors, &iter_methods, &iter_convergence,
                                         &iter_pace,  &iter_time,   &iter_pictures,   &iter_quality, &iter_pairs};
enum { PARTS = sizeof parts / sizeof *parts, NAMES = 512 };

static void add_problems(const iter_part *part, char names[NAMES]) {
  for (int n = 0; n < part->count; n++) bench_add_name(names, NAMES, part->problems[n].name);
}

void bench_print_iterative(FILE *to) {
  fputs("Parts of iterative, and their problems:\n", to);
  for (int i = 0; i < PARTS; i++) {
    char names[NAMES] = "";
    add_problems(parts[i], names);
    fprintf(to, "  %-13s%s\n", parts[i]->name, names);
  }
  fputs("\n", to);
}

static bool has_chosen(const bench *b, const iter_part *part) {
  for (int n = 0; n < part->count; n++)
    if (iter_chosen(b, part->problems + n)) return true;
  return false;
}

/* Refuses parts, and problems, that the chosen parts do not have. */
static bool check_choice(const bench *b, ct_error **error) {
  char known[NAMES] = "", problems[NAMES] = "";
  for (int i = 0; i < PARTS; i++) {
    bench_add_name(known, sizeof known, parts[i]->name);
    if (bench_listed(b->options.part, parts[i]->name)) add_problems(parts[i], problems);
  }
  bench_add_name(problems, sizeof problems, "all");
  if (b->options.pictures && !(bench_listed(b->options.part, iter_pictures.name) && has_chosen(b, &iter_pictures)))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "--pictures goes with the part %s and its problem %s.",
                        iter_pictures.name, iter_pictures.problems[0].name);
  return bench_check_list(b, "part", b->options.part, known, error) &&
         bench_check_list(b, b->options.part ? "problem in these parts" : "problem", b->options.problems, problems,
                          error);
}

bool bench_iterative(bench *b, ct_error **error) {
  bool good = check_choice(b, error);
  for (int i = 0; good && i < PARTS; i++)
    if (bench_listed(b->options.part, parts[i]->name) && has_chosen(b, parts[i]))
      good = ct_job_may_go_on(b->job, error) && parts[i]->run(b, error);
  return good;
}
