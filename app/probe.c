/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals by name, and the longest gap of a 60 Hz timer. */
#include "app/probe.h"

#include <stdio.h>

#define TICK_MS 16
#define LONG_GAP 0.050 /* s */

struct _GantryProbe {
  FILE *file;
  GHashTable *begun; /* name -> gint64 * */
  guint timer;
  gint64 last_tick;
  double longest;
  guint ticks, long_gaps;
};

GantryProbe *gantry_probe_new(void) {
  const char *path = g_getenv("GANTRY_TEST_LOG");
  FILE *file = path && *path ? fopen(path, "a") : NULL;
  if (!file) return NULL;
  GantryProbe *probe = g_new0(GantryProbe, 1);
  probe->file = file;
  setvbuf(file, NULL, _IOLBF, 0);
  probe->begun = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  return probe;
}

void gantry_probe_free(GantryProbe *probe) {
  if (!probe) return;
  g_clear_handle_id(&probe->timer, g_source_remove);
  g_hash_table_unref(probe->begun);
  fclose(probe->file);
  g_free(probe);
}

void gantry_probe_begin(GantryProbe *probe, const char *name) {
  if (!probe) return;
  gint64 *now = g_new(gint64, 1);
  *now = g_get_monotonic_time();
  g_hash_table_replace(probe->begun, g_strdup(name), now);
}

void gantry_probe_end(GantryProbe *probe, const char *name) {
  const gint64 *begin = probe ? g_hash_table_lookup(probe->begun, name) : NULL;
  if (!begin) return;
  fprintf(probe->file, "%s %.4f\n", name, (double)(g_get_monotonic_time() - *begin) * 1e-6);
  g_hash_table_remove(probe->begun, name);
}

static gboolean tick(gpointer data) {
  GantryProbe *probe = data;
  const gint64 now = g_get_monotonic_time();
  const double gap = (double)(now - probe->last_tick) * 1e-6;
  probe->last_tick = now;
  probe->ticks++;
  if (gap > probe->longest) probe->longest = gap;
  if (gap > LONG_GAP) probe->long_gaps++;
  return G_SOURCE_CONTINUE;
}

void gantry_probe_begin_ticks(GantryProbe *probe) {
  if (!probe) return;
  g_clear_handle_id(&probe->timer, g_source_remove);
  probe->last_tick = g_get_monotonic_time();
  probe->longest = 0;
  probe->ticks = probe->long_gaps = 0;
  probe->timer = g_timeout_add_full(G_PRIORITY_DEFAULT, TICK_MS, tick, probe, NULL);
}

void gantry_probe_end_ticks(GantryProbe *probe, const char *name) {
  if (!probe || !probe->timer) return;
  g_clear_handle_id(&probe->timer, g_source_remove);
  fprintf(probe->file, "%s-ticks %u\n%s-longest-gap %.4f\n%s-gaps-over-50ms %u\n", name, probe->ticks, name,
          probe->longest, name, probe->long_gaps);
}
