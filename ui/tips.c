/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pointer still lies on the button when its menu is open: the tooltip would come up over it. And GTK puts a tooltip
 * below what it belongs to, whatever is there: where that is a picture, a small popover above tells the same. */
#include "ui/tips.h"

#include <adwaita.h>

/* A tooltip of GTK wraps at 50 characters. Pixels, on the large side. */
enum { CHARACTERS = 50, CHARACTER = 8, LINE = 20, BORDER = 24, GAP = 4 };
/* Smaller pictures are icons; what is higher has its tooltip at the pointer. */
enum { LEAST_PICTURE = 48, HIGHEST = 56 };
enum { DELAY = 500 }; /* ms, as GTK's */

static void menu_opens(GtkWidget *popover, GtkWidget *button) {
  gtk_widget_set_has_tooltip(button, FALSE);
}

static void menu_closes(GtkWidget *popover, GtkWidget *button) {
  gtk_widget_set_has_tooltip(button, gtk_widget_get_tooltip_text(button) != NULL);
}

static gboolean meets_picture(GtkWidget *widget, GtkWidget *root, const graphene_rect_t *place) {
  graphene_rect_t bounds;
  if (!gtk_widget_get_mapped(widget) || GTK_IS_POPOVER(widget)) return FALSE;
  if (gtk_accessible_get_accessible_role(GTK_ACCESSIBLE(widget)) == GTK_ACCESSIBLE_ROLE_IMG &&
      gtk_widget_compute_bounds(widget, root, &bounds) && bounds.size.width >= LEAST_PICTURE &&
      bounds.size.height >= LEAST_PICTURE && graphene_rect_intersection(&bounds, place, NULL))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    if (meets_picture(child, root, place)) return TRUE;
  return FALSE;
}

GantryTipPlace gantry_tips_find_place(GtkWidget *widget, const char *text) {
  GtkWidget *root = GTK_WIDGET(gtk_widget_get_root(widget));
  graphene_rect_t bounds;
  if (!root || !gtk_widget_compute_bounds(widget, root, &bounds) || bounds.size.height > HIGHEST)
    return GANTRY_TIP_ANYWHERE;
  const float characters = (float)g_utf8_strlen(text, -1), lines = ceilf(characters / CHARACTERS);
  const float width = fminf(characters, CHARACTERS) * CHARACTER + BORDER;
  const float height = lines * LINE + BORDER;
  graphene_rect_t place = GRAPHENE_RECT_INIT(bounds.origin.x + (bounds.size.width - width) / 2,
                                             bounds.origin.y + bounds.size.height, width, height);
  if (!meets_picture(root, root, &place)) return GANTRY_TIP_BELOW;
  place.origin.y = bounds.origin.y - height - GAP;
  return meets_picture(root, root, &place) ? GANTRY_TIP_NOWHERE : GANTRY_TIP_ABOVE;
}

/* Above: a tooltip of our own, one for each box of controls. */

typedef struct {
  GtkPopover *popover;
  GtkLabel *label;
  GtkWidget *of; /* weak; NULL: none is shown or about to be */
  guint waiting;
} Tip;

static void hide(Tip *tip) {
  g_clear_handle_id(&tip->waiting, g_source_remove);
  g_set_weak_pointer(&tip->of, NULL);
  gtk_popover_popdown(tip->popover);
}

static void tip_free(gpointer data) {
  Tip *tip = data;
  g_clear_handle_id(&tip->waiting, g_source_remove);
  g_clear_weak_pointer(&tip->of);
  g_free(tip);
}

static Tip *tip_in(GtkWidget *box) {
  Tip *tip = g_object_get_data(G_OBJECT(box), "gantry-tip");
  if (tip) return tip;
  tip = g_new0(Tip, 1);
  tip->label = g_object_new(GTK_TYPE_LABEL, "wrap", TRUE, "max-width-chars", CHARACTERS, NULL);
  tip->popover = g_object_new(GTK_TYPE_POPOVER, "autohide", FALSE, "has-arrow", FALSE, "position", GTK_POS_TOP,
                              "can-target", FALSE, "can-focus", FALSE, "child", tip->label, NULL);
  gtk_widget_add_css_class(GTK_WIDGET(tip->popover), "tip");
  gtk_widget_set_parent(GTK_WIDGET(tip->popover), box); /* a box lets go of all its children */
  g_object_set_data_full(G_OBJECT(box), "gantry-tip", tip, tip_free);
  return tip;
}

static GtkWidget *box_of(GtkWidget *widget) {
  do widget = gtk_widget_get_parent(widget);
  while (widget && !GTK_IS_BOX(widget));
  return widget;
}

static gboolean is_pointed_at(GtkWidget *widget) {
  return gtk_widget_get_mapped(widget) && gtk_widget_get_state_flags(widget) & GTK_STATE_FLAG_PRELIGHT;
}

