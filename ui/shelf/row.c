/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything shown follows from the item's card; a click on a button changes nothing here but asks for it. */
#include "ui/shelf/row.h"

#include "ui/check.h"
#include "ui/plot/plot.h"
#include "ui/shelf/thumbnail.h"
#include "ui/tips.h"

#define PICTURE 48

struct _GantryShelfRow {
  GtkListBoxRow parent_instance;
  GantryShelfItem *item;
  GantryDisplay *display;
  GtkWidget *tick, *picture, *a, *b, *pin, *disk, *spinner, *unsaved;
  GtkWidget *tick_box, *swatch;
  GtkLabel *name, *facts, *numbers;
  int colour;         /* number of the swatch's curve; -1: none */
  GantryImage *shown; /* borrowed, as the picture shows it */
  double low, high;
  char *map;
};

G_DEFINE_FINAL_TYPE(GantryShelfRow, gantry_shelf_row, GTK_TYPE_LIST_BOX_ROW)

static void gantry_shelf_row_dispose(GObject *object) {
  GantryShelfRow *self = GANTRY_SHELF_ROW(object);
  g_clear_object(&self->item);
  g_clear_object(&self->display);
  g_clear_pointer(&self->map, g_free);
  G_OBJECT_CLASS(gantry_shelf_row_parent_class)->dispose(object);
}

static void gantry_shelf_row_class_init(GantryShelfRowClass *klass) {
  G_OBJECT_CLASS(klass)->dispose = gantry_shelf_row_dispose;
}

/* Widgets */

static GtkLabel *make_line(GtkWidget *box, const char *style) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(label, TRUE);
  if (style) gtk_widget_add_css_class(label, style);
  gtk_box_append(GTK_BOX(box), label);
  return GTK_LABEL(label);
}

