/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a geometry file tells, put to the images that it belongs to. */
#include "recon/io/beside/beside-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/geom/questions.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool ct_told_fits(const ct_told *told, const ct_scan_facts *facts, char *why, size_t size) {
  const ct_geometry *g = &facts->geometry;
  why[0] = 0;
  if ((told->columns && told->columns != g->nu) || (told->rows && told->rows != g->nv)) {
    if (!told->rows || !told->columns)
      snprintf(why, size, "the file tells of images of %d %s, these have %d",
               told->columns ? told->columns : told->rows, told->columns ? "columns" : "rows",
               told->columns ? g->nu : g->nv);
    else
      snprintf(why, size, "the file tells of images of %d x %d pixels, these have %d x %d", told->columns, told->rows,
               g->nu, g->nv);
  } else if (told->views && told->views != g->views && (told->poses || !told->has_step)) {
    const bool by_number =
        !told->poses && told->angles && facts->numbers && (size_t)facts->numbers[g->views - 1] < told->angle_count;
    if (!by_number) snprintf(why, size, "the file tells of %d projections, there are %d", told->views, g->views);
  } else if (told->views && told->has_step && g->views > 2 * told->views + 2) {
    snprintf(why, size, "the file tells of %d projections, there are %d", told->views, g->views);
  }
  return !why[0];
}

/* The place of a view in the run: gaps in the images' numbers are gaps in the run. */
static int place_of(const ct_scan_facts *facts, int view) {
  return facts->numbers ? facts->numbers[view] : view;
}

static void apply_angles(const ct_told *told, const char *name, ct_scan_facts *facts, ct_remarks *remarks) {
  ct_geometry *g = &facts->geometry;
  if (told->angles) {
    const bool all = told->angle_count == (size_t)g->views;
    for (int i = 0; i < g->views; i++) g->angles[i] = told->angles[all ? i : place_of(facts, i)] * (M_PI / 180);
    if (!all)
      ct_remarks_add(remarks, CT_REMARK_ASSUMED, name,
                     "it has %zu angles for %d images: each image takes the one of its number", told->angle_count,
                     g->views);
    facts->known |= CT_KNOWN_ANGLES;
  } else if (told->has_step) {
    for (int i = 0; i < g->views; i++) g->angles[i] = (told->first + place_of(facts, i) * told->step) * (M_PI / 180);
    facts->known |= CT_KNOWN_ANGLES;
    if (told->views && g->views < told->views)
      ct_remarks_add(remarks, CT_REMARK_DOUBT, name, "the file tells of %d projections, and %d are there%s",
                     told->views, g->views, facts->numbers ? ": each has the angle of its number" : "");
    else if (told->views && g->views > told->views + 1)
      ct_remarks_add(remarks, CT_REMARK_DOUBT, name,
                     "the file tells of %d projections, and %d are there: the steps are taken to go on", told->views,
                     g->views);
  } else {
    return;
  }
  char first[32], last[32];
  ct_remarks_add(remarks, CT_REMARK_READ, name, "angles from %s to %s",
                 ct_format_quantity(g->angles[0] * (180 / M_PI), 6, "°", first, sizeof first),
                 ct_format_quantity(g->angles[g->views - 1] * (180 / M_PI), 6, "°", last, sizeof last));
}

/* Of the images' rows and columns, the first of which is `origin` mm from the detector's middle where that is told. */
static double pixel_of(double place, int count, double pitch, bool has_origin, double origin) {
  const double from = has_origin ? origin : -0.5 * (count - 1) * pitch;
  return (place - from) / pitch;
}

static void apply_centre(const ct_told *told, const char *name, ct_scan_facts *facts, ct_remarks *remarks) {
  ct_geometry *g = &facts->geometry;
  const bool origin = told->from_origin && facts->has_origin;
  const bool over = facts->flip_rows && told->rows_as_stored;
  char text[2][32];
  if (isfinite(told->centre_u_px) || isfinite(told->centre_u_mm)) {
    g->centre_u = isfinite(told->centre_u_px) ? told->centre_u_px
                                              : pixel_of(told->centre_u_mm, g->nu, g->du, origin, facts->origin_u);
    facts->known |= CT_KNOWN_CENTRE;
  }
  if (isfinite(told->centre_v_px) || isfinite(told->centre_v_mm)) {
    g->centre_v = isfinite(told->centre_v_px) ? told->centre_v_px
                                              : pixel_of(told->centre_v_mm, g->nv, g->dv, origin, facts->origin_v);
    if (over) g->centre_v = g->nv - 1 - g->centre_v;
  }
  if (facts->known & CT_KNOWN_CENTRE)
    ct_remarks_add(remarks, CT_REMARK_READ, name, "the axis is seen in column %s, the central row is %s",
                   ct_format_number(g->centre_u, 7, text[0], sizeof text[0]),
                   ct_format_number(g->centre_v, 7, text[1], sizeof text[1]));
  if (told->tilt == 0) return;
  g->tilt = told->tilt * (over ? -M_PI / 180 : M_PI / 180);
  ct_remarks_add(remarks, CT_REMARK_READ, name, "the detector is turned in its plane by %s",
                 ct_format_quantity(g->tilt * (180 / M_PI), 5, "°", text[0], sizeof text[0]));
}

