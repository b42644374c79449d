/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options and their help from one table, strict numbers, and the messages of failures. */
#include "app/cli/cli.h"

#include "recon/base/shown.h"
#include "recon/base/untold.h"
#include "recon/io/io.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 48, HELP = 1000, WIDTH = 100 };

/* A size_t holds these, and no machine has them. */
#define MOST_BYTES 1e18

/* Whether a long option, cut short, could be several. */
static bool is_ambiguous(const cli_command *command, const char *text) {
  const size_t length = strcspn(text + 2, "=");
  int count = 0;
  for (const cli_option *o = command->options; o->name; o++) count += !strncmp(o->name, text + 2, length);
  return count > 1;
}

/* Whether getopt knows the option of this letter: then it has only been given a value that it does not take. */
static bool is_known(const cli_command *command, int letter) {
  const cli_option *o = command->options;
  while (o->name && o->letter != letter) o++;
  return o->name || letter == 'h' || letter == HELP;
}

int cli_misuse(const cli_command *command, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char text[2048], shown[sizeof text];
  vsnprintf(text, sizeof text, format, args);
  fprintf(stderr, "gantry-cli: %s: %s (see gantry-cli %s --help)\n", command->name, ct_shown(text, shown, sizeof shown),
          command->name);
  va_end(args);
  return CLI_MISUSED;
}

/* Errors about one file begin with its name. */
static bool names_file(const char *fault) {
  return !strncmp(fault, "Cannot open ", 12) || !strncmp(fault, "Cannot write ", 13);
}

/* The reason in "Cannot open FILE: reason", else NULL: messages begin with the file. */
static const char *cannot_open(const char *fault, const char *file) {
  static const char prefix[] = "Cannot open ";
  const size_t length = strlen(file);
  if (strncmp(fault, prefix, strlen(prefix)) != 0) return NULL;
  const char *name = fault + strlen(prefix);
  return !strncmp(name, file, length) && !strncmp(name + length, ": ", 2) ? name + length + 2 : NULL;
}

int cli_failure(const char *path, ct_error **error) {
  char shown[CT_SHOWN];
  const char *file = path ? ct_shown(path, shown, sizeof shown) : NULL; /* as messages have it */
  const char *fault = error && *error ? (*error)->message : "failed for an unknown reason";
  const char *advice = cli_advice(fault, error && *error && (*error)->code == CT_ERROR_ELSEWHERE);
  /* What then goes wrong may follow from it. */
  char what[CT_UNTOLD], before[CT_UNTOLD + 32] = "";
  if (ct_untold(what) && !(error && *error && (*error)->code == CT_ERROR_MEMORY) && !strstr(fault, what))
    snprintf(before, sizeof before, " Before that: %s.", what);
  if (error && *error && (*error)->code == CT_ERROR_CANCELLED)
    fprintf(stderr, "gantry-cli: interrupted, nothing written\n");
  else if (file && cannot_open(fault, file))
    fprintf(stderr, "gantry-cli: %s: %s\n", file, cannot_open(fault, file));
  else
    fprintf(stderr, "gantry-cli: %s%s%s%s%s%s\n", file && !strstr(fault, file) && !names_file(fault) ? file : "",
            file && !strstr(fault, file) && !names_file(fault) ? ": " : "", fault, advice ? " " : "",
            advice ? advice : "", before);
  ct_error_clear(error);
  return CLI_FAILED;
}

int cli_refuse(const cli_command *command, ct_error **error) {
  if ((*error && (*error)->code == CT_ERROR_MEMORY) || ct_untold(NULL)) return cli_failure(NULL, error);
  cli_misuse(command, "%s", *error ? (*error)->message : "it cannot be done");
  ct_error_clear(error);
  return CLI_MISUSED;
}

int cli_tell_warnings(const ct_warnings *warnings, bool strict) {
  for (int i = 0; i < warnings->count; i++) {
    const char *text = warnings->items[i].text, *advice = cli_advice(text, false);
    fprintf(stderr, "warning: %s%s%s\n", text, advice ? " " : "", advice ? advice : "");
  }
  return strict && warnings->count > 0 ? CLI_FAILED : CLI_DONE;
}

