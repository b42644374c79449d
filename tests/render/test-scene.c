/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene: its places against the geometry's own projection at three angles of every kind of scan, the camera, and
 * what is drawn where. With a folder as argument it writes pictures there, to look at. */
#include "tests/render/canvas.h"
#include "tests/test.h"

#include "recon/geom/shadow.h"
#include "render/scene/renderer.h"

#include <math.h>
#include <string.h>

static const double degree = M_PI / 180;

static const struct {
  const char *name;
  ct_beam beam;
  int rows;
  double centre, tilt;
  bool matrices;
} scans[] = {
    {"parallel", CT_BEAM_PARALLEL, 30, 44.5, 0, false},
    {"parallel, tilted, off centre", CT_BEAM_PARALLEL, 30, 37.25, 0.02, false},
    {"fan", CT_BEAM_FAN, 1, 41, 0, false},
    {"cone", CT_BEAM_CONE, 60, 44.5, 0, false},
    {"cone, tilted", CT_BEAM_CONE, 60, 42, 0.03, false},
    {"displaced", CT_BEAM_CONE, 60, 12, 0, false},
    {"matrices of a cone", CT_BEAM_CONE, 60, 40, 0.01, true},
    {"matrices of parallel rays", CT_BEAM_PARALLEL, 30, 40, 0, true},
};
enum { SCANS = sizeof scans / sizeof *scans, VIEWS = 36 };

static bool make_geometry(int n, ct_geometry *g) {
  ct_geometry beam;
  if (!ct_geometry_init(&beam, scans[n].beam, 90, scans[n].rows, VIEWS, NULL)) return false;
  beam.du = 0.8;
  beam.dv = 0.7;
  beam.tilt = scans[n].tilt;
  beam.centre_u = scans[n].centre;
  beam.sod = scans[n].beam == CT_BEAM_PARALLEL ? 0 : 120;
  beam.sdd = scans[n].beam == CT_BEAM_PARALLEL ? 0 : 300;
  ct_geometry_set_arc(&beam, 20 * degree, 10 * degree);
  if (!scans[n].matrices) {
    *g = beam;
    return true;
  }
  const bool good = ct_geometry_init_matrices(g, beam.nu, beam.nv, VIEWS, NULL);
  for (int view = 0; good && view < VIEWS; view++) ct_geometry_matrix(&beam, view, g->matrices + 12 * (size_t)view);
  g->du = beam.du;
  g->dv = beam.dv;
  ct_geometry_clear(&beam);
  return good;
}

static double from_line(const double point[3], const ctgl_segment *segment) {
  ct_line line;
  double length = 0;
  for (int i = 0; i < 3; i++) {
    line.point[i] = segment->from[i];
    line.direction[i] = segment->to[i] - segment->from[i];
    length += line.direction[i] * line.direction[i];
  }
  for (int i = 0; i < 3; i++) line.direction[i] /= sqrt(length);
  return sqrt(fmax(0, ct_line_distance2(&line, point)));
}

static bool sees(const double matrix[12], const double point[3], double u, double v, bool rows) {
  double a, b, w;
  ct_project(matrix, point, &a, &b, &w);
  return fabs(a - u) < 1e-6 && (!rows || fabs(b - v) < 1e-6);
}

/* The ray through the crosshair ends at the pixel to which the matrix takes it, comes from the source, and passes
 * through the crosshair; the corners of the detector are its outer pixels'. */
