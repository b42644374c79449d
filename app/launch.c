/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placeholders are filled in after the template was taken apart, so that no path can change what the words are. */
#include "app/launch.h"

#include "recon/base/job.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Words */

#define FAIL(...) g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, __VA_ARGS__)

/* What stands for a placeholder, its braces left out (g_free); NULL: there is none of that name. */
static char *dup_value(const GantryLaunch *launch, const char *name, gboolean quoted) {
  if (g_str_equal(name, "processes")) return g_strdup_printf("%d", launch->processes);
  if (g_str_equal(name, "threads")) return g_strdup_printf("%d", MAX(launch->threads, 1));
  if (g_str_equal(name, "program")) return quoted ? g_shell_quote(launch->program) : g_strdup(launch->program);
  if (!g_str_equal(name, "arguments")) return NULL;
  g_autoptr(GString) all = g_string_new(NULL);
  for (const char *const *word = launch->arguments; *word; word++) {
    g_autofree char *safe = g_shell_quote(*word);
    g_string_append_printf(all, "%s%s", all->len ? " " : "", safe);
  }
  return g_string_free(g_steal_pointer(&all), FALSE);
}

/* One word with its placeholders filled in (g_free). */
static char *fill(const GantryLaunch *launch, const char *word, GError **error) {
  g_autoptr(GString) filled = g_string_new(NULL);
  const gboolean line = strpbrk(word, " \t\n") != NULL;
  while (*word) {
    const char *end = *word == '{' ? strchr(word, '}') : NULL;
    if (!end) {
      g_string_append_c(filled, *word++);
      continue;
    }
    g_autofree char *name = g_strndup(word + 1, (gsize)(end - word - 1));
    g_autofree char *value = dup_value(launch, name, line);
    if (!value) {
      FAIL("The command has {%s}: only {processes}, {threads}, {program} and {arguments} are filled in.", name);
      return NULL;
    }
    g_string_append(filled, value);
    word = end + 1;
  }
  return g_string_free(g_steal_pointer(&filled), FALSE);
}

char **gantry_launch_dup_words(const GantryLaunch *launch, GError **error) {
  g_auto(GStrv) words = NULL;
  g_autoptr(GError) fault = NULL;
  g_autoptr(GStrvBuilder) all = g_strv_builder_new();
  if (!strstr(launch->command, "{arguments}")) {
    FAIL("The command lacks {arguments}, which stands for the scan, the plan and the file of the volume.");
    return NULL;
  }
  if (!g_shell_parse_argv(launch->command, NULL, &words, &fault)) {
    FAIL("The command cannot be taken apart: %s", fault->message);
    return NULL;
  }
  for (char **word = words; *word; word++) {
    if (g_str_equal(*word, "{arguments}")) {
      g_strv_builder_addv(all, (const char **)launch->arguments);
      continue;
    }
    g_autofree char *filled = fill(launch, *word, error);
    if (!filled) return NULL;
    g_strv_builder_add(all, filled);
  }
  return g_strv_builder_end(all);
}

char *gantry_launch_dup_line(const char *const *words) {
  static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_=+,.:/@%^";
  g_autoptr(GString) line = g_string_new(NULL);
  for (; *words; words++) {
    g_autofree char *safe = **words && !(*words)[strspn(*words, plain)] ? g_strdup(*words) : g_shell_quote(*words);
    g_string_append_printf(line, "%s%s", line->len ? " " : "", safe);
  }
  return g_string_free(g_steal_pointer(&line), FALSE);
}

gboolean gantry_launch_names_program(const char *command) {
  return strstr(command, "{program}") != NULL;
}

/* The start */

/* Between fork and exec. */
static void lead_group(gpointer writes) {
  const pid_t own = getpid();
  setpgid(0, 0);
  if (write(GPOINTER_TO_INT(writes), &own, sizeof own) != (ssize_t)sizeof own) _exit(127); /* no one could end it */
}

static gboolean read_group(int pipe, pid_t *group) {
  ssize_t got = -1;
  while ((got = read(pipe, group, sizeof *group)) < 0 && errno == EINTR) continue;
  return got == (ssize_t)sizeof *group;
}

GSubprocess *gantry_launch_start(const char *const *words, pid_t *group, GError **error) {
  g_autoptr(GSubprocessLauncher) launcher =
      g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  int ends[2];
  if (!g_unix_open_pipe(ends, FD_CLOEXEC, error)) return NULL;
  g_subprocess_launcher_set_child_setup(launcher, lead_group, GINT_TO_POINTER(ends[1]), NULL);
  g_autoptr(GSubprocess) process = g_subprocess_launcher_spawnv(launcher, words, error);
  close(ends[1]);
  /* It tells its number itself: GSubprocess forgets it as soon as it has ended. */
  const gboolean told = process && read_group(ends[0], group);
  close(ends[0]);
  if (told) return g_steal_pointer(&process);
  if (process) g_subprocess_force_exit(process);
  if (process) FAIL("The processes could not be given a group of their own.");
  return NULL;
}

/* The program */

char *gantry_launch_find_program(void) {
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;
  g_autofree char *beside = folder ? g_build_filename(folder, "gantry-cli", NULL) : NULL;
  if (beside && g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE)) return g_steal_pointer(&beside);
  return g_find_program_in_path("gantry-cli");
}

