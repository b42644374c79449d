/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline: frames, as raw pictures, as VP8, in a WebM file. */
#include "app/film.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>

#define LAUNCH "gst-launch-1.0"
#define INSPECT "gst-inspect-1.0"

/* FALSE: an element is not installed, which is told. */
static gboolean has_all(char **missing) {
  static const char *const elements[] = {"multifilesrc", "pngdec", "videoconvert", "vp8enc", "webmmux"};
  g_autofree char *launch = g_find_program_in_path(LAUNCH), *inspect = g_find_program_in_path(INSPECT);
  if (!launch || !inspect) {
    *missing = g_strdup("it needs GStreamer (" LAUNCH "), which is not installed");
    return FALSE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS(elements); i++) {
    const char *const words[] = {inspect, "--exists", elements[i], NULL};
    g_autoptr(GSubprocess) asked =
        g_subprocess_newv(words, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL);
    if (asked && g_subprocess_wait(asked, NULL, NULL) && g_subprocess_get_successful(asked)) continue;
    *missing = g_strdup_printf("GStreamer's plugin %s is not installed", elements[i]);
    return FALSE;
  }
  return TRUE;
}

static GSubprocess *launch(const char *folder, GError **error) {
  static const char *const words[] = {LAUNCH,
                                      "-q",
                                      "multifilesrc",
                                      "location=" GANTRY_FRAME_NAME,
                                      "index=0",
                                      "caps=image/png,framerate=25/1",
                                      "!",
                                      "pngdec",
                                      "!",
                                      "videoconvert",
                                      "!",
                                      "vp8enc",
                                      "end-usage=cq",
                                      "cq-level=10",
                                      "target-bitrate=8000000",
                                      "deadline=200000",
                                      "!",
                                      "webmmux",
                                      "!",
                                      "filesink",
                                      "location=" GANTRY_FILM_NAME,
                                      NULL};
  g_autoptr(GSubprocessLauncher) launcher =
      g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_subprocess_launcher_set_cwd(launcher, folder);
  return g_subprocess_launcher_spawnv(launcher, words, error);
}

/* Its end is asked for now and then, so that a cancel ends it. */
static gboolean wait_for(GSubprocess *process, ct_job *job) {
  enum { EACH = 50000 }; /* µs */
  while (g_subprocess_get_identifier(process)) {
    if (ct_job_requested(job) == CT_JOB_CANCEL) g_subprocess_send_signal(process, SIGTERM);
    g_usleep(EACH);
  }
  return g_subprocess_wait(process, NULL, NULL) && g_subprocess_get_successful(process);
}

char *gantry_film_make(const char *folder, ct_job *job) {
  char *missing = NULL;
  if (!has_all(&missing)) return missing;
  g_autofree char *path = g_build_filename(folder, GANTRY_FILM_NAME, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GSubprocess) process = launch(folder, &error);
  if (!process) return g_strdup_printf(LAUNCH " could not be started: %s", error->message);
  GStatBuf facts;
  if (wait_for(process, job) && g_stat(path, &facts) == 0 && facts.st_size > 0) return NULL;
  g_unlink(path);
  return g_strdup(LAUNCH " failed");
}