static bool apply_beam(const ct_told *told, const char *name, ct_scan_facts *facts, ct_remarks *remarks) {
  ct_geometry *g = &facts->geometry;
  char text[2][32];
  if (told->pitch_u > 0) {
    g->du = told->pitch_u;
    g->dv = told->pitch_v > 0 ? told->pitch_v : told->pitch_u;
    facts->known |= CT_KNOWN_PITCH;
    ct_remarks_add(remarks, CT_REMARK_READ, name, "pixels of %s x %s",
                   ct_format_length(g->du, 6, "mm", text[0], sizeof text[0]),
                   ct_format_length(g->dv, 6, "mm", text[1], sizeof text[1]));
  }
  if (told->beam == CT_TOLD_NO_BEAM) return true;
  g->beam = told->beam == CT_TOLD_PARALLEL ? CT_BEAM_PARALLEL : ct_beam_divergent(g->nv);
  facts->known |= CT_KNOWN_BEAM;
  if (told->beam == CT_TOLD_DIVERGENT && told->sod > 0) {
    g->sod = told->sod;
    g->sdd = told->sdd;
    facts->known |= CT_KNOWN_DISTANCES;
    ct_remarks_add(remarks, CT_REMARK_READ, name, "source to axis %s, source to detector %s",
                   ct_format_length(g->sod, 7, "mm", text[0], sizeof text[0]),
                   ct_format_length(g->sdd, 7, "mm", text[1], sizeof text[1]));
  } else if (told->beam == CT_TOLD_PARALLEL) {
    g->sod = g->sdd = 0;
    facts->known &= ~(unsigned)CT_KNOWN_DISTANCES;
    ct_remarks_add(remarks, CT_REMARK_READ, name, "the rays are parallel");
  }
  return true;
}

static void apply_level(const ct_told *told, const char *name, ct_scan_facts *facts, ct_remarks *remarks) {
  char text[32];
  if (!(told->white_level > 0)) return;
  if (!facts->integers || facts->values != CT_VALUES_UNKNOWN) {
    ct_remarks_add(remarks, CT_REMARK_IGNORED, name, "the level of the free beam, %s: the images hold no raw counts",
                   ct_format_number(told->white_level, 7, text, sizeof text));
    return;
  }
  facts->white_level = told->white_level;
  facts->values = CT_VALUES_COUNTS;
  ct_remarks_add(remarks, CT_REMARK_READ, name, "the free beam reads %s counts",
                 ct_format_number(told->white_level, 7, text, sizeof text));
}

/* Where only the geometry's file knows a length in mm, pixels must have one, too. */
static void doubt_pitch(const ct_told *told, const char *name, const ct_scan_facts *facts, ct_remarks *remarks) {
  if (facts->known & CT_KNOWN_PITCH || told->per_pixel || told->halves ||
      (told->beam == CT_TOLD_PARALLEL && !told->poses))
    return;
  ct_remarks_add(remarks, CT_REMARK_DOUBT, name,
                 "neither it nor the images tell the size of the detector's pixels: 1 mm is assumed "
                 "(\"pixel_mm\" in a scan description, or geometry.pixel_u, tells it)");
}

bool ct_told_apply(const ct_told *told, const char *name, ct_scan_facts *facts, ct_remarks *remarks, ct_error **error) {
  if (ct_geometry_takes(&facts->geometry, CT_TAKES_MATRICES))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "the images come with projection matrices of their own");
  facts->note = NULL;
  ct_remarks_append(remarks, &told->remarks);
  apply_beam(told, name, facts, remarks);
  doubt_pitch(told, name, facts, remarks);
  if (told->poses) {
    if (!ct_told_apply_poses(told, facts, error)) return false;
  } else {
    apply_angles(told, name, facts, remarks);
    apply_centre(told, name, facts, remarks);
    if (!(facts->known & CT_KNOWN_ANGLES)) facts->note = ct_assume_angles(&facts->geometry);
  }
  apply_level(told, name, facts, remarks);
  return ct_geometry_check(&facts->geometry, error);
}
