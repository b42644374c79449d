/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes wrong in a simulated scan, each by itself: the spectrum against a sum of its own, scatter as set, blurs by
 * their moments, lag and motion view by view, noise by its variance, and a detector that its flats and darks undo. */
#include "recon/phantom/blur-private.h"
#include "recon/phantom/imperfections.h"
#include "recon/phantom/spectrum.h"
#include "tests/test.h"

#include <string.h>

static const double radius = 40, mu = 0.02;

static ct_geometry geometry_of(ct_beam beam, int nu, int nv, int views) {
  ct_geometry g;
  ct_error *error = NULL;
  if (!ct_geometry_init(&g, beam, nu, nv, views, &error)) abort();
  g.du = g.dv = beam == CT_BEAM_PARALLEL ? 1.5 : 3;
  g.sod = 200;
  g.sdd = 400;
  ct_geometry_set_arc(&g, 0.1, 2 * M_PI / views);
  return g;
}

/* Frames of one kind, [count][nv][nu]; freed by the caller. */
static float *frames_of(ct_scan *scan, ct_frame_kind kind, int count) {
  const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
  const size_t pixels = (size_t)g->nu * (size_t)g->nv;
  float *data = malloc((size_t)count * pixels * sizeof *data);
  for (int n = 0; n < count; n++)
    if (!ct_scan_read(scan, kind, n, 0, g->nv, data + (size_t)n * pixels, NULL)) abort();
  return data;
}

static ct_scan *scan_of(const char *phantom, const ct_geometry *g, const ct_imperfections *o, ct_error **error) {
  return ct_phantom_scan(&(ct_phantom_scan_request){.phantom = ct_phantom_find(phantom),
                                                    .radius = radius,
                                                    .mu = mu,
                                                    .geometry = g,
                                                    .sub = 1,
                                                    .imperfections = o,
                                                    .title = "simulated"},
                         NULL, error);
}

static float *projections_of(const char *phantom, const ct_geometry *g, const ct_imperfections *o) {
  ct_error *error = NULL;
  ct_scan *scan = scan_of(phantom, g, o, &error);
  if (error) printf("# %s\n", error->message);
  if (!scan) abort();
  float *data = frames_of(scan, CT_FRAME_PROJECTION, g->views);
  ct_scan_free(scan);
  return data;
}

static void test_attenuation(void) {
  /* Water and iron at 60 keV, aluminium at 100: NIST's mass attenuation times the density. */
  CHECK_NEAR(ct_material_attenuation(CT_MATERIAL_WATER, 60), 0.02059, 1e-9);
  CHECK_NEAR(ct_material_attenuation(CT_MATERIAL_IRON, 60), 0.1 * 7.874 * 1.205, 1e-9);
  CHECK_NEAR(ct_material_attenuation(CT_MATERIAL_ALUMINIUM, 100), 0.1 * 2.699 * 0.1704, 1e-9);
  CHECK_NEAR(ct_material_attenuation(CT_MATERIAL_WATER, 5), ct_material_attenuation(CT_MATERIAL_WATER, 10), 1e-12);
  for (int m = 0; m < CT_MATERIAL_COUNT; m++) {
    CHECK(strlen(ct_material_title((ct_material)m)) > 3);
    for (double e = 10; e < 200; e += 0.5)
      CHECK(ct_material_attenuation((ct_material)m, e + 0.5) < ct_material_attenuation((ct_material)m, e));
  }
}

static void test_spectrum(void) {
  static const double voltages[] = {20, 60, 119, 200};
  ct_error *error = NULL;
  ct_spectrum s;
  double before = 0;
  for (int n = 0; n < 4; n++) {
    double sum = 0, thin = 0, mean = 0;
    CHECK_OK(ct_spectrum_init(&s, voltages[n], 2.5, 0.1, &error));
    for (int k = 0; k < s.count; k++) {
      sum += s.share[k], mean += s.share[k] * s.energy[k], thin += s.share[k] * s.factor[CT_MATERIAL_IRON][k];
      CHECK(s.energy[k] < voltages[n]);
    }
    CHECK_NEAR(sum, 1, 1e-12);
    CHECK_NEAR(thin, 1, 1e-12);
    CHECK(mean > before);
    before = mean;
    /* A thin layer shows its line integral, a thick one less: the beam hardens. */
    const ct_material water = CT_MATERIAL_WATER;
    CHECK_NEAR(-log(ct_spectrum_transmission(&s, &water, &(double){1e-4}, 1)), 1e-4, 1e-7);
    CHECK(-log(ct_spectrum_transmission(&s, &water, &(double){4}, 1)) < 4 * 0.99);
  }
  CHECK(!ct_spectrum_init(&s, 19, 0, 0, &error) && strstr(error->message, "20..200"));
  ct_error_clear(&error);
  CHECK(!ct_spectrum_init(&s, 20, 100, 100, &error) && strstr(error->message, "Nothing"));
  ct_error_clear(&error);
}

