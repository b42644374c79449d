/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for answers in the main context, for a bounded time. */
#ifndef TESTS_APP_WAIT_H
#define TESTS_APP_WAIT_H

#include <glib.h>

/* Runs the main context until *count reaches `wanted` (at most 60 s). */
static inline gboolean wait_for(const guint *count, guint wanted) {
  const gint64 end = g_get_monotonic_time() + 60 * G_TIME_SPAN_SECOND;
  while (*count < wanted && g_get_monotonic_time() < end)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(500);
  return *count >= wanted;
}

/* For gantry_worker_shut. */
static inline void count_end(gpointer data) {
  ++*(guint *)data;
}

#endif
