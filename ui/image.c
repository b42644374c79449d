/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures: float32 pixels with their place in the world, counted atomically because worker and main loop share them.
 */
#include "ui/image.h"

#include "recon/metric/metric.h"

#include <math.h>
#include <string.h>

typedef struct {
  GantryImage image;
  gatomicrefcount references;
} CountedImage;

G_DEFINE_BOXED_TYPE(GantryImage, gantry_image, gantry_image_ref, gantry_image_unref)

GantryImage *gantry_image_new(int width, int height) {
  g_return_val_if_fail(width > 0 && height > 0, NULL);
  gsize count = 0, bytes = 0;
  if (!g_size_checked_mul(&count, (gsize)width, (gsize)height) || !g_size_checked_mul(&bytes, count, sizeof(float)))
    return NULL;
  float *pixels = g_try_malloc(bytes);
  CountedImage *counted = pixels ? g_try_new0(CountedImage, 1) : NULL;
  if (!counted) {
    g_free(pixels);
    return NULL;
  }
  g_atomic_ref_count_init(&counted->references);
  counted->image = (GantryImage){.width = width,
                                 .height = height,
                                 .spacing_x = 1,
                                 .spacing_y = 1,
                                 .kind = GANTRY_VIEW_PROJECTION,
                                 .pixels = pixels};
  return &counted->image;
}

GantryImage *gantry_image_new_for_plane(const ct_grid *grid, ct_plane plane, int index) {
  int width = 0, height = 0, count = 0;
  ct_grid_plane_size(grid, plane, &width, &height, &count);
  GantryImage *image = gantry_image_new(width, height);
  if (!image) return NULL;
  const gboolean along_x = plane != CT_SAGITTAL, along_z = plane != CT_AXIAL;
  image->spacing_x = along_x ? grid->dx : grid->dy;
  image->origin_x = along_x ? grid->x0 : grid->y0;
  image->spacing_y = along_z ? grid->dz : grid->dy;
  image->origin_y = along_z ? grid->z0 : grid->y0;
  image->kind = plane == CT_AXIAL     ? GANTRY_VIEW_AXIAL
                : plane == CT_CORONAL ? GANTRY_VIEW_CORONAL
                                      : GANTRY_VIEW_SAGITTAL;
  image->index = CLAMP(index, 0, count - 1);
  image->position = ct_grid_plane_position(grid, plane, image->index);
  return image;
}

const char *gantry_image_values_words(const GantryImage *image) {
  return image->values == GANTRY_VALUES_FILTERED   ? "filtered"
         : image->values == GANTRY_VALUES_WEIGHTS  ? "redundancy weight"
         : image->values == GANTRY_VALUES_WEIGHTED ? "weighted line integral"
         : image->integrals                        ? "line integral"
         : image->counts                           ? "counts"
                                                   : "as stored";
}

void gantry_image_set_sinogram(GantryImage *image, const ct_geometry *geometry, int first, int step) {
  image->sinogram = TRUE;
  g_clear_pointer(&image->angles, g_free);
  if (!geometry || !geometry->angles || first + (image->height - 1) * step >= geometry->views) return;
  image->angles = g_try_new(double, (gsize)image->height);
  for (int row = 0; image->angles && row < image->height; row++)
    image->angles[row] = geometry->angles[first + row * step] * 180 / G_PI;
}

static void find_grey(const GantryImage *image, double grey[2]) {
  ct_grey_range(image->pixels, (gsize)image->width * (gsize)image->height, &grey[0], &grey[1]);
}

void gantry_image_find_grey(GantryImage *image) {
  find_grey(image, image->grey);
  image->has_grey = TRUE;
}

void gantry_image_get_grey(const GantryImage *image, double grey[2]) {
  if (image->has_grey)
    memcpy(grey, image->grey, sizeof image->grey);
  else
    find_grey(image, grey);
}

