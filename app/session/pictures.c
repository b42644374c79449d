/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images come from the mailbox, newest first; each is shown if it still belongs on screen. */
#include "app/session/pictures.h"

#include <string.h>

struct _GantryPictures {
  GObject parent_instance;
  GantryContext *context;
  GantryImage *shown[GANTRY_SIDES][GANTRY_VIEWS];
  guint64 generation[GANTRY_SIDES], scan_generation;
  ct_grid grid;
  gboolean has_grid, centred, showing;
  int projection_index;
  gboolean sinogram;
};

G_DEFINE_FINAL_TYPE(GantryPictures, gantry_pictures, G_TYPE_OBJECT)

static guint arrived_signal;

static void gantry_pictures_finalize(GObject *object) {
  GantryPictures *self = GANTRY_PICTURES(object);
  for (int side = 0; side < GANTRY_SIDES; side++)
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) g_clear_pointer(&self->shown[side][kind], gantry_image_unref);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_pictures_parent_class)->finalize(object);
}

static void gantry_pictures_class_init(GantryPicturesClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_pictures_finalize;
  arrived_signal = g_signal_new("arrived", GANTRY_TYPE_PICTURES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_BOOLEAN);
}

static void gantry_pictures_init(GantryPictures *self) {
  self->centred = TRUE;
  self->generation[GANTRY_A] = self->generation[GANTRY_B] = self->scan_generation = 1;
}

GantryPictures *gantry_pictures_new(GantryContext *context) {
  GantryPictures *self = g_object_new(GANTRY_TYPE_PICTURES, NULL);
  self->context = gantry_context_ref(context);
  return self;
}

/* Arrival */

static void adopt_grid(GantryPictures *self, const ct_grid *grid) {
  if (self->has_grid && memcmp(&self->grid, grid, sizeof *grid) == 0 && !self->centred) return;
  self->grid = *grid;
  self->has_grid = TRUE;
  self->generation[GANTRY_B]++;
  if (self->centred) {
    const double cross[3] = {ct_grid_plane_position(grid, CT_SAGITTAL, grid->nx / 2),
                             ct_grid_plane_position(grid, CT_CORONAL, grid->ny / 2),
                             ct_grid_plane_position(grid, CT_AXIAL, grid->nz / 2)};
    gantry_display_set_cross(gantry_window_get_display(self->context->window), cross);
    self->centred = FALSE;
  }
  gantry_window_set_grid(self->context->window, grid);
}

static gboolean is_current(GantryPictures *self, GantrySide side, const GantryImage *image) {
  if (image->kind == GANTRY_VIEW_PROJECTION) return image->generation >= self->scan_generation;
  return image->generation == self->generation[side];
}

static void show_image(GantryPictures *self, GantrySide side, GantryImage *image) {
  GantryImage **slot = &self->shown[side][image->kind];
  if (*slot) gantry_image_unref(*slot);
  *slot = gantry_image_ref(image);
  gantry_window_set_image(self->context->window, side == GANTRY_A ? CTGL_SLOT_A : CTGL_SLOT_B, image);
}

/* Whether there was a plane among them. */
static gboolean show_side(GantryPictures *self, GantrySide side, GantryImage *images[GANTRY_VIEWS]) {
  gboolean planes = FALSE;
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
    GantryImage *image = images[kind];
    if (!image) continue;
    if (self->context->window && is_current(self, side, image)) {
      show_image(self, side, image);
      planes |= kind != GANTRY_VIEW_PROJECTION;
    }
    gantry_image_unref(image);
  }
  return planes;
}

void gantry_pictures_fetch(GantryPictures *self) {
  GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS];
  ct_grid grid;
  guint64 grid_generation = 0;
  const gboolean has_grid = gantry_mailbox_take(self->context->mailbox, images, &grid, &grid_generation);
  self->showing = TRUE;
  if (self->context->window && has_grid && grid_generation == self->generation[GANTRY_A]) adopt_grid(self, &grid);
  const gboolean a = show_side(self, GANTRY_A, images[GANTRY_A]), b = show_side(self, GANTRY_B, images[GANTRY_B]);
  self->showing = FALSE;
  if (a || b) g_signal_emit(self, arrived_signal, 0, a);
}

