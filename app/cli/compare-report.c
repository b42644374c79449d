/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli compare: the numbers as words and as JSON. */
#include "app/cli/cli.h"
#include "app/cli/compare.h"
#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"

#include <math.h>
#include <string.h>

void cli_compared_clear(cli_compared *found) {
  ct_analysis_free(found->analysis);
  ct_free(found->asked);
  ct_free(found->automatic);
  *found = (cli_compared){0};
}

static void print_metrics(const ct_metrics *m, const char *unit) {
  char a[64], b[64];
  printf("RMSE        %s, %s of B's root mean square\n", ct_format_quantity(m->rmse, 5, unit, a, sizeof a),
         ct_format_quantity(100 * m->relative_rmse, 4, "%", b, sizeof b));
  printf("largest     %s at voxel %d, %d, %d\n", ct_format_quantity(m->max_abs, 5, unit, a, sizeof a), m->max_at[0],
         m->max_at[1], m->max_at[2]);
  printf("PSNR        %s\n", ct_format_quantity(m->psnr, 5, "dB", a, sizeof a));
  printf("SSIM        %s\n", ct_format_number(m->ssim, 6, a, sizeof a));
  printf("Pearson r   %s\n", ct_format_number(m->pearson_r, 7, a, sizeof a));
  printf("A = %s B + %s\n", ct_format_number(m->slope, 6, a, sizeof a),
         ct_format_quantity(m->intercept, 4, unit, b, sizeof b));
  if (m->not_finite) printf("left out    %zu voxels that are not finite in A or B\n", m->not_finite);
}

static void print_hounsfield(const ct_rabbitct_metrics *m) {
  char a[64], b[64];
  printf("in HU       RMSE %s, PSNR %s (peak %d), largest %d HU; 0 to %d, rounded\n",
         ct_format_quantity(m->rmse, 5, "HU", a, sizeof a), ct_format_quantity(m->psnr, 5, "dB", b, sizeof b),
         CT_RABBITCT_PEAK, m->max_error, CT_RABBITCT_PEAK);
}

/* What is counted of values that are no usable numbers: key in JSON, and words. */
static const struct {
  const char *key, *words;
  size_t offset;
} counted[] = {
    {"nan", "NaN", offsetof(ct_value_counts, nans)},
    {"plus_infinity", "+Inf", offsetof(ct_value_counts, above)},
    {"minus_infinity", "-Inf", offsetof(ct_value_counts, below)},
    {"subnormal", "subnormal", offsetof(ct_value_counts, subnormal)},
    {"beyond_half", "beyond 65504", offsetof(ct_value_counts, beyond_half)},
    {"beyond_1e38", "beyond 1e38", offsetof(ct_value_counts, huge)},
    {"clipped", "clipped", offsetof(ct_value_counts, clipped)},
};
enum { COUNTED = sizeof counted / sizeof *counted };

static size_t count_at(const ct_value_counts *counts, int i) {
  size_t value;
  memcpy(&value, (const char *)counts + counted[i].offset, sizeof value);
  return value;
}

static void print_counts(const char *name, const ct_value_counts *counts) {
  bool any = false;
  for (int i = 0; i < COUNTED; i++) {
    if (!count_at(counts, i)) continue;
    printf("%s %zu %s", any ? "," : name, count_at(counts, i), counted[i].words);
    any = true;
  }
  if (any) putchar('\n');
}

static void print_extremes(const ct_analysis *a, const char *unit) {
  int least = -1, most = -1;
  char low[64], high[64];
  for (int i = 0; i < a->slice_count; i++) {
    if (isnan(a->slices[i].rmse)) continue;
    if (least < 0 || a->slices[i].rmse < a->slices[least].rmse) least = i;
    if (most < 0 || a->slices[i].rmse > a->slices[most].rmse) most = i;
  }
  if (least < 0 || a->slice_count < 2) return;
  printf("slices      RMSE from %s (slice %d) to %s (slice %d)\n",
         ct_format_quantity(a->slices[least].rmse, 5, unit, low, sizeof low), a->first_slice + least,
         ct_format_quantity(a->slices[most].rmse, 5, unit, high, sizeof high), a->first_slice + most);
}

