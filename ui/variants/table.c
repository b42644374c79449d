/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column view. Its own sorter comes second: what has failed, or has no number in the column that decides, stays at
 * the end, whichever way the numbers go. */
#include "ui/variants/table.h"

#include <math.h>

struct _GantryVariantsTable {
  GtkWidget parent_instance;
  GtkColumnView *view;
  GtkSingleSelection *chosen;
  GListModel *shown;
  GtkSorter *fates;   /* borrowed from it */
  gssize decides;     /* the column that rows are sorted by first; -1: none */
  gboolean is_asking; /* which one that is */
  GantryVariantColumn *columns;
  gsize count;
};

G_DEFINE_FINAL_TYPE(GantryVariantsTable, gantry_variants_table, GTK_TYPE_WIDGET)

enum { CHOSEN, ACTIVATED, SIGNALS };
static guint signals[SIGNALS];

static gboolean is_grey(GantryVariantItem *item) {
  const GantryVariantFate fate = gantry_variant_item_get_fate(item);
  return fate == GANTRY_VARIANT_REFUSED || fate == GANTRY_VARIANT_BROKEN || fate == GANTRY_VARIANT_LEFT;
}

/* Cells */

static const char *fate_words(GantryVariantItem *item) {
  switch (gantry_variant_item_get_fate(item)) {
  case GANTRY_VARIANT_RUNNING:
    return "running";
  case GANTRY_VARIANT_LEFT:
    return "not run";
  default:
    return gantry_variant_item_get_words(item);
  }
}

static void show_name(GtkWidget *box, GantryVariantItem *item) {
  GtkWidget *name = gtk_widget_get_first_child(box), *words = gtk_widget_get_next_sibling(name);
  const char *text = fate_words(item);
  gtk_label_set_text(GTK_LABEL(name), gantry_variant_item_get_name(item));
  gtk_label_set_text(GTK_LABEL(words), text ? text : "");
  gtk_widget_set_visible(words, text != NULL);
  if (is_grey(item))
    gtk_widget_add_css_class(name, "dim-label");
  else
    gtk_widget_remove_css_class(name, "dim-label");
}

static gsize column_of(GObject *factory) {
  return GPOINTER_TO_SIZE(g_object_get_data(factory, "column"));
}

/* Asked for when it is to be seen: GTK waits for the display server for each one that is set (ui/tips.h), row by row.
 */
static gboolean query_tip(GtkWidget *box, int x, int y, gboolean keyboard, GtkTooltip *tooltip) {
  GtkWidget *name = gtk_widget_get_first_child(box), *words = gtk_widget_get_next_sibling(name);
  gtk_tooltip_set_text(tooltip, gtk_label_get_text(GTK_LABEL(gtk_widget_get_visible(words) ? words : name)));
  return TRUE;
}

static void show_cell(GantryVariantItem *item, GtkListItem *cell) {
  GtkWidget *child = gtk_list_item_get_child(cell);
  if (GTK_IS_BOX(child))
    show_name(child, item);
  else
    gtk_label_set_text(GTK_LABEL(child), gantry_variant_item_get_entry(item, column_of(G_OBJECT(cell))));
}

static void setup_name(GtkListItemFactory *factory, GtkListItem *cell) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *name = gtk_label_new(NULL), *words = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars(GTK_LABEL(name), 26);
  gtk_label_set_xalign(GTK_LABEL(words), 0);
  gtk_label_set_wrap(GTK_LABEL(words), TRUE);
  gtk_label_set_lines(GTK_LABEL(words), 3);
  gtk_label_set_ellipsize(GTK_LABEL(words), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars(GTK_LABEL(words), 26);
  gtk_label_set_max_width_chars(GTK_LABEL(words), 44);
  gtk_widget_add_css_class(words, "caption");
  gtk_widget_add_css_class(words, "dim-label");
  gtk_box_append(GTK_BOX(box), name);
  gtk_box_append(GTK_BOX(box), words);
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  gtk_widget_set_has_tooltip(box, TRUE);
  g_signal_connect(box, "query-tooltip", G_CALLBACK(query_tip), NULL);
  gtk_list_item_set_child(cell, box);
}

static void setup_entry(GtkListItemFactory *factory, GtkListItem *cell, GantryVariantsTable *self) {
  const gsize column = column_of(G_OBJECT(factory));
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), self->columns[column].text ? 0 : 1);
  gtk_widget_add_css_class(label, "numeric");
  g_object_set_data(G_OBJECT(cell), "column", GSIZE_TO_POINTER(column));
  gtk_list_item_set_child(cell, label);
}

