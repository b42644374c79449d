/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether it can be begun is looked at anew at every change; what the processes say is read until their pipe ends. */
#include "app/session/processes.h"

#include "app/errors.h"
#include "app/launch.h"
#include "app/session/file-names.h"
#include "recon/io/io.h"
#include "ui/processes.h"
#include "ui/shown.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

typedef enum { MPI_UNKNOWN, MPI_ASKED, MPI_THERE, MPI_LACKS } MpiState;

struct _GantryProcesses {
  GObject parent_instance;
  GantryContext *context;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryOpening *opening;
  GantryProcessesWindow *window; /* NULL: it was never shown */
  char *proposed;                /* the scan for which the file of the volume was proposed, NULL: none */
  char *program;                 /* gantry-cli, NULL: it is nowhere */
  MpiState mpi;

  GSubprocess *process; /* the launcher, NULL: nothing runs */
  pid_t group;
  GDataInputStream *lines;
  GantryLaunchLog *log;
  char *plan, *output; /* files of the present run */
  gboolean cancelled;
};

G_DEFINE_FINAL_TYPE(GantryProcesses, gantry_processes, G_TYPE_OBJECT)

static void forget_run(GantryProcesses *self) {
  if (self->plan) g_unlink(self->plan);
  g_clear_pointer(&self->plan, g_free);
  g_clear_object(&self->process);
  g_clear_object(&self->lines);
}

static void gantry_processes_finalize(GObject *object) {
  GantryProcesses *self = GANTRY_PROCESSES(object);
  gantry_processes_stop(self);
  gantry_launch_log_free(self->log);
  g_free(self->output);
  g_free(self->proposed);
  g_free(self->program);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_processes_parent_class)->finalize(object);
}

static void gantry_processes_class_init(GantryProcessesClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_processes_finalize;
}

static void gantry_processes_init(GantryProcesses *self) {}

GantryProcesses *gantry_processes_new(GantryContext *context, GantryPlanEditor *editor, GantryScanSlot *slot,
                                      GantryOpening *opening) {
  GantryProcesses *self = g_object_new(GANTRY_TYPE_PROCESSES, NULL);
  self->context = gantry_context_ref(context);
  self->editor = editor;
  self->slot = slot;
  self->opening = opening;
  return self;
}

gboolean gantry_processes_is_running(GantryProcesses *self) {
  return self->process != NULL;
}

/* All that the launcher started on this machine; it tells those elsewhere. */
static void end_group(GantryProcesses *self) {
  if (self->process && self->group > 1) kill(-self->group, SIGTERM);
}

void gantry_processes_stop(GantryProcesses *self) {
  end_group(self);
  forget_run(self);
  if (self->window) gtk_window_destroy(GTK_WINDOW(self->window));
  self->window = NULL;
}

/* What would be run */

/* What gantry-cli calls the scan; NULL: it cannot open it. */
static const char *name_scan(GantryScan *scan) {
  if (!scan) return NULL;
  return gantry_scan_is_example(scan) ? "example" : gantry_scan_get_file(scan);
}

/* plan: the file of it. */
static char **dup_words(GantryProcesses *self, const char *plan, const char *output, GError **error) {
  GSettings *settings = self->context->settings;
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  const char *description = gantry_scan_get_description(scan), *source = name_scan(scan);
  const int threads = g_settings_get_int(settings, "process-threads");
  g_autofree char *command = g_settings_get_string(settings, "process-command");
  g_autofree char *count = g_strdup_printf("%d", threads);
  g_autofree char *path = gantry_scan_is_example(scan) ? g_strdup(source) : g_canonicalize_filename(source, NULL);
  g_autoptr(GPtrArray) arguments = g_ptr_array_new();
  const char *const always[] = {path, "--plan", plan, "--progress", "0.5", "-o", output};
  for (gsize i = 0; i < G_N_ELEMENTS(always); i++) g_ptr_array_add(arguments, (gpointer)always[i]);
  if (description) g_ptr_array_add(arguments, (gpointer) "--description");
  if (description) g_ptr_array_add(arguments, (gpointer)description);
  if (threads > 0) g_ptr_array_add(arguments, (gpointer) "--threads");
  if (threads > 0) g_ptr_array_add(arguments, count);
  g_ptr_array_add(arguments, NULL);
  const GantryLaunch launch = {.command = command,
                               .processes = g_settings_get_int(settings, "processes"),
                               .threads = threads,
                               .program = self->program ? self->program : "gantry-cli",
                               .arguments = (const char *const *)arguments->pdata};
  return gantry_launch_dup_words(&launch, error);
}

