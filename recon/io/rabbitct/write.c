/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing RabbitCT data sets (see rabbitct.h for the layout). */
#include "recon/io/rabbitct/rabbitct.h"

#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/io/shared/io-private.h"

#include <errno.h>
#include <string.h>

/* Little-endian whatever the machine; `size` bytes each. */
static bool put(FILE *file, const char *path, const void *values, size_t size, size_t count, ct_error **error) {
  if (!ct_machine_is_big_endian()) return ct_output_write(file, path, values, size * count, error);
  const unsigned char *from = values;
  for (size_t i = 0; i < count; i++, from += size) {
    unsigned char turned[8];
    for (size_t b = 0; b < size; b++) turned[b] = from[size - 1 - b];
    if (!ct_output_write(file, path, turned, size, error)) return false;
  }
  return true;
}

static bool put_header(FILE *file, const char *path, const ct_rabbitct_content *c, ct_error **error) {
  const uint32_t words[] = {2, (uint32_t)c->geometry->nu, (uint32_t)c->geometry->nv, (uint32_t)c->geometry->views};
  const int skip = c->version == 2 ? 0 : 1;
  return put(file, path, words + skip, sizeof *words, (size_t)(4 - skip), error) &&
         put(file, path, c->scale, sizeof *c->scale, 2, error);
}

static bool put_view(FILE *file, const char *path, const ct_rabbitct_content *c, int view, ct_error **error) {
  const ct_geometry *g = c->geometry;
  double columns[12], matrix[12];
  ct_geometry_matrix(g, view, matrix);
  for (int column = 0; column < 4; column++)
    for (int row = 0; row < 3; row++) columns[3 * column + row] = matrix[4 * row + column];
  return put(file, path, columns, sizeof *columns, 12, error) &&
         put(file, path, ct_stack_get_view(c->projections, view), sizeof(float), (size_t)g->nu * (size_t)g->nv, error);
}

static bool put_reference(FILE *file, const char *path, const ct_rabbitct_content *c, int reference, ct_job *job,
                          ct_error **error) {
  const int edge = ct_rabbitct_edge(reference);
  const size_t plane = (size_t)edge * (size_t)edge;
  bool good = true;
  for (int k = 0; good && k < edge; k++)
    good = ct_job_may_go_on(job, error) &&
           put(file, path, c->references[reference] + (size_t)k * plane, sizeof(uint16_t), plane, error);
  return good;
}

static bool put_all(FILE *file, const char *path, const ct_rabbitct_content *c, ct_job *job, ct_error **error) {
  bool good = put_header(file, path, c, error);
  for (int view = 0; good && view < c->geometry->views; view++) {
    good = ct_job_may_go_on(job, error) && put_view(file, path, c, view, error);
    ct_job_advance(job, 1);
  }
  for (int r = 0; good && r < CT_RABBITCT_REFERENCES && c->references[r]; r++)
    good = put_reference(file, path, c, r, job, error);
  return good;
}

static bool check(const char *path, const ct_rabbitct_content *c, ct_error **error) {
  const ct_geometry *g = c->geometry;
  if (c->version != 1 && c->version != 2)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: there is no version %d of RabbitCT's format.", path, c->version);
  if (g->beam != CT_BEAM_FREE)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: a RabbitCT data set needs a projection matrix for every view.",
                        path);
  if (ct_stack_nu(c->projections) != g->nu || ct_stack_nv(c->projections) != g->nv ||
      ct_stack_views(c->projections) != g->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: the projections do not fit the geometry.", path);
  return ct_geometry_check(g, error);
}

bool ct_rabbitct_write(const char *path, const ct_rabbitct_content *content, ct_job *job, ct_error **error) {
  if (!check(path, content, error)) return false;
  ct_output *output = ct_output_begin(path, false, error);
  if (!output) return false;
  ct_job_begin_stage(job, CT_STAGE_WRITING, (uint64_t)content->geometry->views);
  FILE *file = fopen(ct_output_get_path(output), "wbe");
  bool good =
      file ? put_all(file, path, content, job, error) : ct_error_set_errno(error, errno, "Cannot write %s", path);
  if (file && fclose(file) != 0 && good) good = ct_error_set_errno(error, errno, "Cannot write %s", path);
  if (good) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}
