/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Save Frames of the View": the action save-frames, for commands.c. */
#pragma once

#include "app/session/session.h"

G_BEGIN_DECLS

void gantry_session_add_frame_actions(GantrySession *self);
void gantry_session_update_frame_actions(GantrySession *self);

G_END_DECLS
