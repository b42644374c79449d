/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list box bound to the model. */
#include "ui/shelf/list.h"

#include "ui/shelf/row.h"
#include "ui/tips.h"

#include <adwaita.h>

struct _GantryShelfList {
  GtkWidget parent_instance;
  GtkWidget *box, *scrolled;
  GtkListBox *list;
  GtkLabel *memory;
  GtkPopover *menu, *renaming;
  GtkEntry *entry;
  GListModel *model;
  GantryDisplay *display;
  gint64 follows_until; /* the list goes to its end while it grows; µs of the monotonic clock */
};

G_DEFINE_FINAL_TYPE(GantryShelfList, gantry_shelf_list, GTK_TYPE_WIDGET)

enum { CHOSEN, RENAMED, SIGNALS };
static guint signals[SIGNALS];

static void gantry_shelf_list_dispose(GObject *object) {
  GantryShelfList *self = GANTRY_SHELF_LIST(object);
  gantry_shelf_list_set_model(self, NULL, NULL);
  if (self->menu) gtk_widget_unparent(GTK_WIDGET(self->menu));
  if (self->renaming) gtk_widget_unparent(GTK_WIDGET(self->renaming));
  self->menu = self->renaming = NULL;
  self->list = NULL;
  g_clear_pointer(&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS(gantry_shelf_list_parent_class)->dispose(object);
}

static void gantry_shelf_list_class_init(GantryShelfListClass *klass) {
  G_OBJECT_CLASS(klass)->dispose = gantry_shelf_list_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(klass), "shelf");
  signals[CHOSEN] =
      g_signal_new("chosen", GANTRY_TYPE_SHELF_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RENAMED] = g_signal_new("renamed", GANTRY_TYPE_SHELF_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, GANTRY_TYPE_SHELF_ITEM, G_TYPE_STRING);
}

/* Choosing */

static void row_selected(GtkListBox *list, GtkListBoxRow *row, GantryShelfList *self) {
  g_signal_emit(self, signals[CHOSEN], 0);
}

static void row_activated(GtkListBox *list, GtkListBoxRow *row, GantryShelfList *self) {
  gtk_list_box_select_row(list, row);
  gtk_widget_activate_action(GTK_WIDGET(self), "win.shelf-show", NULL);
}

GantryShelfItem *gantry_shelf_list_get_chosen(GantryShelfList *self) {
  GtkListBoxRow *row = gtk_list_box_get_selected_row(self->list);
  return row ? gantry_shelf_row_get_item(GANTRY_SHELF_ROW(row)) : NULL;
}

/* The menu */

static void open_menu(GantryShelfList *self, GtkListBoxRow *row, const GdkRectangle *at) {
  if (!self->menu || !row) return;
  gtk_list_box_select_row(self->list, row);
  gtk_popover_set_pointing_to(self->menu, at);
  gtk_popover_popup(self->menu);
}

static void pressed(GtkGestureClick *gesture, int presses, double x, double y, GantryShelfList *self) {
  double list_x, list_y;
  if (!gtk_widget_translate_coordinates(GTK_WIDGET(self), GTK_WIDGET(self->list), x, y, &list_x, &list_y)) return;
  open_menu(self, gtk_list_box_get_row_at_y(self->list, (int)list_y), &(GdkRectangle){(int)x, (int)y, 1, 1});
}

/* The row, in the list's coordinates. One that is scrolled away can lie outside the window and of every monitor, where
 * GTK places no popover: it is taken to be at the window's edge. */
static gboolean find_row(GantryShelfList *self, GtkListBoxRow *row, GdkRectangle *at) {
  GtkWidget *root = GTK_WIDGET(gtk_widget_get_root(GTK_WIDGET(self)));
  graphene_rect_t r;
  double x, y;
  if (!root || !row || !gtk_widget_compute_bounds(GTK_WIDGET(row), root, &r)) return FALSE;
  const float width = (float)MAX(gtk_widget_get_width(root), 2), height = (float)MAX(gtk_widget_get_height(root), 2);
  const float left = CLAMP(r.origin.x, 0, width - 1), top = CLAMP(r.origin.y, 0, height - 1);
  const float right = CLAMP(r.origin.x + r.size.width, left + 1, width),
              bottom = CLAMP(r.origin.y + r.size.height, top + 1, height);
  if (!gtk_widget_translate_coordinates(root, GTK_WIDGET(self), left, top, &x, &y)) return FALSE;
  *at = (GdkRectangle){(int)x, (int)y, (int)(right - left), (int)(bottom - top)};
  return TRUE;
}

