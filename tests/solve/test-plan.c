/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan: the table is sound, text and JSON give every value back, bad values are refused by name, geometry and grid
 * follow. */
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/plan.h"
#include "recon/solve/record.h"

#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_table_is_sound(void) {
  size_t count;
  const ct_param *params = ct_params(&count);
  ct_plan plan;
  ct_plan_init(&plan);
  for (size_t i = 0; i < count; i++) {
    const ct_param *p = params + i;
    CHECK(p->key && p->title && p->unit && p->tip && strlen(p->tip) > 10);
    CHECK(ct_param_find(p->key) == p);
    CHECK(p->offset < sizeof(ct_plan));
    CHECK(i == 0 || p->section >= params[i - 1].section);
    CHECK(ct_param_is_default(&plan, p));
    CHECK((p->type == CT_PARAM_TEXT) == (p->fallback_text != NULL));
    CHECK((p->type == CT_PARAM_CHOICE) == (p->choices != NULL));
    for (size_t k = 0; k < i; k++) CHECK(params[k].offset != p->offset);
    for (const ct_choice *c = p->choices; c && c->id; c++) {
      CHECK(*c->id && *c->title && ct_choice_find(p->choices, c->value) == c);
      CHECK(ct_choice_find_id(p->choices, c->id) == c && !strchr(c->id, ' '));
    }
    /* A default is a valid value. */
    char text[CT_PLAN_TEXT];
    ct_error *error = NULL;
    CHECK(ct_plan_get_text(&plan, p, text, sizeof text));
    CHECK_OK(ct_plan_set_text(&plan, p->key, text, &error));
    CHECK(ct_param_is_default(&plan, p));
  }
  CHECK(!ct_param_find("no.such"));
}

/* Puts a value that is hard to write down into every parameter. */
static void fill(ct_plan *plan, uint64_t seed) {
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    const ct_param *p = params + i;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const double random = (double)(seed >> 11) / 9007199254740992.0;
    if (p->type == CT_PARAM_TEXT)
      ct_plan_set_text(plan, p->key, random < 0.5 ? "some-word" : "other \"word\" é", NULL);
    else if (p->type == CT_PARAM_CHOICE) {
      int n = 0;
      while (p->choices[n].id) n++;
      ct_plan_set_text(plan, p->key, p->choices[(int)(random * n)].id, NULL);
    } else if (p->type == CT_PARAM_REAL)
      ct_param_set_number(plan, p, p->low + (p->high - p->low) * random, NULL);
    else
      ct_param_set_number(plan, p, floor(p->low + (p->high - p->low) * random), NULL);
  }
}

static void json_gives_every_bit_back(void) {
  ct_error *error = NULL;
  for (uint64_t seed = 1; seed < 50; seed++) {
    ct_plan plan, read;
    ct_plan_init(&plan);
    ct_plan_init(&read);
    if (seed > 1) fill(&plan, seed);
    const ct_identity identity = {(char[]){"/scans/a \"b\".h5"}, 123456789012345, 0xfedcba9876543210u};
    char *json = ct_plan_to_json(&plan, &identity, &error);
    CHECK_OK(json);
    ct_identity found = {0};
    CHECK_OK(ct_plan_from_json(&read, &found, json, &error));
    CHECK(ct_plan_equal(&plan, &read));
    CHECK(strcmp(found.path, identity.path) == 0 && found.bytes == identity.bytes &&
          found.checksum == identity.checksum);
    char *again = ct_plan_to_json(&read, &found, &error);
    CHECK_OK(again);
    CHECK(strcmp(json, again) == 0);
    ct_free(json);
    ct_free(again);
    ct_identity_clear(&found);
  }
}

static ct_scan *tiny_scan(const char *path, float value) {
  ct_geometry geometry;
  if (!ct_geometry_init(&geometry, CT_BEAM_PARALLEL, 3, 2, 4, NULL)) return NULL;
  ct_stack *stack = ct_stack_new(3, 2, 4, NULL);
  for (int i = 0; i < 24; i++) ct_stack_data(stack)[i] = value;
  ct_scan *scan = ct_scan_new_memory(&geometry, stack, CT_VALUES_LINE_INTEGRALS, path, NULL);
  ct_geometry_clear(&geometry);
  return scan;
}

