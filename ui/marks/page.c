/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line for each mark: its name and place, and a cell for each number, with A above B. Lines are kept as long as the
 * marks are the same ones, so that the list stays where it was scrolled to. */
#include "ui/marks/page.h"

#include "ui/marks/item.h"
#include "ui/marks/values.h"
#include "ui/tips.h"

#include <math.h>

struct _GantryMarksPage {
  GtkWidget parent_instance;
  GantryDisplay *display;
  GantryMarkTable table;
  GListStore *items;
  GtkSingleSelection *chosen;
  GtkWidget *stack, *name, *thickness, *thickness_unit, *background, *values;
  GtkStringList *backgrounds;
  GArray *background_ids; /* of guint; 0 first */
  GtkColumnViewColumn *columns[GANTRY_MARK_COLUMNS];
  gboolean telling; /* controls are set by the program */
};

G_DEFINE_FINAL_TYPE(GantryMarksPage, gantry_marks_page, GTK_TYPE_WIDGET)

static GantryMarks *marks_of(GantryMarksPage *self) {
  return gantry_display_get_marks(self->display);
}

/* Cells */

static void show_name(GantryMarkItem *item, GtkListItem *cell) {
  GtkWidget *box = gtk_list_item_get_child(cell), *name = gtk_widget_get_first_child(box),
            *place = gtk_widget_get_next_sibling(name), *note = gtk_widget_get_next_sibling(place);
  gtk_label_set_text(GTK_LABEL(name), gantry_mark_item_get(item, GANTRY_MARK_ITEM_NAME));
  gtk_label_set_text(GTK_LABEL(place), gantry_mark_item_get(item, GANTRY_MARK_ITEM_PLACE));
  gtk_label_set_text(GTK_LABEL(note), gantry_mark_item_get(item, GANTRY_MARK_ITEM_NOTE));
  gtk_widget_set_visible(note, *gantry_mark_item_get(item, GANTRY_MARK_ITEM_NOTE) != 0);
  gantry_tips_set(box, gantry_mark_item_get(item, GANTRY_MARK_ITEM_NOTE));
}

static void show_number(GantryMarkItem *item, GtkListItem *cell) {
  const int column = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(cell), "column"));
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(cell)), gantry_mark_item_get(item, column));
}

static GtkWidget *add_line(GtkWidget *box, const char *class) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars(GTK_LABEL(label), 17);
  if (class) gtk_widget_add_css_class(label, "caption");
  if (class) gtk_widget_add_css_class(label, class);
  gtk_box_append(GTK_BOX(box), label);
  return label;
}

static void setup_name(GtkListItemFactory *factory, GtkListItem *cell) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  add_line(box, NULL);
  add_line(box, "dim-label");
  GtkWidget *note = add_line(box, "warning");
  gtk_label_set_wrap(GTK_LABEL(note), TRUE);
  gtk_label_set_lines(GTK_LABEL(note), 2);
  gtk_list_item_set_child(cell, box);
}

static void setup_number(GtkListItemFactory *factory, GtkListItem *cell) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 1);
  gtk_widget_set_valign(label, GTK_ALIGN_START);
  gtk_widget_add_css_class(label, "numeric");
  g_object_set_data(G_OBJECT(cell), "column", g_object_get_data(G_OBJECT(factory), "column"));
  gtk_list_item_set_child(cell, label);
}

static void bind_name(GtkListItemFactory *factory, GtkListItem *cell) {
  g_signal_connect(gtk_list_item_get_item(cell), "changed", G_CALLBACK(show_name), cell);
  show_name(gtk_list_item_get_item(cell), cell);
}

static void unbind_name(GtkListItemFactory *factory, GtkListItem *cell) {
  g_signal_handlers_disconnect_by_func(gtk_list_item_get_item(cell), show_name, cell);
}

