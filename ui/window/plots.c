/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages come from profile.c, numbers.c and runs.c. */
#include "ui/window/plots.h"

#include "ui/window/parts.h"

/* Of the window's height, until the user moves the bar above the plots. */
#define SHARE 0.3
/* Set on pages that do not compare A and B. */
#define ALONE "gantry-alone"

struct _GantryPlots {
  GtkWidget *window, *plots;
  GtkPaned *paned;
  int placed, room; /* the bar's place as it was last chosen here, and how far it could go then; 0: not yet */
  GtkStack *pages;
  GtkScrolledWindow *tabs;
  gboolean showing; /* the next frame brings the chosen tab into sight */
  GtkWidget *profile_buttons, *errors_buttons, *convergence_buttons, *set_reference;
  GtkRevealer *sides; /* the line that names A and B */
  GantryRefresh *refresh;
};

gboolean gantry_plots_is_chosen(GantryPlots *self, const char *id) {
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), id) == 0;
}

gboolean gantry_plots_is_shown(GantryPlots *self, const char *id) {
  return gtk_widget_get_visible(self->plots) && gantry_plots_is_chosen(self, id);
}

/* Where the window is too narrow for all tabs, the chosen one is in sight. */
static gboolean show_tab(GtkWidget *widget, GdkFrameClock *clock, gpointer user) {
  GantryPlots *self = user;
  GtkWidget *viewport = gtk_scrolled_window_get_child(self->tabs),
            *switcher = GTK_IS_VIEWPORT(viewport) ? gtk_viewport_get_child(GTK_VIEWPORT(viewport)) : viewport;
  self->showing = FALSE;
  for (GtkWidget *tab = gtk_widget_get_first_child(switcher); tab; tab = gtk_widget_get_next_sibling(tab)) {
    graphene_rect_t bounds;
    if (!GTK_IS_TOGGLE_BUTTON(tab) || !gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(tab)) ||
        !gtk_widget_compute_bounds(tab, switcher, &bounds))
      continue;
    gtk_adjustment_clamp_page(gtk_scrolled_window_get_hadjustment(self->tabs), bounds.origin.x,
                              bounds.origin.x + bounds.size.width);
  }
  return G_SOURCE_REMOVE;
}

static void queue_tab(GantryPlots *self) {
  if (!self->showing) gtk_widget_add_tick_callback(GTK_WIDGET(self->tabs), show_tab, self, NULL);
  self->showing = TRUE;
}

static void page_changed(GtkStack *stack, GParamSpec *property, GantryPlots *self) {
  const gboolean convergence = gantry_plots_is_chosen(self, "convergence");
  const gboolean errors = gantry_plots_is_chosen(self, "errors");
  gtk_widget_set_visible(self->profile_buttons, gantry_plots_is_chosen(self, "profile"));
  gtk_widget_set_visible(self->errors_buttons, errors);
  gtk_widget_set_visible(self->convergence_buttons, convergence);
  /* It has its command and its key; here the room is for what goes on with the run, or for what is compared. */
  gtk_widget_set_visible(self->set_reference, !convergence && !errors);
  GtkWidget *page = gtk_stack_get_visible_child(stack);
  gtk_revealer_set_reveal_child(self->sides, !page || !g_object_get_data(G_OBJECT(page), ALONE));
  queue_tab(self);
  gantry_refresh_queue(self->refresh);
}

/* When the window grows GTK leaves the plots as high as they are: so far the bar is where it was put. */
static gboolean moved_by_user(GantryPlots *self, int room) {
  return self->room && abs(gtk_paned_get_position(self->paned) - (self->placed + room - self->room)) > 2;
}

static void room_changed(GtkPaned *paned, GParamSpec *property, GantryPlots *self) {
  int room, least;
  g_object_get(paned, "max-position", &room, "min-position", &least, NULL);
  if (!gtk_widget_get_visible(self->plots) || room <= least) return;
  if (self->room < 0 || moved_by_user(self, room)) {
    self->room = -1;
    return;
  }
  const int height = gtk_widget_get_height(GTK_WIDGET(paned)),
            wanted = (int)(SHARE * gtk_widget_get_height(self->window));
  self->placed = CLAMP(height - wanted, least, room);
  self->room = room;
  gtk_paned_set_position(paned, self->placed);
}

