/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan's values are taken for that does not say so: discs of other sizes and densities, as counts, transmissions
 * and line integrals, whole, cut off and beside the middle. */
#include "recon/data/values.h"
#include "recon/base/job.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

typedef struct {
  ct_values stored;
  double beam;          /* counts of the free beam; for line integrals: their unit */
  double offset;        /* added to the line integrals, or the detector's signal without beam */
  bool integers, whole; /* whole: below 0, too */
  int nu, nv, views;
  double radius, centre, axis; /* columns: of the disc, from the axis, of the axis */
  double attenuation;          /* through its middle */
  double noise;                /* relative */
  double flat;                 /* counts; 0: none */
} made;

static double line_integral(const made *m, int view, int u, int v) {
  const double at = m->axis + m->centre * cos(M_PI * view / m->views), x = (u - at) / m->radius;
  const double height = m->nv > 1 ? 0.9 + 0.1 * v / m->nv : 1;
  return x * x < 1 ? height * m->attenuation * sqrt(1 - x * x) : 0;
}

/* The same for the same pixel, about 0. */
static double noise(int view, int u, int v) {
  uint64_t x = (uint64_t)view * 7919 + (uint64_t)u * 104729 + (uint64_t)v * 1299709 + 12345;
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(x >> 40) / (1 << 24) - 0.5;
  }
  return sum * 1.7;
}

static bool read_made(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  const made *m = state;
  (void)error;
  for (int j = 0; j < rows; j++)
    for (int u = 0; u < m->nu; u++) {
      const double p = line_integral(m, index, u, row0 + j), n = m->noise * noise(index, u, row0 + j);
      double value = m->stored == CT_VALUES_LINE_INTEGRALS ? m->beam * (p + n) + m->offset
                     : kind == CT_FRAME_FLAT               ? m->flat
                                                           : m->beam * exp(-p) * (1 + n) + m->offset;
      if (m->integers) value = round(fmax(value, 0));
      if (m->whole) value = round(value);
      out[j * m->nu + u] = (float)value;
    }
  return true;
}

static ct_scan *make(const made *m) {
  ct_error *error = NULL;
  ct_scan_facts facts = {
      .path = "made.h5", .format = "test", .integers = m->integers || m->whole, .flats = m->flat > 0 ? 2 : 0};
  if (!ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, m->nu, m->nv, m->views, &error)) return NULL;
  ct_geometry_set_arc(&facts.geometry, 0, M_PI / m->views);
  ct_scan *scan =
      ct_scan_new(&facts, (ct_scan_source){.state = (void *)(uintptr_t)m, .read = read_made, .free = NULL}, &error);
  ct_geometry_clear(&facts.geometry);
  return scan;
}

/* What they are taken for; *doubt (may be NULL): whether that is doubted. */
static ct_values settled(const made *m, bool *doubt) {
  ct_scan *scan = make(m);
  if (!scan) return CT_VALUES_UNKNOWN;
  ct_scan_settle_values(scan, NULL, NULL);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_values values = facts->values_why ? facts->values : CT_VALUES_UNKNOWN;
  if (doubt) *doubt = facts->values_doubt != NULL;
  ct_scan_free(scan);
  return values;
}

static const made disc = {
    .nu = 128, .nv = 3, .views = 40, .radius = 40, .centre = 12, .axis = 63.5, .attenuation = 1.6, .noise = 0.01};

