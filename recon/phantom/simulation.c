/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact line integrals of a phantom, or of a volume, on a geometry, with what goes wrong in life if asked for. */
#include "recon/phantom/simulation.h"

#include "recon/base/memory.h"
#include "recon/data/resample.h"
#include "recon/geom/questions.h"
#include "recon/geom/spiral.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define ROW_OF(member, id, unit, low, high, title, explanation, automatic, needs, whole, angle)                        \
  {id, unit, title, explanation, automatic, low, high, offsetof(ct_simulation, member), needs, whole, angle},
#define COUNT(m, id, unit, low, high, standard, title, explanation, needs)                                             \
  ROW_OF(m, id, unit, low, high, title, explanation, NULL, needs, true, false)
#define REAL(m, id, unit, low, high, standard, title, explanation, needs)                                              \
  ROW_OF(m, id, unit, low, high, title, explanation, NULL, needs, false, false)
#define ANGLE(m, id, unit, low, high, standard, title, explanation, needs)                                             \
  ROW_OF(m, id, unit, low, high, title, explanation, NULL, needs, false, true)
#define AUTO_COUNT(m, id, unit, low, high, standard, title, explanation, automatic, needs)                             \
  ROW_OF(m, id, unit, low, high, title, explanation, automatic, needs, true, false)
#define AUTO_REAL(m, id, unit, low, high, standard, title, explanation, automatic, needs)                              \
  ROW_OF(m, id, unit, low, high, title, explanation, automatic, needs, false, false)
#define AUTO_ANGLE(m, id, unit, low, high, standard, title, explanation, automatic, needs)                             \
  ROW_OF(m, id, unit, low, high, title, explanation, automatic, needs, false, true)
static const ct_simulation_number numbers[] = {
    CT_SIMULATION_NUMBERS(COUNT, REAL, ANGLE, AUTO_COUNT, AUTO_REAL, AUTO_ANGLE)};

const ct_simulation_number *ct_simulation_numbers(size_t *count) {
  *count = sizeof numbers / sizeof *numbers;
  return numbers;
}

bool ct_simulation_uses(const ct_simulation *s, const ct_simulation_number *number) {
  return (!(number->needs & CT_SIMULATED_DISTANCE) || ct_beam_takes(s->beam, CT_TAKES_DISTANCES)) &&
         (!(number->needs & CT_SIMULATED_FEED) || ct_beam_takes(s->beam, CT_TAKES_FEED));
}

double ct_simulation_get(const ct_simulation *s, const ct_simulation_number *number) {
  const char *place = (const char *)s + number->offset;
  if (number->whole) return number->automatic && *(const int *)place == 0 ? NAN : *(const int *)place;
  return *(const double *)place * (number->angle ? 180 / M_PI : 1);
}

void ct_simulation_set(ct_simulation *s, const ct_simulation_number *number, double value) {
  char *place = (char *)s + number->offset;
  if (number->whole)
    *(int *)place = isnan(value) ? 0 : (int)value;
  else
    *(double *)place = value * (number->angle ? M_PI / 180 : 1);
}

#define STANDARD(member, id, unit, low, high, standard, ...) s->member = standard;
#define STANDARD_ANGLE(member, id, unit, low, high, standard, ...) s->member = (standard)*M_PI / 180;
void ct_simulation_init(ct_simulation *s) {
  *s = (ct_simulation){.phantom = ct_phantom_find("shepp-logan-3d"),
                       .beam = ct_beam_find("cone")->beam,
                       .imperfections = {.aluminium = 2.5, .seed = 1}};
  CT_SIMULATION_NUMBERS(STANDARD, STANDARD, STANDARD_ANGLE, STANDARD, STANDARD, STANDARD_ANGLE)
}

static int count_circular(void) {
  int count, circular = 0;
  const ct_beam_kind *kinds = ct_beam_kinds(&count);
  for (int i = 0; i < count; i++) circular += ct_beam_promises(kinds[i].beam, CT_TRAIT_CIRCULAR);
  return circular;
}

const char *ct_simulation_beams(char *text, size_t size) {
  int count;
  const ct_beam_kind *kinds = ct_beam_kinds(&count);
  size_t used = 0;
  text[0] = 0;
  for (int i = 0, left = count_circular(); i < count && used < size; i++)
    if (ct_beam_promises(kinds[i].beam, CT_TRAIT_CIRCULAR)) {
      left--;
      used += (size_t)snprintf(text + used, size - used, "%s%s", kinds[i].id, left > 1 ? ", " : left ? " or " : "");
    }
  return text;
}