/* Files are moved and renamed: what they hold tells whether they are the scan of a plan. */
static void another_scan_is_told(void) {
  static const struct {
    const char *path;
    float value;
    const char *words; /* NULL: it is the same scan */
  } opened[] = {{"/old/a.h5", 1, NULL},
                {"/new/b.h5", 1, NULL},
                {"/new/b.h5", 2, "p.json was made with the scan a.h5, and this is b.h5. "},
                {"/new/a.h5", 2, "p.json was made with the scan /old/a.h5, and this is /new/a.h5, which holds"},
                {"/old/a.h5", 2, "p.json was made when /old/a.h5 held something else"}};
  ct_error *error = NULL;
  ct_identity told;
  ct_scan *scan = tiny_scan("/old/a.h5", 1);
  CHECK_OK(scan && ct_identity_of(scan, &told, &error));
  CHECK(strcmp(told.path, "/old/a.h5") == 0 && told.checksum != 0);
  ct_scan_free(scan);
  for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) {
    char *note;
    CHECK_OK(scan = tiny_scan(opened[i].path, opened[i].value));
    CHECK_OK(ct_identity_compare(&told, "p.json", scan, &note, &error));
    if (!note != !opened[i].words || (note && strncmp(note, opened[i].words, strlen(opened[i].words)) != 0))
      CT_TEST_END(1, "scan %zu: %s", i, note ? note : "no words");
    ct_free(note);
    /* A plan that does not tell was made with any scan; one that tells no place, with another. */
    const ct_identity unknown = {told.path, told.bytes, 0}, nowhere = {NULL, told.bytes, told.checksum};
    CHECK(ct_identity_compare(&unknown, "p.json", scan, &note, &error) && !note);
    CHECK(ct_identity_compare(&nowhere, "p.json", scan, &note, &error) && !note == !opened[i].words);
    ct_free(note);
    ct_scan_free(scan);
  }
  ct_identity_clear(&told);
}

/* A plan whose input has no path is read back, and so is one that says null. */
static void json_of_an_input_without_path(void) {
  ct_error *error = NULL;
  ct_plan plan;
  ct_plan_init(&plan);
  const ct_identity identity = {NULL, 7, 8};
  char *json = ct_plan_to_json(&plan, &identity, &error);
  CHECK_OK(json);
  ct_identity found = {0};
  const bool good = ct_plan_from_json(&plan, &found, json, &error);
  ct_free(json);
  CHECK_OK(good);
  CHECK(!found.path && found.bytes == 7 && found.checksum == 8);
  CHECK_OK(ct_plan_from_json(
      &plan, &found, "{\"gantry_plan\": 1, \"input\": {\"path\": null, \"bytes\": 9}, \"parameters\": {}}", &error));
  CHECK(!found.path && found.bytes == 9);
}

static void a_record_keeps_its_warnings(void) {
  ct_plan plan, read;
  ct_error *error = NULL;
  ct_warnings *warnings = calloc(2, sizeof *warnings);
  ct_plan_init(&plan);
  ct_plan_init(&read);
  plan.bin = 3;
  ct_warnings_add(warnings, CT_WARNING_ARC, "Only 90° of \"180°\".");
  ct_warnings_add(warnings, CT_WARNING_CENTRE, "Not found.");
  char *json = ct_record_to_json(&(ct_record){.plan = &plan, .warnings = warnings}, &error);
  CHECK_OK(json);
  CHECK_OK(ct_plan_from_json(&read, NULL, json, &error));
  CHECK(ct_plan_equal(&plan, &read));
  CHECK_OK(ct_record_read_warnings(json, warnings + 1, &error));
  CHECK(memcmp(warnings, warnings + 1, sizeof *warnings) == 0);
  ct_free(json);
  json = ct_plan_to_json(&plan, NULL, &error);
  CHECK_OK(ct_record_read_warnings(json, warnings + 1, &error));
  CHECK(warnings[1].count == 0);
  CHECK_FAILS(ct_record_read_warnings("{", warnings + 1, &error), CT_ERROR_FORMAT, "JSON");
  ct_free(json);
  free(warnings);
}

static void text_gives_every_bit_back(void) {
  ct_plan plan, read;
  ct_error *error = NULL;
  ct_plan_init(&plan);
  ct_plan_init(&read);
  fill(&plan, 77);
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    char text[CT_PLAN_TEXT];
    CHECK(ct_plan_get_text(&plan, params + i, text, sizeof text));
    CHECK_OK(ct_plan_set_text(&read, params[i].key, text, &error));
  }
  CHECK(ct_plan_equal(&plan, &read));
  ct_param_reset(&read, params + 3);
  CHECK(ct_param_is_default(&read, params + 3) && !ct_plan_equal(&plan, &read));
}

