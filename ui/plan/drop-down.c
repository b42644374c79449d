/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drop-downs of the side panel. */
#include "ui/plan/drop-down.h"

#include <string.h>

static GtkStringList *list_of(const GantryDropDown *self) {
  return GTK_STRING_LIST(gtk_drop_down_get_model(GTK_DROP_DOWN(self->widget)));
}

static void setup_item(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  if (user) {
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_label_set_width_chars(GTK_LABEL(label), 5);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 20);
  }
  gtk_list_item_set_child(item, label);
}

static void bind_item(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user) {
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)),
                     gtk_string_object_get_string(GTK_STRING_OBJECT(gtk_list_item_get_item(item))));
}

static GtkListItemFactory *make_factory(gboolean ellipsize) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup_item), GINT_TO_POINTER(ellipsize));
  g_signal_connect(factory, "bind", G_CALLBACK(bind_item), NULL);
  return factory;
}

void gantry_drop_down_init(GantryDropDown *self, const ct_choice *choices, int width) {
  self->widget = gtk_drop_down_new(G_LIST_MODEL(gtk_string_list_new(NULL)), NULL);
  g_autoptr(GtkListItemFactory) button = make_factory(TRUE), list = make_factory(FALSE);
  gtk_drop_down_set_factory(GTK_DROP_DOWN(self->widget), button);
  gtk_drop_down_set_list_factory(GTK_DROP_DOWN(self->widget), list);
  gtk_widget_add_css_class(self->widget, "compact");
  gtk_widget_set_size_request(self->widget, width, -1);
  self->ids = g_ptr_array_new_with_free_func(g_free);
  self->tips = g_ptr_array_new_with_free_func(g_free);
  for (const ct_choice *choice = choices; choice && choice->id; choice++) {
    g_ptr_array_add(self->ids, g_strdup(choice->id));
    gtk_string_list_append(list_of(self), choice->title);
  }
}

void gantry_drop_down_clear(GantryDropDown *self) {
  g_clear_pointer(&self->ids, g_ptr_array_unref);
  g_clear_pointer(&self->tips, g_ptr_array_unref);
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