static void places_are_those_of_the_geometry(void) {
  for (int n = 0; n < SCANS; n++) {
    ct_geometry g;
    ct_error *error = NULL;
    CHECK(make_geometry(n, &g));
    const ct_grid grid = ct_grid_natural(&g);
    for (int view = 3; view < VIEWS; view += 13) {
      const double cross[3] = {7, -4, scans[n].rows > 1 ? 2.5 : 0}, pointed[2] = {11.25, 0.4 * (g.nv - 1)};
      const ctgl_scene_request request = {&g, &grid, view, {cross[0], cross[1], cross[2]}, pointed};
      ctgl_scene scene;
      double matrix[12], u, v, w, source[3];
      CHECK_OK(ctgl_scene_make(&request, &scene, &error));
      ct_geometry_matrix(&g, view, matrix);
      ct_project(matrix, cross, &u, &v, &w);
      const bool rows = g.nv > 1;
      CHECK_NEAR(scene.ray.u, u, 1e-9);
      if (rows) CHECK_NEAR(scene.ray.v, v, 1e-9);
      CHECK(sees(matrix, scene.ray.line.to, u, v, rows));
      CHECK(scene.ray.seen == (u >= -0.5 && u <= g.nu - 0.5));
      CHECK_BELOW(from_line(cross, &scene.ray.line), 1e-6);
      CHECK(sees(matrix, scene.pointed.line.to, pointed[0], pointed[1], rows));
      CHECK(scene.detector.spreads == ct_geometry_source(&g, view, source));
      if (scene.detector.spreads)
        for (int i = 0; i < 3; i++) CHECK_NEAR(scene.ray.line.from[i], source[i], 1e-9);
      else /* the whole ray is seen in one place */
        CHECK(sees(matrix, scene.ray.line.from, u, v, rows));
      ctgl_segment within;
      double met[2];
      CHECK(ctgl_detector_meets(&scene.detector, &scene.pointed.line, met));
      CHECK_NEAR(met[0], pointed[0], 1e-7);
      CHECK_NEAR(met[1], pointed[1], 1e-7);
      CHECK(ctgl_ray_within(&g, &grid, view, (const double[2]){u, v}, &within));
      CHECK_BELOW(from_line(cross, &within), 1e-6);
      CHECK(sees(matrix, scene.corners[0], -0.5, -0.5, rows));
      CHECK(sees(matrix, scene.corners[2], g.nu - 0.5, g.nv - 0.5, rows));
      for (int k = 0; k < 4; k++) CHECK(sees(matrix, scene.corners[k], k % 3 ? g.nu - 0.5 : -0.5, 0, false));
      ctgl_scene_clear(&scene);
    }
    ct_geometry_clear(&g);
  }
}

/* Of the cone alone: the zone's lines leave the crosshair at its angle to the axis, both ways. */
static void the_shadow_zone_opens_at_the_crosshair(void) {
  for (int n = 0; n < SCANS; n++) {
    ct_geometry g;
    ct_error *error = NULL;
    double edges[2];
    CHECK(make_geometry(n, &g));
    const ct_grid grid = ct_grid_natural(&g);
    const ctgl_scene_request request = {.geometry = &g, .grid = &grid, .cross = {0, 0, 6}};
    ctgl_scene scene;
    CHECK_OK(ctgl_scene_make(&request, &scene, &error));
    CHECK(scene.is_cone == ct_geometry_cone(&g, edges) && (scene.shadow_count > 0) == scene.is_cone);
    if (scene.is_cone) {
      CHECK_NEAR(scene.shadow[1], atan(6 / g.sod), 1e-12);
      for (int k = 0; k < scene.shadow_count; k++) {
        const ctgl_segment *line = &scene.shadow_edges[k];
        const double up = line->to[2] - 6;
        CHECK_NEAR(atan(hypot(line->to[0], line->to[1]) / fabs(up)), atan(6 / g.sod), 1e-9);
        CHECK(k < scene.shadow_count / 2 ? up > 0 : up < 0);
      }
      CHECK(scene.covered_axis[1] > scene.covered_edge[1] && scene.covered_edge[1] > 0);
    }
    ctgl_scene_clear(&scene);
    ct_geometry_clear(&g);
  }
}

