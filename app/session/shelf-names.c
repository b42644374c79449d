/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of runs by their plans, and where a run ended early by what it came to; opened volumes by their files. */
#include "app/session/shelf-names.h"

#include "app/session/entry.h"
#include "recon/solve/plan-names.h"

/* "linear, 120 of 361 views" */
static char *made_name(const GantryResult *result, const char *of_plan) {
  const int asked = result->plan.iterative.iterations;
  if (result->iterations && result->iterations < asked)
    return g_strdup_printf("%s, %d of %d iterations", of_plan, result->iterations, asked);
  if (!result->iterations && result->views < result->views_all)
    return g_strdup_printf("%s, %d of %d views", of_plan, result->views, result->views_all);
  return g_strdup(of_plan);
}

/* Takes the name; one that an earlier entry has gets a number. */
static void give(GHashTable *given, GantryEntry *entry, char *name) {
  const guint times = GPOINTER_TO_UINT(g_hash_table_lookup(given, name)) + 1;
  g_hash_table_insert(given, g_strdup(name), GUINT_TO_POINTER(times));
  g_autofree char *numbered = times > 1 ? g_strdup_printf("%s (%u)", name, times) : g_strdup(name);
  gantry_entry_set_name(entry, numbered);
  g_free(name);
}

void gantry_shelf_name_entries(GListModel *entries) {
  const guint count = g_list_model_get_n_items(entries);
  g_autofree const ct_plan **plans = g_new(const ct_plan *, count + 1);
  g_autofree char *names = g_malloc((gsize)(count + 1) * CT_PLAN_NAME);
  g_autoptr(GHashTable) given = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  guint made = 0;
  for (guint i = 0; i < count; i++) {
    g_autoptr(GantryEntry) entry = g_list_model_get_item(entries, i);
    if (!gantry_entry_is_opened(entry)) plans[made++] = &gantry_entry_get_facts(entry)->plan;
  }
  ct_plan_names(plans, made, (char(*)[CT_PLAN_NAME])names);
  made = 0;
  for (guint i = 0; i < count; i++) {
    g_autoptr(GantryEntry) entry = g_list_model_get_item(entries, i);
    const GantryResult *facts = gantry_entry_get_facts(entry);
    give(given, entry,
         gantry_entry_is_opened(entry) ? g_strdup(facts->file)
                                       : made_name(facts, names + (gsize)(made++) * CT_PLAN_NAME));
  }
}
