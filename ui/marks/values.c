/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scale is made of what the regions measure in A when it is asked for, and stays what it is when they move. */
#include "ui/marks/values.h"

#include "ui/number-text.h"
#include "ui/tips.h"

#include <string.h>

enum { OWN, PER_CM, TOLD, LINEAR, KINDS };

typedef struct {
  GtkWidget *button, *checks[KINDS], *regions[2], *means[2], *unit, *use, *told;
  GantryDisplay *display; /* borrowed: the window's */
  GArray *ids;            /* of guint: the regions offered */
  gboolean telling;
} Values;

static GantryMarks *marks_of(Values *self) {
  return gantry_display_get_marks(self->display);
}

static void free_values(gpointer data) {
  Values *self = data;
  g_array_unref(self->ids);
  g_free(self);
}

/* What is chosen */

static int kind_of(Values *self) {
  const GantryValues *values = gantry_display_get_values(self->display);
  const GantryValues *told = gantry_display_get_told(self->display);
  if (!values) return OWN;
  if (values->scale.offset == 0 && g_str_equal(values->unit, "1/cm")) return PER_CM;
  return told && values->scale.factor == told->scale.factor && values->scale.offset == told->scale.offset ? TOLD
                                                                                                          : LINEAR;
}

static void tell(Values *self, const char *text) {
  gtk_label_set_text(GTK_LABEL(self->told), text);
  gtk_widget_set_visible(self->told, *text != 0);
}

static const GantryMarkNumbers *numbers_of(Values *self, int which, const char **problem) {
  const guint at = gtk_drop_down_get_selected(GTK_DROP_DOWN(self->regions[which]));
  const guint id = at < self->ids->len ? g_array_index(self->ids, guint, at) : 0;
  const GantryMarkNumbers *numbers = gantry_marks_get_numbers(marks_of(self), id, GANTRY_MARKS_OF_A);
  *problem = !id                 ? "Draw two regions first, one of each material."
             : !numbers          ? "A region is not measured yet."
             : *numbers->problem ? numbers->problem
                                 : NULL;
  return numbers;
}

static void use_scale(GtkButton *button, Values *self) {
  const GantryMarkNumbers *numbers[2];
  double value[2];
  GantryValues values;
  ct_error *error = NULL;
  for (int i = 0; i < 2; i++) {
    const char *problem;
    numbers[i] = numbers_of(self, i, &problem);
    value[i] = gtk_spin_button_get_value(GTK_SPIN_BUTTON(self->means[i]));
    if (!problem) continue;
    tell(self, problem);
    return;
  }
  if (!ct_value_scale_from(numbers[0]->region.values.mean, value[0], numbers[1]->region.values.mean, value[1],
                           &values.scale, &error)) {
    tell(self, error->message);
    ct_error_clear(&error);
    return;
  }
  const char *unit = gtk_editable_get_text(GTK_EDITABLE(self->unit));
  g_strlcpy(values.unit, *unit ? unit : "a.u.", sizeof values.unit);
  tell(self, "");
  gantry_display_set_values(self->display, &values);
  gtk_menu_button_popdown(GTK_MENU_BUTTON(self->button));
}

static void toggled(GtkCheckButton *check, Values *self) {
  static const GantryValues per_cm = {{10, 0}, "1/cm"};
  if (self->telling || !gtk_check_button_get_active(check)) return;
  if (GTK_WIDGET(check) == self->checks[OWN]) gantry_display_set_values(self->display, NULL);
  if (GTK_WIDGET(check) == self->checks[TOLD])
    gantry_display_set_values(self->display, gantry_display_get_told(self->display));
  if (GTK_WIDGET(check) == self->checks[PER_CM]) gantry_display_set_values(self->display, &per_cm);
}

/* Making it */

static void name(GtkWidget *widget, const char *label, const char *tip) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gantry_tips_set(widget, tip);
}

static void add_region(Values *self, GtkGrid *grid, int which) {
  g_autofree char *region = g_strdup_printf("Region %d of the scale", which + 1);
  g_autofree char *value = g_strdup_printf("Value of region %d", which + 1);
  self->regions[which] = gtk_drop_down_new(G_LIST_MODEL(gtk_string_list_new(NULL)), NULL);
  name(self->regions[which], region, "A region of one material whose value is known");
  self->means[which] = gtk_spin_button_new_with_range(-1e6, 1e6, 1);
  gtk_spin_button_set_digits(GTK_SPIN_BUTTON(self->means[which]), 4);
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(self->means[which]), which ? 1000 : 0);
  name(self->means[which], value, "What the region's mean is to read, −1 000 000 to 1 000 000");
  gtk_widget_set_hexpand(self->regions[which], TRUE);
  gtk_grid_attach(grid, self->regions[which], 0, which, 1, 1);
  gtk_grid_attach(grid, gtk_label_new("reads"), 1, which, 1, 1);
  gtk_grid_attach(grid, self->means[which], 2, which, 1, 1);
}

