/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli compare: volume A against reference B. */
#include "app/cli/cli.h"
#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/io/io.h"
#include "recon/metric/metric.h"
#include "recon/solve/record.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

static const cli_option options[] = {
    {'j', "json", NULL,
     "Prints JSON with the keys rmse, max_abs, max_at, psnr, ssim, pearson_r, slope and more; null where a "
     "number is infinite or undefined."},
    {'p', "peak", "VALUE",
     "Peak value (1/mm) for PSNR, and range for SSIM; default: largest less least value of B. "
     "RabbitCT's convention is 4095."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

static void print_json(const ct_metrics *m, json_t *root) {
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

static void print_words(const ct_metrics *m, const char *unit) {
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

/* Same counts; a different voxel size is told, since the numbers still mean something. */
static bool check_grids(const ct_volume *a, const ct_volume *b, const char *name_a, const char *name_b,
                        cli_watch *watch, ct_error **error) {
  const ct_grid *g = ct_volume_grid(a), *h = ct_volume_grid(b);
  if (g->nx != h->nx || g->ny != h->ny || g->nz != h->nz)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "%s has %d x %d x %d voxels, %s has %d x %d x %d; they cannot be compared.", name_a, g->nx,
                        g->ny, g->nz, name_b, h->nx, h->ny, h->nz);
  if (fabs(g->dx - h->dx) > 1e-4 * h->dx || fabs(g->dy - h->dy) > 1e-4 * h->dy || fabs(g->dz - h->dz) > 1e-4 * h->dz) {
    char note[200];
    snprintf(note, sizeof note, "note: the voxel sizes differ (%g x %g x %g and %g x %g x %g mm)", g->dx, g->dy, g->dz,
             h->dx, h->dy, h->dz);
    cli_watch_warn(watch, note);
  }
  return true;
}

/* What the headers say that differs: asked for, and decided by the program. Empty where one has no plan. */
typedef struct {
  char *asked, *automatic;
  const char *unit; /* of values */
} differences;

static bool find_differences(const ct_volume *a, const ct_volume *b, differences *d, ct_error **error) {
  const char *of_a = ct_volume_get_plan(a), *of_b = ct_volume_get_plan(b);
  d->unit = ct_units_of_header(of_a).value;
  if (!of_a || !of_b) return true;
  return (d->asked = ct_record_differences(of_a, of_b, true, error)) &&
         (d->automatic = ct_record_differences(of_a, of_b, false, error));
}

static void print_differences(const char *title, const char *lines) {
  for (const char *line = lines; line && *line;) {
    const int length = (int)strcspn(line, "\n");
    printf("%-11s %.*s\n", title, length, line);
    line += length + (line[length] == '\n');
  }
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

/* Reads both and compares them; *at_fault is the file that a fault is about. */
static bool measure(const char *name_a, const char *name_b, double peak, ct_metrics *m, differences *d,
                    cli_watch *watch, const char **at_fault, ct_error **error) {
  ct_job *job = cli_watch_job(watch);
  *at_fault = name_a;
  ct_volume *a = ct_volume_read(name_a, job, error), *b = NULL;
  if (a) {
    *at_fault = name_b;
    b = ct_volume_read(name_b, job, error);
  }
  bool good = a && b;
  if (good) {
    const ct_grid *grid = ct_volume_grid(a);
    *at_fault = name_a;
    const ct_comparison pair = {.a = ct_volume_get_data(a),
                                .b = ct_volume_get_data(b),
                                .nx = grid->nx,
                                .ny = grid->ny,
                                .nz = grid->nz,
                                .peak = peak};
    good = check_grids(a, b, name_a, name_b, watch, error) && ct_compare(&pair, m, job, error) &&
           find_differences(a, b, d, error);
  }
  ct_volume_free(a);
  ct_volume_free(b);
  return good;
}

/* The numbers are printed when nothing can interrupt them any more: all of them, or none. */
static int compare(const char *name_a, const char *name_b, double peak, bool json, bool quiet) {
  ct_error *error = NULL;
  ct_metrics m;
  differences d = {0};
  const char *at_fault = NULL;
  cli_watch *watch = cli_watch_begin(quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  const bool good = measure(name_a, name_b, peak, &m, &d, watch, &at_fault, &error);
  cli_watch_end(watch);
  int status = good ? CLI_DONE : cli_failure(at_fault, &error);
  if (good && !json) {
    print_words(&m, d.unit);
    print_differences("asked", d.asked);
    print_differences("automatic", d.automatic);
  } else if (good) {
    json_t *root = json_object();
    print_json(&m, root);
    add_differences(root, "asked", d.asked);
    add_differences(root, "automatic", d.automatic);
    if (!gantry_json_print(root, &error)) status = cli_failure(NULL, &error);
  }
  ct_free(d.asked);
  ct_free(d.automatic);
  return status;
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value;
  double peak = NAN;
  bool json = false, quiet = false;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    if (letter == 'j')
      json = true;
    else if (letter == 'q')
      quiet = true;
    else if (!cli_read_real(command, "--peak", value, 1e-30, 1e30, &peak))
      return CLI_MISUSED;
  }
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc - optind != 2) return cli_misuse(command, "two volumes are needed");
  return compare(argv[optind], argv[optind + 1], peak, json, quiet);
}

const cli_command cli_compare = {
    "compare",
    "[--json] [--peak VALUE] [--quiet] A B",
    "Compares volume A with the reference B, voxel by voxel. SSIM is the mean over axial slices (Gaussian "
    "window, 11 wide, sigma 1.5). Voxels that are not finite in either are left out and counted. "
    "Values of the two plans that differ are listed: those asked for, and those that were decided automatically.",
    options,
    NULL,
    run,
};