GantryImage *gantry_image_ref(GantryImage *image) {
  g_return_val_if_fail(image, NULL);
  g_atomic_ref_count_inc(&((CountedImage *)image)->references);
  return image;
}

void gantry_image_unref(GantryImage *image) {
  g_return_if_fail(image);
  if (!g_atomic_ref_count_dec(&((CountedImage *)image)->references)) return;
  g_free(image->angles);
  gantry_redundancy_unref(image->redundancy);
  g_free(image->pixels);
  g_free(image);
}

gboolean gantry_image_shares_pixels(const GantryImage *a, const GantryImage *b) {
  const double slack_x = 1e-3 * a->spacing_x, slack_y = 1e-3 * a->spacing_y;
  return a->width == b->width && a->height == b->height && fabs(a->origin_x - b->origin_x) <= slack_x &&
         fabs(a->origin_y - b->origin_y) <= slack_y && fabs(a->spacing_x - b->spacing_x) * a->width <= slack_x &&
         fabs(a->spacing_y - b->spacing_y) * a->height <= slack_y;
}

void gantry_image_row_held(const GantryImage *image, int row, int *first, int *end) {
  *first = 0;
  *end = image->width;
  if (image->kind == GANTRY_VIEW_OBLIQUE) ct_oblique_row_within(&image->oblique, &image->volume, row, first, end);
}

/* The pixel's value; outside the volume, as on screen, another. */
static double held_or(const GantryImage *image, int i, int j, double otherwise) {
  int first, end;
  gantry_image_row_held(image, j, &first, &end);
  return i >= first && i < end ? (double)image->pixels[(gsize)j * (gsize)image->width + (gsize)i] : otherwise;
}

gboolean gantry_image_holds(const GantryImage *image, double x, double y) {
  /* The outermost half pixel belongs to the image and has the value of its border, as on screen. */
  const double column = (x - image->origin_x) / image->spacing_x, row = (y - image->origin_y) / image->spacing_y;
  if (!(column >= -0.5 && column <= image->width - 0.5 && row >= -0.5 && row <= image->height - 0.5)) return FALSE;
  const int i = MIN((int)(column + 0.5), image->width - 1), j = MIN((int)(row + 0.5), image->height - 1);
  int first, end;
  gantry_image_row_held(image, j, &first, &end);
  return i >= first && i < end;
}

double gantry_image_sample(const GantryImage *image, double x, double y) {
  if (!gantry_image_holds(image, x, y)) return NAN;
  const double column = (x - image->origin_x) / image->spacing_x, row = (y - image->origin_y) / image->spacing_y;
  const double u = CLAMP(column, 0, image->width - 1), v = CLAMP(row, 0, image->height - 1);
  const int i = (int)u, j = (int)v;
  const int right = MIN(i + 1, image->width - 1), up = MIN(j + 1, image->height - 1);
  const double s = u - i, t = v - j;
  const double nearest = gantry_image_shown_value(image, x, y, FALSE);
  /* A neighbour without weight must not bring its NaN in. */
  double below = held_or(image, i, j, nearest);
  if (s > 0) below = (1 - s) * below + s * held_or(image, right, j, nearest);
  if (!(t > 0)) return below;
  double above = held_or(image, i, up, nearest);
  if (s > 0) above = (1 - s) * above + s * held_or(image, right, up, nearest);
  return (1 - t) * below + t * above;
}

double gantry_image_shown_value(const GantryImage *image, double x, double y, gboolean smooth) {
  if (smooth) return gantry_image_sample(image, x, y);
  if (!gantry_image_holds(image, x, y)) return NAN;
  const double column = (x - image->origin_x) / image->spacing_x, row = (y - image->origin_y) / image->spacing_y;
  const int i = MIN((int)(column + 0.5), image->width - 1), j = MIN((int)(row + 0.5), image->height - 1);
  return (double)image->pixels[(gsize)j * (gsize)image->width + (gsize)i];
}
