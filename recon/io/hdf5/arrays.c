/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All arrays of numbers in an HDF5 file, and those among them that go with vectors of the astra-toolbox: the only one
 * with an axis of as many entries as the vectors have rows. ASTRA's own order is rows, views, columns. */
#include "recon/io/hdf5/sources-private.h"
#include "recon/io/shared/io-private.h"

#include <string.h>

enum { MAX_CHILDREN = 4096, MAX_DEPTH = 6, MAX_VISITS = 20000, MOST_TABLES = 8 };

typedef struct {
  int visits;
  ct_hdf5_names groups;
} progress;

static void visit_below(const ct_hdf5_file *file, const char *group, int depth, progress *so_far,
                        const ct_hdf5_visitor *visitor) {
  char name[CT_HDF5_TEXT], path[4 * CT_HDF5_TEXT];
  ct_hdf5_children children = ct_hdf5_children_of(file, group, MAX_CHILDREN);
  while (ct_hdf5_next_child(&children, name)) {
    if (!name[0] || !ct_hdf5_join(path, group, name) || so_far->visits++ >= MAX_VISITS) continue;
    H5L_info_t link;
    if (H5Lget_info(file->id, path, &link, file->access) < 0) continue;
    if (link.type != H5L_TYPE_HARD && visitor->link) visitor->link(visitor->data, path);
    if (link.type != H5L_TYPE_HARD || !ct_hdf5_exists(file, path)) continue;
    hsize_t dims[CT_HDF5_MAX_RANK];
    int rank;
    if (ct_hdf5_is_dataset(file, path)) {
      if (ct_hdf5_shape(file, path, &rank, dims)) visitor->array(visitor->data, path, rank, dims);
    } else if (depth < MAX_DEPTH && ct_hdf5_is_new_group(file, path, &so_far->groups)) {
      visit_below(file, path, depth + 1, so_far, visitor);
    }
  }
  ct_hdf5_children_clear(&children);
}

void ct_hdf5_visit(const ct_hdf5_file *file, const ct_hdf5_visitor *visitor) {
  progress so_far = {0};
  ct_hdf5_is_new_group(file, "/", &so_far.groups);
  visit_below(file, "/", 0, &so_far, visitor);
  ct_hdf5_names_clear(&so_far.groups);
}

bool ct_hdf5_is_vectors(const char *path, int rank, const hsize_t *dims) {
  return rank == 2 && (dims[1] == 12 || dims[1] == 6) && strcasestr(ct_path_name(path), "vec");
}

typedef struct {
  hsize_t views[MOST_TABLES]; /* rows of the vectors */
  bool solid[MOST_TABLES];    /* of a detector with rows: 12 numbers */
  int tables;
  const char *only; /* NULL: any array */
  int count[2];     /* of arrays that fit, of two axes and of three */
  ct_hdf5_place fitting[2];
} search;

static void take_table(void *data, const char *path, int rank, const hsize_t *dims) {
  search *s = data;
  if (!ct_hdf5_is_vectors(path, rank, dims) || dims[0] < 2 || s->tables == MOST_TABLES) return;
  s->solid[s->tables] = dims[1] == 12;
  s->views[s->tables++] = dims[0];
}

static void take_array(void *data, const char *path, int rank, const hsize_t *dims) {
  search *s = data;
  if (rank < 2 || rank > 3 || strcmp(path, CT_HDF5_VOLUME_GROUP "/data") == 0) return;
  if (ct_hdf5_is_vectors(path, rank, dims) || (s->only && strcmp(path, s->only) != 0)) return;
  for (int i = 0; i < s->tables; i++) {
    const bool first = dims[0] == s->views[i], second = dims[1] == s->views[i];
    const bool rows = rank == 3 && (!first || dims[1] > 1) && (first || dims[0] > 1);
    if ((!first && !second) || (rows && !s->solid[i])) continue;
    ct_hdf5_place *place = &s->fitting[rank - 2];
    *place = (ct_hdf5_place){.kind = CT_HDF5_PLAIN, .frame_axis = first ? 1 : 2, .by_vectors = first && second ? 2 : 1};
    snprintf(place->data, sizeof place->data, "%s", path);
    s->count[rank - 2]++;
    return;
  }
}

bool ct_hdf5_find_by_vectors(const ct_hdf5_file *file, const char *dataset, ct_hdf5_place *place) {
  search s = {.only = dataset};
  ct_hdf5_visit(file, &(ct_hdf5_visitor){&s, take_table, NULL});
  if (s.tables) ct_hdf5_visit(file, &(ct_hdf5_visitor){&s, take_array, NULL});
  /* Tables and pictures lie beside stacks. */
  const int stack = s.count[1] > 0;
  if (s.count[stack] != 1) return false;
  *place = s.fitting[stack];
  return true;
}
