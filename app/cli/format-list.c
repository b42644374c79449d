/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of file formats for people: in help and in messages. */
#include "app/cli/cli.h"
#include "recon/io/io.h"

#include <string.h>

/* "scan, volume; writes scans, volumes" */
static void print_uses(FILE *to, const ct_format *format) {
  const bool scan = ct_format_can(format, CT_FORMAT_OPEN_SCAN), volume = ct_format_can(format, CT_FORMAT_READ_VOLUME);
  char written[128], line[256];
  snprintf(line, sizeof line, "Read as a %s%s%s. Written: %s.", scan ? "scan" : "", scan && volume ? " or a " : "",
           volume ? "volume" : "", ct_format_list_written(format, written, sizeof written)[0] ? written : "no");
  cli_print_wrapped(to, 10, line);
}

void cli_print_formats(FILE *to) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  fputs("\nFile formats:\n", to);
  for (size_t i = 0; i < count; i++) {
    fprintf(to, "  %s (%s)\n", formats[i]->title, formats[i]->extensions);
    if (formats[i]->notes) cli_print_wrapped(to, 10, formats[i]->notes);
    print_uses(to, formats[i]);
  }
}

void cli_print_volume_formats(FILE *to) {
  char list[256], line[320];
  snprintf(line, sizeof line, "Formats of volumes: %s.", ct_formats_list(CT_FORMAT_WRITE_VOLUME, list, sizeof list));
  fputc('\n', to);
  cli_print_wrapped(to, 0, line);
}

void cli_print_volume_format_ids(FILE *to) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  for (size_t i = 0; i < count; i++)
    if (ct_format_can(formats[i], CT_FORMAT_WRITE_VOLUME)) fprintf(to, " %s", formats[i]->id);
}