static void bind_number(GtkListItemFactory *factory, GtkListItem *cell) {
  g_signal_connect(gtk_list_item_get_item(cell), "changed", G_CALLBACK(show_number), cell);
  show_number(gtk_list_item_get_item(cell), cell);
}

static void unbind_number(GtkListItemFactory *factory, GtkListItem *cell) {
  g_signal_handlers_disconnect_by_func(gtk_list_item_get_item(cell), show_number, cell);
}

static GtkColumnViewColumn *add_column(GtkColumnView *view, const char *title, int column) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  const gboolean name = column < 0;
  g_object_set_data(G_OBJECT(factory), "column", GINT_TO_POINTER(column));
  g_signal_connect(factory, "setup", G_CALLBACK(name ? setup_name : setup_number), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(name ? bind_name : bind_number), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(name ? unbind_name : unbind_number), NULL);
  GtkColumnViewColumn *made = gtk_column_view_column_new(title, factory);
  gtk_column_view_column_set_resizable(made, TRUE);
  gtk_column_view_column_set_expand(made, name);
  gtk_column_view_append_column(view, made);
  g_object_unref(made); /* the view's now */
  return made;
}

/* Choice */

static void selection_changed(GtkSingleSelection *selection, GParamSpec *property, GantryMarksPage *self) {
  GantryMarkItem *item = gtk_single_selection_get_selected_item(selection);
  if (!self->telling && item) gantry_marks_choose(marks_of(self), gantry_mark_item_get_id(item));
}

static void row_activated(GtkColumnView *view, guint position, GantryMarksPage *self) {
  gtk_widget_activate_action(GTK_WIDGET(self), "win.mark-there", NULL);
}

static void name_activated(GtkEntry *entry, GantryMarksPage *self) {
  GantryMarks *marks = marks_of(self);
  if (!self->telling)
    gantry_marks_set_name(marks, gantry_marks_get_chosen(marks), gtk_editable_get_text(GTK_EDITABLE(entry)));
}

static void name_left(GtkEventControllerFocus *controller, GantryMarksPage *self) {
  name_activated(GTK_ENTRY(self->name), self);
}

static void thickness_changed(GtkSpinButton *spin, GantryMarksPage *self) {
  GantryMarks *marks = marks_of(self);
  if (!self->telling)
    gantry_marks_set_thickness(marks, gantry_marks_get_chosen(marks), gtk_spin_button_get_value(spin));
}

static void background_chosen(GtkDropDown *drop, GParamSpec *property, GantryMarksPage *self) {
  const guint at = gtk_drop_down_get_selected(drop);
  if (self->telling || at >= self->background_ids->len) return;
  self->table.background = g_array_index(self->background_ids, guint, at);
  gantry_marks_page_refresh(self);
}

/* The row above the list */

static GtkWidget *add_button(GtkWidget *box, const char *icon, const char *action, const char *name, const char *tip) {
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gantry_tips_set(button, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "small");
  gtk_box_append(GTK_BOX(box), button);
  return button;
}

static GtkWidget *make_draw_button(void) {
  static const struct {
    const char *title, *target, *key;
  } rows[] = {{"_Rectangle", "rectangle", "<Alt><Shift>r"}, {"_Ellipse", "ellipse", "<Alt><Shift>e"},
              {"_Free Region", "polygon", "<Alt><Shift>g"}, {"_Distance", "line", "<Alt><Shift>l"},
              {"_Angle", "angle", "<Alt><Shift>a"},         {"_Point", "point", "<Alt><Shift>t"}};
  GtkWidget *button = gtk_menu_button_new();
  g_autoptr(GMenu) menu = g_menu_new();
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autoptr(GMenuItem) item = g_menu_item_new(rows[i].title, NULL);
    g_menu_item_set_action_and_target(item, "win.draw-mark", "s", rows[i].target);
    g_menu_item_set_attribute(item, "accel", "s", rows[i].key);
    g_menu_append_item(menu, item);
  }
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), "Draw");
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
  gantry_tips_set(button, "Draw a region, a distance, an angle or a point on an axial, coronal or sagittal slice");
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Draw a mark", -1);
  gtk_widget_add_css_class(button, "small");
  return button;
}

