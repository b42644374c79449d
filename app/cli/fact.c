/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of facts on standard output. */
#include "app/cli/info.h"
#include "recon/base/shown.h"

#include <stdarg.h>
#include <stdio.h>

void cli_print_fact(const char *name, const char *format, ...) {
  char text[CT_SHOWN], shown[CT_SHOWN];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  printf("  %-12s %s\n", name, ct_shown(text, shown, sizeof shown));
}
