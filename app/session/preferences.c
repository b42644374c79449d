/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/session/preferences.h"

#include "app/session/shelf-store.h"
#include "recon/base/memory.h"
#include "ui/preferences.h"

void gantry_preferences_show(GantryContext *context) {
  if (!context->window) return;
  g_autofree char *usual = g_build_filename(g_get_user_cache_dir(), "gantry", NULL);
  g_autofree char *chosen = g_settings_get_string(context->settings, "cache-folder");
  g_auto(GStrv) devices = gantry_plan_panel_dup_devices(gantry_context_get_panel(context));
  const GantryPreferencesFacts facts = {.devices = (const char *const *)devices,
                                        .cores = (int)g_get_num_processors(),
                                        .memory = (double)ct_memory_total(),
                                        .cache_folder = usual,
                                        .cached = gantry_shelf_store_get_cached(*chosen ? chosen : usual)};
  gtk_window_present(gantry_preferences_new(GTK_WINDOW(context->window), context->settings, &facts));
}
