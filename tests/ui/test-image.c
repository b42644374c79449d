/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures and the shared display settings; needs no screen. */
#include "tests/test.h"
#include "ui/free-beam.h"
#include "ui/number-text.h"
#include "ui/oblique.h"
#include "ui/slice-view.h"

#include <math.h>

/* Where the address sanitizer watches, an allocation that is too large fails as it does without it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

static void test_planes_of_a_grid(void) {
  const ct_grid grid = {4, 5, 6, 0.5, 1, 2, -3, 7, 11};
  g_autoptr(GantryImage) axial = gantry_image_new_for_plane(&grid, CT_AXIAL, 2);
  g_autoptr(GantryImage) coronal = gantry_image_new_for_plane(&grid, CT_CORONAL, 3);
  g_autoptr(GantryImage) sagittal = gantry_image_new_for_plane(&grid, CT_SAGITTAL, 99);
  CHECK(axial && coronal && sagittal);
  CHECK(axial->kind == GANTRY_VIEW_AXIAL && axial->width == 4 && axial->height == 5 && axial->index == 2);
  CHECK(coronal->kind == GANTRY_VIEW_CORONAL && coronal->width == 4 && coronal->height == 6);
  CHECK(sagittal->kind == GANTRY_VIEW_SAGITTAL && sagittal->width == 5 && sagittal->height == 6 &&
        sagittal->index == 3);
  CHECK_NEAR(axial->position, 15, 1e-12);
  CHECK_NEAR(coronal->position, 10, 1e-12);
  CHECK_NEAR(sagittal->position, -1.5, 1e-12);
  CHECK(axial->spacing_x == 0.5 && axial->spacing_y == 1 && axial->origin_x == -3 && axial->origin_y == 7);
  CHECK(coronal->spacing_x == 0.5 && coronal->spacing_y == 2 && coronal->origin_x == -3 && coronal->origin_y == 11);
  CHECK(sagittal->spacing_x == 1 && sagittal->spacing_y == 2 && sagittal->origin_x == 7 && sagittal->origin_y == 11);
}

static void test_sample(void) {
  g_autoptr(GantryImage) image = gantry_image_new(3, 2);
  CHECK(image);
  image->spacing_x = 2;
  image->spacing_y = 4;
  image->origin_x = 10;
  image->origin_y = -20;
  const float pixels[] = {1, 2, 4, 8, 16, NAN};
  memcpy(image->pixels, pixels, sizeof pixels);
  CHECK_NEAR(gantry_image_sample(image, 10, -20), 1, 0);
  CHECK_NEAR(gantry_image_sample(image, 11, -20), 1.5, 1e-12);
  CHECK_NEAR(gantry_image_sample(image, 10, -18), 4.5, 1e-12);
  CHECK_NEAR(gantry_image_sample(image, 11, -18), (1 + 2 + 8 + 16) / 4.0, 1e-12);
  /* Exactly on a pixel a broken neighbour does not count; between them it does. */
  CHECK_NEAR(gantry_image_sample(image, 14, -20), 4, 0);
  CHECK_NEAR(gantry_image_sample(image, 12, -16), 16, 0);
  CHECK(isnan(gantry_image_sample(image, 13, -18)));
  /* To the edge of the outermost pixel, and not beyond. */
  CHECK_NEAR(gantry_image_sample(image, 9.01, -21.9), 1, 0);
  CHECK(isnan(gantry_image_sample(image, 8.99, -20)) && isnan(gantry_image_sample(image, 10, -22.1)));
  CHECK(isnan(gantry_image_sample(image, NAN, -20)));
}

/* Between the last pixels within the volume and those beside them there is nothing of what is stored beside it. */
static void test_sample_of_a_cut(void) {
  const ct_grid grid = {12, 9, 7, 0.5, 0.75, 1, -3, 2, 1};
  const GantryPose pose = {0.6, 0.9};
  const ct_oblique plane = ct_oblique_through(&grid, (const double[]){-0.5, 5, 4}, pose.rotation, pose.tilt);
  g_autoptr(GantryImage) image = gantry_image_new_for_oblique(&plane, &pose, &grid);
  CHECK(image);
  int held = 0;
  for (int j = 0; j < image->height; j++) {
    int first, end;
    gantry_image_row_held(image, j, &first, &end);
    for (int i = 0; i < image->width; i++)
      image->pixels[j * image->width + i] = i >= first && i < end ? 3 : i % 2 ? 1000 : NAN;
    held += end - first;
  }
  CHECK(held > 20 && held < image->width * image->height - 20);
  int inside = 0;
  for (double y = -1; y < image->height; y += 0.3)
    for (double x = -1; x < image->width; x += 0.3) {
      const double s = image->origin_x + x * image->spacing_x, t = image->origin_y + y * image->spacing_y;
      const double smooth = gantry_image_shown_value(image, s, t, TRUE),
                   sharp = gantry_image_shown_value(image, s, t, FALSE);
      const gboolean holds = gantry_image_holds(image, s, t);
      if (holds ? !(fabs(smooth - 3) < 1e-12 && sharp == 3) : !(isnan(smooth) && isnan(sharp)))
        CT_TEST_END(1, "at (%g, %g): %g, between pixels %g", x, y, sharp, smooth);
      inside += holds;
    }
  CHECK(inside > 5 * held);
}

