/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the views of a window share, so that they agree: grey window, colour maps, mode and its scales, crosshair,
 * profile line, oblique plane. */
#pragma once

#include <glib-object.h>

#include "recon/base/units.h"
#include "recon/base/value-scale.h"
#include "render/scene/scene.h"
#include "render/slice-renderer.h"
#include "ui/image.h"
#include "ui/marks/marks.h"
#include "ui/oblique.h"

G_BEGIN_DECLS

/* A change re-draws all views. */
/* What a geometry's pixels are of the detector's: bin_u x bin_v of them, from row row0 on. Pictures of projections are
 * in pixels of the detector. */
typedef struct {
  int bin_u, bin_v, row0;
} GantryBins;
/* The detector's pixel of one of the geometry. */
static inline double gantry_bins_column(const GantryBins *bins, double u) {
  return u * bins->bin_u + (bins->bin_u - 1) / 2.0;
}
static inline double gantry_bins_row(const GantryBins *bins, double v) {
  return v * bins->bin_v + (bins->bin_v - 1) / 2.0 + bins->row0;
}

#define GANTRY_TYPE_DISPLAY (gantry_display_get_type())
G_DECLARE_FINAL_TYPE(GantryDisplay, gantry_display, GANTRY, DISPLAY, GObject)

/* Signals: "values-changed", "mode-changed", "cross-moved", "profile-changed", "oblique-changed", and "changed" after
 * each of them and after anything else below. Nothing is emitted when a value stays what it was; a range that is not
 * finite is ignored. Projection views keep a window of their own. */
GantryDisplay *gantry_display_new(void);
void gantry_display_set_window(GantryDisplay *self, double low, double high);
void gantry_display_get_window(GantryDisplay *self, double *low, double *high);
void gantry_display_set_projection_window(GantryDisplay *self, double low, double high);
void gantry_display_get_projection_window(GantryDisplay *self, double *low, double *high);
/* The range of a scale of differences (ctgl_scale; the absolute difference shares that of the difference): in the unit
 * of the values, relative 1 for 100 %, of an SSIM what it is below 1. More than zero. */
void gantry_display_set_range(GantryDisplay *self, ctgl_scale scale, double range);
double gantry_display_get_range(GantryDisplay *self, ctgl_scale scale);
/* Locked: the ranges stay as they are, whatever is shown (ui/window/scales.h fits them). */
void gantry_display_set_locked(GantryDisplay *self, gboolean locked);
gboolean gantry_display_get_locked(GantryDisplay *self);
/* Those scales are logarithmic but for CTGL_LINEAR_PART of their range. */
void gantry_display_set_logarithmic(GantryDisplay *self, gboolean logarithmic);
gboolean gantry_display_get_logarithmic(GantryDisplay *self);
/* Of scales about zero: one of the diverging maps. */
void gantry_display_set_diverging_map(GantryDisplay *self, const char *id);
const char *gantry_display_get_diverging_map(GantryDisplay *self);
/* The relative difference is shown where |B| is larger. */
void gantry_display_set_least(GantryDisplay *self, double least);
double gantry_display_get_least(GantryDisplay *self);
void gantry_display_set_colour_map(GantryDisplay *self, const char *id);
const char *gantry_display_get_colour_map(GantryDisplay *self);
void gantry_display_set_smooth(GantryDisplay *self, gboolean smooth);
gboolean gantry_display_get_smooth(GantryDisplay *self);
/* Units of what is shown; mm at first. */
void gantry_display_set_units(GantryDisplay *self, ct_units units);
ct_units gantry_display_get_units(GantryDisplay *self);
/* What values are told in: those of the volume, scaled; the unit's name goes with each. NULL, as at first: the volume's
 * own. */
typedef ct_named_scale GantryValues;
/* The scale that the scan or the volume tells of its values, which they are told in from then on; NULL or without a
 * unit: none. */
