/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours follow render/mode.h, as the shader's do. */
#include "ui/figure.h"

#include "ui/image-look.h"
#include "ui/marks/draw.h"
#include "ui/number-text.h"
#include "ui/paper.h"
#include "ui/redundancy-drawing.h"
#include "ui/scale-text.h"
#include "ui/sinogram-axis.h"

#include <math.h>

/* Points. */
enum { GAP = 6, TITLE = 13, BAR = 9, BAR_ROOM = 62, LETTERS_OF_BAR = 4, ANGLES = 26, COLUMNS = 12, BELOW_WORDS = 2 };
#define ARC_UNIT 0.6 /* of what is drawn beside a sinogram: a logical pixel on screen */
/* In a column there is less room for the names of two panels. */
#define LETTERS "Sans 7.5"
#define SMALL_LETTERS "Sans 6"
#define NARROW 100 /* mm */

static gboolean is_plane(const GantryFigurePanel *panel) {
  return panel->a->kind != GANTRY_VIEW_PROJECTION;
}

/* Values */

/* Whether B is seen there of the two that share the picture. */
static gboolean shows_b(const GantryFigure *figure, const GantryFigurePanel *panel, double x, double y) {
  const double across = (x - panel->region[0]) / (panel->region[2] - panel->region[0]);
  if (panel->mode == CTGL_SHOW_B) return TRUE;
  if (panel->mode == CTGL_SHOW_SWIPE) return across >= gantry_display_get_swipe(figure->display);
  if (panel->mode != CTGL_SHOW_CHECKERBOARD) return FALSE;
  const double tile = gantry_display_get_tile(figure->display) * panel->pixel;
  return fmod(fabs(floor((x - panel->region[0]) / tile) + floor((panel->region[3] - y) / tile)), 2) > 0.5;
}

static double value_at(const GantryFigure *figure, const GantryFigurePanel *panel, double x, double y) {
  GantryDisplay *display = figure->display;
  const gboolean smooth = gantry_display_get_smooth(display);
  const double a = gantry_image_shown_value(panel->a, x, y, smooth);
  const double b = panel->b ? gantry_image_shown_value(panel->b, x, y, smooth) : NAN;
  if (panel->mode == CTGL_SHOW_SIMILARITY) return panel->map ? gantry_image_sample(panel->map, x, y) : NAN;
  if (panel->mode == CTGL_SHOW_FADE) {
    const double part = gantry_display_get_fade(display);
    return (1 - part) * a + part * b;
  }
  if (ctgl_mode_tells_difference(panel->mode))
    return ctgl_mode_value(panel->mode, a, b, gantry_display_get_least(display));
  return shows_b(figure, panel, x, y) ? b : a;
}

double gantry_figure_part(const GantryFigure *figure, const GantryFigurePanel *panel, double x, double y) {
  const ctgl_mode mode = panel->mode;
  const ctgl_scale scale = ctgl_mode_get(mode)->scale;
  const double value = value_at(figure, panel, x, y);
  const bool logarithmic = gantry_display_get_logarithmic(figure->display);
  double low, high;
  if (!isfinite(value)) return NAN;
  if (!is_plane(panel))
    gantry_display_get_projection_window(figure->display, &low, &high);
  else
    gantry_display_get_window(figure->display, &low, &high);
  if (scale == CTGL_SCALE_GREY) return CLAMP((value - low) / (high - low), 0, 1);
  const double range = gantry_display_get_range(figure->display, scale);
  const double part = scale == CTGL_SCALE_SIMILARITY ? (1 - value) / range : value / range;
  const double place = ctgl_scale_position(part, logarithmic);
  if (ctgl_mode_is_symmetric(mode)) return (1 + place) / 2;
  return scale == CTGL_SCALE_SIMILARITY ? 1 - place : place;
}

static const ctgl_colour_map *map_of(const GantryFigure *figure, ctgl_mode mode) {
  return ctgl_colour_map_find(ctgl_mode_is_symmetric(mode) ? gantry_display_get_diverging_map(figure->display)
                                                           : gantry_display_get_colour_map(figure->display));
}

static guint32 colour_of(const ctgl_colour_map *map, double part) {
  double rgb[3];
  if (!isfinite(part)) return 0;
  ctgl_colour_map_at(map, part, rgb);
  return (guint32)lround(rgb[0] * 255) << 16 | (guint32)lround(rgb[1] * 255) << 8 | (guint32)lround(rgb[2] * 255);
}

/* Panels */

