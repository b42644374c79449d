/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights are the engine's own, of columns times those of rows; pixels beyond the detector count as 0, as they do
 * there. */
#include "ui/interpolation/block.h"

#include <math.h>

#include "recon/bp/interp.h"
#include "recon/metric/metric.h"
#include "ui/interpolation/sum.h"
#include "ui/number-text.h"
#include "ui/picture.h"
#include "ui/tips.h"

/* Pixels that are shown of a row and of a column; of each so many in the picture, so that it stays sharp; logical
 * pixels: the side from which on a pixel has room for its weight. */
enum { SHOWN = 7, SHARP = 24, ROOM = 27 };
/* Letters for a value of the sum, with what parts it from the next. */
enum { CELL = 7 };

typedef struct {
  int first, taps;
  double weights[CT_INTERP_TAPS];
} Axis;

struct _GantryInterpolationBlock {
  GtkBox parent_instance;
  GantryPicture *picture;
  GtkSpinButton *row;
  GtkLabel *words;
  float *values; /* [rows][columns]; NULL: none */
  int columns, rows, view, middle;
  double first, first_row; /* the detector's column and row of values[0] */
  ct_interp interp;
  double column;
  gboolean placed;
};

G_DEFINE_FINAL_TYPE(GantryInterpolationBlock, gantry_interpolation_block, GTK_TYPE_BOX)

static guint column_chosen_signal;

static void gantry_interpolation_block_finalize(GObject *object) {
  g_free(GANTRY_INTERPOLATION_BLOCK(object)->values);
  G_OBJECT_CLASS(gantry_interpolation_block_parent_class)->finalize(object);
}

