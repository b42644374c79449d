/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli simulate: exact projections of a phantom as a scan file, with what goes wrong in life, and the phantom
 * itself as a volume. */
#include "app/cli/cli.h"
#include "app/object.h"
#include "app/cli/source.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/path.h"
#include "recon/base/shown.h"
#include "recon/base/text.h"
#include "recon/base/units.h"
#include "recon/geom/curved.h"
#include "recon/geom/questions.h"
#include "recon/io/io.h"
#include "recon/phantom/simulation.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

enum {
  DETECTOR = 256,
  SHAPE,
  OBJECT,
  COUNTS,
  SEED,
  TRUTH,
  NUMBER /* of row n: NUMBER + n */
};

#define NUMBER_OF(member, ...) ROW_##member,
enum {
  CT_SIMULATION_NUMBERS(NUMBER_OF, NUMBER_OF, NUMBER_OF, NUMBER_OF, NUMBER_OF, NUMBER_OF) NUMBERS,
  IMPERFECTION = NUMBER + NUMBERS /* of row n: IMPERFECTION + n */
};
enum { CT_IMPERFECTIONS(NUMBER_OF, NUMBER_OF) IMPERFECTIONS };

#define OPTION_OF(member, id, unit, low, high, least, reach, title, explanation)                                       \
  {IMPERFECTION + ROW_##member, id, unit, explanation},
#define COUNT_OF(member, id, unit, low, high, standard, title, explanation, needs)                                     \
  {NUMBER + ROW_##member, id, "N", explanation "; default: " #standard "."},
#define REAL_OF(member, id, unit, low, high, standard, title, explanation, needs)                                      \
  {NUMBER + ROW_##member, id, unit, explanation "; default: " #standard "."},
#define AUTO_OF(member, id, unit, low, high, standard, title, explanation, automatic, needs)                           \
  {NUMBER + ROW_##member, id, unit, explanation "; default: " automatic "."},

static const cli_option options[] = {
    {'p', "phantom", "NAME", "The object, see below; default: shepp-logan-3d."},
    {OBJECT, "object", "VOLUME",
     "A volume in place of a phantom: any file that Gantry reads, values in 1/mm; or a picture, which fills "
     "the field of view, its brightest pixel being --mu; of colours the luminance, over black."},
    {'g', "geometry", "BEAM", "The beam, see below; default: cone."},
    {DETECTOR, "detector", "UxV", "Columns and rows of the detector in one."},
    {SHAPE, "detector-shape", "SHAPE",
     "flat, or curved: pixels at equal angles on a cylinder about the source, fan and cone, phantoms alone; "
     "default: flat."},
    CT_SIMULATION_NUMBERS(COUNT_OF, REAL_OF, REAL_OF, AUTO_OF, AUTO_OF,
                          AUTO_OF){COUNTS, "counts", NULL,
                                   "Raw counts with ten flats and ten darks instead of line integrals. Gain, "
                                   "drift, dead pixels and columns, and zingers imply it."},
    {SEED, "seed", "N", "Which noise; the same seed gives the same scan; default: 1."},
    {TRUTH, "truth", "VOLUME",
     "Also writes the phantom itself, voxelised on the grid that reconstruct takes by default."},
    CLI_LINKS_OPTION,
    {'q', "quiet", NULL, "No progress."},
    {'o', "output", "SCAN.h5", "The Data Exchange HDF5 file to write."},
    CT_IMPERFECTIONS(OPTION_OF, OPTION_OF){0},
};

typedef struct request {
  ct_simulation simulation;
  const char *output, *truth, *object;
  const char *of_phantom; /* the last option given that --object leaves without effect; NULL: none */
  bool named;             /* the phantom, by an option */
  bool filtered;          /* a filter was given */
  bool anywhere;          /* the object may take its values from there */
  bool quiet;
} request;

static void list_names(FILE *to) {
  int beams;
  const ct_beam_kind *kinds = ct_beam_kinds(&beams);
  fputs("\nBeams:\n", to);
  for (int i = 0; i < beams; i++)
    if (ct_beam_promises(kinds[i].beam, CT_TRAIT_CIRCULAR)) fprintf(to, "  %s: %s\n", kinds[i].id, kinds[i].title);
  size_t count;
  const ct_phantom *phantoms = ct_phantoms(&count);
  fputs("\nPhantoms:\n", to);
  for (size_t i = 0; i < count; i++) {
    fprintf(to, "  %s: %s\n", phantoms[i].id, phantoms[i].title);
    cli_print_wrapped(to, 10, phantoms[i].explanation);
  }
}

static bool read_phantom(const cli_command *command, const char *text, const ct_phantom **phantom) {
  *phantom = ct_phantom_find(text);
  if (*phantom) return true;
  size_t count, used = 0;
  char names[512] = "";
  const ct_phantom *phantoms = ct_phantoms(&count);
  for (size_t i = 0; i < count && used < sizeof names; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", phantoms[i].id);
  cli_misuse(command, "there is no phantom \"%s\"; there are %s", text, names);
  return false;
}

static bool read_beam(const cli_command *command, const char *text, ct_beam *beam) {
  const ct_beam_kind *kind = ct_beam_find(text);
  if (kind && ct_beam_promises(kind->beam, CT_TRAIT_CIRCULAR)) {
    *beam = kind->beam;
    return true;
  }
  char beams[128];
  cli_misuse(command, "--geometry must be %s, not \"%s\"", ct_simulation_beams(beams, sizeof beams), text);
  return false;
}

static bool read_detector(const cli_command *command, const char *text, ct_simulation *s) {
  int used = 0;
  if (sscanf(text, "%dx%d%n", &s->nu, &s->nv, &used) == 2 && !text[used] && s->nu > 0 && s->nv > 0 && s->nu <= 65536 &&
      s->nv <= 65536)
    return true;
  cli_misuse(command, "--detector must be COLUMNSxROWS, 1..65536 each, not \"%s\"", text);
  return false;
}

static bool read_number(const cli_command *command, int row, const char *text, request *r) {
  size_t count;
  const ct_simulation_number *number = ct_simulation_numbers(&count) + row;
  char option[32];
  long long whole;
  double value = 0;
  snprintf(option, sizeof option, "--%s", number->id);
  if (number->needs & CT_SIMULATED_SHAPE) {
    const char *const names[] = {[ROW_radius] = "--radius", [ROW_mu] = "--mu", [ROW_sub] = "--sub"};
    r->of_phantom = names[row];
  }
  if (!number->whole) {
    if (!cli_read_real(command, option, text, number->low, number->high, &value)) return false;
  } else {
    if (!cli_read_int(command, option, text, (long long)number->low, (long long)number->high, &whole)) return false;
    value = (double)whole;
  }
  ct_simulation_set(&r->simulation, number, value);
  return true;
}

static bool read_imperfection(const cli_command *command, int number, const char *text, ct_imperfections *o) {
  size_t count;
  const ct_imperfection *row = ct_imperfection_rows(&count) + number;
  char option[32];
  snprintf(option, sizeof option, "--%s", row->id);
  double *value = (double *)((char *)o + row->offset);
  if (!cli_read_real(command, option, text, row->low, row->high, value)) return false;
  o->counts = o->counts || (row->counts && *value > 0);
  return true;
}

static bool read_option(const cli_command *command, int letter, const char *value, request *r) {
  ct_simulation *s = &r->simulation;
  long long number = 0;
  bool good = true;
  if (letter == 'p') r->of_phantom = "--phantom", r->named = true;
  r->filtered = r->filtered || letter == IMPERFECTION + ROW_aluminium || letter == IMPERFECTION + ROW_copper;
  if (letter == CLI_LINKS) return cli_take_links(command, value, &r->anywhere);
  if (letter >= IMPERFECTION) return read_imperfection(command, letter - IMPERFECTION, value, &s->imperfections);
  if (letter >= NUMBER) return read_number(command, letter - NUMBER, value, r);
  switch (letter) {
  case 'p':
    return read_phantom(command, value, &s->phantom);
  case OBJECT:
    r->object = value;
    return true;
  case 'g':
    return read_beam(command, value, &s->beam);
  case DETECTOR:
    return read_detector(command, value, s);
  case SHAPE:
    s->curved = strcmp(value, "curved") == 0;
    if (s->curved || strcmp(value, "flat") == 0) return true;
    cli_misuse(command, "--detector-shape must be flat or curved, not \"%s\"", value);
    return false;
  case COUNTS:
    s->imperfections.counts = true;
    return true;
  case SEED:
    good = cli_read_int(command, "--seed", value, 0, INT64_MAX, &number);
    s->imperfections.seed = (uint64_t)number;
    return good;
  case TRUTH:
    r->truth = value;
    return true;
  case 'o':
    r->output = value;
    return true;
  case 'q':
    r->quiet = true;
    return true;
  }
  return false;
}

/* The grid that reconstruct takes. */
static bool natural_grid(ct_simulation *s, ct_geometry *g, ct_grid *grid, ct_error **error) {
  int first[2];
  if (!ct_simulation_geometry(s, g, error)) return false;
  if (s->curved) {
    ct_geometry flat = *g;
    if (!ct_curved_flatten(&flat, first, error)) {
      ct_geometry_clear(g);
      return false;
    }
    *grid = ct_grid_natural(&flat);
  } else {
    *grid = ct_grid_natural(g);
  }
  return true;
}

/* The scan is made in memory, and the phantom beside it. */
static bool check_memory(const request *r, ct_error **error) {
  ct_simulation s = r->simulation;
  ct_geometry g;
  char need[32], have[32];
  ct_grid grid;
  if (!natural_grid(&s, &g, &grid, error)) return false;
  const double bytes = ct_simulation_bytes(&s, &g) + (r->truth ? 4.0 * grid.nx * grid.ny * grid.nz : 0);
  const double available = (double)ct_memory_available();
  ct_geometry_clear(&g);
  return available <= 0 || bytes <= available ||
         ct_error_set(error, CT_ERROR_MEMORY,
                      "The simulation needs %s of memory and %s are free: take fewer views or pixels.",
                      ct_format_bytes(bytes, need, sizeof need), ct_format_bytes(available, have, sizeof have));
}

static bool write_truth(const request *r, ct_job *job, ct_error **error) {
  ct_simulation s = r->simulation;
  ct_geometry geometry;
  ct_grid grid;
  if (!natural_grid(&s, &geometry, &grid, error)) return false;
  ct_geometry_clear(&geometry);
  ct_volume *volume = ct_simulation_truth(&s, &grid, job, error);
  const bool good = volume && ct_volume_write(r->truth, volume, NULL, job, error);
  ct_volume_free(volume);
  return good;
}

/* What was being made when it failed is named by *at_fault, what is whole already by *whole. */
static bool make_all(const request *r, ct_job *job, const char **at_fault, const char **whole, ct_error **error) {
  ct_simulation s = r->simulation;
  ct_volume *object = NULL;
  if (r->object) {
    *at_fault = r->object;
    if (!(object = gantry_object_read(r->object, r->anywhere, &s, job, error))) return false;
    s.object = object;
    *at_fault = NULL;
  }
  ct_scan *scan = ct_simulate(&s, r->object ? r->object : s.phantom->id, job, error);
  ct_volume_free(object);
  bool good = scan != NULL;
  if (good && r->truth) {
    *at_fault = r->truth;
    good = write_truth(r, job, error);
    if (good) *whole = r->truth;
  }
  if (good) {
    *at_fault = r->output;
    good = ct_scan_write(r->output, scan, job, error);
  }
  ct_scan_free(scan);
  return good;
}

static int simulate(const request *r) {
  ct_error *error = NULL;
  const char *at_fault = NULL, *whole = NULL;
  if (!cli_check_output(r->output, &error) ||
      (r->truth && !cli_check_volume(ct_format_for_writing(r->truth, NULL), r->truth, &error)) ||
      !check_memory(r, &error))
    return cli_failure(NULL, &error);
  cli_watch *watch = cli_watch_begin(r->quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  const bool good = make_all(r, cli_watch_job(watch), &at_fault, &whole, &error);
  cli_watch_end(watch);
  if (good) return CLI_DONE;
  if (whole && error && error->code == CT_ERROR_CANCELLED) {
    char shown[CT_SHOWN];
    fprintf(stderr, "gantry-cli: interrupted, only %s is written\n", ct_shown(whole, shown, sizeof shown));
    ct_error_clear(&error);
    return CLI_FAILED;
  }
  if (whole) ct_error_prefix(&error, "%s is written, but the scan is not", whole);
  return cli_failure(at_fault, &error);
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value;
  request r = {0};
  int letter;
  ct_simulation_init(&r.simulation);
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, &r)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc == optind + 1 && !r.named && !r.object) {
    if (!read_option(command, 'p', argv[optind], &r)) return CLI_MISUSED;
  } else if (argc != optind) {
    return cli_misuse(command, "\"%s\" is one word too many", argv[optind]);
  }
  if (!r.output) return cli_misuse(command, "-o SCAN.h5 is needed");
  ct_error *error = NULL;
  if (!ct_format_for_writing_scan(r.output, &error) || (r.truth && !ct_format_for_writing(r.truth, &error)))
    return cli_refuse(command, &error);
  if (r.object && r.of_phantom && !gantry_object_is_picture(r.object))
    return cli_misuse(command, "%s is for phantoms: --object has its own size and values", r.of_phantom);
  if (r.filtered && !(r.simulation.imperfections.kilovolts > 0))
    return cli_misuse(command, "filters change a tube's spectrum: they need --voltage");
  if (r.simulation.feed != 0 && !ct_beam_takes(r.simulation.beam, CT_TAKES_FEED))
    return cli_misuse(command, "--feed makes a spiral of a cone beam, not of %s", ct_beam_title(r.simulation.beam));
  if (r.simulation.table_step != 0 && !ct_beam_takes(r.simulation.beam, CT_TAKES_FEED))
    return cli_misuse(command, "--table-step makes a sequence of a cone beam, not of %s",
                      ct_beam_title(r.simulation.beam));
  if (r.simulation.curved && (r.object || !ct_beam_takes(r.simulation.beam, CT_TAKES_DISTANCES)))
    return cli_misuse(command, "--detector-shape curved is for phantoms in fan and cone beam");
  if (r.object && r.truth) return cli_misuse(command, "--truth is for phantoms: of --object it is that volume itself");
  if (!cli_check_apart(command, r.object, cli_links_description(r.anywhere), (const char *const[]){r.output, r.truth},
                       2))
    return CLI_MISUSED;
  return simulate(&r);
}

const cli_command cli_simulate = {
    "simulate",
    "[PHANTOM] [--geometry BEAM] [options] -o SCAN.h5",
    "Simulates a scan: exact line integrals of an analytic phantom, or raw counts, with noise, beam hardening, "
    "scatter, "
    "blur, motion and a detector's faults if asked for. Without options it is the built-in example.",
    options,
    list_names,
    run,
};