static void print_errors(const ct_analysis *a, const char *unit) {
  char text[64], more[64];
  printf("MAE         %s\n", ct_format_quantity(a->mae, 5, unit, text, sizeof text));
  printf("bias        %s, deviation about it %s\n", ct_format_quantity(a->bias, 5, unit, text, sizeof text),
         ct_format_quantity(a->deviation, 5, unit, more, sizeof more));
  for (int i = 0; i < CT_ANALYSIS_SHARES; i++)
    printf("%-11s %g %% of the voxels within %s\n", i ? "" : "|A - B|", ct_analysis_shares[i],
           ct_format_quantity(a->percentiles[i], 5, unit, text, sizeof text));
  for (int i = 0; i < a->worst_count; i++) {
    const ct_worst_voxel *w = &a->worst[i];
    printf("%-11s %s at voxel %d, %d, %d\n", i ? "" : "worst",
           ct_format_quantity((double)w->a - w->b, 5, unit, text, sizeof text), w->at[0], w->at[1], w->at[2]);
  }
  print_extremes(a, unit);
  print_counts("in A       ", &a->of_a);
  print_counts("in B       ", &a->of_b);
}

static void print_differences(const char *title, const char *lines) {
  for (const char *line = lines; line && *line;) {
    const int length = (int)strcspn(line, "\n");
    printf("%-11s %.*s\n", title, length, line);
    line += length + (line[length] == '\n');
  }
}

void cli_print_compared(const cli_comparison *request, const cli_compared *found) {
  const ct_box *box = &found->box;
  if (!found->whole)
    printf("in          x %d:%d, y %d:%d, z %d:%d of A\n", box->begin[0], box->end[0], box->begin[1], box->end[1],
           box->begin[2], box->end[2]);
  print_metrics(&found->analysis->metrics, found->unit);
  if (found->hounsfield.count) print_hounsfield(&found->hounsfield);
  if (request->errors) print_errors(found->analysis, found->unit);
  print_differences("asked", found->asked);
  print_differences("automatic", found->automatic);
}

static json_t *whole_numbers(const size_t *values, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(list, json_integer((json_int_t)values[i]));
  return list;
}

static json_t *hounsfield_json(const ct_rabbitct_metrics *m) {
  json_t *object = json_object();
  json_object_set_new(object, "rmse", gantry_json_real(m->rmse));
  json_object_set_new(object, "psnr", gantry_json_real(m->psnr));
  json_object_set_new(object, "max_error", json_integer(m->max_error));
  json_object_set_new(object, "histogram", whole_numbers(m->histogram, CT_RABBITCT_BINS));
  return object;
}

static void add_metrics(json_t *root, const ct_metrics *m) {
  json_object_set_new(root, "rmse", gantry_json_real(m->rmse));
  json_object_set_new(root, "relative_rmse", gantry_json_real(m->relative_rmse));
  json_object_set_new(root, "max_abs", gantry_json_real(m->max_abs));
  json_object_set_new(root, "max_at", json_pack("[i,i,i]", m->max_at[0], m->max_at[1], m->max_at[2]));
  json_object_set_new(root, "peak", gantry_json_real(m->peak));
  json_object_set_new(root, "psnr", gantry_json_real(m->psnr));
  json_object_set_new(root, "ssim", gantry_json_real(m->ssim));
  json_object_set_new(root, "pearson_r", gantry_json_real(m->pearson_r));
  json_object_set_new(root, "slope", gantry_json_real(m->slope));
  json_object_set_new(root, "intercept", gantry_json_real(m->intercept));
  json_object_set_new(root, "count", json_integer((json_int_t)m->count));
  json_object_set_new(root, "not_finite", json_integer((json_int_t)m->not_finite));
}

static json_t *counts_json(const ct_value_counts *counts) {
  json_t *object = json_object();
  for (int i = 0; i < COUNTED; i++)
    json_object_set_new(object, counted[i].key, json_integer((json_int_t)count_at(counts, i)));
  json_object_set_new(object, "low", gantry_json_real(counts->low));
  json_object_set_new(object, "high", gantry_json_real(counts->high));
  json_object_set_new(object, "at_low", json_integer((json_int_t)counts->at_low));
  json_object_set_new(object, "at_high", json_integer((json_int_t)counts->at_high));
  return object;
}

static json_t *real_numbers(const double *values, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(list, gantry_json_real(values[i]));
  return list;
}

