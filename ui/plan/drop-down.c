/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drop-downs of the side panel. */
#include "ui/plan/drop-down.h"

#include <string.h>

static GtkStringList *list_of(const GantryDropDown *self) {
  return GTK_STRING_LIST(gtk_drop_down_get_model(GTK_DROP_DOWN(self->widget)));
}

static const char *title_of(GtkListItem *item) {
  return gtk_string_object_get_string(GTK_STRING_OBJECT(gtk_list_item_get_item(item)));
}

static void setup_button(GtkSignalListItemFactory *factory, GtkListItem *item) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars(GTK_LABEL(label), 5);
  gtk_label_set_max_width_chars(GTK_LABEL(label), 20);
  gtk_list_item_set_child(item, label);
}

static void bind_button(GtkSignalListItemFactory *factory, GtkListItem *item) {
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), title_of(item));
}

/* The list: a heading, the title, and the note */

static GtkWidget *add_line(GtkWidget *box, const char *first_class, const char *second_class) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  if (first_class) gtk_widget_add_css_class(label, first_class);
  if (second_class) gtk_widget_add_css_class(label, second_class);
  gtk_box_append(GTK_BOX(box), label);
  return label;
}

static void setup_row(GtkSignalListItemFactory *factory, GtkListItem *item) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_margin_bottom(add_line(box, "caption-heading", "list-heading"), 4);
  add_line(box, NULL, NULL);
  GtkWidget *note = add_line(box, "caption", "dim-label");
  gtk_label_set_wrap(GTK_LABEL(note), TRUE);
  gtk_label_set_width_chars(GTK_LABEL(note), 40);
  gtk_label_set_max_width_chars(GTK_LABEL(note), 56);
  gtk_list_item_set_child(item, box);
}

static void show_row(GantryDropDown *self, GtkListItem *item) {
  const guint at = gtk_list_item_get_position(item);
  if (at >= self->ids->len) return;
  GtkWidget *box = gtk_list_item_get_child(item), *heading = gtk_widget_get_first_child(box),
            *title = gtk_widget_get_next_sibling(heading), *note = gtk_widget_get_next_sibling(title);
  gboolean grey = FALSE;
  const char *above = at < self->headings->len ? self->headings->pdata[at] : NULL;
  g_autofree char *below = self->note ? self->note(self->user, self->ids->pdata[at], &grey) : NULL;
  gtk_label_set_text(GTK_LABEL(heading), above ? above : "");
  gtk_widget_set_visible(heading, above != NULL);
  gtk_label_set_text(GTK_LABEL(title), title_of(item));
  gtk_label_set_text(GTK_LABEL(note), below ? below : "");
  gtk_widget_set_visible(note, below != NULL);
  if (grey)
    gtk_widget_add_css_class(title, "dim-label");
  else
    gtk_widget_remove_css_class(title, "dim-label");
  /* What cannot serve cannot be chosen either: neither a click nor Enter does. */
  gtk_list_item_set_activatable(item, !grey);
  gtk_list_item_set_selectable(item, !grey);
  gtk_accessible_update_state(GTK_ACCESSIBLE(box), GTK_ACCESSIBLE_STATE_DISABLED, grey, -1);
}

static void bind_row(GtkSignalListItemFactory *factory, GtkListItem *item, GantryDropDown *self) {
  g_ptr_array_add(self->bound, item);
  show_row(self, item);
}

static void unbind_row(GtkSignalListItemFactory *factory, GtkListItem *item, GantryDropDown *self) {
  if (self->bound) g_ptr_array_remove_fast(self->bound, item);
}

static void list_opens(GtkWidget *popover, GantryDropDown *self) {
  for (guint i = 0; self->note && i < self->bound->len; i++) show_row(self, self->bound->pdata[i]);
}

static void set_factories(GantryDropDown *self) {
  g_autoptr(GtkListItemFactory) button = gtk_signal_list_item_factory_new(), list = gtk_signal_list_item_factory_new();
  g_signal_connect(button, "setup", G_CALLBACK(setup_button), NULL);
  g_signal_connect(button, "bind", G_CALLBACK(bind_button), NULL);
  g_signal_connect(list, "setup", G_CALLBACK(setup_row), NULL);
  g_signal_connect(list, "bind", G_CALLBACK(bind_row), self);
  g_signal_connect(list, "unbind", G_CALLBACK(unbind_row), self);
  gtk_drop_down_set_factory(GTK_DROP_DOWN(self->widget), button);
  gtk_drop_down_set_list_factory(GTK_DROP_DOWN(self->widget), list);
}

