/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each group and each array. */
#include "ui/source-tree.h"

#include "ui/shown.h"
#include "ui/tips.h"

#include <string.h>

static char *shape_of(const ct_dataset *d) {
  GString *text = g_string_new(NULL);
  for (int i = 0; i < d->rank; i++)
    g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i ? " × " : "", (guint64)d->dims[i]);
  if (d->elsewhere && d->rank == 0)
    g_string_append(text, "in another folder");
  else
    g_string_append_printf(text, "  %s", d->type);
  return g_string_free(text, FALSE);
}

static GtkWidget *new_row(const char *name, const char *detail, guint depth, gboolean group) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12), *title = gtk_label_new(name),
            *shape = gtk_label_new(detail), *row = gtk_list_box_row_new();
  gtk_widget_set_margin_start(box, 12 + 18 * (int)depth);
  gtk_widget_set_margin_end(box, 12);
  gtk_widget_set_margin_top(box, 6);
  gtk_widget_set_margin_bottom(box, 6);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand(title, TRUE);
  gtk_widget_add_css_class(shape, "dim-label");
  gtk_widget_add_css_class(shape, "numeric");
  if (group) gtk_widget_add_css_class(title, "dim-label");
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), shape);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_list_box_row_set_selectable(GTK_LIST_BOX_ROW(row), !group);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), !group);
  return row;
}

/* The groups of a path that the one before was not in; returns its depth. */
static guint add_groups(GtkListBox *tree, char **before, char *const *parts, guint count) {
  gboolean same = TRUE;
  for (guint i = 0; i + 1 < count; i++) {
    same = same && before && i + 1 < g_strv_length(before) && g_str_equal(before[i], parts[i]);
    if (!same) gtk_list_box_append(tree, new_row(parts[i], NULL, i, TRUE));
  }
  return count - 1;
}

static void add_array(GtkListBox *tree, const ct_dataset *d, char ***before) {
  g_autofree char *shown = gantry_shown(d->path + strspn(d->path, "/")), *shape = shape_of(d);
  char **parts = g_strsplit(shown, strchr(shown, '/') ? "/" : ".", -1);
  const guint depth = add_groups(tree, *before, parts, g_strv_length(parts));
  GtkWidget *row = new_row(parts[depth], d->trouble ? "cannot be read" : shape, depth, FALSE);
  g_autofree char *name = g_strdup_printf("%s, %s", shown, d->trouble ? d->trouble : shape);
  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gantry_tips_set(row, d->trouble ? d->trouble : d->path);
  gtk_widget_set_sensitive(row, !d->trouble && (d->rank > 1 || d->elsewhere));
  g_object_set_data_full(G_OBJECT(row), "path", g_strdup(d->path), g_free);
  gtk_list_box_append(tree, row);
  g_strfreev(*before);
  *before = parts;
}

GtkListBox *gantry_source_tree_new(const ct_dataset_list *datasets) {
  GtkListBox *tree = GTK_LIST_BOX(gtk_list_box_new());
  char **before = NULL;
  gtk_widget_add_css_class(GTK_WIDGET(tree), "boxed-list");
  gtk_accessible_update_property(GTK_ACCESSIBLE(tree), GTK_ACCESSIBLE_PROPERTY_LABEL, "Projections", -1);
  gantry_tips_set(GTK_WIDGET(tree), "The array that holds the projections or sinograms");
  for (gsize i = 0; i < datasets->count; i++) add_array(tree, &datasets->items[i], &before);
  g_strfreev(before);
  return tree;
}

const char *gantry_source_tree_get_selected(GtkListBox *tree) {
  GtkListBoxRow *row = gtk_list_box_get_selected_row(tree);
  return row ? g_object_get_data(G_OBJECT(row), "path") : NULL;
}

void gantry_source_tree_select(GtkListBox *tree, const char *path) {
  for (GtkWidget *row = gtk_widget_get_first_child(GTK_WIDGET(tree)); row; row = gtk_widget_get_next_sibling(row))
    if (g_strcmp0(g_object_get_data(G_OBJECT(row), "path"), path) == 0)
      gtk_list_box_select_row(tree, GTK_LIST_BOX_ROW(row));
}

const char *gantry_source_tree_find_largest(const ct_dataset_list *datasets) {
  double most = 0;
  const char *path = NULL;
  for (gsize i = 0; i < datasets->count; i++) {
    const ct_dataset *d = &datasets->items[i];
    double size = d->rank > 1 && !d->trouble ? 1 : 0;
    for (int k = 0; k < d->rank; k++) size *= (double)d->dims[k];
    if (size > most) {
      most = size;
      path = d->path;
    }
  }
  return path;
}
