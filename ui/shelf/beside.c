/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether there is room is known when the widget is laid out; what follows from it for buttons is told afterwards. */
#include "ui/shelf/beside.h"

/* The second child's share of the width, as far as its least and its largest width allow. */
#define SHARE 0.32
#define MOST 400

struct _GantryBeside {
  GtkWidget parent_instance;
  gboolean wanted, instead; /* shown where there is room; and where there is none */
  gboolean narrow;
  guint telling;
};

G_DEFINE_FINAL_TYPE(GantryBeside, gantry_beside, GTK_TYPE_WIDGET)

enum { WANTED = 1, SHOWN, PROPERTIES };
static GParamSpec *properties[PROPERTIES];

gboolean gantry_beside_get_shown(GantryBeside *self) {
  return self->narrow ? self->instead : self->wanted;
}

static void tell(GantryBeside *self, int property) {
  g_object_notify_by_pspec(G_OBJECT(self), properties[property]);
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

static void set_wanted(GantryBeside *self, gboolean wanted) {
  if (self->wanted == wanted) return;
  self->wanted = wanted;
  tell(self, WANTED);
  if (!self->narrow) tell(self, SHOWN);
}

void gantry_beside_set_shown(GantryBeside *self, gboolean shown) {
  if (!self->narrow) {
    set_wanted(self, shown);
    return;
  }
  if (self->instead == shown) return;
  self->instead = shown;
  tell(self, SHOWN);
}

void gantry_beside_give_way(GantryBeside *self) {
  if (self->narrow) gantry_beside_set_shown(self, FALSE);
}

static gboolean tell_shown(gpointer data) {
  GantryBeside *self = data;
  self->telling = 0;
  g_object_notify_by_pspec(G_OBJECT(self), properties[SHOWN]);
  return G_SOURCE_REMOVE;
}

static void set_narrow(GantryBeside *self, gboolean narrow) {
  if (self->narrow == narrow) return;
  self->narrow = narrow;
  self->instead = FALSE;
  if (!self->telling) self->telling = g_idle_add(tell_shown, self);
}

/* The window's actions keep the widget for a moment when the window is gone, and would tell that. */
static void unroot(GtkWidget *widget) {
  g_clear_handle_id(&GANTRY_BESIDE(widget)->telling, g_source_remove);
  GTK_WIDGET_CLASS(gantry_beside_parent_class)->unroot(widget);
}

/* Layout */

static int least_width(GtkWidget *child) {
  int least = 0;
  if (child) gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline) {
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    int least, wished;
    gtk_widget_measure(child, orientation, -1, &least, &wished, NULL, NULL);
    *minimum = MAX(*minimum, least);
    *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? *natural + wished : MAX(*natural, wished);
  }
}

static void place(GtkWidget *child, int x, int width, int height) {
  gtk_widget_set_child_visible(child, width > 0);
  if (width > 0) gtk_widget_size_allocate(child, &(GtkAllocation){x, 0, width, height}, -1);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  GantryBeside *self = GANTRY_BESIDE(widget);
  GtkWidget *first = gtk_widget_get_first_child(widget), *second = gtk_widget_get_last_child(widget);
  if (!first || second == first) return;
  const int of_first = least_width(first), of_second = least_width(second);
  set_narrow(self, width < of_first + of_second);
  const gboolean shown = gantry_beside_get_shown(self);
  const int share = CLAMP((int)(SHARE * width), of_second, MAX(of_second, MOST));
  const int part = !shown ? 0 : self->narrow ? width : MIN(share, width - of_first);
  place(first, 0, width - part, height);
  place(second, width - part, part, height);
}

/* Life */

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *property) {
  GantryBeside *self = GANTRY_BESIDE(object);
  g_value_set_boolean(value, id == WANTED ? self->wanted : gantry_beside_get_shown(self));
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *property) {
  GantryBeside *self = GANTRY_BESIDE(object);
  if (id == WANTED)
    set_wanted(self, g_value_get_boolean(value));
  else
    gantry_beside_set_shown(self, g_value_get_boolean(value));
}

static void gantry_beside_dispose(GObject *object) {
  GantryBeside *self = GANTRY_BESIDE(object);
  GtkWidget *child;
  g_clear_handle_id(&self->telling, g_source_remove);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_beside_parent_class)->dispose(object);
}

static void gantry_beside_class_init(GantryBesideClass *class) {
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  object_class->dispose = gantry_beside_dispose;
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  GTK_WIDGET_CLASS(class)->unroot = unroot;
  GTK_WIDGET_CLASS(class)->measure = measure;
  GTK_WIDGET_CLASS(class)->size_allocate = size_allocate;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  properties[WANTED] = g_param_spec_boolean("wanted", NULL, NULL, TRUE, flags);
  properties[SHOWN] = g_param_spec_boolean("shown", NULL, NULL, TRUE, flags);
  g_object_class_install_properties(object_class, PROPERTIES, properties);
}

static void gantry_beside_init(GantryBeside *self) {
  self->wanted = TRUE;
}
