/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `gantry-cli measure` was asked for, and what it found. */
#ifndef GANTRY_CLI_MEASURE_H
#define GANTRY_CLI_MEASURE_H

#include "app/cli/cli.h"
#include "recon/base/units.h"
#include "recon/metric/line.h"
#include "recon/metric/region.h"

enum { CLI_MARK_NAME = 64 };

typedef enum { CLI_MARK_RECTANGLE, CLI_MARK_ELLIPSE, CLI_MARK_POLYGON, CLI_MARK_LINE, CLI_MARK_ANGLE } cli_mark_kind;

/* One thing to measure on a slice, with its numbers. */
typedef struct cli_mark {
  cli_mark_kind kind;
  char name[CLI_MARK_NAME]; /* its number where none was given */
  ct_plane plane;
  double position;     /* mm; NaN: the middle slice, until it is measured */
  int index;           /* of the slice, once measured */
  double (*points)[2]; /* owned */
  bool starved;        /* there was no memory for its points */
  size_t count;
  double thickness; /* of a line, mm */
  ct_region_numbers region;
  ct_line_profile profile; /* owned */
  ct_line_widths widths;
  double length, angle; /* mm, degrees */
} cli_mark;

typedef struct cli_contrast {
  const cli_mark *a, *b;
  double value;
} cli_contrast;

typedef struct cli_measured {
  const char *path;
  cli_mark *marks;
  size_t mark_count;
  cli_contrast *contrasts;
  size_t contrast_count;
  ct_named_scale told;  /* by the file */
  ct_value_scale scale; /* of the values below: from those of the file */
  ct_units units;
  char unit[32]; /* of values; "" on a scale without one */
} cli_measured;

const char *cli_mark_id(cli_mark_kind kind); /* "rectangle" */
bool cli_mark_is_region(const cli_mark *mark);
/* "[NAME=]PLANE:POSITION:X,Y,X,Y..." for a mark of a kind, whose points it then owns; false with the message printed.
 */
bool cli_mark_read(const cli_command *command, cli_mark_kind kind, const char *text, size_t number, cli_mark *mark);

void cli_print_measured(const cli_measured *m);
void cli_print_measured_csv(const cli_measured *m);
bool cli_print_measured_json(const cli_measured *m, ct_error **error);

#endif