static void clear_cases_are_settled_without_doubt(void) {
  const double beams[] = {40, 300, 2100, 1e5, 3e7};
  const double attenuations[] = {0.08, 0.6, 2.5, 7};
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 5; b++)
      for (int integers = 0; integers < 2; integers++) {
        made m = disc;
        bool doubt;
        m.attenuation = attenuations[a];
        m.stored = CT_VALUES_COUNTS;
        m.beam = beams[b];
        m.integers = integers;
        CHECK(settled(&m, &doubt) == CT_VALUES_COUNTS && !doubt);
      }
  for (int a = 0; a < 4; a++)
    for (int rows = 1; rows < 60; rows += 50) {
      made m = disc;
      bool doubt;
      m.attenuation = attenuations[a];
      m.nv = rows;
      m.beam = 1;
      m.stored = CT_VALUES_TRANSMISSION;
      CHECK(settled(&m, &doubt) == CT_VALUES_TRANSMISSION && !doubt);
      m.stored = CT_VALUES_LINE_INTEGRALS;
      CHECK(settled(&m, &doubt) == CT_VALUES_LINE_INTEGRALS && !doubt);
      m.offset = -0.02; /* slightly negative beside the object */
      CHECK(settled(&m, &doubt) == CT_VALUES_LINE_INTEGRALS && !doubt);
    }
}

static void place_and_size_do_not_matter(void) {
  const double radii[] = {6, 25, 50}, axes[] = {20, 45, 63.5, 100};
  for (int r = 0; r < 3; r++)
    for (int a = 0; a < 4; a++)
      for (int v = CT_VALUES_COUNTS; v <= CT_VALUES_TRANSMISSION; v++) {
        made m = disc;
        m.radius = radii[r];
        m.axis = axes[a];
        m.stored = (ct_values)v;
        m.beam = v == CT_VALUES_COUNTS ? 5e4 : 1;
        CHECK(settled(&m, NULL) == m.stored);
      }
}

/* No free beam in any view: the level tells counts, and what fills the detector is doubted where it does not. */
static void nothing_but_object(void) {
  const double attenuations[] = {0.9, 3};
  for (int a = 0; a < 2; a++) {
    made m = disc;
    bool doubt;
    m.radius = 90;
    m.attenuation = attenuations[a];
    m.stored = CT_VALUES_COUNTS;
    m.beam = 6e4;
    CHECK(settled(&m, NULL) == CT_VALUES_COUNTS);
    m.beam = 1;
    m.stored = CT_VALUES_LINE_INTEGRALS;
    CHECK(settled(&m, &doubt) == CT_VALUES_LINE_INTEGRALS && doubt == (attenuations[a] < 1));
    m.stored = CT_VALUES_TRANSMISSION;
    CHECK(settled(&m, &doubt) == CT_VALUES_TRANSMISSION && doubt);
  }
}

/* Whatever the level that an interior scan has at its sides: right, or doubted. */
static void interiors_are_right_or_doubted(void) {
  for (int radius = 70; radius <= 200; radius += 13)
    for (double attenuation = 0.3; attenuation < 4; attenuation *= 1.13)
      for (int stored = CT_VALUES_LINE_INTEGRALS; stored <= CT_VALUES_TRANSMISSION; stored++) {
        made m = disc;
        bool doubt = false;
        m.radius = radius;
        m.attenuation = attenuation;
        m.beam = 1;
        m.centre = radius - 70;
        m.stored = (ct_values)stored;
        const ct_values taken = settled(&m, &doubt);
        if (taken != m.stored && !doubt)
          CT_TEST_END(1, "%s of radius %d, attenuation %g: taken for %s", ct_choice_id(ct_values_choices, stored),
                      radius, attenuation, ct_choice_id(ct_values_choices, (int)taken));
      }
}

/* As counts whose unit is small, normalising by the free beam serves; line integrals in a unit of their own are said to
 * be that, and integers that look so are doubted. */
static void odd_units(void) {
  made m = disc;
  bool doubt;
  m.stored = CT_VALUES_COUNTS;
  m.beam = 0.3;
  CHECK(settled(&m, &doubt) == CT_VALUES_COUNTS && doubt);
  m.beam = 12;
  CHECK(settled(&m, &doubt) == CT_VALUES_COUNTS && doubt);
  m.stored = CT_VALUES_LINE_INTEGRALS;
  m.beam = 1000;
  CHECK(settled(&m, &doubt) == CT_VALUES_LINE_INTEGRALS && doubt);
  m.integers = true;
  CHECK(settled(&m, &doubt) == CT_VALUES_COUNTS && doubt);
}