/* Kramers' law behind 2.5 mm of aluminium, summed anew from the definition, with each material's own integrals. */
static double polychromatic(const ct_phantom *phantom, double kilovolts, const double point[3], const double ray[3]) {
  double path[CT_MATERIAL_COUNT] = {0}, thin[CT_MATERIAL_COUNT] = {0}, all = 0, left = 0;
  for (size_t s = 0; s < phantom->count; s++) {
    const ct_phantom one = {.shapes = &phantom->shapes[s], .count = 1};
    path[phantom->materials ? phantom->materials[s] : CT_MATERIAL_WATER] +=
        mu * ct_phantom_line_integral(&one, radius, point, ray);
  }
  for (int pass = 0; pass < 2; pass++)
    for (double e = 11; e < kilovolts; e += 2) {
      const double signal = (kilovolts - e) * exp(-2.5 * ct_material_attenuation(CT_MATERIAL_ALUMINIUM, e));
      double p = 0;
      if (pass == 0) all += signal;
      for (int m = 0; m < CT_MATERIAL_COUNT; m++)
        if (pass == 0)
          thin[m] += signal * ct_material_attenuation((ct_material)m, e);
        else
          p += path[m] * ct_material_attenuation((ct_material)m, e) / (thin[m] / all);
      if (pass == 1) left += signal * exp(-p);
    }
  return -log(left / all);
}

static void test_hardening(void) {
  static const char *const phantoms[] = {"insert", "head", "discs"};
  static const double voltages[] = {60, 120, 151};
  for (int n = 0; n < 3; n++) {
    ct_geometry g = geometry_of(CT_BEAM_CONE, 48, 7, 5);
    const ct_imperfections o = {.kilovolts = voltages[n], .aluminium = 2.5};
    float *p = projections_of(phantoms[n], &g, &o);
    double most = 0, shown = 0;
    for (int view = 0; view < g.views; view++)
      for (int v = 0; v < g.nv; v++)
        for (int u = 0; u < g.nu; u++) {
          double point[3], ray[3];
          CHECK(ct_geometry_ray(&g, view, u, v, point, ray));
          const double want = polychromatic(ct_phantom_find(phantoms[n]), voltages[n], point, ray);
          most = fmax(most, fabs((double)p[(view * g.nv + v) * g.nu + u] - want) / fmax(want, 1));
          shown = fmax(shown, want);
        }
    printf("# %s at %g kV: %.1e of line integrals up to %.2f\n", phantoms[n], voltages[n], most, shown);
    CHECK(shown > 0.5);
    CHECK_BELOW(most, 1e-5);
    free(p);
    ct_geometry_clear(&g);
  }
}

static double mean_signal(const float *p, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += exp(-(double)p[i]);
  return sum / (double)count;
}

static void test_scatter(void) {
  ct_geometry g = geometry_of(CT_BEAM_CONE, 40, 30, 2);
  const size_t pixels = 40 * 30;
  float *clean = projections_of("shepp-logan-3d", &g, &(ct_imperfections){.counts = false}),
        *cloudy = projections_of("shepp-logan-3d", &g, &(ct_imperfections){.scatter = 0.3});
  for (int view = 0; view < 2; view++) {
    const float *a = clean + (size_t)view * pixels, *b = cloudy + (size_t)view * pixels;
    const double primary = mean_signal(a, pixels);
    CHECK_NEAR(mean_signal(b, pixels) / primary, 1.3, 1e-4);
    /* It is smooth: from pixel to pixel it changes by little of itself. */
    for (size_t i = 1; i < pixels; i++)
      if (i % 40) {
        const double here = exp(-(double)b[i]) - exp(-(double)a[i]),
                     left = exp(-(double)b[i - 1]) - exp(-(double)a[i - 1]);
        CHECK(here > 0 && fabs(here - left) < 0.2 * 0.3 * primary);
      }
  }
  free(clean);
  free(cloudy);
  ct_geometry_clear(&g);
}

