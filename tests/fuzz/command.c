/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines of gantry-cli, a word a line: any words end with one of the statuses 0, 1 and 2, and without the first
 * with a message. They run in this process, in a folder with a small scan, a volume and a plan; other folders and
 * numbers that would only take long are taken out of the words beforehand. */
#include "tests/fuzz/fuzz.h"

#include "app/cli/cli.h"
#include "app/cli/commands.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WORDS = 40, MOST_TEXT = 4096, TOLD = 8192 };

static const char scan[] = "{\"files\": {\"raw\": \"r.raw\", \"type\": \"float32\", \"dims\": [8, 2, 12]}, \"values\": "
                           "\"line integrals\", \"pixel_mm\": 1, \"angles_deg\": {\"first\": 0, \"step\": 15}}";
static const char volume[] = "ObjectType = Image\nNDims = 3\nDimSize = 4 4 4\nElementSpacing = 1 1 1\nElementType = "
                             "MET_UCHAR\nElementDataFile = LOCAL\n"
                             "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr";
static const char plan[] = "{\"gantry_plan\": 1, \"parameters\": {\"filter.window\": \"hann\"}}";
/* What stands behind options, rightly or not. */
static const char *const values[] = {
    "0",
    "1",
    "3",
    "-1",
    "0.5",
    "1e9",
    "nan",
    "4x4",
    "8x4x4",
    "mid",
    "axial:1",
    "oblique",
    "s.json",
    "v.mha",
    "p.json",
    "nowhere",
    "out.mha",
    "out.h5",
    "out.png",
    "out.csv",
    "out.json",
    "-",
    ".",
    "shepp-logan",
    "0,1",
    "1,0",
    "cone",
    "parallel",
    "x:0-2",
    "0:2,0:2,0:2",
    "hann",
    "2G",
    "grid.nx=5",
    "grid.nz",
    "angle.x=1",
    "beam=fan",
    "iterative.method=sirt",
    "iterative.iterations=2",
    "precision=half",
    "99999999999999999999",
    "1e-320",
    "%s%n",
    "\xc3",
    "all",
};

/* These measure for seconds, whatever their words. */
static bool is_left_out(const cli_command *command) {
  return command == &cli_bench || command == &cli_tune || command == &cli_plan_command || command == &cli_figures ||
         command == &cli_matrix_command;
}

/* No other folder; numbers of three to seven digits lose those behind the second. */
static void tame(char *word) {
  char *to = word;
  for (const char *at = word; *at;) {
    const size_t digits = strspn(at, "0123456789"), kept = digits > 2 && digits < 8 ? 2 : digits;
    memmove(to, at, kept);
    to += kept, at += digits;
    if (*at) *to++ = *at == '/' ? '_' : *at, at++;
  }
  *to = 0;
}

static void put_text(const char *name, const char *text, size_t size) {
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0) abort();
}

static void put_inputs(void) {
  float samples[8 * 2 * 12];
  for (int i = 0; i < 8 * 2 * 12; i++) samples[i] = (float)(i % 8 > 1 && i % 8 < 6);
  put_text("r.raw", (const char *)samples, sizeof samples);
  put_text("s.json", scan, strlen(scan));
  put_text("v.mha", volume, strlen(volume));
  put_text("p.json", plan, strlen(plan));
}

static void remove_all(void) {
  DIR *dir = opendir(".");
  if (!dir) abort();
  for (const struct dirent *entry; (entry = readdir(dir));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && remove(entry->d_name) != 0) {
      /* A folder of pictures. */
      DIR *inner = chdir(entry->d_name) == 0 ? opendir(".") : NULL;
      if (!inner) continue;
      for (const struct dirent *file; (file = readdir(inner));) remove(file->d_name);
      closedir(inner);
      if (chdir("..") != 0) abort();
      rmdir(entry->d_name);
    }
  closedir(dir);
}

/* The status of the command, and what it said, as far as it has room. */
static int run_words(const cli_command *command, int argc, char **argv, char told[TOLD]) {
  fflush(stdout);
  fflush(stderr);
  const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), none = open("/dev/null", O_WRONLY);
  FILE *said = tmpfile();
  if (out < 0 || err < 0 || none < 0 || !said) abort();
  dup2(none, STDOUT_FILENO);
  dup2(fileno(said), STDERR_FILENO);
  optind = 0; /* glibc: from the start, with other options */
  const int status = command->run(command, argc, argv);
  fflush(stdout);
  fflush(stderr);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  rewind(said);
  told[fread(told, 1, TOLD - 1, said)] = 0;
  fclose(said);
  close(out), close(err), close(none);
  return status;
}