static void bind_cell(GtkListItemFactory *factory, GtkListItem *cell) {
  GantryVariantItem *item = gtk_list_item_get_item(cell);
  g_signal_connect(item, "changed", G_CALLBACK(show_cell), cell);
  show_cell(item, cell);
}

static void unbind_cell(GtkListItemFactory *factory, GtkListItem *cell) {
  g_signal_handlers_disconnect_by_func(gtk_list_item_get_item(cell), show_cell, cell);
}

/* Order */

static gboolean is_without(GantryVariantsTable *self, GantryVariantItem *item) {
  if (self->decides <= 0) return FALSE;
  const gsize column = (gsize)self->decides;
  return self->columns[column].text ? !*gantry_variant_item_get_entry(item, column)
                                    : isnan(gantry_variant_item_get_number(item, column));
}

static int compare_fates(gconstpointer a, gconstpointer b, gpointer user) {
  const int grey = is_grey((gpointer)a) - is_grey((gpointer)b);
  return grey ? grey : is_without(user, (gpointer)a) - is_without(user, (gpointer)b);
}

static int compare_entries(gconstpointer a, gconstpointer b, gpointer user) {
  GantryVariantsTable *self = g_object_get_data(user, "table");
  const gsize column = column_of(user);
  GantryVariantItem *first = (gpointer)a, *second = (gpointer)b;
  if (self->is_asking) {
    self->decides = (gssize)column;
    return 1;
  }
  if (column == 0) return g_utf8_collate(gantry_variant_item_get_name(first), gantry_variant_item_get_name(second));
  if (self->columns[column].text)
    return g_utf8_collate(gantry_variant_item_get_entry(first, column), gantry_variant_item_get_entry(second, column));
  const double x = gantry_variant_item_get_number(first, column), y = gantry_variant_item_get_number(second, column);
  if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
  return (x > y) - (x < y);
}

/* GTK 4.8 does not tell which column decides; the view's sorter asks that column first. */
static void order_changed(GtkSorter *sorter, GtkSorterChange change, GantryVariantsTable *self) {
  g_autoptr(GantryVariantItem) first = gantry_variant_item_new(0, "", 0, ""),
                               second = gantry_variant_item_new(0, "", 0, ""); /* one is equal to itself, unasked */
  self->decides = -1;
  self->is_asking = TRUE;
  gtk_sorter_compare(sorter, first, second);
  self->is_asking = FALSE;
}

/* Columns */

static GtkColumnViewColumn *make_column(GantryVariantsTable *self, gsize index) {
  const GantryVariantColumn *column = &self->columns[index];
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_object_set_data(G_OBJECT(factory), "column", GSIZE_TO_POINTER(index));
  if (index == 0)
    g_signal_connect(factory, "setup", G_CALLBACK(setup_name), NULL);
  else
    g_signal_connect(factory, "setup", G_CALLBACK(setup_entry), self);
  g_signal_connect(factory, "bind", G_CALLBACK(bind_cell), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(unbind_cell), NULL);
  g_autofree char *title =
      *column->unit ? g_strdup_printf("%s, %s", column->title, column->unit) : g_strdup(column->title);
  GtkColumnViewColumn *made = gtk_column_view_column_new(title, factory);
  g_object_set_data(G_OBJECT(made), "column", GSIZE_TO_POINTER(index));
  g_object_set_data(G_OBJECT(made), "table", self);
  GtkSorter *sorter = GTK_SORTER(gtk_custom_sorter_new(compare_entries, made, NULL));
  gtk_column_view_column_set_sorter(made, sorter);
  g_object_unref(sorter);
  gtk_column_view_column_set_expand(made, index == 0);
  gtk_column_view_column_set_resizable(made, TRUE);
  return made;
}

void gantry_variants_table_set_columns(GantryVariantsTable *self, const GantryVariantColumn *columns, gsize count) {
  self->columns = g_memdup2(columns, count * sizeof *columns);
  self->count = count;
  for (gsize i = 0; i < count; i++) {
    GtkColumnViewColumn *column = make_column(self, i);
    gtk_column_view_append_column(self->view, column);
    g_object_unref(column);
  }
}