static gboolean open_menu_by_key(GtkWidget *widget, GVariant *args, gpointer user) {
  GantryShelfList *self = user;
  GtkListBoxRow *row = gtk_list_box_get_selected_row(self->list);
  GdkRectangle at;
  if (!find_row(self, row, &at)) return FALSE;
  open_menu(self, row, &at);
  return TRUE;
}

/* Another name */

static void named(GtkEntry *entry, GantryShelfList *self) {
  GantryShelfItem *item = gantry_shelf_list_get_chosen(self);
  g_autofree char *name = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(entry))));
  gtk_popover_popdown(self->renaming);
  if (item) g_signal_emit(self, signals[RENAMED], 0, item, name);
}

void gantry_shelf_list_rename(GantryShelfList *self) {
  GtkListBoxRow *row = gtk_list_box_get_selected_row(self->list);
  GdkRectangle at;
  if (!find_row(self, row, &at)) return;
  gtk_editable_set_text(GTK_EDITABLE(self->entry),
                        gantry_shelf_item_get_card(gantry_shelf_list_get_chosen(self))->name);
  gtk_popover_set_pointing_to(self->renaming, &at);
  gtk_popover_popup(self->renaming);
  gtk_widget_grab_focus(GTK_WIDGET(self->entry));
}

static void make_renaming(GantryShelfList *self) {
  self->renaming = GTK_POPOVER(gtk_popover_new());
  self->entry = GTK_ENTRY(gtk_entry_new());
  gtk_editable_set_width_chars(GTK_EDITABLE(self->entry), 28);
  gantry_tips_set(GTK_WIDGET(self->entry),
                  "The result's name. Empty: it is named again by what differs from the others.");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, "Name of the result", -1);
  gtk_popover_set_child(self->renaming, GTK_WIDGET(self->entry));
  gtk_popover_set_position(self->renaming, GTK_POS_TOP);
  gtk_widget_set_parent(GTK_WIDGET(self->renaming), GTK_WIDGET(self));
  g_signal_connect(self->entry, "activate", G_CALLBACK(named), self);
}

/* Life */

static GtkWidget *make_heading(GantryShelfList *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4), *title = gtk_label_new("Results");
  GtkWidget *open = gtk_button_new_from_icon_name("document-open-symbolic");
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_widget_set_hexpand(title, TRUE);
  gtk_widget_add_css_class(title, "heading");
  gtk_widget_add_css_class(open, "flat");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(open), "win.open-volume");
  gantry_tips_set(open, "Open a volume onto the shelf, to compare with it (Ctrl+Alt+V)");
  gtk_accessible_update_property(GTK_ACCESSIBLE(open), GTK_ACCESSIBLE_PROPERTY_LABEL, "Open a volume onto the shelf",
                                 -1);
  gtk_widget_add_css_class(box, "shelf-heading");
  self->memory = GTK_LABEL(gtk_label_new(NULL));
  gtk_widget_add_css_class(GTK_WIDGET(self->memory), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->memory), "dim-label");
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->memory));
  gtk_box_append(GTK_BOX(box), open);
  return box;
}

static void add_keys(GantryShelfList *self) {
  static const struct {
    const char *keys, *action;
  } keys[] = {{"b", "action(win.shelf-reference)"},
              {"t", "action(win.shelf-tick)"},
              {"p", "action(win.shelf-pin)"},
              {"F2", "action(win.shelf-rename)"},
              {"Delete", "action(win.shelf-remove)"}};
  GtkEventController *controller = gtk_shortcut_controller_new();
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(controller),
                                         gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys[i].keys),
                                                          gtk_shortcut_action_parse_string(keys[i].action)));
  gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(controller),
                                       gtk_shortcut_new(gtk_shortcut_trigger_parse_string("Menu|<Shift>F10"),
                                                        gtk_callback_action_new(open_menu_by_key, self, NULL)));
  gtk_widget_add_controller(GTK_WIDGET(self->list), controller);
}

