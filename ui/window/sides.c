/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without a reference there is A alone. The first modes have buttons, all of them are in the menu beside these. */
#include "ui/window/sides.h"

#include "ui/tips.h"
#include "ui/window/parts.h"

enum { BUTTONS = 3 };

/* What the sliders beside the modes set: the one of the present mode is there. */
typedef struct {
  ctgl_mode mode;
  const char *part, *adjustment;
  double (*get)(GantryDisplay *display);
  void (*set)(GantryDisplay *display, double value);
} GantrySideSlider;

static double get_tile(GantryDisplay *display) {
  return gantry_display_get_tile(display);
}

static void set_tile(GantryDisplay *display, double side) {
  gantry_display_set_tile(display, (int)(side + 0.5));
}

static const GantrySideSlider sliders[] = {
    {CTGL_SHOW_SWIPE, "swipe", "swipe_adjustment", gantry_display_get_swipe, gantry_display_set_swipe},
    {CTGL_SHOW_FADE, "fade", "fade_adjustment", gantry_display_get_fade, gantry_display_set_fade},
    {CTGL_SHOW_CHECKERBOARD, "tile", "tile_adjustment", get_tile, set_tile},
};

struct _GantrySides {
  GtkWidget *window;
  GActionMap *actions;
  GantryDisplay *display;
  GantryRefresh *refresh;
  GtkLabel *title_a, *title_b;
  GtkWidget *clear_reference, *more;
  GtkWidget *buttons[BUTTONS];
  gboolean has_reference;
};

static void change_mode(GSimpleAction *action, GVariant *value, gpointer user) {
  GantrySides *self = user;
  const ctgl_mode mode = ctgl_mode_find(g_variant_get_string(value, NULL));
  if (mode == CTGL_MODES) return;
  gantry_display_set_mode(self->display, mode);
  gantry_refresh_queue(self->refresh);
}

static void slid(GtkAdjustment *adjustment, GantrySides *self) {
  const GantrySideSlider *slider = g_object_get_data(G_OBJECT(adjustment), "slider");
  slider->set(self->display, gtk_adjustment_get_value(adjustment));
}

static void make_buttons(GantrySides *self, GtkBox *box) {
  for (int i = 0; i < BUTTONS; i++) {
    const ctgl_mode_row *row = ctgl_mode_get((ctgl_mode)i);
    GtkWidget *button = self->buttons[i] = gtk_toggle_button_new_with_label(row->label);
    gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", row->id); /* before the name looks for it */
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.mode");
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, row->tip, -1);
    gtk_box_insert_child_after(box, button, i ? self->buttons[i - 1] : NULL);
  }
}

/* Without B only A can be shown, and the others say why. */
static void update_tips(GantrySides *self) {
  for (int i = 0; i < BUTTONS; i++) {
    g_autofree char *tip =
        self->has_reference
            ? g_strdup_printf("%s (Alt+%d)", ctgl_mode_get((ctgl_mode)i)->tip, i + 1)
            : g_strdup("There is no B to compare with: keep a result as B (Ctrl+B), or open one (Alt+B)");
    gantry_tips_set(self->buttons[i], tip);
  }
}

GantrySides *gantry_sides_new(GtkWidget *window, GantryDisplay *display, GantryRefresh *refresh) {
  static const GActionEntry entries[] = {
      {.name = "mode", .parameter_type = "s", .state = "'a'", .change_state = change_mode}};
  GantrySides *self = g_new0(GantrySides, 1);
  self->window = window;
  self->actions = G_ACTION_MAP(window);
  self->display = g_object_ref(display);
  self->refresh = refresh;
  self->title_a = gantry_window_part(window, "title_a");
  self->title_b = gantry_window_part(window, "title_b");
  self->clear_reference = gantry_window_part(window, "clear_reference");
  self->more = gantry_window_part(window, "compare_button");
  g_action_map_add_action_entries(self->actions, entries, G_N_ELEMENTS(entries), self);
  make_buttons(self, gantry_window_part(window, "modes"));
  for (gsize i = 0; i < G_N_ELEMENTS(sliders); i++) {
    GtkAdjustment *adjustment = gantry_window_part(window, sliders[i].adjustment);
    g_object_set_data(G_OBJECT(adjustment), "slider", (gpointer)&sliders[i]);
    g_signal_connect(adjustment, "value-changed", G_CALLBACK(slid), self);
  }
  update_tips(self);
  return self;
}

void gantry_sides_free(GantrySides *self) {
  g_object_unref(self->display);
  g_free(self);
}

void gantry_sides_set_titles(GantrySides *self, const char *a, const char *b) {
  GAction *mode = g_action_map_lookup_action(self->actions, "mode");
  self->has_reference = b != NULL;
  gtk_label_set_text(self->title_a, a ? a : "nothing yet");
  gtk_label_set_text(self->title_b, b ? b : "no reference");
  gantry_tips_set(GTK_WIDGET(self->title_a), a);
  gantry_tips_set(GTK_WIDGET(self->title_b), b);
  if (b)
    gtk_widget_remove_css_class(GTK_WIDGET(self->title_b), "dim-label");
  else
    gtk_widget_add_css_class(GTK_WIDGET(self->title_b), "dim-label");
  gtk_widget_set_visible(self->clear_reference, b != NULL);
  if (!b) gantry_display_set_mode(self->display, CTGL_SHOW_A);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(mode), b != NULL);
  update_tips(self);
  gantry_refresh_queue(self->refresh);
}

gboolean gantry_sides_have_reference(GantrySides *self) {
  return self->has_reference;
}

void gantry_sides_update(GantrySides *self) {
  GAction *action = g_action_map_lookup_action(self->actions, "mode");
  g_autoptr(GVariant) before = g_action_get_state(action);
  const ctgl_mode mode = gantry_display_get_mode(self->display);
  const ctgl_mode_row *row = ctgl_mode_get(mode);
  if (!g_str_equal(g_variant_get_string(before, NULL), row->id))
    g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_string(row->id));
  for (gsize i = 0; i < G_N_ELEMENTS(sliders); i++) {
    gtk_widget_set_visible(gantry_window_part(self->window, sliders[i].part), mode == sliders[i].mode);
    gtk_adjustment_set_value(gantry_window_part(self->window, sliders[i].adjustment), sliders[i].get(self->display));
  }
  /* The menu's button is the mode's, where it has none of its own. */
  const gboolean among = (int)mode < BUTTONS;
  gtk_label_set_text(GTK_LABEL(gtk_menu_button_get_child(GTK_MENU_BUTTON(self->more))), among ? "More" : row->label);
  if (among)
    gtk_widget_remove_css_class(self->more, "chosen");
  else
    gtk_widget_add_css_class(self->more, "chosen");
}
