/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row of the centre of rotation: what is in use and how well it is known, other places and a tilt that the views
 * allow, each taken by a click, the search, and the sweep with its plot. */
#include "ui/plan/panel-private.h"

#include "ui/number-text.h"
#include "ui/tips.h"

#include <math.h>

static void sweep_clicked(GantryPlot *plot, double x, GantryPlanPanel *self) {
  gantry_plan_panel_set_manual_centre(self, x);
}

GtkWidget *gantry_plan_panel_make_centre_row(GantryPlanPanel *self) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8), *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  self->centre_words = gantry_plan_panel_make_words("caption");
  gtk_box_append(GTK_BOX(column), self->centre_words);
  self->centre_offers = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  gtk_box_append(GTK_BOX(column), self->centre_offers);
  gtk_box_set_homogeneous(GTK_BOX(buttons), TRUE);
  gtk_box_append(GTK_BOX(buttons), gantry_plan_panel_make_button("Find", "win.find-centre",
                                                                 "Find the centre by comparing opposite views"));
  gtk_box_append(GTK_BOX(buttons),
                 gantry_plan_panel_make_button(
                     "Sweep", "win.sweep-centre",
                     "Reconstruct the present axial slice for a range of centres and plot how good each one is"));
  gtk_box_append(GTK_BOX(column), buttons);
  self->sweep_row = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  self->sweep = GANTRY_PLOT(gantry_plot_new());
  gantry_plot_set_axes(self->sweep, "centre", "px", "measure, lower is better", NULL);
  gtk_widget_set_size_request(GTK_WIDGET(self->sweep), -1, 150);
  gantry_tips_set(GTK_WIDGET(self->sweep),
                  "Click to take the centre at that place; with the keyboard, the arrows and Return");
  g_signal_connect(self->sweep, "clicked", G_CALLBACK(sweep_clicked), self);
  gtk_box_append(GTK_BOX(self->sweep_row), GTK_WIDGET(self->sweep));
  gtk_box_append(GTK_BOX(column), self->sweep_row);
  return gantry_plan_panel_wrap_row(column);
}

static void take_candidate(GtkButton *button, GantryPlanPanel *self) {
  const int at = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(button), "candidate"));
  if (at < self->facts.found.count) gantry_plan_panel_set_manual_centre(self, self->facts.found.candidates[at]);
}

static void take_tilt(GtkButton *button, GantryPlanPanel *self) {
  ct_plan plan = self->plan;
  plan.tilt_deg = round(self->facts.tilt.tilt * (180 / M_PI) * 100) / 100;
  gantry_plan_panel_take(self, &plan, "geometry.tilt");
}

static GtkWidget *add_offer(GtkWidget *box, const char *label, const char *tip, GCallback taken,
                            GantryPlanPanel *self) {
  GtkWidget *button = gantry_plan_panel_make_button(label, NULL, tip);
  g_signal_connect(button, "clicked", taken, self);
  gtk_box_append(GTK_BOX(box), button);
  return button;
}

/* Other centres where the one in use is doubtful, and the tilt. */
static void show_offers(GantryPlanPanel *self) {
  const GantryPlanFacts *facts = &self->facts;
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(self->centre_offers))) gtk_box_remove(GTK_BOX(self->centre_offers), child);
  const gboolean others = facts->base.outcome && facts->found.count > 1 && facts->confidence < CT_CENTRE_SURE,
                 tilted = facts->base.outcome && facts->tilt.spread > 0;
  gtk_widget_set_visible(self->centre_offers, others || tilted);
  if (others) {
    GtkWidget *words = gantry_plan_panel_make_words("caption"), *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_label_set_text(GTK_LABEL(words), "Also possible:");
    gtk_box_append(GTK_BOX(self->centre_offers), words);
    gtk_box_set_homogeneous(GTK_BOX(row), TRUE);
    for (int i = 1; i < facts->found.count; i++) {
      g_autofree char *column = gantry_fixed_text(facts->found.candidates[i], 1);
      g_autofree char *label = g_strdup_printf("%s\u00a0px", column);
      GtkWidget *button = add_offer(row, label, "Take this column for the centre: opposite views agree about it, too",
                                    G_CALLBACK(take_candidate), self);
      g_object_set_data(G_OBJECT(button), "candidate", GINT_TO_POINTER(i));
    }
    gtk_box_append(GTK_BOX(self->centre_offers), row);
  }
  if (tilted) {
    g_autofree char *angle = gantry_fixed_text(facts->tilt.tilt * (180 / M_PI), 2);
    g_autofree char *spread = gantry_fixed_text(facts->tilt.spread * (180 / M_PI), 2);
    g_autofree char *label = g_strdup_printf("Set Tilt %s\u00b0", angle);
    g_autofree char *tip =
        g_strdup_printf("The centres at several heights tell that the axis is tilted in the "
                        "detector\u2019s plane by %s\u00b0 \u00b1 %s\u00b0: take it for In-plane tilt",
                        angle, spread);
    add_offer(self->centre_offers, label, tip, G_CALLBACK(take_tilt), self);
  }
}

void gantry_plan_panel_show_centre_row(GantryPlanPanel *self) {
  const GantryPlanFacts *facts = &self->facts;
  g_autoptr(GString) text = g_string_new(NULL);
  if (facts->base.outcome) {
    g_autofree char *column = gantry_fixed_text(facts->base.centre, 2);
    g_string_printf(text, "In use: column %s", column);
    if (facts->centre_how && *facts->centre_how) g_string_append_printf(text, ", %s", facts->centre_how);
    if (facts->found.count > 0 && isfinite(facts->found.spread)) {
      g_autofree char *spread = gantry_fixed_text(facts->found.spread, 2);
      g_string_append_printf(text, ", \u00b1\u00a0%s\u00a0px", spread);
    }
    if (!isnan(facts->confidence)) g_string_append_printf(text, ", confidence %.0f\u00a0%%", 100 * facts->confidence);
    g_string_append_c(text, '.');
    if (facts->confidence < 0.5) g_string_append(text, " Check it with a sweep.");
  }
  gtk_widget_set_visible(self->centre_words, text->len > 0);
  gtk_label_set_text(GTK_LABEL(self->centre_words), text->str);
  show_offers(self);
}
