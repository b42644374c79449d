/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli: the table of subcommands. */
#include "app/cli/cli.h"
#include "recon/simd/level.h"

#include <string.h>

static const cli_command *const commands[] = {
    &cli_info,    &cli_simulate,    &cli_reconstruct,      &cli_batch_command, &cli_slice,
    &cli_compare, &cli_measure,     &cli_kernels,          &cli_methods,       &cli_matrix_command,
    &cli_bench,   &cli_tune,        &cli_variants_command, &cli_figures,       &cli_theorem,
    &cli_lesson,  &cli_plan_command};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_overview(FILE *to) {
  fputs("gantry-cli " GANTRY_VERSION ": tomographic reconstruction without a display\n\n", to);
  for (int i = 0; i < COMMANDS; i++) {
    fprintf(to, "  gantry-cli %s %s\n", commands[i]->name, commands[i]->arguments);
    cli_print_wrapped(to, 6, commands[i]->summary);
  }
  fputc('\n', to);
  cli_print_wrapped(
      to, 0,
      "Each takes --help. The environment variable GANTRY_CPU (baseline, v3, v4 or v4-vnni) keeps to the instructions "
      "of that level; GANTRY_SANDBOX=off tries out HDF5 and MATLAB files without a sandbox. Of an option given twice "
      "the "
      "last one counts, unless it may be repeated. Exit status: 0 done, 1 the run failed or was interrupted, 2 wrong "
      "usage.");
}

static int run(const cli_command *command, int argc, char **argv) {
  /* A shell's variable that was not set, mostly. */
  for (int n = 1; n < argc; n++)
    if (!*argv[n]) return cli_misuse(command, "word %d behind it is empty", n);
  return cli_flush(command->run(command, argc, argv));
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_overview(stderr);
    return CLI_MISUSED;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    print_overview(stdout);
    return cli_flush(CLI_DONE);
  }
  if (!strcmp(argv[1], "--version")) {
    puts("gantry-cli " GANTRY_VERSION);
    return cli_flush(CLI_DONE);
  }
  ct_error *error = NULL;
  if (!ct_simd_check_environment(&error)) {
    fprintf(stderr, "gantry-cli: %s\n", error->message);
    ct_error_clear(&error);
    return CLI_MISUSED;
  }
  for (int i = 0; i < COMMANDS; i++)
    if (!strcmp(argv[1], commands[i]->name)) return run(commands[i], argc - 1, argv + 1);
  fprintf(stderr, "gantry-cli: there is no subcommand \"%s\"; see gantry-cli --help\n", argv[1]);
  return CLI_MISUSED;
}
