/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of facts on standard output. */
#include "app/cli/info.h"

#include <stdarg.h>
#include <stdio.h>

void cli_print_fact(const char *name, const char *format, ...) {
  va_list args;
  va_start(args, format);
  printf("  %-12s ", name);
  vprintf(format, args);
  putchar('\n');
  va_end(args);
}
