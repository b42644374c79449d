/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands as docs/papers.md has them, made fit to run: sizes cut, outputs put into one folder, the words that stand
 * for files and devices (SCAN, NAME, fan.h5) replaced. */
#include "app/bench/bench.h"
#include "app/cli/commands.h"
#include "app/cli/papers.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"

#include <stdlib.h>
#include <string.h>

enum { FULL = 1024 }; /* from this size on numbers of views stay as they are */

/* Options that name a file to be written. */
static const char *const output_options[] = {"-o",        "--output", "--json", "--csv",     "--csv-profile",
                                             "--picture", "--write",  "--bars", "--overlap", "--pictures",
                                             NULL};

/* What the names of the page are made by, where no row has made them. Each has one output, the name's. */
static const struct {
  const char *name, *command;
} stand_ins[] = {
    {"SCAN", "simulate -g cone -o SCAN.h5"},
    {"FILE", "simulate -g parallel -o FILE.h5"},
    {"tooth.h5", "simulate -g parallel -o tooth.h5"},
    {"lotus.h5", "simulate -g fan -o lotus.h5"},
    {"fan.h5", "simulate -g fan -o fan.h5"},
    {"s.h5", "simulate -g cone --detector 48x16 --views 192 --arc 720 --feed 6 -o s.h5"},
    {"VOLUME", "reconstruct SCAN -o VOLUME.mha"},
    {"FILE.rctd", "bench rabbitct --problems 128 --kernels slabs --references 0 --write FILE.rctd"},
};

static bool is_output_option(const char *word) {
  for (int i = 0; output_options[i]; i++)
    if (!strcmp(word, output_options[i])) return true;
  return false;
}

static bool is_input(const char *word) {
  return !strcmp(word, "SCAN") || !strcmp(word, "FILE") || !strcmp(word, "VOLUME") ||
         ct_path_has_extension(word, "h5 mha rctd json");
}

const char *papers_find_file(const papers_file *files, const char *name) {
  for (; files; files = files->next)
    if (!strcmp(files->name, name)) return files->path;
  return NULL;
}

const char *papers_stand_in(const char *name) {
  for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
    if (!strcmp(stand_ins[i].name, name)) return stand_ins[i].command;
  return NULL;
}

static const char *next_word(const char *text, char *word, size_t size) {
  text += strspn(text, " ");
  const size_t length = strcspn(text, " ");
  snprintf(word, size, "%.*s", (int)length, text);
  return length ? text + length : NULL;
}

bool papers_find_missing(const char *text, const papers_file *files, char *name, size_t size) {
  char word[256], before[256] = "";
  while ((text = next_word(text, word, sizeof word))) {
    if (is_input(word) && !is_output_option(before) && !papers_find_file(files, word)) {
      snprintf(name, size, "%s", word);
      return true;
    }
    memcpy(before, word, sizeof before);
  }
  return false;
}

/* Takes the word. */
static bool add_word(papers_command *c, char *word, ct_error **error) {
  if (!word) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a command.");
  if (c->count == PAPERS_WORDS) {
    ct_free(word);
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "its command has more than %d words", PAPERS_WORDS);
  }
  c->words[c->count++] = word;
  return true;
}

static bool replace_word(papers_command *c, int index, char *word, ct_error **error) {
  if (!word) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a command.");
  ct_free(c->words[index]);
  c->words[index] = word;
  return true;
}

static int find_word(const papers_command *c, const char *word) {
  for (int i = 1; i < c->count; i++)
    if (!strcmp(c->words[i], word)) return i;
  return -1;
}

/* The option's value is at most this, and given. */
static bool set_most(papers_command *c, const char *option, int most, ct_error **error) {
  const int at = find_word(c, option);
  if (at < 0 || at + 1 == c->count)
    return add_word(c, ct_strdup(option, error), error) && add_word(c, ct_strprintf("%d", most), error);
  return atoi(c->words[at + 1]) <= most || replace_word(c, at + 1, ct_strprintf("%d", most), error);
}

static bool set_if_missing(papers_command *c, const char *option, const char *value, ct_error **error) {
  if (find_word(c, option) >= 0) return true;
  return add_word(c, ct_strdup(option, error), error) && add_word(c, ct_strdup(value, error), error);
}

