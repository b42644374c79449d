/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of the side panel, made from one entry of the table of parameters. */
#include "ui/plan/row.h"

#include "ui/plan/number.h"
#include "ui/tips.h"

#include <math.h>
#include <string.h>

/* Of the column of controls, so that all begin and end at the same places. */
#define WIDTH 208
/* Letters that fit into a field; the value behind them keeps all its digits. */
#define ROOM 19
#define ROOM_OF_AUTOMATIC 14 /* before ", auto" */

struct _GantryPlanRow {
  GtkListBoxRow parent_instance;
  const ct_param *entry; /* of the table */
  ct_param own;          /* the same, in the units that are shown */
  const ct_param *param; /* own */
  GtkWidget *title, *control, *reset, *complaint;
  GantryDropDown choices; /* of a parameter that takes one */
  double automatic_value, shown_value;
  char *shown; /* what the spin button shows: left alone, it stands for the exact value */
  gboolean updating, idle;
  gboolean needed;    /* the program has nothing to go by */
  gboolean automatic; /* left to the program: the field is empty, its placeholder tells what the program takes */
  guint complaint_timer;
};

G_DEFINE_TYPE(GantryPlanRow, gantry_plan_row, GTK_TYPE_LIST_BOX_ROW)

enum { EDITED, RESET, SIGNALS };
static guint signals[SIGNALS];

static gboolean is_number(const ct_param *param) {
  return param->type == CT_PARAM_REAL || param->type == CT_PARAM_INT;
}

static void hide_complaint(GantryPlanRow *self) {
  g_clear_handle_id(&self->complaint_timer, g_source_remove);
  gtk_widget_set_visible(self->complaint, FALSE);
  gtk_widget_remove_css_class(self->control, "error");
}

static gboolean complaint_is_old(gpointer user) {
  GantryPlanRow *self = user;
  self->complaint_timer = 0;
  hide_complaint(self);
  return G_SOURCE_REMOVE;
}

void gantry_plan_row_refuse(GantryPlanRow *self, const char *why) {
  hide_complaint(self);
  gtk_label_set_text(GTK_LABEL(self->complaint), why);
  gtk_widget_set_visible(self->complaint, TRUE);
  gtk_widget_add_css_class(self->control, "error");
  self->complaint_timer = g_timeout_add_seconds(8, complaint_is_old, self);
}

static void emit_edited(GantryPlanRow *self, const char *text) {
  if (self->updating) return;
  hide_complaint(self);
  g_signal_emit(self, signals[EDITED], 0, text);
}

static void emit_number(GantryPlanRow *self, double value) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(text, sizeof text, "%.15g", value);
  if (g_ascii_strtod(text, NULL) != value) g_ascii_formatd(text, sizeof text, "%.17g", value);
  emit_edited(self, text);
}

static int read_spin(GtkSpinButton *spin, double *value, GantryPlanRow *self) {
  const ct_param *param = self->param;
  const char *typed = gtk_editable_get_text(GTK_EDITABLE(spin));
  *value = gtk_spin_button_get_value(spin);
  if (!g_strcmp0(typed, self->shown)) return TRUE;
  g_autofree char *word = g_strstrip(g_ascii_strdown(typed, -1));
  if (param->automatic && (!strcmp(word, "auto") || !*word)) {
    emit_edited(self, "auto");
    return GTK_INPUT_ERROR;
  }
  double number;
  g_autofree char *range = gantry_number_range(param);
  if (!gantry_number_parse(param, typed, &number)) {
    g_autofree char *why = g_strdup_printf("“%s” is not a %snumber. The former value is kept.", typed,
                                           param->type == CT_PARAM_INT ? "whole " : "");
    gantry_plan_row_refuse(self, why);
    return GTK_INPUT_ERROR;
  }
  if (number < param->low || number > param->high) {
    g_autofree char *why = g_strdup_printf("%s is %s. The former value is kept.", param->title, range);
    gantry_plan_row_refuse(self, why);
    return GTK_INPUT_ERROR;
  }
  /* Typing the number that the adjustment holds already does not change it, but it is a decision. */
  const gboolean decided = self->automatic && number == *value;
  if (self->automatic) {
    g_free(self->shown);
    self->shown = g_strdup(typed);
    self->automatic = FALSE;
  }
  if (decided) emit_number(self, number);
  *value = number;
  return TRUE;
}

