/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window of preferences, with what it says of this machine. Owns nothing. */
#pragma once

#include "app/session/context.h"

G_BEGIN_DECLS

void gantry_preferences_show(GantryContext *context);

G_END_DECLS