static gpointer hold_and_drop(gpointer data) {
  for (int i = 0; i < 20000; i++) gantry_image_unref(gantry_image_ref(data));
  gantry_image_unref(data);
  return NULL;
}

static void test_references_from_threads(void) {
  GantryImage *image = gantry_image_new(2, 2);
  CHECK(image);
  GThread *threads[4];
  for (int i = 0; i < 4; i++) threads[i] = g_thread_new("holder", hold_and_drop, gantry_image_ref(image));
  for (int i = 0; i < 4; i++) g_thread_join(threads[i]);
  image->pixels[3] = 5;
  CHECK_NEAR(gantry_image_sample(image, 1, 1), 5, 0);
  GValue value = G_VALUE_INIT;
  g_value_init(&value, GANTRY_TYPE_IMAGE);
  g_value_set_boxed(&value, image);
  CHECK(g_value_get_boxed(&value) == image);
  g_value_unset(&value);
  gantry_image_unref(image);
}

static void test_too_large(void) {
  CHECK(!gantry_image_new(G_MAXINT, G_MAXINT));
}

static void count(gpointer object, int *counter) {
  ++*counter;
}

static void test_display_says_changes_once(void) {
  g_autoptr(GantryDisplay) display = gantry_display_new();
  int changes = 0, moves = 0, profiles = 0;
  g_signal_connect(display, "changed", G_CALLBACK(count), &changes);
  g_signal_connect(display, "cross-moved", G_CALLBACK(count), &moves);
  g_signal_connect(display, "profile-changed", G_CALLBACK(count), &profiles);
  for (int twice = 0; twice < 2; twice++) {
    gantry_display_set_window(display, 0.5, 0.25);
    gantry_display_set_projection_window(display, 3, 4);
    gantry_display_set_range(display, CTGL_SCALE_DIFFERENCE, 0.1);
    gantry_display_set_colour_map(display, "viridis");
    gantry_display_set_smooth(display, TRUE);
    gantry_display_set_mode(display, CTGL_SHOW_SWIPE);
    gantry_display_set_swipe(display, 3);
    gantry_display_set_show_crosshair(display, FALSE);
    gantry_display_set_cross(display, (double[3]){1, NAN, 3});
    gantry_display_set_profile(display, GANTRY_VIEW_CORONAL, (ctgl_point){1, 2}, (ctgl_point){3, 4});
  }
  CHECK(changes == 10 && moves == 1 && profiles == 1);
  double low, high, cross[3];
  gantry_display_get_window(display, &low, &high);
  CHECK(low == 0.25 && high == 0.5);
  gantry_display_get_cross(display, cross);
  CHECK(cross[0] == 1 && cross[1] == 0 && cross[2] == 3);
  CHECK(gantry_display_get_swipe(display) == 1 && !gantry_display_get_show_crosshair(display));
  ctgl_point from, to;
  CHECK(gantry_display_get_profile(display, &from, &to) == GANTRY_VIEW_CORONAL && from.y == 2 && to.x == 3);
  /* Nonsense changes nothing. */
  gantry_display_set_window(display, NAN, 1);
  gantry_display_set_range(display, CTGL_SCALE_DIFFERENCE, -1);
  gantry_display_set_colour_map(display, "rainbow");
  gantry_display_set_swipe(display, NAN);
  CHECK(changes == 10 && strcmp(gantry_display_get_colour_map(display), "viridis") == 0);
}

/* A lamp that is brighter on the right by a third, a disc of at most 1.6 in the middle, binned by two from row 10 on.
 */
