/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of variants as a table. */
#include "app/variants-table.h"

#include "app/json.h"
#include "recon/base/text-stream.h"
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/bp/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const gantry_variant *row) {
  return row->name;
}
static const char *kernel_of(const gantry_variant *row) {
  return row->kernel;
}
static const char *precision_of(const gantry_variant *row) {
  return ct_choice_id(ct_precision_choices, row->plan.precision);
}
static const char *state_of(const gantry_variant *row) {
  return row->state == GANTRY_VARIANT_DONE ? "done" : row->state == GANTRY_VARIANT_FAILED ? "failed" : "not run";
}
static double done_or_nan(const gantry_variant *row, double value) {
  return row->state == GANTRY_VARIANT_DONE ? value : NAN;
}
static double seconds_of(const gantry_variant *row) {
  return done_or_nan(row, row->seconds);
}
static double backprojection_of(const gantry_variant *row) {
  return done_or_nan(row, row->backprojection);
}
static double gups_of(const gantry_variant *row) {
  return done_or_nan(row, row->gups);
}
static double compared_or_nan(const gantry_variant *row, double value) {
  return row->state == GANTRY_VARIANT_DONE && row->compared ? value : NAN;
}
static double rmse_of(const gantry_variant *row) {
  return compared_or_nan(row, row->metrics.rmse);
}
static double relative_of(const gantry_variant *row) {
  return compared_or_nan(row, row->metrics.relative_rmse);
}
static double largest_of(const gantry_variant *row) {
  return compared_or_nan(row, row->metrics.max_abs);
}
static double ssim_of(const gantry_variant *row) {
  return compared_or_nan(row, row->metrics.ssim);
}
static double psnr_of(const gantry_variant *row) {
  return compared_or_nan(row, row->metrics.psnr);
}
static double warnings_of(const gantry_variant *row) {
  return done_or_nan(row, row->warnings.count);
}