static void bad_values_are_refused_by_name(void) {
  ct_plan plan, before;
  ct_error *error = NULL;
  ct_plan_init(&plan);
  before = plan;
  CHECK_FAILS(ct_plan_set_text(&plan, "filter.cutof", "1", &error), CT_ERROR_ARGUMENT, "filter.cutof");
  CHECK_FAILS(ct_plan_set_text(&plan, "filter.cutoff", "1.5", &error), CT_ERROR_ARGUMENT, "0.01 to 1");
  CHECK_FAILS(ct_plan_set_text(&plan, "filter.cutoff", "0.5x", &error), CT_ERROR_ARGUMENT, "0.5x");
  CHECK_FAILS(ct_plan_set_text(&plan, "filter.cutoff", "auto", &error), CT_ERROR_ARGUMENT, "auto");
  CHECK_FAILS(ct_plan_set_text(&plan, "filter.cutoff", "nan", &error), CT_ERROR_ARGUMENT, "nan");
  CHECK_FAILS(ct_plan_set_text(&plan, "filter.window", "han", &error), CT_ERROR_ARGUMENT, "hamming");
  CHECK_FAILS(ct_plan_set_text(&plan, "reconstruction.nx", "12.5", &error), CT_ERROR_ARGUMENT, "whole number");
  CHECK_FAILS(ct_plan_set_text(&plan, "reconstruction.nx", "1e12", &error), CT_ERROR_ARGUMENT, "65536");
  CHECK_FAILS(ct_plan_set_text(&plan, "reconstruction.mask", "maybe", &error), CT_ERROR_ARGUMENT, "yes or no");
  CHECK_FAILS(ct_plan_set_text(&plan, "reconstruction.kernel", "", &error), CT_ERROR_ARGUMENT, "reconstruction.kernel");
  CHECK(ct_plan_equal(&plan, &before));
}

static void the_last_part_of_a_key_will_do(void) {
  ct_plan plan, full;
  ct_error *error = NULL;
  ct_plan_init(&plan);
  ct_plan_init(&full);
  CHECK_OK(ct_plan_set_text(&plan, "cutoff", "0.25", &error));
  CHECK_OK(ct_plan_set_text(&plan, "method", "sirt", &error));
  CHECK_OK(ct_plan_set_text(&plan, "method", "sweep", &error));
  CHECK_OK(ct_plan_set_text(&full, "filter.cutoff", "0.25", &error));
  CHECK_OK(ct_plan_set_text(&full, "iterative.method", "sirt", &error));
  CHECK_OK(ct_plan_set_text(&full, "centre.method", "sweep", &error));
  CHECK(ct_plan_equal(&plan, &full));
  CHECK(plan.iterative.method == CT_METHOD_SIRT && plan.centre_method == CT_CENTRE_SWEEP);
  CHECK_FAILS(ct_plan_set_text(&plan, "method", "sirtt", &error), CT_ERROR_ARGUMENT, "iterative.method");
  CHECK_FAILS(ct_plan_set_text(&plan, "method", "sirtt", &error), CT_ERROR_ARGUMENT, "centre.method");
  CHECK_FAILS(ct_plan_set_text(&plan, "cutoff", "2", &error), CT_ERROR_ARGUMENT, "filter.cutoff cannot be");
  CHECK_FAILS(ct_plan_set_text(&plan, "off", "1", &error), CT_ERROR_ARGUMENT, "no parameter");
  CHECK_FAILS(ct_plan_set_text(&plan, "", "1", &error), CT_ERROR_ARGUMENT, "no parameter");
  CHECK(ct_plan_equal(&plan, &full));
  /* Every short key means its own parameter, or is refused with it among the candidates. */
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    char text[CT_PLAN_TEXT];
    ct_plan_get_text(&full, params + i, text, sizeof text);
    if (ct_plan_set_text(&plan, strchr(params[i].key, '.') + 1, text, &error)) continue;
    CHECK(strstr(error->message, params[i].key));
    ct_error_clear(&error);
  }
  CHECK(ct_plan_equal(&plan, &full));
}

