/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli compare: volume A against reference B. */
#include "app/cli/compare.h"
#include "app/analysis-table.h"
#include "app/cli/cli.h"
#include "app/cli/source.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/units.h"
#include "recon/data/pitch.h"
#include "recon/data/resample.h"
#include "recon/io/io.h"
#include "recon/solve/record.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 256, REGION, CSV, RANGE, SAME_GRID };

static const cli_option options[] = {
    {'e', "errors", NULL,
     "Also prints mean absolute error and bias, within which error 50, 90, 99 and 99.9 % of the voxels lie, the ten "
     "worst voxels (each 5 voxels or more from the others along one axis), the best and worst slice, and values that "
     "are no usable numbers: NaN, infinite, subnormal, beyond half's range (65504) or 1e38, clipped (more than 10 "
     "values equal to the extreme one)."},
    {'j', "json", NULL,
     "Prints JSON with the keys rmse, max_abs, max_at, psnr, ssim, pearson_r, slope and more, with those of --errors "
     "and with histograms; null where a number is infinite or undefined."},
    {SLICE, "slice", "AXIS:INDEX",
     "One slice of A alone: axial, coronal or sagittal (or z, y, x) and an index, or mid."},
    {REGION, "region", "X0:X1,Y0:Y1,Z0:Z1",
     "A region of A alone, in voxels: from X0 up to, without, X1; an end left out is that of the volume."},
    {CSV, "csv", "FILE.csv",
     "Also writes histograms of errors, errors at each value, and RMSE and SSIM of every slice as one table."},
    {RANGE, "range", "VALUE", "Largest error (1/mm) of the histograms; default: the largest there is."},
    {SAME_GRID, "same-grid", NULL,
     "Takes the voxels of both for the same ones whatever the files say of their size and place. Without it B is "
     "resampled onto A's voxels (trilinear) where they lie elsewhere and both files say where."},
    {'p', "peak", "VALUE",
     "Peak value (1/mm) for PSNR, and range for SSIM; default: largest less least value of B. "
     "RabbitCT's convention is 4095."},
    CLI_LINKS_OPTION,
    {'q', "quiet", NULL, "No progress."},
    {0},
};

/* Same counts; a different voxel size is told, since the numbers still mean something. */
static bool check_grids(const ct_grid *g, const ct_grid *h, const cli_comparison *r, cli_watch *watch,
                        ct_error **error) {
  if (g->nx != h->nx || g->ny != h->ny || g->nz != h->nz)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "%s has %d x %d x %d voxels, %s has %d x %d x %d; they cannot be compared%s.", r->name_a, g->nx,
                        g->ny, g->nz, r->name_b, h->nx, h->ny, h->nz,
                        r->same_grid ? " voxel by voxel" : ", since they do not both say where their voxels lie");
  if (fabs(g->dx - h->dx) > 1e-4 * h->dx || fabs(g->dy - h->dy) > 1e-4 * h->dy || fabs(g->dz - h->dz) > 1e-4 * h->dz) {
    char note[200];
    snprintf(note, sizeof note, "note: the voxel sizes differ (%g x %g x %g and %g x %g x %g mm)", g->dx, g->dy, g->dz,
             h->dx, h->dy, h->dz);
    cli_watch_warn(watch, note);
  }
  return true;
}

/* The voxels of a grid that values at those of `part` are interpolated between, and one more on each side. */
static ct_box box_around(const ct_grid *part, const ct_grid *grid) {
  const double first[3] = {(part->x0 - grid->x0) / grid->dx, (part->y0 - grid->y0) / grid->dy,
                           (part->z0 - grid->z0) / grid->dz},
               step[3] = {part->dx / grid->dx, part->dy / grid->dy, part->dz / grid->dz};
  const int counts[3] = {part->nx, part->ny, part->nz}, n[3] = {grid->nx, grid->ny, grid->nz};
  ct_box box;
  for (int i = 0; i < 3; i++) {
    box.begin[i] = (int)fmin(fmax(floor(first[i]) - 1, 0), n[i] - 1);
    box.end[i] = (int)fmin(fmax(floor(first[i] + (counts[i] - 1) * step[i]) + 3, box.begin[i] + 1), n[i]);
  }
  return box;
}