static void gantry_interpolation_block_class_init(GantryInterpolationBlockClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_interpolation_block_finalize;
  column_chosen_signal = g_signal_new("column-chosen", GANTRY_TYPE_INTERPOLATION_BLOCK, G_SIGNAL_RUN_LAST, 0, NULL,
                                      NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
}

static void gantry_interpolation_block_init(GantryInterpolationBlock *self) {}

static double value_at(GantryInterpolationBlock *self, int column, int row) {
  if (column < 0 || row < 0 || column >= self->columns || row >= self->rows) return 0;
  return (double)self->values[(gsize)row * (gsize)self->columns + (gsize)column];
}

/* In a scan of one row the rows have no part. */
static Axis axis_of(GantryInterpolationBlock *self, gboolean rows) {
  Axis axis = {.taps = 1, .weights = {1}};
  const double place = rows ? gtk_spin_button_get_value(self->row) - self->first_row : self->column - self->first;
  if (!rows || self->rows > 1)
    axis.taps = ct_interp_taps(ct_interp_get_shape(self->interp), place, &axis.first, axis.weights);
  return axis;
}

/* The picture */

static int first_shown(double place, int count) {
  return CLAMP((int)lround(place) - SHOWN / 2, 0, MAX(count - SHOWN, 0));
}

static void show_picture(GantryInterpolationBlock *self) {
  const int i0 = first_shown(self->column - self->first, self->columns),
            j0 = first_shown(gtk_spin_button_get_value(self->row) - self->first_row, self->rows),
            width = MIN(SHOWN, self->columns), height = MIN(SHOWN, self->rows);
  double low, high;
  g_autoptr(GantryImage) image = gantry_image_new(width * SHARP, height * SHARP);
  if (!image) return;
  for (int j = 0; j < image->height; j++)
    for (int i = 0; i < image->width; i++)
      image->pixels[(gsize)j * (gsize)image->width + (gsize)i] = (float)value_at(self, i0 + i / SHARP, j0 + j / SHARP);
  image->spacing_x = image->spacing_y = 1.0 / SHARP;
  image->origin_x = self->first + i0 - 0.5 + 0.5 / SHARP;
  image->origin_y = self->first_row + j0 - 0.5 + 0.5 / SHARP;
  ct_grey_range(image->pixels, (gsize)image->width * (gsize)image->height, &low, &high);
  gantry_picture_set(self->picture, image, low, high, NULL);
}

/* On a plate at the lower edge of its pixel, where the place of a voxel covers it least; y of cr is upwards. */
static void draw_weight(cairo_t *cr, double weight, double pixel) {
  int width, height;
  g_autofree char *text = gantry_fixed_text(weight, 2);
  g_autoptr(PangoLayout) layout = pango_cairo_create_layout(cr);
  g_autoptr(PangoFontDescription) font = pango_font_description_from_string("Sans 7");
  pango_layout_set_font_description(layout, font);
  pango_layout_set_text(layout, text, -1);
  pango_layout_get_pixel_size(layout, &width, &height);
  cairo_scale(cr, pixel, -pixel);
  cairo_rectangle(cr, -width / 2.0 - 2, -height / 2.0, width + 4, height);
  cairo_set_source_rgba(cr, 0, 0, 0, 0.7);
  cairo_fill(cr);
  cairo_move_to(cr, -width / 2.0, -height / 2.0);
  cairo_set_source_rgb(cr, 1, 1, 1);
  pango_cairo_show_layout(cr, layout);
}

/* Blue where it is added, orange where it is taken away. */
static void draw_pixel(cairo_t *cr, double column, double row, double weight, double pixel) {
  cairo_rectangle(cr, column - 0.5 + pixel, row - 0.5 + pixel, 1 - 2 * pixel, 1 - 2 * pixel);
  if (weight < 0)
    cairo_set_source_rgb(cr, 1, 0.72, 0.25);
  else
    cairo_set_source_rgb(cr, 0.45, 0.75, 1);
  cairo_set_line_width(cr, 2 * pixel);
  cairo_stroke(cr);
  if (1 < ROOM * pixel) return;
  cairo_save(cr);
  cairo_translate(cr, column, row - 0.5 + 9 * pixel);
  draw_weight(cr, weight, pixel);
  cairo_restore(cr);
}

static void draw_cross(cairo_t *cr, double x, double y, double pixel) {
  static const double widths[] = {3.5, 1.5};
  const double arm = 7 * pixel;
  for (int pass = 0; pass < 2; pass++) {
    cairo_move_to(cr, x - arm, y);
    cairo_line_to(cr, x + arm, y);
    cairo_move_to(cr, x, y - arm);
    cairo_line_to(cr, x, y + arm);
    cairo_set_line_width(cr, widths[pass] * pixel);
    cairo_set_source_rgb(cr, pass, pass * 0.93, pass * 0.62);
    cairo_stroke(cr);
  }
}

static void draw_over(gpointer user, cairo_t *cr, double pixel) {
  GantryInterpolationBlock *self = user;
  if (!self->values) return;
  const Axis across = axis_of(self, FALSE), up = axis_of(self, TRUE);
  for (int j = 0; j < up.taps; j++)
    for (int i = 0; i < across.taps; i++) {
      const double weight = up.weights[j] * across.weights[i];
      if (weight != 0) draw_pixel(cr, self->first + across.first + i, self->first_row + up.first + j, weight, pixel);
    }
  draw_cross(cr, self->column, self->rows > 1 ? gtk_spin_button_get_value(self->row) : self->first_row, pixel);
}

/* The sum */

static gboolean is_alone(GantryInterpolationBlock *self) {
  return self->rows == 1;
}

static void add_cell(GString *text, GantrySumUnit unit, double value) {
  g_autofree char *word = gantry_interpolation_in_unit(unit, value);
  gantry_interpolation_pad(text, word, CELL);
}

/* "+ 0.650 × ( −82.00  −80.00) = −81.50": the values stand below the weights of their columns. */
static void add_row(GString *text, GantrySumUnit unit, const Axis *across, const double *values, double weight) {
  double sum = 0;
  g_autofree char *share = gantry_interpolation_weight_words(weight);
  g_string_append_printf(text, "\n%s × (", share);
  for (int i = 0; i < across->taps; i++) {
    if (across->weights[i] == 0) continue;
    add_cell(text, unit, values[i]);
    sum += across->weights[i] * values[i];
  }
  g_string_append(text, ") =");
  add_cell(text, unit, sum);
}

/* The weights of the columns above, a line for each row, the total below. */
static char *dup_rows(const Axis *across, const Axis *up, double values[][CT_INTERP_TAPS], GantrySumUnit unit,
                      double sum) {
  GString *text = g_string_new("           ");
  g_autofree char *total = gantry_interpolation_in_unit(unit, sum), *power = gantry_power_text(unit.power);
  for (int i = 0; i < across->taps; i++)
    if (across->weights[i] != 0) {
      g_autofree char *weight = gantry_fixed_text(across->weights[i], 3);
      gantry_interpolation_pad(text, weight, CELL);
    }
  for (int j = 0; j < up->taps; j++)
    if (up->weights[j] != 0) add_row(text, unit, across, values[j], up->weights[j]);
  g_string_append_printf(text, "\n= %s%s%s", total, unit.power ? "·" : "", unit.power ? power : "");
  return g_string_free(text, FALSE);
}

static void show_words(GantryInterpolationBlock *self) {
  const Axis across = axis_of(self, FALSE), up = axis_of(self, TRUE);
  double values[CT_INTERP_TAPS][CT_INTERP_TAPS] = {{0}}, sum = 0;
  int pixels = 0;
  for (int j = 0; j < up.taps; j++)
    for (int i = 0; i < across.taps; i++) {
      const double weight = up.weights[j] * across.weights[i];
      if (weight == 0) continue;
      values[j][i] = value_at(self, across.first + i, up.first + j);
      sum += weight * values[j][i];
      pixels++;
    }
  const GantrySumUnit unit = gantry_interpolation_unit(values[0], CT_INTERP_TAPS * CT_INTERP_TAPS);
  g_autofree char *result = gantry_quantity_text(sum, 4, NULL), *in = gantry_interpolation_unit_words(unit),
                  *rows = is_alone(self) ? gantry_interpolation_sum_words(across.weights, values[0], across.taps)
                                         : dup_rows(&across, &up, values, unit, sum),
                  *text = g_strdup_printf("%s from %d %s of view %d%s\n%s%s", result, pixels,
                                          pixels == 1 ? "pixel" : "pixels", self->view, is_alone(self) ? "" : in, rows,
                                          is_alone(self) ? "\nThe detector has one row: no other\nis read." : "");
  gtk_label_set_text(self->words, text);
}

static void show(GantryInterpolationBlock *self) {
  if (!self->values) return;
  show_picture(self);
  show_words(self);
  gtk_widget_queue_draw(GTK_WIDGET(self->picture));
}

void gantry_interpolation_block_show(GantryInterpolationBlock *self, ct_interp interp, double column) {
  self->interp = interp;
  self->column = column;
  show(self);
}

void gantry_interpolation_block_take(GantryInterpolationBlock *self, const GantryFilterReport *report,
                                     const char *instead) {
  g_clear_pointer(&self->values, g_free);
  gtk_widget_set_sensitive(GTK_WIDGET(self->row), report && report->block_rows > 1);
  if (!report || !report->block) {
    gantry_picture_set(self->picture, NULL, 0, 1, instead);
    gtk_label_set_text(self->words, "");
    return;
  }
  const int columns = (int)report->count[GANTRY_FILTER_AFTER];
  /* A place on another detector says nothing of this one's rows. */
  if (columns != self->columns || report->block_rows != self->rows || report->row != self->middle) self->placed = FALSE;
  self->columns = columns;
  self->middle = report->row;
  self->rows = report->block_rows;
  self->view = report->view;
  self->values = g_memdup2(report->block, (gsize)self->columns * (gsize)self->rows * sizeof *self->values);
  self->first = report->x[GANTRY_FILTER_AFTER][0];
  self->first_row = report->block_first;
  gtk_spin_button_set_range(self->row, self->first_row, self->first_row + self->rows - 1);
  if (!self->placed) gtk_spin_button_set_value(self->row, report->row + 0.35);
  self->placed = TRUE;
  show(self);
}

/* Making */

static void clicked(GtkGestureClick *gesture, int presses, double x, double y, GantryInterpolationBlock *self) {
  double column, row;
  if (!self->values || !gantry_picture_find(self->picture, x, y, &column, &row)) return;
  gtk_spin_button_set_value(self->row, row);
  g_signal_emit(self, column_chosen_signal, 0, column);
}

static GtkWidget *make_words(GantryInterpolationBlock *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6),
            *row = gtk_spin_button_new_with_range(0, 1, 0.05), *words = gtk_label_new(NULL),
            *scrolled = gtk_scrolled_window_new();
  self->row = GTK_SPIN_BUTTON(row);
  self->words = GTK_LABEL(words);
  gtk_spin_button_set_digits(self->row, 2);
  gtk_editable_set_width_chars(GTK_EDITABLE(row), 7);
  gtk_widget_add_css_class(row, "compact");
  gantry_tips_name(row, "Row that is interpolated",
                   "The place among the detector's rows, about its middle one. A click on the pixels sets it, too");
  gtk_box_append(GTK_BOX(line), gtk_label_new("Row"));
  gtk_box_append(GTK_BOX(line), row);
  gtk_label_set_xalign(self->words, 0);
  gtk_label_set_selectable(self->words, TRUE);
  gtk_widget_set_focusable(words, FALSE);
  gtk_widget_add_css_class(words, "worked-sum");
  gtk_widget_set_valign(words, GTK_ALIGN_START);
  /* Long sums are no reason for a larger page. */
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), words);
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_widget_set_hexpand(box, TRUE);
  gtk_box_append(GTK_BOX(box), line);
  gtk_box_append(GTK_BOX(box), scrolled);
  g_signal_connect_swapped(row, "value-changed", G_CALLBACK(show), self);
  return box;
}

GtkWidget *gantry_interpolation_block_new(void) {
  GantryInterpolationBlock *self =
      g_object_new(GANTRY_TYPE_INTERPOLATION_BLOCK, "spacing", 18, "margin-start", 12, NULL);
  GtkWidget *picture = gantry_picture_new("Pixels about the place, with their weights");
  GtkGesture *click = gtk_gesture_click_new();
  self->picture = GANTRY_PICTURE(picture);
  gantry_picture_set_widths(self->picture, 120, 180);
  gantry_picture_set_overlay(self->picture, draw_over, self);
  gtk_widget_set_vexpand(picture, TRUE);
  g_signal_connect(click, "pressed", G_CALLBACK(clicked), self);
  gtk_widget_add_controller(picture, GTK_EVENT_CONTROLLER(click));
  gtk_box_append(GTK_BOX(self), picture);
  gtk_box_append(GTK_BOX(self), make_words(self));
  return GTK_WIDGET(self);
}