/* Source, its way, and how wide the field is, of a circular scan by the numbers that it was made with. */
static void the_gantry_goes_round(void) {
  ct_geometry g;
  ct_error *error = NULL;
  CHECK(make_geometry(3, &g));
  const ct_grid grid = ct_grid_natural(&g);
  for (int view = 0; view < VIEWS; view += 12) {
    const double angle = (20 + 10 * view) * degree;
    const ctgl_scene_request request = {.geometry = &g, .grid = &grid, .view = view};
    ctgl_scene scene;
    CHECK_OK(ctgl_scene_make(&request, &scene, &error));
    const double *source = scene.detector.source;
    CHECK_NEAR(source[0], 120 * sin(angle), 1e-9);
    CHECK_NEAR(source[1], -120 * cos(angle), 1e-9);
    /* Counter-clockwise: towards the source of 5 degrees on. */
    CHECK_NEAR(scene.heading[0], cos(angle + 5 * degree), 1e-9);
    CHECK_NEAR(scene.heading[1], sin(angle + 5 * degree), 1e-9);
    CHECK(scene.path_segments == VIEWS);
    double length = 0;
    for (int k = 0; k < VIEWS; k++) {
      const ctgl_segment *s = &scene.path[k];
      CHECK_NEAR(hypot(s->from[0], s->from[1]), 120, 1e-9);
      length += hypot(s->to[0] - s->from[0], s->to[1] - s->from[1]);
    }
    CHECK_NEAR(length, VIEWS * 2 * 120 * sin(5 * degree), 1e-6);
    CHECK(scene.has_axis);
    CHECK_NEAR(scene.axis.from[0], 0, 1e-12);
    CHECK(scene.axis.from[2] < scene.low[2] && scene.axis.to[2] > scene.high[2]);
    CHECK_NEAR(scene.field, ct_geometry_field_radius(&g), 1e-12);
    double edge[3];
    ctgl_scene_field_point(&scene, 1, 0.7, edge);
    CHECK_NEAR(hypot(edge[0], edge[1]), scene.field, 1e-9);
    CHECK_NEAR(edge[2], scene.high[2], 1e-9);
    ctgl_scene_clear(&scene);
  }
  ct_geometry_clear(&g);
}

/* Half a turn has two ends: the way is not closed over its gap. */
static void gaps_stay_open(void) {
  ct_geometry g;
  ct_error *error = NULL;
  ctgl_scene scene;
  CHECK(make_geometry(3, &g));
  ct_geometry_set_arc(&g, 250 * degree, 5 * degree);
  const ct_grid grid = ct_grid_natural(&g);
  const ctgl_scene_request request = {.geometry = &g, .grid = &grid};
  CHECK_OK(ctgl_scene_make(&request, &scene, &error));
  double length = 0;
  for (int k = 0; k < scene.path_segments; k++)
    length += hypot(scene.path[k].to[0] - scene.path[k].from[0], scene.path[k].to[1] - scene.path[k].from[1]);
  CHECK_NEAR(length, (VIEWS - 1) * 2 * 120 * sin(2.5 * degree), 1e-6);
  ctgl_scene_clear(&scene);
  ct_geometry_clear(&g);
}

static void pictures_lie_on_their_planes(void) {
  const ctgl_picture_frame frame = {4, 3, {2, 1}, {10, 20}};
  const ctgl_corners axial = ctgl_slice_corners(CT_AXIAL, 5, &frame),
                     coronal = ctgl_slice_corners(CT_CORONAL, 5, &frame),
                     sagittal = ctgl_slice_corners(CT_SAGITTAL, 5, &frame);
  const double first[3][3] = {{9, 19.5, 5}, {9, 5, 19.5}, {5, 9, 19.5}},
               third[3][3] = {{17, 22.5, 5}, {17, 5, 22.5}, {5, 17, 22.5}};
  const ctgl_corners *all[3] = {&axial, &coronal, &sagittal};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(all[k]->at[0][i], first[k][i], 1e-12);
      CHECK_NEAR(all[k]->at[2][i], third[k][i], 1e-12);
    }
  const ctgl_segment line = {{-10, 1, 1}, {10, 1, 1}}, beside = {{-10, 9, 1}, {10, 9, 1}};
  const double low[3] = {-2, 0, 0}, high[3] = {3, 4, 4};
  ctgl_segment within;
  CHECK(ctgl_clip_to_box(&line, low, high, &within) && !ctgl_clip_to_box(&beside, low, high, &within));
  CHECK_NEAR(within.from[0], -2, 1e-12);
  CHECK_NEAR(within.to[0], 3, 1e-12);
}