/* B, or what of the grid `h` was read of it, on A's voxels, which takes its place. */
static bool resample(const ct_volume *a, ct_volume **b, const ct_grid *h, cli_watch *watch, ct_error **error) {
  const ct_grid *g = ct_volume_grid(a);
  size_t outside;
  char note[320], left_out[100] = "";
  ct_volume *made = ct_volume_resample(*b, g, &outside, error);
  if (!made) return false;
  if (outside == ct_grid_voxels(g)) {
    ct_volume_free(made);
    return ct_error_set(error, CT_ERROR_DATA,
                        "No voxel of A lies in B: the volumes are at different places. --same-grid compares them voxel "
                        "by voxel where they have the same counts.");
  }
  if (outside) snprintf(left_out, sizeof left_out, "; %zu voxels of A lie outside B and are left out", outside);
  snprintf(note, sizeof note,
           "note: B's voxels (%d x %d x %d of %g x %g x %g mm) lie elsewhere than A's: B was resampled onto A's "
           "(trilinear)%s",
           h->nx, h->ny, h->nz, h->dx, h->dy, h->dz, left_out);
  cli_watch_warn(watch, note);
  const bool good = ct_volume_set_plan(made, ct_volume_get_plan(*b), error);
  ct_volume_free(good ? *b : made);
  if (good) *b = made;
  return good;
}

static bool choose_box(const cli_comparison *r, const ct_grid *grid, cli_compared *found, ct_error **error) {
  const int n[3] = {grid->nx, grid->ny, grid->nz};
  int index = r->index;
  found->box = ct_box_of_grid(grid);
  found->whole = !r->one_slice && !r->region;
  if (r->one_slice) {
    if (!cli_resolve_index(grid, r->axis, &index, error)) return false;
    found->box = ct_box_of_slice(grid, r->axis, index);
  }
  if (!r->region) return true;
  for (int axis = 0; axis < 3; axis++) {
    found->box.begin[axis] = r->box.begin[axis] < 0 ? 0 : r->box.begin[axis];
    found->box.end[axis] = r->box.end[axis] < 0 ? n[axis] : r->box.end[axis];
  }
  return ct_box_check(&found->box, grid->nx, grid->ny, grid->nz, error);
}

static bool find_differences(const ct_volume *a, const ct_volume *b, cli_compared *found, ct_error **error) {
  const char *of_a = ct_volume_get_plan(a), *of_b = ct_volume_get_plan(b);
  found->unit = ct_volume_get_units(a).value;
  if (!of_a || !of_b) return true;
  return (found->asked = ct_record_differences(of_a, of_b, true, error)) &&
         (found->automatic = ct_record_differences(of_a, of_b, false, error));
}

/* Two files, and of them what is compared. */
typedef struct pair {
  ct_volume_reader *readers[2];
  ct_volume *a, *b;
} pair;

static void clear_pair(pair *p) {
  ct_volume_free(p->a);
  ct_volume_free(p->b);
  for (int i = 0; i < 2; i++) ct_volume_reader_free(p->readers[i]);
}

/* As ct_volumes_share_world. */
static bool share_world(const ct_volume_reader *a, const ct_volume_reader *b) {
  const ct_volume_facts *f = ct_volume_reader_facts(a), *g = ct_volume_reader_facts(b);
  return (f->plan || !f->pitch_unknown) && (g->plan || !g->pitch_unknown) &&
         ct_units_are_pixels(ct_volume_reader_units(a)) == ct_units_are_pixels(ct_volume_reader_units(b));
}

