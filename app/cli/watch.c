/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watching a job from a thread of its own: progress and signals. The signals are blocked in every thread (OpenMP's
 * teams inherit that) and taken by the watching thread alone, so that no handler runs amid other code: Ctrl+C, the wish
 * to end, and a terminal that goes away. On a terminal one line is rewritten; elsewhere a line is printed when a stage
 * begins (of the first slab only) and every ten seconds, or as often as cli_watch_every says. */
#include "app/cli/cli.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/shown.h"
#include "recon/base/units.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cli_watch {
  ct_job *job;
  pthread_t thread;
  sigset_t signals, before;
  atomic_bool ended;
  pthread_mutex_t display; /* of quiet, and of the line on the terminal */
  bool quiet, terminal, interrupted;
  ct_stage shown_stage;
  double shown_at, every; /* s */
  char note[160];
  void (*tell)(const ct_progress *progress, void *user); /* NULL: nobody follows it */
  void *user;
  double told_at;
};

static void describe(const ct_progress *p, const char *note, char *text, size_t size) {
  char part[64];
  if (p->parts > 1)
    snprintf(text, size, "Slab %d / %d: %s", p->part + 1, p->parts, ct_stage_title(p->stage));
  else
    snprintf(text, size, "%s", ct_stage_title(p->stage));
  const size_t more = strlen(text);
  if (p->total > 0)
    snprintf(text + more, size - more, " %llu / %llu", (unsigned long long)p->done, (unsigned long long)p->total);
  if (*note && p->stage != CT_STAGE_WRITING) snprintf(text + strlen(text), size - strlen(text), ", %s", note);
  if (p->gups > 0 && p->stage != CT_STAGE_ITERATING)
    snprintf(text + strlen(text), size - strlen(text), ", %.1f GUPS", p->gups);
  if (p->remaining > 0.5)
    snprintf(text + strlen(text), size - strlen(text), ", %s left",
             ct_format_duration(p->remaining, part, sizeof part));
  snprintf(text + strlen(text), size - strlen(text), ", %s",
           ct_format_bytes((double)ct_memory_resident(), part, sizeof part));
}

static void show_locked(cli_watch *watch) {
  ct_progress p;
  char text[384];
  ct_job_get_progress(watch->job, &p);
  const double now = ct_now();
  if (watch->tell && now - watch->told_at > 0.25 && p.stage != CT_STAGE_WAITING && p.stage != CT_STAGE_DONE) {
    watch->told_at = now;
    watch->tell(&p, watch->user);
  }
  if (watch->quiet || p.stage == CT_STAGE_WAITING || p.stage == CT_STAGE_DONE) return;
  if (!watch->terminal && (p.stage == watch->shown_stage || p.part > 0) && now - watch->shown_at < watch->every) return;
  watch->shown_stage = p.stage;
  watch->shown_at = now;
  describe(&p, watch->note, text, sizeof text);
  fprintf(stderr, watch->terminal ? "\r\033[K%s" : "%s\n", text);
  fflush(stderr);
}

static void show(cli_watch *watch) {
  pthread_mutex_lock(&watch->display);
  show_locked(watch);
  pthread_mutex_unlock(&watch->display);
}

static void take_signal(cli_watch *watch, int number) {
  if (watch->interrupted) { /* asked twice: end at once, as the signal would have */
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    return;
  }
  watch->interrupted = true;
  ct_job_cancel(watch->job);
}

static void *watch_job(void *data) {
  cli_watch *watch = data;
  const struct timespec tenth = {0, 100000000};
  while (!atomic_load(&watch->ended)) {
    const int number = sigtimedwait(&watch->signals, NULL, &tenth);
    if (atomic_load(&watch->ended)) break;
    if (number == SIGINT || number == SIGTERM || number == SIGHUP)
      take_signal(watch, number);
    else
      show(watch);
  }
  return NULL;
}

cli_watch *cli_watch_begin(bool quiet, ct_error **error) {
  cli_watch *watch = calloc(1, sizeof *watch);
  if (!watch || !(watch->job = ct_job_new(error))) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to watch the work.");
    free(watch);
    return NULL;
  }
  watch->quiet = quiet;
  watch->every = 10;
  pthread_mutex_init(&watch->display, NULL);
  watch->terminal = isatty(STDERR_FILENO);
  sigemptyset(&watch->signals);
  sigaddset(&watch->signals, SIGINT);
  sigaddset(&watch->signals, SIGTERM);
  sigaddset(&watch->signals, SIGUSR1); /* wakes the thread at the end */
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* as nohup has it */
    sigaddset(&watch->signals, SIGHUP);
  sigset_t blocked = watch->signals;
  sigaddset(&blocked, SIGPIPE); /* whoever read the progress has gone: no reason to leave half a file */
  pthread_sigmask(SIG_BLOCK, &blocked, &watch->before);
  const int failed = pthread_create(&watch->thread, NULL, watch_job, watch);
  if (failed) {
    ct_error_set_errno(error, failed, "Cannot start a thread");
    pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
    pthread_mutex_destroy(&watch->display);
    ct_job_free(watch->job);
    free(watch);
    return NULL;
  }
  return watch;
}

ct_job *cli_watch_job(cli_watch *watch) {
  return watch->job;
}

void cli_watch_tell(cli_watch *watch, void (*tell)(const ct_progress *progress, void *user), void *user) {
  pthread_mutex_lock(&watch->display);
  watch->tell = tell;
  watch->user = user;
  pthread_mutex_unlock(&watch->display);
}

void cli_watch_every(cli_watch *watch, double seconds) {
  pthread_mutex_lock(&watch->display);
  watch->every = seconds;
  pthread_mutex_unlock(&watch->display);
}

void cli_watch_say(cli_watch *watch, const char *words) {
  char text[CT_SHOWN];
  ct_shown(words, text, sizeof text);
  pthread_mutex_lock(&watch->display);
  if (!watch->quiet) fprintf(stderr, watch->terminal ? "\r\033[K%s\n" : "%s\n", text);
  pthread_mutex_unlock(&watch->display);
}

void cli_watch_warn(cli_watch *watch, const char *words) {
  char text[CT_SHOWN];
  ct_shown(words, text, sizeof text);
  pthread_mutex_lock(&watch->display);
  fprintf(stderr, watch->terminal && !watch->quiet ? "\r\033[Kgantry-cli: %s\n" : "gantry-cli: %s\n", text);
  pthread_mutex_unlock(&watch->display);
}

void cli_watch_note(cli_watch *watch, const char *text) {
  pthread_mutex_lock(&watch->display);
  ct_shown(text, watch->note, sizeof watch->note);
  pthread_mutex_unlock(&watch->display);
}

void cli_watch_hide(cli_watch *watch) {
  pthread_mutex_lock(&watch->display);
  if (watch->terminal && !watch->quiet) fputs("\r\033[K", stderr);
  watch->quiet = true;
  pthread_mutex_unlock(&watch->display);
}

void cli_watch_end(cli_watch *watch) {
  if (!watch) return;
  atomic_store(&watch->ended, true);
  pthread_kill(watch->thread, SIGUSR1);
  pthread_join(watch->thread, NULL);
  cli_watch_hide(watch);
  pthread_mutex_destroy(&watch->display);
  pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
  ct_job_free(watch->job);
  free(watch);
}
