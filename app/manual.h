/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual's pages, docs/manual, where they were installed or lie in the source tree. */
#pragma once

#include "ui/window/window.h"

G_BEGIN_DECLS

/* Opens them in the user's browser; where that cannot be done a notice in the window tells where they are. */
void gantry_manual_open(GantryWindow *window);

G_END_DECLS