static void make_name(GantryMarksPage *self, GtkWidget *bar) {
  self->name = gtk_entry_new();
  gtk_editable_set_width_chars(GTK_EDITABLE(self->name), 12);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(self->name), 20);
  gantry_tips_set(self->name, "Name of the chosen mark");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->name), GTK_ACCESSIBLE_PROPERTY_LABEL, "Name of the mark", -1);
  g_signal_connect(self->name, "activate", G_CALLBACK(name_activated), self);
  GtkEventController *focus = gtk_event_controller_focus_new();
  g_signal_connect(focus, "leave", G_CALLBACK(name_left), self);
  gtk_widget_add_controller(self->name, focus);
  self->thickness = gtk_spin_button_new_with_range(0, 1e4, 0.1);
  gtk_spin_button_set_digits(GTK_SPIN_BUTTON(self->thickness), 2);
  gtk_editable_set_width_chars(GTK_EDITABLE(self->thickness), 5);
  gantry_tips_set(self->thickness,
                  "Thickness of the chosen distance, mm, 0 to 10 000: values are averaged over it across the line");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->thickness), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Thickness of the line", -1);
  g_signal_connect(self->thickness, "value-changed", G_CALLBACK(thickness_changed), self);
  self->thickness_unit = gtk_label_new("thick");
  gtk_widget_add_css_class(self->thickness_unit, "dim-label");
  gtk_box_append(GTK_BOX(bar), self->name);
  gtk_box_append(GTK_BOX(bar), self->thickness);
  gtk_box_append(GTK_BOX(bar), self->thickness_unit);
}

static GtkWidget *make_bar(GantryMarksPage *self) {
  GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *space = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(bar, "marks-bar");
  gtk_box_append(GTK_BOX(bar), make_draw_button());
  make_name(self, bar);
  add_button(bar, "find-location-symbolic", "win.mark-there", "Go to the mark",
             "Show the slice of the chosen mark (Return in the list)");
  add_button(bar, "user-trash-symbolic", "win.remove-mark", "Remove the mark",
             "Remove the chosen mark (Delete); Ctrl+Alt+Z takes it back");
  gtk_widget_set_hexpand(space, TRUE);
  gtk_box_append(GTK_BOX(bar), space);
  self->backgrounds = gtk_string_list_new(NULL);
  self->background_ids = g_array_new(FALSE, FALSE, sizeof(guint));
  self->background = gtk_drop_down_new(G_LIST_MODEL(self->backgrounds), NULL);
  gantry_tips_set(self->background, gantry_mark_column_tip(GANTRY_MARK_CONTRAST));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->background), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Region that contrast to noise is taken against", -1);
  g_signal_connect(self->background, "notify::selected", G_CALLBACK(background_chosen), self);
  gtk_box_append(GTK_BOX(bar), self->background);
  self->values = gantry_values_button_new(self->display);
  /* Titles tell the unit also while the page is not shown. */
  g_signal_connect_object(self->display, "changed", G_CALLBACK(gantry_marks_page_refresh), self, G_CONNECT_SWAPPED);
  gtk_box_append(GTK_BOX(bar), self->values);
  add_button(bar, "edit-copy-symbolic", "win.copy-marks", "Copy the regions as CSV", "Copy the list as a table, CSV");
  add_button(bar, "document-save-symbolic", "win.save-marks", "Save the regions", "Save the list as a table, CSV");
  return bar;
}

/* Showing it */

