/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli batch: the rows that the words of the command line stand for. */
#include "app/cli/batch.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/base/untold.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_LIST = 1 << 26 };

static const char blanks[] = " \t\r\n";

void cli_batch_clear(cli_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    cli_batch_row *row = &batch->rows[i];
    char *const texts[] = {row->scan, row->plan_file, row->description, row->output, row->origin, row->reason};
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) ct_free(texts[n]);
    ct_identity_clear(&row->asked.plan_input);
  }
  ct_free(batch->rows);
  *batch = (cli_batch){0};
}

/* What a batch has for it: a description may be another one for each scan, so that there is no option. */
static const char elsewhere[] = "Allow it by \"links\": \"anywhere\" in a description that a list names, by "
                                "description=FILE behind the scan.";

void cli_batch_fail(cli_batch_row *row, ct_error **error) {
  const bool leads_elsewhere = (*error)->code == CT_ERROR_ELSEWHERE;
  row->state = (*error)->code == CT_ERROR_CANCELLED ? CLI_BATCH_INTERRUPTED : CLI_BATCH_FAILED;
  ct_free(row->reason);
  row->reason = NULL;
  if (row->state == CLI_BATCH_FAILED)
    row->reason =
        leads_elsewhere ? ct_strprintf("%s %s", (*error)->message, elsewhere) : ct_strdup((*error)->message, NULL);
  ct_error_clear(error);
  ct_untold_forget(); /* the row tells it, and the others go on */
}

static cli_batch_row *new_row(cli_batch *batch, ct_error **error) {
  if (batch->count == batch->room) {
    const size_t more = batch->room ? 2 * batch->room : 8;
    cli_batch_row *rows = ct_alloc(more, sizeof *rows, "the rows", error);
    if (!rows) return NULL;
    if (batch->count) memcpy(rows, batch->rows, batch->count * sizeof *rows);
    ct_free(batch->rows);
    batch->rows = rows;
    batch->room = more;
  }
  cli_batch_row *row = &batch->rows[batch->count++];
  *row = (cli_batch_row){.asked = cli_no_reconstruction(), .seconds = NAN, .bytes = NAN};
  return row;
}

static bool add_scan(cli_batch *batch, const char *path, ct_error **error) {
  cli_batch_row *row = new_row(batch, error);
  return row && (row->scan = ct_strdup(path, error));
}

/* A relative path that a plan tells is meant from where it was saved, or from the plan's folder on. */
static char *find_scan(const char *told, const char *plan, ct_error **error) {
  if (ct_scan_is_there(told)) return ct_strdup(told, error);
  char *folder = ct_path_folder(plan, error), *beside = folder ? ct_path_join(folder, told, error) : NULL;
  ct_free(folder);
  if (!beside || ct_scan_is_there(beside)) return beside;
  ct_free(beside);
  return ct_strdup(told, error);
}

/* A plan that cannot be used is a row all the same: the others are run. */
static bool add_plan(cli_batch *batch, const char *path, ct_error **error) {
  ct_plan plan;
  ct_identity input = {0};
  ct_error *fault = NULL;
  cli_batch_row *row = new_row(batch, error);
  bool good = row && (row->plan_file = ct_strdup(path, error));
  if (!good) return false;
  if (cli_load_plan(path, &plan, &input, &fault) && !input.path)
    ct_error_set(&fault, CT_ERROR_DATA, "%s does not tell which scan it was used on: name that in a list.", path);
  if (fault)
    cli_batch_fail(row, &fault);
  else
    good = (row->scan = find_scan(input.path, path, error)) != NULL;
  ct_identity_clear(&input);
  return good;
}

/* The next word of a line, cut out of it; "..." may hold blanks, anywhere in a word. NULL at the end or a comment. */
static char *next_word(char **line, bool *open) {
  char *from = *line + strspn(*line, blanks), *to = from, *word = from;
  *open = false;
  if (!*from || *from == '#') return NULL;
  for (; *from && (*open || !strchr(blanks, *from)); from++)
    if (*from == '"')
      *open = !*open;
    else
      *to++ = *from;
  *line = *from ? from + 1 : from;
  *to = 0;
  return word;
}

