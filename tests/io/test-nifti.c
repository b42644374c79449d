/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NIfTI: what other programs' headers tell, in either byte order; ours to the last digit; headers that lie. (Writing is
 * tested with all formats in test-output.c.) */
#include "recon/base/memory.h"
#include "tests/io/damage.h"
#include "tests/io/files.h"
#include "tests/test.h"

#include "recon/io/io.h"

#include <math.h>

enum { NX = 3, NY = 2, NZ = 4, START = 352 };

typedef struct {
  bool big;
  int units;
  float slope, inter, first, second; /* of the sform's first two diagonal entries */
} head;

static void put(unsigned char *at, bool big, const void *value, size_t size) {
  for (size_t i = 0; i < size; i++) at[big ? size - 1 - i : i] = ((const unsigned char *)value)[i];
}

static void put_short(unsigned char *file, const head *h, int at, int16_t value) {
  put(file + at, h->big, &value, 2);
}

static void put_float(unsigned char *file, const head *h, int at, float value) {
  put(file + at, h->big, &value, 4);
}

/* int16, value i at voxel i. */
static size_t make(unsigned char *file, const head *h) {
  const int32_t size = 348;
  const int16_t dim[8] = {3, NX, NY, NZ, 1, 1, 1, 1};
  const float pixdim[4] = {1, 0.5f, 0.25f, 2};
  memset(file, 0, START);
  put(file, h->big, &size, 4);
  for (int i = 0; i < 8; i++) put_short(file, h, 40 + 2 * i, dim[i]);
  put_short(file, h, 70, 4);
  put_short(file, h, 72, 16);
  for (int i = 0; i < 4; i++) put_float(file, h, 76 + 4 * i, pixdim[i]);
  put_float(file, h, 108, START);
  put_float(file, h, 112, h->slope);
  put_float(file, h, 116, h->inter);
  file[123] = (unsigned char)h->units;
  put_short(file, h, 254, 1);
  put_float(file, h, 280, h->first);
  put_float(file, h, 296 + 4, h->second);
  put_float(file, h, 312 + 8, 2);
  put_float(file, h, 280 + 12, -7);
  memcpy(file + 344, "n+1", 4);
  for (int16_t i = 0; i < NX * NY * NZ; i++) put(file + START + 2 * i, h->big, &i, 2);
  return START + 2 * NX * NY * NZ;
}

static void test_others(void) {
  ct_error *error = NULL;
  unsigned char file[1024];
  make_test_folder();
  static const head heads[] = {{false, 2, 0, 0, 0.5f, 0.25f}, {true, 3, 2, -1, 0.5f, 0.25f}, {false, 0, 1, 0, 1, 1}};
  static const double mm[] = {1, 0.001, 1};
  for (size_t i = 0; i < 3; i++) {
    const head *h = &heads[i];
    write_file(in_folder("v.nii"), file, make(file, h));
    CHECK(ct_path_content(in_folder("v.nii"), NULL) == CT_CONTENT_VOLUME);
    ct_volume *volume = ct_volume_read(in_folder("v.nii"), NULL, &error);
    CHECK_OK(volume);
    const ct_grid *g = ct_volume_grid(volume);
    CHECK(g->nx == NX && g->ny == NY && g->nz == NZ);
    CHECK_NEAR(g->dx, 0.5 * mm[i], 1e-12);
    CHECK_NEAR(g->dz, 2 * mm[i], 1e-12);
    CHECK_NEAR(g->x0, -7 * mm[i], 1e-12);
    const float *data = ct_volume_get_data(volume);
    for (int k = 0; k < NX * NY * NZ; k++) CHECK(data[k] == (i == 1 ? 2 * (float)k - 1 : (float)k));
    ct_volume_free(volume);
  }
}

static void test_refused(void) {
  ct_error *error = NULL;
  unsigned char file[1024];
  make_test_folder();
  /* Mirrored, and turned by a quarter. */
  for (int i = 0; i < 2; i++) {
    const head h = {false, 2, 0, 0, i ? 0.0f : -0.5f, 0.25f};
    write_file(in_folder("m.nii"), file, make(file, &h));
    CHECK_FAILS(ct_volume_read(in_folder("m.nii"), NULL, &error), CT_ERROR_UNSUPPORTED, "mirrored");
  }
  const head h = {false, 2, 0, 0, 0.5f, 0.25f};
  const size_t size = make(file, &h);
  file[70] = 128; /* colours */
  write_file(in_folder("m.nii"), file, size);
  CHECK_FAILS(ct_volume_read(in_folder("m.nii"), NULL, &error), CT_ERROR_UNSUPPORTED, "type 128");
  make(file, &h);
  put_float(file, &h, 108, 0);
  write_file(in_folder("m.nii"), file, size);
  CHECK_FAILS(ct_volume_read(in_folder("m.nii"), NULL, &error), CT_ERROR_FORMAT, "begin");
  write_file(in_folder("m.nii"), file, make(file, &h) - 1);
  CHECK_FAILS(ct_volume_read(in_folder("m.nii"), NULL, &error), CT_ERROR_FORMAT, "m.nii");
}

/* Other readers find the grid in the header, without Gantry's comment. */
static void test_header(void) {
  ct_error *error = NULL;
  make_test_folder();
  const ct_grid grid = {NX, NY, NZ, 0.1, 0.2, 0.3, -1, 2, 3};
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  for (int i = 0; i < NX * NY * NZ; i++) ct_volume_data(volume)[i] = (float)i;
  CHECK_OK(ct_volume_set_plan(volume, "{\"a\": 1}", &error));
  const ct_write_options options = {.samples = CT_SAMPLES_FLOAT32};
  CHECK_OK(ct_volume_write(in_folder("o.nii"), volume, &options, NULL, &error));
  ct_volume_free(volume);
  FILE *file = fopen(in_folder("o.nii"), "rb");
  unsigned char h[START];
  CHECK(file && fread(h, 1, START, file) == START);
  fclose(file);
  int16_t dim[4], type;
  float step[3], offset, row[12];
  memcpy(dim, h + 40, sizeof dim);
  memcpy(&type, h + 70, 2);
  memcpy(step, h + 80, sizeof step);
  memcpy(&offset, h + 108, 4);
  memcpy(row, h + 280, sizeof row);
  CHECK(dim[0] == 3 && dim[1] == NX && dim[3] == NZ && type == 16 && step[1] == 0.2f && h[123] == 2);
  CHECK(fmodf(offset, 16) == 0 && offset > START && row[0] == 0.1f && row[3] == -1 && row[5] == 0.2f && row[11] == 3);
  damage(in_folder("o.nii"), START, 1);
}

static const ct_test tests[] = {
    {"headers of other programs", test_others},
    {"headers that are refused", test_refused},
    {"what is written", test_header},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