/* Sum, mean and variance of a blurred point. */
static void moments(const ct_blur *blur, double *sum, double *variance) {
  enum { N = 101 };
  float image[N] = {0};
  double line[N + 2 * CT_BLUR_REACH], mean = 0;
  image[N / 2] = 1;
  ct_blur_apply(blur, blur, image, N, 1, line);
  *sum = *variance = 0;
  for (int n = 0; n < N; n++) *sum += (double)image[n], mean += (double)image[n] * (n - N / 2);
  for (int n = 0; n < N; n++) *variance += (double)image[n] * (n - N / 2 - mean) * (n - N / 2 - mean);
  CHECK_NEAR(mean, 0, 1e-6);
}

/* A Gaussian over a pixel's width has its variance and the pixel's, 1/12 (sampled, from 0.8 px on); a box that ends on
 * pixels' borders is as wide as it says. */
static void test_blurs(void) {
  static const double deviations[] = {0.8, 1, 2.7, 8};
  double sum, variance;
  for (int n = 0; n < 4; n++) {
    const ct_blur blur = ct_blur_gaussian(deviations[n]);
    moments(&blur, &sum, &variance);
    CHECK_NEAR(sum, 1, 1e-6);
    CHECK_NEAR(variance, deviations[n] * deviations[n] + 1 / 12.0, 0.003 * variance);
  }
  for (int half = 0; half < 5; half++) {
    const double width = 2 * half + 1;
    const ct_blur blur = ct_blur_box(width);
    moments(&blur, &sum, &variance);
    CHECK_NEAR(sum, 1, 1e-6);
    CHECK_NEAR(variance, (width * width - 1) / 12, 1e-4);
  }
  const ct_blur none = ct_blur_gaussian(0);
  moments(&none, &sum, &variance);
  CHECK_NEAR(variance, 0, 0);
}

/* The focal spot is magnified by the distance behind the object: an edge's profile has the box's width. */
static void test_focal_spot(void) {
  ct_geometry g = geometry_of(CT_BEAM_FAN, 60, 1, 1);
  ct_error *error = NULL;
  float *sharp = projections_of("discs", &g, &(ct_imperfections){.counts = false}),
        *soft = projections_of("discs", &g, &(ct_imperfections){.focal_spot = 9});
  double line[60 + 2 * CT_BLUR_REACH];
  const ct_blur box = ct_blur_box(9 * (400 - 200) / 200.0 / g.du), none = ct_blur_box(0);
  for (int u = 0; u < 60; u++) sharp[u] = (float)exp(-(double)sharp[u]);
  ct_blur_apply(&box, &none, sharp, 60, 1, line);
  for (int u = 0; u < 60; u++) CHECK_NEAR((double)soft[u], -log((double)sharp[u]), 1e-5);
  free(sharp);
  free(soft);
  ct_geometry_clear(&g);
  g = geometry_of(CT_BEAM_PARALLEL, 60, 1, 1);
  CHECK(!scan_of("discs", &g, &(ct_imperfections){.focal_spot = 9}, &error) && strstr(error->message, "focal spot"));
  ct_error_clear(&error);
  ct_geometry_clear(&g);
}

static void test_lag_and_motion(void) {
  ct_geometry g = geometry_of(CT_BEAM_PARALLEL, 50, 1, 7);
  const double lag = 0.4, motion = 6;
  float *p = projections_of("discs", &g, &(ct_imperfections){.counts = false}),
        *late = projections_of("discs", &g, &(ct_imperfections){.lag = lag}),
        *moved = projections_of("discs", &g, &(ct_imperfections){.motion = motion});
  double kept[50];
  for (int view = 0; view < g.views; view++)
    for (int u = 0; u < 50; u++) {
      const double now = exp(-(double)p[view * 50 + u]);
      kept[u] = view ? (1 - lag) * now + lag * kept[u] : now;
      CHECK_NEAR((double)late[view * 50 + u], -log(kept[u]), 1e-5);
      double point[3], ray[3];
      CHECK(ct_geometry_ray(&g, view, u, 0, point, ray));
      point[0] -= motion * view / (g.views - 1.0);
      CHECK_NEAR((double)moved[view * 50 + u],
                 mu * ct_phantom_line_integral(ct_phantom_find("discs"), radius, point, ray), 1e-5);
    }
  free(p);
  free(late);
  free(moved);
  ct_geometry_clear(&g);
}