static gboolean write_spin(GtkSpinButton *spin, GantryPlanRow *self) {
  g_autofree char *text =
      self->automatic ? g_strdup("") : gantry_number_text(self->param, gtk_spin_button_get_value(spin), ROOM);
  if (g_strcmp0(text, gtk_editable_get_text(GTK_EDITABLE(spin)))) gtk_editable_set_text(GTK_EDITABLE(spin), text);
  g_free(self->shown);
  self->shown = g_steal_pointer(&text);
  return TRUE;
}

/* The toolkit also tells that a refused text was put back. */
static void spin_changed(GtkSpinButton *spin, GantryPlanRow *self) {
  const double value = gtk_spin_button_get_value(spin);
  if (!self->updating && value != self->shown_value) emit_number(self, value);
}

static void drop_down_changed(GtkDropDown *drop, GParamSpec *property, GantryPlanRow *self) {
  const char *id = gantry_drop_down_get_id(&self->choices);
  if (id) emit_edited(self, id);
}

static void switch_changed(GtkSwitch *toggle, GParamSpec *property, GantryPlanRow *self) {
  emit_number(self, gtk_switch_get_active(toggle));
}

static void reset_clicked(GtkButton *button, GantryPlanRow *self) {
  hide_complaint(self);
  g_signal_emit(self, signals[RESET], 0);
}

/* A wheel turned to scroll the panel must not change the value under it. */
static void ignore_wheel(GtkWidget *spin) {
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers(spin);
  for (guint i = 0; i < g_list_model_get_n_items(controllers); i++) {
    g_autoptr(GtkEventController) controller = g_list_model_get_item(controllers, i);
    if (GTK_IS_EVENT_CONTROLLER_SCROLL(controller))
      gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_NONE);
  }
}

static void make_spin(GantryPlanRow *self) {
  const ct_param *param = self->param;
  GtkAdjustment *adjustment = gtk_adjustment_new(param->low, param->low, param->high, param->step, 10 * param->step, 0);
  self->control = gtk_spin_button_new(adjustment, 0, (guint)MAX(param->digits, 0));
  gtk_spin_button_set_update_policy(GTK_SPIN_BUTTON(self->control), GTK_UPDATE_IF_VALID);
  gtk_editable_set_width_chars(GTK_EDITABLE(self->control), 6);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(self->control), 9);
  gtk_widget_set_size_request(self->control, WIDTH, -1);
  gtk_editable_set_alignment(GTK_EDITABLE(self->control), 1);
  gtk_widget_add_css_class(self->control, "compact");
  gtk_widget_add_css_class(self->control, "numeric");
  ignore_wheel(self->control);
  g_signal_connect(self->control, "input", G_CALLBACK(read_spin), self);
  g_signal_connect(self->control, "output", G_CALLBACK(write_spin), self);
  g_signal_connect(self->control, "value-changed", G_CALLBACK(spin_changed), self);
}

static void make_control(GantryPlanRow *self) {
  if (is_number(self->param)) {
    make_spin(self);
  } else if (self->param->type == CT_PARAM_BOOL) {
    self->control = gtk_switch_new();
    g_signal_connect(self->control, "notify::active", G_CALLBACK(switch_changed), self);
  } else {
    gantry_drop_down_init(&self->choices, self->param->choices, WIDTH);
    self->control = self->choices.widget;
    g_signal_connect(self->control, "notify::selected", G_CALLBACK(drop_down_changed), self);
  }
  gtk_widget_set_valign(self->control, GTK_ALIGN_CENTER);
  gtk_widget_set_halign(self->control, GTK_ALIGN_END);
}

static void describe(GantryPlanRow *self) {
  const ct_param *param = self->param;
  g_autofree char *bounds = is_number(param) ? gantry_number_bounds(param) : NULL;
  g_autofree char *tip = bounds ? g_strdup_printf("%s\n%s", param->tip, bounds) : g_strdup(param->tip);
  g_autofree char *name = *param->unit ? g_strdup_printf("%s, %s", param->title, param->unit) : g_strdup(param->title);
  gantry_tips_set(GTK_WIDGET(self), tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->control), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tip, -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, param->title, -1);
  g_autofree char *reset = g_strdup_printf("Reset %s", param->title);
  gantry_tips_set(self->reset, reset);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->reset), GTK_ACCESSIBLE_PROPERTY_LABEL, reset, -1);
}

void gantry_plan_row_set_idle(GantryPlanRow *self, const char *reason) {
  if (!reason && !self->idle) return;
  gtk_widget_set_sensitive(gtk_list_box_row_get_child(GTK_LIST_BOX_ROW(self)), reason == NULL);
  if (!reason) describe(self);
  if (!reason) gantry_tips_set(self->control, NULL);
  self->idle = reason != NULL;
  if (!reason) return;
  g_autofree char *tip = g_strdup_printf("%s\n\n%s", reason, self->param->tip);
  gantry_tips_set(GTK_WIDGET(self), tip);
  gantry_tips_set(self->control, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->control), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tip, -1);
}

