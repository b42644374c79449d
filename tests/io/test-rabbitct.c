/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RabbitCT data sets: there and back in both versions, the bytes of a file made by hand, scaled matrices, references,
 * and files that lie. */
#include "recon/data/pitch.h"
#include "recon/data/stack.h"
#include "recon/io/io.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/rabbitct/rabbitct.h"
#include "tests/io/io-test.h"

enum { NU = 5, NV = 4, VIEWS = 3, PIXELS = NU * NV };

/* Matrices with w = 1 at the isocentre and twelve different digits. */
static void fill_matrix(double m[12], int view) {
  const double rows[12] = {2 + 0.1 * view,        0.25,   0.01, 2, 0.03, 0.125 * view, 2.5, 1.5, 0.001,
                           -0.002 - 0.001 * view, 0.0005, 1};
  memcpy(m, rows, sizeof rows);
}

static ct_stack *make_content(ct_geometry *geometry, ct_rabbitct_content *content) {
  ct_stack *stack = ct_stack_new(NU, NV, VIEWS, NULL);
  if (!stack || !ct_geometry_init(geometry, CT_BEAM_FREE, NU, NV, VIEWS, NULL)) abort();
  for (int view = 0; view < VIEWS; view++) fill_matrix(geometry->matrices + 12 * view, view);
  for (int i = 0; i < VIEWS * PIXELS; i++) ct_stack_data(stack)[i] = 0.37f * (float)i - 3;
  *content = (ct_rabbitct_content){2, {1000, 24}, geometry, stack, {NULL}};
  return stack;
}

static double round_trip_difference(const char *path, const ct_rabbitct_content *content, ct_rabbitct **set,
                                    ct_error **error) {
  float rows[PIXELS];
  if (!ct_rabbitct_write(path, content, NULL, error) || !(*set = ct_rabbitct_open(path, error))) return INFINITY;
  const ct_rabbitct_facts *facts = ct_rabbitct_get_facts(*set);
  if (facts->version != content->version || facts->geometry.nu != NU || facts->geometry.nv != NV ||
      facts->geometry.views != VIEWS || memcmp(facts->scale, content->scale, sizeof facts->scale) != 0)
    return INFINITY;
  double largest = 0;
  for (int view = 0; view < VIEWS; view++) {
    for (int i = 0; i < 12; i++)
      largest =
          fmax(largest, fabs(facts->geometry.matrices[12 * view + i] - content->geometry->matrices[12 * view + i]));
    if (!ct_rabbitct_read(*set, view, 0, NV, rows, error)) return INFINITY;
    for (int i = 0; i < PIXELS; i++)
      largest = fmax(largest, fabs((double)rows[i] - (double)ct_stack_get_view(content->projections, view)[i]));
  }
  return largest;
}

static void test_round_trip(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  ct_rabbitct_content content;
  ct_stack *stack = make_content(&geometry, &content);
  for (content.version = 1; content.version <= 2; content.version++) {
    ct_rabbitct *set = NULL;
    const double difference = round_trip_difference(scratch_path("a.rctd"), &content, &set, &error);
    if (set) ct_rabbitct_free(set);
    CHECK(!error);
    CHECK_NEAR(difference, 0, 0);
  }
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
}

/* Byte by byte from the format's description, with w = 4 at the isocentre. */
static unsigned char *put_word(unsigned char *at, uint32_t word) {
  for (int i = 0; i < 4; i++) *at++ = (unsigned char)(word >> 8 * i);
  return at;
}

static unsigned char *put_float(unsigned char *at, float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return put_word(at, word);
}

static unsigned char *put_double(unsigned char *at, double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  return put_word(put_word(at, (uint32_t)word), (uint32_t)(word >> 32));
}

static size_t make_bytes(unsigned char *bytes, bool old, double w) {
  unsigned char *at = bytes;
  if (!old) at = put_word(at, 2);
  at = put_word(put_word(put_word(at, NU), NV), 1);
  at = put_float(put_float(at, 1000), -5);
  for (int column = 0; column < 4; column++)
    for (int row = 0; row < 3; row++) {
      double m[12];
      fill_matrix(m, 1);
      at = put_double(at, w * m[4 * row + column]);
    }
  for (int i = 0; i < PIXELS; i++) at = put_float(at, (float)i);
  return (size_t)(at - bytes);
}

