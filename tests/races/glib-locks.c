/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GLib's locks by pthreads. GLib makes its own of futexes, in a library that is not instrumented: the thread sanitizer
 * would see no order in what they guard. A program that links these calls them in place of the library's. */
#include <glib.h>

#include <pthread.h>
#include <stdlib.h>

/* The lock behind a GMutex, made at its first use: one that is all zero is usable. */
static pthread_mutex_t *mutex_of(GMutex *mutex) {
  pthread_mutex_t *found = __atomic_load_n((pthread_mutex_t **)&mutex->p, __ATOMIC_ACQUIRE), *none = NULL;
  if (found) return found;
  pthread_mutex_t *made = calloc(1, sizeof *made);
  if (!made) abort();
  pthread_mutex_init(made, NULL);
  if (__atomic_compare_exchange_n((pthread_mutex_t **)&mutex->p, &none, made, FALSE, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return made;
  pthread_mutex_destroy(made);
  free(made);
  return none;
}

static pthread_cond_t *cond_of(GCond *cond) {
  pthread_cond_t *found = __atomic_load_n((pthread_cond_t **)&cond->p, __ATOMIC_ACQUIRE), *none = NULL;
  if (found) return found;
  pthread_cond_t *made = calloc(1, sizeof *made);
  if (!made) abort();
  pthread_cond_init(made, NULL);
  if (__atomic_compare_exchange_n((pthread_cond_t **)&cond->p, &none, made, FALSE, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  pthread_cond_destroy(made);
  free(made);
  return none;
}

void g_mutex_init(GMutex *mutex) {
  mutex->p = NULL;
}

void g_mutex_clear(GMutex *mutex) {
  if (!mutex->p) return;
  pthread_mutex_destroy(mutex->p);
  free(mutex->p);
  mutex->p = NULL;
}

void g_mutex_lock(GMutex *mutex) {
  pthread_mutex_lock(mutex_of(mutex));
}

gboolean g_mutex_trylock(GMutex *mutex) {
  return pthread_mutex_trylock(mutex_of(mutex)) == 0;
}

void g_mutex_unlock(GMutex *mutex) {
  pthread_mutex_unlock(mutex_of(mutex));
}

void g_cond_init(GCond *cond) {
  cond->p = NULL;
}

void g_cond_clear(GCond *cond) {
  if (!cond->p) return;
  pthread_cond_destroy(cond->p);
  free(cond->p);
  cond->p = NULL;
}

void g_cond_wait(GCond *cond, GMutex *mutex) {
  pthread_cond_wait(cond_of(cond), mutex_of(mutex));
}

void g_cond_signal(GCond *cond) {
  pthread_cond_signal(cond_of(cond));
}

void g_cond_broadcast(GCond *cond) {
  pthread_cond_broadcast(cond_of(cond));
}
