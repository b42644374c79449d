/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File names and other foreign text for labels: one line of UTF-8, as messages have it (recon/base/shown.h). */
#ifndef GANTRY_UI_SHOWN_H
#define GANTRY_UI_SHOWN_H

/* New text (g_free); of a path its last part, of FILE::DATASET that of the file and the whole dataset. */
char *gantry_shown(const char *text);
char *gantry_shown_name(const char *path);

#endif