void gantry_display_set_told(GantryDisplay *self, const GantryValues *told);
const GantryValues *gantry_display_get_told(GantryDisplay *self);
void gantry_display_set_values(GantryDisplay *self, const GantryValues *values);
const GantryValues *gantry_display_get_values(GantryDisplay *self);
double gantry_display_value(GantryDisplay *self, double value);
double gantry_display_difference(GantryDisplay *self, double difference);
const char *gantry_display_value_unit(GantryDisplay *self);
/* The marks on the slices; whatever changes of them re-draws, too. */
GantryMarks *gantry_display_get_marks(GantryDisplay *self);
void gantry_display_set_mode(GantryDisplay *self, ctgl_mode mode);
ctgl_mode gantry_display_get_mode(GantryDisplay *self);
void gantry_display_set_swipe(GantryDisplay *self, double swipe);
double gantry_display_get_swipe(GantryDisplay *self);
/* Part of B, 0 to 1, in the fade. */
void gantry_display_set_fade(GantryDisplay *self, double fade);
double gantry_display_get_fade(GantryDisplay *self);
/* Side of the checkerboard's tiles, logical pixels. */
#define GANTRY_LEAST_TILE 8
#define GANTRY_MOST_TILE 256
void gantry_display_set_tile(GantryDisplay *self, int side);
int gantry_display_get_tile(GantryDisplay *self);
/* Single pixels about the pointer, as large as 8 pixels of the screen or as their values need. */
typedef enum { GANTRY_LOUPE_OFF, GANTRY_LOUPE_PIXELS, GANTRY_LOUPE_VALUES, GANTRY_LOUPES } GantryLoupe;
void gantry_display_set_loupe(GantryDisplay *self, GantryLoupe loupe);
GantryLoupe gantry_display_get_loupe(GantryDisplay *self);
void gantry_display_set_show_crosshair(GantryDisplay *self, gboolean show);
gboolean gantry_display_get_show_crosshair(GantryDisplay *self);
/* Crosshair, world mm. */
void gantry_display_set_cross(GantryDisplay *self, const double point[3]);
void gantry_display_get_cross(GantryDisplay *self, double point[3]);
/* The profile line lives on one view, in that view's plane coordinates. kind GANTRY_VIEWS: none. */
void gantry_display_set_profile(GantryDisplay *self, GantryViewKind kind, ctgl_point from, ctgl_point to);
GantryViewKind gantry_display_get_profile(GantryDisplay *self, ctgl_point *from, ctgl_point *to);
/* So many lines beside each other, a pixel of A apart, are averaged: 1 to GANTRY_MOST_LINES. Signal "profile-changed".
 */
#define GANTRY_MOST_LINES 99
void gantry_display_set_profile_lines(GantryDisplay *self, int lines);
int gantry_display_get_profile_lines(GantryDisplay *self);
/* The oblique plane, which goes through the crosshair; not shown: its trace is not drawn, and its angles stay. Signal
 * "oblique-changed". */
void gantry_display_set_oblique(GantryDisplay *self, gboolean shown, const GantryPose *pose);
gboolean gantry_display_get_oblique(GantryDisplay *self, GantryPose *pose);
/* Flat: what is shown is a single slice, in which no plane can be tilted. Signal "oblique-changed". */
void gantry_display_set_flat(GantryDisplay *self, gboolean flat);
gboolean gantry_display_get_flat(GantryDisplay *self);
/* The ray that a pixel of a projection or sinogram is pointed at with: of a view, to the detector position (u, v) in
 * pixels of the geometry, and the part of it within the volume. NULL: none. Signal "ray-changed". */
typedef struct {
  int view;
  double uv[2];
  ctgl_segment within, field; /* field: what of it lies in the field of view */
  gboolean in_field;          /* there is such a part */
} GantryRay;
void gantry_display_set_ray(GantryDisplay *self, const GantryRay *ray);
const GantryRay *gantry_display_get_ray(GantryDisplay *self);
/* The ray whose values are read on a page, which slices draw while none is pointed at; copied. NULL: none. */
void gantry_display_set_read_ray(GantryDisplay *self, const GantryRay *ray);
const GantryRay *gantry_display_get_drawn_ray(GantryDisplay *self);
/* Takes an armed profile or region tool from every view ("tools-dropped"). */
void gantry_display_drop_tools(GantryDisplay *self);

G_END_DECLS
