/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application: its windows (a session each), its own actions, accelerators, files from the command line. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_APPLICATION (gantry_application_get_type())
G_DECLARE_FINAL_TYPE(GantryApplication, gantry_application, GANTRY, APPLICATION, AdwApplication)

GantryApplication *gantry_application_new(void);

G_END_DECLS
