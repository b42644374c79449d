/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of the card that was set last. */
#include "ui/shelf/item.h"

typedef struct {
  GantryCard card;
  char *name, *facts, *numbers, *tip;
} GantryShelfItemPrivate;

G_DEFINE_TYPE_WITH_PRIVATE(GantryShelfItem, gantry_shelf_item, G_TYPE_OBJECT)

static guint changed_signal;

static GantryShelfItemPrivate *of(GantryShelfItem *self) {
  return gantry_shelf_item_get_instance_private(self);
}

static void gantry_shelf_item_finalize(GObject *object) {
  GantryShelfItemPrivate *own = of(GANTRY_SHELF_ITEM(object));
  g_free(own->name);
  g_free(own->facts);
  g_free(own->numbers);
  g_free(own->tip);
  g_clear_pointer(&own->card.thumbnail, gantry_image_unref);
  G_OBJECT_CLASS(gantry_shelf_item_parent_class)->finalize(object);
}

static void gantry_shelf_item_class_init(GantryShelfItemClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_shelf_item_finalize;
  changed_signal =
      g_signal_new("changed", GANTRY_TYPE_SHELF_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_shelf_item_init(GantryShelfItem *self) {
  of(self)->card.colour = -1;
}

GantryShelfItem *gantry_shelf_item_new(void) {
  return g_object_new(GANTRY_TYPE_SHELF_ITEM, NULL);
}

const GantryCard *gantry_shelf_item_get_card(GantryShelfItem *self) {
  return &of(self)->card;
}

/* Whether it was another text. */
static gboolean copy(char **own, const char **shown, const char *text) {
  const gboolean other = g_strcmp0(*own, text) != 0;
  if (other) {
    g_free(*own);
    *own = g_strdup(text);
  }
  *shown = *own;
  return other;
}

void gantry_shelf_item_set_card(GantryShelfItem *self, const GantryCard *card) {
  GantryShelfItemPrivate *own = of(self);
  const GantryCard old = own->card;
  gboolean other = old.thumbnail != card->thumbnail || old.is_a != card->is_a || old.is_b != card->is_b ||
                   old.pinned != card->pinned || old.on_disk != card->on_disk || old.busy != card->busy ||
                   old.unsaved != card->unsaved || old.colour != card->colour;
  own->card = *card;
  other |= copy(&own->name, &own->card.name, card->name);
  other |= copy(&own->facts, &own->card.facts, card->facts);
  other |= copy(&own->numbers, &own->card.numbers, card->numbers);
  other |= copy(&own->tip, &own->card.tip, card->tip);
  if (card->thumbnail) gantry_image_ref(card->thumbnail);
  if (old.thumbnail) gantry_image_unref(old.thumbnail);
  if (other) g_signal_emit(self, changed_signal, 0);
}
