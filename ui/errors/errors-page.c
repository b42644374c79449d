/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/errors/errors-page.h"

#include "ui/errors/curves.h"
#include "ui/errors/figures.h"
#include "ui/tips.h"

#include <math.h>

#define PLOT_WIDTH 340 /* at least: what is left beside it decides how many tables stand side by side */

struct _GantryErrorsPage {
  GtkWidget parent_instance;
  GantryErrorReport *report;
  const char *unit;
  GtkWidget *stack, *curve, *logarithm;
  GtkLabel *instead, *scope;
  GantryPlot *plot;
  GantryErrorFigures *figures;
};

G_DEFINE_TYPE(GantryErrorsPage, gantry_errors_page, GTK_TYPE_WIDGET)

static guint slice_clicked_signal;

static guint chosen(GantryErrorsPage *self) {
  return gtk_drop_down_get_selected(GTK_DROP_DOWN(self->curve));
}

static void show_curve(GantryErrorsPage *self) {
  const GantryErrorCurve *curve = gantry_error_curve_get(chosen(self));
  gantry_tips_set(self->curve, curve->tip);
  gtk_widget_set_sensitive(self->logarithm, !curve->linear);
  gantry_plot_set_empty_text(self->plot, curve->by_slice ? "A region of another plane has no axial slices."
                                                         : "A and B are equal: there is no error.");
  gantry_error_curve_show(chosen(self), self->plot, self->report ? self->report->analysis : NULL, self->unit,
                          gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(self->logarithm)));
}

/* Each curve begins with the scale that suits it. */
static void curve_chosen(GantryErrorsPage *self) {
  const GantryErrorCurve *curve = gantry_error_curve_get(chosen(self));
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->logarithm), curve->logarithmic);
  show_curve(self);
}

static void plot_clicked(GantryPlot *plot, double x, GantryErrorsPage *self) {
  if (gantry_error_curve_get(chosen(self))->by_slice) g_signal_emit(self, slice_clicked_signal, 0, (int)lround(x));
}

void gantry_errors_page_take(GantryErrorsPage *self, GantryErrorReport *report, const char *instead) {
  gantry_error_report_free(self->report);
  self->report = report;
  gtk_label_set_text(self->instead, instead ? instead : "");
  gtk_stack_set_visible_child_name(GTK_STACK(self->stack), report ? "errors" : "instead");
  if (report) {
    g_autofree char *text =
        report->note ? g_strdup_printf("%s; %s", report->scope, report->note) : g_strdup(report->scope);
    gtk_label_set_text(self->scope, text);
    gantry_tips_set(GTK_WIDGET(self->scope), text);
  }
  gantry_error_figures_show(self->figures, report, self->unit);
  show_curve(self);
}

const GantryErrorReport *gantry_errors_page_get_report(GantryErrorsPage *self) {
  return self->report;
}

GantryPlot *gantry_errors_page_get_plot(GantryErrorsPage *self) {
  return self->plot;
}

void gantry_errors_page_choose(GantryErrorsPage *self, const char *id) {
  for (guint i = 0; i < gantry_error_curves_count(); i++)
    if (g_str_equal(gantry_error_curve_get(i)->id, id)) gtk_drop_down_set_selected(GTK_DROP_DOWN(self->curve), i);
}

char *gantry_errors_page_numbers_to_csv(GantryErrorsPage *self) {
  return self->report ? gantry_error_figures_to_csv(self->report, self->unit) : g_strdup("");
}

void gantry_errors_page_set_unit(GantryErrorsPage *self, const char *unit) {
  self->unit = unit;
}

/* Building */

static GtkWidget *make_button(const char *icon, const char *label, const char *action, const char *name,
                              const char *tip) {
  GtkWidget *button = icon ? gtk_button_new_from_icon_name(icon) : gtk_button_new_with_label(label);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gtk_widget_add_css_class(button, "small");
  if (icon) gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gantry_tips_set(button, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return button;
}

static GtkWidget *make_choice(GantryErrorsPage *self) {
  const guint count = gantry_error_curves_count();
  g_autofree const char **titles = g_new0(const char *, count + 1);
  for (guint i = 0; i < count; i++) titles[i] = gantry_error_curve_get(i)->title;
  self->curve = gtk_drop_down_new_from_strings(titles);
  gtk_widget_add_css_class(self->curve, "compact");
  gtk_widget_set_valign(self->curve, GTK_ALIGN_CENTER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->curve), GTK_ACCESSIBLE_PROPERTY_LABEL, "Curve of the errors", -1);
  self->logarithm = gtk_toggle_button_new_with_label("log");
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->logarithm), TRUE);
  gtk_widget_add_css_class(self->logarithm, "small");
  gtk_widget_set_valign(self->logarithm, GTK_ALIGN_CENTER);
  gantry_tips_set(self->logarithm, "Logarithmic scale: equal steps for equal ratios");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->logarithm), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Logarithmic scale of errors", -1);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append(GTK_BOX(box), self->curve);
  gtk_box_append(GTK_BOX(box), self->logarithm);
  g_signal_connect_swapped(self->curve, "notify::selected", G_CALLBACK(curve_chosen), self);
  g_signal_connect_swapped(self->logarithm, "toggled", G_CALLBACK(show_curve), self);
  return box;
}