/* The straight looks show what the slices' pictures show; the sphere that is fitted is seen whole. */
static void the_camera_looks_where_it_is_told(void) {
  static const struct {
    ctgl_look look;
    int right, up; /* world axes */
  } looks[] = {{CTGL_LOOK_FRONT, 0, 2}, {CTGL_LOOK_SIDE, 1, 2}, {CTGL_LOOK_TOP, 0, 1}};
  const double centre[3] = {1, 2, 3};
  for (int n = 0; n < 3; n++) {
    ctgl_orbit orbit = {.width = 400, .height = 300};
    ctgl_point at;
    ctgl_orbit_look(&orbit, looks[n].look);
    ctgl_orbit_fit(&orbit, centre, 50);
    double point[3] = {1, 2, 3};
    point[looks[n].right] += 10;
    point[looks[n].up] += 20;
    CHECK(ctgl_orbit_project(&orbit, point, &at));
    CHECK_NEAR(at.x, 200 + 10 * orbit.zoom, 1e-9);
    CHECK_NEAR(at.y, 150 - 20 * orbit.zoom, 1e-9);
    /* About the place under the pointer. */
    ctgl_orbit_zoom(&orbit, at.x, at.y, 1.7);
    const ctgl_point before = at;
    ctgl_segment sight;
    ctgl_orbit_sight(&orbit, at.x, at.y, sight.from, sight.to);
    CHECK_BELOW(from_line(point, &sight), 1e-4);
    CHECK(ctgl_orbit_project(&orbit, point, &at));
    CHECK_NEAR(at.x, before.x, 1e-9);
    CHECK_NEAR(at.y, before.y, 1e-9);
    ctgl_orbit_pan(&orbit, 5, -7);
    CHECK(ctgl_orbit_project(&orbit, point, &at));
    CHECK_NEAR(at.x, before.x + 5, 1e-9);
    CHECK_NEAR(at.y, before.y - 7, 1e-9);
  }
  ctgl_orbit corner = {.width = 400, .height = 300};
  ctgl_orbit_look(&corner, CTGL_LOOK_CORNER);
  ctgl_orbit_fit(&corner, centre, 50);
  double widest = 0;
  for (int k = 0; k < 360; k++) {
    double point[3], right[3], up[3], back[3];
    ctgl_point at;
    ctgl_orbit_axes(&corner, right, up, back);
    for (int i = 0; i < 3; i++) point[i] = centre[i] + 50 * (cos(k * degree) * up[i] + sin(k * degree) * back[i]);
    CHECK(ctgl_orbit_project(&corner, point, &at));
    widest = fmax(widest, fabs(at.y - 150));
  }
  CHECK(widest < 150 && widest > 135);
}

/* Drawing */

typedef struct drawing {
  drawing_canvas canvas;
  ctgl_scene_renderer *renderer;
} drawing;

static void close_drawing(drawing *d) {
  ctgl_scene_renderer_free(d->renderer);
  canvas_close(&d->canvas);
}

#define OPEN(width, height)                                                                                            \
  ct_error *error = NULL;                                                                                              \
  __attribute__((cleanup(close_drawing))) drawing d = {0};                                                             \
  if (!canvas_open(&d.canvas, width, height, &error)) {                                                                \
    char why[400];                                                                                                     \
    snprintf(why, sizeof why, "%s", error ? error->message : "no context");                                            \
    ct_error_clear(&error);                                                                                            \
    SKIP("%s", why);                                                                                                   \
  }                                                                                                                    \
  CHECK_OK(d.renderer = ctgl_scene_renderer_new(&error))

