/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/window/variants-part.h"

#include "ui/window/parts.h"

#define PAGE "variants"
#define VIEWS "work"

struct _GantryVariantsPart {
  GtkStack *pages;
  GtkWidget *panel_button;
  GtkWidget *views; /* that gets the keyboard back */
  GantryVariantsPage *page;
};

static void show(GantryVariantsPart *self, gboolean page) {
  gtk_stack_set_visible_child_name(self->pages, page ? PAGE : VIEWS);
  gtk_widget_set_visible(self->panel_button, !page);
  gtk_widget_child_focus(page ? GTK_WIDGET(self->page) : self->views, GTK_DIR_TAB_FORWARD);
}

void gantry_variants_part_leave(GantryVariantsPart *self) {
  if (g_strcmp0(gtk_stack_get_visible_child_name(self->pages), PAGE) == 0) show(self, FALSE);
}

static void compare_variants(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryVariantsPart *self = user;
  if (g_strcmp0(gtk_stack_get_visible_child_name(self->pages), VIEWS) == 0) show(self, TRUE);
}

static void show_views(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_variants_part_leave(user);
}

GantryVariantsPart *gantry_variants_part_new(GtkWidget *window) {
  static const GActionEntry entries[] = {
      {.name = "compare-variants", .activate = compare_variants},
      {.name = "show-views", .activate = show_views},
  };
  GantryVariantsPart *self = g_new0(GantryVariantsPart, 1);
  self->pages = gantry_window_part(window, "pages");
  self->panel_button = gantry_window_part(window, "panel_button");
  self->views = gantry_window_part(window, "quad");
  self->page = GANTRY_VARIANTS_PAGE(gantry_variants_page_new());
  /* A narrow window has room for the views although it has less for the table. */
  gtk_stack_set_hhomogeneous(self->pages, FALSE);
  gtk_stack_set_vhomogeneous(self->pages, FALSE);
  gtk_stack_add_named(self->pages, GTK_WIDGET(self->page), PAGE);
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  return self;
}

void gantry_variants_part_free(GantryVariantsPart *self) {
  g_free(self);
}

GantryVariantsPage *gantry_variants_part_get_page(GantryVariantsPart *self) {
  return self->page;
}