void gantry_variants_table_sort(GantryVariantsTable *self, gsize column, gboolean descending) {
  g_autoptr(GtkColumnViewColumn) by = g_list_model_get_item(gtk_column_view_get_columns(self->view), (guint)column);
  gtk_column_view_sort_by_column(self->view, by, descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

void gantry_variants_table_resort(GantryVariantsTable *self) {
  gtk_sorter_changed(self->fates, GTK_SORTER_CHANGE_DIFFERENT);
}

/* Choice */

static void selection_changed(GtkSingleSelection *selection, GParamSpec *property, GantryVariantsTable *self) {
  g_signal_emit(self, signals[CHOSEN], 0);
}

static void view_activated(GtkColumnView *view, guint position, GantryVariantsTable *self) {
  g_signal_emit(self, signals[ACTIVATED], 0);
}

GantryVariantItem *gantry_variants_table_get_chosen(GantryVariantsTable *self) {
  return gtk_single_selection_get_selected_item(self->chosen);
}

void gantry_variants_table_choose(GantryVariantsTable *self, GantryVariantItem *item) {
  for (guint i = 0; i < g_list_model_get_n_items(self->shown); i++) {
    g_autoptr(GantryVariantItem) there = g_list_model_get_item(self->shown, i);
    if (there != item) continue;
    gtk_single_selection_set_selected(self->chosen, i);
    gtk_widget_activate_action(gtk_widget_get_last_child(GTK_WIDGET(self->view)), "list.scroll-to-item", "u", i);
  }
}

GListModel *gantry_variants_table_get_shown(GantryVariantsTable *self) {
  return self->shown;
}

/* Life */

static void gantry_variants_table_dispose(GObject *object) {
  GantryVariantsTable *self = GANTRY_VARIANTS_TABLE(object);
  if (self->chosen) g_signal_handlers_disconnect_by_data(self->chosen, self);
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_variants_table_parent_class)->dispose(object);
}

static void gantry_variants_table_finalize(GObject *object) {
  GantryVariantsTable *self = GANTRY_VARIANTS_TABLE(object);
  g_clear_object(&self->chosen);
  g_clear_object(&self->shown);
  g_free(self->columns);
  G_OBJECT_CLASS(gantry_variants_table_parent_class)->finalize(object);
}

static void gantry_variants_table_class_init(GantryVariantsTableClass *class) {
  static const char *const names[SIGNALS] = {"chosen", "activated"};
  G_OBJECT_CLASS(class)->dispose = gantry_variants_table_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_variants_table_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] =
        g_signal_new(names[i], GANTRY_TYPE_VARIANTS_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "variantstable");
}

static void gantry_variants_table_init(GantryVariantsTable *self) {
  self->view = GTK_COLUMN_VIEW(gtk_column_view_new(NULL));
  gtk_widget_add_css_class(GTK_WIDGET(self->view), "data-table");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, "Variants", -1);
  g_signal_connect(self->view, "activate", G_CALLBACK(view_activated), self);
  GtkWidget *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(self->view));
  gtk_widget_set_parent(scrolled, GTK_WIDGET(self));
}

GtkWidget *gantry_variants_table_new(GListModel *items) {
  GantryVariantsTable *self = g_object_new(GANTRY_TYPE_VARIANTS_TABLE, NULL);
  GtkMultiSorter *sorter = gtk_multi_sorter_new();
  self->fates = GTK_SORTER(gtk_custom_sorter_new(compare_fates, self, NULL));
  self->decides = -1;
  /* Before the sorter of both hears of it. */
  g_signal_connect_object(gtk_column_view_get_sorter(self->view), "changed", G_CALLBACK(order_changed), self, 0);
  gtk_multi_sorter_append(sorter, self->fates);
  gtk_multi_sorter_append(sorter, g_object_ref(gtk_column_view_get_sorter(self->view)));
  self->shown = G_LIST_MODEL(gtk_sort_list_model_new(g_object_ref(items), GTK_SORTER(sorter)));
  self->chosen = gtk_single_selection_new(g_object_ref(self->shown));
  gtk_single_selection_set_autoselect(self->chosen, FALSE);
  gtk_single_selection_set_can_unselect(self->chosen, TRUE);
  g_signal_connect(self->chosen, "notify::selected-item", G_CALLBACK(selection_changed), self);
  gtk_column_view_set_model(self->view, GTK_SELECTION_MODEL(self->chosen));
  return GTK_WIDGET(self);
}