/* A path of a list, from the list's folder on. */
static char *place(const char *folder, const char *path, ct_error **error) {
  return strcmp(folder, ".") ? ct_path_join(folder, path, error) : ct_strdup(path, error);
}

/* KEY=FILE of a line. */
static bool take_word(cli_batch_row *row, const char *word, const char *folder, ct_error **error) {
  const struct {
    const char *key;
    char **value;
  } keys[] = {{"plan=", &row->plan_file}, {"output=", &row->output}, {"description=", &row->description}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const size_t length = strlen(keys[i].key);
    if (strncmp(word, keys[i].key, length) != 0 || !word[length]) continue;
    ct_free(*keys[i].value);
    return (*keys[i].value = place(folder, word + length, error)) != NULL;
  }
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "behind a scan come plan=FILE, output=FILE and description=FILE, not \"%s\"; a name with blanks "
                      "is written in \"...\"",
                      word);
}

static bool add_line(cli_batch *batch, char *line, const char *folder, ct_error **error) {
  bool open;
  char *word = next_word(&line, &open);
  if (!word) return true;
  cli_batch_row *row = new_row(batch, error);
  if (!row) return false;
  row->scan = place(strcmp(word, "example") ? folder : ".", word, error);
  bool good = row->scan;
  while (good && !open && (word = next_word(&line, &open))) good = take_word(row, word, folder, error);
  return good && (!open || ct_error_set(error, CT_ERROR_ARGUMENT, "a \" has no second one"));
}

static bool add_list(cli_batch *batch, const char *path, ct_error **error) {
  char *text = ct_read_text(path, LARGEST_LIST, NULL, error), *next = text;
  char *folder = text ? ct_path_folder(path, error) : NULL;
  bool good = folder;
  for (int number = 1; good && next; number++) {
    const size_t before = batch->count;
    char *line = strsep(&next, "\n");
    good = add_line(batch, line, folder, error);
    if (!good)
      ct_error_prefix(error, "%s, line %d", path, number);
    else if (batch->count > before)
      good = (batch->rows[before].origin = ct_strprintf("%s, line %d", path, number)) != NULL;
  }
  ct_free(text);
  ct_free(folder);
  return good;
}

static bool add_folder(cli_batch *batch, const char *path, ct_error **error) {
  char **paths;
  size_t count;
  bool good = ct_folder_list_scans(path, &paths, &count, error);
  if (!good) return false;
  for (size_t i = 0; i < count; i++) {
    good = good && add_scan(batch, paths[i], error);
    ct_free(paths[i]);
  }
  ct_free(paths);
  return good;
}

static bool add_path(cli_batch *batch, const char *path, ct_error **error) {
  if (ct_path_is_folder(path)) return add_folder(batch, path, error);
  if (ct_path_has_extension(path, "txt list")) return add_list(batch, path, error);
  if (ct_path_has_extension(path, "json") && ct_plan_is_file(path)) return add_plan(batch, path, error);
  return add_scan(batch, path, error);
}

bool cli_batch_add(cli_batch *batch, const char *operand, ct_error **error) {
  glob_t found;
  const size_t before = batch->count;
  if (ct_path_exists(operand) || !strpbrk(operand, "*?[")) {
    if (!add_path(batch, operand, error)) return false;
  } else {
    const int failed = glob(operand, 0, NULL, &found);
    if (failed) return ct_error_set(error, CT_ERROR_IO, "No file fits %s", operand);
    bool good = true;
    for (size_t i = 0; i < found.gl_pathc && good; i++) good = add_path(batch, found.gl_pathv[i], error);
    globfree(&found);
    if (!good) return false;
  }
  return batch->count > before || ct_error_set(error, CT_ERROR_DATA, "%s names no scan", operand);
}
