/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans of arrays whose header tells little beside the array: what NumPy, NRRD and MRC have in common. */
#include "recon/io/shared/array-private.h"

#include "recon/base/memory.h"
#include "recon/io/shared/series-private.h"

ct_scan *ct_array_scan_of_layout(ct_array_layout *layout, const ct_scan_facts *told, const ct_open_options *options,
                                 ct_error **error) {
  ct_scan_facts facts = *told;
  ct_scan *scan = NULL;
  /* The header is checked against the file before the geometry takes memory for as many views as it promises. */
  ct_array *array = ct_array_open(layout, error);
  if (!array) return NULL;
  const ct_array_layout *own = ct_array_get_layout(array);
  ct_remarks remarks = {0};
  ct_remarks_append(&remarks, told->remarks);
  facts.remarks = &remarks;
  facts.geometry = (ct_geometry){0};
  facts.path = own->path;
  facts.integers = ct_sample_is_integer(own->type) && !own->scaled;
  facts.bytes = ct_array_file_bytes(array);
  bool good = ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, own->nx, own->ny, own->nz, error);
  if (good && told->known & CT_KNOWN_PITCH) {
    facts.geometry.du = told->geometry.du;
    facts.geometry.dv = told->geometry.dv;
  }
  if (good && options && options->ignore_angles)
    facts.note = ct_assume_angles(&facts.geometry);
  else
    good = good && ct_series_angles(own->path, false, &facts, error);
  if (good && ct_array_unpack(array, error)) {
    scan = ct_array_scan(array, &facts, error);
    array = NULL;
  }
  ct_array_free(array);
  ct_remarks_clear(&remarks);
  ct_geometry_clear(&facts.geometry);
  return scan;
}
