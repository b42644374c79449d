/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons: what their files may say, what is measured against numbers known in another way, and every claim of the
 * lessons that the program brings. */
#include "app/lesson/claim.h"
#include "app/lesson/lesson.h"
#include "tests/io/files.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A lesson of one step whose further keys are `step`. */
static gantry_lesson *parse_step(const char *step, ct_error **error) {
  char text[2048];
  snprintf(text, sizeof text,
           "{\"gantry_lesson\": 1, \"title\": \"T\", \"steps\": [{\"title\": \"S\", \"text\": \"W\"%s%s}]}",
           *step ? ", " : "", step);
  return gantry_lesson_parse(text, "t.json", error);
}

static void reads_what_is_there(void) {
  ct_error *error = NULL;
  gantry_lesson *lesson = gantry_lesson_parse(
      "{\"gantry_lesson\": 1, \"title\": \"Noise\", \"scan\": {\"views\": 90, \"geometry\": \"fan\"}, \"steps\": [\n"
      "{\"title\": \"One\", \"text\": [\"a\", \"b\", \"\", \"c\"], \"formula\": \"μ\", \"scan\": {\"noise\": 1e4},"
      " \"plan\": {\"filter.window\": \"hann\"}, \"slice\": \"coronal 3.5\", \"show\": [\"sinogram\", \"filter\"],"
      " \"grey\": [0, 0.02], \"line\": [0, 1, 2, 3], \"look\": [\"Window\", [1.5, -2]], \"question\": \"Q\", "
      "\"answer\": \"A\","
      " \"claims\": [{\"says\": \"less\", \"check\": \"2 * rmse(0, 0, 5){views=45, window=cosine} < -3e-1\"}]},\n"
      "{\"title\": \"Two\", \"text\": \"t\"}]}",
      "n.json", &error);
  CHECK_OK(lesson);
  const gantry_lesson_step *one = &lesson->steps[0], *two = &lesson->steps[1];
  CHECK(lesson->count == 2 && !strcmp(one->text, "a b\n\nc") && !strcmp(one->formula, "μ"));
  CHECK(one->state.simulation.views == 90 && two->state.simulation.views == 90);
  CHECK(one->state.simulation.imperfections.photons == 1e4 && two->state.simulation.imperfections.photons == 0);
  CHECK(one->state.plan.filter.window == CT_WINDOW_HANN && two->state.plan.filter.window == CT_WINDOW_RAM_LAK);
  CHECK(one->state.plane == CT_CORONAL && one->state.position == 3.5 && two->state.plane == CT_AXIAL);
  CHECK(one->page_count == 2 && !strcmp(one->pages[1]->id, "filter") && one->look_count == 2);
  CHECK(!strcmp(one->looks[0].name, "Window") && !one->looks[1].name && one->looks[1].place[1] == -2);
  CHECK(one->grey[1] == 0.02 && one->line[3] == 3 && isnan(two->grey[0]) && isnan(two->line[0]));
  const gantry_claim *claim = &one->claims[0];
  CHECK(claim->relation == GANTRY_CLAIM_BELOW && claim->left.factor == 2 && claim->left.count == 3);
  CHECK(claim->left.state.simulation.views == 45 && claim->left.state.plan.filter.window == CT_WINDOW_COSINE);
  CHECK(!claim->right.quantity && claim->right.factor == -0.3 && claim->right.state.simulation.views == 90);
  gantry_lesson_free(lesson);
}