void cli_tell_note(const gantry_backend *backend) {
  const char *note = gantry_backend_get_note(backend);
  if (note) fprintf(stderr, "gantry-cli: %s\n", note);
}

int cli_flush(int status) {
  char what[CT_UNTOLD];
  if (status == CLI_DONE && ct_untold(what)) {
    fprintf(stderr, "gantry-cli: %s. What is told may lack something.\n", what);
    status = CLI_FAILED;
  }
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fprintf(stderr, "gantry-cli: standard output: %s\n", strerror(errno));
  return status == CLI_DONE ? CLI_FAILED : status;
}

void cli_print_wrapped(FILE *to, int indent, const char *text) {
  int column = 0;
  while (*text) {
    const size_t word = strcspn(text, " ");
    int shown = 0; /* columns, not bytes: UTF-8's further bytes take none */
    for (size_t i = 0; i < word; i++) shown += ((unsigned char)text[i] & 0xC0) != 0x80;
    if (column > 0 && column + 1 + shown > WIDTH) {
      fputc('\n', to);
      column = 0;
    }
    if (column == 0)
      column = fprintf(to, "%*s", indent, "");
    else
      column += fprintf(to, " ");
    fprintf(to, "%.*s", (int)word, text);
    column += shown;
    text += word;
    text += strspn(text, " ");
  }
  fputc('\n', to);
}

void cli_print_help(const cli_command *command, FILE *to) {
  fprintf(to, "gantry-cli %s %s\n\n", command->name, command->arguments);
  cli_print_wrapped(to, 0, command->summary);
  fputc('\n', to);
  for (const cli_option *o = command->options; o->name; o++) {
    if (o->letter < 256)
      fprintf(to, "  -%c, ", o->letter);
    else
      fputs("      ", to);
    fprintf(to, "--%s%s%s\n", o->name, o->value ? " " : "", o->value ? o->value : "");
    cli_print_wrapped(to, 10, o->help);
  }
  fputs("  -h, --help\n          Prints this.\n", to);
  if (command->more_help) command->more_help(to);
}

int cli_next_option(const cli_command *command, int argc, char **argv, const char **value) {
  struct option list[MOST_OPTIONS + 2] = {0};
  char letters[3 * MOST_OPTIONS + 4] = ":h";
  size_t used = strlen(letters), count = 0;
  for (const cli_option *o = command->options; o->name && count < MOST_OPTIONS; o++, count++) {
    list[count] = (struct option){o->name, o->value ? required_argument : no_argument, NULL, o->letter};
    if (o->letter >= 256) continue;
    letters[used++] = (char)o->letter;
    if (o->value) letters[used++] = ':';
  }
  letters[used] = 0;
  list[count] = (struct option){"help", no_argument, NULL, HELP};
  opterr = 0;
  const int letter = getopt_long(argc, argv, letters, list, NULL);
  *value = optarg;
  if (letter == -1) return CLI_END;
  if (letter == 'h' || letter == HELP) {
    cli_print_help(command, stdout);
    return CLI_HELPED;
  }
  if (letter == ':') {
    cli_misuse(command, "%s needs a value", argv[optind - 1]);
    return CLI_BAD;
  }
  if (letter == '?') {
    if (optopt && !is_known(command, optopt))
      cli_misuse(command, "there is no option -%c", optopt);
    else if (optopt)
      cli_misuse(command, "%s: the option takes no value", argv[optind - 1]);
    else if (is_ambiguous(command, argv[optind - 1]))
      cli_misuse(command, "%s could be several options: write it out", argv[optind - 1]);
    else
      cli_misuse(command, "there is no option %s", argv[optind - 1]);
    return CLI_BAD;
  }
  return letter;
}

bool cli_read_real(const cli_command *command, const char *option, const char *text, double low, double high,
                   double *value) {
  char *end;
  const double number = strtod(text, &end);
  if (end == text || *end || !isfinite(number) || number < low || number > high) {
    if (isinf(high))
      cli_misuse(command, "%s must be a number of at least %g, not \"%s\"", option, low, text);
    else
      cli_misuse(command, "%s must be a number in %g..%g, not \"%s\"", option, low, high, text);
    return false;
  }
  *value = number;
  return true;
}