gboolean gantry_launch_has_mpi(const char *version) {
  return version && strstr(version, "\nwith MPI") != NULL;
}

/* Lines */

enum { MOST_LINES = 60 };

struct _GantryLaunchLog {
  char *stand;
  double part;
  GPtrArray *messages, *others; /* the last MOST_LINES of each */
};

GantryLaunchLog *gantry_launch_log_new(void) {
  GantryLaunchLog *log = g_new0(GantryLaunchLog, 1);
  log->part = -1;
  log->messages = g_ptr_array_new_with_free_func(g_free);
  log->others = g_ptr_array_new_with_free_func(g_free);
  return log;
}

void gantry_launch_log_free(GantryLaunchLog *log) {
  if (!log) return;
  g_free(log->stand);
  g_ptr_array_unref(log->messages);
  g_ptr_array_unref(log->others);
  g_free(log);
}

/* Without what terminals are told (ECMA-48: escape, bracket, numbers, a letter), as UTF-8 (g_free). */
static char *dup_plain(const char *line) {
  g_autoptr(GString) plain = g_string_new(NULL);
  for (const char *at = line; *at; at++) {
    if (at[0] == '\033' && at[1] == '[') {
      at += 2 + strspn(at + 2, "0123456789;?");
      if (!*at) break;
    } else if ((guchar)*at >= ' ' || *at == '\t') {
      g_string_append_c(plain, *at);
    }
  }
  return g_utf8_make_valid(plain->str, (gssize)plain->len);
}

/* Behind the title of a stage, NULL: it begins with none. */
static const char *behind_stage(const char *line, ct_stage *stage) {
  for (int i = CT_STAGE_WAITING + 1; i < CT_STAGE_DONE; i++) {
    const char *title = ct_stage_title((ct_stage)i);
    if (!g_str_has_prefix(line, title)) continue;
    const char *rest = line + strlen(title);
    *stage = (ct_stage)i;
    if (*rest == ',' || (*rest == ' ' && g_ascii_isdigit(rest[1]))) return rest;
  }
  return NULL;
}

/* "37 % of all 4 processes" and "3 of 20 in all 4 processes" are of the whole job; else what the first process does of
 * its slabs. Only back-projecting and iterating go through the whole. */
static double part_of(const char *line) {
  int slab = 1, slabs = 1, read = 0, done, all, taken = 0;
  ct_stage stage = CT_STAGE_WAITING;
  if (sscanf(line, "Slab %d / %d: %n", &slab, &slabs, &read) != 2) read = 0;
  const char *rest = behind_stage(line + read, &stage);
  if (!rest || (stage != CT_STAGE_BACKPROJECTING && stage != CT_STAGE_ITERATING)) return -1;
  for (const char *note = strstr(rest, ", "); note; note = strstr(note + 2, ", ")) {
    if (sscanf(note, ", %d %% of all %n", &done, &taken) == 1 && taken) return CLAMP(done, 0, 100) / 100.0;
    if (sscanf(note, ", %d of %d in all %n", &done, &all, &taken) == 2 && taken && all > 0)
      return CLAMP((double)done / all, 0, 1);
  }
  if (sscanf(rest, " %d / %d", &done, &all) != 2 || all <= 0 || slabs <= 0) return -1;
  return CLAMP((slab - 1 + (double)done / all) / slabs, 0, 1);
}

static gboolean tells_stand(const char *line) {
  int slab, slabs, read = 0;
  ct_stage stage = CT_STAGE_WAITING;
  if (sscanf(line, "Slab %d / %d: %n", &slab, &slabs, &read) != 2) read = 0;
  return behind_stage(line + read, &stage) != NULL;
}

static void append(GPtrArray *lines, const char *line) {
  if (lines->len == MOST_LINES) g_ptr_array_remove_index(lines, 0);
  g_ptr_array_add(lines, g_strdup(line));
}

gboolean gantry_launch_log_read(GantryLaunchLog *log, const char *line) {
  static const char program[] = "gantry-cli: ";
  g_autofree char *plain = dup_plain(line);
  g_strchomp(plain);
  if (g_str_has_prefix(plain, program)) {
    append(log->messages, plain + strlen(program));
  } else if (tells_stand(plain)) {
    const double part = part_of(plain);
    if (part >= 0) log->part = part;
    g_free(log->stand);
    log->stand = g_steal_pointer(&plain);
    return TRUE;
  } else if (plain[strspn(plain, "-= \t")]) { /* no rule, not empty */
    append(log->others, plain);
  }
  return FALSE;
}

const char *gantry_launch_log_get_stand(const GantryLaunchLog *log) {
  return log->stand;
}

double gantry_launch_log_get_part(const GantryLaunchLog *log) {
  return log->part;
}

static char *join(const GPtrArray *lines) {
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf(text, "%s%s", i ? "\n" : "", (const char *)lines->pdata[i]);
  return g_string_free(g_steal_pointer(&text), FALSE);
}

char *gantry_launch_log_dup_messages(const GantryLaunchLog *log) {
  return join(log->messages->len ? log->messages : log->others);
}

char *gantry_launch_log_dup_summary(const GantryLaunchLog *log) {
  return join(log->others);
}