static const gantry_column columns[] = {
    {"name", "variant", "", name_of, NULL, 0, false},
    {"kernel", "kernel", "", kernel_of, NULL, 0, false},
    {"precision", "precision", "", precision_of, NULL, 0, true},
    {"state", "state", "", state_of, NULL, 0, true},
    {"seconds", "whole", "s", NULL, seconds_of, 3, false},
    {"backprojection", "back-projection", "s", NULL, backprojection_of, 3, true},
    {"gups", "GUPS", "", NULL, gups_of, 3, false},
    {"rmse", "RMSE", "", NULL, rmse_of, 3, false},
    {"relative_rmse", "rel. RMSE", "", NULL, relative_of, 3, false},
    {"max_abs", "largest error", "", NULL, largest_of, 3, true},
    {"ssim", "SSIM", "", NULL, ssim_of, 6, false},
    {"psnr", "PSNR", "dB", NULL, psnr_of, 4, false},
    {"warnings", "warnings", "", NULL, warnings_of, 3, true},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

const gantry_column *gantry_columns(size_t *count) {
  *count = COLUMNS;
  return columns;
}

const gantry_column *gantry_column_find(const char *key) {
  for (size_t i = 0; i < COLUMNS; i++)
    if (!strcmp(columns[i].key, key)) return &columns[i];
  return NULL;
}

void gantry_column_entry(const gantry_column *column, const gantry_variant *row, char *text, size_t size) {
  if (column->text) {
    snprintf(text, size, "%s", column->text(row));
    return;
  }
  const double value = column->number(row);
  if (isnan(value))
    *text = 0;
  else
    snprintf(text, size, "%.*g", column->digits, value);
}

/* Below, equal or above 0, as strcmp. */
static int compare_rows(const gantry_column *column, const gantry_variant *a, const gantry_variant *b,
                        bool descending) {
  if (column->text) return (descending ? -1 : 1) * strcmp(column->text(a), column->text(b));
  const double x = column->number(a), y = column->number(b);
  if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
  return (descending ? -1 : 1) * ((x > y) - (x < y));
}

void gantry_variants_order(const gantry_variants *variants, const gantry_column *column, bool descending,
                           size_t *order) {
  for (size_t i = 0; i < variants->count; i++) {
    size_t at = i;
    for (; column && at > 0 && compare_rows(column, &variants->rows[order[at - 1]], &variants->rows[i], descending) > 0;
         at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

/* Columns of a text in UTF-8. */
static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

static void title_of(const gantry_column *column, char *text, size_t size) {
  snprintf(text, size, *column->unit ? "%s, %s" : "%s", column->title, column->unit);
}

enum { ENTRY = 2 * CT_PLAN_NAME };

static int column_width(const gantry_variants *v, const gantry_column *column) {
  char text[ENTRY];
  title_of(column, text, sizeof text);
  int width = width_of(text);
  for (size_t i = 0; i < v->count; i++) {
    gantry_column_entry(column, &v->rows[i], text, sizeof text);
    if (width_of(text) > width) width = width_of(text);
  }
  return width;
}

static void print_cell(FILE *to, const char *text, int width, bool left, bool markdown, bool last) {
  const int pad = width - width_of(text);
  fprintf(to, "%s%*s%s%*s", markdown ? "| " : "", left ? 0 : pad, "", text, left && (markdown || !last) ? pad : 0, "");
  fputs(last ? (markdown ? " |\n" : "\n") : (markdown ? " " : "  "), to);
}

static void print_rule(FILE *to, const int *widths) {
  for (size_t c = 0; c < COLUMNS; c++) {
    fputs("|", to);
    for (int i = 0; i < widths[c] + 1; i++) fputc('-', to);
    fputs(columns[c].text ? "-" : ":", to);
  }
  fputs("|\n", to);
}

void gantry_variants_print(const gantry_variants *variants, const size_t *order, bool markdown, FILE *to) {
  int widths[COLUMNS];
  char text[ENTRY];
  for (size_t c = 0; c < COLUMNS; c++) {
    widths[c] = column_width(variants, &columns[c]);
    title_of(&columns[c], text, sizeof text);
  }
  for (size_t c = 0; c < COLUMNS; c++) {
    title_of(&columns[c], text, sizeof text);
    print_cell(to, text, widths[c], columns[c].text != NULL, markdown, c + 1 == COLUMNS);
  }
  if (markdown) print_rule(to, widths);
  for (size_t i = 0; i < variants->count; i++)
    for (size_t c = 0; c < COLUMNS; c++) {
      gantry_column_entry(&columns[c], &variants->rows[order[i]], text, sizeof text);
      print_cell(to, text, widths[c], columns[c].text != NULL, markdown, c + 1 == COLUMNS);
    }
  for (size_t i = 0; i < variants->count; i++) {
    const gantry_variant *row = &variants->rows[order[i]];
    if (row->reason) fprintf(to, "%s%s: %s\n", markdown ? "\n" : "", row->name, row->reason);
  }
}

/* In quotation marks, those within doubled. */
static void put_quoted(FILE *to, const char *text) {
  fputc('"', to);
  for (; *text; text++) {
    if (*text == '"') fputc('"', to);
    fputc(*text == '\n' ? ' ' : *text, to);
  }
  fputc('"', to);
}

static void put_comment(FILE *to, const char *title, const char *text) {
  if (text && *text) fprintf(to, "# %s: %.*s\n", title, (int)strcspn(text, "\n"), text);
}

static void put_row(FILE *to, const gantry_variant *row) {
  for (size_t c = 0; c < COLUMNS; c++) {
    if (columns[c].text)
      put_quoted(to, columns[c].text(row));
    else if (!isnan(columns[c].number(row)))
      fprintf(to, "%.9g", columns[c].number(row));
    fputc(',', to);
  }
  put_quoted(to, row->reason ? row->reason : "");
  fputc('\n', to);
}

/* Ends a stream in memory; its text, copied into memory of the project's own. */
static char *take_text(char *text, FILE *to, ct_error **error) {
  char *copy = to && fclose(to) == 0 ? ct_strdup(text, error) : NULL;
  free(text);
  if (!copy && error && !*error) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the table.");
  return copy;
}

char *gantry_variants_markdown(const gantry_variants *variants, const size_t *order, ct_error **error) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = ct_text_stream(&text, &size);
  if (to) gantry_variants_print(variants, order, true, to);
  return take_text(text, to, error);
}

char *gantry_variants_csv(const gantry_variants *variants, const gantry_table_head *head, const size_t *order,
                          ct_error **error) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = ct_text_stream(&text, &size);
  if (!to) return take_text(text, to, error);
  put_comment(to, "scan", head->scan);
  put_comment(to, "reference", head->reference);
  put_comment(to, "the same for all", head->frozen);
  for (size_t c = 0; c < COLUMNS; c++) fprintf(to, "%s,", columns[c].key);
  fputs("reason\n", to);
  for (size_t i = 0; i < variants->count; i++) put_row(to, &variants->rows[order[i]]);
  fflush(to);
  return take_text(text, to, error);
}

static json_t *plan_json(const ct_plan *plan) {
  size_t count;
  const ct_param *params = ct_params(&count);
  json_t *object = json_object();
  for (size_t i = 0; i < count; i++) {
    char text[2 * CT_PLAN_TEXT];
    if (!ct_param_is_default(plan, &params[i]) && ct_plan_get_text(plan, &params[i], text, sizeof text))
      json_object_set_new(object, params[i].key, gantry_json_text(text));
  }
  return object;
}

static json_t *row_json(const gantry_variant *row) {
  json_t *object = json_object(), *warnings = json_array();
  for (size_t c = 0; c < COLUMNS; c++)
    if (strcmp(columns[c].key, "warnings") != 0)
      json_object_set_new(object, columns[c].key,
                          columns[c].text ? gantry_json_text(columns[c].text(row))
                                          : gantry_json_real(columns[c].number(row)));
  for (int i = 0; i < row->warnings.count; i++)
    json_array_append_new(warnings, gantry_json_text(row->warnings.items[i].text));
  json_object_set_new(object, "resampled", json_boolean(row->resampled));
  json_object_set_new(object, "reason", gantry_json_text(row->reason));
  json_object_set_new(object, "warnings", warnings);
  json_object_set_new(object, "plan", plan_json(&row->plan));
  return object;
}

char *gantry_variants_json(const gantry_variants *variants, const gantry_table_head *head, const size_t *order,
                           ct_error **error) {
  json_t *root = json_object(), *rows = json_array(), *axes = json_array();
  for (size_t i = 0; i < variants->axis_count; i++)
    if (variants->axes[i].param) json_array_append_new(axes, json_string(variants->axes[i].param->key));
  for (size_t i = 0; i < variants->count; i++) json_array_append_new(rows, row_json(&variants->rows[order[i]]));
  json_object_set_new(root, "scan", gantry_json_text(head->scan));
  json_object_set_new(root, "reference", gantry_json_text(head->reference));
  json_object_set_new(root, "frozen", gantry_json_text(head->frozen));
  json_object_set_new(root, "axes", axes);
  json_object_set_new(root, "rows", rows);
  char *text = ct_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17)),
       *copy = text ? ct_strdup(text, error) : NULL;
  json_decref(root);
  free(text);
  if (!copy && error && !*error) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the table.");
  return copy;
}