bool cli_read_bytes(const cli_command *command, const char *option, const char *text, double *bytes) {
  static const char prefixes[] = "kMGT";
  char *end;
  double number = strtod(text, &end);
  const bool any = end != text;
  const char *prefix = *end ? strchr(prefixes, *end == 'K' ? 'k' : *end) : NULL;
  if (prefix) {
    number *= pow(1000, (double)(prefix - prefixes + 1));
    end++;
  }
  if (*end == 'B') end++;
  if (any && !*end && number >= 1 && number < MOST_BYTES) {
    *bytes = number;
    return true;
  }
  cli_misuse(command, "%s takes a size like 500M or 2G, not \"%s\"", option, text);
  return false;
}

bool cli_read_int(const cli_command *command, const char *option, const char *text, long long low, long long high,
                  long long *value) {
  char *end;
  errno = 0;
  const long long number = strtoll(text, &end, 10);
  if (end == text || *end || errno || number < low || number > high) {
    cli_misuse(command, "%s must be a whole number in %lld..%lld, not \"%s\"", option, low, high, text);
    return false;
  }
  *value = number;
  return true;
}

bool cli_read_plane(const cli_command *command, const char *text, size_t length, ct_plane *plane) {
  static const char *const axes[] = {"z", "y", "x"};
  for (int p = CT_AXIAL; p <= CT_SAGITTAL; p++) {
    const char *const names[] = {ct_plane_id((ct_plane)p), axes[p]};
    for (int i = 0; i < 2; i++)
      if (length == strlen(names[i]) && !strncmp(text, names[i], length)) {
        *plane = (ct_plane)p;
        return true;
      }
  }
  cli_misuse(command, "the axis must be axial, coronal, sagittal (or z, y, x) or oblique, not \"%.*s\"", (int)length,
             text);
  return false;
}

bool cli_read_window(const cli_command *command, const char *text, double *low, double *high) {
  char *middle, *end;
  const double a = strtod(text, &middle), b = *middle == ',' ? strtod(middle + 1, &end) : NAN;
  if (middle == text || *middle != ',' || end == middle + 1 || *end || !isfinite(a) || !isfinite(b) || !(a < b)) {
    cli_misuse(command, "--window must be two numbers low,high with low < high, not \"%s\"", text);
    return false;
  }
  *low = a;
  *high = b;
  return true;
}

bool cli_read_index(const cli_command *command, const char *text, int *index) {
  long long number = -1;
  if (strcmp(text, "mid") != 0 && !cli_read_int(command, "the index of the slice", text, 0, 1 << 30, &number))
    return false;
  *index = (int)number;
  return true;
}

bool cli_read_slice(const cli_command *command, const char *text, ct_plane *plane, int *index) {
  const char *colon = strchr(text, ':');
  if (colon)
    return cli_read_plane(command, text, (size_t)(colon - text), plane) && cli_read_index(command, colon + 1, index);
  cli_misuse(command, "--slice takes AXIS:INDEX, for example axial:mid, not \"%s\"", text);
  return false;
}

bool cli_resolve_index(const ct_grid *grid, ct_plane plane, int *index, ct_error **error) {
  int width, height, count;
  ct_grid_plane_size(grid, plane, &width, &height, &count);
  if (*index < 0) *index = count / 2;
  if (*index < count) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no %s slice %d; the volume has 0..%d.", ct_plane_id(plane),
                      *index, count - 1);
}

bool cli_set_parameter(const cli_command *command, const char *text, ct_plan *plan) {
  char key[CT_PLAN_TEXT];
  ct_error *error = NULL;
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof key) {
    cli_misuse(command, "--set takes KEY=VALUE, not \"%s\"", text);
    return false;
  }
  snprintf(key, sizeof key, "%.*s", (int)(equals - text), text);
  if (ct_plan_set_text(plan, key, equals + 1, &error)) return true;
  cli_misuse(command, "--set %s: %s", text, error ? error->message : "is not possible");
  ct_error_clear(&error);
  return false;
}