/* What is folded away can still be read by assistive technology. */
static GtkRevealer *make_revealer(GtkWidget *sides) {
  GtkWidget *revealer = gtk_revealer_new(), *box = gtk_widget_get_parent(sides);
  gtk_revealer_set_transition_type(GTK_REVEALER(revealer), GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN);
  gtk_revealer_set_transition_duration(GTK_REVEALER(revealer), 0);
  gtk_revealer_set_reveal_child(GTK_REVEALER(revealer), TRUE);
  g_object_ref(sides);
  gtk_box_remove(GTK_BOX(box), sides);
  gtk_revealer_set_child(GTK_REVEALER(revealer), sides);
  g_object_unref(sides);
  gtk_box_prepend(GTK_BOX(box), revealer);
  return GTK_REVEALER(revealer);
}

GantryPlots *gantry_plots_new(GtkWidget *window, GantryRefresh *refresh) {
  GantryPlots *self = g_new0(GantryPlots, 1);
  self->window = window;
  self->paned = gantry_window_part(window, "paned");
  self->plots = gantry_window_part(window, "plots");
  self->pages = gantry_window_part(window, "plot_pages");
  self->tabs = gantry_window_part(window, "plot_tabs");
  self->profile_buttons = gantry_window_part(window, "profile_buttons");
  self->errors_buttons = gantry_window_part(window, "errors_buttons");
  self->convergence_buttons = gantry_window_part(window, "convergence_buttons");
  self->set_reference = gantry_window_part(window, "set_reference");
  self->sides = make_revealer(gtk_widget_get_parent(gantry_window_part(window, "title_a")));
  self->refresh = refresh;
  g_signal_connect(self->paned, "notify::max-position", G_CALLBACK(room_changed), self);
  g_signal_connect_swapped(gtk_scrolled_window_get_hadjustment(self->tabs), "notify::page-size", G_CALLBACK(queue_tab),
                           self);
  g_signal_connect(self->pages, "notify::visible-child", G_CALLBACK(page_changed), self);
  g_signal_connect_swapped(self->plots, "notify::visible", G_CALLBACK(gantry_refresh_queue), refresh);
  return self;
}

void gantry_plots_free(GantryPlots *self) {
  g_free(self);
}

void gantry_plots_add(GantryPlots *self, GtkWidget *page, const char *id, const char *title) {
  gtk_stack_add_titled(self->pages, page, id, title);
}

void gantry_plots_add_alone(GantryPlots *self, GtkWidget *page, const char *id, const char *title) {
  g_object_set_data(G_OBJECT(page), ALONE, page);
  gantry_plots_add(self, page, id, title);
}

void gantry_plots_set_present(GantryPlots *self, const char *id, gboolean present) {
  GtkWidget *page = gtk_stack_get_child_by_name(self->pages, id),
            *first = gtk_widget_get_first_child(GTK_WIDGET(self->pages));
  if (!present && gantry_plots_is_chosen(self, id)) gtk_stack_set_visible_child(self->pages, first);
  gtk_stack_page_set_visible(gtk_stack_get_page(self->pages, page), present);
}

void gantry_plots_choose(GantryPlots *self, const char *id) {
  gtk_stack_set_visible_child_name(self->pages, id);
}

const char *gantry_plots_get_chosen(GantryPlots *self) {
  return gtk_stack_get_visible_child_name(self->pages);
}

double gantry_plots_get_share(GantryPlots *self) {
  const int height = gtk_widget_get_height(GTK_WIDGET(self->paned));
  int room;
  g_object_get(self->paned, "max-position", &room, NULL);
  if (height < 1 || !gtk_widget_get_visible(self->plots) || (self->room >= 0 && !moved_by_user(self, room))) return 0;
  return 1 - (double)gtk_paned_get_position(self->paned) / height;
}

void gantry_plots_set_share(GantryPlots *self, double share) {
  const int height = gtk_widget_get_height(GTK_WIDGET(self->paned));
  if (height < 1) return;
  self->room = -1;
  gtk_paned_set_position(self->paned, (int)((1 - share) * height));
}

void gantry_plots_show(GantryPlots *self, const char *id) {
  gtk_widget_set_visible(self->plots, TRUE);
  gantry_plots_choose(self, id);
}