static GtkWidget *make_scale(Values *self) {
  GtkWidget *grid = gtk_grid_new(), *label = gtk_label_new("Unit");
  gtk_grid_set_row_spacing(GTK_GRID(grid), 6);
  gtk_grid_set_column_spacing(GTK_GRID(grid), 6);
  for (int i = 0; i < 2; i++) add_region(self, GTK_GRID(grid), i);
  self->unit = gtk_entry_new();
  gtk_editable_set_text(GTK_EDITABLE(self->unit), "HU");
  gtk_entry_set_max_length(GTK_ENTRY(self->unit), 7);
  gtk_editable_set_width_chars(GTK_EDITABLE(self->unit), 7);
  name(self->unit, "Unit of the scale", "What values on this scale are called, at most 7 letters");
  self->use = gtk_button_new_with_label("Use This Scale");
  gtk_widget_add_css_class(self->use, "suggested-action");
  gantry_tips_set(self->use, "Tell all values on the scale on which the two regions' means read so");
  g_signal_connect(self->use, "clicked", G_CALLBACK(use_scale), self);
  gtk_widget_set_halign(label, GTK_ALIGN_END);
  gtk_grid_attach(GTK_GRID(grid), label, 0, 2, 2, 1);
  gtk_grid_attach(GTK_GRID(grid), self->unit, 2, 2, 1, 1);
  gtk_grid_attach(GTK_GRID(grid), self->use, 0, 3, 3, 1);
  gtk_widget_set_margin_start(grid, 24);
  return grid;
}

static GtkWidget *make_popover(Values *self) {
  static const char *const titles[KINDS] = {"1/mm", "1/cm", "HU", "A scale of two regions"};
  GtkWidget *popover = gtk_popover_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  for (int i = 0; i < KINDS; i++) {
    self->checks[i] = gtk_check_button_new_with_label(titles[i]);
    if (i) gtk_check_button_set_group(GTK_CHECK_BUTTON(self->checks[i]), GTK_CHECK_BUTTON(self->checks[0]));
    g_signal_connect(self->checks[i], "toggled", G_CALLBACK(toggled), self);
    gtk_box_append(GTK_BOX(box), self->checks[i]);
  }
  gtk_box_append(GTK_BOX(box), make_scale(self));
  self->told = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(self->told), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(self->told), 36);
  gtk_label_set_xalign(GTK_LABEL(self->told), 0);
  gtk_widget_add_css_class(self->told, "error");
  gtk_widget_set_visible(self->told, FALSE);
  gtk_box_append(GTK_BOX(box), self->told);
  gtk_popover_set_child(GTK_POPOVER(popover), box);
  return popover;
}

GtkWidget *gantry_values_button_new(GantryDisplay *display) {
  Values *self = g_new0(Values, 1);
  self->display = display;
  self->ids = g_array_new(FALSE, FALSE, sizeof(guint));
  self->button = gtk_menu_button_new();
  gtk_widget_add_css_class(self->button, "small");
  name(self->button, "Unit of values",
       "What values are told in: 1/mm, 1/cm, or a scale such as HU, told by the file or from two regions");
  gtk_menu_button_set_popover(GTK_MENU_BUTTON(self->button), make_popover(self));
  g_object_set_data_full(G_OBJECT(self->button), "values", self, free_values);
  /* Its label tells the unit also while the page is not shown. */
  g_signal_connect_object(display, "changed", G_CALLBACK(gantry_values_button_refresh), self->button,
                          G_CONNECT_SWAPPED);
  return self->button;
}

/* Showing it */

/* The first region for the first value, the second for the second, until others are chosen. */
static void offer(Values *self, int which, char **names) {
  GtkDropDown *drop = GTK_DROP_DOWN(self->regions[which]);
  const guint before = gtk_drop_down_get_selected(drop), count = g_strv_length(names);
  g_autoptr(GtkStringList) list = gtk_string_list_new((const char *const *)names);
  const guint had = g_list_model_get_n_items(gtk_drop_down_get_model(drop));
  gtk_drop_down_set_model(drop, G_LIST_MODEL(list));
  if (count) gtk_drop_down_set_selected(drop, had >= 2 && before < count ? before : MIN((guint)which, count - 1));
}

static void offer_regions(Values *self) {
  GantryMarks *marks = marks_of(self);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  g_autofree char *before = g_strdup(g_object_get_data(G_OBJECT(self->button), "offered"));
  g_autoptr(GString) now = g_string_new(NULL);
  g_array_set_size(self->ids, 0);
  for (guint i = 0; i < gantry_marks_count(marks); i++) {
    const GantryMark *mark = gantry_marks_get(marks, i);
    if (!gantry_mark_is_region(mark)) continue;
    g_array_append_val(self->ids, mark->id);
    g_ptr_array_add(names, g_strdup(mark->name));
    g_string_append_printf(now, "%u %s\n", mark->id, mark->name);
  }
  if (g_strcmp0(before, now->str) == 0) return;
  g_object_set_data_full(G_OBJECT(self->button), "offered", g_strdup(now->str), g_free);
  g_ptr_array_add(names, NULL);
  for (int i = 0; i < 2; i++) offer(self, i, (char **)names->pdata);
}

void gantry_values_button_refresh(GtkWidget *button) {
  Values *self = g_object_get_data(G_OBJECT(button), "values");
  const ct_units units = gantry_display_get_units(self->display);
  g_autofree char *label = g_strdup_printf("Values in %s", gantry_display_value_unit(self->display));
  self->telling = TRUE;
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), label);
  gtk_check_button_set_label(GTK_CHECK_BUTTON(self->checks[OWN]), units.value);
  gtk_widget_set_visible(self->checks[PER_CM], !ct_units_are_pixels(units));
  const GantryValues *told = gantry_display_get_told(self->display);
  g_autofree char *as_told = told ? g_strdup_printf("%s, as the file tells them", told->unit) : NULL;
  if (as_told) gtk_check_button_set_label(GTK_CHECK_BUTTON(self->checks[TOLD]), as_told);
  gtk_widget_set_visible(self->checks[TOLD], told != NULL);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(self->checks[kind_of(self)]), TRUE);
  offer_regions(self);
  gtk_widget_set_sensitive(self->use, self->ids->len >= 2);
  self->telling = FALSE;
}
