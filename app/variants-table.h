/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of variants as a table: its columns, in an order, as text, CSV and JSON. Knows no GLib. */
#ifndef GANTRY_VARIANTS_TABLE_H
#define GANTRY_VARIANTS_TABLE_H

#include "app/variants.h"

#include <stdio.h>

/* A column is a text or a number of a row; NaN where the row has none. */
typedef struct gantry_column {
  const char *key;   /* "relative_rmse" */
  const char *title; /* "rel. RMSE" */
  const char *unit;  /* "s", "" */
  const char *(*text)(const gantry_variant *row);
  double (*number)(const gantry_variant *row);
  int digits; /* significant ones, for people */
  bool aside; /* where there is little room it is left out: other columns or words tell as much */
} gantry_column;

const gantry_column *gantry_columns(size_t *count);
/* NULL: there is none. */
const gantry_column *gantry_column_find(const char *key);
/* A row's entry for people: empty where it has none. */
void gantry_column_entry(const gantry_column *column, const gantry_variant *row, char *text, size_t size);

/* order[count] of the rows: by a column, numbers from small to large and those without one last, texts by letters, or
 * the other way round; of equal ones the first comes first. Column NULL: as they are. */
void gantry_variants_order(const gantry_variants *variants, const gantry_column *column, bool descending,
                           size_t *order);

/* What the table is about, above it. */
typedef struct gantry_table_head {
  const char *scan, *reference, *frozen; /* NULL or empty: none */
} gantry_table_head;

/* For people, aligned; reasons of rows that failed below it. markdown: as a table of that. */
void gantry_variants_print(const gantry_variants *variants, const size_t *order, bool markdown, FILE *to);
/* New text (ct_free) of that, as markdown; NULL with CT_ERROR_MEMORY. */
char *gantry_variants_markdown(const gantry_variants *variants, const size_t *order, ct_error **error);
/* New text (ct_free). The head is lines that begin with '#', reasons a column; NULL with CT_ERROR_MEMORY. */
char *gantry_variants_csv(const gantry_variants *variants, const gantry_table_head *head, const size_t *order,
                          ct_error **error);
/* {"scan", "reference", "frozen", "axes": [keys], "rows": [{columns..., "state", "reason", "warnings": [texts], "plan":
 * {what differs from the defaults}}]}; null where there is no number. */
char *gantry_variants_json(const gantry_variants *variants, const gantry_table_head *head, const size_t *order,
                           ct_error **error);

#endif
