/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the shelf's entries, made of what tells each from the others. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Of GantryEntry: sets the name of each, but not those that the user gave. */
void gantry_shelf_name_entries(GListModel *entries);

G_END_DECLS