/* Why it cannot be begun (g_free), NULL: it can; *line: what would be run (g_free). */
static char *find_problem(GantryProcesses *self, char **line) {
  g_autoptr(GError) error = NULL;
  g_autofree char *command = g_settings_get_string(self->context->settings, "process-command");
  const char *output = gantry_processes_window_get_path(self->window);
  const gboolean own = gantry_launch_names_program(command);
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  const char *source = scan ? gantry_scan_get_facts(scan)->path : NULL;
  if (!scan) return g_strdup("Open a scan first.");
  if (!name_scan(scan))
    return g_strdup("This scan is in memory alone: save it first (Save Scan…), so that other processes can read it.");
  if (own && !self->program) return g_strdup("gantry-cli, which does the work, is not installed beside this program.");
  g_auto(GStrv) words = dup_words(self, "PLAN.json", output ? output : "VOLUME", &error);
  if (!words) return g_strdup(error->message);
  *line = gantry_launch_dup_line((const char *const *)words);
  g_autofree char *launcher = g_find_program_in_path(words[0]);
  if (!launcher)
    return g_strdup_printf(
        "%s, with which the command begins, is not found. Install Open MPI or MPICH (mpirun), or give "
        "another command.",
        words[0]);
  if (own && self->mpi == MPI_LACKS)
    return g_strdup(
        "The gantry-cli beside this program was built without MPI: each process would make the whole volume. "
        "Build it with -Dmpi=enabled.");
  if (!output) return g_strdup("Choose the file of the volume first.");
  if (source && ct_scan_is_destroyed(source, NULL, output))
    return g_strdup("The file of the volume belongs to the open scan, which it would overwrite: choose another name.");
  return own && self->mpi == MPI_ASKED ? g_strdup("Asking gantry-cli whether it has MPI…") : NULL;
}

static void look(GantryProcesses *self) {
  if (!self->window) return;
  g_autofree char *line = NULL, *problem = find_problem(self, &line);
  gantry_processes_window_set_line(self->window, line, problem);
}

static void told_version(GObject *process, GAsyncResult *answer, gpointer user) {
  GantryProcesses *self = user;
  g_autofree char *told = NULL;
  const gboolean read = g_subprocess_communicate_utf8_finish(G_SUBPROCESS(process), answer, &told, NULL, NULL);
  self->mpi = read && gantry_launch_has_mpi(told) ? MPI_THERE : MPI_LACKS;
  look(self);
  g_object_unref(self);
}

static void ask_version(GantryProcesses *self) {
  if (self->mpi == MPI_ASKED) return;
  g_free(self->program);
  self->program = gantry_launch_find_program();
  self->mpi = MPI_LACKS;
  if (!self->program) return;
  g_autoptr(GSubprocess) process = g_subprocess_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                                                    NULL, self->program, "--version", NULL);
  if (!process) return;
  self->mpi = MPI_ASKED;
  g_subprocess_communicate_utf8_async(process, NULL, NULL, told_version, g_object_ref(self));
}

/* The end */

static char *with_end(const char *text) {
  const gsize length = strlen(text);
  return g_strdup_printf("%s%s", text, length && strchr(".:!?", text[length - 1]) ? "" : ".");
}

/* What came of it (g_free). */
static char *dup_outcome(GantryProcesses *self, gboolean good) {
  g_autofree char *messages = gantry_launch_log_dup_messages(self->log), *told = with_end(messages);
  g_autofree char *summary = gantry_launch_log_dup_summary(self->log), *journal = NULL;
  if (good) {
    g_autofree char *name = gantry_shown_name(self->output);
    GString *text = g_string_new(*summary ? summary : "The volume is made.");
    g_string_replace(text, self->output, name, 0);
    return g_string_free(text, FALSE);
  }
  journal = g_strdup_printf("%s.part.slices", self->output);
  const gboolean kept = g_file_test(journal, G_FILE_TEST_EXISTS);
  if (self->cancelled && kept)
    return g_strdup_printf(
        "It was cancelled. What is finished is kept in %s.part: Reconstruct, with the same plan, goes "
        "on from it.",
        self->output);
  if (self->cancelled) return g_strdup("It was cancelled before a slice was finished; nothing is kept.");
  return g_strdup(*messages ? told : "The processes ended without a word and without a volume.");
}