static bool set_views(papers_command *c, const papers_request *r, ct_error **error) {
  return r->size >= FULL || set_most(c, "--views", r->size / 8 > 8 ? r->size / 8 : 8, error);
}

/* RabbitCT's volumes have four sizes, which --size leaves alone. */
static bool set_rabbit_problems(papers_command *c, int size, ct_error **error) {
  char kept[64] = "";
  const int at = find_word(c, "--problems");
  for (const char *list = at < 0 ? "128,256,512,1024" : c->words[at + 1]; *list;) {
    const int problem = atoi(list);
    const size_t used = strlen(kept);
    if (problem <= size) snprintf(kept + used, sizeof kept - used, "%s%d", used ? "," : "", problem);
    list += strcspn(list, ",");
    list += *list == ',';
  }
  if (!*kept) snprintf(kept, sizeof kept, "128");
  return at < 0 ? set_if_missing(c, "--problems", kept, error) : replace_word(c, at + 1, ct_strdup(kept, error), error);
}

static bool cut_bench(papers_command *c, const papers_request *r, ct_error **error) {
  const char *suite = c->count > 1 ? c->words[1] : "";
  const bool rabbit = !strcmp(suite, "rabbitct"), file = c->count > 2 && c->words[2][0] != '-';
  bool good = set_most(c, "--size", r->size, error) && set_if_missing(c, "--repeat", "1", error);
  if (good && rabbit) good = set_rabbit_problems(c, r->size, error);
  if (good && (!strcmp(suite, "gpu") || (rabbit && !file))) good = set_views(c, r, error);
  if (good && !rabbit) good = set_if_missing(c, "--limit", "0.2", error);
  return good && set_if_missing(c, "--json", ".json", error) && set_if_missing(c, "--csv", ".csv", error);
}

static bool cut_simulate(papers_command *c, const papers_request *r, ct_error **error) {
  if (find_word(c, "--detector") >= 0) return true;
  return set_most(c, "--columns", r->size, error) && set_most(c, "--views", r->size, error) &&
         set_if_missing(c, "-o", ".h5", error);
}

static bool cut_matrix(papers_command *c, const papers_request *r, ct_error **error) {
  return set_most(c, "--rays", r->size, error) && set_most(c, "--size", r->size, error);
}

static bool cut_figures(papers_command *c, const papers_request *r, ct_error **error) {
  return set_most(c, "--size", r->size, error) && set_most(c, "--views", (int)(r->size * 1.57), error);
}

static bool cut_tune(papers_command *c, const papers_request *r, ct_error **error) {
  return find_word(c, "--suggested") > 0 || set_most(c, "--size", r->size, error);
}

static bool name_volume(papers_command *c, const papers_request *r, ct_error **error) {
  (void)r;
  return set_if_missing(c, "-o", ".mha", error);
}

static bool name_table(papers_command *c, const papers_request *r, ct_error **error) {
  (void)r;
  return set_if_missing(c, "-o", ".csv", error);
}

static const struct {
  const char *name;
  bool (*cut)(papers_command *c, const papers_request *r, ct_error **error);
} cuts[] = {
    {"bench", cut_bench}, {"simulate", cut_simulate},   {"matrix", cut_matrix},   {"figures", cut_figures},
    {"tune", cut_tune},   {"reconstruct", name_volume}, {"variants", name_table},
};

static bool cut(papers_command *c, const papers_request *r, ct_error **error) {
  bool good = true;
  for (size_t i = 0; good && i < sizeof cuts / sizeof *cuts; i++)
    if (!strcmp(c->words[0], cuts[i].name)) good = cuts[i].cut(c, r, error);
  if (!strcmp(c->words[0], "lesson")) return good; /* quiet would leave the claims out */
  for (const cli_option *o = c->command->options; good && o->name; o++)
    if (o->letter == 'q') good = add_word(c, ct_strdup("-q", error), error);
  return good;
}

static bool needs_card(const papers_command *c) {
  if (!strcmp(c->words[0], "tune") && find_word(c, "--suggested") < 0) return true;
  if (find_word(c, "help=yes") > 0) return false;
  for (int i = 1; i < c->count; i++)
    if (strstr(c->words[i], "NAME") || strstr(c->words[i], "gl-")) return true;
  const bench_suite *suite = c->count > 1 && !strcmp(c->words[0], "bench") ? bench_find_suite(c->words[1]) : NULL;
  return suite && suite->takes & BENCH_NEEDS_DEVICE;
}

