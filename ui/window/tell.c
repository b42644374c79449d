/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window is told of runs, progress and messages, passed on to the objects that show it. */
#include "ui/window/window-private.h"

guint gantry_window_add_run(GantryWindow *self, const char *name, const char *recipe) {
  return gantry_runs_add(self->runs, name, recipe);
}

void gantry_window_set_run(GantryWindow *self, guint run, const ct_iteration *points, gsize count, int planned) {
  gantry_convergence_page_set_points(gantry_runs_get_page(self->runs), run, points, count, planned);
}

void gantry_window_mark_run_cancelled(GantryWindow *self, guint run) {
  gantry_convergence_page_mark_cancelled(gantry_runs_get_page(self->runs), run);
}

gboolean gantry_window_has_run(GantryWindow *self, guint run) {
  return gantry_convergence_page_has_run(gantry_runs_get_page(self->runs), run);
}

void gantry_window_remove_run(GantryWindow *self, guint run) {
  gantry_convergence_page_remove(gantry_runs_get_page(self->runs), run);
}

void gantry_window_clear_runs(GantryWindow *self) {
  gantry_convergence_page_clear(gantry_runs_get_page(self->runs));
}

void gantry_window_set_continue(GantryWindow *self, int iterations) {
  gantry_runs_set_continue(self->runs, iterations);
}

/* Status and messages */

/* Pages that have nothing to show say what they wait for: what the header tells of, or the thin line. */
static void tell_pages(GantryWindow *self, int from, const char *text) {
  if (g_strcmp0(self->doing[from], text) == 0) return;
  g_free(self->doing[from]);
  self->doing[from] = g_strdup(text);
  const char *doing = self->doing[0] ? self->doing[0] : self->doing[1];
  gantry_filter_part_wait(self->filter, doing);
  gantry_interpolation_part_wait(self->interpolation, doing);
  gantry_growth_part_wait(self->growth, doing);
  gantry_spectrum_part_wait(self->spectrum, doing);
}

void gantry_window_set_progress(GantryWindow *self, const ct_progress *progress, const char *text) {
  tell_pages(self, 0, progress ? text : NULL);
  gantry_status_set_progress(self->status, progress, text);
}

void gantry_window_set_missing(GantryWindow *self, const char *text) {
  gantry_status_set_missing(self->status, text);
}

void gantry_window_set_busy(GantryWindow *self, gboolean busy, const char *text) {
  tell_pages(self, 1, busy ? text : NULL);
  gantry_status_set_busy(self->status, busy, text);
}

void gantry_window_toast(GantryWindow *self, GantryTopic topic, const char *text, const char *button_label,
                         const char *action_name) {
  gantry_messages_toast(self->messages, topic, text, button_label, action_name);
}

void gantry_window_show_error(GantryWindow *self, const char *text) {
  gantry_messages_show_error(self->messages, text);
}

void gantry_window_show_notice(GantryWindow *self, const char *text) {
  gantry_messages_show_notice(self->messages, text);
}

void gantry_window_offer_remedy(GantryWindow *self, const char *label, const char *tip, const char *action_name) {
  gantry_messages_offer(self->messages, label, tip, action_name);
}

void gantry_window_ask(GantryWindow *self, const GantryWarning *question) {
  gantry_messages_ask(self->messages, question);
}

void gantry_window_end_question(GantryWindow *self, const char *action_name) {
  gantry_messages_end_question(self->messages, action_name);
}

void gantry_window_clear_error(GantryWindow *self) {
  gantry_messages_clear(self->messages);
}

guint gantry_window_get_message_mark(GantryWindow *self) {
  return gantry_messages_get_mark(self->messages);
}

void gantry_window_clear_error_until(GantryWindow *self, guint mark) {
  gantry_messages_clear_until(self->messages, mark);
}

void gantry_window_show_outcome(GantryWindow *self, guint mark, const GantryWarning *notice) {
  gantry_messages_show_outcome(self->messages, mark, notice);
}

void gantry_window_set_warnings(GantryWindow *self, const ct_warnings *warnings, const GantryWarning *shown) {
  gantry_statistics_page_set_warnings(gantry_numbers_get_statistics(self->numbers), warnings);
  gantry_messages_set_warning(self->messages, shown);
}

void gantry_window_set_simulation(GantryWindow *self, const ct_simulation *simulation) {
  gantry_simulation_part_set(self->simulation, simulation);
}

gboolean gantry_window_wants_filter(GantryWindow *self) {
  return gantry_filter_part_is_shown(self->filter) || gantry_interpolation_part_is_shown(self->interpolation);
}

void gantry_window_take_filter(GantryWindow *self, GantryFilterReport *report, const char *instead) {
  gantry_interpolation_part_take(self->interpolation, report, instead);
  gantry_filter_part_take(self->filter, report, instead);
}

gboolean gantry_window_get_magnified_wish(GantryWindow *self, GantryMagnifiedWish *wish) {
  return gantry_interpolation_part_get_wish(self->interpolation, wish);
}

void gantry_window_take_magnified(GantryWindow *self, GantryMagnified *picture, const char *instead) {
  gantry_interpolation_part_take_magnified(self->interpolation, picture, instead);
}

gboolean gantry_window_get_growth_wish(GantryWindow *self, GantryGrowthWish *wish) {
  return gantry_growth_part_get_wish(self->growth, wish);
}

void gantry_window_take_growth(GantryWindow *self, GantryGrowthReport *report, const char *instead) {
  gantry_growth_part_take(self->growth, report, instead);
}

GantryLessonsPart *gantry_window_get_lessons(GantryWindow *self) {
  return self->lessons;
}

void gantry_window_show_page(GantryWindow *self, const char *id) {
  gantry_plots_show(self->plots, id);
}

void gantry_window_set_grey(GantryWindow *self, double low, double high) {
  gantry_display_set_window(self->display, low, high);
  gantry_scales_keep(self->scales);
}

gboolean gantry_window_get_spectrum_view(GantryWindow *self, int *view) {
  return gantry_spectrum_part_get_view(self->spectrum, view);
}

void gantry_window_take_spectrum(GantryWindow *self, GantrySpectrumReport *report, const char *instead) {
  gantry_spectrum_part_take(self->spectrum, report, instead);
}