void gantry_drop_down_init(GantryDropDown *self, const ct_choice *choices, int width) {
  self->ids = g_ptr_array_new_with_free_func(g_free);
  self->tips = g_ptr_array_new_with_free_func(g_free);
  self->headings = g_ptr_array_new_with_free_func(g_free);
  self->bound = g_ptr_array_new();
  self->widget = gtk_drop_down_new(G_LIST_MODEL(gtk_string_list_new(NULL)), NULL);
  set_factories(self);
  GtkWidget *popover = gtk_widget_get_last_child(self->widget);
  if (GTK_IS_POPOVER(popover)) g_signal_connect(popover, "show", G_CALLBACK(list_opens), self);
  gtk_widget_add_css_class(self->widget, "compact");
  gtk_widget_set_size_request(self->widget, width, -1);
  for (const ct_choice *choice = choices; choice && choice->id; choice++) {
    g_ptr_array_add(self->ids, g_strdup(choice->id));
    gtk_string_list_append(list_of(self), choice->title);
  }
}

void gantry_drop_down_clear(GantryDropDown *self) {
  g_clear_pointer(&self->ids, g_ptr_array_unref);
  g_clear_pointer(&self->tips, g_ptr_array_unref);
  g_clear_pointer(&self->headings, g_ptr_array_unref);
  g_clear_pointer(&self->bound, g_ptr_array_unref);
}

void gantry_drop_down_set_headings(GantryDropDown *self, const char *const *headings, gsize count) {
  g_ptr_array_set_size(self->headings, 0);
  for (gsize i = 0; i < count; i++) g_ptr_array_add(self->headings, g_strdup(headings[i]));
}

void gantry_drop_down_set_note(GantryDropDown *self, GantryDropDownNote note, gpointer user) {
  self->note = note;
  self->user = user;
}

void gantry_drop_down_set_items(GantryDropDown *self, const char *const *ids, const char *const *titles,
                                const char *const *tips, gsize count) {
  GtkStringList *list = list_of(self);
  g_ptr_array_set_size(self->ids, 0);
  g_ptr_array_set_size(self->tips, 0);
  gtk_string_list_splice(list, 0, g_list_model_get_n_items(G_LIST_MODEL(list)), NULL);
  for (gsize i = 0; i < count; i++) {
    g_ptr_array_add(self->ids, g_strdup(ids[i]));
    g_ptr_array_add(self->tips, g_strdup(tips ? tips[i] : NULL));
    gtk_string_list_append(list, titles[i]);
  }
}

void gantry_drop_down_title_first(GantryDropDown *self, const char *title) {
  if (!strcmp(gtk_string_list_get_string(list_of(self), 0), title)) return;
  const guint selected = gtk_drop_down_get_selected(GTK_DROP_DOWN(self->widget));
  gtk_string_list_splice(list_of(self), 0, 1, (const char *const[]){title, NULL});
  gtk_drop_down_set_selected(GTK_DROP_DOWN(self->widget), selected);
}

const char *gantry_drop_down_get_id(const GantryDropDown *self) {
  const guint selected = gtk_drop_down_get_selected(GTK_DROP_DOWN(self->widget));
  return selected < self->ids->len ? self->ids->pdata[selected] : NULL;
}

void gantry_drop_down_select(GantryDropDown *self, const char *id, const char **title, const char **tip) {
  guint index;
  if (!g_ptr_array_find_with_equal_func(self->ids, id, g_str_equal, &index)) {
    index = self->ids->len;
    g_ptr_array_add(self->ids, g_strdup(id));
    gtk_string_list_append(list_of(self), id);
  }
  gtk_drop_down_set_selected(GTK_DROP_DOWN(self->widget), index);
  *title = gtk_string_list_get_string(list_of(self), index);
  *tip = index < self->tips->len ? self->tips->pdata[index] : NULL;
}
