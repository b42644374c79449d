/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help for tests of widgets: they need a display (Xvfb will do) and skip with that reason without one. */
#pragma once

#include <adwaita.h>
#include <string.h>

static gboolean have_display;

#define NEED_DISPLAY()                                                                                                 \
  do {                                                                                                                 \
    if (!have_display) SKIP("no display; run under xvfb-run");                                                         \
  } while (0)

#define WIDGET_TEST_MAIN(tests)                                                                                        \
  int main(void) {                                                                                                     \
    have_display = gtk_init_check();                                                                                   \
    if (have_display) adw_init();                                                                                      \
    return ct_test_run((tests), sizeof(tests) / sizeof *(tests));                                                      \
  }

/* The first descendant of a type, the widget itself included. */
static inline GtkWidget *find_widget(GtkWidget *widget, GType type) {
  if (g_type_is_a(G_OBJECT_TYPE(widget), type)) return widget;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_widget(child, type);
    if (found) return found;
  }
  return NULL;
}

/* The first visible label that contains the words, and its text. */
static inline GtkWidget *find_label_widget(GtkWidget *widget, const char *words) {
  if (!gtk_widget_get_visible(widget)) return NULL;
  if (GTK_IS_LABEL(widget) && strstr(gtk_label_get_text(GTK_LABEL(widget)), words)) return widget;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_label_widget(child, words);
    if (found) return found;
  }
  return NULL;
}

static inline const char *find_label_with(GtkWidget *widget, const char *words) {
  GtkWidget *found = find_label_widget(widget, words);
  return found ? gtk_label_get_text(GTK_LABEL(found)) : NULL;
}

/* Lets idle callbacks run. */
static inline void settle(void) {
  while (g_main_context_iteration(NULL, FALSE)) {
  }
}