/* Without object n photons have the variance n, to which the electronics add their own. */
static void test_noise(void) {
  ct_geometry g = geometry_of(CT_BEAM_CONE, 60, 50, 4);
  ct_error *error = NULL;
  const ct_imperfections o = {.photons = 5000, .electronic = 60, .counts = true, .seed = 3};
  ct_scan *scan = scan_of("points", &g, &o, &error);
  CHECK_OK(scan);
  const double both = 5000 + 60 * 60;
  for (int kind = CT_FRAME_FLAT; kind <= CT_FRAME_DARK; kind++) {
    const int count = kind == CT_FRAME_FLAT ? CT_SIMULATED_FLATS : CT_SIMULATED_DARKS;
    float *frames = frames_of(scan, (ct_frame_kind)kind, count);
    const double n = 60 * 50.0 * count, level = kind == CT_FRAME_FLAT ? 5100 : 100;
    double sum = 0, squares = 0;
    for (int i = 0; i < (int)n; i++) {
      sum += (double)frames[i] - level;
      squares += ((double)frames[i] - level) * ((double)frames[i] - level);
    }
    if (kind == CT_FRAME_FLAT) {
      CHECK_NEAR(sum / n, 0, 5 * sqrt(both / n));
      CHECK_NEAR(squares / n, both, 5 * both * sqrt(2 / n));
    } else
      /* The counter does not go below 0: a part of the noise is cut off. */
      CHECK(sum / n > -1 && squares / n < 60 * 60 * 1.05);
    free(frames);
  }
  ct_scan_free(scan);
  /* One seed, one scan. */
  float *a = projections_of("points", &g, &o), *b = projections_of("points", &g, &o);
  CHECK(!memcmp(a, b, 4 * 60 * 50 * sizeof *a));
  free(a);
  free(b);
  /* Line integrals with photons alone are what they always were. */
  ct_stack *stack = ct_phantom_project(ct_phantom_find("discs"), radius, mu, &g, 1, NULL, &error);
  CHECK_OK(stack);
  ct_add_photon_noise(stack, 300, 8);
  a = projections_of("discs", &g, &(ct_imperfections){.photons = 300, .seed = 8});
  CHECK(!memcmp(a, ct_stack_get_view(stack, 0), ct_stack_bytes(stack)));
  free(a);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
}

/* Flats and darks undo the gain, not the drift; dead pixels read the offset; zingers come as often as asked. */
static void test_detector(void) {
  enum { NU = 40, NV = 20, VIEWS = 40, PIXELS = NU * NV };
  ct_geometry g = geometry_of(CT_BEAM_CONE, NU, NV, VIEWS);
  ct_error *error = NULL;
  const ct_imperfections o = {.gain = 0.2, .drift = 0.05, .dead = 0.03, .zingers = 2, .counts = true, .seed = 5};
  ct_scan *scan = scan_of("defrise", &g, &o, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->values == CT_VALUES_COUNTS);
  CHECK(ct_scan_get_facts(scan)->flats == CT_SIMULATED_FLATS && ct_scan_get_facts(scan)->darks == CT_SIMULATED_DARKS);
  float *counts = frames_of(scan, CT_FRAME_PROJECTION, VIEWS), *flat = frames_of(scan, CT_FRAME_FLAT, 1),
        *clean = projections_of("defrise", &g, &(ct_imperfections){.counts = false});
  int dead = 0, bright = 0;
  double gain = 0, squares = 0, drift[NU] = {0};
  for (int i = 0; i < PIXELS; i++) {
    if (flat[i] == CT_SIMULATED_OFFSET) {
      dead++;
      continue;
    }
    const double full = (double)flat[i] - CT_SIMULATED_OFFSET, relative = full / CT_SIMULATED_BEAM - 1;
    gain += relative, squares += relative * relative;
    for (int view = 0; view < VIEWS; view++) {
      const double p = -log(((double)counts[view * PIXELS + i] - CT_SIMULATED_OFFSET) / full),
                   off = (double)clean[view * PIXELS + i] - p;
      if (off > 0.35) {
        bright++;
        continue;
      }
      /* exp(off) = 1 + drift view / (views - 1), the same in the whole column. */
      const double grown = (exp(off) - 1) * (VIEWS - 1);
      if (view == VIEWS - 1) drift[i % NU] = grown / (VIEWS - 1);
      CHECK(view > 0 || fabs(grown) < 0.02);
      CHECK(fabs(off) < 0.3);
    }
  }
  CHECK(dead > 8 && dead < 45);
  CHECK(bright > 40 && bright < 130);
  const double alive = PIXELS - dead;
  CHECK_NEAR(gain / alive, 0, 5 * 0.2 / sqrt(alive));
  CHECK_NEAR(sqrt(squares / alive), 0.2, 0.03);
  double spread = 0;
  for (int u = 0; u < NU; u++) spread += drift[u] * drift[u] / NU;
  CHECK_NEAR(sqrt(spread), 0.05, 0.025);
  free(counts);
  free(flat);
  free(clean);
  ct_scan_free(scan);
  ct_geometry_clear(&g);
}