static void test_bytes(void) {
  ct_error *error = NULL;
  unsigned char bytes[1024];
  for (int old = 0; old < 2; old++)
    for (int sign = -1; sign <= 1; sign += 2) {
      put_bytes(scratch_path("b.bin"), bytes, make_bytes(bytes, old, 4.0 * sign));
      ct_rabbitct *set = ct_rabbitct_open(scratch_path("b.bin"), &error);
      CHECK_OK(set);
      const ct_rabbitct_facts *facts = ct_rabbitct_get_facts(set);
      double expected[12], largest = 0;
      float row[NU];
      fill_matrix(expected, 1);
      for (int i = 0; i < 12; i++) largest = fmax(largest, fabs(facts->geometry.matrices[i] - expected[i]));
      const bool read = ct_rabbitct_read(set, 0, 2, 1, row, &error);
      const bool as_told = facts->version == (old ? 1 : 2) && facts->scale[1] == -5 && facts->references == 0;
      ct_rabbitct_free(set);
      CHECK(read && as_told);
      CHECK_NEAR(largest, 0, 1e-15);
      /* p / w^2 of the file = (p / 16) / 1 at the isocentre. */
      for (int i = 0; i < NU; i++) CHECK_NEAR(row[i], (2 * NU + i) / 16.0, 0);
    }
}

static void test_references(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  ct_rabbitct_content content;
  ct_stack *stack = make_content(&geometry, &content);
  const size_t count = 128 * 128 * 128;
  uint16_t *reference = malloc(count * sizeof *reference), plane[2 * 128 * 128];
  for (size_t i = 0; i < count; i++) reference[i] = (uint16_t)(i * 2654435761u >> 7);
  content.references[0] = reference;
  const char *path = scratch_path("c.rctd");
  const bool written = ct_rabbitct_write(path, &content, NULL, &error);
  ct_rabbitct *set = written ? ct_rabbitct_open(path, &error) : NULL;
  const int references = set ? ct_rabbitct_get_facts(set)->references : -1;
  const bool read = set && ct_rabbitct_read_reference(set, 128, 77, 2, plane, &error);
  const bool same = read && memcmp(plane, reference + 77 * 128 * 128, sizeof plane) == 0;
  free(reference);
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
  CHECK_OK(set);
  CHECK(references == 1 && same);
  CHECK_FAILS(ct_rabbitct_read_reference(set, 256, 0, 1, plane, &error), CT_ERROR_UNSUPPORTED, "no reference volume");
  CHECK_FAILS(ct_rabbitct_read_reference(set, 128, 127, 2, plane, &error), CT_ERROR_ARGUMENT, "no planes");
  CHECK_FAILS(ct_rabbitct_read(set, VIEWS, 0, 1, NULL, &error), CT_ERROR_ARGUMENT, "view 3");
  ct_rabbitct_free(set);
  CHECK(truncate(path, 4000000) == 0);
  CHECK_FAILS(ct_rabbitct_open(path, &error), CT_ERROR_FORMAT, "no whole reference volumes");
}

