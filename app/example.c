/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in example: the simulation of standard values. */
#include "app/example.h"

#include "recon/io/io.h"

#include <string.h>

static bool read_nothing(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  (void)state, (void)kind, (void)row0, (void)rows, (void)out;
  return ct_error_set(error, CT_ERROR_ARGUMENT, "View %d of the example has not been simulated.", index);
}

ct_scan *gantry_example_outline(ct_error **error) {
  ct_simulation simulation;
  ct_geometry geometry;
  ct_simulation_init(&simulation);
  if (!ct_simulation_geometry(&simulation, &geometry, error)) return NULL;
  const ct_scan_facts facts = {.geometry = geometry,
                               .known = CT_KNOWN_ANGLES | CT_KNOWN_PITCH | CT_KNOWN_DISTANCES | CT_KNOWN_BEAM |
                                        CT_KNOWN_CENTRE,
                               .values = CT_VALUES_LINE_INTEGRALS};
  ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){.read = read_nothing}, error);
  ct_geometry_clear(&geometry);
  return scan;
}

ct_scan *gantry_example_scan(ct_job *job, ct_error **error) {
  ct_simulation simulation;
  ct_simulation_init(&simulation);
  return ct_simulate(&simulation, "Built-in example", job, error);
}

ct_scan *gantry_open_scan(const char *path, const char *description, ct_job *job, ct_error **error) {
  if (strcmp(path, "example") != 0) return ct_scan_open(path, description, error);
  if (!description) return gantry_example_scan(job, error);
  ct_error_set(error, CT_ERROR_ARGUMENT,
               "The built-in example needs no description; a file of that name is ./example.");
  return NULL;
}
