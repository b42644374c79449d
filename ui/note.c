/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/note.h"

#include "ui/tips.h"

GtkLabel *gantry_note_new(void) {
  GtkWidget *note = gtk_label_new(NULL);
  gtk_label_set_ellipsize(GTK_LABEL(note), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(GTK_LABEL(note), 0);
  gtk_widget_set_margin_start(note, 12);
  gtk_widget_add_css_class(note, "caption");
  gtk_widget_set_visible(note, FALSE);
  return GTK_LABEL(note);
}

void gantry_note_set(GtkLabel *note, const char *words) {
  gtk_label_set_text(note, words ? words : "");
  gantry_tips_set(GTK_WIDGET(note), words);
  gtk_widget_set_visible(GTK_WIDGET(note), words != NULL);
}
