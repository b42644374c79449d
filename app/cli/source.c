/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line tells about a scan. */
#include "app/cli/source.h"

#include "recon/base/memory.h"

#include <string.h>

static bool take_layout(const cli_command *command, const char *value, const char **layout) {
  *layout = value;
  const ct_choice *choice = ct_choice_find_id(ct_layout_choices, value);
  if (choice && choice->value != CT_LAYOUT_UNKNOWN) return true;
  cli_misuse(command, "--layout must be projections or sinograms, not \"%s\"", value);
  return false;
}

bool cli_take_links(const cli_command *command, const char *value, bool *anywhere) {
  *anywhere = strcmp(value, "anywhere") == 0;
  if (*anywhere || strcmp(value, "folder") == 0) return true;
  cli_misuse(command, "--links must be folder or anywhere, not \"%s\"", value);
  return false;
}

const char *cli_links_description(bool anywhere) {
  return anywhere ? "{\"links\": \"anywhere\"}" : NULL;
}

bool cli_source_leads_anywhere(const cli_source *source) {
  return source->told.links && strcmp(source->told.links, "anywhere") == 0;
}

bool cli_take_source(const cli_command *command, int letter, const char *value, cli_source *source, bool *good) {
  ct_scan_told *told = &source->told;
  bool anywhere;
  switch (letter) {
  case 'd':
    source->description = value;
    return true;
  case CLI_LAYOUT:
    *good = take_layout(command, value, &told->layout);
    return true;
  case CLI_DATASET:
    told->dataset = value;
    return true;
  case CLI_FLATS:
    told->flats = value;
    return true;
  case CLI_DARKS:
    told->darks = value;
    return true;
  case CLI_ANGLES:
    told->angles = value;
    return true;
  case CLI_LINKS:
    told->links = value;
    *good = cli_take_links(command, value, &anywhere);
    return true;
  }
  return false;
}

bool cli_finish_source(cli_source *source, const char *scan, ct_error **error) {
  const ct_scan_told *told = &source->told;
  source->of_scan = source->description || told->layout || told->dataset || told->flats || told->darks || told->angles;
  if (!told->layout && !told->dataset && !told->flats && !told->darks && !told->angles && !told->links) return true;
  if (strcmp(scan, "example") == 0)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The built-in example is a scan as it stands: nothing can be told.");
  if (!(source->text = ct_scan_tell(scan, source->description, told, error))) return false;
  source->description = source->text;
  return true;
}

void cli_clear_source(cli_source *source) {
  ct_free(source->text);
  source->text = NULL;
}
