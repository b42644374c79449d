/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of a plot is shown. Ranges are moved on the axis, so that a logarithmic one zooms by ratios. */
#include "ui/plot/plot-private.h"

#include <math.h>

/* Closest and farthest zoom: the range shown as a share of what the curves need. */
#define CLOSEST 1e-6
#define FARTHEST 20.0

gboolean gantry_plot_is_zoomed(const GantryPlotData *data) {
  gboolean zoomed = data->shown[0] < data->shown[1];
  for (int p = 0; p < GANTRY_PANELS; p++) zoomed |= data->panels[p].shown[0] < data->panels[p].shown[1];
  return zoomed;
}

void gantry_plot_show_all(GantryPlotData *data) {
  data->shown[0] = data->shown[1] = NAN;
  for (int p = 0; p < GANTRY_PANELS; p++) data->panels[p].shown[0] = data->panels[p].shown[1] = NAN;
}

/* What lies between two places of the axis; nothing changes where numbers end. */
static void take_range(const GantryAxis *axis, double low, double high, double range[2]) {
  const double values[2] = {gantry_axis_value(axis, low), gantry_axis_value(axis, high)};
  const double size = fmax(fabs(values[0]), fabs(values[1]));
  if (!isfinite(values[0]) || !isfinite(values[1]) || !(values[1] - values[0] > size * 1e-12)) return;
  range[0] = values[0], range[1] = values[1];
}

/* Places of everything on the axis as it is shown. */
static void find_whole(const GantryPlotFrame *frame, double place[2]) {
  for (int i = 0; i < 2; i++) place[i] = gantry_axis_place(&frame->x, frame->whole[i]);
}

static void show_x(GantryPlotData *data, const GantryPlotFrame *frame, double low, double high) {
  double whole[2];
  find_whole(frame, whole);
  const double all = whole[1] - whole[0];
  if (high - low < CLOSEST * all) return;
  if (high - low >= all * (1 - 1e-9)) {
    data->shown[0] = data->shown[1] = NAN;
    return;
  }
  const double beyond = fmax(whole[0] - low, 0) + fmin(whole[1] - high, 0);
  take_range(&frame->x, low + beyond, high + beyond, data->shown);
}

void gantry_plot_zoom_x(GantryPlotData *data, const GantryPlotFrame *frame, double place, double factor) {
  show_x(data, frame, place - place / factor, place + (1 - place) / factor);
}

void gantry_plot_zoom_y(GantryPlotData *data, const GantryPlotFrame *frame, GantryPanel panel, double place,
                        double factor) {
  const GantryPanelFrame *each = &frame->panel[panel];
  const double low = place - place / factor, high = place + (1 - place) / factor;
  const double whole = gantry_axis_place(&each->y, each->whole[1]) - gantry_axis_place(&each->y, each->whole[0]);
  if (factor < 1 ? high - low > FARTHEST * whole : high - low < CLOSEST * whole) return;
  take_range(&each->y, low, high, data->panels[panel].shown);
}

void gantry_plot_zoom_to(GantryPlotData *data, const GantryPlotFrame *frame, GantryPanel panel,
                         const GantryPlotBox *box) {
  if (box->x[1] > box->x[0]) show_x(data, frame, box->x[0], box->x[1]);
  if (box->y[1] > box->y[0]) take_range(&frame->panel[panel].y, box->y[0], box->y[1], data->panels[panel].shown);
}

void gantry_plot_pan(GantryPlotData *data, const GantryPlotFrame *frame, GantryPanel panel, double shift_x,
                     double shift_y) {
  if (shift_x != 0 && data->shown[0] < data->shown[1]) show_x(data, frame, -shift_x, 1 - shift_x);
  if (shift_y != 0 && data->panels[panel].shown[0] < data->panels[panel].shown[1])
    take_range(&frame->panel[panel].y, -shift_y, 1 - shift_y, data->panels[panel].shown);
}
