/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice view: view.c makes it, draw.c draws it, scale.c sets its grey window, labels.c labels it, value.c words its
 * values, badge.c what is shown and on which scale, oblique.c knows the oblique plane, rectangle.c the free beam's
 * rectangle, swipe.c names the swipe's sides, companions.c lets views of one plane follow each other, links.c shows
 * places of other views, axes.c those beside a sinogram, arc.c its arc and weights, marks.c shows the marks,
 * marks-tool.c draws new ones, loupe.c draws single pixels, pointer.c and keys.c let a person move in it, menu.c holds
 * its actions. Camera and scene are in device pixels, events in logical ones. */
#pragma once

#include "ui/slice-view.h"

G_BEGIN_DECLS

/* What the next drag, or the next two presses of Return, will make. */
typedef enum {
  GANTRY_TOOL_NONE,
  GANTRY_TOOL_PROFILE,
  GANTRY_TOOL_REGION,
  GANTRY_TOOL_RECTANGLE,
  GANTRY_TOOL_MARK
} GantryTool;

typedef enum {
  GANTRY_DRAG_NONE,
  GANTRY_DRAG_WINDOW,
  GANTRY_DRAG_REGION,
  GANTRY_DRAG_PROFILE_NEW,
  GANTRY_DRAG_PROFILE_FROM,
  GANTRY_DRAG_PROFILE_TO,
  GANTRY_DRAG_PROFILE_LINE,
  GANTRY_DRAG_SWIPE,
  GANTRY_DRAG_TRACE,
  GANTRY_DRAG_TRACE_TURN,
  GANTRY_DRAG_RECTANGLE_NEW,
  GANTRY_DRAG_RECTANGLE,
  GANTRY_DRAG_MARK_NEW,
  GANTRY_DRAG_MARK
} GantryDrag;

struct _GantrySliceView {
  GtkWidget parent;
  GantryViewKind kind;
  GantryDisplay *display;

  GtkWidget *box, *area, *empty, *bar, *row, *menu;
  GtkWidget *heading, *title, *number, *position, *scale, *stand_in, *before, *marks, *readings, *badge, *readout,
      *loupe, *bar_length, *across, *upward, *hint, *numbers;
  GtkWidget *axes;     /* beside a sinogram */
  GtkWidget *sides[2]; /* the letters at the swipe line */
  GtkAdjustment *slice;
  GtkWidget *slider, *spin;
  GSimpleActionGroup *actions;
  int count;
  double first, last;
  char *unit;
  char *empty_text, *fault;
  char *note;       /* a line with what is shown; NULL: none */
  char *instead;    /* text in place of an empty picture; NULL: the picture */
  gboolean telling; /* the range is being set by the program: emit nothing */

  ctgl_slice_renderer *renderer;                  /* NULL while unrealised or without OpenGL */
  ctgl_mode fixed;                                /* shown whatever the display says; CTGL_MODES: as it says */
  GantrySliceView *leader;                        /* of which this one is a companion; borrowed, NULL: of none */
  GantrySliceView *companions[GANTRY_COMPANIONS]; /* borrowed */
  GantryImage *images[CTGL_SLOTS];
  GArray *others;             /* GantryOtherPicture: of the loupe */
  gboolean outdated;          /* A */
  gboolean stale[CTGL_SLOTS]; /* to be uploaded before the next drawing */
  ctgl_camera camera;
  ctgl_image_frame fitted_to; /* extent that the camera was set for; width 0: none yet */
  gboolean fitted;            /* the user has not zoomed or panned since */
  gboolean fills;             /* it was set for a sinogram */
  double ratio;               /* device pixels per logical one */