/* The list has its new height after its next layout, and a row grows once more as its words come. */
static void height_changed(GtkAdjustment *adjustment, GantryShelfList *self) {
  if (g_get_monotonic_time() < self->follows_until)
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment));
}

static void gantry_shelf_list_init(GantryShelfList *self) {
  GtkWidget *empty =
      gtk_label_new("Every reconstruction lands here, to be compared with the others. Press Reconstruct.");
  self->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  self->scrolled = gtk_scrolled_window_new();
  gtk_label_set_wrap(GTK_LABEL(empty), TRUE);
  gtk_label_set_justify(GTK_LABEL(empty), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class(empty, "dim-label");
  gtk_widget_add_css_class(empty, "shelf-empty");
  gtk_list_box_set_placeholder(self->list, empty);
  gtk_list_box_set_activate_on_single_click(self->list, FALSE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, "Results", -1);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self->scrolled), GTK_WIDGET(self->list));
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(self->scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand(self->scrolled, TRUE);
  gtk_box_append(GTK_BOX(self->box), make_heading(self));
  gtk_box_append(GTK_BOX(self->box), self->scrolled);
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  make_renaming(self);
  add_keys(self);
  g_signal_connect_object(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(self->scrolled)), "changed",
                          G_CALLBACK(height_changed), self, 0);
  g_signal_connect(self->list, "row-selected", G_CALLBACK(row_selected), self);
  g_signal_connect(self->list, "row-activated", G_CALLBACK(row_activated), self);
  GtkGesture *click = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
  g_signal_connect(click, "pressed", G_CALLBACK(pressed), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(click));
}

GtkWidget *gantry_shelf_list_new(void) {
  return g_object_new(GANTRY_TYPE_SHELF_LIST, NULL);
}

void gantry_shelf_list_set_menu(GantryShelfList *self, GMenuModel *menu) {
  if (self->menu) gtk_widget_unparent(GTK_WIDGET(self->menu));
  self->menu = menu ? GTK_POPOVER(gtk_popover_menu_new_from_model(menu)) : NULL;
  if (!self->menu) return;
  gtk_popover_set_has_arrow(self->menu, FALSE);
  gtk_widget_set_halign(GTK_WIDGET(self->menu), GTK_ALIGN_START);
  gtk_widget_set_parent(GTK_WIDGET(self->menu), GTK_WIDGET(self));
}

void gantry_shelf_list_set_memory(GantryShelfList *self, const char *text, const char *tip) {
  gtk_label_set_text(self->memory, text);
  gantry_tips_set(GTK_WIDGET(self->memory), tip);
}

/* The model */

static GtkWidget *make_row(gpointer item, gpointer user) {
  GantryShelfList *self = user;
  return gantry_shelf_row_new(item, self->display);
}

/* What has just been made is chosen: commands are about it. */
static void items_changed(GListModel *model, guint position, guint removed, guint added, GantryShelfList *self) {
  const guint count = g_list_model_get_n_items(model);
  if (added) {
    gtk_list_box_select_row(self->list, gtk_list_box_get_row_at_index(self->list, (int)(position + added - 1)));
    if (position + added == count) self->follows_until = g_get_monotonic_time() + G_TIME_SPAN_SECOND;
  } else if (removed && count) {
    GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->list, (int)MIN(position, count - 1));
    gtk_list_box_select_row(self->list, row);
  }
  g_signal_emit(self, signals[CHOSEN], 0);
}

void gantry_shelf_list_set_model(GantryShelfList *self, GListModel *model, GantryDisplay *display) {
  if (self->model) g_signal_handlers_disconnect_by_data(self->model, self);
  if (self->list) gtk_list_box_bind_model(self->list, NULL, NULL, NULL, NULL);
  g_set_object(&self->model, model);
  g_set_object(&self->display, display);
  if (!model) return;
  gtk_list_box_bind_model(self->list, model, make_row, self, NULL);
  g_signal_connect_after(model, "items-changed", G_CALLBACK(items_changed), self);
}