enum { SIDE = 32 };

static void fill(float pixels[SIDE * SIDE], float value) {
  for (int i = 0; i < SIDE * SIDE; i++) pixels[i] = i / SIDE / 8 % 2 == i % SIDE / 8 % 2 ? value : 0.5f * value;
}

/* Slices through the middle of the grid and a projection, all with pictures. */
static bool add_pictures(drawing *d, const ct_geometry *g, const ct_grid *grid, const ctgl_scene *scene,
                         ctgl_scene_look *look, ct_error **error) {
  float pixels[SIDE * SIDE];
  const int size[2] = {SIDE, SIDE};
  const double extent[3] = {grid->nx * grid->dx, grid->ny * grid->dy, grid->nz * grid->dz};
  static const int axes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k <= CTGL_PICTURE_PROJECTION; k++) {
    fill(pixels, 0.4f + 0.2f * (float)k);
    if (!ctgl_scene_renderer_set_picture(d->renderer, (ctgl_picture_kind)k, size, pixels, NULL, error)) return false;
    look->shown[k] = true;
    if (k == CTGL_PICTURE_PROJECTION) {
      const ctgl_picture_frame frame = {SIDE,
                                        SIDE,
                                        {(double)g->nu / SIDE, (double)g->nv / SIDE},
                                        {(double)g->nu / SIDE / 2 - 0.5, (double)g->nv / SIDE / 2 - 0.5}};
      look->corners[k] = ctgl_projection_corners(&scene->detector, &frame);
      continue;
    }
    ctgl_picture_frame frame = {SIDE, SIDE, {0}, {0}};
    for (int i = 0; i < 2; i++) {
      frame.spacing[i] = extent[axes[k][i]] / SIDE;
      frame.origin[i] = scene->low[axes[k][i]] + frame.spacing[i] / 2;
    }
    look->corners[k] = ctgl_slice_corners((ct_plane)k, 0, &frame);
    look->frames[k] = (ctgl_colour){k == 0, k == 1, k == 2, 1};
  }
  return true;
}

static const char *picture_folder;

static void write_picture(const drawing_canvas *canvas, const char *name) {
  char path[512];
  if (!picture_folder) return;
  snprintf(path, sizeof path, "%s/%s.ppm", picture_folder, name);
  FILE *file = fopen(path, "wb");
  if (!file) return;
  fprintf(file, "P6 %d %d 255\n", canvas->width, canvas->height);
  for (int i = 0; i < canvas->width * canvas->height; i++) fwrite(canvas->pixels + 4 * i, 1, 3, file);
  fclose(file);
}

static bool is_lit(const drawing_canvas *canvas, ctgl_point at, int r, int g, int b) {
  return canvas_is(canvas, (int)at.x, (int)at.y, r, g, b, 40);
}