  GantryTool tool;
  gboolean tool_started; /* the first end is set by Return or a click */
  gboolean tool_points;  /* the other end is the pointer, else the crosshair */
  ctgl_point tool_from;
  gboolean region;
  ctgl_point region_from, region_to;
  gboolean pointer_inside;
  double pointer_x, pointer_y;
  GantryDrag drag;
  gboolean dragging; /* beyond the threshold */
  double drag_low, drag_high, drag_range;
  ctgl_point drag_from, drag_to, drag_world, drag_cross;
  GantryPose drag_pose;
  int readout_width; /* what the longest readout takes of: */
  ctgl_image_frame readout_frame;
  gboolean readout_compares;
  ctgl_mode readout_mode;
  guint readout_serial; /* of the font; 0: not measured yet */
  gboolean steered; /* the oblique plane, by a key: its place is told until the pointer moves or the keyboard leaves */
  GantryMarkKind mark_kind; /* that the tool draws */
  GArray *mark_points;      /* of ctgl_point: that it has so far */
  guint mark_before;        /* those that it had when the drag began */
  guint held;               /* the mark that is dragged, and which of its handles; all of them: the whole */
  guint held_handle;
  GantryMark *held_from; /* as it was when the drag began */
  gboolean has_mark;
  ctgl_point mark;
  ctgl_point *curve;
  int curve_points;
  gboolean has_twin;
  ctgl_point twin;
  char *twin_words;       /* NULL: none */
  gboolean has_rectangle; /* detector pixels: column, row, width, height */
  int rectangle[4], drag_rectangle[4], drag_edges;
  ctgl_point pan_centre;
  double pinch_zoom, scrolled;
  double cross_before_click[3];
};

/* view.c */
gboolean gantry_slice_view_is_plane(GantrySliceView *self);
/* World axes (0..2) of the picture's horizontal, vertical and normal. */
void gantry_slice_view_axes(GantryViewKind kind, int axes[3]);
/* What is shown of A and B: as the display says, but of a projection, which has no B. */
ctgl_mode gantry_slice_view_mode(GantrySliceView *self);
/* Of the scale of that mode; 1 where it has none. */
double gantry_slice_view_range(GantrySliceView *self);
/* The image that the place under the pointer shows: B in mode B, right of the swipe and in every other tile, else A;
 * NULL when missing. */
GantryImage *gantry_slice_view_shown(GantrySliceView *self, ctgl_point world);
void gantry_slice_view_set_tool(GantrySliceView *self, GantryTool tool);
/* One end of the armed tool's line or box is set; the second one finishes it. */
void gantry_slice_view_place_tool(GantrySliceView *self, ctgl_point world);
void gantry_slice_view_step_slice(GantrySliceView *self, double steps);
/* Moves the crosshair to a place in this plane, kept within the image. */
void gantry_slice_view_set_cross(GantrySliceView *self, ctgl_point world);
ctgl_point gantry_slice_view_get_cross(GantrySliceView *self);

/* draw.c */
void gantry_slice_view_connect_area(GantrySliceView *self);
void gantry_slice_view_redraw(GantrySliceView *self);
ctgl_point gantry_slice_view_to_world(GantrySliceView *self, double x, double y);
ctgl_point gantry_slice_view_to_widget(GantrySliceView *self, ctgl_point world);
gboolean gantry_slice_view_frame(GantrySliceView *self, ctgl_image_frame *frame);
/* Fits, or keeps the camera, after an image came or the widget changed its size. */
void gantry_slice_view_update_camera(GantrySliceView *self);
/* Zoom about a point of the widget, which keeps its place. */
void gantry_slice_view_zoom(GantrySliceView *self, double x, double y, double factor);
/* Logical pixels. */
void gantry_slice_view_pan(GantrySliceView *self, double x, double y);

/* labels.c */
void gantry_slice_view_make_labels(GantrySliceView *self, GtkOverlay *overlay);
void gantry_slice_view_update_labels(GantrySliceView *self);
void gantry_slice_view_update_readout(GantrySliceView *self);
void gantry_slice_view_update_range_words(GantrySliceView *self);
const char *gantry_slice_view_kind_title(GantryViewKind kind);

/* scale.c */
/* Grey window from the 0.1 % percentiles of a box; too small a box does nothing. */
void gantry_slice_view_window_from_region(GantrySliceView *self, ctgl_point from, ctgl_point to);
/* right: wider by e^right; up: brighter by that part of the window's width. A scale of differences is widened, and
 * locked: it stays what a person has made it. */
