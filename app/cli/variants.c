/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli variants: a grid of plans over one scan, in a table. */
#include "app/backend.h"
#include "app/cli/cli.h"
#include "app/cli/source.h"
#include "app/example.h"
#include "app/variants-picture.h"
#include "app/variants-run.h"
#include "app/variants-table.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/path.h"
#include "recon/base/units.h"
#include "recon/io/io.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { VARY = 256, REFERENCE, SLICE, VOLUME, REPEAT, SORT, PICTURE, KEEP };

static const cli_option options[] = {
    {'p', "plan", "FILE", "Plan to begin with, as of reconstruct; default: all defaults."},
    {'s', "set", "KEY=VALUE", "Changes one parameter of the plan for all variants; may be repeated."},
    {VARY, "vary", "KEY=A,B,C",
     "A parameter of the plan and the values that it takes; repeated, every combination is run. Keys and values are "
     "those of reconstruct --help."},
    {REFERENCE, "reference", "WHAT",
     "What errors are taken against: textbook (kernel textbook, float64, linear interpolation), first (the first "
     "variant), KEY=VALUE,... upon the plan (also behind one of the two, after a comma), or the file of a volume; "
     "default: textbook."},
    {SLICE, "slice", "AXIS:INDEX", "One slice of each alone: axial, coronal or sagittal and an index, or mid."},
    {VOLUME, "volume", NULL, "The whole volume of each, as without --slice."},
    {REPEAT, "repeat", "N", "Runs each N times, of which the quickest counts; default: 1."},
    {SORT, "sort", "COLUMN", "Orders the table by a column of --json, from small to large; behind a '-' from large."},
    {'o', "output", "TABLE",
     "Also writes the table: .csv, .json, or .md for Markdown. Written at the end, also of a run that was "
     "interrupted."},
    {PICTURE, "picture", "FILE.svg", "Also draws time against error."},
    {KEEP, "keep", "FOLDER", "Also writes the volumes into a folder, named by their rows, as output.format says."},
    CLI_SOURCE_OPTIONS,
    {'j', "json", NULL, "Prints the table as JSON, with the plan and the warnings of each row."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

typedef struct request {
  const char *scan, *output, *picture, *keep;
  cli_source source;
  const char *reference;
  const char *axes[GANTRY_AXES_MOST + 1];
  size_t axis_count;
  const gantry_column *sort;
  bool descending, json, quiet;
  ct_plan plan;
  gantry_variants_request run;
} request;

/* What one run works with. */
typedef struct session {
  const request *r;
  gantry_variants variants;
  gantry_variants_request run;
  ct_plan reference;
  ct_volume *volume; /* a reference from a file */
  cli_watch *watch;
  char frozen[GANTRY_FROZEN_TEXT];
  size_t begun;
} session;

static void tell_begin(void *user, size_t row, const char *name) {
  session *s = user;
  char text[CT_PLAN_NAME + 80];
  if (row < s->variants.count)
    snprintf(text, sizeof text, "%zu of %zu: %s", ++s->begun, s->variants.count, name);
  else
    snprintf(text, sizeof text, "%s", name);
  cli_watch_say(s->watch, text);
}

static void tell_end(void *user, size_t row) {
  session *s = user;
  if (row >= s->variants.count) return;
  const gantry_variant *v = &s->variants.rows[row];
  char text[CT_PLAN_NAME + 900], time[48], error[48];
  if (v->state == GANTRY_VARIANT_FAILED)
    snprintf(text, sizeof text, "  %.800s", v->reason ? v->reason : "failed");
  else
    snprintf(text, sizeof text, "  %s, kernel %s%s%s", ct_format_duration(v->seconds, time, sizeof time), v->kernel,
             v->compared ? ", relative RMSE " : "",
             v->compared ? ct_format_number(v->metrics.relative_rmse, 3, error, sizeof error) : "");
  cli_watch_say(s->watch, text);
}

/* "FOLDER/03 nearest, half.mha": no other characters than most file systems take. */
static char *path_for(const session *s, size_t row, const ct_format *format, ct_error **error) {
  char name[CT_PLAN_NAME + 40], extension[16];
  snprintf(extension, sizeof extension, "%.*s", (int)strcspn(format->extensions, " "), format->extensions);
  snprintf(name, sizeof name, "%02zu %s.%s", row + 1, s->variants.rows[row].name, extension);
  for (char *c = name; *c; c++)
    if (strchr("/\\:*?\"<>|", *c)) *c = '-';
  return ct_path_join(s->r->keep, name, error);
}

static bool keep(void *user, size_t row, const ct_volume *volume, ct_error **error) {
  const session *s = user;
  const ct_plan *plan = &s->variants.rows[row].plan;
  const ct_format *format = ct_format_find(plan->format);
  if (!s->r->keep) return true;
  const ct_write_options write = {
      .samples = (ct_samples)plan->samples, .low = plan->low, .high = plan->high, .compress = plan->compress != 0};
  char *path = format ? path_for(s, row, format, error) : NULL;
  const bool good = path && ct_volume_write_as(format, path, volume, &write, cli_watch_job(s->watch), error);
  ct_free(path);
  return good;
}

static const char *reference_words(const request *r) {
  return strcmp(r->reference, "textbook") ? r->reference : "kernel textbook, float64, linear interpolation";
}

static bool write_outputs(const session *s, const size_t *order, ct_error **error) {
  const request *r = s->r;
  const gantry_table_head head = {r->scan, reference_words(r), s->frozen};
  bool good = true;
  if (r->output) {
    char *text = ct_path_has_extension(r->output, "md")     ? gantry_variants_markdown(&s->variants, order, error)
                 : ct_path_has_extension(r->output, "json") ? gantry_variants_json(&s->variants, &head, order, error)
                                                            : gantry_variants_csv(&s->variants, &head, order, error);
    good = text && ct_output_write_text(r->output, text, error);
    ct_free(text);
  }
  if (!good || !r->picture) return good;
  char *text = gantry_variants_picture(&s->variants, ct_path_name(r->scan), error);
  good = text && ct_output_write_text(r->picture, text, error);
  ct_free(text);
  return good;
}

static bool print_table(const session *s, const size_t *order, ct_error **error) {
  const request *r = s->r;
  const gantry_table_head head = {r->scan, reference_words(r), s->frozen};
  if (!r->json) {
    if (s->frozen[0]) printf("%s: the first variant's automatic values, for all\n", s->frozen);
    printf("errors against %s\n\n", head.reference);
    gantry_variants_print(&s->variants, order, false, stdout);
    return true;
  }
  char *text = gantry_variants_json(&s->variants, &head, order, error);
  if (text) puts(text);
  ct_free(text);
  return text;
}

static bool any_done(const gantry_variants *variants) {
  for (size_t i = 0; i < variants->count; i++)
    if (variants->rows[i].state != GANTRY_VARIANT_WAITING) return true;
  return false;
}

/* The table of what was done is kept, whether the rest was or not. */
static int report(const session *s, bool complete, ct_error **fault) {
  ct_error *error = NULL;
  size_t *order = ct_alloc(s->variants.count, sizeof *order, "the table", &error);
  bool good = order;
  if (good && (complete || any_done(&s->variants))) {
    gantry_variants_order(&s->variants, s->r->sort, s->r->descending, order);
    good = print_table(s, order, &error) && write_outputs(s, order, &error);
  }
  ct_free(order);
  if (!good) {
    ct_error_clear(fault);
    return cli_failure(NULL, &error);
  }
  if (complete) return gantry_variants_failed(&s->variants) ? CLI_FAILED : CLI_DONE;
  if (!any_done(&s->variants) || (*fault)->code != CT_ERROR_CANCELLED) return cli_failure(s->r->scan, fault);
  fprintf(stderr, "gantry-cli: interrupted; the table holds what was done until then\n");
  ct_error_clear(fault);
  return CLI_FAILED;
}

static bool check_outputs(const request *r, ct_error **error) {
  const ct_format *format = ct_format_find(r->plan.format);
  if (r->keep && mkdir(r->keep, 0777) != 0 && errno != EEXIST)
    return ct_error_set_errno(error, errno, "Cannot make the folder %s", r->keep);
  if (r->keep && !(format && ct_format_can(format, CT_FORMAT_WRITE_VOLUME)))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "\"%s\" is no format for volumes.", r->plan.format);
  return (!r->output || cli_check_output(r->output, error)) && (!r->picture || cli_check_output(r->picture, error));
}

/* A reference is a volume's file where there is one of that name, else words. */
static bool read_reference(session *s, ct_error **error) {
  const char *text = s->r->reference;
  if (!strchr(text, '=') && ct_path_exists(text)) {
    s->volume = ct_volume_read_allowed(text, cli_source_leads_anywhere(&s->r->source), cli_watch_job(s->watch), error);
    s->run.reference_volume = s->volume;
    return s->volume;
  }
  s->run.reference = &s->reference;
  return true;
}

static int run_with_backend(session *s, const ct_backend *backend) {
  const request *r = s->r;
  ct_error *error = NULL;
  if (!gantry_variants_check(&s->variants, &s->reference, backend, &error) || !check_outputs(r, &error))
    return cli_failure(NULL, &error);
  s->watch = cli_watch_begin(r->quiet, &error);
  if (!s->watch) return cli_failure(NULL, &error);
  ct_job *job = cli_watch_job(s->watch);
  const gantry_variants_watcher watcher = {s, tell_begin, keep, tell_end};
  ct_scan *scan = read_reference(s, &error) ? gantry_open_scan(r->scan, r->source.description, job, &error) : NULL;
  const bool complete =
      scan && gantry_variants_run(&s->variants, &s->run, scan, backend, &watcher, s->frozen, job, &error);
  ct_scan_free(scan);
  ct_volume_free(s->volume);
  cli_watch_end(s->watch);
  return report(s, complete, &error);
}

static int run_variants(const cli_command *command, const request *r) {
  ct_error *error = NULL;
  session s = {.r = r, .run = r->run};
  bool good = gantry_variants_init(&s.variants, &r->plan, r->axes, r->axis_count, &error);
  const bool file = good && !strchr(r->reference, '=') && ct_path_exists(r->reference);
  if (good && !file && !gantry_variants_reference(&s.variants, r->reference, &s.reference, &error)) {
    ct_error_prefix(&error, "--reference %s", r->reference);
    good = false;
  } else if (good && file) {
    s.reference = r->plan;
  }
  gantry_backend *backend = NULL;
  int status = CLI_MISUSED;
  if (!good) {
    status = cli_refuse(command, &error);
  } else if (!(backend = gantry_backend_new(r->plan.device, &error))) {
    status = cli_failure(NULL, &error);
  } else {
    cli_tell_note(backend);
    status = run_with_backend(&s, gantry_backend_get(backend));
    gantry_backend_free(backend);
  }
  gantry_variants_clear(&s.variants);
  return status;
}

static bool read_sort(const cli_command *command, const char *text, request *r) {
  r->descending = *text == '-';
  r->sort = gantry_column_find(text + r->descending);
  if (r->sort) return true;
  char list[300] = "";
  size_t count;
  const gantry_column *columns = gantry_columns(&count);
  for (size_t i = 0; i < count; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", columns[i].key);
  cli_misuse(command, "--sort: there is no column \"%s\"; there are %s", text, list);
  return false;
}

static bool read_repeat(const cli_command *command, const char *text, request *r) {
  long long number;
  if (!cli_read_int(command, "--repeat", text, 1, 1000, &number)) return false;
  r->run.repeat = (int)number;
  return true;
}

static bool read_text_option(const cli_command *command, int letter, const char *value, request *r) {
  const char **texts[] = {['o'] = &r->output, [REFERENCE] = &r->reference, [PICTURE] = &r->picture, [KEEP] = &r->keep};
  if (letter != 'o') {
    *texts[letter] = value;
    return true;
  }
  r->output = value;
  if (ct_path_has_extension(value, "csv json md")) return true;
  cli_misuse(command, "%s: a table is written as .csv, .json or .md", value);
  return false;
}

static bool read_option(const cli_command *command, int letter, const char *value, request *r) {
  bool good = true;
  if (cli_take_source(command, letter, value, &r->source, &good)) return good;
  switch (letter) {
  case 'p':
    return true; /* read before all others */
  case 's':
    return cli_set_parameter(command, value, &r->plan);
  case 'j':
    return r->json = true;
  case 'q':
    return r->quiet = true;
  case VARY:
    if (r->axis_count < GANTRY_AXES_MOST + 1) r->axes[r->axis_count++] = value;
    return true;
  case SLICE:
    r->run.one_slice = true;
    return cli_read_slice(command, value, &r->run.plane, &r->run.index);
  case VOLUME:
    r->run.one_slice = false;
    return true;
  case REPEAT:
    return read_repeat(command, value, r);
  case SORT:
    return read_sort(command, value, r);
  default:
    return read_text_option(command, letter, value, r);
  }
}

static int read_plan(const cli_command *command, int argc, char **argv, request *r) {
  const char *value;
  int letter;
  ct_identity input = {0};
  ct_plan_init(&r->plan);
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    ct_error *error = NULL;
    if (letter != 'p') continue;
    ct_identity_clear(&input);
    if (!cli_load_plan(value, &r->plan, &input, &error)) return cli_failure(value, &error);
  }
  ct_identity_clear(&input);
  optind = 0; /* starts getopt anew */
  return letter == CLI_HELPED ? CLI_HELPED : letter == CLI_BAD ? CLI_MISUSED : CLI_DONE;
}

static int run(const cli_command *command, int argc, char **argv) {
  request r = {.reference = "textbook", .run = {.index = -1, .repeat = 1}};
  const char *value;
  int letter;
  const int begun = read_plan(command, argc, argv, &r);
  if (begun != CLI_DONE) return begun == CLI_HELPED ? CLI_DONE : begun;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, &r)) return CLI_MISUSED;
  if (letter != CLI_END) return CLI_MISUSED;
  if (argc - optind != 1) return cli_misuse(command, "one scan is needed, or the word example");
  r.scan = argv[optind];
  ct_error *error = NULL;
  if (!cli_finish_source(&r.source, r.scan, &error)) return cli_failure(r.scan, &error);
  const char *const outputs[] = {r.output, r.picture};
  const int status =
      cli_check_apart(command, strcmp(r.scan, "example") ? r.scan : NULL, r.source.description, outputs, 2) &&
              cli_check_apart(command, r.reference, cli_links_description(cli_source_leads_anywhere(&r.source)),
                              outputs, 2)
          ? run_variants(command, &r)
          : CLI_MISUSED;
  cli_clear_source(&r.source);
  return status;
}

const cli_command cli_variants_command = {
    "variants",
    "SCAN --vary KEY=A,B,C [--vary ...] [--set KEY=VALUE]... [--reference WHAT] [--slice AXIS:INDEX] [-o TABLE]",
    "Reconstructs a scan by every combination of the values given and tells of each the kernel used, time, speed, and "
    "error against a reference in one table. What the combinations have in common is read, corrected and filtered "
    "once; automatic values that do not vary are those of the first. One that fails is a row with the reason, and the "
    "status is 1 then. Ctrl+C keeps the table of what was done.",
    options,
    NULL,
    run,
};