static gboolean holds_same(GantryMarksPage *self) {
  GantryMarks *marks = marks_of(self);
  const guint count = gantry_marks_count(marks);
  if (g_list_model_get_n_items(G_LIST_MODEL(self->items)) != count) return FALSE;
  for (guint i = 0; i < count; i++) {
    g_autoptr(GantryMarkItem) item = g_list_model_get_item(G_LIST_MODEL(self->items), i);
    if (gantry_mark_item_get_id(item) != gantry_marks_get(marks, i)->id) return FALSE;
  }
  return TRUE;
}

static void show_items(GantryMarksPage *self) {
  GantryMarks *marks = marks_of(self);
  if (!holds_same(self)) {
    g_list_store_remove_all(self->items);
    for (guint i = 0; i < gantry_marks_count(marks); i++) {
      g_autoptr(GantryMarkItem) item = gantry_mark_item_new(gantry_marks_get(marks, i)->id);
      g_list_store_append(self->items, item);
    }
  }
  guint at = GTK_INVALID_LIST_POSITION;
  for (guint i = 0; i < gantry_marks_count(marks); i++) {
    const GantryMark *mark = gantry_marks_get(marks, i);
    g_autoptr(GantryMarkItem) item = g_list_model_get_item(G_LIST_MODEL(self->items), i);
    gantry_mark_item_fill(item, &self->table, mark);
    if (mark->id == gantry_marks_get_chosen(marks)) at = i;
  }
  gtk_single_selection_set_selected(self->chosen, at);
}

static void show_backgrounds(GantryMarksPage *self) {
  GantryMarks *marks = marks_of(self);
  guint chosen = 0;
  const guint none = 0;
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  g_array_set_size(self->background_ids, 0);
  g_array_append_val(self->background_ids, none);
  g_ptr_array_add(names, g_strdup("CNR against …"));
  for (guint i = 0; i < gantry_marks_count(marks); i++) {
    const GantryMark *mark = gantry_marks_get(marks, i);
    if (!gantry_mark_is_region(mark)) continue;
    if (mark->id == self->table.background) chosen = names->len;
    g_array_append_val(self->background_ids, mark->id);
    g_ptr_array_add(names, g_strdup_printf("CNR against %s", mark->name));
  }
  if (!chosen) self->table.background = 0;
  gboolean same = g_list_model_get_n_items(G_LIST_MODEL(self->backgrounds)) == names->len;
  for (guint i = 0; same && i < names->len; i++)
    same = g_str_equal(gtk_string_list_get_string(self->backgrounds, i), names->pdata[i]);
  if (!same) {
    gtk_string_list_splice(self->backgrounds, 0, g_list_model_get_n_items(G_LIST_MODEL(self->backgrounds)), NULL);
    for (guint i = 0; i < names->len; i++) gtk_string_list_append(self->backgrounds, names->pdata[i]);
  }
  gtk_drop_down_set_selected(GTK_DROP_DOWN(self->background), chosen);
  gtk_widget_set_visible(self->background, names->len > 2);
}

static void show_chosen(GantryMarksPage *self) {
  GantryMarks *marks = marks_of(self);
  const GantryMark *mark = gantry_marks_find(marks, gantry_marks_get_chosen(marks));
  const gboolean line = mark && mark->kind == GANTRY_MARK_LINE;
  const char *name = mark ? mark->name : "";
  gtk_widget_set_sensitive(self->name, mark != NULL);
  if (!gtk_widget_has_focus(GTK_WIDGET(gtk_editable_get_delegate(GTK_EDITABLE(self->name)))) &&
      g_strcmp0(gtk_editable_get_text(GTK_EDITABLE(self->name)), name) != 0)
    gtk_editable_set_text(GTK_EDITABLE(self->name), name);
  gtk_widget_set_visible(self->thickness, line);
  gtk_widget_set_visible(self->thickness_unit, line);
  g_autofree char *unit = g_strdup_printf("%s thick", gantry_display_get_units(self->display).length);
  gtk_label_set_text(GTK_LABEL(self->thickness_unit), unit);
  if (line) gtk_spin_button_set_value(GTK_SPIN_BUTTON(self->thickness), mark->thickness);
}