static void add_lists(json_t *root, const ct_analysis *a) {
  json_t *percentiles = json_object(), *worst = json_array(), *rmse = json_array(), *ssim = json_array();
  for (int i = 0; i < CT_ANALYSIS_SHARES; i++) {
    char key[16];
    snprintf(key, sizeof key, "%g", ct_analysis_shares[i]);
    json_object_set_new(percentiles, key, gantry_json_real(a->percentiles[i]));
  }
  for (int i = 0; i < a->worst_count; i++) {
    const ct_worst_voxel *w = &a->worst[i];
    json_array_append_new(worst, json_pack("{s:[i,i,i],s:f,s:f,s:f}", "at", w->at[0], w->at[1], w->at[2], "a",
                                           (double)w->a, "b", (double)w->b, "error", (double)w->a - w->b));
  }
  for (int i = 0; i < a->slice_count; i++) {
    json_array_append_new(rmse, gantry_json_real(a->slices[i].rmse));
    json_array_append_new(ssim, gantry_json_real(a->slices[i].ssim));
  }
  json_object_set_new(root, "percentiles", percentiles);
  json_object_set_new(root, "worst", worst);
  json_object_set_new(root, "slices", json_pack("{s:i,s:o,s:o}", "first", a->first_slice, "rmse", rmse, "ssim", ssim));
}

static void add_histograms(json_t *root, const ct_analysis *a) {
  json_t *count = json_array(), *mean = json_array(), *deviation = json_array();
  for (int i = 0; i < CT_ANALYSIS_VALUES; i++) {
    json_array_append_new(count, json_integer((json_int_t)a->values[i].count));
    json_array_append_new(mean, gantry_json_real(a->values[i].mean));
    json_array_append_new(deviation, gantry_json_real(a->values[i].deviation));
  }
  json_object_set_new(root, "errors",
                      json_pack("{s:f,s:o}", "range", a->range, "count", whole_numbers(a->bins, CT_ANALYSIS_BINS)));
  json_object_set_new(root, "absolute_errors",
                      json_pack("{s:o,s:o,s:o,s:I,s:I}", "edges", real_numbers(a->log_edges, CT_ANALYSIS_LOG_BINS + 1),
                                "count", whole_numbers(a->log_bins, CT_ANALYSIS_LOG_BINS), "share_below",
                                real_numbers(a->shares, CT_ANALYSIS_LOG_BINS + 1), "smaller", (json_int_t)a->smaller,
                                "zeros", (json_int_t)a->zeros));
  json_object_set_new(root, "errors_by_value",
                      json_pack("{s:f,s:f,s:o,s:o,s:o}", "low", a->value_low, "high", a->value_high, "count", count,
                                "mean", mean, "deviation", deviation));
}

static void add_differences(json_t *root, const char *key, const char *lines) {
  json_t *list = json_array();
  for (const char *line = lines; line && *line;) {
    const size_t length = strcspn(line, "\n");
    json_array_append_new(list, json_stringn(line, length));
    line += length + (line[length] == '\n');
  }
  json_object_set_new(root, key, list);
}

bool cli_print_compared_json(const cli_compared *found, ct_error **error) {
  const ct_analysis *a = found->analysis;
  const ct_box *box = &found->box;
  json_t *root = json_object();
  add_metrics(root, &a->metrics);
  json_object_set_new(root, "mae", gantry_json_real(a->mae));
  json_object_set_new(root, "bias", gantry_json_real(a->bias));
  json_object_set_new(root, "deviation", gantry_json_real(a->deviation));
  json_object_set_new(root, "region",
                      json_pack("[[i,i],[i,i],[i,i]]", box->begin[0], box->end[0], box->begin[1], box->end[1],
                                box->begin[2], box->end[2]));
  json_object_set_new(root, "hounsfield", found->hounsfield.count ? hounsfield_json(&found->hounsfield) : json_null());
  json_object_set_new(root, "resampled", json_boolean(found->resampled));
  add_lists(root, a);
  add_histograms(root, a);
  json_object_set_new(root, "counts", json_pack("{s:o,s:o}", "a", counts_json(&a->of_a), "b", counts_json(&a->of_b)));
  add_differences(root, "asked", found->asked);
  add_differences(root, "automatic", found->automatic);
  return gantry_json_print(root, error);
}
