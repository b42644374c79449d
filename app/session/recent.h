/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of recent scans. Owns nothing: it lives in the preferences, which all windows share. */
#pragma once

#include "app/session/context.h"

G_BEGIN_DECLS

void gantry_recent_add(GantryContext *context, const char *path);
/* In the window's menu and start page. */
void gantry_recent_show(GantryContext *context);

G_END_DECLS