static gboolean show(gpointer data) {
  Tip *tip = data;
  GtkWidget *widget = tip->of, *box = gtk_widget_get_parent(GTK_WIDGET(tip->popover));
  graphene_rect_t bounds;
  tip->waiting = 0;
  if (!widget || !is_pointed_at(widget) || !gtk_widget_compute_bounds(widget, box, &bounds)) return G_SOURCE_REMOVE;
  gtk_label_set_text(tip->label, gtk_widget_get_tooltip_text(widget));
  gtk_popover_set_pointing_to(tip->popover, &(GdkRectangle){(int)bounds.origin.x, (int)bounds.origin.y - GAP,
                                                            (int)bounds.size.width, (int)bounds.size.height});
  gtk_popover_popup(tip->popover);
  return G_SOURCE_REMOVE;
}

static void state_changed(GtkWidget *widget, GtkStateFlags before, gpointer user) {
  Tip *tip = g_object_get_data(G_OBJECT(box_of(widget)), "gantry-tip");
  if (tip && tip->of == widget &&
      (!is_pointed_at(widget) || gtk_widget_get_state_flags(widget) & GTK_STATE_FLAG_ACTIVE))
    hide(tip);
}

static void ask(GtkWidget *widget) {
  GtkWidget *box = box_of(widget);
  if (!box || !is_pointed_at(widget)) return;
  Tip *tip = tip_in(box);
  if (tip->of == widget) return;
  hide(tip);
  g_set_weak_pointer(&tip->of, widget);
  g_signal_handlers_disconnect_by_func(widget, state_changed, NULL);
  g_signal_connect(widget, "state-flags-changed", G_CALLBACK(state_changed), NULL);
  tip->waiting = g_timeout_add(DELAY, show, tip);
}

static gboolean put(GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer user) {
  const char *text =
      keyboard ? NULL : gtk_widget_get_tooltip_text(widget); /* by a key it is asked for, wherever it is */
  const GantryTipPlace place = text ? gantry_tips_find_place(widget, text) : GANTRY_TIP_ANYWHERE;
  if (place == GANTRY_TIP_ABOVE) ask(widget);
  if (place == GANTRY_TIP_ABOVE || place == GANTRY_TIP_NOWHERE) g_signal_stop_emission_by_name(widget, "query-tooltip");
  return FALSE;
}

void gantry_tips_yield(GtkWidget *within) {
  GtkPopover *popover = GTK_IS_MENU_BUTTON(within) ? gtk_menu_button_get_popover(GTK_MENU_BUTTON(within)) : NULL;
  if (popover) {
    g_signal_connect_object(popover, "show", G_CALLBACK(menu_opens), within, 0);
    g_signal_connect_object(popover, "hide", G_CALLBACK(menu_closes), within, 0);
  }
  g_signal_connect(within, "query-tooltip", G_CALLBACK(put), NULL);
  for (GtkWidget *child = gtk_widget_get_first_child(within); child; child = gtk_widget_get_next_sibling(child))
    if (!GTK_IS_POPOVER(child)) gantry_tips_yield(child);
}

void gantry_tips_set(GtkWidget *widget, const char *text) {
  const char *wanted = text && *text ? text : NULL;
  if (g_strcmp0(gtk_widget_get_tooltip_text(widget), wanted) == 0) return;
  /* What is in no window yet is not pointed at: hidden meanwhile, it makes GTK look for no pointer. */
  const gboolean alone = !gtk_widget_get_root(widget) && gtk_widget_get_visible(widget);
  if (alone) gtk_widget_set_visible(widget, FALSE);
  gtk_widget_set_tooltip_text(widget, wanted);
  if (alone) gtk_widget_set_visible(widget, TRUE);
}

static void set_name(GtkWidget *widget, const char *name) {
  gtk_accessible_reset_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void gantry_tips_name(GtkWidget *widget, const char *name, const char *tip) {
  set_name(widget, name);
  gantry_tips_set(widget, tip);
}

void gantry_tips_set_label(GtkButton *button, const char *mnemonic) {
  g_autoptr(GString) name = g_string_new(mnemonic);
  g_string_replace(name, "_", "", 1);
  gtk_button_set_use_underline(button, TRUE);
  gtk_button_set_label(button, mnemonic);
  set_name(GTK_WIDGET(button), name->str);
}

GtkWidget *gantry_tips_new_button(const char *mnemonic, const char *tip) {
  GtkWidget *button = gtk_button_new();
  gantry_tips_set_label(GTK_BUTTON(button), mnemonic);
  gantry_tips_set(button, tip);
  return button;
}

void gantry_tips_activate(GtkWidget *row, GtkWidget *control) {
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), control);
  gtk_accessible_reset_relation(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}