/* The box of both; of a B that is resampled what lies there. */
static bool read_pair(const cli_comparison *r, pair *p, cli_compared *found, cli_watch *watch, const char **at_fault,
                      ct_error **error) {
  ct_job *job = cli_watch_job(watch);
  const ct_volume_facts *a = ct_volume_reader_facts(p->readers[0]), *b = ct_volume_reader_facts(p->readers[1]);
  if (!choose_box(r, &a->grid, found, error)) return false;
  found->resampled = !r->same_grid && !ct_grid_matches(&a->grid, &b->grid) && share_world(p->readers[0], p->readers[1]);
  if (!found->resampled && !check_grids(&a->grid, &b->grid, r, watch, error)) return false;
  if (!(p->a = ct_volume_reader_box(p->readers[0], &found->box, job, error))) return false;
  *at_fault = r->name_b;
  const ct_grid part = ct_box_grid(&found->box, &a->grid);
  const ct_box around = found->resampled ? box_around(&part, &b->grid) : found->box;
  if (!(p->b = ct_volume_reader_box(p->readers[1], &around, job, error))) return false;
  *at_fault = r->name_a;
  return !found->resampled || resample(p->a, &p->b, &b->grid, watch, error);
}

static bool analyse(const cli_comparison *r, const pair *p, cli_compared *found, cli_watch *watch, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(p->a);
  ct_analysis_request request = {.pair = {.a = ct_volume_get_data(p->a),
                                          .b = ct_volume_get_data(p->b),
                                          .nx = grid->nx,
                                          .ny = grid->ny,
                                          .nz = grid->nz,
                                          .peak = r->peak},
                                 .range = r->range};
  memcpy(request.origin, found->box.begin, sizeof request.origin);
  found->analysis = ct_analysis_new(&request, cli_watch_job(watch), error);
  return found->analysis && find_differences(p->a, p->b, found, error);
}

/* RabbitCT's measures of whole volumes, by the scale that A's file, or else B's, tells. */
static bool measure_hounsfield(const pair *p, cli_compared *found, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(p->a);
  const size_t plane = (size_t)grid->nx * (size_t)grid->ny;
  ct_named_scale told = ct_volume_reader_scale(p->readers[0]);
  if (!told.unit[0]) told = ct_volume_reader_scale(p->readers[1]);
  if (!found->whole || strcmp(told.unit, "HU") != 0) return true;
  const float scale[2] = {(float)told.scale.factor, (float)told.scale.offset};
  uint16_t *reference = ct_alloc(plane, sizeof *reference, "a slice", error);
  for (size_t k = 0; reference && k < (size_t)grid->nz; k++) {
    const float *values = ct_volume_get_data(p->b) + k * plane;
    for (size_t i = 0; i < plane; i++) reference[i] = ct_rabbitct_hu(values[i], scale);
    ct_rabbitct_compare(ct_volume_get_data(p->a) + k * plane, reference, plane, scale, &found->hounsfield);
  }
  ct_free(reference);
  return reference != NULL;
}

/* Reads both and compares them; *at_fault is the file that a fault is about. */
static bool measure(const cli_comparison *r, cli_compared *found, cli_watch *watch, const char **at_fault,
                    ct_error **error) {
  pair p = {0};
  *at_fault = r->name_a;
  bool good = (p.readers[0] = ct_volume_reader_open(r->name_a, r->anywhere, error)) != NULL;
  if (good) *at_fault = r->name_b;
  good = good && (p.readers[1] = ct_volume_reader_open(r->name_b, r->anywhere, error));
  if (good) *at_fault = r->name_a;
  good = good && read_pair(r, &p, found, watch, at_fault, error) && analyse(r, &p, found, watch, error) &&
         measure_hounsfield(&p, found, error);
  clear_pair(&p);
  return good;
}

static bool write_table(const cli_comparison *r, const cli_compared *found, ct_error **error) {
  char *text = gantry_analysis_table(found->analysis, error);
  const bool good = text && ct_output_write_text(r->csv, text, error);
  ct_free(text);
  return good;
}

