/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beside the picture, at its lower edge: what of A and B it shows, on which scale, and that B has voxels of its own. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/scale-text.h"

static char *mode_text(GantrySliceView *self, ctgl_mode mode) {
  const char *label = ctgl_mode_get(mode)->label;
  if (ctgl_mode_tells_difference(mode)) {
    g_autofree char *scale = gantry_scale_text(self->display, mode);
    return g_strdup_printf("%s  %s", label, scale);
  }
  if (mode == CTGL_SHOW_FADE) {
    const int part = (int)round(100 * gantry_display_get_fade(self->display));
    return g_strdup_printf("%d %% A, %d %% B", 100 - part, part);
  }
  if (mode == CTGL_SHOW_CHECKERBOARD) return g_strdup("Tiles of A and B, A first");
  return g_strdup(mode == CTGL_SHOW_SWIPE ? "" : label);
}

void gantry_slice_view_update_badge(GantrySliceView *self, gboolean shown) {
  const GantryImage *a = self->images[CTGL_SLOT_A], *b = self->images[CTGL_SLOT_B];
  const ctgl_mode mode = gantry_slice_view_mode(self);
  const gboolean compares = shown && b && gantry_slice_view_is_plane(self);
  g_autofree char *text = compares ? mode_text(self, mode) : g_strdup("");
  const gboolean resampled = compares && a && ctgl_mode_needs_b(mode) && !gantry_image_shares_pixels(a, b);
  const char *const lines[] = {text, resampled ? "B resampled onto A’s voxels" : "",
                               shown && self->note ? self->note : ""};
  g_autoptr(GString) badge = g_string_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(lines); i++)
    if (*lines[i]) g_string_append_printf(badge, "%s%s", badge->len ? "\n" : "", lines[i]);
  gtk_widget_set_visible(self->badge, badge->len > 0);
  gtk_label_set_text(GTK_LABEL(self->badge), badge->str);
}