/* Unsigned counts that were read as signed, and bits of reals that were read as integers: doubted, with the reason. */
static void integers_of_another_kind(void) {
  static const struct {
    double beam, offset;
    const char *words; /* NULL: no doubt */
  } cases[] = {{50000, -32768, "without a sign"},
               {9000, -700, "without a sign"},
               {9000, -40, NULL},
               {1e6, 0.9e9, "32-bit reals"},
               {1e6, 5e8, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    made m = disc;
    m.stored = CT_VALUES_COUNTS;
    m.beam = cases[i].beam;
    m.offset = cases[i].offset;
    m.attenuation = 5;
    m.whole = true;
    ct_scan *scan = make(&m);
    CHECK(scan && ct_scan_settle_values(scan, NULL, NULL));
    const char *doubt = ct_scan_get_facts(scan)->samples_doubt;
    char text[512];
    ct_scan_facts_doubts(ct_scan_get_facts(scan), text, sizeof text);
    if (cases[i].words ? !doubt || !strstr(doubt, cases[i].words) || !strstr(text, doubt) : doubt || text[0])
      CT_TEST_END(1, "case %zu: %s", i, doubt ? doubt : "no doubt");
    ct_scan_free(scan);
  }
}

/* Where the values are stated, too: counts of a wrong kind, and bits of reals whatever they are said to be. */
static void stated_integers_are_looked_at_once(void) {
  for (int v = CT_VALUES_COUNTS; v <= CT_VALUES_LINE_INTEGRALS; v++)
    for (int bits = 0; bits < 2; bits++) {
      made m = disc;
      m.stored = CT_VALUES_COUNTS;
      m.beam = bits ? 1e6 : 50000;
      m.offset = bits ? 0.9e9 : -32768;
      m.attenuation = 5;
      m.whole = true;
      ct_scan *scan = make(&m);
      CHECK(scan);
      if (!scan) return;
      ct_scan_take_values(scan, (ct_values)v, NULL, NULL);
      CHECK(ct_scan_settle_values(scan, NULL, NULL));
      const ct_scan_facts *facts = ct_scan_get_facts(scan);
      CHECK((int)facts->values == v && !facts->values_why && !facts->values_doubt);
      CHECK(!ct_scan_facts_samples_doubt(facts, (ct_values)v) == (v == CT_VALUES_LINE_INTEGRALS && !bits));
      CHECK(ct_scan_facts_samples_doubt(facts, CT_VALUES_COUNTS));
      const char *before = facts->samples_doubt;
      CHECK(ct_scan_settle_values(scan, NULL, NULL) && facts->samples_doubt == before);
      ct_scan_free(scan);
    }
}

static void flats_tell(void) {
  made m = disc;
  bool doubt;
  m.stored = CT_VALUES_COUNTS;
  m.beam = 4000;
  m.flat = 4100;
  CHECK(settled(&m, &doubt) == CT_VALUES_COUNTS && !doubt);
  m.radius = 200; /* object everywhere */
  m.attenuation = 4;
  CHECK(settled(&m, &doubt) == CT_VALUES_COUNTS && !doubt);
  m = disc;
  m.flat = 4100;
  m.beam = 1;
  m.stored = CT_VALUES_TRANSMISSION; /* normalised already */
  CHECK(settled(&m, &doubt) == CT_VALUES_TRANSMISSION && doubt);
  m.flat = 1; /* of that, too: dividing once more does no harm */
  CHECK(settled(&m, &doubt) == CT_VALUES_COUNTS && !doubt);
  m.flat = 100;
  m.beam = 5000;
  m.stored = CT_VALUES_COUNTS;
  CHECK(settled(&m, &doubt) == CT_VALUES_COUNTS && doubt);
}

static bool read_nothing(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  return ct_error_set(error, CT_ERROR_IO, "nothing");
}

static void what_is_stated_stays(void) {
  ct_error *error = NULL;
  for (int v = CT_VALUES_COUNTS; v <= CT_VALUES_OPTICAL_DENSITY; v++) {
    ct_scan_facts facts = {.path = "a.h5", .format = "test", .values = (ct_values)v};
    CHECK(ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, 8, 1, 4, &error));
    ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){.state = NULL, .read = read_nothing, .free = NULL}, &error);
    CHECK(scan);
    CHECK(scan && ct_scan_settle_values(scan, NULL, NULL));
    CHECK(scan && (int)ct_scan_get_facts(scan)->values == v && !ct_scan_get_facts(scan)->values_why);
    ct_scan_free(scan);
    ct_geometry_clear(&facts.geometry);
  }
  /* Frames that cannot be read are an error where they are read. */
  for (int integers = 0; integers < 2; integers++) {
    ct_scan_facts facts = {.path = "a.h5", .format = "test", .integers = integers};
    CHECK(ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, 8, 1, 4, &error));
    ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){.state = NULL, .read = read_nothing, .free = NULL}, &error);
    CHECK(scan);
    CHECK(scan && ct_scan_settle_values(scan, NULL, NULL));
    CHECK(scan && ct_scan_get_facts(scan)->values == (integers ? CT_VALUES_COUNTS : CT_VALUES_LINE_INTEGRALS));
    ct_scan_free(scan);
    ct_geometry_clear(&facts.geometry);
  }
}

