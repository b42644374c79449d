/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one line that matters of a command's results: of a benchmark's rows the fastest, of other rows their last one's
 * numbers, of a lesson its claims, else the last line that was printed. */
#include "app/cli/papers.h"
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/base/units.h"

#include <string.h>
#include <sys/stat.h>

enum { LONGEST = 160, LIST = 40 };

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static double number_of(const json_t *row, const char *key) {
  return json_number_value(json_object_get(row, key));
}

/* The fastest row, of those of the voxel loop only where there are no others; NULL: no row has a rate. */
static const json_t *find_fastest(const json_t *rows) {
  const json_t *best = NULL;
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i);
    if (number_of(row, "gups") <= 0) continue;
    const bool loop = !strcmp(text_of(row, "kernel"), "voxel-loop");
    const bool best_is_loop = best && !strcmp(text_of(best, "kernel"), "voxel-loop");
    if (!best || (best_is_loop && !loop) || (best_is_loop == loop && number_of(row, "gups") > number_of(best, "gups")))
      best = row;
  }
  return best;
}

/* BEFORE number AFTER, behind the text; nothing where the row has no such number. */
static void put_number(const json_t *row, const char *key, const char *const around[2], char *text, size_t size) {
  const size_t used = strlen(text);
  char number[32];
  if (!json_is_number(json_object_get(row, key))) return;
  ct_format_number(number_of(row, key), 3, number, sizeof number);
  snprintf(text + used, size - used, "%s%s%s", around[0], number, around[1]);
}

static char *tell_fastest(const json_t *row, size_t count) {
  static const char *const forms[][3] = {{"gups", "", " GUPS"},
                                         {"card_gups", " (card alone ", ")"},
                                         {"speedup", ", ", " x"},
                                         {"rel_rmse", ", rel. RMSE ", ""},
                                         {"rmse_hu", ", RMSE ", " HU"}};
  char numbers[256] = "";
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    put_number(row, forms[i][0], forms[i] + 1, numbers, sizeof numbers);
  return ct_strprintf("%s%s on %s: %s", count > 1 ? "fastest: " : "", text_of(row, "kernel"), text_of(row, "problem"),
                      numbers);
}

/* Of rows without a rate: what the last one is, and its numbers that say most. */
static char *tell_last(const json_t *row, size_t count) {
  static const char *const forms[][3] = {{"iteration", ", iteration ", ""},
                                         {"rmse", ", RMSE ", ""},
                                         {"ssim", ", SSIM ", ""},
                                         {"adjoint", ", adjoint ", ""},
                                         {"forward_ms", ", forward ", " ms"},
                                         {"back_ms", ", back ", " ms"},
                                         {"iteration_ms", ", ", " ms an iteration"},
                                         {"ratio", ", CSR over SCSR ", ""},
                                         {"prepare_seconds", ", prepared in ", " s"},
                                         {"bytes", ", ", " bytes"},
                                         {"seconds", ", ", " s"}};
  char what[256], numbers[512] = "";
  snprintf(what, sizeof what, "%s", text_of(row, "problem"));
  const char *const names[] = {"part", "method", "projector", "kernel"};
  for (int i = 0; i < 4; i++) {
    const size_t used = strlen(what);
    if (*text_of(row, names[i]))
      snprintf(what + used, sizeof what - used, "%s%s", used ? ", " : "", text_of(row, names[i]));
  }
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    put_number(row, forms[i][0], forms[i] + 1, numbers, sizeof numbers);
  return ct_strprintf("%zu row%s; %s%s%s", count, count == 1 ? "" : "s", count > 1 ? "the last: " : "", what, numbers);
}

/* Of the JSON that the command wrote; NULL: it wrote none, or one without rows. */
static char *tell_rows(const papers_command *command) {
  enum { MOST_BYTES = 64 << 20 };
  json_t *root = NULL;
  for (int i = 0; i < command->output_count && !root; i++)
    if (ct_path_has_extension(command->outputs[i], "json")) {
      char *text = ct_read_text(command->outputs[i], MOST_BYTES, NULL, NULL);
      root = text ? ct_json_read(text, 0, NULL, NULL) : NULL;
      ct_free(text);
    }
  const json_t *rows = json_object_get(root, "rows");
  const size_t count = json_array_size(rows);
  const json_t *fastest = find_fastest(rows);
  char *text = NULL;
  if (count > 0) text = fastest ? tell_fastest(fastest, count) : tell_last(json_array_get(rows, count - 1), count);
  json_decref(root);
  return text;
}

static char *tell_claims(const char *printed) {
  int count = 0;
  for (const char *at = printed; (at = strstr(at, " holds: ")); at++) count++;
  return count ? ct_strprintf("%d claim%s measured, all hold", count, count == 1 ? "" : "s") : NULL;
}

/* Runs of blanks become one, and what is too long is cut. */
static char *squeeze(const char *line, size_t length) {
  char text[LONGEST + 8] = "";
  size_t used = 0;
  for (size_t i = 0; i < length && used < LONGEST; i++)
    if (line[i] != ' ' || (used > 0 && text[used - 1] != ' ')) text[used++] = line[i];
  snprintf(text + used, sizeof text - used, "%s", used == LONGEST ? " ..." : "");
  return ct_strdup(text, NULL);
}

/* The last line that says something; of a long list its length. */
static char *tell_text(const char *printed) {
  const char *best = NULL;
  size_t length = 0, count = 0;
  for (const char *line = printed; *line; count++) {
    const size_t all = strcspn(line, "\n");
    if (strspn(line, " |-") < all) {
      best = line;
      length = all;
    }
    line += all + (line[all] == '\n');
  }
  if (count > LIST) return ct_strprintf("printed, %zu lines", count);
  return best ? squeeze(best, length) : NULL;
}

/* "written, 1.1 MB" */
static char *tell_output(const papers_command *command) {
  struct stat facts;
  char size[32];
  if (!command->output_count || stat(command->outputs[0], &facts) != 0) return ct_strdup("done", NULL);
  return ct_strprintf("written, %s", ct_format_bytes((double)facts.st_size, size, sizeof size));
}

char *papers_headline(const papers_command *command, const char *printed, ct_error **error) {
  char *text = tell_rows(command);
  if (!text && !strcmp(command->words[0], "lesson")) text = tell_claims(printed);
  if (!text) text = tell_text(printed);
  if (!text) text = tell_output(command);
  if (!text) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a result.");
  return text;
}
