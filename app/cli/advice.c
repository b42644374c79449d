/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line has for what a message asks for. The engine's messages speak of scan descriptions and of what
 * is wrong, for they are shown in the window as well, which has buttons instead. */
#include "app/cli/cli.h"

#include <string.h>

static const struct {
  const char *asked, *option;
} rows[] = {
    {"\"layout\" in a scan description", "Here: --layout sinograms or --layout projections."},
    {"\"dataset\" in a scan description", "Here: --dataset PATH; gantry-cli info --datasets FILE lists them."},
    {"\"angles_deg\" in a scan description", "Here: --angles FILE."},
    {"slab columns", "Here: --grid VIEWSxSLABS."},
    {"There is no kernel", "gantry-cli kernels lists them."},
};

static const char elsewhere[] =
    "Allow it with --links anywhere, or for a scan by \"links\": \"anywhere\" in a description that you name.";

const char *cli_advice(const char *message, bool leads_elsewhere) {
  if (leads_elsewhere) return elsewhere;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strstr(message, rows[i].asked)) return rows[i].option;
  return NULL;
}