/* Every kind of scan: the source's colour is where the camera projects it, the crosshair's and its pixel's likewise. */
static void things_are_drawn_where_they_are(void) {
  OPEN(420, 340);
  for (int n = 0; n < SCANS; n++) {
    ct_geometry g;
    CHECK(make_geometry(n, &g));
    const ct_grid grid = ct_grid_natural(&g);
    const ctgl_scene_request request = {&g, &grid, 4, {7, -4, 0}, NULL};
    ctgl_scene scene;
    ctgl_scene_look look = {
        .camera = {.width = 420, .height = 340}, .high = 1, .projection_high = 1, .scale_bar = true};
    ctgl_point at;
    CHECK_OK(ctgl_scene_make(&request, &scene, &error));
    ctgl_orbit_look(&look.camera, CTGL_LOOK_CORNER);
    ctgl_orbit_fit_points(&look.camera, scene.turn, scene.turn_points);
    for (int k = 0; k < scene.turn_points; k++)
      CHECK(ctgl_orbit_project(&look.camera, scene.turn[k], &at) && at.x > 0 && at.y > 0 && at.x < 420 && at.y < 340);
    CHECK_OK(add_pictures(&d, &g, &grid, &scene, &look, &error));
    glBindFramebuffer(GL_FRAMEBUFFER, d.canvas.framebuffer);
    CHECK_OK(ctgl_scene_renderer_draw(d.renderer, &scene, &look, &error));
    canvas_read(&d.canvas);
    write_picture(&d.canvas, scans[n].name);
    if (scene.detector.spreads) {
      CHECK(ctgl_orbit_project(&look.camera, scene.detector.source, &at) && is_lit(&d.canvas, at, 255, 209, 77));
    }
    CHECK(ctgl_orbit_project(&look.camera, scene.ray.line.to, &at) && is_lit(&d.canvas, at, 255, 237, 158));
    CHECK(ctgl_orbit_project(&look.camera, scene.cross, &at) && is_lit(&d.canvas, at, 255, 237, 158));
    CHECK(d.canvas.complaints == 0);
    ctgl_scene_clear(&scene);
    ct_geometry_clear(&g);
  }
}

/* From the top the axial slice fills the middle, whatever lies below it; without it the pixel is another's. */
static void what_is_nearer_hides_what_is_farther(void) {
  OPEN(200, 200);
  ct_geometry g;
  ctgl_scene scene;
  ctgl_scene_look look = {.camera = {.width = 200, .height = 200}, .high = 1, .projection_high = 1};
  CHECK(make_geometry(3, &g));
  const ct_grid grid = ct_grid_natural(&g);
  const ctgl_scene_request request = {&g, &grid, 0, {30, 30, 0}, NULL};
  CHECK_OK(ctgl_scene_make(&request, &scene, &error));
  ctgl_orbit_look(&look.camera, CTGL_LOOK_TOP);
  ctgl_orbit_fit(&look.camera, scene.middle, scene.reach);
  CHECK_OK(add_pictures(&d, &g, &grid, &scene, &look, &error));
  glBindFramebuffer(GL_FRAMEBUFFER, d.canvas.framebuffer);
  for (int hidden = 0; hidden < 2; hidden++) {
    look.shown[CTGL_PICTURE_AXIAL] = !hidden;
    CHECK_OK(ctgl_scene_renderer_draw(d.renderer, &scene, &look, &error));
    canvas_read(&d.canvas);
    write_picture(&d.canvas, hidden ? "top, no slice" : "top");
    /* A place within the box of the axial slice's pattern, off all lines. */
    const double place[3] = {9, 5, 0};
    ctgl_point at;
    CHECK(ctgl_orbit_project(&look.camera, place, &at));
    const int grey = canvas_at(&d.canvas, (int)at.x, (int)at.y)[0];
    CHECK(hidden ? grey == 0 : grey == 102 || grey == 51);
  }
  ctgl_scene_clear(&scene);
  ct_geometry_clear(&g);
}

/* A ball of value 1 and radius 0.6 of the box's half side, in a box about the isocentre: seen from the front, a disc of
 * that radius, whichever way it is shown, and nothing beside it. */