/* A dead column reads nothing in any row of any frame, the others are what they would be without. */
static void test_dead_columns(void) {
  enum { NU = 200, NV = 3, VIEWS = 2, PIXELS = NU * NV };
  ct_geometry g = geometry_of(CT_BEAM_CONE, NU, NV, VIEWS);
  ct_imperfections o = {.gain = 0.1, .drift = 0.02, .dead_columns = 0.1, .counts = true, .seed = 3};
  ct_error *error = NULL;
  ct_scan *scan = scan_of("defrise", &g, &o, &error);
  CHECK_OK(scan);
  o.dead_columns = 0;
  float *views = frames_of(scan, CT_FRAME_PROJECTION, VIEWS), *flat = frames_of(scan, CT_FRAME_FLAT, 1),
        *whole = projections_of("defrise", &g, &o);
  int dead = 0;
  for (int u = 0; u < NU; u++) {
    const bool is_dead = flat[u] == CT_SIMULATED_OFFSET;
    dead += is_dead;
    for (int v = 0; v < NV; v++)
      for (int view = 0; view < VIEWS; view++) {
        const int i = view * PIXELS + v * NU + u;
        CHECK(views[i] == (is_dead ? CT_SIMULATED_OFFSET : whole[i]));
        CHECK((flat[v * NU + u] == CT_SIMULATED_OFFSET) == is_dead);
      }
  }
  CHECK(dead > 5 && dead < 40);
  free(views);
  free(flat);
  free(whole);
  ct_scan_free(scan);
  ct_geometry_clear(&g);
}

/* The axis and the tilt are told beside the truth; the projections are those of the truth. */
static void test_told(void) {
  ct_geometry g = geometry_of(CT_BEAM_FAN, 40, 1, 6);
  ct_error *error = NULL;
  ct_scan *scan = scan_of("discs", &g, &(ct_imperfections){.centre_error = 3.5, .tilt_error = -2}, &error);
  CHECK_OK(scan);
  const ct_geometry *told = &ct_scan_get_facts(scan)->geometry;
  CHECK_NEAR(told->centre_u, g.centre_u + 3.5, 1e-12);
  CHECK_NEAR(told->tilt, g.tilt - 2 * M_PI / 180, 1e-12);
  float *a = frames_of(scan, CT_FRAME_PROJECTION, 6),
        *b = projections_of("discs", &g, &(ct_imperfections){.counts = false});
  for (int i = 0; i < 240; i++) CHECK_NEAR((double)a[i], (double)b[i], 1e-6);
  free(a);
  free(b);
  ct_scan_free(scan);
  ct_geometry_clear(&g);
}

