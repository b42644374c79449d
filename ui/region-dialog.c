/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A message dialog with two numbers; what they come to stands below them at every change. */
#include "ui/region-dialog.h"

#include "ui/tips.h"

#include <adwaita.h>

typedef struct {
  GantryRegionRequest request; /* but for the texts */
  AdwMessageDialog *dialog;
  GtkSpinButton *finer, *depth;
  GtkLabel *outcome;
} Asked;

static void asked_free(gpointer data) {
  Asked *asked = data;
  if (asked->request.destroy) asked->request.destroy(asked->request.user);
  g_free(asked);
}

static GantryRegionChoice choice_of(const Asked *asked) {
  return (GantryRegionChoice){gtk_spin_button_get_value_as_int(asked->finer), gtk_spin_button_get_value(asked->depth)};
}

static void changed(Asked *asked) {
  gboolean possible = FALSE;
  const GantryRegionChoice choice = choice_of(asked);
  g_autofree char *text = asked->request.describe(asked->request.user, &choice, &possible);
  gtk_label_set_text(asked->outcome, text);
  adw_message_dialog_set_response_enabled(asked->dialog, "reconstruct", possible);
}

static void answered(AdwMessageDialog *dialog, const char *response, Asked *asked) {
  const GantryRegionChoice choice = choice_of(asked);
  if (g_str_equal(response, "reconstruct")) asked->request.accept(asked->request.user, &choice);
}

static GtkSpinButton *add_number(GtkGrid *grid, int row, const char *title, const char *tooltip, GtkWidget *spin) {
  GtkWidget *label = gtk_label_new(title);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_hexpand(label, TRUE);
  gantry_tips_set(spin, tooltip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_label_set_mnemonic_widget(GTK_LABEL(label), spin);
  gtk_grid_attach(grid, label, 0, row, 1, 1);
  gtk_grid_attach(grid, spin, 1, row, 1, 1);
  return GTK_SPIN_BUTTON(spin);
}

static GtkWidget *make_numbers(Asked *asked, const char *unit) {
  const GantryRegionRequest *request = &asked->request;
  GtkGrid *grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_row_spacing(grid, 6);
  gtk_grid_set_column_spacing(grid, 12);
  g_autofree char *finer_tip = g_strdup_printf("So many voxels along each axis in place of one, 1 to %d. Voxels much "
                                               "finer than the pixels seen at the axis hold "
                                               "no more detail.",
                                               request->most_finer);
  asked->finer =
      add_number(grid, 0, "Times finer", finer_tip, gtk_spin_button_new_with_range(1, request->most_finer, 1));
  gtk_spin_button_set_value(asked->finer, MIN(2, request->most_finer));
  g_autofree char *title = g_strdup_printf("Through the stack (%s)", unit);
  g_autofree char *depth_tip = g_strdup_printf("How far the region reaches across the slice that it was drawn on, half "
                                               "of it to either side, in %s: up to %.6g. It "
                                               "is cut where the volume ends.",
                                               unit, request->most_depth);
  const double most = MAX(request->most_depth, request->step);
  asked->depth =
      add_number(grid, 1, title, depth_tip, gtk_spin_button_new_with_range(request->step, most, request->step));
  gtk_spin_button_set_digits(asked->depth, request->step < 0.01 ? 5 : 3);
  gtk_spin_button_set_value(asked->depth, request->depth);
  gtk_widget_set_sensitive(GTK_WIDGET(asked->depth), request->most_depth > 0);
  asked->outcome = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(asked->outcome, 0);
  gtk_label_set_wrap(asked->outcome, TRUE);
  gtk_label_set_max_width_chars(asked->outcome, 40);
  gtk_widget_add_css_class(GTK_WIDGET(asked->outcome), "numeric");
  gtk_grid_attach(grid, GTK_WIDGET(asked->outcome), 0, 2, 2, 1);
  return GTK_WIDGET(grid);
}

void gantry_region_dialog_show(GtkWindow *parent, const GantryRegionRequest *request) {
  g_autofree char *body = g_strdup_printf(
      "The rectangle “%s” becomes the plan's voxel grid; Undo gives the one before back.", request->name);
  GtkWidget *dialog = adw_message_dialog_new(parent, "Reconstruct this region?", body);
  Asked *asked = g_new0(Asked, 1);
  asked->request = *request;
  asked->dialog = ADW_MESSAGE_DIALOG(dialog);
  adw_message_dialog_set_extra_child(asked->dialog, make_numbers(asked, request->unit));
  adw_message_dialog_add_responses(asked->dialog, "cancel", "_Cancel", "reconstruct", "_Reconstruct", NULL);
  adw_message_dialog_set_response_appearance(asked->dialog, "reconstruct", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response(asked->dialog, "reconstruct");
  adw_message_dialog_set_close_response(asked->dialog, "cancel");
  g_signal_connect_swapped(asked->finer, "value-changed", G_CALLBACK(changed), asked);
  g_signal_connect_swapped(asked->depth, "value-changed", G_CALLBACK(changed), asked);
  g_signal_connect(dialog, "response", G_CALLBACK(answered), asked);
  g_object_set_data_full(G_OBJECT(dialog), "asked", asked, asked_free);
  changed(asked);
  gtk_window_present(GTK_WINDOW(dialog));
}