static GantryImage *make_projection(void) {
  GantryImage *image = gantry_image_new(64, 48);
  image->spacing_x = image->spacing_y = 2;
  image->origin_x = 0.5, image->origin_y = 10.5;
  image->integrals = TRUE;
  for (int y = 0; y < 48; y++)
    for (int x = 0; x < 64; x++) {
      const double r = hypot(x - 31.5, y - 23.5);
      image->pixels[y * 64 + x] = (float)(0.3 * (1 - x / 63.0) + (r < 16 ? 0.1 * sqrt(16 * 16 - r * r) : 0) + 7);
    }
  return image;
}

static void test_free_beam(void) {
  g_autoptr(GantryImage) image = make_projection();
  double evenness;
  /* The corner: a little darker than the bright end, and no cause for doubt. */
  double share = gantry_free_beam_share(image, (const int[]){0, 12, 16, 30}, &evenness);
  CHECK(share > 0.7 && share < 0.85 && evenness > 0.9);
  g_autofree char *none = gantry_free_beam_doubt(share, evenness, 0.1);
  CHECK(!none);
  /* The bright end itself. */
  share = gantry_free_beam_share(image, (const int[]){120, 12, 8, 12}, NULL);
  CHECK(share > 0.97 && share <= 1);
  /* Wholly in the object: dark, though even. */
  share = gantry_free_beam_share(image, (const int[]){56, 50, 14, 14}, &evenness);
  CHECK(share < 0.25 && evenness > 0.8);
  g_autofree char *dark = gantry_free_beam_doubt(share, evenness, NAN);
  CHECK(dark && strstr(dark, "of the brightest light"));
  /* Over its edge: mostly bright, but not even. */
  share = gantry_free_beam_share(image, (const int[]){20, 40, 26, 36}, &evenness);
  CHECK(share > 0.5 && evenness < 0.5);
  g_autofree char *edge = gantry_free_beam_doubt(share, evenness, NAN);
  CHECK(edge && strstr(edge, "parts of it"));
  g_autofree char *turning = gantry_free_beam_doubt(1, 1, 0.6);
  CHECK(turning && strstr(turning, "by 60\u00a0% from view to view"));
  /* Nothing is said where nothing is known. */
  CHECK(isnan(gantry_free_beam_share(image, (const int[]){0, 0, 8, 8}, NULL)));
  image->integrals = FALSE;
  CHECK(isnan(gantry_free_beam_share(image, (const int[]){0, 12, 16, 30}, &evenness)) && isnan(evenness));
  CHECK(!gantry_free_beam_doubt(NAN, NAN, NAN));
  /* Free of noise and of object, and one value that is no number. */
  image->integrals = TRUE;
  for (int i = 0; i < 64 * 48; i++) image->pixels[i] = 0;
  image->pixels[6 * 64 + 3] = NAN;
  share = gantry_free_beam_share(image, (const int[]){0, 12, 16, 30}, &evenness);
  CHECK(share == 1 && evenness == 1);
}

static void test_numbers(void) {
  static const struct {
    const char *printed, *proper;
  } cases[] = {{"-12500.5 mm", "−12\u202f500.5 mm"},
               {"9999", "9999"},
               {"1000000", "1\u202f000\u202f000"},
               {"0.00012", "0.00012"},
               {"1.2e-07", "1.2·10⁻⁷"},
               {"-3e+12 1/mm", "−3·10¹² 1/mm"},
               {"no value", "no value"},
               {"minus infinite", "minus infinite"},
               {"", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    g_autofree char *proper = gantry_proper_number(cases[i].printed);
    if (strcmp(proper, cases[i].proper) != 0) CT_TEST_END(1, "“%s” becomes “%s”", cases[i].printed, proper);
  }
  g_autofree char *value = gantry_quantity_text(-0.00190345, 3, "1/mm"), *count = gantry_count_text(60000);
  g_autofree char *zero = gantry_fixed_text(-0.001, 2), *fixed = gantry_fixed_text(-3.456, 2);
  CHECK(!strcmp(value, "−0.0019 1/mm") && !strcmp(count, "60\u202f000"));
  CHECK(!strcmp(zero, "0.00") && !strcmp(fixed, "−3.46"));
}

static const ct_test tests[] = {
    {"frames of a grid's planes", test_planes_of_a_grid},
    {"bilinear value", test_sample},
    {"value of a plane that leaves its volume", test_sample_of_a_cut},
    {"references are counted across threads", test_references_from_threads},
    {"a picture too large for memory", test_too_large},
    {"numbers are printed as in a book", test_numbers},
    {"a rectangle that holds some of the object is doubted", test_free_beam},
    {"the display tells each change once", test_display_says_changes_once},
};
CT_TEST_MAIN(tests)
