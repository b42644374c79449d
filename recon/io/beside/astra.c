/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry vectors of the astra-toolbox as text, .npy or a dataset of HDF5, a row for each view: cone_vec (source,
 * detector's middle, steps to the next column and row) and parallel3d_vec (direction of the rays instead of the source)
 * with twelve numbers, fanflat_vec and parallel_vec with six, in the plane z = 0. Its frame is ours, and its unit of
 * length is taken for the millimetre. Which it is stands in the file's name, else it is seen from the numbers. */
#include "recon/io/beside/rows-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/hdf5/hdf5-private.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_VIEWS = 1 << 20 };

static bool has_word(const char *path, const char *word) {
  return strcasestr(ct_path_name(path), word) != NULL;
}

/* Numbers before the end of the first line that begins with one; 0: there is none. */
static int columns_of(const char *head) {
  while (*head) {
    int count = 0;
    const char *c = head, *end = head + strcspn(head, "\r\n");
    while (c < end) {
      char *after;
      while (c < end && strchr(" \t,;", *c)) c++;
      if (c == end) break;
      ct_text_to_double(c, &after);
      if (after == c || after > end) break;
      count++;
      c = after;
    }
    if (count > 0 && c >= end) return count;
    if (count > 0 || (*head != '#' && head != end)) return 0;
    head = end + strspn(end, "\r\n");
  }
  return 0;
}

#define HDF5_EXTENSIONS "h5 hdf5 nxs"

/* A table of twelve or six columns; or what may not be looked at yet. */
static bool may_be_table(const ct_dataset *d) {
  return d->elsewhere && d->rank == 0 ? true : d->rank == 2 && (d->dims[1] == 12 || d->dims[1] == 6) && !d->trouble;
}

static bool is_called_vectors(const char *name) {
  return has_word(name, "vec");
}

/* The dataset of an HDF5 file that holds vectors, new text (ct_free): of two dimensions, with twelve or six columns,
 * and "vec" in its name, or in that of a file that holds no other array. */
static char *find_dataset(const char *file) {
  ct_dataset_list list = {0};
  char *found = NULL;
  size_t tables = 0;
  const bool any_name = has_word(file, "_vec");
  if (!ct_hdf5_list_wanted(file, any_name ? NULL : is_called_vectors, &list)) return NULL;
  for (int by_name = 1; by_name >= 0 && !found; by_name--)
    for (size_t i = 0; i < list.count && !found; i++) {
      const ct_dataset *d = &list.items[i];
      const bool table = may_be_table(d);
      if (table && (by_name ? is_called_vectors(d->path) : list.count == 1 && any_name))
        found = ct_strdup(d->path, NULL);
      tables += table;
    }
  ct_dataset_list_clear(&list);
  return tables ? found : NULL;
}

/* Of a file whose projections stand beside their vectors. */
static char *inside(const char *path) {
  char *file, *dataset;
  const bool split = ct_path_split_dataset(path, &file, &dataset);
  const char *plain = split ? file : path;
  char *found = ct_path_has_extension(plain, HDF5_EXTENSIONS) ? find_dataset(plain) : NULL;
  char *text = found ? ct_strprintf("%s::%s", plain, found) : NULL;
  ct_free(found);
  ct_free(file);
  ct_free(dataset);
  return text;
}

/* A file of vectors and nothing else. */
static bool is_file_of_vectors(const char *path) {
  ct_dataset_list list = {0};
  char *found = has_word(path, "_vec") ? find_dataset(path) : NULL;
  bool more = false;
  if (found && ct_hdf5_list_datasets(path, false, &list, NULL)) {
    for (size_t i = 0; i < list.count; i++) more = more || list.items[i].rank > 2;
    ct_dataset_list_clear(&list);
  }
  ct_free(found);
  return found && !more;
}

static bool is_hdf5(const char *head) {
  return ct_hdf5_has_signature((const unsigned char *)head, strnlen(head, 16));
}

static int probe(const char *path, const char *head) {
  const int columns = columns_of(head);
  if (is_hdf5(head)) return (strstr(path, "::") ? has_word(path, "vec") : is_file_of_vectors(path)) ? 75 : 0;
  if (ct_path_has_extension(path, "npy")) return has_word(path, "_vec") && strncmp(head, "\x93NUMPY", 6) == 0 ? 75 : 0;
  return has_word(path, "vec") && (columns == 12 || columns == 6) ? 75 : 0;
}

/* Sources lie away from the isocentre, beyond the length of any direction; `spread`: it was said so, or seen. */
static bool diverges(const char *path, const double *rows, size_t count, int columns, ct_told *told) {
  if (has_word(path, "cone") || has_word(path, "fan")) return true;
  if (has_word(path, "parallel")) return false;
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < count; i++) {
    const double *r = rows + i * (size_t)columns, z = columns == 12 ? r[2] : 0,
                 length = sqrt(r[0] * r[0] + r[1] * r[1] + z * z);
    least = fmin(least, length);
    most = fmax(most, length);
  }
  const bool directions = fabs(least - 1) < 1e-6 && fabs(most - 1) < 1e-6;
  ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, ct_path_name(path),
                 "the first %s of each row is %s; \"cone\", \"fan\" or \"parallel\" in the file's name tells it",
                 columns == 12 ? "three numbers" : "two numbers",
                 directions ? "the direction of parallel rays" : "the source");
  return !directions;
}

