/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of one row or column are equally large, but for the large one. */
#include "ui/tiles.h"

enum { GAP = 4, MOST = 8 };
/* Of the large tile's width and its neighbours'. */
#define LARGE_SHARE (2.0 / 3)

struct _GantryTiles {
  GtkWidget parent_instance;
  GantryLayout layout;
  GtkWidget *large; /* borrowed */
};

G_DEFINE_FINAL_TYPE(GantryTiles, gantry_tiles, GTK_TYPE_WIDGET)

/* The visible children, the large one first where there is one. */
static int find_shown(GantryTiles *self, GtkWidget *shown[MOST]) {
  const gboolean large = self->layout == GANTRY_LAYOUT_LARGE && self->large && gtk_widget_get_visible(self->large);
  int count = 0;
  if (large) shown[count++] = self->large;
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self)); child;
       child = gtk_widget_get_next_sibling(child))
    if (gtk_widget_get_visible(child) && !(large && child == self->large) && count < MOST) shown[count++] = child;
  return count;
}

/* Columns and rows of equal tiles; of a large one those of its neighbours' column. */
static void find_shape(const GantryTiles *self, int count, int *columns, int *rows) {
  *columns = count < 3 || self->layout == GANTRY_LAYOUT_ROW ? MAX(count, 1) : 2;
  *rows = self->layout == GANTRY_LAYOUT_LARGE && count > 2 ? count - 1 : (count + *columns - 1) / MAX(*columns, 1);
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline) {
  GtkWidget *shown[MOST];
  const int count = find_shown(GANTRY_TILES(widget), shown);
  int columns, rows;
  find_shape(GANTRY_TILES(widget), count, &columns, &rows);
  for (int i = 0; i < count; i++) {
    int least, wished;
    gtk_widget_measure(shown[i], orientation, -1, &least, &wished, NULL, NULL);
    *minimum = MAX(*minimum, least);
    *natural = MAX(*natural, wished);
  }
  const int times = orientation == GTK_ORIENTATION_HORIZONTAL ? columns : MAX(rows, 1);
  *minimum = times * *minimum + (times - 1) * GAP;
  *natural = times * *natural + (times - 1) * GAP;
}

/* Of n tiles in a stretch the i-th: where it begins, and how long it is. */
static void divide(int length, int n, int i, int *begin, int *part) {
  const int whole = length - (n - 1) * GAP;
  *begin = whole * i / n + i * GAP;
  *part = whole * (i + 1) / n - whole * i / n;
}

static void place_beside_large(GtkWidget *const *shown, int count, int width, int height) {
  int least = 0;
  for (int i = 1; i < count; i++) {
    int needed;
    gtk_widget_measure(shown[i], GTK_ORIENTATION_HORIZONTAL, -1, &needed, NULL, NULL, NULL);
    least = MAX(least, needed);
  }
  const int column = MAX((int)((1 - LARGE_SHARE) * (width - GAP)), least);
  gtk_widget_size_allocate(shown[0], &(GtkAllocation){0, 0, width - GAP - column, height}, -1);
  for (int i = 1; i < count; i++) {
    GtkAllocation place = {.x = width - column, .width = column};
    divide(height, count - 1, i - 1, &place.y, &place.height);
    gtk_widget_size_allocate(shown[i], &place, -1);
  }
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  GantryTiles *self = GANTRY_TILES(widget);
  GtkWidget *shown[MOST];
  const int count = find_shown(self, shown);
  if (self->layout == GANTRY_LAYOUT_LARGE && count > 2) {
    place_beside_large(shown, count, width, height);
    return;
  }
  int columns, rows;
  find_shape(self, count, &columns, &rows);
  for (int i = 0; i < count; i++) {
    GtkAllocation place;
    const int row = i / columns, in_row = MIN(count - row * columns, columns);
    divide(width, in_row, i % columns, &place.x, &place.width);
    divide(height, rows, row, &place.y, &place.height);
    gtk_widget_size_allocate(shown[i], &place, -1);
  }
}

static void gantry_tiles_dispose(GObject *object) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_tiles_parent_class)->dispose(object);
}

static void gantry_tiles_class_init(GantryTilesClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_tiles_dispose;
  GTK_WIDGET_CLASS(class)->measure = measure;
  GTK_WIDGET_CLASS(class)->size_allocate = size_allocate;
}

static void gantry_tiles_init(GantryTiles *self) {}

void gantry_tiles_add(GantryTiles *self, GtkWidget *child) {
  g_return_if_fail(GANTRY_IS_TILES(self));
  gtk_widget_insert_before(child, GTK_WIDGET(self), NULL);
}

void gantry_tiles_set_layout(GantryTiles *self, GantryLayout layout, GtkWidget *large) {
  g_return_if_fail(GANTRY_IS_TILES(self));
  if (self->layout == layout && self->large == large) return;
  self->layout = layout;
  self->large = large;
  gtk_widget_queue_resize(GTK_WIDGET(self));
}