/* What the processor plays is none of all cards: two contexts on it stand for them, or one where a plan has to name
 * them, whose words are short. */
static bool set_all(papers_command *c, const char *device, ct_error **error) {
  for (int i = 1; i < c->count; i++) {
    const bool option = !strcmp(c->words[i], "all") && !strcmp(c->words[i - 1], "--device");
    if (!option && strcmp(c->words[i], "device=all") != 0) continue;
    char *word = option ? ct_strprintf("%s + %s", device, device) : ct_strprintf("device=%s", device);
    if (!replace_word(c, i, word, error)) return false;
  }
  return true;
}

/* NAME becomes the device, alone or as in device=NAME; a suite for cards gets it. */
static bool set_device(papers_command *c, const papers_request *r, ct_error **error) {
  const char *device = r->device;
  if (r->software && !set_all(c, device, error)) return false;
  for (int i = 1; i < c->count; i++) {
    const char *at = strstr(c->words[i], "NAME");
    if (at && !replace_word(c, i, ct_strprintf("%.*s%s", (int)(at - c->words[i]), c->words[i], device), error))
      return false;
  }
  return strcmp(c->words[0], "bench") != 0 || set_if_missing(c, "--device", device, error);
}

/* FOLDER/STEM.EXT, of a profile FOLDER/STEM-profile.EXT; a folder has no extension. */
static bool put_output(papers_command *c, int index, const char *stem, const char *folder, ct_error **error) {
  const char *word = c->words[index], *dot = strrchr(word, '.');
  char *name = ct_strdup(word[0] == '.' ? "" : word, error);
  if (!name) return false;
  const char *more = !strcmp(c->words[index - 1], "--csv-profile") ? "-profile" : "";
  if (c->output_count == PAPERS_FILES ||
      !replace_word(c, index, ct_strprintf("%s/%s%s%s", folder, stem, more, dot ? dot : ""), error)) {
    ct_free(name);
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "its command writes more than %d files", PAPERS_FILES);
  }
  c->names[c->output_count] = name;
  c->outputs[c->output_count++] = c->words[index];
  return true;
}

static bool put_files(papers_command *c, const char *stem, const papers_request *r, const papers_file *files,
                      ct_error **error) {
  bool good = true;
  for (int i = 1; good && i < c->count; i++) {
    const char *path = is_input(c->words[i]) ? papers_find_file(files, c->words[i]) : NULL;
    if (is_output_option(c->words[i - 1]))
      good = put_output(c, i, stem, r->folder, error);
    else if (path)
      good = replace_word(c, i, ct_strdup(path, error), error);
  }
  return good;
}

bool papers_read(papers_command *command, const char *text, const char *stem, const papers_request *request,
                 const papers_file *files, ct_error **error) {
  char word[256];
  *command = (papers_command){0};
  while ((text = next_word(text, word, sizeof word)))
    if (!add_word(command, ct_strdup(word, error), error)) return false;
  command->command = command->count ? cli_find_command(command->words[0]) : NULL;
  if (!command->command)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "there is no command \"%s\"",
                        command->count ? command->words[0] : "");
  command->card = needs_card(command);
  if (command->card && !request->device)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "it needs a graphics card, and there is none here (--software: the processor in its place)");
  return (!command->card || set_device(command, request, error)) && cut(command, request, error) &&
         put_files(command, stem, request, files, error);
}

void papers_command_clear(papers_command *command) {
  for (int i = 0; i < command->count; i++) ct_free(command->words[i]);
  for (int i = 0; i < command->output_count; i++) ct_free(command->names[i]);
  *command = (papers_command){0};
}

char *papers_tell_command(const papers_command *command, const char *folder) {
  const size_t length = strlen(folder);
  char *text = ct_strdup("", NULL);
  for (int i = 0; text && i < command->count; i++) {
    const char *word = command->words[i];
    if (!strncmp(word, folder, length) && word[length] == '/') word += length + 1;
    const char *quote = strchr(word, ' ') ? "'" : "";
    char *longer = ct_strprintf("%s%s%s%s%s", text, i ? " " : "", quote, word, quote);
    ct_free(text);
    text = longer;
  }
  return text;
}