void gantry_slice_view_adjust_window(GantrySliceView *self, double low, double high, double range, double right,
                                     double up);
void gantry_slice_view_get_window(GantrySliceView *self, double *low, double *high);

/* companions.c */
/* Zoom and place of this view for the others of its plane. */
void gantry_slice_view_share_camera(GantrySliceView *self);
/* That which signals come from: the leader of a companion. */
GantrySliceView *gantry_slice_view_speaker(GantrySliceView *self);

/* links.c */
void gantry_slice_view_emit_pointed(GantrySliceView *self);
void gantry_slice_view_emit_chosen(GantrySliceView *self, ctgl_point pixel);
/* Mark, curve and ray. */
void gantry_slice_view_add_links(GantrySliceView *self, ctgl_slice_scene *scene);

/* axes.c */
/* The sinogram that the view shows; NULL: none. */
const GantryImage *gantry_slice_view_sinogram(GantrySliceView *self);
void gantry_slice_view_make_axes(GantrySliceView *self, GtkOverlay *overlay);
void gantry_slice_view_update_axes(GantrySliceView *self, gboolean filled);
/* What they take of the view: left, top, right, bottom, device pixels. FALSE: it shows no sinogram. */
gboolean gantry_slice_view_axis_margins(GantrySliceView *self, double margins[4]);

/* arc.c */
/* Adds what arc and weights take: left, top, right, bottom, logical pixels. */
void gantry_slice_view_arc_room(GantrySliceView *self, double room[4]);
/* Within the axes' area; margins: as above, logical pixels. */
void gantry_slice_view_draw_arc(GantrySliceView *self, cairo_t *cr, const double margins[4], double width,
                                double height);
void gantry_slice_view_tell_arc(GantrySliceView *self, GString *text);

/* marks.c */
void gantry_slice_view_make_marks(GantrySliceView *self, GtkOverlay *overlay);
void gantry_slice_view_update_marks(GantrySliceView *self);
/* Whether a mark lies in the slice that is shown. */
gboolean gantry_slice_view_shows_mark(GantrySliceView *self, const GantryMark *mark);
/* The mark under a place of the widget; FALSE: there is none. Handles are the chosen one's. */
gboolean gantry_slice_view_mark_at(GantrySliceView *self, double x, double y, guint *id, guint *handle);
/* A press on a mark chooses it and holds it; what follows moves it. */
void gantry_slice_view_hold_mark(GantrySliceView *self, guint id, guint handle);
void gantry_slice_view_drag_mark(GantrySliceView *self, ctgl_point here);
/* kept: else the mark goes back to where it was. */
void gantry_slice_view_let_mark_go(GantrySliceView *self, gboolean kept);
/* From the keyboard, by pixels: the whole of the chosen mark, or its handle. FALSE: none is chosen here. */
gboolean gantry_slice_view_nudge_mark(GantrySliceView *self, int right, int up, gboolean whole);
gboolean gantry_slice_view_next_handle(GantrySliceView *self);

/* marks-tool.c */
/* One more point of the mark that is being drawn; the last makes the mark. */
void gantry_slice_view_place_mark(GantrySliceView *self, ctgl_point world);
/* A drag from one place to another draws it, behind the `mark_before` points that it has; of a free region it is the
 * outline. */
void gantry_slice_view_draw_mark(GantrySliceView *self, ctgl_point from, ctgl_point here);
void gantry_slice_view_end_mark(GantrySliceView *self);
void gantry_slice_view_drop_mark(GantrySliceView *self);
const char *gantry_slice_view_mark_hint(GantrySliceView *self);
/* What is drawn so far, up to the pointer or the crosshair: a mark of the caller's (gantry_mark_free); NULL: nothing.
 */
GantryMark *gantry_slice_view_unfinished_mark(GantrySliceView *self);

