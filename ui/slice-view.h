/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One view: a GtkGLArea that shows an image (A) and a reference (B) with grey window, crosshair, zoom, pan, profile
 * line and region, with labels over it (title and position, axis letters, scale bar length, value under the pointer)
 * and a slice slider below. Click: crosshair there (in a projection: to the ray of that pixel). Plain drag: grey window
 * (right widens, up brightens). Wheel: slice (Shift: ten). Ctrl+wheel or pinch: zoom at the pointer. Middle drag: pan.
 * Shift+move: crosshair. Ctrl+drag: grey window from a region. Double-click: maximise. Ctrl+double-click: reset. P then
 * drag (or the profile action): profile line; its ends and the line itself can be dragged, and so can the trace of the
 * oblique plane (line: shift, ends: turn). Keys: arrows move the crosshair by a pixel (Shift: ten), Ctrl+arrows pan,
 * Alt+arrows grey window, Page Up/Down the slice (Shift: ten), Home/End the first and last, +/- zoom, 0 fit, M
 * maximise, W auto window, S smooth, X crosshair, F flips between A and B, comma and period mix them, D puts them side
 * by side, Z is the loupe, N and Shift+N step through the largest differences; Ctrl+Shift+Up/Down tilt the oblique
 * plane in its own view by a degree, Ctrl+Shift+Left/Right turn it; P profile and R region, then Return at the
 * crosshair for each end, Escape gives up; Menu or Shift+F10 the menu. */
#pragma once

#include <gtk/gtk.h>

#include "render/slice-renderer.h"
#include "ui/display.h"
#include "ui/image.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SLICE_VIEW (gantry_slice_view_get_type())
G_DECLARE_FINAL_TYPE(GantrySliceView, gantry_slice_view, GANTRY, SLICE_VIEW, GtkWidget)

/* Signals: "slice-wanted" (int index: the user asks for another slice), "maximise-toggled", "auto-window-wanted",
 * "rectangle-drawn" (int column, row, width, height); of a projection "pointed" (gboolean inside, double x, double y:
 * in its pixels) and "pixel-chosen" (double x, double y), by a click. */
GtkWidget *gantry_slice_view_new(GantryViewKind kind, GantryDisplay *display);
GantryViewKind gantry_slice_view_get_kind(GantrySliceView *self);
/* NULL empties. The camera is kept when the frame keeps its extent, else fitted. */
void gantry_slice_view_set_image(GantrySliceView *self, ctgl_slot slot, GantryImage *image);
GantryImage *gantry_slice_view_get_image(GantrySliceView *self, ctgl_slot slot);
/* Further pictures that the loupe shows at the same place: names and pictures are copied or referenced. */
typedef struct {
  const char *name;
  GantryImage *image;
} GantryOtherPicture;
void gantry_slice_view_set_others(GantrySliceView *self, const GantryOtherPicture *others, gsize count);
/* Slices that the slider offers and the present one; count 0: none yet, the slider keeps its place. `positions` (mm, or
 * degrees) of first and last. */
void gantry_slice_view_set_range(GantrySliceView *self, int count, int index, double first, double last,
                                 const char *unit);
void gantry_slice_view_set_title(GantrySliceView *self, const char *title);
/* What the horizontal and the vertical run along: "u" and "v" for a projection until told otherwise; NULL: no letter.
 */
void gantry_slice_view_set_axes(GantrySliceView *self, const char *horizontal, const char *vertical);
/* A view beside others of the same plane: it shows one of A, B and their difference (that which the display has
 * chosen), gets pictures, slices and words of its leader, and zooms and pans with it; what it asks for, the leader asks
 * for. leader NULL: it follows none. At most GANTRY_COMPANIONS follow one. */
#define GANTRY_COMPANIONS 2
void gantry_slice_view_follow(GantrySliceView *self, GantrySliceView *leader);
/* Shown whatever the display says; CTGL_MODES: as it says. */
void gantry_slice_view_set_fixed_mode(GantrySliceView *self, ctgl_mode mode);
/* A line below what is shown; NULL: none. */
void gantry_slice_view_set_note(GantrySliceView *self, const char *note);
/* A control before or behind the slider of the slice, in its row. */
void gantry_slice_view_put_beside(GantrySliceView *self, GtkWidget *widget, GtkPackType where);
/* Text in the middle while there is no image. */
void gantry_slice_view_set_empty_text(GantrySliceView *self, const char *text);
/* Text in the middle instead of an empty picture; NULL: the picture is shown. */
void gantry_slice_view_set_instead(GantrySliceView *self, const char *text);
/* The picture of A was made with values that have been changed since: it is dimmed, and says so. */
void gantry_slice_view_set_outdated(GantrySliceView *self, gboolean outdated);
void gantry_slice_view_start_profile(
    GantrySliceView *self); /* the next drag draws the line, here or in another view so told */
/* The next drag, or the next clicks, draw a mark, here or in another view so told. Nothing over a projection. */
void gantry_slice_view_start_mark(GantrySliceView *self, GantryMarkKind kind);
/* A rectangle of detector pixels over a projection, which can be dragged by its inside and its edges: column, row,
 * width, height; NULL: none. What is drawn is told, and shown for good when it is set. */
void gantry_slice_view_set_rectangle(GantrySliceView *self, const int rectangle[4]);
/* Of a projection: where the crosshair is in it, and a curve through points (copied), both in its pixels; NULL: none.
 */
void gantry_slice_view_set_mark(GantrySliceView *self, const ctgl_point *mark);
void gantry_slice_view_set_curve(GantrySliceView *self, const ctgl_point *points, int count);
void gantry_slice_view_start_rectangle(GantrySliceView *self); /* the next drag draws it */
void gantry_slice_view_fit(GantrySliceView *self);
/* For figures. What is seen of the picture: left, lower, right, upper edge, mm, and the mm of a logical pixel; the
 * whole of it while the view is not on screen. FALSE: there is no picture. */
gboolean gantry_slice_view_get_region(GantrySliceView *self, double region[4], double *pixel);
/* Name and place: "Axial  z = 12.4 mm" (g_free). */
char *gantry_slice_view_dup_heading(GantrySliceView *self);
/* mm from one slice to the next; 0: there is one. */
double gantry_slice_view_get_step(GantrySliceView *self);
/* How A and B are shown in it. */
ctgl_mode gantry_slice_view_get_mode(GantrySliceView *self);
/* The crosshair in its picture; FALSE: a projection has none. */
gboolean gantry_slice_view_get_cross_place(GantrySliceView *self, ctgl_point *place);
/* Which part of its picture is seen: the middle, mm, and logical pixels per mm. FALSE: the whole, as it is fitted. Set
 * where there is a picture; what cannot be seen of it is put right. */
gboolean gantry_slice_view_get_camera(GantrySliceView *self, double camera[3]);
void gantry_slice_view_set_camera(GantrySliceView *self, const double camera[3]);
/* A coordinate among voxels of a pitch, mm, with a true minus: "−4.25". Centres lie at halves of the pitch, so there is
 * one decimal more than tells neighbours apart. */
char *gantry_coordinate_text(double value, double pitch);
/* What coordinates and pitch are multiplied by beforehand, and *shown with: nm and µm where some fifty voxels of a
 * pitch in mm are that short. length: the picture's unit. */
double gantry_coordinate_factor(double pitch, const char *length, const char **shown);

G_END_DECLS
