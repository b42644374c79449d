/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two spin buttons that follow the display's pose, in the row of the slider; where that is too short for them, a button
 * that brings them up. */
#include "ui/oblique-bar.h"

#include "ui/number-spin.h"
#include "ui/tips.h"

#include <adwaita.h>
#include <math.h>

typedef struct {
  GantryDisplay *display;
  GtkWidget *box;
  GtkAdjustment *tilt, *rotation;
  gboolean telling; /* numbers are being set from the display */
} Bar;

static void bar_free(gpointer data) {
  Bar *bar = data;
  g_signal_handlers_disconnect_by_data(bar->display, bar);
  g_object_unref(bar->display);
  g_free(bar);
}

static void show_pose(Bar *bar) {
  GantryPose pose;
  gantry_display_get_oblique(bar->display, &pose);
  const gboolean flat = gantry_display_get_flat(bar->display);
  gtk_widget_set_sensitive(bar->box, !flat);
  gantry_tips_set(bar->box, flat ? "A single slice has no planes to tilt" : NULL);
  bar->telling = TRUE;
  gtk_adjustment_set_value(bar->tilt, pose.tilt * 180 / G_PI);
  gtk_adjustment_set_value(bar->rotation, pose.rotation * 180 / G_PI);
  bar->telling = FALSE;
}

static void angle_changed(GtkAdjustment *adjustment, Bar *bar) {
  GantryPose pose;
  if (bar->telling) return;
  const gboolean shown = gantry_display_get_oblique(bar->display, &pose);
  *(adjustment == bar->tilt ? &pose.tilt : &pose.rotation) = gtk_adjustment_get_value(adjustment) * G_PI / 180;
  gantry_display_set_oblique(bar->display, shown, &pose);
}

static GtkAdjustment *add_angle(Bar *bar, GtkWidget *box, const char *title, const char *name, const char *tip) {
  GtkAdjustment *angle = gtk_adjustment_new(0, -180, 180, 1, 15, 0);
  GtkWidget *label = gtk_label_new(title), *spin = gtk_spin_button_new(angle, 1, 1);
  gantry_spin_take_minus(GTK_SPIN_BUTTON(spin));
  gtk_spin_button_set_wrap(GTK_SPIN_BUTTON(spin), TRUE);
  gtk_editable_set_width_chars(GTK_EDITABLE(spin), 5);
  gtk_widget_set_valign(spin, GTK_ALIGN_CENTER);
  gantry_tips_set(spin, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  GtkWidget *squeezer = adw_squeezer_new();
  adw_squeezer_set_allow_none(ADW_SQUEEZER(squeezer), TRUE);
  adw_squeezer_add(ADW_SQUEEZER(squeezer), label);
  gtk_box_append(GTK_BOX(box), squeezer);
  gtk_box_append(GTK_BOX(box), spin);
  g_signal_connect(angle, "value-changed", G_CALLBACK(angle_changed), bar);
  return angle;
}

static GtkWidget *make_bar(GantryDisplay *display) {
  Bar *bar = g_new0(Bar, 1);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  bar->display = g_object_ref(display);
  bar->box = box;
  gtk_widget_add_css_class(box, "oblique-bar");
  gtk_widget_add_css_class(box, "gantry-view-row");
  gtk_widget_set_margin_start(box, 4);
  bar->tilt = add_angle(bar, box, "Tilt", "Tilt of the oblique plane, degrees",
                        "Out of the axial plane, about the picture's horizontal: 0° is axial, 90° upright (−180° to "
                        "180°; Ctrl+Shift+↑ and ↓ in the view)");
  bar->rotation = add_angle(bar, box, "Rotation", "Rotation of the oblique plane, degrees",
                            "About the axis of rotation: upright planes are coronal at 0°, sagittal at 90° (−180° to "
                            "180°; Ctrl+Shift+← and → in the view)");
  GtkWidget *button = gtk_button_new_from_icon_name("edit-undo-symbolic");
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gantry_tips_set(button, "Back to a tilt of 45° and no rotation, and into the volume");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.reset-oblique");
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Reset the oblique plane", -1);
  gtk_box_append(GTK_BOX(box), button);
  g_signal_connect_swapped(display, "oblique-changed", G_CALLBACK(show_pose), bar);
  show_pose(bar);
  g_object_set_data_full(G_OBJECT(box), "gantry-oblique-bar", bar, bar_free);
  return box;
}

static GtkWidget *make_button(GantryDisplay *display) {
  GtkWidget *button = gtk_menu_button_new(), *popover = gtk_popover_new();
  gtk_popover_set_child(GTK_POPOVER(popover), make_bar(display));
  gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "object-rotate-right-symbolic");
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_UP);
  gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), popover);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "angles-button");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gantry_tips_set(button, "Tilt and rotation of the oblique plane");
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Angles of the oblique plane",
                                 -1);
  return button;
}

GtkWidget *gantry_oblique_bar_new(GantryDisplay *display) {
  GtkWidget *squeezer = adw_squeezer_new();
  adw_squeezer_set_homogeneous(ADW_SQUEEZER(squeezer), FALSE);
  adw_squeezer_add(ADW_SQUEEZER(squeezer), make_bar(display));
  adw_squeezer_add(ADW_SQUEEZER(squeezer), make_button(display));
  return squeezer;
}