/* loupe.c */
void gantry_slice_view_make_loupe(GantrySliceView *self, GtkOverlay *overlay);
void gantry_slice_view_update_loupe(GantrySliceView *self);
/* The pixels about a place of the picture, as large as `side` pixels: A, and beside it B and A - B. */
void gantry_slice_view_draw_loupe(GantrySliceView *self, cairo_t *cr, ctgl_point world, int side);

/* value.c */
/* "0.0921 1/mm", with what it is of before it where it could be more than one thing. */
char *gantry_slice_view_value_text(GantrySliceView *self, ctgl_point world);
/* As wide as that gets. */
char *gantry_slice_view_widest_value(GantrySliceView *self);

/* badge.c */
/* shown: there is a picture, and room. */
void gantry_slice_view_update_badge(GantrySliceView *self, gboolean shown);

/* oblique.c */
/* The oblique plane's line in this view: a point and its unit direction, mm, and how far the handles are from the
 * point; FALSE when there is none. */
gboolean gantry_slice_view_trace(GantrySliceView *self, ctgl_point *at, ctgl_point *direction, double *reach);
/* What of it lies at a point of the widget. */
GantryDrag gantry_slice_view_trace_at(GantrySliceView *self, double x, double y);
void gantry_slice_view_begin_trace(GantrySliceView *self);
void gantry_slice_view_drag_trace(GantrySliceView *self, ctgl_point here);
/* Turns the oblique plane by degrees, from the keyboard. */
void gantry_slice_view_steer_oblique(GantrySliceView *self, double rotation, double tilt);
void gantry_slice_view_set_steered(GantrySliceView *self, gboolean steered);
/* "Tilt 46.0°, rotation −3.0°, d = 4.25 mm". */
char *gantry_slice_view_pose_text(GantrySliceView *self);
/* The crosshair in the oblique picture. */
ctgl_point gantry_slice_view_oblique_cross(GantrySliceView *self);
void gantry_slice_view_set_oblique_cross(GantrySliceView *self, ctgl_point world);

/* rectangle.c */
/* The rectangle that is shown: the one being drawn, else that which was set; FALSE: none. */
gboolean gantry_slice_view_rectangle(GantrySliceView *self, int rectangle[4]);
/* All pixels that two opposite corners touch, within the picture. */
void gantry_slice_view_rectangle_between(GantrySliceView *self, ctgl_point from, ctgl_point to, int rectangle[4]);
/* The edges (bits) of it that a press at a point of the widget takes hold of, all four inside; 0: it lies elsewhere. */
int gantry_slice_view_rectangle_edges(GantrySliceView *self, double x, double y);
const char *gantry_slice_view_rectangle_cursor(int edges);
void gantry_slice_view_drag_rectangle(GantrySliceView *self, ctgl_point here);
/* While one is being dragged: puts it back; FALSE: none is. */
gboolean gantry_slice_view_give_up_rectangle(GantrySliceView *self);
/* Brings its numbers up to date, and redraws. */
void gantry_slice_view_show_rectangle(GantrySliceView *self);
void gantry_slice_view_add_rectangle(GantrySliceView *self, ctgl_slice_scene *scene);

/* swipe.c */
void gantry_slice_view_make_sides(GantrySliceView *self, GtkOverlay *overlay);
void gantry_slice_view_update_sides(GantrySliceView *self, gboolean filled);

/* pointer.c, keys.c */
void gantry_slice_view_connect_pointer(GantrySliceView *self);
void gantry_slice_view_connect_keys(GantrySliceView *self);

/* menu.c */
void gantry_slice_view_make_menu(GantrySliceView *self);
void gantry_slice_view_update_actions(GantrySliceView *self);
/* At a point of the drawing area; negative: in its middle, for the keyboard. */
void gantry_slice_view_popup(GantrySliceView *self, double x, double y);

/* Signals, in the order of slice-view.h. */
void gantry_slice_view_emit_maximise(GantrySliceView *self);
void gantry_slice_view_emit_auto_window(GantrySliceView *self);
void gantry_slice_view_emit_rectangle(GantrySliceView *self, const int rectangle[4]);

G_END_DECLS
