/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of the list of marks. */
#include "ui/marks/item.h"

struct _GantryMarkItem {
  GObject parent_instance;
  guint id;
  char *texts[GANTRY_MARK_ITEM_TEXTS];
};

G_DEFINE_FINAL_TYPE(GantryMarkItem, gantry_mark_item, G_TYPE_OBJECT)

static guint changed;

static void gantry_mark_item_finalize(GObject *object) {
  for (int i = 0; i < GANTRY_MARK_ITEM_TEXTS; i++) g_free(GANTRY_MARK_ITEM(object)->texts[i]);
  G_OBJECT_CLASS(gantry_mark_item_parent_class)->finalize(object);
}

static void gantry_mark_item_class_init(GantryMarkItemClass *class) {
  G_OBJECT_CLASS(class)->finalize = gantry_mark_item_finalize;
  changed = g_signal_new("changed", GANTRY_TYPE_MARK_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_mark_item_init(GantryMarkItem *self) {}

GantryMarkItem *gantry_mark_item_new(guint id) {
  GantryMarkItem *self = g_object_new(GANTRY_TYPE_MARK_ITEM, NULL);
  self->id = id;
  return self;
}

guint gantry_mark_item_get_id(GantryMarkItem *self) {
  return self->id;
}

const char *gantry_mark_item_get(GantryMarkItem *self, int text) {
  return self->texts[text] ? self->texts[text] : "";
}

void gantry_mark_item_fill(GantryMarkItem *self, const GantryMarkTable *table, const GantryMark *mark) {
  gboolean other = FALSE;
  for (int i = 0; i < GANTRY_MARK_ITEM_TEXTS; i++) {
    char *text = i == GANTRY_MARK_ITEM_NAME    ? g_strdup(mark->name)
                 : i == GANTRY_MARK_ITEM_PLACE ? gantry_mark_place(table, mark)
                 : i == GANTRY_MARK_ITEM_NOTE  ? gantry_mark_note(table, mark)
                                               : gantry_mark_cell(table, mark, (GantryMarkColumn)i);
    other |= g_strcmp0(text, self->texts[i]) != 0;
    g_free(self->texts[i]);
    self->texts[i] = text;
  }
  if (other) g_signal_emit(self, changed, 0);
}
