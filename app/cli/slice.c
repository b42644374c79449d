/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli slice: one plane of a volume as a PNG. */
#include "app/cli/cli.h"
#include "app/cli/oblique.h"
#include "app/cli/slice.h"
#include "app/cli/source.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/io/io.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

static const cli_option options[] = {
    {'a', "axis", "A",
     "axial, coronal or sagittal (or z, y, x), the axis across the slice, or oblique; default: axial."},
    {'i', "index", "N", "Which slice, counted from 0, or mid; default: mid."},
    CLI_POSE_OPTIONS,
    {'b', "bits", "8|16", "Grey levels of the PNG; default: 8."},
    {'w', "window", "LOW,HIGH",
     "Values (1/mm) that become black and white; default: the slice's 0.1 % and 99.9 % percentiles."},
    CLI_LINKS_OPTION,
    {'o', "output", "PNG", "The picture to write."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

bool cli_write_plane(const char *path, const ct_grid *grid, ct_plane axis, ct_png_plane picture, ct_error **error) {
  int count;
  ct_grid_plane_size(grid, axis, &picture.width, &picture.height, &count);
  picture.pixel_x = axis == CT_SAGITTAL ? grid->dy : grid->dx;
  picture.pixel_y = axis == CT_AXIAL ? grid->dy : grid->dz;
  return ct_png_write_plane(path, &picture, error);
}

float *cli_new_plane(const ct_grid *grid, ct_plane axis, ct_error **error) {
  int width, height, count;
  size_t pixels = 0;
  ct_grid_plane_size(grid, axis, &width, &height, &count);
  if (!ct_size_product(width, height, 1, 1, &pixels)) {
    ct_error_set(error, CT_ERROR_MEMORY, "A slice of %d x %d voxels is too large.", width, height);
    return NULL;
  }
  return ct_alloc(pixels, sizeof(float), "the slice", error);
}

/* What is asked for. */
typedef struct cut {
  const char *file, *output;
  ct_plane axis;
  int index; /* -1: the middle */
  cli_pose pose;
  int bits;
  double low, high;
  bool anywhere; /* the volume may take its values from there */
} cut;

static ct_png_plane picture_of(const cut *c, const float *values, const char *plan) {
  return (ct_png_plane){.values = values, .bits = c->bits, .low = c->low, .high = c->high, .plan = plan};
}

/* An oblique plane, trilinear. *at_fault: the file that a fault is about. */
static bool write_oblique(const cut *c, ct_volume_reader *reader, ct_job *job, const char **at_fault,
                          ct_error **error) {
  const ct_volume_facts *facts = ct_volume_reader_facts(reader);
  const ct_oblique oblique = cli_pose_plane(&c->pose, &facts->grid);
  float *plane = cli_new_oblique(&oblique, error);
  bool good = plane && ct_volume_reader_oblique(reader, &oblique, plane, job, error);
  if (good) {
    *at_fault = c->output;
    good = cli_write_oblique(c->output, &oblique, picture_of(c, plane, facts->plan), error);
  }
  ct_free(plane);
  return good;
}

/* Of the volume no more than the plane, or two slices for an oblique one, is in memory. */
static bool write_slice(const cut *c, ct_volume_reader *reader, ct_job *job, const char **at_fault, ct_error **error) {
  if (c->pose.oblique) return write_oblique(c, reader, job, at_fault, error);
  const ct_grid *grid = &ct_volume_reader_facts(reader)->grid;
  int index = c->index;
  if (!cli_resolve_index(grid, c->axis, &index, error)) return false;
  const ct_box box = ct_box_of_slice(grid, c->axis, index);
  ct_volume *part = ct_volume_reader_box(reader, &box, job, error);
  bool good = part && ct_job_may_go_on(job, error);
  if (good) {
    *at_fault = c->output;
    const ct_png_plane picture = picture_of(c, ct_volume_get_data(part), ct_volume_get_plan(part));
    good = cli_write_plane(c->output, grid, c->axis, picture, error);
  }
  ct_volume_free(part);
  return good;
}

static int write_cut(const cut *c, bool quiet) {
  ct_error *error = NULL;
  if (!cli_check_output(c->output, &error)) return cli_failure(c->output, &error);
  cli_watch *watch = cli_watch_begin(quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  const char *at_fault = c->file;
  ct_volume_reader *reader = ct_volume_reader_open(c->file, c->anywhere, &error);
  const bool good = reader && write_slice(c, reader, cli_watch_job(watch), &at_fault, &error);
  ct_volume_reader_free(reader);
  cli_watch_end(watch);
  return good ? CLI_DONE : cli_failure(at_fault, &error);
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value, *output = NULL;
  bool quiet = false, anywhere = false;
  ct_plane axis = CT_AXIAL;
  int letter, index = -1;
  long long bits = 8;
  double low = NAN, high = NAN;
  cli_pose pose = cli_no_pose();
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    bool good = true;
    if (letter == 'a') {
      pose.oblique = !strcmp(value, "oblique");
      if (!pose.oblique && !cli_read_plane(command, value, strlen(value), &axis)) return CLI_MISUSED;
    }
    if (cli_take_pose(command, letter, value, &pose, &good) && !good) return CLI_MISUSED;
    if (letter == 'i' && !cli_read_index(command, value, &index)) return CLI_MISUSED;
    if (letter == 'b' && !cli_read_int(command, "--bits", value, 8, 16, &bits)) return CLI_MISUSED;
    if (letter == 'w' && !cli_read_window(command, value, &low, &high)) return CLI_MISUSED;
    if (letter == CLI_LINKS && !cli_take_links(command, value, &anywhere)) return CLI_MISUSED;
    if (letter == 'o') output = value;
    if (letter == 'q') quiet = true;
  }
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc - optind != 1) return cli_misuse(command, "one volume is needed");
  if (bits != 8 && bits != 16) return cli_misuse(command, "--bits must be 8 or 16");
  if (!output) return cli_misuse(command, "-o PNG is needed");
  if (!ct_path_has_extension(output, "png"))
    return cli_misuse(command, "a slice is written as PNG: %s must end in .png", output);
  if (!cli_check_pose(command, &pose)) return CLI_MISUSED;
  if (pose.oblique && index >= 0) return cli_misuse(command, "--index is for axial, coronal and sagittal slices");
  if (!cli_check_apart(command, argv[optind], cli_links_description(anywhere), &output, 1)) return CLI_MISUSED;
  return write_cut(&(cut){argv[optind], output, axis, index, pose, (int)bits, low, high, anywhere}, quiet);
}

const cli_command cli_slice = {
    "slice",
    "[--axis A] [--index N | --tilt DEG --rotation DEG] [--bits 8|16] [--window LOW,HIGH] [--quiet] VOLUME -o PNG",
    "Writes one plane of a volume as a grey PNG with its pixel size. Up in the picture is +y in axial, +z in "
    "coronal and sagittal slices, and the steepest way up in oblique ones.",
    options,
    NULL,
    run,
};