/* Of frames that are said to be wide: as few samples as tell it, and none where the job is cancelled. */
typedef struct {
  size_t samples;
  ct_job *job; /* cancelled by the second frame; or NULL */
  int frames;
} watch;

static bool read_watched(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  enum { NU = 300000 };
  watch *w = state;
  w->samples += (size_t)rows * NU;
  if (++w->frames == 2) ct_job_cancel(w->job);
  for (int i = 0; i < rows * NU; i++) out[i] = i % NU < NU / 3 || i % NU >= NU - NU / 3 ? 4000 : 500;
  return true;
}

static void wide_frames_are_looked_at_in_parts(void) {
  ct_error *error = NULL;
  ct_job *job = ct_job_new(&error);
  for (int cancelled = 0; cancelled < 2; cancelled++) {
    watch w = {.job = cancelled ? job : NULL};
    ct_scan_facts facts = {.path = "wide.raw", .format = "test", .integers = true};
    CHECK(ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, 300000, 90, 7, &error));
    ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){.state = &w, .read = read_watched, .free = NULL}, &error);
    if (!scan) abort();
    CHECK(ct_scan_settle_values(scan, w.job, &error) == !cancelled);
    CHECK(cancelled == (error && error->code == CT_ERROR_CANCELLED));
    CHECK(ct_scan_get_facts(scan)->values == (cancelled ? CT_VALUES_UNKNOWN : CT_VALUES_COUNTS));
    CHECK(w.frames == (cancelled ? 2 : 7) && w.samples <= 7 << 20);
    ct_error_clear(&error);
    ct_scan_free(scan);
    ct_geometry_clear(&facts.geometry);
  }
  ct_job_free(job);
}

static const ct_test tests[] = {
    {"frames that are said to be wide are looked at in parts", wide_frames_are_looked_at_in_parts},
    {"clear cases are settled without doubt", clear_cases_are_settled_without_doubt},
    {"place and size of the object do not matter", place_and_size_do_not_matter},
    {"without a free beam the level tells, or there is doubt", nothing_but_object},
    {"interiors are right, or doubted", interiors_are_right_or_doubted},
    {"odd units are doubted", odd_units},
    {"integers of another kind", integers_of_another_kind},
    {"stated integers are looked at once", stated_integers_are_looked_at_once},
    {"flats tell counts, unless they are none of these values", flats_tell},
    {"what is stated stays", what_is_stated_stays},
};

CT_TEST_MAIN(tests)