static void build(GantryPlanRow *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4), *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->title = gtk_label_new(self->param->title);
  gtk_label_set_xalign(GTK_LABEL(self->title), 0);
  gtk_label_set_wrap(GTK_LABEL(self->title), TRUE);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(self->title), GTK_NATURAL_WRAP_NONE);
  gtk_widget_set_hexpand(self->title, TRUE);
  gtk_box_append(GTK_BOX(box), self->title);
  make_control(self);
  gtk_box_append(GTK_BOX(box), self->control);
  self->reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
  gtk_widget_add_css_class(self->reset, "flat");
  gtk_widget_add_css_class(self->reset, "reset");
  gtk_widget_set_valign(self->reset, GTK_ALIGN_CENTER);
  g_signal_connect(self->reset, "clicked", G_CALLBACK(reset_clicked), self);
  gtk_box_append(GTK_BOX(box), self->reset);
  self->complaint = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(self->complaint), 0);
  gtk_label_set_wrap(GTK_LABEL(self->complaint), TRUE);
  gtk_widget_add_css_class(self->complaint, "error");
  gtk_widget_add_css_class(self->complaint, "caption");
  gtk_widget_set_visible(self->complaint, FALSE);
  gtk_box_append(GTK_BOX(column), box);
  gtk_box_append(GTK_BOX(column), self->complaint);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(self), column);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(self), FALSE);
  gtk_list_box_row_set_selectable(GTK_LIST_BOX_ROW(self), FALSE);
  gtk_widget_set_focusable(GTK_WIDGET(self), FALSE);
  describe(self);
}

static void gantry_plan_row_dispose(GObject *object) {
  GantryPlanRow *self = GANTRY_PLAN_ROW(object);
  self->updating = TRUE;
  g_clear_handle_id(&self->complaint_timer, g_source_remove);
  G_OBJECT_CLASS(gantry_plan_row_parent_class)->dispose(object);
}

static void gantry_plan_row_finalize(GObject *object) {
  GantryPlanRow *self = GANTRY_PLAN_ROW(object);
  gantry_drop_down_clear(&self->choices);
  g_free(self->shown);
  G_OBJECT_CLASS(gantry_plan_row_parent_class)->finalize(object);
}