/* The numbers are printed when nothing can interrupt them any more: all of them, or none. */
static int compare(const cli_comparison *r) {
  ct_error *error = NULL;
  cli_compared found = {0};
  const char *at_fault = NULL;
  if (r->csv && !cli_check_output(r->csv, &error)) return cli_failure(r->csv, &error);
  cli_watch *watch = cli_watch_begin(r->quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  const bool measured = measure(r, &found, watch, &at_fault, &error);
  cli_watch_end(watch);
  bool good = measured;
  if (good && r->csv) {
    at_fault = r->csv;
    good = write_table(r, &found, &error);
  }
  if (good && r->json) good = cli_print_compared_json(&found, &error);
  if (good && !r->json) cli_print_compared(r, &found);
  cli_compared_clear(&found);
  return good ? CLI_DONE : cli_failure(at_fault, &error);
}

/* "X0:X1", each end may be missing, or "X" alone; *text is moved behind it. */
static bool read_range(const char **text, int *begin, int *end) {
  char *after;
  const char *from = *text;
  long first = strtol(from, &after, 10), last = -1;
  if (after == from) first = -1;
  from = after;
  if (*from == ':') {
    last = strtol(++from, &after, 10);
    if (after == from) last = -1;
    from = after;
  } else if (first >= 0) {
    last = first + 1;
  } else {
    return false;
  }
  *text = from;
  *begin = (int)first;
  *end = (int)last;
  return first >= -1 && last >= -1 && first < 1 << 30 && last <= 1 << 30;
}

static bool read_region(const cli_command *command, const char *text, ct_box *box) {
  const char *at = text;
  for (int axis = 0; axis < 3; axis++) {
    const bool good = read_range(&at, &box->begin[axis], &box->end[axis]);
    if (good && *at == (axis < 2 ? ',' : 0)) {
      at++;
      continue;
    }
    cli_misuse(command, "--region takes X0:X1,Y0:Y1,Z0:Z1 in voxels, for example 10:50,10:50,:, not \"%s\"", text);
    return false;
  }
  return true;
}

static bool read_option(const cli_command *command, int letter, const char *value, cli_comparison *r) {
  switch (letter) {
  case 'e':
    return r->errors = true;
  case 'j':
    return r->json = true;
  case 'q':
    return r->quiet = true;
  case SAME_GRID:
    return r->same_grid = true;
  case CLI_LINKS:
    return cli_take_links(command, value, &r->anywhere);
  case CSV:
    r->csv = value;
    return true;
  case RANGE:
    return cli_read_real(command, "--range", value, 1e-30, 1e30, &r->range);
  case SLICE:
    r->one_slice = true;
    return cli_read_slice(command, value, &r->axis, &r->index);
  case REGION:
    r->region = true;
    return read_region(command, value, &r->box);
  default:
    return cli_read_real(command, "--peak", value, 1e-30, 1e30, &r->peak);
  }
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_comparison r = {.peak = NAN, .range = NAN};
  const char *value;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, &r)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc - optind != 2) return cli_misuse(command, "two volumes are needed");
  if (r.one_slice && r.region) return cli_misuse(command, "--slice and --region contradict each other");
  r.name_a = argv[optind];
  r.name_b = argv[optind + 1];
  const char *description = cli_links_description(r.anywhere);
  return cli_check_apart(command, r.name_a, description, &r.csv, 1) &&
                 cli_check_apart(command, r.name_b, description, &r.csv, 1)
             ? compare(&r)
             : CLI_MISUSED;
}

const cli_command cli_compare = {
    "compare",
    "[--errors] [--json] [--slice AXIS:INDEX | --region BOX] [--csv FILE] [options] A B",
    "Compares volume A with the reference B, voxel by voxel. SSIM is the mean over axial slices (Gaussian "
    "window, 11 wide, sigma 1.5). Voxels that are not finite in either are left out and counted. "
    "Values of the two plans that differ are listed: those asked for, and those that were decided automatically.",
    options,
    NULL,
    run,
};