static void ended(GObject *process, GAsyncResult *answer, gpointer user) {
  GantryProcesses *self = user;
  const gboolean good = g_subprocess_wait_finish(G_SUBPROCESS(process), answer, NULL) &&
                        g_subprocess_get_successful(G_SUBPROCESS(process));
  if (self->process == G_SUBPROCESS(process)) {
    forget_run(self);
    if (self->window) {
      g_autofree char *outcome = dup_outcome(self, good), *name = gantry_shown_name(self->output);
      gantry_processes_window_set_outcome(self->window, outcome, good);
      gantry_processes_window_set_path(self->window, gantry_processes_window_get_path(self->window));
      gantry_processes_window_set_running(self->window, FALSE);
      look(self);
      if (self->context->window)
        gantry_context_toast(self->context, GANTRY_ABOUT_RUN, "_Show", "win.reconstruct-by-processes",
                             good              ? "Several processes made %s"
                             : self->cancelled ? "The processes that made %s were cancelled"
                                               : "The processes that made %s have failed",
                             name);
    }
  }
  g_object_unref(self);
}

static void show_stand(GantryProcesses *self) {
  const char *words = gantry_launch_log_get_stand(self->log);
  gantry_processes_window_set_stand(self->window,
                                    self->cancelled ? "Ending all processes…"
                                    : words         ? words
                                                    : "Starting the processes…",
                                    gantry_launch_log_get_part(self->log));
}

static void line_read(GObject *stream, GAsyncResult *answer, gpointer user) {
  GantryProcesses *self = user;
  g_autofree char *line = g_data_input_stream_read_line_finish(G_DATA_INPUT_STREAM(stream), answer, NULL, NULL);
  if (self->lines != G_DATA_INPUT_STREAM(stream)) {
    g_object_unref(self);
    return;
  }
  if (!line) {
    g_subprocess_wait_async(self->process, NULL, ended, self);
    return;
  }
  if (gantry_launch_log_read(self->log, line) && self->window) show_stand(self);
  g_data_input_stream_read_line_async(self->lines, G_PRIORITY_DEFAULT, NULL, line_read, self);
}

/* The begin */

/* Beside the scan, under a name that is free, in the plan's format. */
static void propose_path(GantryProcesses *self) {
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  if (!name_scan(scan) || !g_strcmp0(self->proposed, name_scan(scan))) return;
  g_free(self->proposed);
  self->proposed = g_strdup(name_scan(scan));
  const ct_plan *plan = gantry_plan_editor_get(self->editor);
  const ct_format *format = ct_format_find(plan->format);
  g_auto(GStrv) extensions = g_strsplit(format ? format->extensions : "mha", " ", 2);
  const char *file = gantry_scan_get_file(scan);
  g_autofree char *absolute = file ? g_canonicalize_filename(file, NULL) : NULL;
  g_autofree char *folder = absolute ? g_path_get_dirname(absolute) : g_strdup(g_get_home_dir());
  g_autofree char *stem = gantry_file_stem(gantry_scan_get_name(scan)), *path = NULL;
  for (int number = 1; !path || g_file_test(path, G_FILE_TEST_EXISTS); number++) {
    g_autofree char *name = number == 1 ? g_strdup_printf("%s.%s", stem, extensions[0])
                                        : g_strdup_printf("%s-%d.%s", stem, number, extensions[0]);
    g_free(path);
    path = g_build_filename(folder, name, NULL);
  }
  gantry_processes_window_set_path(self->window, path);
  gantry_processes_window_set_outcome(self->window, NULL, FALSE);
}

/* The scan may be another, or the plan. */
static void refresh(GantryProcesses *self) {
  if (!self->window || self->process) return;
  propose_path(self);
  look(self);
}

