/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The toolkit's own walk does not leave backwards what redirects the keyboard to a part of its own, as views do, and
 * ends at the plots instead of going round. Of a list whose items are recycled one item stands for all: arrows go on
 * from there. */
#include "ui/tab.h"

static gboolean is_long_list(GtkWidget *widget) {
  const GType type = g_type_from_name("GtkListBase");
  return type && g_type_is_a(G_OBJECT_TYPE(widget), type);
}

static void collect(GtkWidget *widget, GtkWidget *focus, GPtrArray *stops) {
  if (!gtk_widget_get_mapped(widget) || !gtk_widget_is_sensitive(widget) || !gtk_widget_get_can_focus(widget) ||
      GTK_IS_POPOVER(widget))
    return;
  const guint before = stops->len;
  /* These hold the keyboard for what they contain. */
  const gboolean holds = GTK_IS_SCROLLED_WINDOW(widget) || GTK_IS_LIST_BOX(widget);
  if (gtk_widget_get_focusable(widget) && !holds) g_ptr_array_add(stops, widget);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    collect(child, focus, stops);
  if (!is_long_list(widget) || stops->len <= before + 1) return;
  guint kept;
  GtkWidget *stop = stops->pdata[before];
  if (focus && g_ptr_array_find(stops, focus, &kept) && kept >= before) stop = focus;
  g_ptr_array_set_size(stops, (int)before);
  g_ptr_array_add(stops, stop);
}

/* Where the keyboard is, or what holds it: a stop that has handed it to a part of its own. */
static gboolean find_stop(const GPtrArray *stops, GtkWidget *focus, guint *at) {
  for (GtkWidget *widget = focus; widget; widget = gtk_widget_get_parent(widget))
    if (g_ptr_array_find((GPtrArray *)stops, widget, at)) return TRUE;
  return FALSE;
}

gboolean gantry_tab_move(GtkWindow *window, gboolean back) {
  GtkWidget *focus = gtk_window_get_focus(window);
  if (focus && gtk_widget_get_ancestor(focus, GTK_TYPE_POPOVER)) return FALSE;
  g_autoptr(GPtrArray) stops = g_ptr_array_new();
  collect(GTK_WIDGET(window), focus, stops);
  guint at = 0;
  const gboolean found = find_stop(stops, focus, &at);
  for (guint n = 0; n < stops->len; n++) {
    at = !found && n == 0 ? (back ? stops->len - 1 : 0) : (at + (back ? stops->len - 1 : 1)) % stops->len;
    if (gtk_widget_grab_focus(stops->pdata[at])) return TRUE;
  }
  return FALSE;
}

void gantry_tab_begin(GtkWidget *controls) {
  GtkRoot *root = gtk_widget_get_root(controls);
  g_autoptr(GtkWidget) before = root ? gtk_root_get_focus(root) : NULL;
  if (before) g_object_ref(before);
  if (root) gtk_root_set_focus(root, NULL);
  if (!gtk_widget_child_focus(controls, GTK_DIR_TAB_FORWARD) && before) gtk_root_set_focus(root, before);
}

void gantry_tab_enter(GtkWidget *page, GtkWidget *controls) {
  GtkRoot *root = gtk_widget_get_root(page);
  GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;
  if (focus && gtk_widget_is_ancestor(focus, page)) gantry_tab_begin(controls);
}

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                            GtkWindow *window) {
  const gboolean tab = key == GDK_KEY_Tab || key == GDK_KEY_KP_Tab || key == GDK_KEY_ISO_Left_Tab;
  if (!tab || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK))) return FALSE;
  return GTK_IS_PANED(gtk_window_get_focus(window)) && gantry_tab_move(window, (state & GDK_SHIFT_MASK) != 0);
}

void gantry_tab_connect(GtkWindow *window) {
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), window);
  gtk_widget_add_controller(GTK_WIDGET(window), keys);
}
