/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that tell what of a file is the scan, for the subcommands that open one: its description, the layout of
 * its pictures, and which datasets or files are projections, flats, darks and angles. */
#ifndef GANTRY_CLI_SOURCE_H
#define GANTRY_CLI_SOURCE_H

#include "app/cli/cli.h"

typedef struct cli_source {
  const char *description; /* as given; after cli_finish_source what the scan is opened with */
  ct_scan_told told;
  bool of_scan; /* something is told that only a scan has */
  char *text;   /* of what was told */
} cli_source;

enum { CLI_LAYOUT = 700, CLI_DATASET, CLI_FLATS, CLI_DARKS, CLI_ANGLES, CLI_LINKS };

/* Rows of an option table. */
#define CLI_SOURCE_OPTIONS                                                                                             \
  {'d', "description", "FILE",                                                                                         \
   "JSON scan description with what the file lacks; default: the one beside the scan, if any."},                       \
      {CLI_LAYOUT, "layout", "LAYOUT",                                                                                 \
       "What one picture of the file is: projections, or sinograms, whose rows are angles. One picture alone needs "   \
       "it. "                                                                                                          \
       "Default: projections, unless the file says otherwise."},                                                       \
      {CLI_DATASET, "dataset", "PATH", "The projections inside a file that holds several arrays; as FILE::PATH."},     \
      {CLI_FLATS, "flats", "FILE",                                                                                     \
       "Frames with beam and without object: a file, a folder, a pattern in quotes, FILE::DATASET, or ::DATASET of "   \
       "the "                                                                                                          \
       "scan's own file."},                                                                                            \
      {CLI_DARKS, "darks", "FILE", "Frames without beam, likewise."},                                                  \
      {CLI_ANGLES, "angles", "FILE",                                                                                   \
       "Angles in degrees, one a view: a text file, FILE::DATASET or ::DATASET (whose unit counts)."},                 \
      CLI_LINKS_OPTION

/* The row of commands that read volumes. */
#define CLI_LINKS_OPTION                                                                                               \
  {                                                                                                                    \
    CLI_LINKS, "links", "WHERE",                                                                                       \
        "Where files may lie that an HDF5 file takes its values from: folder (its own, and those in it), or "          \
        "anywhere. Default: folder."                                                                                   \
  }

/* The value of CLI_LINKS_OPTION; false after a message. */
bool cli_take_links(const cli_command *command, const char *value, bool *anywhere);
/* For cli_check_apart: the description of a volume that is read so, NULL where nothing is allowed. */
const char *cli_links_description(bool anywhere);
/* Whether volumes that the command reads beside the scan may lead anywhere. */
bool cli_source_leads_anywhere(const cli_source *source);

/* Takes an option's value if it is one of the above; *good is false after a message when it cannot be. */
bool cli_take_source(const cli_command *command, int letter, const char *value, cli_source *source, bool *good);
/* After the last option: source->description is what `scan` is opened with. False with an error. */
bool cli_finish_source(cli_source *source, const char *scan, ct_error **error);
void cli_clear_source(cli_source *source);

#endif