/* The largest phantom whose shadow stays on the detector; endless phantoms are bounded by the columns alone. */
static double fitting_radius(const ct_simulation *simulation, const ct_geometry *geometry) {
  const double height = 0.5 * geometry->nv * geometry->dv;
  double radius = ct_geometry_field_radius(geometry);
  bool endless = true;
  for (size_t i = 0; i < simulation->phantom->count; i++)
    if (!isinf(simulation->phantom->shapes[i].half[2])) endless = false;
  if (endless || geometry->nv == 1 || geometry->feed != 0) return radius;
  const double above = ct_geometry_promises(geometry, CT_TRAIT_PARALLEL)
                           ? height
                           : geometry->sod * height / hypot(geometry->sdd, height);
  return fmin(radius, above);
}

/* How far the phantom reaches from the plane z = 0, as a share of its radius; endless ones reach no end. */
static double reach_of(const ct_phantom *phantom) {
  double reach = 0;
  for (size_t i = 0; i < phantom->count; i++)
    if (isfinite(phantom->shapes[i].half[2]))
      reach = fmax(reach, fabs(phantom->shapes[i].centre[2]) + phantom->shapes[i].half[2]);
  return reach > 0 ? reach : 0.25;
}

/* Whole turns until what they cover holds the phantom. */
static bool choose_turns(ct_simulation *simulation, ct_error **error) {
  enum { MOST_TURNS = 200 };
  ct_simulation some = *simulation;
  for (int turns = 1; turns <= MOST_TURNS; turns++) {
    ct_geometry g;
    some = *simulation;
    some.arc = turns * 2 * M_PI;
    some.views = 90;
    if (!ct_simulation_geometry(&some, &g, error)) return false;
    const ct_spiral_cover cover = ct_spiral_covers(&g, fmin(some.radius, ct_geometry_field_radius(&g)));
    ct_geometry_clear(&g);
    if (cover.high - cover.low < 2 * some.radius * reach_of(some.phantom)) continue;
    simulation->arc = some.arc;
    return true;
  }
  return ct_error_set(
      error, CT_ERROR_ARGUMENT,
      "At a feed of %g mm a turn the spiral does not cover the phantom in %d turns: take a larger feed, or "
      "tell the arc.",
      simulation->feed, MOST_TURNS);
}

/* As many as reach, by half a step each way, over the phantom, whose radius does not hang on them. */
static bool choose_positions(ct_simulation *simulation, ct_error **error) {
  enum { MOST_POSITIONS = 10000 };
  ct_simulation some = *simulation;
  ct_geometry g;
  if (simulation->feed != 0)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A feed makes a spiral and a table step a sequence: take one of them.");
  if (!isnan(simulation->arc) && simulation->arc != simulation->positions * 2 * M_PI)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "Each position of a sequence is a whole turn: tell their number in place of an arc.");
  if (simulation->positions == 0) {
    some.positions = 1;
    if (!ct_simulation_geometry(&some, &g, error)) return false;
    ct_geometry_clear(&g);
    const double count = ceil(2 * some.radius * reach_of(some.phantom) / fabs(some.table_step) - 1e-6);
    if (count > MOST_POSITIONS)
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "At a table step of %g mm the sequence does not cover the phantom in %d positions: take a "
                          "larger step, or tell the positions.",
                          some.table_step, MOST_POSITIONS);
    simulation->positions = (int)fmax(count, 1);
  }
  simulation->arc = simulation->positions * 2 * M_PI;
  return true;
}

/* Twice to and fro over the scan, and told for each view. */
static bool let_axis_wander(const ct_simulation *simulation, ct_geometry *geometry, ct_error **error) {
  if (simulation->wander == 0) return true;
  if (simulation->curved || geometry->feed != 0)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "An axis wanders on flat detectors and without a table feed: leave one of them out.");
  double *columns = ct_alloc((size_t)geometry->views, sizeof *columns, "the axis of each view", error);
  if (!columns) return false;
  for (int view = 0; view < geometry->views; view++)
    columns[view] = geometry->centre_u + simulation->wander * sin(4 * M_PI * (view + 0.5) / geometry->views);
  const bool good = ct_geometry_place_axis(geometry, columns, error);
  ct_free(columns);
  return good;
}

/* After the phantom has been fitted to the whole detector. */
static void truncate_rows(const ct_simulation *simulation, ct_geometry *geometry) {
  const int cut = ct_imperfections_cut(&simulation->imperfections, geometry->nu);
  geometry->nu -= 2 * cut;
  geometry->centre_u -= cut;
}