/* Their parts by name: references as volumes on the benchmark's grid, in the unit of what is back-projected. */
static void test_parts(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  ct_rabbitct_content content;
  ct_stack *stack = make_content(&geometry, &content);
  const size_t count = 128 * 128 * 128;
  uint16_t *reference = malloc(count * sizeof *reference);
  for (size_t i = 0; i < count; i++) reference[i] = (uint16_t)(i % 4096);
  content.references[0] = reference;
  const char *path = scratch_path("parts.rctd");
  const bool written = ct_rabbitct_write(path, &content, NULL, &error);
  free(reference);
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
  CHECK(written);
  ct_dataset_list list;
  CHECK_OK(ct_file_list_datasets(path, false, &list, &error));
  const bool listed = list.count == 2 && !strcmp(list.items[0].path, "/projections") &&
                      list.items[0].dims[0] == VIEWS && !strcmp(list.items[1].path, "/reference/128") &&
                      list.items[1].dims[2] == 128;
  ct_dataset_list_clear(&list);
  CHECK(listed);
  char name[600];
  const char *const names[] = {"", "::/reference/128", "::reference/128"};
  for (size_t n = 0; n < 3; n++) {
    snprintf(name, sizeof name, "%.500s%s", path, names[n]);
    CHECK(ct_path_content(name, NULL) == (n ? CT_CONTENT_VOLUME : CT_CONTENT_SCAN));
    ct_volume *volume = ct_volume_read(name, NULL, &error);
    CHECK_OK(volume);
    const ct_grid grid = *ct_volume_grid(volume);
    const ct_named_scale scale = ct_volume_get_scale(volume);
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
      const double hu = scale.scale.factor * (double)ct_volume_get_data(volume)[i] + scale.scale.offset;
      wrong += !(fabs(hu - (double)(i % 4096)) < 1e-3);
    }
    ct_volume_free(volume);
    CHECK(grid.nx == 128 && grid.nz == 128 && grid.dx == 2 && grid.x0 == -127 && !strcmp(scale.unit, "HU"));
    CHECK(wrong == 0);
  }
  snprintf(name, sizeof name, "%.500s::/reference/256", path);
  CHECK_FAILS(ct_volume_read(name, NULL, &error), CT_ERROR_ARGUMENT, "/reference/128 to 128");
  snprintf(name, sizeof name, "%.500s::/projections", path);
  ct_scan *scan = ct_scan_open(name, NULL, &error);
  CHECK_OK(scan);
  ct_scan_free(scan);
  snprintf(name, sizeof name, "%.500s::/flats", path);
  CHECK_FAILS(ct_scan_open(name, NULL, &error), CT_ERROR_ARGUMENT, "are /projections");
}

static bool opens(const char *path, ct_error **error) {
  ct_rabbitct *set = ct_rabbitct_open(path, error);
  ct_rabbitct_free(set);
  return set;
}

static void test_bad_files(void) {
  ct_error *error = NULL;
  unsigned char bytes[1024], good[1024];
  const char *path = scratch_path("bad.rctd");
  const size_t size = make_bytes(good, false, 1);
  put_bytes(path, good, size - 1);
  CHECK_FAILS(opens(path, &error), CT_ERROR_FORMAT, "ends early");
  put_bytes(path, good, 10);
  CHECK_FAILS(opens(path, &error), CT_ERROR_FORMAT, "not even the header");
  put_bytes(path, good, size + 1);
  CHECK_FAILS(opens(path, &error), CT_ERROR_FORMAT, "no whole reference volumes");
  const struct {
    int word;
    uint32_t value;
    const char *words;
  } lies[] = {{1, 0, "no RabbitCT"},          {1, 0xFFFFFFFFu, "no RabbitCT"}, {2, 65536, "ends early"},
              {3, 1000000, "ends early"},     {3, 0x7FFFFFFFu, "no RabbitCT"}, {1, 65536, "ends early"},
              {4, 0x7FC00000u, "Hounsfield"}, {5, 0x7F800000u, "Hounsfield"},  {4, 0, "Hounsfield"}};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    memcpy(bytes, good, size);
    put_word(bytes + 4 * lies[i].word, lies[i].value);
    put_bytes(path, bytes, size);
    CHECK_FAILS(opens(path, &error), CT_ERROR_FORMAT, lies[i].words);
  }
  make_bytes(bytes, false, 0);
  put_bytes(path, bytes, size);
  CHECK_FAILS(opens(path, &error), CT_ERROR_FORMAT, "isocentre");
  make_bytes(bytes, false, NAN);
  put_bytes(path, bytes, size);
  CHECK_FAILS(opens(path, &error), CT_ERROR_FORMAT, "isocentre");
  memcpy(bytes, good, size);
  memset(bytes + 24, 0, 72); /* the left 3x3 part: no ray leads anywhere */
  put_double(put_double(put_double(bytes + 24, 1), 1), 1);
  put_double(put_double(put_double(bytes + 48, 1), 1), 1);
  put_bytes(path, bytes, size);
  CHECK_FAILS(opens(path, &error), CT_ERROR_ARGUMENT, "bad.rctd");
  CHECK_FAILS(opens(scratch_path("missing.rctd"), &error), CT_ERROR_IO, "missing.rctd");
}

