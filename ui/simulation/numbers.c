/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each number. */
#include "ui/simulation/numbers.h"

#include "recon/geom/questions.h"
#include "ui/number-text.h"
#include "ui/tips.h"

#include <math.h>
#include <string.h>

typedef struct {
  const ct_simulation_number *number;
  GtkWidget *row;
  GtkEditable *field;
} Line;

struct _GantrySimulationNumbers {
  AdwPreferencesGroup parent_instance;
  GArray *lines;
  gboolean shape;
  gsize next; /* of the table */
};

G_DEFINE_FINAL_TYPE(GantrySimulationNumbers, gantry_simulation_numbers, ADW_TYPE_PREFERENCES_GROUP)

static guint changed_signal;

static void gantry_simulation_numbers_finalize(GObject *object) {
  g_array_unref(GANTRY_SIMULATION_NUMBERS(object)->lines);
  G_OBJECT_CLASS(gantry_simulation_numbers_parent_class)->finalize(object);
}

static void gantry_simulation_numbers_class_init(GantrySimulationNumbersClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_simulation_numbers_finalize;
  changed_signal =
      g_signal_new("changed", GANTRY_TYPE_SIMULATION_NUMBERS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_simulation_numbers_init(GantrySimulationNumbers *self) {
  self->lines = g_array_new(FALSE, TRUE, sizeof(Line));
}

static Line *line_at(GantrySimulationNumbers *self, guint i) {
  return &g_array_index(self->lines, Line, i);
}

static void changed(GantrySimulationNumbers *self) {
  g_signal_emit(self, changed_signal, 0);
}

static void show_line(GantrySimulationNumbers *self, const Line *line, const ct_simulation *simulation) {
  const double value = ct_simulation_get(simulation, line->number);
  g_autofree char *text = isnan(value) ? g_strdup("") : g_strdup_printf("%.10g", value);
  g_autofree char *shown = gantry_proper_number(text);
  g_signal_handlers_block_by_func(line->field, changed, self);
  gtk_editable_set_text(line->field, fabs(value) < 1e4 ? shown : text);
  g_signal_handlers_unblock_by_func(line->field, changed, self);
}

void gantry_simulation_numbers_show(GantrySimulationNumbers *self, const ct_simulation *simulation) {
  for (guint i = 0; i < self->lines->len; i++) show_line(self, line_at(self, i), simulation);
}

static gboolean parse(const Line *line, double *value) {
  g_autoptr(GString) text = g_string_new(gtk_editable_get_text(line->field));
  char *end;
  g_string_replace(text, GANTRY_MINUS, "-", 0);
  if (!strchr(text->str, '.')) g_string_replace(text, ",", ".", 1);
  g_strstrip(text->str);
  if (!*text->str) {
    *value = NAN;
    return line->number->automatic != NULL;
  }
  *value = g_ascii_strtod(text->str, &end);
  return end != text->str && !*end && *value >= line->number->low && *value <= line->number->high &&
         (!line->number->whole || *value == floor(*value));
}

const ct_simulation_number *gantry_simulation_numbers_read(GantrySimulationNumbers *self, ct_simulation *simulation) {
  const ct_simulation_number *wrong = NULL;
  for (guint i = 0; i < self->lines->len; i++) {
    Line *line = line_at(self, i);
    double value;
    const gboolean idle = !ct_simulation_uses(simulation, line->number);
    const gboolean read = parse(line, &value);
    gtk_widget_set_sensitive(line->row, !idle);
    if (read || idle)
      gtk_widget_remove_css_class(GTK_WIDGET(line->field), "error");
    else
      gtk_widget_add_css_class(GTK_WIDGET(line->field), "error");
    if (read) ct_simulation_set(simulation, line->number, value);
    if (!read && !idle && !wrong) wrong = line->number;
  }
  return wrong;
}

/* Making */

static char *range_of(const ct_simulation_number *number) {
  g_autofree char *low = gantry_quantity_text(number->low, 3, NULL),
                  *high = gantry_quantity_text(number->high, 3, *number->unit ? number->unit : NULL);
  return g_strdup_printf("%s to %s", low, high);
}

char *gantry_simulation_number_refusal(const ct_simulation_number *number) {
  g_autofree char *range = range_of(number);
  return g_strdup_printf("%s: type a %snumber from %s%s.", number->title, number->whole ? "whole " : "", range,
                         number->automatic ? ", or nothing" : "");
}

static char *tip_of(const ct_simulation_number *number) {
  g_autofree char *range = range_of(number);
  return number->automatic ? g_strdup_printf("%s. Range: %s. Empty: %s.", number->explanation, range, number->automatic)
                           : g_strdup_printf("%s. Range: %s.", number->explanation, range);
}

static void add_line(GantrySimulationNumbers *self, const ct_simulation_number *number) {
  GtkWidget *row = adw_action_row_new(), *field = gtk_entry_new(), *unit = gtk_label_new(number->unit);
  g_autofree char *tip = tip_of(number);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), number->title);
  if (number->automatic) {
    g_autofree char *words = g_strdup_printf("Empty: %s", number->automatic);
    adw_action_row_set_subtitle(ADW_ACTION_ROW(row), words);
    gtk_entry_set_placeholder_text(GTK_ENTRY(field), "automatic");
  }
  gtk_editable_set_width_chars(GTK_EDITABLE(field), 9);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(field), 9);
  gtk_editable_set_alignment(GTK_EDITABLE(field), 1);
  gtk_widget_set_valign(field, GTK_ALIGN_CENTER);
  gantry_tips_set(row, tip);
  gantry_tips_set(field, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(field), GTK_ACCESSIBLE_PROPERTY_LABEL, number->title, -1);
  gtk_label_set_xalign(GTK_LABEL(unit), 0);
  gtk_label_set_width_chars(GTK_LABEL(unit), 7);
  gtk_widget_add_css_class(unit, "dim-label");
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), field);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), unit);
  gantry_tips_activate(row, field);
  gtk_widget_set_focusable(row, FALSE); /* Tab goes from field to field */
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(self), row);
  g_signal_connect_swapped(field, "changed", G_CALLBACK(changed), self);
  g_array_append_vals(self->lines, &(Line){number, row, GTK_EDITABLE(field)}, 1);
}

GtkWidget *gantry_simulation_numbers_new(gboolean shape) {
  GantrySimulationNumbers *self = g_object_new(GANTRY_TYPE_SIMULATION_NUMBERS, NULL);
  self->shape = shape;
  return GTK_WIDGET(self);
}

gboolean gantry_simulation_numbers_add(GantrySimulationNumbers *self, guint most, const ct_simulation *simulation) {
  size_t count;
  const ct_simulation_number *numbers = ct_simulation_numbers(&count);
  for (; self->next < count; self->next++) {
    if (self->shape != ((numbers[self->next].needs & CT_SIMULATED_SHAPE) != 0)) continue;
    if (!most--) return TRUE;
    add_line(self, &numbers[self->next]);
    show_line(self, line_at(self, self->lines->len - 1), simulation);
  }
  return FALSE;
}
