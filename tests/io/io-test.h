/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of recon/io share: a scratch folder, files of given bytes, a known volume, faults of the disk, and
 * damaged copies of a valid file at many places. */
#ifndef CT_IO_TEST_H
#define CT_IO_TEST_H

#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];

static inline int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status;
  (void)kind;
  (void)place;
  return remove(path);
}

/* In memory where there is such a file system: there a sync costs nothing. */
static inline void scratch_begin(void) {
  snprintf(scratch, sizeof scratch, "%s/gantry-io-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  if (!mkdtemp(scratch)) abort();
}

static inline void scratch_end(void) {
  nftw(scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* SCRATCH/NAME in one of a few rotating buffers; folders on the way are made. */
static inline const char *scratch_path(const char *name) {
  static char paths[64][512];
  static int next;
  char *path = paths[next++ % 64];
  snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
  for (char *slash = strchr(path + strlen(scratch) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0777);
    *slash = '/';
  }
  return path;
}

static inline void put_bytes(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

static inline void put_string(const char *path, const char *text) {
  put_bytes(path, text, strlen(text));
}

/* A whole file, malloc'ed. */
static inline unsigned char *get_bytes(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) abort();
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size) abort();
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

/* Whether the reader has such words to say of a scan. */
static inline bool has_remark(const ct_scan *scan, ct_remark_kind kind, const char *words) {
  const ct_remarks *remarks = ct_scan_get_facts(scan)->remarks;
  for (int i = 0; remarks && i < remarks->count; i++)
    if (remarks->items[i].kind == kind && strstr(remarks->items[i].text, words)) return true;
  return false;
}

/* A folder in which nobody can make a file, root included. */
static inline const char *read_only_folder(void) {
  if (geteuid() == 0) return "/proc";
  const char *path = scratch_path("sealed/x");
  static char folder[512];
  snprintf(folder, sizeof folder, "%.*s", (int)(strlen(path) - 2), path);
  chmod(folder, 0555);
  return folder;
}

/* As if the disk were full after `bytes` of a file. */
static inline void limit_file_size(rlim_t bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
}

static inline void unlimit_file_size(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

#define TEST_PLAN                                                                                                      \
  "{\n  \"kernel\": \"textbook\", \"text\": \"50 % \\\\ \\\"caf\xc3\xa9\\\": a = b\",\n  \"value\": "                  \
  "0.1000000000000000055\n}\n"

/* Distinct values in every voxel, odd sizes, spacing and origin that need all their digits. */
static inline ct_volume *make_volume(int nx, int ny, int nz) {
  const ct_grid grid = {nx, ny, nz, 0.1, 0.30430000000000001, 1.0 / 3, -12.345678901234567, 1e-7, -203.20000000000002};
  ct_volume *volume = ct_volume_new(&grid, NULL);
  if (!volume) abort();
  for (size_t i = 0; i < ct_grid_voxels(&grid); i++) ct_volume_data(volume)[i] = (float)i * 0.37f - 20;
  if (!ct_volume_set_plan(volume, TEST_PLAN, NULL)) abort();
  return volume;
}

/* Largest difference of the voxels; infinite where the grids differ at all or the plans do. */
static inline double volume_difference(const ct_volume *a, const ct_volume *b) {
  const ct_grid *g = ct_volume_grid(a), *h = ct_volume_grid(b);
  if (g->nx != h->nx || g->ny != h->ny || g->nz != h->nz || g->dx != h->dx || g->dy != h->dy || g->dz != h->dz ||
      g->x0 != h->x0 || g->y0 != h->y0 || g->z0 != h->z0)
    return INFINITY;
  const char *p = ct_volume_get_plan(a), *q = ct_volume_get_plan(b);
  if (!p != !q || (p && strcmp(p, q) != 0)) return INFINITY;
  double largest = 0;
  for (size_t i = 0; i < ct_grid_voxels(g); i++) {
    const double d = fabs((double)ct_volume_get_data(a)[i] - (double)ct_volume_get_data(b)[i]);
    if (!(d <= largest)) largest = d;
  }
  return largest;
}

/* Written, read, compared: the largest difference, or a negative number with *error set. */
static inline double round_trip(const char *path, const ct_volume *volume, const ct_write_options *options,
                                ct_error **error) {
  if (!ct_volume_write(path, volume, options, NULL, error)) return -1;
  ct_volume *back = ct_volume_read(path, NULL, error);
  if (!back) return -2;
  const double difference = volume_difference(volume, back);
  ct_volume_free(back);
  return difference;
}

/* A reader told to take what it finds at `path`: true when it succeeds, else *error is set. */
typedef bool (*try_reader)(const char *path, ct_error **error);

static inline bool try_volume(const ct_format *format, const char *path, ct_error **error) {
  ct_volume *volume = ct_volume_read_as(format, path, NULL, error);
  ct_volume_free(volume);
  return volume;
}

/* Opens and reads every row of every frame, one band of up to three rows at a time. */
static inline bool try_scan(const ct_format *format, const char *path, ct_error **error) {
  ct_scan *scan = format->open_scan(path, NULL, error);
  if (!scan) return false;
  const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
  float *rows = malloc(3 * (size_t)g->nu * sizeof *rows);
  bool good = rows != NULL;
  for (int view = 0; good && view < g->views && view < 50; view++)
    for (int row = 0; good && row < g->nv && row < 300; row += 3)
      good = ct_scan_read(scan, CT_FRAME_PROJECTION, view, row, g->nv - row < 3 ? g->nv - row : 3, rows, error);
  free(rows);
  ct_scan_free(scan);
  return good;
}

/* Damages copies of a valid file at `name` in turn: cut off after every `step`-th byte, then single bits turned over.
 * Every try must end in success or in an error that names the file. Returns the number of tries that did
 * neither, or wrote something to stderr; *refused counts the errors. */
static inline int damage(const char *valid, const char *name, size_t step, try_reader reader, int *refused) {
  size_t size;
  unsigned char *bytes = get_bytes(valid, &size);
  const char *path = scratch_path(name);
  fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  const int silent = open(scratch_path("stderr"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  dup2(silent, STDERR_FILENO);
  int faults = 0;
  *refused = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t at = 0; at < size; at += step) {
      const unsigned char turned = (unsigned char)(1 << (at * 7 + at / 13) % 8);
      if (pass == 1) bytes[at] ^= turned;
      put_bytes(path, bytes, pass == 0 ? at : size);
      if (pass == 1) bytes[at] ^= turned;
      ct_error *error = NULL;
      const bool good = reader(path, &error);
      faults += good ? error != NULL : !error || !strstr(error->message, name) || strchr(error->message, '\n');
      *refused += !good;
      ct_error_clear(&error);
    }
  fflush(stderr);
  struct stat status;
  if (fstat(silent, &status) != 0 || status.st_size > 0) faults++;
  dup2(kept, STDERR_FILENO);
  close(kept);
  close(silent);
  unlink(path);
  free(bytes);
  return faults;
}

#define IO_TEST_MAIN(tests)                                                                                            \
  int main(void) {                                                                                                     \
    scratch_begin();                                                                                                   \
    const int status = ct_test_run((tests), sizeof(tests) / sizeof *(tests));                                          \
    scratch_end();                                                                                                     \
    return status;                                                                                                     \
  }

#endif
