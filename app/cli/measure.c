/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli measure: regions, lines and angles on slices of a volume. */
#include "app/cli/measure.h"
#include "app/cli/source.h"
#include "recon/base/memory.h"
#include "recon/data/pitch.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CNR = 256, UNIT, SCALE, CSV };

static const cli_option options[] = {
    {'r', "rectangle", "[NAME=]PLANE:POSITION:X0,Y0,X1,Y1",
     "A rectangle by two opposite corners. PLANE is axial, coronal or sagittal (or z, y, x), POSITION the slice's "
     "place "
     "along its normal in mm, or mid. X and Y are mm along the slice's horizontal and vertical: (x, y) of an axial, "
     "(x, z) of a coronal, (y, z) of a sagittal slice."},
    {'e', "ellipse", "[NAME=]PLANE:POSITION:X0,Y0,X1,Y1", "The ellipse within such a rectangle."},
    {'p', "polygon", "[NAME=]PLANE:POSITION:X,Y,X,Y,X,Y,...", "A free region by its corners."},
    {'l', "line", "[NAME=]PLANE:POSITION:X0,Y0,X1,Y1[,THICKNESS]",
     "A line: its length, and of the profile along it, averaged over the thickness (mm), the full width at half "
     "maximum "
     "of its peak or dip; where it has none, of its edge: place, FWHM of the slope and the way from 10 to 90 %."},
    {'a', "angle", "[NAME=]PLANE:POSITION:X,Y,XV,YV,X,Y", "The angle at the middle point between the two others."},
    {CNR, "cnr", "A,B",
     "Contrast to noise of two regions by their names: |mean A - mean B| / sqrt((SD A^2 + SD B^2) / 2). May be "
     "repeated; of two regions alone it is told anyway."},
    {UNIT, "unit", "1/mm|1/cm|HU",
     "Unit of the values; default: that of the volume. HU where its file tells what they are (RabbitCT)."},
    {SCALE, "scale", "A=VALUE,B=VALUE[,UNIT]",
     "Values on the linear scale on which the means of two regions are these, for example air=-1000,water=0,HU."},
    {CSV, "csv", NULL, "Prints a table as CSV."},
    CLI_LINKS_OPTION,
    {'j', "json", NULL, "Prints JSON, with the profiles of lines."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

typedef struct request {
  cli_measured m;
  const char *contrasts[32];
  const char *scale;
  bool centimetres, hounsfield, told_unit, csv, json, quiet, anywhere;
} request;

static const cli_mark *find(const cli_measured *m, const char *name, size_t length) {
  for (size_t i = 0; i < m->mark_count; i++)
    if (strlen(m->marks[i].name) == length && !strncmp(m->marks[i].name, name, length)) return &m->marks[i];
  return NULL;
}

/* A region by its name, which ends before `end`; the message printed where there is none. */
static const cli_mark *find_region(const cli_command *command, const cli_measured *m, const char *option,
                                   const char *name, const char *end) {
  const cli_mark *mark = find(m, name, (size_t)(end - name));
  if (mark && cli_mark_is_region(mark)) return mark;
  cli_misuse(command, "%s: %s region \"%.*s\"", option, mark ? "a line or an angle is no" : "there is no",
             (int)(end - name), name);
  return NULL;
}

static bool read_contrast(const cli_command *command, const char *text, cli_measured *m) {
  const char *comma = strchr(text, ',');
  if (!comma) {
    cli_misuse(command, "--cnr takes the names of two regions, A,B, not \"%s\"", text);
    return false;
  }
  cli_contrast *c = &m->contrasts[m->contrast_count];
  c->a = find_region(command, m, "--cnr", text, comma);
  c->b = c->a ? find_region(command, m, "--cnr", comma + 1, text + strlen(text)) : NULL;
  m->contrast_count += c->b != NULL;
  return c->b;
}

/* Of what --cnr asks for, or of the only two regions. */
static bool choose_contrasts(const cli_command *command, request *r) {
  cli_measured *m = &r->m;
  const cli_mark *two[2];
  size_t regions = 0;
  for (size_t i = 0; r->contrasts[i]; i++)
    if (!read_contrast(command, r->contrasts[i], m)) return false;
  for (size_t i = 0; i < m->mark_count; i++)
    if (cli_mark_is_region(&m->marks[i])) {
      if (regions < 2) two[regions] = &m->marks[i];
      regions++;
    }
  if (!m->contrast_count && regions == 2) m->contrasts[m->contrast_count++] = (cli_contrast){two[0], two[1], NAN};
  return true;
}

typedef struct calibration {
  const cli_mark *marks[2];
  double values[2];
  const char *unit; /* "": none */
} calibration;

static bool read_calibration(const cli_command *command, const char *text, const cli_measured *m, calibration *c) {
  const char *at = text;
  c->unit = "";
  for (int n = 0; n < 2; n++) {
    const char *equals = strchr(at, '=');
    char *end = NULL;
    if (equals) c->values[n] = strtod(equals + 1, &end);
    if (!equals || end == equals + 1 || !isfinite(c->values[n]) || (n == 0 ? *end != ',' : *end && *end != ',')) {
      cli_misuse(command, "--scale takes A=VALUE,B=VALUE[,UNIT] with the names of two regions, not \"%s\"", text);
      return false;
    }
    if (!(c->marks[n] = find_region(command, m, "--scale", at, equals))) return false;
    at = *end ? end + 1 : end;
  }
  c->unit = at;
  return true;
}

/* The slice that was read last, as the volume holds it: marks mostly lie on one. */
typedef struct slice {
  ct_volume_reader *reader;
  ct_job *job;
  ct_volume *part;
  ct_plane plane;
  int index;
} slice;

static const float *read_slice(slice *s, ct_plane plane, int index, ct_error **error) {
  if (!s->part || s->plane != plane || s->index != index) {
    const ct_box box = ct_box_of_slice(&ct_volume_reader_facts(s->reader)->grid, plane, index);
    ct_volume_free(s->part);
    s->part = ct_volume_reader_box(s->reader, &box, s->job, error);
    s->plane = plane;
    s->index = index;
  }
  return s->part ? ct_volume_get_data(s->part) : NULL;
}

/* Values of a mark on its slice. */
static bool measure_mark(cli_mark *mark, slice *from, ct_error **error) {
  const ct_grid *grid = &ct_volume_reader_facts(from->reader)->grid;
  int width, height, count;
  ct_grid_plane_size(grid, mark->plane, &width, &height, &count);
  if (isnan(mark->position))
    mark->index = count / 2;
  else if (!ct_slice_at(grid, mark->plane, mark->position, &mark->index, error))
    return false;
  mark->position = ct_grid_plane_position(grid, mark->plane, mark->index);
  ct_slice_image image = ct_slice_image_of(grid, mark->plane);
  if (!(image.values = read_slice(from, mark->plane, mark->index, error))) return false;
  const double(*p)[2] = (const double(*)[2])mark->points;
  if (cli_mark_is_region(mark))
    return ct_region_measure(&image, &(ct_region){(ct_region_shape)mark->kind, mark->count, p}, &mark->region, error);
  if (mark->kind == CLI_MARK_ANGLE) {
    mark->angle = ct_angle_between(p[0], p[1], p[2]);
    return isfinite(mark->angle) || ct_error_set(error, CT_ERROR_ARGUMENT,
                                                 "An angle takes three points, the middle one apart from both others.");
  }
  const ct_measure_line line = {{p[0][0], p[0][1]}, {p[1][0], p[1][1]}, mark->thickness};
  mark->length = hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]);
  if (!ct_line_profile_make(&image, &line, &mark->profile, error)) return false;
  mark->widths = ct_line_widths_of(&mark->profile);
  return true;
}