static void says_what_is_wrong(void) {
  static const struct {
    const char *step, *words;
  } cases[] = {
      {"\"txt\": \"x\"", "\"txt\" is no key here; there are title, text"},
      {"\"scan\": {\"views\": 0}", "step 1 \"S\": \"scan\": \"views\" must be a whole number from 1 to 1e+06"},
      {"\"scan\": {\"views\": 4.5}", "whole number"},
      {"\"scan\": {\"veiws\": 4}", "A scan has no \"veiws\""},
      {"\"scan\": {\"phantom\": \"cat\"}", "there are shepp-logan,"},
      {"\"scan\": {\"geometry\": \"free\"}", "parallel, fan or cone"},
      {"\"scan\": {\"sod\": \"auto\"}", "\"sod\" must be a number"},
      {"\"scan\": {\"seed\": []}", "single value"},
      {"\"scan\": {\"geometry\": \"cone\", \"sod\": 900}", "step 1"},
      {"\"scan\": [1]", "\"scan\" must be"},
      {"\"plan\": {\"filter.window\": \"han\"}", "han"},
      {"\"plan\": {\"filter.wndow\": \"hann\"}", "filter.wndow"},
      {"\"slice\": \"diagonal\"", "axial, coronal or sagittal"},
      {"\"slice\": \"axial x\"", "\"slice\" must be a number"},
      {"\"show\": [\"sinograms\"]", "\"show\" lists projection, sinogram"},
      {"\"show\": \"sinogram\"", "must be a list"},
      {"\"grey\": [1, 1]", "black the lower one"},
      {"\"grey\": [1]", "list of 2 numbers"},
      {"\"line\": [1, 2, 3, \"x\"]", "list of 4 numbers"},
      {"\"look\": [[1]]", "names of controls and places"},
      {"\"question\": \"Q\"", "\"answer\" is missing"},
      {"\"answer\": \"A\"", "has no \"question\""},
      {"\"title\": \"again\"", "duplicate"},
      {"\"claims\": [{\"says\": \"s\"}]", "claim 1: \"check\" is missing"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rms < 1\"}]", "claim 1 \"rms < 1\": nothing is measured at"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse\"}]", "\"<\", \">\" or \"=\" is expected"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"1 < rmse\"}]", "stands left"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse = 1\"}]", "needs how near"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse = 1 +- 0\"}]", "needs how near"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse(1) < 1\"}]", "rmse takes nothing (the circle"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse(1, 2, 3 < 1\"}]", "is not closed"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse{views=45 < 1\"}]", "is not closed"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse{views} < 1\"}]", "KEY=VALUE"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse{vews=2} < 1\"}]", "vews"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse{arc=0} < 1\"}]", "arc"},
      {"\"claims\": [{\"says\": \"s\", \"check\": \"rmse < 1 mm\"}]", "too much behind the claim"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    gantry_lesson *lesson = parse_step(cases[i].step, &error);
    if (lesson) CT_TEST_END(1, "%s was taken", cases[i].step);
    if (!strstr(error->message, cases[i].words) || strncmp(error->message, "t.json: ", 8) != 0)
      CT_TEST_END(1, "%s: %.300s", cases[i].step, error->message);
    ct_error_clear(&error);
  }
}

static void says_what_is_no_lesson(void) {
  ct_error *error = NULL;
  CHECK_FAILS(gantry_lesson_parse("{\n\"gantry_lesson\": 1,\n\"title\" \"x\"}", "a.json", &error), CT_ERROR_FORMAT,
              "a.json: line 3");
  CHECK_FAILS(gantry_lesson_parse("{\"gantry_plan\": 1}", "a.json", &error), CT_ERROR_FORMAT, "no lesson");
  CHECK_FAILS(gantry_lesson_parse("[]", "a.json", &error), CT_ERROR_FORMAT, "no lesson");
  CHECK_FAILS(gantry_lesson_parse("{\"gantry_lesson\": 1, \"title\": \"T\", \"steps\": []}", "a.json", &error),
              CT_ERROR_FORMAT, "one step at least");
  CHECK_FAILS(gantry_lesson_read("/nowhere/a.json", &error), CT_ERROR_IO, "/nowhere/a.json");
}

/* The claim's left side, measured. */
static bool measured(const char *scan, const char *term, double *value, ct_error **error) {
  char step[512];
  gantry_finding finding = {0};
  snprintf(step, sizeof step, "\"scan\": {%s}, \"claims\": [{\"says\": \"s\", \"check\": \"%s > -1e300\"}]", scan,
           term);
  gantry_lesson *lesson = parse_step(step, error);
  gantry_lesson_lab *lab = lesson ? gantry_lesson_lab_new(error) : NULL;
  const bool good =
      lab && gantry_claim_check(lesson->steps[0].claims, &lesson->steps[0].state, lab, &finding, NULL, error);
  *value = finding.left;
  gantry_lesson_lab_free(lab);
  gantry_lesson_free(lesson);
  return good;
}

/* Of the phantoms' tables: radius 64 mm, 160 columns of 0.8 mm, the axis at column 79.5. */
static void measures_what_is_known(void) {
  static const struct {
    const char *scan, *term;
    double value, within;
  } cases[] = {
      {"\"phantom\": \"discs\", \"sub\": 4", "integral(0, 143)", 0.02 * 2 * 27.149, 2e-3},
      {"\"phantom\": \"wire\", \"sub\": 8", "sum(20)", 0.02 * M_PI * 1.28 * 1.28, 1e-3},
      {"\"phantom\": \"wire\", \"sub\": 8", "middle(90)", 79.5 + 0.2013 * 64 / 0.8, 0.02},
      {"\"phantom\": \"discs\"", "truth(-38.4, 0, 6)", 0.018, 1e-6},
      {"\"phantom\": \"discs\"", "mean(-38.4, 0, 6)", 0.018, 6e-5},
      {"\"phantom\": \"discs\"", "bias(-41, -3, -36, 3)", 0, 6e-5},
      {"\"phantom\": \"discs\"", "edge(40, 30, 60, 30)", 0.8, 0.5},
      {"\"phantom\": \"wire\", \"sub\": 8", "width(11, 12.9, 28, 12.9)", 2.56, 0.4},
      {"\"phantom\": \"discs\"", "difference(0, 0, 40)", 0, 1e-12},
      {"\"phantom\": \"discs\"", "difference(0, 0, 40){mu=0.04}", 0.02, 4e-4},
      {"\"phantom\": \"discs\"", "gain(0.25)", 0.125, 1e-3},
      {"\"phantom\": \"discs\"", "gain(1){window=hann}", 0, 1e-6},
      {"\"phantom\": \"discs\", \"centre-error\": 3", "centre{centre.method=scan}", 82.5, 1e-9},
      {"\"phantom\": \"discs\"", "centre{centre.method=scan}", 79.5, 1e-9},
      {"\"phantom\": \"discs\", \"arc\": 360", "weight(7, 80)", 0.5, 1e-3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    double value;
    if (!measured(cases[i].scan, cases[i].term, &value, &error))
      CT_TEST_END(1, "%s: %.300s", cases[i].term, error->message);
    if (!(fabs(value - cases[i].value) <= cases[i].within))
      CT_TEST_END(1, "%s %s: %.9g, not %.9g within %g", cases[i].scan, cases[i].term, value, cases[i].value,
                  cases[i].within);
  }
}

static void says_what_cannot_be_measured(void) {
  ct_error *error = NULL;
  double value;
  CHECK_FAILS(measured("\"views\": 8", "sum(8)", &value, &error), CT_ERROR_ARGUMENT, "the views are 0 to 7");
  CHECK_FAILS(measured("\"views\": 8", "integral(0, 160)", &value, &error), CT_ERROR_ARGUMENT, "0 to 159");
  CHECK_FAILS(measured("\"views\": 8", "mean(500, 0, 1)", &value, &error), CT_ERROR_ARGUMENT, "");
  CHECK_FAILS(measured("\"views\": 8", "difference{columns=80}", &value, &error), CT_ERROR_ARGUMENT, "same voxels");
  CHECK_FAILS(measured("\"views\": 8", "gain(2)", &value, &error), CT_ERROR_ARGUMENT, "share of Nyquist");
}

/* A claim that is wrong must be found out. */
static void finds_what_does_not_hold(void) {
  static const struct {
    const char *check;
    bool holds;
  } cases[] = {
      {"truth(0, 0, 3) < 0.03", true},
      {"truth(0, 0, 3) < 0.01", false},
      {"truth(0, 0, 3) > 0.01", true},
      {"truth(0, 0, 3) > 0.03", false},
      {"truth(0, 0, 3) = 0.0201 +- 1 %", true},
      {"truth(0, 0, 3) = 0.0203 +- 1 %", false},
      {"truth(0, 0, 3) = 0.0201 ± 0.0002", true},
      {"truth(0, 0, 3) = 0.0203 +- 0.0002", false},
      {"2 * truth(0, 0, 3) = truth(0, 0, 3){mu=0.04} +- 0.1 %", true},
      {"2 * truth(0, 0, 3) < truth(0, 0, 3){mu=0.03}", false},
  };
  ct_error *error = NULL;
  gantry_lesson_lab *lab = gantry_lesson_lab_new(&error);
  CHECK_OK(lab);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char step[256];
    gantry_finding finding;
    snprintf(step, sizeof step,
             "\"scan\": {\"phantom\": \"discs\", \"views\": 8}, \"claims\": [{\"says\": \"s\", \"check\": \"%s\"}]",
             cases[i].check);
    gantry_lesson *lesson = parse_step(step, &error);
    CHECK_OK(lesson);
    CHECK_OK(gantry_claim_check(lesson->steps[0].claims, &lesson->steps[0].state, lab, &finding, NULL, &error));
    gantry_lesson_free(lesson);
    if (finding.holds != cases[i].holds) CT_TEST_END(1, "%s", cases[i].check);
  }
  gantry_lesson_lab_free(lab);
}

static void is_cancelled(void) {
  ct_error *error = NULL;
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  gantry_lesson *lesson = parse_step("\"claims\": [{\"says\": \"s\", \"check\": \"rmse < 1\"}]", &error);
  gantry_lesson_lab *lab = gantry_lesson_lab_new(&error);
  CHECK_OK(lesson && lab);
  gantry_finding finding;
  ct_job_cancel(job);
  CHECK_FAILS(gantry_claim_check(lesson->steps[0].claims, &lesson->steps[0].state, lab, &finding, job, &error),
              CT_ERROR_CANCELLED, "");
  gantry_lesson_lab_free(lab);
  gantry_lesson_free(lesson);
  ct_job_free(job);
}

/* The title of the second lesson, and what is told of its file. */
static void opens(const char *title, const char *fault) {
  ct_error *error = NULL;
  gantry_lesson *lesson = gantry_lesson_open(1, &error);
  CHECK(lesson != NULL);
  if (strcmp(lesson->title, title) != 0) CT_TEST_END(1, "\"%s\", not \"%s\"", lesson->title, title);
  CHECK(fault ? error && strstr(error->message, fault) && strstr(error->message, "The built-in lesson") : !error);
  ct_error_clear(&error);
  gantry_lesson_free(lesson);
}

static void put_lesson(const char *folder, const char *inner, const char *content) {
  char path[512];
  snprintf(path, sizeof path, "%s/gantry/lessons%s", folder, inner);
  for (char *slash = strchr(path + strlen(folder), '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) abort();
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  if (!file || fputs(content, file) < 0 || fclose(file) != 0) abort();
}

#define NAMED(title)                                                                                                   \
  "{\"gantry_lesson\": 1, \"title\": \"" title "\", \"steps\": [{\"title\": \"S\", \"text\": \"W\"}]}"

/* Language by language, folder by folder; what is there later must not count yet. */
static void files_replace_lessons(void) {
  char folder[] = "/tmp/gantry-lessons-XXXXXX", own[64], shared[64], list[160];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(own, sizeof own, "%s/own", folder);
  snprintf(shared, sizeof shared, "%s/shared", folder);
  snprintf(list, sizeof list, "relative:%s/none:%s", folder, shared);
  CHECK(mkdir(own, 0700) == 0 && mkdir(shared, 0700) == 0);
  unsetenv("LC_ALL");
  unsetenv("LANGUAGE");
  setenv("XDG_DATA_HOME", own, 1);
  setenv("XDG_DATA_DIRS", list, 1);
  setenv("LC_MESSAGES", "fr_CA.UTF-8", 1);
  opens("Back-projection blurs", NULL);
  put_lesson(shared, "/fr/02-back-projection.json", NAMED("Floue"));
  opens("Floue", NULL);
  put_lesson(shared, "/02-back-projection.json", NAMED("Ours"));
  put_lesson(own, "/02-back-projection.json", NAMED("Mine"));
  opens("Floue", NULL);
  put_lesson(own, "/fr/02-back-projection.json", NAMED("Estompe"));
  opens("Estompe", NULL);
  put_lesson(shared, "/fr_CA/02-back-projection.json", NAMED("Brouillee"));
  opens("Brouillee", NULL);
  put_lesson(own, "/de/02-back-projection.json", NAMED("Unscharf"));
  opens("Brouillee", NULL);
  setenv("LANGUAGE", "nl:de_AT", 1);
  opens("Unscharf", NULL);
  setenv("LC_ALL", "C.UTF-8", 1);
  opens("Mine", NULL);
  put_lesson(own, "/02-back-projection.json", "{\"gantry_lesson\": 1, \"title\": \"Mine\", \"stepps\": []}");
  opens("Back-projection blurs", "lessons/02-back-projection.json: \"stepps\" is no key here");
  remove_tree(folder);
}

/* Every shipped lesson: it reads, is a lesson as the manual tells it, and each of its claims holds. */
static bool step_holds(const gantry_lesson_step *step, char *text, size_t size, ct_error **error) {
  gantry_lesson_lab *lab = gantry_lesson_lab_new(error);
  bool good = lab != NULL;
  for (size_t i = 0; good && i < step->claim_count; i++) {
    gantry_finding finding;
    char found[512];
    good = gantry_claim_check(&step->claims[i], &step->state, lab, &finding, NULL, error);
    if (good && finding.holds) continue;
    snprintf(text, size, "%s, claim \"%s\": %s", step->title, step->claims[i].check,
             good              ? gantry_finding_text(&step->claims[i], &finding, found, sizeof found)
             : error && *error ? (*error)->message
                               : "");
    good = false;
  }
  gantry_lesson_lab_free(lab);
  return good;
}

static void manual_tells_all(void) {
  ct_error *error = NULL;
  char *manual = ct_read_text("docs/lessons.md", 1 << 20, NULL, &error);
  CHECK_OK(manual);
  size_t count;
  const struct gantry_quantity *rows = gantry_quantities(&count);
  char name[80];
  for (size_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "`%s`", rows[i].id);
    if (!strstr(manual, name)) CT_TEST_END(1, "docs/lessons.md lacks the quantity %s", name);
  }
  for (const gantry_lesson_page *page = gantry_lesson_pages; page->id; page++) {
    snprintf(name, sizeof name, "`%s`", page->id);
    if (!strstr(manual, name)) CT_TEST_END(1, "docs/lessons.md lacks the page %s", name);
  }
  ct_free(manual);
}

/* A view, a page below the views, a section of the plan or a parameter. */
static bool is_known(const char *look) {
  static const char *const views[] = {"Axial slice", "Coronal slice", "Sagittal slice",
                                      "Projection",  "Sinogram",      "Scene"};
  size_t count;
  char page[80];
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < sizeof views / sizeof *views; i++)
    if (!strcmp(views[i], look)) return true;
  for (const gantry_lesson_page *p = gantry_lesson_pages; p->id; p++) {
    snprintf(page, sizeof page, "%s page", p->title);
    if (!p->is_view && !strcmp(page, look)) return true;
  }
  for (int i = 0; i < CT_SECTIONS; i++)
    if (!strcmp(ct_section_title((ct_section)i), look)) return true;
  for (size_t i = 0; i < count; i++)
    if (!strcmp(params[i].title, look)) return true;
  return false;
}

static void claims_hold(void) {
  char text[1500];
  for (const gantry_lesson_file *file = gantry_lesson_files; file->name; file++) {
    ct_error *error = NULL;
    gantry_lesson *lesson = gantry_lesson_parse(file->text, file->name, &error);
    CHECK_OK(lesson);
    if (!lesson->summary || lesson->count < 4 || lesson->count > 8)
      CT_TEST_END(1, "%s: a lesson has a summary and four to eight steps", file->name);
    for (size_t i = 0; i < lesson->count; i++) {
      const gantry_lesson_step *step = &lesson->steps[i];
      if (!step->claim_count || !step->question || !step->look_count)
        CT_TEST_END(1, "%s, %s: a step has a claim, a question and something to look at", file->name, step->title);
      for (size_t n = 0; n < step->look_count; n++)
        if (step->looks[n].name && !is_known(step->looks[n].name))
          CT_TEST_END(1, "%s, %s: nothing is called \"%s\"", file->name, step->title, step->looks[n].name);
      if (!step_holds(step, text, sizeof text, &error)) CT_TEST_END(1, "%s, %.450s", file->name, text);
    }
    gantry_lesson_free(lesson);
  }
}

static const ct_test tests[] = {
    {"a lesson is read", reads_what_is_there},
    {"faults of a file are told with step, key and what is allowed", says_what_is_wrong},
    {"what is no lesson is told", says_what_is_no_lesson},
    {"quantities are what phantoms and formulas say", measures_what_is_known},
    {"what cannot be measured is told", says_what_cannot_be_measured},
    {"claims that do not hold are found", finds_what_does_not_hold},
    {"measuring is cancelled", is_cancelled},
    {"the manual tells every quantity and page", manual_tells_all},
    {"files in the data folders replace lessons", files_replace_lessons},
    {"every claim of every lesson holds", claims_hold},
};
CT_TEST_MAIN(tests)