static void the_volume_is_drawn_in_its_box(void) {
  enum { N = 24 };
  OPEN(200, 200);
  ct_geometry g;
  ctgl_scene scene;
  ctgl_scene_look look = {.camera = {.width = 200, .height = 200}, .high = 1, .threshold = 0.5};
  float *values = malloc(sizeof *values * N * N * N);
  const int size[3] = {N, N, N};
  CHECK(values && make_geometry(3, &g));
  for (int k = 0; k < N * N * N; k++) {
    const double x = k % N - 11.5, y = k / N % N - 11.5, z = k / N / N - 11.5;
    values[k] = x * x + y * y + z * z < 7.2 * 7.2;
  }
  const double origin[3] = {0};
  const ct_grid grid = ct_grid_centred(N, N, N, 1, origin);
  const ctgl_scene_request request = {&g, &grid, 9, {8, 8, 8}, NULL}; /* the gantry is at right angles */
  CHECK_OK(ctgl_scene_make(&request, &scene, &error));
  CHECK_OK(ctgl_scene_renderer_set_volume(d.renderer, size, values, scene.low, scene.high, &error));
  free(values);
  ctgl_orbit_look(&look.camera, CTGL_LOOK_FRONT);
  ctgl_orbit_fit(&look.camera, scene.middle, scene.reach);
  glBindFramebuffer(GL_FRAMEBUFFER, d.canvas.framebuffer);
  for (int solid = CTGL_SOLID_NONE; solid < CTGL_SOLIDS; solid++)
    for (int turned = 0; turned < 2; turned++) {
      look.solid = (ctgl_solid)solid;
      look.camera.perspective = turned;
      CHECK_OK(ctgl_scene_renderer_draw(d.renderer, &scene, &look, &error));
      canvas_read(&d.canvas);
      static const double places[3][3] = {{4, 0, 3}, {-5.5, 0, 3}, {9.5, 0, -9}}; /* two in the ball, one beside */
      for (int k = 0; k < 3; k++) {
        ctgl_point at;
        CHECK(ctgl_orbit_project(&look.camera, places[k], &at));
        const int grey = canvas_at(&d.canvas, (int)at.x, (int)at.y)[0];
        CHECK(k < 2 && solid != CTGL_SOLID_NONE ? grey > 100 : grey < 12);
      }
    }
  write_picture(&d.canvas, "ball");
  /* The right half is clipped away; then a corner, towards the eye, is cut off: behind it the ball is
   * seen. */
  static const double right[3] = {4, 0, 3}, left[3] = {-4, 0, 3};
  for (int solid = CTGL_SOLID_MAXIMUM; solid < CTGL_SOLIDS; solid++)
    for (int corner = 0; corner < 2; corner++) {
      look.solid = (ctgl_solid)solid;
      look.part =
          corner ? (ctgl_solid_part){.corner = true, .at = {-1, 20, -1}} : (ctgl_solid_part){.off_high = {0.5, 0, 0}};
      CHECK_OK(ctgl_scene_renderer_draw(d.renderer, &scene, &look, &error));
      canvas_read(&d.canvas);
      ctgl_point at;
      CHECK(ctgl_orbit_project(&look.camera, right, &at));
      CHECK(canvas_at(&d.canvas, (int)at.x, (int)at.y)[0] < 12);
      CHECK(ctgl_orbit_project(&look.camera, left, &at));
      CHECK(canvas_at(&d.canvas, (int)at.x, (int)at.y)[0] > 100);
    }
  CHECK_OK(ctgl_scene_renderer_set_volume(d.renderer, size, NULL, NULL, NULL, &error));
  CHECK(d.canvas.complaints == 0);
  ctgl_scene_clear(&scene);
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"places are those of the geometry", places_are_those_of_the_geometry},
    {"the shadow zone opens at the crosshair", the_shadow_zone_opens_at_the_crosshair},
    {"the gantry goes round", the_gantry_goes_round},
    {"gaps stay open", gaps_stay_open},
    {"pictures lie on their planes", pictures_lie_on_their_planes},
    {"the camera looks where it is told", the_camera_looks_where_it_is_told},
    {"things are drawn where they are", things_are_drawn_where_they_are},
    {"the volume is drawn in its box", the_volume_is_drawn_in_its_box},
    {"what is nearer hides what is farther", what_is_nearer_hides_what_is_farther},
};

int main(int count, char **arguments) {
  picture_folder = count > 1 ? arguments[1] : NULL;
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
