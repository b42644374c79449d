/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An analysis of errors as comma-separated values. */
#include "app/analysis-table.h"

#include "recon/base/text-stream.h"
#include "recon/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void put_number(FILE *to, double value) {
  if (isnan(value))
    fputc(',', to);
  else
    fprintf(to, ",%.9g", value);
}

static void put_bins(FILE *to, const char *table, double low, double high, size_t count) {
  fputs(table, to);
  put_number(to, low);
  put_number(to, high);
  fprintf(to, ",%zu,,,,\n", count);
}

static void put_errors(FILE *to, const ct_analysis *a) {
  for (int i = 0; i < CT_ANALYSIS_BINS; i++)
    put_bins(to, "error", a->range * (2.0 * i / CT_ANALYSIS_BINS - 1),
             a->range * (2.0 * (i + 1) / CT_ANALYSIS_BINS - 1), a->bins[i]);
  put_bins(to, "absolute", 0, a->log_edges[0], a->smaller);
  for (int i = 0; i < CT_ANALYSIS_LOG_BINS; i++)
    put_bins(to, "absolute", a->log_edges[i], a->log_edges[i + 1], a->log_bins[i]);
}

static void put_values(FILE *to, const ct_analysis *a) {
  const double width = (a->value_high - a->value_low) / CT_ANALYSIS_VALUES;
  for (int i = 0; i < CT_ANALYSIS_VALUES; i++) {
    fputs("value", to);
    put_number(to, a->value_low + i * width);
    put_number(to, a->value_low + (i + 1) * width);
    fprintf(to, ",%zu", a->values[i].count);
    put_number(to, a->values[i].mean);
    put_number(to, a->values[i].deviation);
    fputs(",,\n", to);
  }
}

static void put_slices(FILE *to, const ct_analysis *a) {
  for (int i = 0; i < a->slice_count; i++) {
    fprintf(to, "slice,%d,%d,,,", a->first_slice + i, a->first_slice + i + 1);
    put_number(to, a->slices[i].rmse);
    put_number(to, a->slices[i].ssim);
    fputc('\n', to);
  }
}

char *gantry_analysis_table(const ct_analysis *analysis, ct_error **error) {
  char *text = NULL, *copy = NULL;
  size_t size = 0;
  FILE *to = ct_text_stream(&text, &size);
  if (to) {
    fputs("table,low,high,count,mean,deviation,rmse,ssim\n", to);
    put_errors(to, analysis);
    put_values(to, analysis);
    put_slices(to, analysis);
    if (fclose(to) == 0) copy = ct_strdup(text, error);
  }
  free(text);
  if (!copy && error && !*error) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the table.");
  return copy;
}
