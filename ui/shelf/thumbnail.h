/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small picture of a slice in a grey window and a colour map. */
#pragma once

#include <gtk/gtk.h>

#include "ui/image.h"

G_BEGIN_DECLS

/* map: id of a colour map; grey where it is not known. The caller's. */
GdkTexture *gantry_thumbnail_new(const GantryImage *image, double low, double high, const char *map);

G_END_DECLS
