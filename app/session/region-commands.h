/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Reconstruct This Region": the action reconstruct-region, for commands.c. */
#pragma once

#include "app/session/session.h"

G_BEGIN_DECLS

void gantry_session_add_region_actions(GantrySession *self);
void gantry_session_update_region_actions(GantrySession *self);

G_END_DECLS