void fuzz_run_command(const fuzz_target *target, const char *path) {
  static char text[MOST_TEXT], told[TOLD];
  char *words[MOST_WORDS + 1] = {0}, *rest = NULL, folder[600];
  FILE *file = fopen(path, "rb");
  if (!file) abort();
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  int count = 0;
  for (char *word = strtok_r(text, "\n", &rest); word && count < MOST_WORDS; word = strtok_r(NULL, "\n", &rest)) {
    tame(word);
    if (*word) words[count++] = word;
  }
  const cli_command *command = count ? cli_find_command(words[0]) : NULL;
  if (!command || is_left_out(command)) return;
  setenv("__EGL_VENDOR_LIBRARY_DIRS", "/", 1); /* no device: looking for one takes longer than all else */
  snprintf(folder, sizeof folder, "%s.d", path);
  const int back = open(".", O_RDONLY | O_DIRECTORY);
  if (back < 0 || (mkdir(folder, 0777) != 0 && errno != EEXIST) || chdir(folder) != 0) abort();
  put_inputs();
  const int status = run_words(command, count, words, told);
  remove_all();
  if (fchdir(back) != 0) abort();
  close(back);
  /* What became of a batch's rows stands in its table. */
  const bool told_why = told[0] || status == CLI_DONE || (status == CLI_FAILED && command == &cli_batch_command);
  if (status < CLI_DONE || status > CLI_MISUSED || !told_why) {
    fprintf(stderr, "status %d: %s\n", status, told);
    abort();
  }
}

void fuzz_put_command_seeds(const char *folder) {
  static const char *const lines[] = {"s.json",
                                      "s.json\n-o\nout.mha",
                                      "v.mha\n-o\nout.png",
                                      "v.mha\nv.mha",
                                      "v.mha",
                                      "-o\nout.h5",
                                      "s.json\n--set\ngrid.nx=5\n-o\nout.mha",
                                      "--json",
                                      "--help"};
  for (int i = 0; cli_commands[i]; i++)
    for (size_t k = 0; k < sizeof lines / sizeof *lines && !is_left_out(cli_commands[i]); k++) {
      char path[600], seed[200];
      snprintf(path, sizeof path, "%.500s/%s-%zu", folder, cli_commands[i]->name, k);
      const int size = snprintf(seed, sizeof seed, "%s\n%s", cli_commands[i]->name, lines[k]);
      /* Few of a kind: a dozen commands have nine seeds each. */
      if (k % 3 == (size_t)i % 3) put_text(path, seed, (size_t)size);
    }
}

/* An option of the command with a value, or a value alone, put before or in the place of one of its words. */
size_t fuzz_mutate_command(uint8_t *data, size_t size, size_t room, uint64_t random) {
  if (random % 4 == 0 || size == 0 || size > room) return fuzz_mutate(data, size, room, random / 4);
  char name[32] = "", added[300];
  const size_t first = memchr(data, '\n', size) ? (size_t)((uint8_t *)memchr(data, '\n', size) - data) : size;
  snprintf(name, sizeof name, "%.*s", (int)(first < 31 ? first : 31), (const char *)data);
  const cli_command *command = cli_find_command(name);
  if (!command) return fuzz_mutate(data, size, room, random / 4);
  size_t options = 0;
  while (command->options && command->options[options].name) options++;
  const char *value = values[random / 16 % (sizeof values / sizeof *values)];
  const cli_option *option = options ? &command->options[random / 4096 % options] : NULL;
  if (option && random % 4 != 1)
    snprintf(added, sizeof added, "\n--%.100s%s%.100s", option->name, option->value ? "\n" : "",
             option->value ? value : "");
  else
    snprintf(added, sizeof added, "\n%s", value);
  /* Where: behind the word in which a place drawn at random lies. */
  size_t at = first + (size_t)(random / 1048576 % (size - first + 1)), end = at;
  while (at < size && data[at] != '\n') at++;
  end = at;
  if (random / 8 % 2 && end < size) /* in the place of the next word */
    for (end++; end < size && data[end] != '\n';) end++;
  const size_t length = strlen(added);
  if (size - (end - at) + length > room) return size;
  memmove(data + at + length, data + end, size - end);
  memcpy(data + at, added, length);
  return size - (end - at) + length;
}
