/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmark's rows: a table on stdout as they come, JSON and CSV files at the end. */
#include "app/bench/counted-private.h"
#include "app/json.h"
#include "recon/base/text-stream.h"
#include "recon/base/json-text.h"
#include "recon/base/machine.h"
#include "recon/simd/level.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/units.h"
#include "recon/base/untold.h"
#include "render/compute/device.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void bench_say(const bench *b, const char *format, ...) {
  if (b->options.quiet) return;
  va_list args;
  va_start(args, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

static const char *number(double value, int digits, char text[32]) {
  if (isfinite(value))
    snprintf(text, 32, "%.*g", digits, value);
  else
    text[0] = 0;
  return text;
}

/* Mean milliseconds of a view; NaN where there are none. */
static double view_ms(const bench_row *r) {
  return r->views > 0 ? 1e3 * r->seconds / r->views : NAN;
}

static void print_row(bench *b, const bench_row *r) {
  char gups[32], spread[32], speedup[32], seconds[32], view[32], rmse[32], bytes[32] = "";
  if (!b->header_printed)
    printf("| problem | kernel | precision | interpolation | threads | batch | GUPS |%s spread %% | x voxel loop | s | "
           "ms a view | "
           "rel. RMSE | "
           "memory | remarks |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|%s\n",
           b->measures_card ? " GUPS, card alone |" : "", b->measures_card ? "---|" : "");
  b->header_printed = true;
  if (isfinite(r->bytes)) ct_format_bytes(r->bytes, bytes, sizeof bytes);
  char updated[80] = "";
  if (r->updated_share > 0)
    snprintf(updated, sizeof updated, "%.3g GUPS of updated voxels (%.0f %%); ", r->gups * r->updated_share,
             100 * r->updated_share);
  char card[48] = "", alone[32];
  if (b->measures_card) snprintf(card, sizeof card, " %s |", r->card_gups > 0 ? number(r->card_gups, 3, alone) : "");
  char shrunk[32] = "";
  if (b->options.size && !r->unshrunk)
    snprintf(shrunk, sizeof shrunk, "%s--size %d", *updated || *r->note ? "; " : "", b->options.size);
  printf("| %s | %s | %s | %s | %d | %d | %s |%s %s | %s | %s | %s | %s | %s | %s%s%s |\n", r->problem, r->kernel,
         r->precision, r->interp, r->threads, r->batch, number(r->gups, 3, gups), card,
         number(100 * r->spread, 2, spread), number(r->speedup, 3, speedup), number(r->seconds, 4, seconds),
         number(view_ms(r), 4, view), number(r->rel_rmse, 2, rmse), bytes, updated, r->note, shrunk);
  fflush(stdout);
}

void bench_add_row(bench *b, const bench_row *r, json_t *more) {
  print_row(b, r);
  json_t *row = json_object();
  json_object_set_new(row, "suite", json_string(b->suite->name));
  json_object_set_new(row, "kernel", json_string(r->kernel));
  json_object_set_new(row, "problem", json_string(r->problem));
  json_object_set_new(row, "precision", json_string(r->precision));
  json_object_set_new(row, "interpolation", json_string(r->interp));
  json_object_set_new(row, "threads", json_integer(r->threads));
  json_object_set_new(row, "batch", json_integer(r->batch));
  json_object_set_new(row, "views", json_integer(r->views));
  json_object_set_new(row, "seconds", gantry_json_real(r->seconds));
  json_object_set_new(row, "view_ms", gantry_json_real(view_ms(r)));
  json_object_set_new(row, "spread", gantry_json_real(r->spread));
  json_object_set_new(row, "gups", gantry_json_real(r->gups));
  json_object_set_new(row, "speedup", gantry_json_real(r->speedup));
  json_object_set_new(row, "rel_rmse", gantry_json_real(r->rel_rmse));
  json_object_set_new(row, "bytes", gantry_json_real(r->bytes));
  if (r->card_gups > 0) {
    json_object_set_new(row, "card_seconds", gantry_json_real(r->card_seconds));
    json_object_set_new(row, "card_gups", gantry_json_real(r->card_gups));
  }
  if (r->updated_share > 0) {
    json_object_set_new(row, "updated_share", gantry_json_real(r->updated_share));
    json_object_set_new(row, "updated_gups", gantry_json_real(r->gups * r->updated_share));
  }
  json_object_set_new(row, "remarks", gantry_json_text(r->note));
  if (b->options.size && !r->unshrunk) json_object_set_new(row, "size", json_integer(b->options.size));
  if (more) json_object_update_missing(row, more);
  json_decref(more);
  json_array_append_new(b->rows, row);
}

void bench_skip(bench *b, const char *problem, const char *kernel, ct_error **error) {
  const char *reason = *error ? (*error)->message : "not applicable";
  const bool named = kernel ? b->options.kernels != NULL : b->options.problems != NULL;
  if (named || !b->options.quiet)
    fprintf(stderr, "bench: %s%s%s is skipped: %s\n", problem, kernel ? ", " : "", kernel ? kernel : "", reason);
  json_array_append_new(b->skipped, json_pack("{s:s, s:s, s:o, s:o}", "suite", b->suite->name, "problem", problem,
                                              "kernel", gantry_json_text(kernel), "reason", gantry_json_text(reason)));
  ct_error_clear(error);
  ct_untold_forget(); /* the row tells it */
}

static json_t *machine_object(const bench *b) {
  char processor[256];
  const ct_simd_level level = ct_simd_usable();
  ct_simd_describe_machine(processor, sizeof processor);
  json_t *machine = json_object();
  json_object_set_new(machine, "processor", gantry_json_text(processor));
  json_object_set_new(machine, "cores", json_integer(ct_thread_count()));
  json_object_set_new(machine, "threads", json_integer(b->options.threads));
  json_object_set_new(machine, "clock", json_string(b->options.cpu_time ? "processor time per thread" : "wall"));
  json_object_set_new(machine, "memory_bytes", json_integer((json_int_t)ct_memory_total()));
  json_object_set_new(machine, "avx2", json_boolean(level >= CT_SIMD_V3));
  json_object_set_new(machine, "avx512", json_boolean(level >= CT_SIMD_V4));
  json_object_set_new(machine, "avx512_vnni", json_boolean(level >= CT_SIMD_V4_VNNI));
  json_object_set_new(machine, "compiler", json_string(__VERSION__));
  json_object_set_new(machine, "version", json_string(GANTRY_VERSION));
  if (b->rates) json_object_set(machine, "rates", b->rates);
  if (b->counters) json_object_set_new(machine, "not_counted", bench_counted_reasons(b));
  if (b->backend.device) {
    const ctgl_device_facts *device = ctgl_device_get_facts(b->backend.device);
    json_object_set_new(machine, "device", gantry_json_text(device->name));
    json_object_set_new(machine, "device_driver", gantry_json_text(device->driver));
    json_t *others = json_array();
    for (ct_bp_device *next = ctgl_device_next(b->backend.device); next; next = ctgl_device_next(next))
      json_array_append_new(others, gantry_json_text(ctgl_device_get_facts(next)->name));
    if (json_array_size(others)) json_object_set(machine, "devices_beside", others);
    json_decref(others);
  }
  return machine;
}

static bool write_json(const bench *b, ct_error **error) {
  json_t *root = json_object();
  json_object_set_new(root, "machine", machine_object(b));
  json_object_set(root, "rows", b->rows);
  json_object_set(root, "skipped", b->skipped);
  if (b->tables) json_object_set(root, "tables", b->tables);
  char *text = ct_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
  json_decref(root);
  if (!text) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the results.");
  const bool good = ct_output_write_text(b->options.json, text, error);
  free(text);
  return good;
}

static const char *const columns[] = {"suite",
                                      "kernel",
                                      "problem",
                                      "precision",
                                      "interpolation",
                                      "threads",
                                      "batch",
                                      "views",
                                      "seconds",
                                      "spread",
                                      "gups",
                                      "speedup",
                                      "rel_rmse",
                                      "bytes",
                                      "remarks",
                                      "updated_gups",
                                      "updated_share",
                                      "q_mse",
                                      "rmse_hu",
                                      "psnr_db",
                                      "max_error_hu",
                                      "part",
                                      "method",
                                      "projector",
                                      "model",
                                      "slices",
                                      "iteration",
                                      "rmse",
                                      "relative_rmse",
                                      "ssim",
                                      "residual",
                                      "forward_ms",
                                      "back_ms",
                                      "iteration_ms",
                                      "adjoint",
                                      "lines",
                                      "n",
                                      "rays",
                                      "entries",
                                      "stored_entries",
                                      "csr_bytes",
                                      "scsr_bytes",
                                      "ratio",
                                      "count_seconds",
                                      "prepare_seconds",
                                      "card_seconds",
                                      "card_gups",
                                      "setting",
                                      "size",
                                      "error_histogram",
                                      "view_ms",
                                      "serial_speedup",
                                      "scaling",
                                      "source_bytes",
                                      "instructions_per_update",
                                      "cycles_per_update",
                                      "instructions_per_cycle",
                                      "stalled_front",
                                      "stalled_back",
                                      "l1_miss_bytes",
                                      "cache_miss_bytes",
                                      "last_miss_bytes",
                                      "processor_seconds",
                                      "page_faults",
                                      "context_switches"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void put_csv_value(FILE *to, const json_t *value) {
  if (json_is_string(value)) {
    fputc('"', to);
    for (const char *at = json_string_value(value); *at; at++) {
      if (*at == '"') fputc('"', to);
      fputc(*at, to);
    }
    fputc('"', to);
  } else if (json_is_integer(value)) {
    fprintf(to, "%lld", (long long)json_integer_value(value));
  } else if (json_is_real(value)) {
    fprintf(to, "%.9g", json_real_value(value));
  } else if (json_is_array(value)) {
    for (size_t i = 0; i < json_array_size(value); i++)
      fprintf(to, "%s%lld", i ? " " : "", (long long)json_integer_value(json_array_get(value, i)));
  }
}

static bool write_csv(const bench *b, ct_error **error) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = ct_text_stream(&text, &size);
  if (!to) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the results.");
  for (int c = 0; c < COLUMNS; c++) fprintf(to, "%s%s", c ? "," : "", columns[c]);
  fputc('\n', to);
  for (size_t i = 0; i < json_array_size(b->rows); i++)
    for (int c = 0; c < COLUMNS; c++) {
      put_csv_value(to, json_object_get(json_array_get(b->rows, i), columns[c]));
      fputc(c < COLUMNS - 1 ? ',' : '\n', to);
    }
  const bool whole = fclose(to) == 0;
  const bool good = whole ? ct_output_write_text(b->options.csv, text, error)
                          : ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the results.");
  free(text);
  return good;
}

bool bench_write_files(const bench *b, ct_error **error) {
  return (!b->options.json || write_json(b, error)) && (!b->options.csv || write_csv(b, error));
}
