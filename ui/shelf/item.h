/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result on the shelf as its card shows it: texts, picture, marks. Who keeps the result derives from it. Signal
 * "changed": another card is to be drawn. */
#pragma once

#include "ui/image.h"

G_BEGIN_DECLS

/* What a card shows; strings and picture are borrowed where a card is given, and the item's where it is asked for. */
typedef struct {
  const char *name;       /* what differs from the others: "half", "SIRT 50" */
  const char *facts;      /* "z-window, half, 1.2 s, 21 GUPS" */
  const char *numbers;    /* against the reference: "RMSE 1.2e-5, SSIM 0.9998"; NULL: there are none */
  const char *tip;        /* all that is known of it, several lines */
  GantryImage *thumbnail; /* its middle axial slice; NULL: memory was short */
  gboolean is_a, is_b;
  gboolean pinned;  /* stays in memory */
  gboolean on_disk; /* has left the memory */
  gboolean busy;    /* on its way from or to the disk */
  gboolean unsaved;
  int colour; /* of its curves while it is ticked (0 and up); -1: not ticked */
} GantryCard;

#define GANTRY_TYPE_SHELF_ITEM (gantry_shelf_item_get_type())
G_DECLARE_DERIVABLE_TYPE(GantryShelfItem, gantry_shelf_item, GANTRY, SHELF_ITEM, GObject)
struct _GantryShelfItemClass {
  GObjectClass parent_class;
};

GantryShelfItem *gantry_shelf_item_new(void);
const GantryCard *gantry_shelf_item_get_card(GantryShelfItem *self);
/* Copies; emits "changed" if anything is another. */
void gantry_shelf_item_set_card(GantryShelfItem *self, const GantryCard *card);

G_END_DECLS
