/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controls are found by the words that the window shows of them, so that a lesson names what its reader sees. */
#include "ui/window/lessons.h"

#include "ui/plan/panel.h"
#include "ui/window/parts.h"

#include <adwaita.h>
#include <string.h>

struct _GantryLessonsPart {
  GtkWidget *window;
  GantryQuad *quad;
  GantryPlots *plots;
  GtkRevealer *revealer;
  GantryLessonsPanel *panel;
  GSimpleAction *show;
  GPtrArray *framed; /* of GtkWidget */
};

/* Finding */

/* The first label of that text which is there. */
static GtkWidget *find_label(GtkWidget *widget, const char *text) {
  if (!gtk_widget_get_visible(widget)) return NULL;
  if (GTK_IS_LABEL(widget) && !strcmp(gtk_label_get_text(GTK_LABEL(widget)), text)) return widget;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_label(child, text);
    if (found) return found;
  }
  return NULL;
}

static GtkWidget *find_view(GantryLessonsPart *self, const char *name) {
  static const struct {
    const char *name;
    GantryViewKind kind;
  } views[] = {{"Axial slice", GANTRY_VIEW_AXIAL},
               {"Coronal slice", GANTRY_VIEW_CORONAL},
               {"Sagittal slice", GANTRY_VIEW_SAGITTAL},
               {"Projection", GANTRY_VIEW_PROJECTION},
               {"Sinogram", GANTRY_VIEW_PROJECTION}};
  if (!strcmp(name, "Scene")) return GTK_WIDGET(gantry_quad_get_scene(self->quad));
  for (gsize i = 0; i < G_N_ELEMENTS(views); i++)
    if (!strcmp(name, views[i].name)) return GTK_WIDGET(gantry_quad_get_view(self->quad, views[i].kind));
  return NULL;
}

static GtkWidget *find_page(GantryLessonsPart *self, const char *name) {
  if (!g_str_has_suffix(name, " page")) return NULL;
  g_autofree char *title = g_strndup(name, strlen(name) - strlen(" page"));
  GtkWidget *label = find_label(gantry_window_part(self->window, "plots"), title);
  GtkWidget *button = label ? gtk_widget_get_ancestor(label, GTK_TYPE_TOGGLE_BUTTON) : NULL;
  return button ? button : label;
}

static GtkWidget *find(GantryLessonsPart *self, const char *name) {
  GtkWidget *found = find_view(self, name);
  if (!found) found = find_page(self, name);
  return found ? found : gantry_plan_panel_find(gantry_window_part(self->window, "panel"), name);
}

/* Bringing into sight */

static void unfold(GtkWidget *widget) {
  GtkWidget *section = gtk_widget_get_ancestor(widget, ADW_TYPE_EXPANDER_ROW);
  if (section) adw_expander_row_set_expanded(ADW_EXPANDER_ROW(section), TRUE);
}

static gboolean is_in_plan(GantryLessonsPart *self, GtkWidget *widget) {
  return gtk_widget_is_ancestor(widget, gantry_window_part(self->window, "panel"));
}

gboolean gantry_lessons_part_look(GantryLessonsPart *self, const char *name, gboolean go) {
  GtkWidget *found = find(self, name);
  if (!found) return FALSE;
  if (is_in_plan(self, found)) {
    if (go) adw_flap_set_reveal_flap(gantry_window_part(self->window, "flap"), TRUE);
    unfold(found);
  }
  gtk_widget_add_css_class(found, "look-here");
  g_ptr_array_add(self->framed, g_object_ref(found));
  if (go && !gtk_widget_grab_focus(found)) gtk_widget_child_focus(found, GTK_DIR_TAB_FORWARD);
  return TRUE;
}

void gantry_lessons_part_look_away(GantryLessonsPart *self) {
  for (guint i = 0; i < self->framed->len; i++)
    gtk_widget_remove_css_class(g_ptr_array_index(self->framed, i), "look-here");
  g_ptr_array_set_size(self->framed, 0);
}

/* The panel */

static void set_shown(GantryLessonsPart *self, gboolean shown) {
  gtk_revealer_set_reveal_child(self->revealer, shown);
  gtk_widget_set_visible(GTK_WIDGET(self->revealer), shown);
  g_simple_action_set_state(self->show, g_variant_new_boolean(shown));
  if (shown)
    gtk_widget_child_focus(GTK_WIDGET(self->panel), GTK_DIR_TAB_FORWARD);
  else
    gantry_lessons_part_look_away(self);
}

static void change_shown(GSimpleAction *action, GVariant *value, gpointer user) {
  set_shown(user, g_variant_get_boolean(value));
}

void gantry_lessons_part_show(GantryLessonsPart *self) {
  if (!gtk_revealer_get_reveal_child(self->revealer)) set_shown(self, TRUE);
}

GantryLessonsPanel *gantry_lessons_part_get_panel(GantryLessonsPart *self) {
  return self->panel;
}

GantryLessonsPart *gantry_lessons_part_new(GtkWidget *window, GantryQuad *quad, GantryPlots *plots) {
  static const GActionEntry entries[] = {{.name = "show-lessons", .state = "false", .change_state = change_shown}};
  GantryLessonsPart *self = g_new0(GantryLessonsPart, 1);
  self->window = window;
  self->quad = quad;
  self->plots = plots;
  self->framed = g_ptr_array_new_with_free_func(g_object_unref);
  self->revealer = gantry_window_part(window, "lessons");
  self->panel = GANTRY_LESSONS_PANEL(gantry_lessons_panel_new());
  gtk_revealer_set_child(self->revealer, GTK_WIDGET(self->panel));
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  self->show = G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(window), "show-lessons"));
  return self;
}

void gantry_lessons_part_free(GantryLessonsPart *self) {
  g_ptr_array_unref(self->framed);
  g_free(self);
}