static bool try_rabbitct(const char *path, ct_error **error) {
  return try_scan(&ct_format_rabbitct, path, error);
}

static void test_damage(void) {
  unsigned char bytes[1024];
  int refused;
  for (int old = 0; old < 2; old++) {
    put_bytes(scratch_path("whole.rctd"), bytes, make_bytes(bytes, old, 1));
    CHECK(damage(scratch_path("whole.rctd"), "damaged.rctd", 1, try_rabbitct, &refused) == 0);
    CHECK(refused > 150);
  }
}

static void test_as_scan(void) {
  ct_error *error = NULL;
  unsigned char bytes[1024];
  float rows[PIXELS];
  put_bytes(scratch_path("without-extension"), bytes, make_bytes(bytes, false, 2));
  ct_scan *scan = ct_scan_open(scratch_path("without-extension"), NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const bool told = facts->geometry.beam == CT_BEAM_FREE && facts->note && strstr(facts->note, "already") &&
                    strstr(facts->format, "RabbitCT");
  const bool read = ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, NV, rows, &error);
  ct_scan_free(scan);
  CHECK(told && read);
  for (int i = 0; i < PIXELS; i++) CHECK_NEAR(rows[i], i / 4.0, 0);
}

static void test_writing_fails(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  ct_rabbitct_content content;
  ct_stack *stack = make_content(&geometry, &content);
  const char *path = scratch_path("out/kept.rctd");
  put_string(path, "old");
  limit_file_size(200);
  const bool written = ct_rabbitct_write(path, &content, NULL, &error);
  unlimit_file_size();
  size_t size = 0;
  unsigned char *bytes = get_bytes(path, &size);
  const bool kept = size == 3 && memcmp(bytes, "old", 3) == 0;
  free(bytes);
  const bool alone = count_entries(scratch_path("out")) == 1;
  CHECK(!written && kept && alone);
  CHECK(error && error->code == CT_ERROR_IO && strstr(error->message, "kept.rctd"));
  ct_error_clear(&error);
  ct_job *job = ct_job_new(NULL);
  ct_job_cancel(job);
  const bool cancelled = ct_rabbitct_write(path, &content, job, &error);
  ct_job_free(job);
  CHECK(!cancelled && error && error->code == CT_ERROR_CANCELLED && count_entries(scratch_path("out")) == 1);
  ct_error_clear(&error);
  content.version = 3;
  CHECK_FAILS(ct_rabbitct_write(path, &content, NULL, &error), CT_ERROR_ARGUMENT, "version 3");
  content.version = 2;
  geometry.nu++;
  CHECK_FAILS(ct_rabbitct_write(path, &content, NULL, &error), CT_ERROR_ARGUMENT, "do not fit");
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
}

/* A square centred grid of the benchmark: 256 mm, the first centre at -R (L - 1) / 2. */
static void test_grid(void) {
  for (int i = 0; i < CT_RABBITCT_REFERENCES; i++) {
    const int edge = ct_rabbitct_edge(i);
    const ct_grid grid = ct_rabbitct_grid(edge);
    CHECK(grid.nx == edge && grid.ny == edge && grid.nz == edge);
    CHECK_NEAR(grid.dz, 256.0 / edge, 1e-15);
    CHECK_NEAR(grid.x0, -256.0 / edge * (edge - 1) / 2, 1e-12);
  }
}

static const ct_test tests[] = {
    {"both versions come back as they were written", test_round_trip},
    {"files made byte by byte are read, matrices scaled to w = 1 at the isocentre", test_bytes},
    {"reference volumes are found behind the projections", test_references},
    {"its parts have names: projections, and reference volumes in the unit of the scan", test_parts},
    {"truncated, overlong and lying files are refused with a message", test_bad_files},
    {"damaged files end in success or in an error that names them", test_damage},
    {"a scan opens without an extension and says that it is filtered", test_as_scan},
    {"failed and cancelled writing keep the old file", test_writing_fails},
    {"the benchmark's grid", test_grid},
};
IO_TEST_MAIN(tests)