/* What a plan says of methods stands for the enumerations of the solvers, one choice each. */
static void every_method_has_a_choice(void) {
  const ct_choice *choices = ct_param_find("iterative.method")->choices;
  for (int method = 0; method < CT_METHODS; method++) CHECK(choices[method].id && choices[method].value == method);
  CHECK(!choices[CT_METHODS].id);
  ct_plan plan;
  ct_plan_init(&plan);
  CHECK(plan.iterative.method == CT_METHOD_DIRECT && isnan(plan.iterative.relaxation) &&
        !strcmp(plan.iterative.projector, "auto"));
}

static void bad_json_changes_nothing(void) {
  static const struct {
    const char *json, *words;
    ct_error_code code;
  } bad[] = {
      {"", "line", CT_ERROR_FORMAT},
      {"{", "line 1", CT_ERROR_FORMAT},
      {"[1]", "gantry_plan", CT_ERROR_FORMAT},
      {"{\"parameters\": {}}", "gantry_plan", CT_ERROR_FORMAT},
      {"{\"gantry_plan\": 2, \"parameters\": {}}", "version 2", CT_ERROR_UNSUPPORTED},
      {"{\"gantry_plan\": 1}", "parameters", CT_ERROR_FORMAT},
      {"{\"gantry_plan\": 1, \"parameters\": {\"filter.window\": \"hann\", \"nope\": 1}}", "nope", CT_ERROR_FORMAT},
      {"{\"gantry_plan\": 1,\n\"parameters\": {\"filter.window\": \"hann\",\n \"nope\": 1}}", "line 3: The plan names",
       CT_ERROR_FORMAT},
      {"{\"gantry_plan\": 1,\n\"parameters\": {\"filter.cutoff\": 7}}", "line 2: filter.cutoff", CT_ERROR_ARGUMENT},
      /* The same words elsewhere are not the parameter's. */
      {"{\"gantry_plan\": 1, \"input\": {\"path\": \"\\\"}{\",\n \"parameters\": {\"path\": 1}},\n\"parameters\": {\n"
       " \"filter.window\": \"hann\", \"path\" :1}}",
       "line 4: The plan names", CT_ERROR_FORMAT},
      {"{\"gantry_plan\": 1, \"parameters\": {\"filter.window\": 3}}", "quotes", CT_ERROR_FORMAT},
      {"{\"gantry_plan\": 1, \"parameters\": {\"filter.cutoff\": 7}}", "filter.cutoff", CT_ERROR_ARGUMENT},
      {"{\"gantry_plan\": 1, \"parameters\": {\"filter.cutoff\": null}}", "filter.cutoff cannot be null",
       CT_ERROR_ARGUMENT},
      {"{\"gantry_plan\": 1.0, \"parameters\": {}}", "must be a whole number", CT_ERROR_FORMAT},
      {"{\"gantry_plan\": 1, \"parameters\": {\"scan.bin\": null}}", "scan.bin cannot be null", CT_ERROR_ARGUMENT},
      {"{\"gantry_plan\": 1, \"parameters\": {\"filter.cutoff\": [1]}}", "single value", CT_ERROR_FORMAT},
      {"{\"gantry_plan\": 1, \"parameters\": {\"filter.cutoff\": 0.5, \"filter.cutoff\": 0.6}}", "duplicate",
       CT_ERROR_FORMAT},
  };
  ct_plan plan, before;
  ct_plan_init(&plan);
  before = plan;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ct_error *error = NULL;
    CHECK_FAILS(ct_plan_from_json(&plan, NULL, bad[i].json, &error), bad[i].code, bad[i].words);
    CHECK(ct_plan_equal(&plan, &before));
  }
}

static void files_are_saved_and_loaded(void) {
  char folder[] = "/tmp/gantry-plan-XXXXXX", path[256];
  ct_error *error = NULL;
  CHECK(mkdtemp(folder));
  ct_plan plan, read;
  ct_plan_init(&plan);
  ct_plan_init(&read);
  fill(&plan, 5);
  snprintf(path, sizeof path, "%s/plan.json", folder);
  CHECK_OK(ct_plan_save(&plan, NULL, path, &error));
  CHECK_OK(ct_plan_load(&read, NULL, path, &error));
  CHECK(ct_plan_equal(&plan, &read));
  CHECK(unlink(path) == 0);
  CHECK_FAILS(ct_plan_load(&read, NULL, path, &error), CT_ERROR_IO, "plan.json");
  CHECK(rmdir(folder) == 0);
  CHECK_FAILS(ct_plan_save(&plan, NULL, path, &error), CT_ERROR_IO, "plan.json");
}

