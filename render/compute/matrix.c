/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stored symmetric matrix on the card (cuART, Yu et al. 2018), by rows and with both blockings: what it serves, and
 * its descriptors. The rows are made by the processor and uploaded once; images and rays travel for every product. */
#include "render/compute/matrix-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "render/compute/projectors-private.h"

static bool estimate(const ct_projector_request *request, double *bytes) {
  double entries, rows;
  if (!ct_scsr_estimate(request, &entries, &rows)) return false;
  *bytes = ctgl_matrix_bytes(entries, rows, request->grid.nx);
  return true;
}

/* Software devices use main memory. */
static double memory(const ct_projector *self, const ct_projector_request *request) {
  double bytes = 0;
  const bool software = request->device && ctgl_device_get_facts(request->device)->software;
  if (software && !estimate(request, &bytes)) bytes = 0;
  return bytes + ct_dense_memory(self, request);
}

static bool accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  double needed;
  if (!ct_scsr_accepts(self, request, error)) return false;
  const ctgl_device_facts *facts = ctgl_device_get_facts(request->device);
  const double image = (double)request->grid.nx * request->grid.nx * sizeof(float);
  if (image > (double)facts->storage_block)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A slice of %d x %d pixels is larger than a buffer of this graphics card.", request->grid.nx,
                        request->grid.ny);
  if (facts->software || facts->memory <= 0 || !estimate(request, &needed) || needed <= facts->memory) return true;
  char need[32], has[32];
  return ct_error_set(error, CT_ERROR_MEMORY,
                      "The matrix needs %s of graphics memory here, and the card has %s: gl-joseph stores none.",
                      ct_format_bytes(needed, need, sizeof need), ct_format_bytes(facts->memory, has, sizeof has));
}

static void free_matrix(void *own) {
  ctgl_matrix *m = own;
  if (ctgl_device_enter_to_delete(m->device)) {
    ctgl_matrix_clear(m);
    ctgl_device_leave(m->device, true, "freeing graphics memory", NULL);
  }
  ct_free(m->parts);
  ct_free(m->slot_row);
  ct_free(m->slot_phase);
  ct_free(m->phase_chunk);
  ct_free(m->chunk_of);
  ct_free(m);
}

static void *take(const ct_matrix_blocks *blocks, const ct_projector_request *request, ct_error **error) {
  ctgl_matrix *m = ct_alloc_zero(1, sizeof *m, "the projector", error);
  if (!m) return NULL;
  m->device = m->paces[0].device = m->paces[1].device = request->device;
  bool good = ctgl_device_enter(m->device, error);
  if (good) {
    good = ctgl_matrix_upload(m, blocks, error);
    good = ctgl_device_leave(m->device, good, "preparing the projector", error);
  }
  if (good) return m;
  free_matrix(m);
  return NULL;
}

/* What a software device holds lies in main memory, too. */
static double bytes(const void *own) {
  const ctgl_matrix *m = own;
  return ctgl_device_get_facts(m->device)->software ? m->bytes : 0;
}

static const ct_matrix_engine engine = {take, ctgl_matrix_forward, ctgl_matrix_back, bytes, free_matrix};

#define PREPARE(name, blocking)                                                                                        \
  static ct_projector_state *name(const ct_projector *self, const ct_projector_request *request, ct_job *job,          \
                                  ct_error **error) {                                                                  \
    return ct_matrix_prepare_away(blocking, &engine, self, request, job, error);                                       \
  }
PREPARE(prepare_rows, CT_BLOCKING_ROWS)
PREPARE(prepare_global, CT_BLOCKING_GLOBAL)
PREPARE(prepare_view, CT_BLOCKING_VIEW)
PREPARE(prepare_even, CT_BLOCKING_EVEN)

const ct_projector ctgl_projector_matrix[CTGL_MATRIX_PROJECTORS] = {
    {.id = "gl-scsr",
     .title = "GPU, symmetric matrix, by rows (SCSR)",
     .explanation =
         "The rows of one eighth of the circle in graphics memory, a thread for each (Yu et al. 2018, before "
         "any blocking): the threads of a group wait for its longest row. Each entry serves eight zones.",
     .tolerance = 2e-6,
     .accepts = accepts,
     .memory = memory,
     .prepare = prepare_rows,
     CT_MATRIX_AWAY},
    {.id = "gl-scsr-global",
     .title = "GPU, symmetric matrix, global-level blocks",
     .explanation =
         "Algorithm 2 of Yu et al. 2018 on rows sorted by length and folded into three dense sub-matrices, a "
         "thread for each of their rows. Back, sums of different work groups meet in atomic additions.",
     .tolerance = 2e-6,
     .accepts = accepts,
     .memory = memory,
     .prepare = prepare_global,
     CT_MATRIX_AWAY},
    {.id = "gl-scsr-view",
     .title = "GPU, symmetric matrix, view-level blocks",
     .explanation =
         "Algorithms 1 and 2 of Yu et al. 2018: pairs of views folded into dense sub-matrices, whose columns "
         "are permuted so that threads never meet: no atomic additions. For methods that go view by view.",
     .tolerance = 2e-6,
     .accepts = accepts,
     .memory = memory,
     .prepare = prepare_view,
     CT_MATRIX_AWAY},
    {.id = "gl-scsr-even",
     .title = "GPU, symmetric matrix, view-level blocks, pairs evened out",
     .explanation =
         "As gl-scsr-view with lines 30 to 33 of Algorithm 1: what a pair of views has more of a dense row than the "
         "pair opposite it in the first eighth is moved there. Four views are tied together: for comparison.",
     .tolerance = 2e-6,
     .accepts = accepts,
     .memory = memory,
     .prepare = prepare_even,
     CT_MATRIX_AWAY},
};
