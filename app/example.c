/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated scans: exact line integrals of a phantom on a geometry, with what goes wrong in life if asked for. */
#include "app/example.h"

#include "recon/geom/questions.h"
#include "recon/io/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void gantry_simulation_init(gantry_simulation *simulation) {
  *simulation = (gantry_simulation){
      .phantom = ct_phantom_find("shepp-logan-3d"),
      .beam = ct_beam_find("cone")->beam,
      .nu = 256,
      .nv = 0,
      .views = 360,
      .arc = NAN,
      .pixel = 0.8,
      .sod = 500,
      .sdd = 800,
      .radius = NAN,
      .mu = 0.02,
      .sub = 1,
      .imperfections = {.aluminium = 2.5, .seed = 1},
  };
}

static int count_circular(void) {
  int count, circular = 0;
  const ct_beam_kind *kinds = ct_beam_kinds(&count);
  for (int i = 0; i < count; i++) circular += ct_beam_promises(kinds[i].beam, CT_TRAIT_CIRCULAR);
  return circular;
}

const char *gantry_simulation_beams(char *text, size_t size) {
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
static double fitting_radius(const gantry_simulation *simulation, const ct_geometry *geometry) {
  const double height = 0.5 * geometry->nv * geometry->dv;
  double radius = ct_geometry_field_radius(geometry);
  bool endless = true;
  for (size_t i = 0; i < simulation->phantom->count; i++)
    if (!isinf(simulation->phantom->shapes[i].half[2])) endless = false;
  if (endless || geometry->nv == 1) return radius;
  const double above = ct_geometry_promises(geometry, CT_TRAIT_PARALLEL)
                           ? height
                           : geometry->sod * height / hypot(geometry->sdd, height);
  return fmin(radius, above);
}

bool gantry_simulation_geometry(gantry_simulation *simulation, ct_geometry *geometry, ct_error **error) {
  char beams[128];
  if (!ct_beam_promises(simulation->beam, CT_TRAIT_CIRCULAR))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A simulated scan is of %s beam.",
                        gantry_simulation_beams(beams, sizeof beams));
  if (simulation->nv == 0) simulation->nv = ct_beam_promises(simulation->beam, CT_TRAIT_SPATIAL) ? simulation->nu : 1;
  if (isnan(simulation->arc)) simulation->arc = ct_beam_period(simulation->beam);
  if (!ct_geometry_init(geometry, simulation->beam, simulation->nu, simulation->nv, simulation->views, error))
    return false;
  geometry->du = geometry->dv = simulation->pixel;
  geometry->centre_u += simulation->offset_u;
  geometry->centre_v += simulation->offset_v;
  geometry->tilt = simulation->tilt;
  if (ct_geometry_takes(geometry, CT_TAKES_DISTANCES)) {
    geometry->sod = simulation->sod;
    geometry->sdd = simulation->sdd;
  }
  ct_geometry_set_arc(geometry, simulation->first, simulation->arc / simulation->views);
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
  if (!good) ct_geometry_clear(geometry);
  return good;
}

ct_scan *gantry_simulate(const gantry_simulation *simulation, const char *title, ct_job *job, ct_error **error) {
  gantry_simulation s = *simulation;
  ct_geometry geometry;
  if (!gantry_simulation_geometry(&s, &geometry, error)) return NULL;
  const ct_phantom_scan_request request = {.phantom = s.phantom,
                                           .object = s.object,
                                           .radius = s.radius,
                                           .mu = s.mu,
                                           .geometry = &geometry,
                                           .sub = s.sub,
                                           .imperfections = &s.imperfections,
                                           .title = title};
  ct_scan *scan = ct_phantom_scan(&request, job, error);
  ct_geometry_clear(&geometry);
  return scan;
}

static bool read_nothing(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  (void)state, (void)kind, (void)row0, (void)rows, (void)out;
  return ct_error_set(error, CT_ERROR_ARGUMENT, "View %d of the example has not been simulated.", index);
}

ct_scan *gantry_example_outline(ct_error **error) {
  gantry_simulation simulation;
  ct_geometry geometry;
  gantry_simulation_init(&simulation);
  if (!gantry_simulation_geometry(&simulation, &geometry, error)) return NULL;
  const ct_scan_facts facts = {.geometry = geometry,
                               .known = CT_KNOWN_ANGLES | CT_KNOWN_PITCH | CT_KNOWN_DISTANCES | CT_KNOWN_BEAM |
                                        CT_KNOWN_CENTRE,
                               .values = CT_VALUES_LINE_INTEGRALS};
  ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){.read = read_nothing}, error);
  ct_geometry_clear(&geometry);
  return scan;
}

ct_scan *gantry_example_scan(ct_job *job, ct_error **error) {
  gantry_simulation simulation;
  gantry_simulation_init(&simulation);
  return gantry_simulate(&simulation, "Built-in example", job, error);
}

ct_volume *gantry_example_truth(const ct_grid *grid, ct_job *job, ct_error **error) {
  gantry_simulation simulation;
  ct_geometry geometry;
  gantry_simulation_init(&simulation);
  if (!gantry_simulation_geometry(&simulation, &geometry, error)) return NULL;
  ct_geometry_clear(&geometry);
  ct_volume *volume = ct_volume_new(grid, error);
  if (!volume || ct_phantom_voxelise(simulation.phantom, simulation.radius, simulation.mu, 4, volume, job, error))
    return volume;
  ct_volume_free(volume);
  return NULL;
}

ct_scan *gantry_open_scan(const char *path, const char *description, ct_job *job, ct_error **error) {
  if (strcmp(path, "example") != 0) return ct_scan_open(path, description, error);
  if (!description) return gantry_example_scan(job, error);
  ct_error_set(error, CT_ERROR_ARGUMENT,
               "The built-in example needs no --description; a file of that name is ./example.");
  return NULL;
}
