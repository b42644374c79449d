/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli batch: the table of what came of each row, for people and as JSON. */
#include "app/cli/batch.h"
#include "app/json.h"
#include "recon/base/json-text.h"
#include "recon/base/shown.h"
#include "recon/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *id, *title;
} states[CLI_BATCH_STATES] = {
    [CLI_BATCH_WAITING] = {"not begun", "not begun"},
    [CLI_BATCH_RUNNING] = {"running", "running"},
    [CLI_BATCH_READY] = {"ready", "ready"},
    [CLI_BATCH_DONE] = {"done", "done"},
    [CLI_BATCH_DOUBTFUL] = {"doubtful", "done, with warnings"},
    [CLI_BATCH_THERE] = {"there", "there already"},
    [CLI_BATCH_FAILED] = {"failed", "failed"},
    [CLI_BATCH_INTERRUPTED] = {"interrupted", "interrupted"},
};

size_t cli_batch_count(const cli_batch *batch, cli_batch_state state) {
  size_t count = 0;
  for (size_t i = 0; i < batch->count; i++) count += batch->rows[i].state == state;
  return count;
}

static const char *name_of(const cli_batch_row *row) {
  return row->scan ? row->scan : row->plan_file;
}

/* Characters, not bytes. */
static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

static void print_cell(const char *text, int width) {
  char shown[CT_SHOWN];
  ct_shown(text, shown, sizeof shown);
  printf("  %s%*s", shown, width - width_of(shown), "");
}

static void print_words(const cli_batch_row *row) {
  char bytes[32], output[CT_SHOWN];
  ct_shown(row->output, output, sizeof output);
  if (row->reason)
    printf("  %s", row->reason);
  else if (row->state == CLI_BATCH_READY && row->grid.nx)
    printf("  %s: %d x %d x %d voxels, %s of memory", output, row->grid.nx, row->grid.ny, row->grid.nz,
           ct_format_bytes(row->bytes, bytes, sizeof bytes));
  else if (row->state == CLI_BATCH_READY)
    printf("  %s: %s of memory; the size of the volume hangs on the data", output,
           ct_format_bytes(row->bytes, bytes, sizeof bytes));
  else
    printf("  %s", output);
  if (row->warnings.count) printf(" (%d warning%s)", row->warnings.count, row->warnings.count == 1 ? "" : "s");
}

static void print_total(const cli_batch *batch) {
  char time[32];
  bool any = false;
  printf("\n%zu in all: ", batch->count);
  for (int state = CLI_BATCH_STATES - 1; state >= 0; state--) {
    const size_t count = cli_batch_count(batch, (cli_batch_state)state);
    if (count) printf("%s%zu %s", any ? ", " : "", count, states[state].title);
    any = any || count;
  }
  printf("; %s\n", ct_format_duration(batch->seconds, time, sizeof time));
}

void cli_batch_print(const cli_batch *batch, bool dry) {
  int name = 4, state = 5;
  for (size_t i = 0; i < batch->count; i++) {
    const int a = width_of(name_of(&batch->rows[i])), b = width_of(states[batch->rows[i].state].title);
    name = a > name ? a : name;
    state = b > state ? b : state;
  }
  for (size_t i = 0; i < batch->count; i++) {
    const cli_batch_row *row = &batch->rows[i];
    char time[32] = "";
    printf("%3zu", i + 1);
    print_cell(name_of(row), name);
    print_cell(states[row->state].title, state);
    if (isfinite(row->seconds)) ct_format_duration(row->seconds, time, sizeof time);
    if (!dry) printf("  %8s", time);
    print_words(row);
    putchar('\n');
  }
  print_total(batch);
}

static json_t *text_or_null(const char *text) {
  return text ? gantry_json_text(text) : json_null();
}

static json_t *row_object(const cli_batch_row *row) {
  json_t *object = json_object(), *warnings = json_array();
  json_object_set_new(object, "scan", text_or_null(row->scan));
  json_object_set_new(object, "plan", text_or_null(row->asked.plan_file));
  json_object_set_new(object, "output", text_or_null(row->output));
  json_object_set_new(object, "state", json_string(states[row->state].id));
  json_object_set_new(object, "seconds", gantry_json_real(row->seconds));
  json_object_set_new(object, "bytes", gantry_json_real(row->bytes));
  if (row->grid.nx) gantry_json_add_grid(object, &row->grid);
  json_object_set_new(object, "reason", text_or_null(row->reason));
  for (int i = 0; i < row->warnings.count; i++)
    json_array_append_new(warnings, gantry_json_text(row->warnings.items[i].text));
  json_object_set_new(object, "warnings", warnings);
  return object;
}

bool cli_batch_print_json(const cli_batch *batch, bool dry, ct_error **error) {
  json_t *root = json_object(), *rows = json_array(), *counts = json_object();
  for (size_t i = 0; i < batch->count; i++) json_array_append_new(rows, row_object(&batch->rows[i]));
  for (int state = 0; state < CLI_BATCH_STATES; state++)
    json_object_set_new(counts, states[state].id,
                        json_integer((json_int_t)cli_batch_count(batch, (cli_batch_state)state)));
  json_object_set_new(root, "dry_run", json_boolean(dry));
  json_object_set_new(root, "seconds", gantry_json_real(batch->seconds));
  json_object_set_new(root, "counts", counts);
  json_object_set_new(root, "rows", rows);
  return gantry_json_print(root, error);
}

/* Events */

static void tell(json_t *object) {
  char *text = ct_json_text(object, JSON_COMPACT | JSON_REAL_PRECISION(6));
  if (text) puts(text);
  fflush(stdout);
  free(text);
  json_decref(object);
}

static json_t *numbered(const cli_batch *batch, size_t number) {
  json_t *object = row_object(&batch->rows[number - 1]);
  json_object_set_new(object, "row", json_integer((json_int_t)number));
  return object;
}

void cli_batch_tell_all(const cli_batch *batch) {
  json_t *rows = json_array();
  for (size_t i = 1; i <= batch->count; i++) json_array_append_new(rows, numbered(batch, i));
  tell(json_pack("{s:o}", "rows", rows));
}

void cli_batch_tell(const cli_batch *batch, size_t number) {
  tell(numbered(batch, number));
}

void cli_batch_tell_progress(size_t number, const ct_progress *progress) {
  json_t *object = json_pack("{s:I, s:s, s:I, s:I, s:i, s:i}", "row", (json_int_t)number, "stage",
                             ct_stage_title(progress->stage), "done", (json_int_t)progress->done, "total",
                             (json_int_t)progress->total, "part", progress->part, "parts", progress->parts);
  json_object_set_new(object, "remaining", gantry_json_real(progress->remaining));
  tell(object);
}