void gantry_marks_page_refresh(GantryMarksPage *self) {
  if (self->telling) return;
  self->telling = TRUE;
  show_backgrounds(self);
  show_items(self);
  show_chosen(self);
  gantry_values_button_refresh(self->values);
  for (int i = 0; i < GANTRY_MARK_COLUMNS; i++) {
    g_autofree char *title = gantry_mark_column_title(&self->table, (GantryMarkColumn)i);
    gtk_column_view_column_set_title(self->columns[i], title);
  }
  gtk_stack_set_visible_child_name(GTK_STACK(self->stack), gantry_marks_count(marks_of(self)) ? "list" : "empty");
  self->telling = FALSE;
}

void gantry_marks_page_set_b(GantryMarksPage *self, gboolean has_b) {
  self->table.has_b = has_b;
}

char *gantry_marks_page_to_csv(GantryMarksPage *self) {
  return gantry_mark_csv(&self->table);
}

/* Life */

static void gantry_marks_page_dispose(GObject *object) {
  GantryMarksPage *self = GANTRY_MARKS_PAGE(object);
  self->telling = TRUE;
  if (self->chosen) g_signal_handlers_disconnect_by_data(self->chosen, self);
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child) gtk_widget_unparent(child);
  g_clear_object(&self->chosen);
  g_clear_object(&self->items);
  g_clear_object(&self->display);
  g_clear_pointer(&self->background_ids, g_array_unref);
  G_OBJECT_CLASS(gantry_marks_page_parent_class)->dispose(object);
}

static void gantry_marks_page_class_init(GantryMarksPageClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_marks_page_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void gantry_marks_page_init(GantryMarksPage *self) {}

static GtkWidget *make_list(GantryMarksPage *self) {
  self->items = g_list_store_new(GANTRY_TYPE_MARK_ITEM);
  self->chosen = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(self->items)));
  gtk_single_selection_set_autoselect(self->chosen, FALSE);
  gtk_single_selection_set_can_unselect(self->chosen, TRUE);
  g_signal_connect(self->chosen, "notify::selected-item", G_CALLBACK(selection_changed), self);
  GtkWidget *view = gtk_column_view_new(g_object_ref(GTK_SELECTION_MODEL(self->chosen)));
  gtk_widget_add_css_class(view, "data-table");
  gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, "Regions", -1);
  g_signal_connect(view, "activate", G_CALLBACK(row_activated), self);
  add_column(GTK_COLUMN_VIEW(view), "Name", -1);
  for (int i = 0; i < GANTRY_MARK_COLUMNS; i++) self->columns[i] = add_column(GTK_COLUMN_VIEW(view), NULL, i);
  GtkWidget *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), view);
  gtk_widget_set_vexpand(scrolled, TRUE);
  return scrolled;
}

GtkWidget *gantry_marks_page_new(GantryDisplay *display) {
  GantryMarksPage *self = g_object_new(GANTRY_TYPE_MARKS_PAGE, NULL);
  self->display = g_object_ref(display);
  self->table.display = display;
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
  gtk_box_append(GTK_BOX(box), make_bar(self));
  self->stack = gtk_stack_new();
  GtkWidget *empty =
      gtk_label_new("Draw a region, a distance or an angle on a slice: what it measures is listed here.");
  gtk_label_set_wrap(GTK_LABEL(empty), TRUE);
  gtk_widget_add_css_class(empty, "dim-label");
  gtk_stack_add_named(GTK_STACK(self->stack), make_list(self), "list");
  gtk_stack_add_named(GTK_STACK(self->stack), empty, "empty");
  gtk_box_append(GTK_BOX(box), self->stack);
  gtk_widget_set_parent(box, GTK_WIDGET(self));
  gantry_marks_page_refresh(self);
  return GTK_WIDGET(self);
}