static GtkWidget *make_mark(GtkWidget *box, const char *icon, const char *tip) {
  GtkWidget *mark = gtk_image_new_from_icon_name(icon);
  gantry_tips_set(mark, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(mark), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  gtk_widget_add_css_class(mark, "mark");
  gtk_box_append(GTK_BOX(box), mark);
  return mark;
}

/* The commands are about the chosen row. */
static void choose_and_do(GantryShelfRow *self, const char *action) {
  GtkWidget *list = gtk_widget_get_ancestor(GTK_WIDGET(self), GTK_TYPE_LIST_BOX);
  if (list) gtk_list_box_select_row(GTK_LIST_BOX(list), GTK_LIST_BOX_ROW(self));
  gtk_widget_activate_action(GTK_WIDGET(self), action, NULL);
}

static void update(GantryShelfRow *self);

static void tick_clicked(GtkCheckButton *button, GantryShelfRow *self) {
  const gboolean ticked = gantry_shelf_item_get_card(self->item)->colour >= 0;
  if (gtk_check_button_get_active(button) != ticked) choose_and_do(self, "win.shelf-tick");
}

static void a_clicked(GtkButton *button, GantryShelfRow *self) {
  choose_and_do(self, "win.shelf-show");
  update(self);
}

static void b_clicked(GtkButton *button, GantryShelfRow *self) {
  const gboolean is_b = gantry_shelf_item_get_card(self->item)->is_b;
  choose_and_do(self, is_b ? "win.clear-reference" : "win.shelf-reference");
  update(self);
}

static GtkWidget *make_side(GantryShelfRow *self, const char *letter, const char *style, GCallback clicked) {
  GtkWidget *button = gtk_toggle_button_new_with_label(letter);
  gtk_widget_add_css_class(button, "side");
  gtk_widget_add_css_class(button, style);
  g_signal_connect_object(button, "clicked", clicked, self, 0);
  return button;
}

static GtkWidget *make_texts(GantryShelfRow *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *first = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(box), first);
  self->name = make_line(first, "name");
  self->unsaved = make_mark(first, "gantry-dot-symbolic", "Not saved yet");
  self->pin = make_mark(first, "view-pin-symbolic", "Pinned: it stays in memory");
  self->disk = make_mark(first, "drive-harddisk-symbolic", "On the disk: it is read back when it is chosen");
  self->spinner = gtk_spinner_new();
  gtk_box_append(GTK_BOX(first), self->spinner);
  self->a = make_side(self, "A", "side-a", G_CALLBACK(a_clicked));
  self->b = make_side(self, "B", "side-b", G_CALLBACK(b_clicked));
  gtk_box_append(GTK_BOX(first), self->a);
  gtk_box_append(GTK_BOX(first), self->b);
  self->facts = make_line(box, "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->facts), "dim-label");
  self->numbers = make_line(box, "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->numbers), "numeric");
  gtk_label_set_wrap(self->numbers, TRUE);
  gtk_label_set_lines(self->numbers, 2);
  return box;
}

static GtkWidget *make_picture(GantryShelfRow *self) {
  self->picture = gtk_picture_new();
  gtk_picture_set_can_shrink(GTK_PICTURE(self->picture), TRUE);
  gtk_widget_set_size_request(self->picture, PICTURE, PICTURE);
  gtk_widget_set_halign(self->picture, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(self->picture, GTK_ALIGN_CENTER);
  gtk_widget_set_overflow(self->picture, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class(self->picture, "thumbnail");
  return self->picture;
}

static void gantry_shelf_row_init(GantryShelfRow *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  self->colour = -1;
  self->tick_box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
  gtk_widget_set_valign(self->tick_box, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request(self->tick_box, 24, -1);
  self->tick = gantry_check_new();
  gtk_widget_set_halign(self->tick, GTK_ALIGN_CENTER);
  g_signal_connect_object(self->tick, "toggled", G_CALLBACK(tick_clicked), self, 0);
  gtk_box_append(GTK_BOX(self->tick_box), self->tick);
  gtk_box_append(GTK_BOX(box), self->tick_box);
  gtk_box_append(GTK_BOX(box), make_picture(self));
  gtk_box_append(GTK_BOX(box), make_texts(self));
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(self), box);
  gtk_widget_add_css_class(GTK_WIDGET(self), "shelf-row");
}

/* What is shown */

static void set_label(GtkWidget *widget, const char *before, const char *name, const char *after) {
  g_autofree char *label = g_strconcat(before, name, after, NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/* "half, A, z-window-v4, 1.2 s, RMSE 1.2·10⁻⁵, SSIM 0.9998" */
static void describe(GantryShelfRow *self, const GantryCard *card) {
  GString *text = g_string_new(card->name);
  if (card->is_a) g_string_append(text, ", A");
  if (card->is_b) g_string_append(text, ", B");
  if (card->facts && *card->facts) g_string_append_printf(text, ", %s", card->facts);
  if (card->numbers) g_string_append_printf(text, ", %s", card->numbers);
  if (card->unsaved) g_string_append(text, ", not saved");
  if (card->pinned) g_string_append(text, ", pinned");
  if (card->on_disk) g_string_append(text, ", on the disk");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, text->str, -1);
  g_string_free(text, TRUE);
  set_label(self->tick, "Overlay ", card->name, " in the plots");
  set_label(self->a, "Show ", card->name, " as A");
  set_label(self->b, "Make ", card->name, " the reference B");
}

static void show_swatch(GantryShelfRow *self, int colour) {
  if (self->colour == colour) return;
  self->colour = colour;
  if (self->swatch) gtk_box_remove(GTK_BOX(self->tick_box), self->swatch);
  self->swatch = colour < 0 ? NULL : gantry_plot_swatch_new((guint)colour);
  if (!self->swatch) return;
  gtk_widget_set_halign(self->swatch, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(self->tick_box), self->swatch);
}

static void show_picture(GantryShelfRow *self) {
  GantryImage *image = gantry_shelf_item_get_card(self->item)->thumbnail;
  const char *map = gantry_display_get_colour_map(self->display);
  double low, high;
  gantry_display_get_window(self->display, &low, &high);
  if (image == self->shown && low == self->low && high == self->high && g_strcmp0(map, self->map) == 0) return;
  self->shown = image;
  self->low = low;
  self->high = high;
  g_free(self->map);
  self->map = g_strdup(map);
  g_autoptr(GdkTexture) texture = image ? gantry_thumbnail_new(image, low, high, map) : NULL;
  gtk_picture_set_paintable(GTK_PICTURE(self->picture), GDK_PAINTABLE(texture));
}

static void update(GantryShelfRow *self) {
  const GantryCard *card = gantry_shelf_item_get_card(self->item);
  gtk_label_set_text(self->name, card->name);
  gtk_label_set_text(self->facts, card->facts);
  gtk_label_set_text(self->numbers, card->numbers);
  gtk_widget_set_visible(GTK_WIDGET(self->numbers), card->numbers != NULL);
  gtk_widget_set_visible(self->unsaved, card->unsaved);
  gtk_widget_set_visible(self->pin, card->pinned);
  gtk_widget_set_visible(self->disk, card->on_disk && !card->busy);
  gtk_widget_set_visible(self->spinner, card->busy);
  gtk_spinner_set_spinning(GTK_SPINNER(self->spinner), card->busy);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(self->tick), card->colour >= 0);
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->a), card->is_a);
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->b), card->is_b);
  gantry_tips_set(self->tick, "Draw its profile over those of the other ticked results (T); it stays in memory");
  gantry_tips_set(self->a, card->is_a ? "This is A" : "Show it as A (Enter)");
  gantry_tips_set(self->b, card->is_b ? "This is the reference B: drop it" : "Make it the reference B (B)");
  g_autofree char *tip = g_strdup_printf("%s\n%s", card->name, card->tip);
  gantry_tips_set(GTK_WIDGET(self), tip);
  /* A and B keep their own colours in the plots. */
  const guint curve = card->is_a   ? GANTRY_CURVE_A
                      : card->is_b ? GANTRY_CURVE_B
                                   : GANTRY_CURVE_OTHER + (guint)MAX(card->colour, 0);
  show_swatch(self, card->colour < 0 ? -1 : (int)curve);
  show_picture(self);
  describe(self, card);
}

GtkWidget *gantry_shelf_row_new(GantryShelfItem *item, GantryDisplay *display) {
  GantryShelfRow *self = g_object_new(GANTRY_TYPE_SHELF_ROW, NULL);
  self->item = g_object_ref(item);
  self->display = g_object_ref(display);
  g_signal_connect_object(item, "changed", G_CALLBACK(update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(display, "changed", G_CALLBACK(show_picture), self, G_CONNECT_SWAPPED);
  update(self);
  return GTK_WIDGET(self);
}

GantryShelfItem *gantry_shelf_row_get_item(GantryShelfRow *self) {
  return self->item;
}
