/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page says while it has nothing to show: what is being read or made, or what to do. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* doing: what is under way ("walnut.h5: reading 40 / 721"), NULL: nothing; shows: "the filter is shown here". */
char *gantry_vacant_words(const char *doing, const char *shows);

/* What is under way, kept; behind it the page itself is made. */
void gantry_vacant_set(char **doing, const char *now);

G_END_DECLS
