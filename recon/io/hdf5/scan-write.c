/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans as Data Exchange HDF5, frames upright, with the geometry that Data Exchange has no place for in
 * /gantry/geometry. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/hdf5-private.h"
#include "recon/io/shared/io-private.h"
#include "recon/base/output.h"

#include <math.h>

static const char *units_of(ct_values values) {
  switch (values) {
  case CT_VALUES_COUNTS:
    return "counts";
  case CT_VALUES_LINE_INTEGRALS:
    return "line integral";
  case CT_VALUES_TRANSMISSION:
    return "transmission";
  case CT_VALUES_FILTERED:
    return "filtered line integral";
  case CT_VALUES_OPTICAL_DENSITY:
    return "optical density";
  case CT_VALUES_UNKNOWN:
    break;
  }
  return "unknown";
}

/* All frames of a kind. The scan is read without the lock: it may come from an HDF5 file too. */
static bool put_frames(const ct_hdf5_writer *writer, const char *name, ct_scan *scan, ct_frame_kind kind, int count,
                       float *frame, ct_job *job, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const int dims[3] = {count, facts->geometry.nv, facts->geometry.nu};
  ct_hdf5_lock();
  const hid_t array = ct_hdf5_put_array(writer->file, name, H5T_NATIVE_FLOAT, dims, false);
  bool good = array >= 0 && ct_hdf5_put_text_attribute(array, "axes", "theta:y:x") &&
              ct_hdf5_put_text_attribute(array, "units",
                                         units_of(kind == CT_FRAME_PROJECTION ? facts->values : CT_VALUES_COUNTS));
  good = ct_hdf5_writer_check(writer, good, error);
  ct_hdf5_unlock();
  for (int i = 0; good && i < count; i++) {
    good = ct_job_may_go_on(job, error) && ct_scan_read(scan, kind, i, 0, dims[1], frame, error);
    if (!good) break;
    ct_hdf5_lock();
    good = ct_hdf5_writer_check(writer, ct_hdf5_put_frame(array, H5T_NATIVE_FLOAT, i, dims[1], dims[2], frame), error);
    ct_hdf5_unlock();
    ct_job_advance(job, 1);
  }
  ct_hdf5_lock();
  if (array >= 0 && H5Dclose(array) < 0 && good) good = ct_hdf5_writer_check(writer, false, error);
  ct_hdf5_unlock();
  return good;
}

static bool put_geometry(const ct_hdf5_writer *writer, const ct_scan_facts *facts, ct_error **error) {
  const ct_geometry *g = &facts->geometry;
  char *json = ct_geometry_to_json(facts, error);
  double *degrees = json ? ct_alloc((size_t)g->views, sizeof *degrees, "the angles", error) : NULL;
  bool good = degrees;
  for (int i = 0; good && i < g->views; i++) degrees[i] = g->angles ? g->angles[i] * (180 / M_PI) : 0;
  ct_hdf5_lock();
  if (good)
    good = ct_hdf5_writer_check(
        writer,
        ct_hdf5_put_text(writer->file, "/implements", "exchange") &&
            ct_hdf5_put_text(writer->file, "/gantry/geometry", json) &&
            (!g->angles || ct_hdf5_put_numbers(writer->file, "/exchange/theta", degrees, (size_t)g->views, "deg")),
        error);
  ct_hdf5_unlock();
  ct_free(degrees);
  ct_free(json);
  return good;
}

static bool write_all(const ct_output *output, const char *path, ct_scan *scan, ct_job *job, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_geometry *g = &facts->geometry;
  const int64_t frames = (int64_t)g->views + facts->flats + facts->darks;
  size_t bytes;
  if (!ct_size_product(g->nu, g->nv, frames, sizeof(float), &bytes))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "Cannot write %s: the scan is too large.", path);
  if (!ct_output_check_space(output, bytes, error)) return false;
  float *frame = ct_alloc((size_t)g->nu * (size_t)g->nv, sizeof *frame, "a frame", error);
  if (!frame) return false;
  ct_hdf5_writer writer;
  ct_hdf5_lock();
  bool good = ct_hdf5_writer_open(&writer, ct_output_get_path(output), path, error);
  ct_hdf5_unlock();
  ct_job_begin_stage(job, CT_STAGE_WRITING, (uint64_t)frames);
  good = good && put_geometry(&writer, facts, error) &&
         put_frames(&writer, "/exchange/data", scan, CT_FRAME_PROJECTION, g->views, frame, job, error) &&
         (facts->flats == 0 ||
          put_frames(&writer, "/exchange/data_white", scan, CT_FRAME_FLAT, facts->flats, frame, job, error)) &&
         (facts->darks == 0 ||
          put_frames(&writer, "/exchange/data_dark", scan, CT_FRAME_DARK, facts->darks, frame, job, error));
  ct_hdf5_lock();
  good = ct_hdf5_writer_close(&writer, good, error);
  ct_hdf5_unlock();
  ct_free(frame);
  return good;
}

bool ct_hdf5_write_scan(const char *path, ct_scan *scan, ct_job *job, ct_error **error) {
  ct_output *output = ct_output_begin(path, false, error);
  if (!output) return false;
  if (write_all(output, path, scan, job, error)) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}
