/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli measure: regions, lines and angles as the command line writes them. */
#include "app/cli/measure.h"
#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *id, *numbers;
  size_t least, most; /* numbers */
} kinds[] = {
    [CLI_MARK_RECTANGLE] = {"rectangle", "X0,Y0,X1,Y1", 4, 4},
    [CLI_MARK_ELLIPSE] = {"ellipse", "X0,Y0,X1,Y1", 4, 4},
    [CLI_MARK_POLYGON] = {"polygon", "X,Y,X,Y,X,Y,...", 6, 20000},
    [CLI_MARK_LINE] = {"line", "X0,Y0,X1,Y1[,THICKNESS]", 4, 5},
    [CLI_MARK_ANGLE] = {"angle", "X,Y,XV,YV,X,Y", 6, 6},
};

const char *cli_mark_id(cli_mark_kind kind) {
  return kinds[kind].id;
}

bool cli_mark_is_region(const cli_mark *mark) {
  return mark->kind <= CLI_MARK_POLYGON;
}

/* Numbers between commas; *count is 0 where one is none. NULL where memory is short. */
static double *read_numbers(const char *text, size_t *count, ct_error **error) {
  size_t room = 1;
  for (const char *c = text; *c; c++) room += *c == ',';
  double *numbers = ct_alloc(room, sizeof *numbers, "the points", error);
  *count = 0;
  while (numbers) {
    char *end;
    numbers[*count] = strtod(text, &end);
    if (end == text || !isfinite(numbers[*count]) || (*end && *end != ',')) {
      *count = 0;
      break;
    }
    ++*count;
    if (!*end) break;
    text = end + 1;
  }
  return numbers;
}

static bool read_name(const cli_command *command, const char **text, size_t number, cli_mark *mark) {
  const char *equals = strchr(*text, '=');
  snprintf(mark->name, sizeof mark->name, "%zu", number);
  if (!equals) return true;
  const size_t length = (size_t)(equals - *text);
  if (length == 0 || length >= sizeof mark->name || memchr(*text, ',', length)) {
    cli_misuse(command, "--%s %s: a name has 1 to %d characters and no comma", cli_mark_id(mark->kind), *text,
               CLI_MARK_NAME - 1);
    return false;
  }
  snprintf(mark->name, sizeof mark->name, "%.*s", (int)length, *text);
  *text = equals + 1;
  return true;
}

bool cli_mark_read(const cli_command *command, cli_mark_kind kind, const char *text, size_t number, cli_mark *mark) {
  const char *whole = text;
  *mark = (cli_mark){.kind = kind, .length = NAN, .angle = NAN};
  if (!read_name(command, &text, number, mark)) return false;
  const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
  char *end = NULL;
  const bool middle = second && !strncmp(first + 1, "mid:", 4);
  if (second) mark->position = middle ? NAN : strtod(first + 1, &end);
  if (!second || (!middle && (end != second || end == first + 1 || !isfinite(mark->position)))) {
    cli_misuse(command, "--%s takes [NAME=]PLANE:POSITION:%s, for example a=axial:mid:%s, not \"%s\"", kinds[kind].id,
               kinds[kind].numbers, kind == CLI_MARK_ANGLE || kind == CLI_MARK_POLYGON ? "0,0,5,0,5,5" : "0,0,5,5",
               whole);
    return false;
  }
  if (!cli_read_plane(command, text, (size_t)(first - text), &mark->plane)) return false;
  size_t count;
  ct_error *error = NULL;
  double *numbers = read_numbers(second + 1, &count, &error);
  if (!numbers) {
    mark->starved = true;
    cli_failure(NULL, &error);
    return false;
  }
  const bool even = count % 2 == 0 || kind == CLI_MARK_LINE;
  if (count < kinds[kind].least || count > kinds[kind].most || !even) {
    cli_misuse(command, "--%s takes %s in mm behind PLANE:POSITION:, not \"%s\"", kinds[kind].id, kinds[kind].numbers,
               second + 1);
    ct_free(numbers);
    return false;
  }
  mark->thickness = kind == CLI_MARK_LINE && count == 5 ? numbers[4] : 0;
  mark->points = (double(*)[2])numbers;
  mark->count = count / 2;
  return true;
}
