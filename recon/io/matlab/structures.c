/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which variable of a MAT file is the scan. Known by the names of their fields: the Helsinki Tomography Challenge's
 * CtDataFull.sinogram with .parameters (zenodo 6984868), and the open datasets of the Finnish Inverse Problems Society,
 * a sinogram m beside a sparse matrix A, whose columns are views. Else the only array. */
#include "recon/io/matlab/matlab-private.h"

#include "recon/base/memory.h"
#include "recon/io/shared/io-private.h"

#include <stdio.h>
#include <string.h>

enum { MOST_VARIABLES = 1000, DEEPEST = 4 };

static const char *const data_names[] = {"sinogram", "projections", "proj", NULL};

static void join(char path[256], const char *group, const char *name) {
  snprintf(path, 256, "%.120s%s%.120s", group, *group ? "." : "", name);
}

/* A structure with a sinogram, at `name`. */
static bool find_in_structure(matvar_t *v, const char *name, ct_matlab_place *place) {
  for (int i = 0; data_names[i]; i++) {
    matvar_t *field = Mat_VarGetStructFieldByName(v, data_names[i], 0);
    if (!ct_matlab_is_array(field)) continue;
    matvar_t *parameters = Mat_VarGetStructFieldByName(v, "parameters", 0);
    join(place->data, name, data_names[i]);
    if (parameters && parameters->class_type == MAT_C_STRUCT)
      join(place->parameters, name, "parameters");
    else
      snprintf(place->parameters, sizeof place->parameters, "%.250s", name);
    return true;
  }
  return false;
}

bool ct_matlab_find_scan(mat_t *mat, const char *path, uint64_t file_bytes, ct_matlab_place *place, ct_error **error) {
  char list[512] = "", only[256] = "";
  int arrays = 0;
  bool found = false, sparse = false, has_m = false;
  *place = (ct_matlab_place){0};
  Mat_Rewind(mat);
  for (int i = 0; i < MOST_VARIABLES && !found; i++) {
    matvar_t *v = Mat_VarReadNextInfo(mat);
    if (!v) break;
    const char *name = v->name ? v->name : "";
    if (v->class_type == MAT_C_STRUCT && v->rank == 2 && v->dims && v->dims[0] == 1 && v->dims[1] == 1)
      found = find_in_structure(v, name, place);
    sparse |= v->class_type == MAT_C_SPARSE;
    if (ct_matlab_is_array(v)) {
      const size_t length = strlen(list);
      has_m |= strcmp(name, "m") == 0;
      snprintf(list + length, sizeof list - length, "%s%.60s", length ? ", " : "", name);
      if (arrays++ == 0 || strncmp(name, "sinogram", 8) == 0) snprintf(only, sizeof only, "%.250s", name);
    }
    Mat_VarFree(v);
  }
  if (found) return true;
  if (sparse && has_m) {
    snprintf(place->data, sizeof place->data, "m");
    return place->columns_are_views = true;
  }
  if (arrays == 1 || strncmp(only, "sinogram", 8) == 0) {
    memcpy(place->data, only, sizeof only);
    return true;
  }
  if (arrays > 1)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s holds several arrays; choose one as %s::NAME: %s", path,
                        ct_path_name(path), list);
  return ct_error_set(error, CT_ERROR_FORMAT, "%s holds no array that could be projections", path);
}

static bool add(ct_dataset_list *list, matvar_t *v, const char *name, ct_error **error) {
  ct_dataset item = {.rank = v->rank < 8 ? v->rank : 8};
  for (int i = 0; i < item.rank; i++) item.dims[i] = v->dims[i];
  snprintf(item.type, sizeof item.type, "%s",
           v->class_type == MAT_C_DOUBLE   ? "float64"
           : v->class_type == MAT_C_SINGLE ? "float32"
                                           : "integer");
  if ((item.path = ct_strdup(name, error)) && ct_dataset_list_add(list, &item, error)) return true;
  ct_free(item.path);
  return false;
}

static bool list_below(ct_dataset_list *list, matvar_t *v, const char *name, int depth, ct_error **error) {
  if (ct_matlab_is_array(v)) return add(list, v, name, error);
  if (v->class_type != MAT_C_STRUCT || depth > DEEPEST) return true;
  const unsigned fields = Mat_VarGetNumberOfFields(v);
  char *const *names = Mat_VarGetStructFieldnames(v);
  for (unsigned i = 0; names && i < fields && i < MOST_VARIABLES; i++) {
    char path[256];
    matvar_t *field = Mat_VarGetStructFieldByIndex(v, i, 0);
    join(path, name, names[i]);
    if (field && !list_below(list, field, path, depth + 1, error)) return false;
  }
  return true;
}

bool ct_matlab_list(mat_t *mat, ct_dataset_list *list, ct_error **error) {
  bool good = true;
  Mat_Rewind(mat);
  for (int i = 0; good && i < MOST_VARIABLES; i++) {
    matvar_t *v = Mat_VarReadNextInfo(mat);
    if (!v) break;
    good = list_below(list, v, v->name ? v->name : "", 0, error);
    Mat_VarFree(v);
  }
  if (!good) ct_dataset_list_clear(list);
  return good;
}