static bool measure_all(cli_measured *m, ct_volume_reader *reader, ct_job *job, ct_error **error) {
  slice from = {.reader = reader, .job = job};
  bool good = true;
  for (size_t i = 0; i < m->mark_count && good; i++) {
    good = measure_mark(&m->marks[i], &from, error);
    if (!good) ct_error_prefix(error, "%s %s", cli_mark_id(m->marks[i].kind), m->marks[i].name);
  }
  ct_volume_free(from.part);
  for (size_t i = 0; i < m->contrast_count && good; i++)
    m->contrasts[i].value = ct_contrast_to_noise(&m->contrasts[i].a->region, &m->contrasts[i].b->region);
  return good;
}

static bool choose_unit(request *r, const calibration *c, ct_error **error) {
  cli_measured *m = &r->m;
  m->scale = (ct_value_scale){1, 0};
  if (r->scale) {
    snprintf(m->unit, sizeof m->unit, "%s", c->unit);
    return ct_value_scale_from(c->marks[0]->region.values.mean, c->values[0], c->marks[1]->region.values.mean,
                               c->values[1], &m->scale, error);
  }
  if (r->told_unit && ct_units_are_pixels(m->units))
    return ct_error_set(error, CT_ERROR_DATA,
                        "The pixel size was not known when the volume was made: its values are in %s.", m->units.value);
  snprintf(m->unit, sizeof m->unit, "%s", r->centimetres ? "1/cm" : m->units.value);
  if (r->centimetres) m->scale.factor = 10;
  if (r->hounsfield && strcmp(m->told.unit, "HU") != 0)
    return ct_error_set(error, CT_ERROR_DATA,
                        "--unit is HU, but the volume's file does not tell what Hounsfield units are of its values: "
                        "--scale tells it by two regions.");
  if (r->hounsfield) {
    m->scale = m->told.scale;
    snprintf(m->unit, sizeof m->unit, "HU");
  }
  return true;
}