/* A row of six as one of twelve: the detector's one row is as high as its columns are wide. */
static void widen(const double *from, double *to) {
  for (int i = 0; i < 3; i++) {
    to[3 * i] = from[2 * i];
    to[3 * i + 1] = from[2 * i + 1];
    to[3 * i + 2] = 0;
  }
  to[9] = to[10] = 0;
  to[11] = hypot(from[4], from[5]);
}

static bool check_rows(const char *path, const double *rows, size_t count, ct_error **error) {
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 12; k++)
      if (!isfinite(rows[12 * i + (size_t)k]) || fabs(rows[12 * i + (size_t)k]) > 1e12)
        return ct_error_set(error, CT_ERROR_DATA, "%s: row %zu holds a number that is not finite or too large.", path,
                            i + 1);
  return true;
}

static bool tell(const char *path, const double *numbers, size_t count, int columns, ct_told *told, ct_error **error) {
  if (count == 0 || count % (size_t)columns != 0 || count / (size_t)columns > MOST_VIEWS)
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s: geometry vectors have %s numbers for each view, and it holds %zu in all.", path,
                        columns == 12 ? "twelve" : "six", count);
  const size_t views = count / (size_t)columns;
  told->beam = diverges(path, numbers, views, columns, told) ? CT_TOLD_DIVERGENT : CT_TOLD_PARALLEL;
  told->poses = ct_alloc(views, 12 * sizeof *told->poses, "the geometry", error);
  if (!told->poses) return false;
  for (size_t i = 0; i < views; i++)
    if (columns == 12)
      memcpy(told->poses + 12 * i, numbers + 12 * i, 12 * sizeof *numbers);
    else
      widen(numbers + 6 * i, told->poses + 12 * i);
  told->views = (int)views;
  told->rows = columns == 6 ? 1 : 0;
  told->per_pixel = true;
  told->rows_as_stored = true;
  ct_remarks_add(&told->remarks, CT_REMARK_READ, ct_path_name(path),
                 "where source, detector and its pixels are in each of %zu views", views);
  ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, ct_path_name(path), "its lengths are millimetres");
  return check_rows(path, told->poses, views, error);
}

static bool read_text(const char *path, ct_told *told, ct_error **error) {
  size_t count;
  double *numbers;
  if (!ct_read_numbers(path, &numbers, &count, error)) return false;
  /* The probe has seen the columns of the first row. */
  char *text = ct_read_text(path, (size_t)1 << 30, NULL, error);
  const int columns = text ? columns_of(text) : 0;
  bool good = text != NULL;
  if (good && columns != 12 && columns != 6)
    good = ct_error_set(error, CT_ERROR_DATA, "%s: geometry vectors have twelve or six numbers in a row, not %d.", path,
                        columns);
  good = good && tell(path, numbers, count, columns, told, error);
  ct_free(text);
  ct_free(numbers);
  return good;
}

/* FILE::DATASET, or a file with one. */
static double *read_dataset(const char *path, bool anywhere, size_t *count, int *columns, ct_error **error) {
  char *file, *dataset;
  const bool split = ct_path_split_dataset(path, &file, &dataset);
  if (!split) dataset = find_dataset(path);
  const ct_open_options options = {.dataset = dataset, .anywhere = anywhere};
  double *numbers = dataset ? ct_hdf5_read_table(split ? file : path, &options, count, columns, error) : NULL;
  if (!dataset)
    ct_error_set(error, CT_ERROR_FORMAT, "%s holds no dataset of geometry vectors, with twelve or six numbers a view.",
                 path);
  ct_free(file);
  ct_free(dataset);
  return numbers;
}

static bool holds_hdf5(const char *path) {
  unsigned char head[8] = {0};
  FILE *file = ct_stream_to_read(path, NULL);
  const size_t size = file ? fread(head, 1, sizeof head, file) : 0;
  if (file) fclose(file);
  return ct_hdf5_has_signature(head, size);
}

static bool read_vectors(const char *path, ct_told *told, ct_error **error) {
  size_t count;
  int columns;
  const bool hdf5 = strstr(path, "::") || holds_hdf5(path);
  if (!hdf5 && !ct_path_has_extension(path, "npy")) return read_text(path, told, error);
  double *numbers = hdf5 ? read_dataset(path, told->anywhere, &count, &columns, error)
                         : ct_beside_read_npy(path, &count, &columns, error);
  bool good = numbers != NULL;
  if (good && columns != 12 && columns != 6)
    good = ct_error_set(error, CT_ERROR_DATA, "%s: geometry vectors have twelve or six numbers in a row, not %d.", path,
                        columns);
  good = good && tell(path, numbers, count, columns, told, error);
  ct_free(numbers);
  return good;
}

const ct_geometry_reader ct_geometry_reader_astra = {
    .id = "astra",
    .title = "ASTRA vectors",
    .extensions = "txt csv dat vec npy " HDF5_EXTENSIONS,
    .common = true,
    .probe = probe,
    .read = read_vectors,
    .inside = inside,
};