typedef struct {
  double x, y, width, height; /* points */
  double scale, up;           /* points per mm, across and upwards */
} Place;

static double to_x(const Place *place, const GantryFigurePanel *panel, double x) {
  return place->x + place->width / 2 + (x - (panel->region[0] + panel->region[2]) / 2) * place->scale;
}

static double to_y(const Place *place, const GantryFigurePanel *panel, double y) {
  return place->y + place->height / 2 - (y - (panel->region[1] + panel->region[3]) / 2) * place->up;
}

/* A pixel of the data each, or of a smooth picture four times as many a side. */
static void draw_pixels(const GantryFigure *figure, const GantryFigurePanel *panel, const Place *place, cairo_t *cr) {
  const GantryImage *image = panel->a;
  const gboolean b_alone = panel->mode == CTGL_SHOW_B && panel->b;
  if (b_alone) image = panel->b;
  const int finer = gantry_display_get_smooth(figure->display) && image->width * image->height < 1 << 20 ? 4 : 1;
  const int width = image->width * finer, height = image->height * finer;
  const double step_x = image->spacing_x / finer, step_y = image->spacing_y / finer;
  const double left = image->origin_x - image->spacing_x / 2, low = image->origin_y - image->spacing_y / 2;
  const ctgl_colour_map *map = map_of(figure, panel->mode);
  cairo_surface_t *pixels = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  guint32 *data = (guint32 *)(void *)cairo_image_surface_get_data(pixels);
  const gsize stride = (gsize)cairo_image_surface_get_stride(pixels) / sizeof *data;
  cairo_surface_flush(pixels);
  for (int j = 0; data && j < height; j++) {
    const double y = low + (j + 0.5) * step_y;
    for (int i = 0; i < width; i++) {
      const double x = left + (i + 0.5) * step_x;
      data[(gsize)(height - 1 - j) * stride + (gsize)i] =
          gantry_image_holds(image, x, y) ? colour_of(map, gantry_figure_part(figure, panel, x, y)) : 0;
    }
  }
  cairo_surface_mark_dirty(pixels);
  cairo_save(cr);
  cairo_translate(cr, to_x(place, panel, left), to_y(place, panel, low + height * step_y));
  cairo_scale(cr, step_x * place->scale, step_y * place->up);
  cairo_set_source_surface(cr, pixels, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
  cairo_paint(cr);
  cairo_restore(cr);
  cairo_surface_destroy(pixels);
}

/* Its width. right: 1: it ends at x, 0: it begins there. */
static double show_text(cairo_t *cr, PangoContext *context, const char *text, double x, double y, double right) {
  PangoLayout *layout = pango_layout_new(context);
  PangoRectangle size;
  pango_layout_set_text(layout, text, -1);
  pango_layout_get_extents(layout, NULL, &size);
  const double width = (double)size.width / PANGO_SCALE;
  cairo_move_to(cr, x - right * width, y);
  pango_cairo_show_layout(cr, layout);
  g_object_unref(layout);
  return width;
}

static double text_width(PangoContext *context, const char *text) {
  PangoLayout *layout = pango_layout_new(context);
  PangoRectangle size;
  pango_layout_set_text(layout, text, -1);
  pango_layout_get_extents(layout, NULL, &size);
  g_object_unref(layout);
  return (double)size.width / PANGO_SCALE;
}

static double round_length(double most) {
  const double power = pow(10, floor(log10(most)));
  return most >= 5 * power ? 5 * power : most >= 2 * power ? 2 * power : power;
}

typedef struct {
  const GantryFigurePanel *panel;
  const Place *place;
} MarkPlace;

static ctgl_point mark_place(gpointer user, const double point[2]) {
  const MarkPlace *of = user;
  return (ctgl_point){to_x(of->place, of->panel, point[0]), to_y(of->place, of->panel, point[1])};
}

static void draw_marks(const GantryFigure *figure, const GantryFigurePanel *panel, const Place *place, cairo_t *cr,
                       PangoContext *context) {
  GantryMarks *marks = gantry_display_get_marks(figure->display);
  MarkPlace of = {panel, place};
  const GantryMarkPaper paper = {.place = mark_place,
                                 .user = &of,
                                 .unit = 0.6,
                                 .per_mm = place->scale,
                                 .left = place->x,
                                 .top = place->y,
                                 .width = place->width,
                                 .height = place->height,
                                 .room = 0.9,
                                 .words = cairo_region_create()};
  for (guint i = 0; i < gantry_marks_count(marks); i++) {
    const GantryMark *mark = gantry_marks_get(marks, i);
    if (!gantry_mark_is_on(mark, panel->a, panel->step)) continue;
    gantry_mark_draw(mark, &paper, 1.25, cr);
    gantry_mark_draw_words(mark, figure->display, &paper, context, cr);
  }
  cairo_region_destroy(paper.words);
}

static void draw_scale_bar(const GantryFigure *figure, const GantryFigurePanel *panel, const Place *place, cairo_t *cr,
                           PangoContext *context) {
  const double length = round_length(place->width / place->scale / 4), width = length * place->scale;
  const gboolean pixels = !is_plane(panel) || ct_units_are_pixels(gantry_display_get_units(figure->display));
  g_autofree char *text = gantry_length_text(length, 3, pixels ? "px" : "mm");
  const double right = place->x + place->width - GAP, y = place->y + place->height - GAP;
  const double wide = MAX(width, text_width(context, text));
  cairo_set_source_rgba(cr, 0, 0, 0, 0.7);
  cairo_rectangle(cr, right - wide - 3, y - 14, wide + 6, 17);
  cairo_fill(cr);
  cairo_set_source_rgb(cr, 1, 1, 1);
  cairo_rectangle(cr, right - width, y - 1.5, width, 1.5);
  cairo_fill(cr);
  show_text(cr, context, text, right, y - 12.5, 1);
}

static void line(cairo_t *cr, double x0, double y0, double x1, double y1) {
  cairo_move_to(cr, x0, y0);
  cairo_line_to(cr, x1, y1);
  cairo_stroke(cr);
}

static void set_colour(cairo_t *cr, ctgl_colour colour) {
  cairo_set_source_rgb(cr, colour.r, colour.g, colour.b);
}

/* The lines of the crosshair have the colours of the planes that they show, as on screen. */
static void draw_cross(const GantryFigurePanel *panel, const Place *place, cairo_t *cr) {
  static const GantryViewKind along[3] = {GANTRY_VIEW_CORONAL, GANTRY_VIEW_AXIAL, GANTRY_VIEW_AXIAL};
  static const GantryViewKind upright[3] = {GANTRY_VIEW_SAGITTAL, GANTRY_VIEW_SAGITTAL, GANTRY_VIEW_CORONAL};
  const double x = to_x(place, panel, panel->cross_at.x), y = to_y(place, panel, panel->cross_at.y), open = 8;
  const GantryViewKind kind = panel->a->kind;
  const ctgl_colour grey = {0.9f, 0.9f, 0.9f, 1};
  cairo_set_line_width(cr, 0.6);
  set_colour(cr, kind < GANTRY_VIEW_PROJECTION ? gantry_plane_colour(along[kind]) : grey);
  line(cr, place->x, y, x - open, y);
  line(cr, x + open, y, place->x + place->width, y);
  set_colour(cr, kind < GANTRY_VIEW_PROJECTION ? gantry_plane_colour(upright[kind]) : grey);
  line(cr, x, place->y, x, y - open);
  line(cr, x, y + open, x, place->y + place->height);
}

static void draw_profile(const GantryFigurePanel *panel, const Place *place, cairo_t *cr) {
  const double x0 = to_x(place, panel, panel->from.x), y0 = to_y(place, panel, panel->from.y);
  const double x1 = to_x(place, panel, panel->to.x), y1 = to_y(place, panel, panel->to.y);
  cairo_set_source_rgb(cr, 1, 0.85, 0.2);
  cairo_set_line_width(cr, 1);
  line(cr, x0, y0, x1, y1);
  const double ends[2][2] = {{x0, y0}, {x1, y1}};
  for (int i = 0; i < 2; i++) {
    cairo_new_sub_path(cr);
    cairo_arc(cr, ends[i][0], ends[i][1], 2, 0, 2 * G_PI);
    cairo_stroke(cr);
  }
}

/* Angles and columns beside a sinogram, and beside its arc and weights. */
static void draw_axes(const GantryFigurePanel *panel, const Place *place, cairo_t *cr, PangoContext *context) {
  const GantryImage *image = panel->a;
  GantryTick ticks[GANTRY_MOST_TICKS];
  const gboolean arc = image->redundancy != NULL;
  const double left = place->x - (arc ? gantry_redundancy_left_room(ARC_UNIT) : 0),
               bottom = place->y + place->height + (arc ? gantry_redundancy_lower_room(ARC_UNIT) : 0);
  guint count =
      gantry_sinogram_angles(image, panel->region[1], panel->region[3], (guint)MAX(place->height / 20, 1), ticks);
  cairo_set_source_rgb(cr, 0, 0, 0);
  cairo_set_line_width(cr, 0.4);
  for (guint i = 0; i < count; i++) {
    const double y = to_y(place, panel, ticks[i].at);
    line(cr, left - 2, y, left, y);
    show_text(cr, context, ticks[i].text, left - 4, y - 5, 1);
  }
  count = gantry_sinogram_columns(fmax(panel->region[0], 0),
                                  fmin(panel->region[2], image->origin_x + (image->width - 1) * image->spacing_x),
                                  (guint)MAX(place->width / 50, 1), ticks);
  for (guint i = 0; i < count; i++) {
    const double x = to_x(place, panel, ticks[i].at);
    line(cr, x, bottom, x, bottom + 2);
    show_text(cr, context, ticks[i].text, x + text_width(context, ticks[i].text) / 2, bottom + 2, 1);
  }
}

/* The words above arc and weights, and the room that all of it takes of the panel. */
static void tell_arc(const GantryRedundancy *r, Place *place, cairo_t *cr, PangoContext *context) {
  const double left = gantry_redundancy_left_room(ARC_UNIT);
  PangoLayout *layout = gantry_redundancy_layout(r, pango_layout_new(context), place->width);
  PangoRectangle size;
  pango_layout_get_extents(layout, NULL, &size);
  const double high = (double)size.height / PANGO_SCALE + BELOW_WORDS;
  cairo_move_to(cr, place->x, place->y);
  pango_cairo_show_layout(cr, layout);
  g_object_unref(layout);
  *place = (Place){.x = place->x + left,
                   .y = place->y + high,
                   .width = place->width - left,
                   .height = place->height - high - gantry_redundancy_lower_room(ARC_UNIT)};
}

static void draw_arc(const GantryFigurePanel *panel, const Place *place, cairo_t *cr) {
  const GantryRedundancy *r = panel->a->redundancy;
  const double first = r->origin - r->spacing / 2;
  const GantryRedundancyFrame frame = {.place = {to_x(place, panel, first), to_y(place, panel, r->views - 0.5),
                                                 to_x(place, panel, first + r->rays * r->spacing),
                                                 to_y(place, panel, -0.5)},
                                       .seen = {place->x, place->y, place->x + place->width, place->y + place->height},
                                       .unit = ARC_UNIT,
                                       .paper = TRUE};
  gantry_redundancy_draw(panel->a, &frame, cr);
}

static void draw_panel(const GantryFigure *figure, const GantryFigurePanel *panel, Place place, cairo_t *cr,
                       PangoContext *context) {
  cairo_set_source_rgb(cr, 0, 0, 0);
  show_text(cr, context, panel->title, place.x, place.y, 0);
  place.y += TITLE;
  place.height -= TITLE;
  const gboolean sinogram = panel->a->sinogram;
  if (sinogram) {
    place.x += ANGLES;
    place.width -= ANGLES;
    place.height -= COLUMNS;
    if (panel->a->redundancy) tell_arc(panel->a->redundancy, &place, cr, context);
  }
  place.scale = place.width / (panel->region[2] - panel->region[0]);
  place.up = place.height / (panel->region[3] - panel->region[1]);
  /* The pixels of a sinogram are views one way: it fills its place. */
  if (!sinogram) place.scale = place.up = MIN(place.scale, place.up);
  cairo_save(cr);
  cairo_rectangle(cr, place.x, place.y, place.width, place.height);
  cairo_clip(cr);
  cairo_paint(cr);
  draw_pixels(figure, panel, &place, cr);
  if (panel->cross) draw_cross(panel, &place, cr);
  if (panel->profile) draw_profile(panel, &place, cr);
  draw_marks(figure, panel, &place, cr, context);
  if (!sinogram) draw_scale_bar(figure, panel, &place, cr, context);
  cairo_restore(cr);
  if (sinogram && panel->a->redundancy) draw_arc(panel, &place, cr);
  if (sinogram) draw_axes(panel, &place, cr, context);
}

/* The colour bar, of the first slice: all share its scale. */

static const GantryFigurePanel *find_slice(const GantryFigure *figure) {
  for (int i = 0; i < figure->count; i++)
    if (is_plane(&figure->panels[i])) return &figure->panels[i];
  return NULL;
}

static void draw_bar(const GantryFigure *figure, const GantryFigurePanel *panel, const Place *place, cairo_t *cr,
                     PangoContext *context) {
  enum { STEPS = 256 };
  double low, high;
  const char *unit;
  if (!gantry_scale_ends(figure->display, panel->mode, &low, &high, &unit)) return;
  const ctgl_colour_map *map = map_of(figure, panel->mode);
  for (int i = 0; i < STEPS; i++) {
    double rgb[3];
    ctgl_colour_map_at(map, (i + 0.5) / STEPS, rgb);
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
    /* Overlapping, so that no light shows between them. */
    cairo_rectangle(cr, place->x, place->y + place->height * (1 - (i + 1.0) / STEPS), BAR, 1.5 * place->height / STEPS);
    cairo_fill(cr);
  }
  g_autofree char *first = gantry_scale_end_text(low, high - low, ""),
                  *last = gantry_scale_end_text(high, high - low, "");
  cairo_set_source_rgb(cr, 0, 0, 0);
  cairo_set_line_width(cr, 0.4);
  cairo_rectangle(cr, place->x, place->y, BAR, place->height);
  cairo_stroke(cr);
  const double x = place->x + BAR + LETTERS_OF_BAR;
  show_text(cr, context, last, x, place->y - 2, 0);
  show_text(cr, context, unit, x, place->y + 9, 0);
  show_text(cr, context, first, x, place->y + place->height - 9, 0);
}

/* The whole */

typedef struct {
  const GantryFigure *figure;
  PangoContext *context;
  PangoLayout *caption;
  double panel_width, panel_height;
} Layout;

static void draw(gpointer user, cairo_t *cr, double width, double height) {
  const Layout *layout = user;
  const GantryFigure *figure = layout->figure;
  const int columns = figure->count > 1 ? 2 : 1, rows = (figure->count + 1) / 2;
  const GantryFigurePanel *slice = find_slice(figure);
  cairo_set_source_rgb(cr, 1, 1, 1);
  cairo_paint(cr);
  for (int i = 0; i < figure->count; i++)
    draw_panel(figure, &figure->panels[i],
               (Place){GAP + i % columns * (layout->panel_width + GAP),
                       GAP + i / columns * (layout->panel_height + GAP), layout->panel_width, layout->panel_height, 1,
                       1},
               cr, layout->context);
  const double panels = rows * (layout->panel_height + GAP);
  if (slice)
    draw_bar(
        figure, slice,
        &(Place){columns * (layout->panel_width + GAP) + GAP, GAP + TITLE, BAR, layout->panel_height - TITLE, 1, 1}, cr,
        layout->context);
  if (!layout->caption) return;
  cairo_set_source_rgb(cr, 0, 0, 0);
  cairo_move_to(cr, GAP, GAP + panels);
  pango_cairo_show_layout(cr, layout->caption);
}

static double caption_height(Layout *layout, double width) {
  int height;
  if (!layout->figure->caption) return 0;
  layout->caption = pango_layout_new(layout->context);
  pango_layout_set_width(layout->caption, (int)(width * PANGO_SCALE));
  pango_layout_set_wrap(layout->caption, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_text(layout->caption, layout->figure->caption, -1);
  pango_layout_get_size(layout->caption, NULL, &height);
  return (double)height / PANGO_SCALE + GAP;
}

gboolean gantry_figure_save(const GantryFigure *figure, const char *path, ct_error **error) {
  PangoContext *context = gantry_paper_context_new(figure->width < NARROW ? SMALL_LETTERS : LETTERS);
  Layout layout = {.figure = figure, .context = context};
  const double width = figure->width * GANTRY_POINTS_PER_MM;
  const int columns = figure->count > 1 ? 2 : 1, rows = (figure->count + 1) / 2;
  layout.panel_width = (width - GAP * (columns + 1) - (find_slice(figure) ? BAR_ROOM : 0)) / columns;
  layout.panel_height = layout.panel_width * figure->aspect + TITLE;
  const double below = caption_height(&layout, width - 2 * GAP);
  const GantryDrawing drawing = {.what = "figure",
                                 .width = width,
                                 .height = GAP + rows * (layout.panel_height + GAP) + below,
                                 .dots = GANTRY_DOTS_PER_POINT,
                                 .draw = draw,
                                 .user = &layout};
  const gboolean saved = gantry_drawing_save(&drawing, path, error);
  g_clear_object(&layout.caption);
  g_object_unref(context);
  return saved;
}

void gantry_figure_clear(GantryFigure *figure) {
  for (int i = 0; i < figure->count; i++) g_free(figure->panels[i].title);
  g_free(figure->caption);
  figure->count = 0;
  figure->caption = NULL;
}