/* A voxelised phantom in place of the exact one: the same projections but for the voxels' size, in every beam. */
static void test_object(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE};
  const ct_grid grid = ct_grid_centred(81, 81, 11, 1, NULL);
  ct_error *error = NULL;
  ct_volume *object = ct_volume_new(&grid, &error);
  CHECK_OK(object);
  CHECK_OK(ct_phantom_voxelise(ct_phantom_find("discs"), radius, mu, 4, object, NULL, &error));
  for (int b = 0; b < 3; b++) {
    ct_geometry g = geometry_of(beams[b], 48, beams[b] == CT_BEAM_FAN ? 1 : 3, 9);
    const ct_imperfections none = {.counts = false};
    ct_phantom_scan_request request = {.object = object,
                                       .radius = radius,
                                       .mu = mu,
                                       .geometry = &g,
                                       .sub = 1,
                                       .imperfections = &none,
                                       .title = "object"};
    ct_scan *scan = ct_phantom_scan(&request, NULL, &error);
    CHECK_OK(scan);
    float *a = frames_of(scan, CT_FRAME_PROJECTION, 9), *e = projections_of("discs", &g, &none);
    double squares = 0, off = 0;
    const int count = 9 * g.nu * g.nv;
    for (int i = 0; i < count; i++) squares += (double)e[i] * (double)e[i], off += pow((double)a[i] - (double)e[i], 2);
    printf("# beam %d: %.2e of the line integrals\n", (int)beams[b], sqrt(off / squares));
    CHECK(squares > 0 && sqrt(off / squares) < 0.02);
    const ct_imperfections moved = {.motion = 1};
    request.imperfections = &moved;
    CHECK(!ct_phantom_scan(&request, NULL, &error) && strstr(error->message, "motion"));
    ct_error_clear(&error);
    request.imperfections = &none;
    if (beams[b] == CT_BEAM_FAN) {
      g.sod = 50;
      CHECK(!ct_phantom_scan(&request, NULL, &error) && strstr(error->message, "the source is 50 mm"));
      ct_error_clear(&error);
      g.sod = 200;
    }
    if (beams[b] == CT_BEAM_CONE) {
      ct_volume_data(object)[77] = NAN;
      CHECK(!ct_phantom_scan(&request, NULL, &error) && strstr(error->message, "voxel 77"));
      ct_error_clear(&error);
    }
    free(a);
    free(e);
    ct_scan_free(scan);
    ct_geometry_clear(&g);
  }
  ct_volume_free(object);
}

static void test_refusals(void) {
  ct_geometry g = geometry_of(CT_BEAM_FAN, 40, 1, 6);
  size_t count;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  CHECK(count == 18);
  for (size_t n = 0; n < count; n++)
    for (int k = 0; k < 3; k++) {
      const double wrong[] = {rows[n].low - 1, rows[n].high + 1 + rows[n].high * 1e-9, NAN};
      ct_error *error = NULL;
      ct_imperfections o = {.counts = true};
      memcpy((char *)&o + rows[n].offset, &wrong[k], sizeof(double));
      CHECK(!ct_imperfections_check(&o, &g, &error) && error && strstr(error->message, rows[n].title));
      ct_error_clear(&error);
      if (!rows[n].counts) continue;
      o = (ct_imperfections){.counts = false};
      memcpy((char *)&o + rows[n].offset, &rows[n].high, sizeof(double));
      CHECK(!ct_imperfections_check(&o, &g, &error) && strstr(error->message, "raw counts"));
      ct_error_clear(&error);
    }
  CHECK(!ct_imperfections_any(&(ct_imperfections){.photons = 5, .aluminium = 2.5, .seed = 9}));
  CHECK(ct_imperfections_any(&(ct_imperfections){.lag = 0.1}));
  ct_geometry_clear(&g);
}

/* What a slider may be moved for. */
static void test_what_matters(void) {
  size_t count;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  ct_imperfections without = {0}, with = {.kilovolts = 80};
  for (size_t n = 0; n < count; n++) {
    const ct_imperfection *row = &rows[n];
    const bool filter =
        row->offset == offsetof(ct_imperfections, aluminium) || row->offset == offsetof(ct_imperfections, copper);
    const bool spot = row->offset == offsetof(ct_imperfections, focal_spot),
               motion = row->offset == offsetof(ct_imperfections, motion);
    CHECK(ct_imperfection_matters(&without, row, CT_BEAM_CONE, true) == !filter);
    CHECK(ct_imperfection_matters(&with, row, CT_BEAM_FAN, true));
    CHECK(ct_imperfection_matters(&with, row, CT_BEAM_PARALLEL, true) == !spot);
    CHECK(ct_imperfection_matters(&with, row, CT_BEAM_CONE, false) == !motion);
  }
}

static const ct_test tests[] = {
    {"what can change nothing is told beforehand", test_what_matters},
    {"attenuation is NIST's at its energies", test_attenuation},
    {"shares and factors of a spectrum", test_spectrum},
    {"line integrals are those of a polychromatic sum", test_hardening},
    {"scatter has the share that is set", test_scatter},
    {"blurs have the width that is set", test_blurs},
    {"a focal spot is magnified", test_focal_spot},
    {"lag and motion, view by view", test_lag_and_motion},
    {"noise of photons and electronics", test_noise},
    {"gain, drift, dead pixels and zingers", test_detector},
    {"dead columns", test_dead_columns},
    {"an axis and a tilt that are told wrongly", test_told},
    {"a volume in place of a phantom", test_object},
    {"numbers out of range are refused", test_refusals},
};
CT_TEST_MAIN(tests)