/* In the user's cache folder, which machines of a cluster share more often than /tmp. */
static char *save_plan(GantryProcesses *self, GError **error) {
  g_autofree char *folder = g_build_filename(g_get_user_cache_dir(), "gantry", "processes", NULL);
  g_autofree char *path = g_build_filename(folder, "plan-XXXXXX.json", NULL);
  const char *source = name_scan(gantry_scan_slot_get(self->slot));
  g_autofree char *input = g_str_equal(source, "example") ? NULL : g_canonicalize_filename(source, NULL);
  const ct_identity identity = {.path = input};
  ct_error *fault = NULL;
  const int file = g_mkdir_with_parents(folder, 0700) == 0 ? g_mkstemp(path) : -1;
  if (file < 0) {
    const int number = errno;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(number), "The plan cannot be written to %s: %s", folder,
                g_strerror(number));
    return NULL;
  }
  close(file);
  if (ct_plan_save(gantry_plan_editor_get(self->editor), &identity, path, &fault)) return g_steal_pointer(&path);
  g_unlink(path);
  gantry_take_ct_error(error, &fault);
  return NULL;
}

static gboolean launch(GantryProcesses *self, GError **error) {
  const char *output = gantry_processes_window_get_path(self->window);
  g_autofree char *plan = save_plan(self, error);
  if (!plan) return FALSE;
  g_auto(GStrv) words = dup_words(self, plan, output, error);
  self->process = words ? gantry_launch_start((const char *const *)words, &self->group, error) : NULL;
  if (!self->process) {
    g_unlink(plan);
    return FALSE;
  }
  g_free(self->output);
  self->output = g_strdup(output);
  self->plan = g_steal_pointer(&plan);
  return TRUE;
}

static void begin(GantryProcessesWindow *window, GantryProcesses *self) {
  g_autofree char *line = NULL, *problem = find_problem(self, &line);
  g_autoptr(GError) error = NULL;
  if (self->process || problem || g_strcmp0(self->proposed, name_scan(gantry_scan_slot_get(self->slot)))) {
    refresh(self);
    return;
  }
  gantry_launch_log_free(self->log);
  self->log = gantry_launch_log_new();
  self->cancelled = FALSE;
  gantry_processes_window_set_outcome(window, NULL, FALSE);
  if (!launch(self, &error)) {
    gantry_processes_window_set_outcome(window, error->message, FALSE);
    return;
  }
  self->lines = g_data_input_stream_new(g_subprocess_get_stdout_pipe(self->process));
  g_data_input_stream_set_newline_type(self->lines, G_DATA_STREAM_NEWLINE_TYPE_ANY);
  show_stand(self);
  gantry_processes_window_set_running(window, TRUE);
  g_data_input_stream_read_line_async(self->lines, G_PRIORITY_DEFAULT, NULL, line_read, g_object_ref(self));
}

static void cancel(GantryProcessesWindow *window, GantryProcesses *self) {
  if (!self->process) return;
  self->cancelled = TRUE;
  show_stand(self);
  end_group(self);
}

static void changed(GantryProcessesWindow *window, GantryProcesses *self) {
  if (self->process) return;
  gantry_processes_window_set_outcome(window, NULL, FALSE);
  look(self);
}

static void open_volume(GantryProcessesWindow *window, GantryProcesses *self) {
  if (!self->output) return;
  g_autoptr(GFile) file = g_file_new_for_path(self->output);
  gantry_opening_open(self->opening, file);
  gtk_window_close(GTK_WINDOW(window));
}

/* Showing */

void gantry_processes_show(GantryProcesses *self) {
  if (!self->context->window) return;
  if (!self->window) {
    self->window = GANTRY_PROCESSES_WINDOW(
        gantry_processes_window_new(GTK_WINDOW(self->context->window), self->context->settings));
    g_signal_connect_object(self->window, "changed", G_CALLBACK(changed), self, 0);
    g_signal_connect_object(self->window, "begin", G_CALLBACK(begin), self, 0);
    g_signal_connect_object(self->window, "cancel", G_CALLBACK(cancel), self, 0);
    g_signal_connect_object(self->window, "open", G_CALLBACK(open_volume), self, 0);
    g_signal_connect_object(self->slot, "loaded", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  }
  if (!self->process) ask_version(self);
  refresh(self);
  gtk_window_present(GTK_WINDOW(self->window));
}
