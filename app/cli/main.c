/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli: finds the subcommand. */
#include "app/brief-wait.h"
#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "recon/base/output.h"
#include "recon/exchange/exchange.h"
#include "recon/simd/level.h"

#include <string.h>

static void print_command(const cli_command *command, FILE *to) {
  fprintf(to, "  gantry-cli %s %s\n", command->name, command->arguments);
  cli_print_wrapped(to, 6, command->summary);
}

static void print_overview(FILE *to) {
  fputs("gantry-cli " GANTRY_VERSION ": tomographic reconstruction without a display\n\n", to);
  for (int i = 0; cli_commands[i]; i++) {
    print_command(cli_commands[i], to);
    if (cli_commands[i] == &cli_bench) print_command(&cli_bench_papers, to);
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
  ct_output_refuse_doubtful(true);
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
    const char *mpi = ct_exchange_mpi(); /* the window asks so (app/launch.h) */
    if (mpi)
      printf("with MPI (%s)\n", mpi);
    else
      puts("without MPI");
    return cli_flush(CLI_DONE);
  }
  gantry_wait_briefly(argv);
  ct_output_outlive_size_limit();
  ct_error *error = NULL;
  if (!ct_simd_check_environment(&error)) {
    fprintf(stderr, "gantry-cli: %s\n", error->message);
    ct_error_clear(&error);
    return CLI_MISUSED;
  }
  /* It runs the others, so that it stands above their table. */
  if (argc > 2 && !strcmp(argv[1], "bench") && !strcmp(argv[2], "papers"))
    return run(&cli_bench_papers, argc - 2, argv + 2);
  const cli_command *command = cli_find_command(argv[1]);
  if (command) return run(command, argc - 1, argv + 1);
  fprintf(stderr, "gantry-cli: there is no subcommand \"%s\"; see gantry-cli --help\n", argv[1]);
  return CLI_MISUSED;
}
