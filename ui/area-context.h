/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One OpenGL context for all areas of a window: a software renderer takes tens of milliseconds for each, and again for
 * each program that is made in it. */
#pragma once

#include <gtk/gtk.h>

#include "render/slice-renderer.h"

G_BEGIN_DECLS

/* Before the area is realised. */
void gantry_area_context_share(GtkGLArea *area);
/* Where the context of a realised area keeps what its slice renderers share (ctgl_slice_renderer_new). */
ctgl_slice_programs **gantry_area_context_programs(GtkGLArea *area);

G_END_DECLS