gboolean gantry_pictures_is_showing(GantryPictures *self) {
  return self->showing;
}

/* Generations */

void gantry_pictures_renew(GantryPictures *self, GantrySide side) {
  self->generation[side]++;
}

guint64 gantry_pictures_get_generation(GantryPictures *self, GantrySide side) {
  return self->generation[side];
}

void gantry_pictures_reset(GantryPictures *self) {
  GantryImage *none[GANTRY_SIDES][GANTRY_VIEWS];
  ct_grid grid;
  guint64 generation;
  self->scan_generation = ++self->generation[GANTRY_A];
  self->centred = TRUE;
  self->has_grid = FALSE;
  self->projection_index = 0;
  gantry_mailbox_take(self->context->mailbox, none, &grid, &generation);
  for (int side = 0; side < GANTRY_SIDES; side++) {
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
      if (none[side][kind]) gantry_image_unref(none[side][kind]);
      g_clear_pointer(&self->shown[side][kind], gantry_image_unref);
    }
  }
  gantry_window_clear_images(self->context->window, CTGL_SLOT_A);
  gantry_window_clear_images(self->context->window, CTGL_SLOT_B);
}

void gantry_pictures_replace_reference(GantryPictures *self) {
  self->generation[GANTRY_B]++;
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) g_clear_pointer(&self->shown[GANTRY_B][kind], gantry_image_unref);
  gantry_window_clear_images(self->context->window, CTGL_SLOT_B);
}

GantryImage *gantry_pictures_get(GantryPictures *self, GantrySide side, GantryViewKind kind) {
  return self->shown[side][kind];
}

const ct_grid *gantry_pictures_get_grid(GantryPictures *self) {
  return self->has_grid ? &self->grid : NULL;
}

/* What is wanted */

void gantry_pictures_set_projection(GantryPictures *self, int index, gboolean sinogram) {
  self->projection_index = index;
  self->sinogram = sinogram;
}

void gantry_pictures_get_wanted(GantryPictures *self, GantryWanted *wanted) {
  *wanted = (GantryWanted){.centred = self->centred,
                           .projection = TRUE,
                           .sinogram = self->sinogram,
                           .projection_index = self->projection_index,
                           .values = gantry_window_get_projection_values(self->context->window),
                           .redundancy = gantry_window_wants_redundancy(self->context->window),
                           .generation = self->generation[GANTRY_A]};
  GantryDisplay *display = gantry_window_get_display(self->context->window);
  gantry_display_get_cross(display, wanted->cross);
  wanted->oblique = gantry_display_get_oblique(display, &wanted->pose);
  wanted->solid = gantry_window_wants_solid(self->context->window);
  gantry_mailbox_set_wanted(self->context->mailbox, wanted);
}

guint gantry_pictures_get_missing(GantryPictures *self, GantrySide side) {
  GantryWanted wanted;
  gantry_pictures_get_wanted(self, &wanted);
  guint missing = 0;
  for (int plane = 0; plane < GANTRY_PLANES; plane++) {
    const GantryImage *image = self->shown[side][plane];
    if (!image || image->generation != self->generation[side] ||
        (self->has_grid && image->index != gantry_wanted_index(&wanted, &self->grid, (ct_plane)plane)))
      missing |= 1u << plane;
  }
  const GantryImage *oblique = self->shown[side][GANTRY_VIEW_OBLIQUE];
  if (oblique && oblique->generation != self->generation[side]) oblique = NULL;
  if (self->has_grid ? !gantry_oblique_is_shown(&wanted, &self->grid, oblique) : wanted.oblique)
    missing |= GANTRY_OBLIQUE;
  return missing;
}
