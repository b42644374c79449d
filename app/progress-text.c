/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress as text, quantities by recon/base/units.h. */
#include "app/progress-text.h"

#include "recon/base/units.h"

char *gantry_progress_text(const ct_progress *progress, gsize memory, const ct_iteration *last) {
  const char *title = ct_stage_title(progress->stage);
  GString *text = g_string_new(NULL);
  if (progress->parts > 1) g_string_append_printf(text, "slab %d / %d · ", progress->part + 1, progress->parts);
  g_string_append_unichar(text, g_unichar_tolower(g_utf8_get_char(title)));
  g_string_append(text, g_utf8_next_char(title));
  char number[48];
  if (progress->total > 1)
    g_string_append_printf(text, " %" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT, (guint64)progress->done,
                           (guint64)progress->total);
  if (progress->stage == CT_STAGE_BACKPROJECTING && progress->gups > 0)
    g_string_append_printf(text, " · %s GUPS", ct_format_number(progress->gups, 3, number, sizeof number));
  if (progress->stage == CT_STAGE_ITERATING && last) {
    g_string_append_printf(text, " · residual %s", ct_format_number(last->residual, 3, number, sizeof number));
    g_string_append_printf(text, " · %s each", ct_format_duration(last->seconds, number, sizeof number));
  }
  if (progress->paused)
    g_string_append(text, " · paused");
  else if (progress->remaining >= 0)
    g_string_append_printf(text, " · %s left", ct_format_duration(progress->remaining, number, sizeof number));
  if (memory > 0) g_string_append_printf(text, " · %s", ct_format_bytes((double)memory, number, sizeof number));
  return g_string_free(text, FALSE);
}
