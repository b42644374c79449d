/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/window/vacant.h"

char *gantry_vacant_words(const char *doing, const char *shows) {
  if (!doing) return g_strdup_printf("Open a scan, and %s.", shows);
  return g_strdup_printf("Not yet: %s. Then %s.", doing, shows);
}

void gantry_vacant_set(char **doing, const char *now) {
  const gboolean worked = *doing != NULL;
  g_free(*doing);
  *doing = g_strdup(now ? now : worked ? "it is being made" : NULL);
}