static void plans_are_known_by_their_form(void) {
  static const struct {
    const char *text;
    bool plan;
  } files[] = {
      {"{\"gantry_plan\": 1, \"parameters\": {\"nosuch\": 1}}", true},
      {"{\"gantry_plan\": 7}", true},
      {"{\"parameters\": {}}", true},
      {"{\"gantry_plan\": 1, \"parameters\": {\"filter.cutoff\": 0.5,}}", true}, /* no valid JSON */
      {"\xef\xbb\xbf \n{\"gantry_plan\": 1}", true},
      {"ObjectType = Image\nNDims = 3\ngantry_plan = {\"gantry_plan\": 1, \"parameters\": {}}\nElementDataFile = "
       "a.raw\n",
       false},
      {"NRRD0005\ntype: float\ngantry_plan:={\"gantry_plan\": 1}\n", false},
      {"name,value\n\"gantry_plan\",1\n", false},
      {"{\"files\": \"*.tif\", \"comment\": \"for \\\"gantry_plan\\\"\"}", false},
      {"{\"files\": \"*.tif\", \"parameters\": {}}", false},
      {"[\"gantry_plan\"]", false},
      {"{\"beam\": \"cone\",}", false},
      {"", false},
  };
  char folder[] = "/tmp/gantry-plan-XXXXXX", path[256];
  CHECK(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/x.json", folder);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(files[i].text, file) >= 0 && fclose(file) == 0);
    CHECK(ct_plan_is_file(path) == files[i].plan);
  }
  CHECK(unlink(path) == 0 && !ct_plan_is_file(path) && !ct_plan_is_file(folder));
  CHECK(rmdir(folder) == 0);
}

static ct_scan *make_scan(int nu, int nv, int views) {
  ct_geometry g;
  if (!ct_geometry_init(&g, CT_BEAM_PARALLEL, nu, nv, views, NULL)) return NULL;
  ct_geometry_set_arc(&g, 0, M_PI / views);
  ct_stack *stack = ct_stack_new(nu, nv, views, NULL);
  memset(ct_stack_data(stack), 0, ct_stack_bytes(stack));
  ct_scan *scan = ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "test", NULL);
  ct_geometry_clear(&g);
  return scan;
}

