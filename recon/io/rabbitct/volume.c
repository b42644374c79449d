/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference volumes of RabbitCT data sets as volumes, and the names of a data set's parts. */
#include "recon/io/rabbitct/rabbitct-private.h"

#include "recon/base/memory.h"
#include "recon/io/rabbitct/rabbitct.h"
#include "recon/io/shared/io-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE "reference/"

enum { LARGEST_UNASKED = 512 };

static const char *without_slash(const char *dataset) {
  return dataset + strspn(dataset, "/");
}

ct_content ct_rabbitct_content_of(const char *path, const char *dataset) {
  (void)path;
  return dataset && strncmp(without_slash(dataset), REFERENCE, strlen(REFERENCE)) == 0 ? CT_CONTENT_VOLUME
                                                                                       : CT_CONTENT_SCAN;
}

static bool add(ct_dataset_list *list, const char *path, const char *type, const int dims[3], ct_error **error) {
  ct_dataset item = {.path = ct_strdup(path, error), .rank = 3};
  for (int i = 0; i < 3; i++) item.dims[i] = (uint64_t)dims[i];
  snprintf(item.type, sizeof item.type, "%s", type);
  if (item.path && ct_dataset_list_add(list, &item, error)) return true;
  ct_free(item.path);
  return false;
}

bool ct_rabbitct_list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error) {
  ct_rabbitct *set = ct_rabbitct_open(path, error);
  if (!set) return false;
  const ct_rabbitct_facts *facts = ct_rabbitct_get_facts(set);
  const ct_geometry *g = &facts->geometry;
  bool good = add(list, "/projections", "float32", (const int[]){g->views, g->nv, g->nu}, error);
  for (int r = 0; good && r < facts->references; r++) {
    const int edge = ct_rabbitct_edge(r);
    char name[32];
    snprintf(name, sizeof name, "/" REFERENCE "%d", edge);
    good = add(list, name, "uint16", (const int[]){edge, edge, edge}, error);
  }
  ct_rabbitct_free(set);
  if (!good) ct_dataset_list_clear(list);
  return good;
}

bool ct_rabbitct_check_projections(const char *path, const char *dataset, ct_error **error) {
  if (!dataset || strcmp(without_slash(dataset), "projections") == 0) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: the projections of a RabbitCT data set are /projections, not %s.",
                      path, dataset);
}

/* 0 where no reference has that name. */
static int edge_of(const ct_rabbitct *set, const char *path, const char *dataset, ct_error **error) {
  const int references = ct_rabbitct_get_facts(set)->references;
  int edge = 0;
  for (int r = 0; r < references; r++) {
    char name[32];
    snprintf(name, sizeof name, REFERENCE "%d", ct_rabbitct_edge(r));
    if (dataset ? strcmp(without_slash(dataset), name) == 0 : ct_rabbitct_edge(r) <= LARGEST_UNASKED)
      edge = ct_rabbitct_edge(r);
  }
  if (edge) return edge;
  if (references)
    ct_error_set(error, CT_ERROR_ARGUMENT, "%s: there is no %s; its reference volumes are /" REFERENCE "128 to %d.",
                 path, dataset ? dataset : "reference", ct_rabbitct_edge(references - 1));
  else
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds projections alone, and no reference volumes.", path);
  return 0;
}

typedef struct {
  ct_rabbitct *set;
  int edge, plane; /* -1: none was read yet */
  uint16_t *units; /* of that plane */
} reference;

static void close_reference(void *state) {
  reference *r = state;
  if (!r) return;
  ct_rabbitct_free(r->set);
  ct_free(r->units);
  ct_free(r);
}

static void *open_reference(const char *path, const ct_open_options *options, ct_volume_facts *facts,
                            ct_error **error) {
  reference *r = ct_alloc_zero(1, sizeof *r, "a reader", error);
  bool good = r && (r->set = ct_rabbitct_open(path, error)) &&
              (r->edge = edge_of(r->set, path, options->dataset, error)) &&
              (r->units = ct_alloc((size_t)r->edge * (size_t)r->edge, sizeof *r->units, "a slice", error));
  if (!good) {
    close_reference(r);
    return NULL;
  }
  r->plane = -1;
  const ct_rabbitct_facts *own = ct_rabbitct_get_facts(r->set);
  facts->grid = ct_rabbitct_grid(r->edge);
  facts->scale = ct_rabbitct_scale(own);
  facts->file_bytes = own->bytes;
  facts->unit_bytes = (uint64_t)r->edge * (uint64_t)r->edge * sizeof *r->units;
  return r;
}

static bool read_rows(void *state, int k, int row0, int rows, float *out, ct_error **error) {
  reference *r = state;
  const float *scale = ct_rabbitct_get_facts(r->set)->scale;
  const size_t edge = (size_t)r->edge, count = (size_t)rows * edge;
  if (r->plane != k && !ct_rabbitct_read_reference(r->set, r->edge, k, 1, r->units, error)) return false;
  r->plane = k;
  const uint16_t *units = r->units + (size_t)row0 * edge;
  for (size_t i = 0; i < count; i++) out[i] = (float)(((double)units[i] - scale[1]) / scale[0]);
  return true;
}

static bool check_reference(void *state, ct_error **error) {
  const reference *r = state;
  return ct_rabbitct_check(r->set, error);
}

const ct_slice_reader ct_rabbitct_reader = {open_reference, read_rows, check_reference, close_reference};

bool ct_rabbitct_read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  ct_rabbitct *set = ct_rabbitct_open(path, error);
  const bool good = set && edge_of(set, path, dataset, error);
  ct_rabbitct_free(set);
  *plan = NULL;
  return good;
}