/* What the numbers are of, and what can be done with them. */
static GtkWidget *make_head(GantryErrorsPage *self) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4), *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->scope = GTK_LABEL(gtk_label_new(""));
  gtk_label_set_xalign(self->scope, 0);
  gtk_label_set_wrap(self->scope, TRUE);
  gtk_label_set_width_chars(self->scope, 24);
  gtk_label_set_max_width_chars(self->scope, 36);
  gtk_widget_add_css_class(GTK_WIDGET(self->scope), "caption-heading");
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->scope));
  gtk_box_append(GTK_BOX(column), box);
  gtk_box_append(GTK_BOX(box), make_button(NULL, "Go to Worst", "win.worst-first", "Go to the worst voxel",
                                           "Move the crosshair to the voxel with the largest error"));
  gtk_box_append(GTK_BOX(box), make_button(NULL, "Next", "win.worst-next", "Go to the next worst voxel",
                                           "Move the crosshair to the next of the ten worst voxels, each a few voxels "
                                           "away from those before"));
  gtk_box_append(GTK_BOX(box),
                 make_button("edit-copy-symbolic", NULL, "win.copy-error-numbers", "Copy the numbers as CSV",
                             "Copy the numbers as a table, CSV, with all digits"));
  return column;
}

static GtkWidget *make_errors(GantryErrorsPage *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *left = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2),
            *right = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4), *scrolled = gtk_scrolled_window_new();
  self->plot = GANTRY_PLOT(gantry_plot_new());
  gtk_widget_set_hexpand(GTK_WIDGET(self->plot), TRUE);
  gtk_widget_set_vexpand(GTK_WIDGET(self->plot), TRUE);
  gtk_widget_set_size_request(GTK_WIDGET(self->plot), PLOT_WIDTH, -1);
  g_signal_connect(self->plot, "clicked", G_CALLBACK(plot_clicked), self);
  gtk_box_append(GTK_BOX(left), make_choice(self));
  gtk_box_append(GTK_BOX(left), GTK_WIDGET(self->plot));
  self->figures = gantry_error_figures_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width(GTK_SCROLLED_WINDOW(scrolled), TRUE);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), gantry_error_figures_get_widget(self->figures));
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_box_append(GTK_BOX(right), make_head(self));
  gtk_box_append(GTK_BOX(right), scrolled);
  gtk_widget_add_css_class(box, "errors");
  gtk_box_append(GTK_BOX(box), left);
  gtk_box_append(GTK_BOX(box), right);
  return box;
}

static void gantry_errors_page_init(GantryErrorsPage *self) {
  self->unit = "1/mm";
  self->stack = gtk_stack_new();
  self->instead = GTK_LABEL(gtk_label_new(""));
  gtk_label_set_wrap(self->instead, TRUE);
  gtk_label_set_justify(self->instead, GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars(self->instead, 60);
  gtk_widget_add_css_class(GTK_WIDGET(self->instead), "dim-label");
  gtk_stack_add_named(GTK_STACK(self->stack), GTK_WIDGET(self->instead), "instead");
  gtk_stack_add_named(GTK_STACK(self->stack), make_errors(self), "errors");
  gtk_widget_set_parent(self->stack, GTK_WIDGET(self));
  curve_chosen(self);
}

static void gantry_errors_page_dispose(GObject *object) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_errors_page_parent_class)->dispose(object);
}

static void gantry_errors_page_finalize(GObject *object) {
  GantryErrorsPage *self = GANTRY_ERRORS_PAGE(object);
  gantry_error_figures_free(self->figures);
  gantry_error_report_free(self->report);
  G_OBJECT_CLASS(gantry_errors_page_parent_class)->finalize(object);
}

static void gantry_errors_page_class_init(GantryErrorsPageClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_errors_page_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_errors_page_finalize;
  slice_clicked_signal = g_signal_new("slice-clicked", GANTRY_TYPE_ERRORS_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 1, G_TYPE_INT);
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

GtkWidget *gantry_errors_page_new(void) {
  return g_object_new(GANTRY_TYPE_ERRORS_PAGE, NULL);
}