static void the_geometry_follows_the_plan(void) {
  ct_scan *scan = make_scan(40, 30, 20);
  ct_plan plan;
  ct_geometry g;
  ct_error *error = NULL;
  ct_plan_init(&plan);
  CHECK_OK(ct_plan_geometry(&plan, scan, &g, &error));
  CHECK(g.beam == CT_BEAM_PARALLEL && g.nu == 40 && g.views == 20);
  ct_geometry_clear(&g);
  static const char *const settings[][2] = {
      {"geometry.beam", "cone"},     {"geometry.sod", "100"},     {"geometry.sdd", "250"},
      {"geometry.pixel_u", "0.5"},   {"geometry.tilt", "2"},      {"geometry.reverse", "yes"},
      {"geometry.angle_step", "18"}, {"centre.method", "manual"}, {"centre.column", "17.5"},
      {"scan.view_step", "2"},       {"scan.first_view", "1"},    {"scan.bin", "2"},
      {"geometry.centre_v", "10"}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    CHECK_OK(ct_plan_set_text(&plan, settings[i][0], settings[i][1], &error));
  CHECK_OK(ct_plan_geometry(&plan, scan, &g, &error));
  CHECK(g.beam == CT_BEAM_CONE && g.nu == 20 && g.nv == 15 && g.views == 10);
  CHECK_NEAR(g.du, 1, 1e-12);
  CHECK_NEAR(g.dv, 1, 1e-12); /* a given width means square pixels */
  CHECK_NEAR(g.centre_u, 18.0 / 2 - 0.5, 1e-12);
  CHECK_NEAR(g.centre_v, 10.5 / 2 - 0.5, 1e-12);
  CHECK_NEAR(g.tilt, 2 * M_PI / 180, 1e-12);
  CHECK_NEAR(g.angles[0], -18 * M_PI / 180, 1e-12);
  CHECK_NEAR(g.angles[1], -54 * M_PI / 180, 1e-12);
  ct_geometry_clear(&g);
  plan.sod = NAN;
  CHECK_FAILS(ct_plan_geometry(&plan, scan, &g, &error), CT_ERROR_ARGUMENT, "geometry.sod");
  plan.sod = 100;
  plan.beam = CT_BEAM_FREE;
  CHECK_FAILS(ct_plan_geometry(&plan, scan, &g, &error), CT_ERROR_ARGUMENT, "matrices");
  plan.beam = CT_BEAM_CONE;
  plan.view_first = 20;
  CHECK_FAILS(ct_plan_geometry(&plan, scan, &g, &error), CT_ERROR_ARGUMENT, "scan.first_view");
  plan.view_first = 0;
  plan.view_count = 11;
  CHECK_FAILS(ct_plan_geometry(&plan, scan, &g, &error), CT_ERROR_ARGUMENT, "scan.view_count");
  ct_scan_free(scan);
}

static void the_grid_follows_the_plan(void) {
  ct_scan *scan = make_scan(40, 30, 20);
  ct_plan plan;
  ct_geometry g;
  ct_grid grid;
  ct_error *error = NULL;
  ct_plan_init(&plan);
  CHECK_OK(ct_plan_geometry(&plan, scan, &g, &error));
  CHECK_OK(ct_plan_grid(&plan, &g, &grid, &error));
  CHECK(grid.nx == 40 && grid.ny == 40 && grid.nz == 30 && grid.dx == 1);
  /* Half the voxels across cover the same field. */
  plan.nx = 20;
  CHECK_OK(ct_plan_grid(&plan, &g, &grid, &error));
  CHECK(grid.nx == 20 && grid.ny == 20 && grid.nz == 15 && grid.dx == 2 && grid.dz == 2);
  /* A given voxel size keeps the field, too. */
  plan.nx = CT_AUTO_INT;
  plan.voxel = 0.5;
  CHECK_OK(ct_plan_grid(&plan, &g, &grid, &error));
  CHECK(grid.nx == 80 && grid.nz == 60);
  /* Both: a region of interest, here off the axis. */
  plan.nx = 16;
  plan.centre_mm[0] = 5;
  plan.nz = 4;
  plan.voxel_z = 1.5;
  CHECK_OK(ct_plan_grid(&plan, &g, &grid, &error));
  CHECK(grid.nx == 16 && grid.nz == 4 && grid.dz == 1.5);
  CHECK_NEAR(grid.x0, 5 - 7.5 * 0.5, 1e-12);
  CHECK_NEAR(grid.z0, -1.5 * 1.5, 1e-12);
  ct_geometry_clear(&g);
  ct_scan_free(scan);
}

/* Plans of before named the border also where flats made that do nothing. */
static void old_plans_keep_their_meaning(void) {
  static const struct {
    const char *text;
    ct_i0_method i0;
  } plans[] = {
      {"{\"gantry_plan\": 1, \"parameters\": {\"corrections.i0\": \"border\"}}", CT_I0_AUTO},
      {"{\"gantry_plan\": 1, \"parameters\": {\"corrections.i0\": \"region\"}}", CT_I0_REGION},
      {"{\"gantry_plan\": 1, \"parameters\": {\"scan.values\": \"auto\", \"corrections.i0\": \"border\"}}",
       CT_I0_BORDER},
  };
  for (int i = 0; i < 3; i++) {
    ct_plan plan;
    ct_plan_init(&plan);
    CHECK(ct_plan_from_json(&plan, NULL, plans[i].text, NULL) && plan.prep.i0 == plans[i].i0);
  }
}

static const ct_test tests[] = {
    {"old plans keep their meaning", old_plans_keep_their_meaning},
    {"the table is sound", the_table_is_sound},
    {"JSON gives every bit back", json_gives_every_bit_back},
    {"another scan than the plan's is told", another_scan_is_told},
    {"JSON of an input without a path is read back", json_of_an_input_without_path},
    {"a record keeps its warnings", a_record_keeps_its_warnings},
    {"text gives every bit back", text_gives_every_bit_back},
    {"bad values are refused by name", bad_values_are_refused_by_name},
    {"the last part of a key will do", the_last_part_of_a_key_will_do},
    {"every method has a choice", every_method_has_a_choice},
    {"bad JSON changes nothing", bad_json_changes_nothing},
    {"files are saved and loaded", files_are_saved_and_loaded},
    {"plans are known by their form", plans_are_known_by_their_form},
    {"the geometry follows the plan", the_geometry_follows_the_plan},
    {"the grid follows the plan", the_grid_follows_the_plan},
};
CT_TEST_MAIN(tests)