static void gantry_plan_row_class_init(GantryPlanRowClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_plan_row_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_plan_row_finalize;
  signals[EDITED] = g_signal_new("edited", GANTRY_TYPE_PLAN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_STRING);
  signals[RESET] = g_signal_new("reset", GANTRY_TYPE_PLAN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_plan_row_init(GantryPlanRow *self) {
  self->automatic_value = NAN;
  gtk_widget_add_css_class(GTK_WIDGET(self), "plan-row");
}

GtkWidget *gantry_plan_row_new(const ct_param *param) {
  GantryPlanRow *self = g_object_new(GANTRY_TYPE_PLAN_ROW, NULL);
  self->entry = param;
  self->own = *param;
  self->param = &self->own;
  self->updating = TRUE;
  build(self);
  self->updating = FALSE;
  return GTK_WIDGET(self);
}

const ct_param *gantry_plan_row_get_param(GantryPlanRow *self) {
  return self->entry;
}

void gantry_plan_row_set_units(GantryPlanRow *self, ct_units units) {
  const char *unit = self->entry->unit;
  /* What tells the pitch, and the distances, are mm in any case. */
  if (self->entry->section == CT_SECTION_GEOMETRY) return;
  if (strcmp(unit, ct_units_of(false).length) == 0) unit = units.length;
  if (strcmp(unit, ct_units_of(false).value) == 0) unit = units.value;
  if (strcmp(unit, self->own.unit) == 0) return;
  self->own.unit = unit;
  describe(self);
}

void gantry_plan_row_set_words(GantryPlanRow *self, const char *const *ids, const char *const *titles,
                               const char *const *tips, gsize count) {
  g_return_if_fail(self->choices.ids);
  self->updating = TRUE;
  gantry_drop_down_set_items(&self->choices, ids, titles, tips, count);
  self->updating = FALSE;
}

void gantry_plan_row_set_headings(GantryPlanRow *self, const char *const *headings, gsize count) {
  gantry_drop_down_set_headings(&self->choices, headings, count);
}

void gantry_plan_row_set_note(GantryPlanRow *self, GantryDropDownNote note, gpointer user) {
  gantry_drop_down_set_note(&self->choices, note, user);
}

static void show_word(GantryPlanRow *self, const char *word) {
  const char *title, *about;
  gantry_drop_down_select(&self->choices, word, &title, &about);
  if (self->idle) return; /* which the tooltips tell */
  /* The field may have cut the choice short. */
  g_autofree char *chosen =
      g_strdup_printf("%s%s%s\n\n%s", title, about ? "\n" : "", about ? about : "", self->param->tip);
  gantry_tips_set(self->control, chosen);
  if (!about) return;
  g_autofree char *tip = g_strdup_printf("%s\n\n%s", self->param->tip, about);
  gantry_tips_set(GTK_WIDGET(self), tip);
}

/* "As the scan says" tells what that is. */
static void title_automatic_choice(GantryPlanRow *self, double value) {
  const ct_choice *first = self->param->choices;
  if (!first || first->value != CT_AUTO_INT) return;
  const ct_choice *means = isnan(value) ? NULL : ct_choice_find(first, (int)value);
  g_autofree char *title = means ? g_strdup_printf("Auto: %s", means->title) : g_strdup(first->title);
  gantry_drop_down_title_first(&self->choices, title);
}

/* News from the program must not wipe out what is being typed. */
static gboolean is_being_typed(GantryPlanRow *self) {
  GtkRoot *root = gtk_widget_get_root(self->control);
  GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;
  return focus && gtk_widget_is_ancestor(focus, self->control) &&
         g_strcmp0(gtk_editable_get_text(GTK_EDITABLE(self->control)), self->shown) != 0;
}

/* What the program takes, or will take, in the empty field; where it has nothing to go by that is said. */
static void show_placeholder(GantryPlanRow *self) {
  GtkEditable *text = gtk_editable_get_delegate(GTK_EDITABLE(self->control));
  const gboolean known = self->automatic && !isnan(self->automatic_value);
  g_autofree char *number = known ? gantry_number_text(self->param, self->automatic_value, ROOM_OF_AUTOMATIC) : NULL;
  g_autofree char *words = known          ? g_strdup_printf("%s, auto", number)
                           : self->needed ? g_strdup("to be typed")
                                          : g_strdup("auto");
  gtk_text_set_placeholder_text(GTK_TEXT(text), self->param->automatic ? words : NULL);
  if (self->automatic && self->needed)
    gtk_widget_add_css_class(self->control, "needed");
  else
    gtk_widget_remove_css_class(self->control, "needed");
  if (self->automatic)
    gtk_accessible_update_property(GTK_ACCESSIBLE(self->control), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, words, -1);
  else
    gtk_accessible_reset_property(GTK_ACCESSIBLE(self->control), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT);
}

static void show_number(GantryPlanRow *self, double value, gboolean automatic) {
  if (is_being_typed(self) && (self->automatic || (!automatic && value == self->shown_value))) return;
  self->automatic = automatic;
  const double number = automatic ? self->automatic_value : value;
  if (!isnan(number)) gtk_spin_button_set_value(GTK_SPIN_BUTTON(self->control), number);
  self->shown_value = gtk_spin_button_get_value(GTK_SPIN_BUTTON(self->control));
  write_spin(GTK_SPIN_BUTTON(self->control), self);
  show_placeholder(self);
}

void gantry_plan_row_set_needed(GantryPlanRow *self, gboolean needed) {
  self->needed = needed;
}

void gantry_plan_row_show(GantryPlanRow *self, const ct_plan *plan, gboolean automatic, double automatic_value) {
  const ct_param *param = self->param;
  const gboolean changed = !ct_param_is_default(plan, param);
  char text[128];
  self->updating = TRUE;
  self->automatic_value = automatic_value;
  if (is_number(param)) {
    show_number(self, ct_param_get_number(plan, param), automatic);
  } else if (param->type == CT_PARAM_BOOL) {
    gtk_switch_set_active(GTK_SWITCH(self->control), ct_param_get_number(plan, param) != 0);
  } else {
    if (param->type == CT_PARAM_CHOICE) title_automatic_choice(self, automatic_value);
    if (ct_plan_get_text(plan, param, text, sizeof text)) show_word(self, text);
  }
  if (changed)
    gtk_widget_add_css_class(GTK_WIDGET(self), "changed");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self), "changed");
  gtk_widget_set_opacity(self->reset, changed);
  gtk_widget_set_sensitive(self->reset, changed);
  self->updating = FALSE;
}