bool ct_simulation_geometry(ct_simulation *simulation, ct_geometry *geometry, ct_error **error) {
  char beams[128];
  if (!ct_beam_promises(simulation->beam, CT_TRAIT_CIRCULAR))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A simulated scan is of %s beam.",
                        ct_simulation_beams(beams, sizeof beams));
  if (simulation->nv == 0) simulation->nv = ct_beam_promises(simulation->beam, CT_TRAIT_SPATIAL) ? simulation->nu : 1;
  const bool climbs = ct_beam_takes(simulation->beam, CT_TAKES_FEED), sequence = climbs && simulation->table_step != 0,
             spiral = climbs && !sequence && simulation->feed != 0;
  if (sequence && !choose_positions(simulation, error)) return false;
  if (spiral && isnan(simulation->arc) && !choose_turns(simulation, error)) return false;
  if (isnan(simulation->arc)) simulation->arc = ct_beam_period(simulation->beam);
  const double views =
      spiral || sequence ? fmax(rint(simulation->views * simulation->arc / (2 * M_PI)), 1) : simulation->views;
  if (views > 1e8)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A scan of %.4g views is too long: take fewer turns or views.",
                        views);
  if (!ct_geometry_init(geometry, simulation->beam, simulation->nu, simulation->nv, (int)views, error)) return false;
  geometry->du = geometry->dv = simulation->pixel;
  geometry->centre_u += simulation->offset_u;
  geometry->centre_v += simulation->offset_v;
  geometry->tilt = simulation->tilt;
  if (ct_geometry_takes(geometry, CT_TAKES_DISTANCES)) {
    geometry->sod = simulation->sod;
    geometry->sdd = simulation->sdd;
  }
  ct_geometry_set_arc(geometry, simulation->first, simulation->arc / views);
  const double feed = sequence ? simulation->table_step : simulation->feed;
  geometry->stops = sequence;
  if (spiral || sequence)
    ct_geometry_set_feed(geometry, feed,
                         isnan(simulation->start_z) ? ct_geometry_centred_start(geometry, feed) : simulation->start_z);
  bool good = ct_geometry_check(geometry, error);
  if (good && isnan(simulation->radius)) {
    simulation->radius = fitting_radius(simulation, geometry);
    good = simulation->radius > 0 ||
           ct_error_set(error, CT_ERROR_ARGUMENT,
                        "No phantom fits the detector, which lies beside the rotation axis: move it less, or give the "
                        "phantom's radius.");
  }
  if (good && ct_geometry_takes(geometry, CT_TAKES_DISTANCES) && !(simulation->radius < simulation->sod))
    good = ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A phantom of %g mm radius reaches the source, which is %g mm from the axis.",
                        simulation->radius, simulation->sod);
  if (good) truncate_rows(simulation, geometry);
  good = good && let_axis_wander(simulation, geometry, error);
  if (!good) ct_geometry_clear(geometry);
  return good;
}

double ct_simulation_bytes(const ct_simulation *s, const ct_geometry *g) {
  const double stacks = s->object ? 1 : ct_imperfections_stacks(&s->imperfections, s->phantom);
  return 4.0 * g->nu * g->nv * g->views * stacks;
}

ct_scan *ct_simulate(const ct_simulation *simulation, const char *title, ct_job *job, ct_error **error) {
  ct_simulation s = *simulation;
  ct_geometry geometry;
  if (!ct_simulation_geometry(&s, &geometry, error)) return NULL;
  const ct_phantom_scan_request request = {.phantom = s.phantom,
                                           .object = s.object,
                                           .radius = s.radius,
                                           .mu = s.mu,
                                           .geometry = &geometry,
                                           .curved = s.curved,
                                           .sub = s.sub,
                                           .imperfections = &s.imperfections,
                                           .title = title};
  ct_scan *scan = ct_phantom_scan(&request, job, error);
  ct_geometry_clear(&geometry);
  return scan;
}

/* Nothing is beyond the object. */
static ct_volume *object_on(const ct_volume *object, const ct_grid *grid, ct_error **error) {
  ct_volume *volume = ct_volume_resample(object, grid, NULL, error);
  if (!volume) return NULL;
  const size_t count = (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz;
  float *data = ct_volume_data(volume);
  for (size_t i = 0; i < count; i++)
    if (isnan(data[i])) data[i] = 0;
  return volume;
}

ct_volume *ct_simulation_truth(const ct_simulation *simulation, const ct_grid *grid, ct_job *job, ct_error **error) {
  ct_simulation s = *simulation;
  ct_geometry geometry;
  if (s.object) return object_on(s.object, grid, error);
  if (!ct_simulation_geometry(&s, &geometry, error)) return NULL;
  ct_geometry_clear(&geometry);
  ct_volume *volume = ct_volume_new(grid, error);
  if (!volume || ct_phantom_voxelise(s.phantom, s.radius, s.mu, 4, volume, job, error)) return volume;
  ct_volume_free(volume);
  return NULL;
}