/* Printed when nothing can interrupt it any more: all of it, or nothing. */
static int measure(request *r, const calibration *c) {
  ct_error *error = NULL;
  cli_measured *m = &r->m;
  cli_watch *watch = cli_watch_begin(r->quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  ct_volume_reader *reader = ct_volume_reader_open(m->path, r->anywhere, &error);
  if (reader) m->units = ct_volume_reader_units(reader);
  if (reader) m->told = ct_volume_reader_scale(reader);
  bool good = reader && measure_all(m, reader, cli_watch_job(watch), &error) && choose_unit(r, c, &error);
  ct_volume_reader_free(reader);
  cli_watch_end(watch);
  if (good && r->json)
    good = cli_print_measured_json(m, &error);
  else if (good && r->csv)
    cli_print_measured_csv(m);
  else if (good)
    cli_print_measured(m);
  return good ? CLI_DONE : cli_failure(m->path, &error);
}

static bool add_mark(const cli_command *command, cli_mark_kind kind, const char *value, cli_measured *m) {
  cli_mark *mark = &m->marks[m->mark_count];
  if (!cli_mark_read(command, kind, value, m->mark_count + 1, mark)) return false;
  const bool twice = find(m, mark->name, strlen(mark->name));
  m->mark_count++; /* its points are freed with the others */
  if (twice) cli_misuse(command, "two of what is measured are called \"%s\"", mark->name);
  return !twice;
}

static bool read_option(const cli_command *command, int letter, const char *value, request *r) {
  size_t n = 0;
  switch (letter) {
  case 'r':
    return add_mark(command, CLI_MARK_RECTANGLE, value, &r->m);
  case 'e':
    return add_mark(command, CLI_MARK_ELLIPSE, value, &r->m);
  case 'p':
    return add_mark(command, CLI_MARK_POLYGON, value, &r->m);
  case 'l':
    return add_mark(command, CLI_MARK_LINE, value, &r->m);
  case 'a':
    return add_mark(command, CLI_MARK_ANGLE, value, &r->m);
  case CNR:
    while (r->contrasts[n]) n++;
    if (n + 1 < sizeof r->contrasts / sizeof *r->contrasts) {
      r->contrasts[n] = value;
      return true;
    }
    cli_misuse(command, "--cnr may be given %zu times", n);
    return false;
  case UNIT:
    r->told_unit = true;
    r->centimetres = !strcmp(value, "1/cm");
    r->hounsfield = !strcmp(value, "HU");
    if (r->centimetres || r->hounsfield || !strcmp(value, "1/mm")) return true;
    cli_misuse(command, "--unit is 1/mm, 1/cm or HU, not \"%s\"", value);
    return false;
  case SCALE:
    r->scale = value;
    return true;
  case CLI_LINKS:
    return cli_take_links(command, value, &r->anywhere);
  case CSV:
    return r->csv = true;
  case 'j':
    return r->json = true;
  default:
    return r->quiet = true;
  }
}

static int read_request(const cli_command *command, int argc, char **argv, request *r, calibration *c) {
  const char *value;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, r)) return r->m.marks[r->m.mark_count].starved ? CLI_FAILED : CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_HELPED : CLI_MISUSED;
  if (argc - optind != 1) return cli_misuse(command, "one volume is needed");
  if (!r->m.mark_count)
    return cli_misuse(command,
                      "nothing is to be measured: give a --rectangle, --ellipse, --polygon, --line or --angle");
  if (r->scale && r->told_unit) return cli_misuse(command, "--unit and --scale contradict each other");
  if (r->csv && r->json) return cli_misuse(command, "--csv and --json contradict each other");
  r->m.path = argv[optind];
  if (r->scale && !read_calibration(command, r->scale, &r->m, c)) return CLI_MISUSED;
  return choose_contrasts(command, r) ? CLI_DONE : CLI_MISUSED;
}

static int run(const cli_command *command, int argc, char **argv) {
  ct_error *error = NULL;
  cli_contrast contrasts[32];
  request r = {.m = {.contrasts = contrasts}};
  calibration c = {0};
  r.m.marks = ct_alloc_zero((size_t)argc, sizeof *r.m.marks, "what is measured", &error);
  if (!r.m.marks) return cli_failure(NULL, &error);
  int status = read_request(command, argc, argv, &r, &c);
  if (status == CLI_DONE) status = measure(&r, &c);
  for (size_t i = 0; i < r.m.mark_count; i++) {
    ct_free(r.m.marks[i].points);
    ct_line_profile_clear(&r.m.marks[i].profile);
  }
  ct_free(r.m.marks);
  return status == CLI_HELPED ? CLI_DONE : status;
}

const cli_command cli_measure = {
    "measure",
    "VOLUME [--rectangle R]... [--ellipse R]... [--polygon R]... [--line L]... [--angle A]... [--csv | --json]",
    "Measures on slices of a volume: mean, standard deviation, least and largest value and area of regions, contrast "
    "to "
    "noise of two, widths of edges and peaks along lines, distances and angles. Places are in mm, so that they hold on "
    "any grid. A voxel belongs to a region where its centre does.",
    options,
    NULL,
    run,
};
