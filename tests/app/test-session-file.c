/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions as files, without a window: what is written is read back; what was cut, damaged, or never was a session is
 * told; files that moved, changed or went are known; a program killed while it writes leaves the session before;
 * windows and programs get files of their own for what they keep while they work. */
#include "tests/test.h"

#include "app/session-file.h"
#include "app/session/autosave-files.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/solve/plan.h"

#include <ftw.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static char *place(const char *name) {
  return g_build_filename(folder, name, NULL);
}

static void make_folder(void) {
  g_strlcpy(folder, "/tmp/gantry-session-XXXXXX", sizeof folder);
  if (!g_mkdtemp(folder)) abort();
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
  return remove(path);
}

static void remove_folder(void) {
  g_autofree char *moved = g_strconcat(folder, "-moved", NULL);
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  nftw(moved, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *name, const char *text) {
  g_autofree char *path = place(name);
  g_file_set_contents(path, text, -1, NULL);
}

/* A session of a scan and two results, one of which was never in a file. */
static gantry_session_file make(const char *title) {
  gantry_session_file file = {.has_scan = true, .view = json_object(), .regions = json_array()};
  g_autofree char *scan = place("scan.h5"), *volume = place("volumes/half.mha");
  file.title = ct_strdup(title, NULL);
  file.scan = ct_strdup(scan, NULL);
  file.description = ct_strdup("{\"layout\": \"sinograms\"}", NULL);
  file.plan = ct_strdup("{\"gantry_plan\": 1, \"parameters\": {}}", NULL);
  file.results = ct_alloc_zero(2, sizeof *file.results, "results", NULL);
  file.count = 2;
  file.results[0].path = ct_strdup(volume, NULL);
  file.results[0].name = ct_strdup("½ \"µ\"", NULL);
  file.results[0].made = file.results[0].is_a = file.results[0].pinned = true;
  file.results[0].views = 120;
  file.results[0].seconds = 0.1;
  file.results[1].title = ct_strdup("nearest", NULL);
  file.results[1].is_b = file.results[1].ticked = true;
  json_object_set_new(file.view, "crosshair", json_pack("[f,f,f]", 1.0 / 3, -2.5, 1e-9));
  json_array_append_new(file.regions, json_pack("{s:s}", "name", "air"));
  return file;
}

static void make_files(void) {
  g_autofree char *volumes = place("volumes");
  g_mkdir(volumes, 0700);
  put("scan.h5", "scan");
  put("volumes/half.mha", "volume");
}

static void is_read_as_written(void) {
  ct_error *error = NULL;
  gantry_session_file file = make("bell"), back;
  g_autofree char *path = place("a.gantry");
  make_files();
  CHECK_OK(gantry_session_file_write(&file, path, &error));
  CHECK(gantry_session_file_is(path));
  CHECK_OK(gantry_session_file_read(&back, path, &error));
  CHECK(!strcmp(back.title, "bell") && !strcmp(back.scan, file.scan) && back.scan_place == GANTRY_PLACE_THERE);
  CHECK(back.description && !strcmp(back.description, file.description));
  CHECK(back.has_scan && !back.example && back.plan && !back.reference && back.count == 2 && !back.note_count);
  const gantry_session_result *half = &back.results[0], *nearest = &back.results[1];
  CHECK(!strcmp(half->path, file.results[0].path) && half->place == GANTRY_PLACE_THERE && half->bytes == 6);
  CHECK(!strcmp(half->name, "½ \"µ\"") && half->made && half->is_a && half->pinned && !half->is_b && !half->ticked);
  CHECK(half->views == 120 && half->seconds == 0.1);
  CHECK(!nearest->path && nearest->place == GANTRY_PLACE_NONE && nearest->is_b && nearest->ticked && !nearest->made);
  CHECK(json_equal(back.view, file.view) && json_equal(back.regions, file.regions));
  gantry_session_file_clear(&back);
  gantry_session_file_clear(&file);
}

/* Nor is anybody waited for who would write into it. */
static void fifos_are_none(void) {
  const char *const names[] = {"x.h5", "x.gantry", "x.json"};
  alarm(20);
  for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autofree char *path = place(names[i]);
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(!gantry_session_file_is(path));
    CHECK(!ct_plan_is_file(path));
  }
  alarm(0);
}

/* Names are any bytes. */
static void names_need_not_be_utf8(void) {
  ct_error *error = NULL;
  gantry_session_file file = make("bell"), back;
  g_autofree char *path = place("s\xe9.gantry"), *scan = place("b\xf6se.h5"), *volume = place("v\xff.mha");
  put("b\xf6se.h5", "scan");
  put("v\xff.mha", "volume");
  ct_free(file.scan);
  ct_free(file.results[0].path);
  file.scan = ct_strdup(scan, NULL);
  file.results[0].path = ct_strdup(volume, NULL);
  CHECK_OK(gantry_session_file_write(&file, path, &error));
  CHECK_OK(gantry_session_file_read(&back, path, &error));
  CHECK(!strcmp(back.scan, scan) && back.scan_place == GANTRY_PLACE_THERE);
  CHECK(!strcmp(back.results[0].path, volume) && back.results[0].place == GANTRY_PLACE_THERE);
  gantry_session_file_clear(&back);
  gantry_session_file_clear(&file);
}

static void moves_with_its_files(void) {
  ct_error *error = NULL;
  gantry_session_file file = make("bell"), back;
  g_autofree char *path = place("a.gantry"), *other = g_strconcat(folder, "-moved", NULL);
  g_autofree char *moved = g_build_filename(other, "a.gantry", NULL), *scan = g_build_filename(other, "scan.h5", NULL);
  make_files();
  CHECK_OK(gantry_session_file_write(&file, path, &error));
  CHECK(g_rename(folder, other) == 0);
  CHECK_OK(gantry_session_file_read(&back, moved, &error));
  CHECK(!strcmp(back.scan, scan) && back.scan_place == GANTRY_PLACE_THERE);
  CHECK(back.results[0].place == GANTRY_PLACE_THERE && g_str_has_prefix(back.results[0].path, other));
  gantry_session_file_clear(&back);
  /* Alone in another place: the files are where they were. */
  CHECK(g_rename(other, folder) == 0 && g_mkdir(other, 0700) == 0 && g_rename(path, moved) == 0);
  CHECK_OK(gantry_session_file_read(&back, moved, &error));
  CHECK(!strcmp(back.scan, file.scan) && back.results[0].place == GANTRY_PLACE_THERE);
  gantry_session_file_clear(&back);
  gantry_session_file_clear(&file);
}

static void changes_are_seen(void) {
  ct_error *error = NULL;
  gantry_session_file file = make("bell"), back;
  g_autofree char *path = place("a.gantry"), *scan = place("scan.h5"), *volume = place("volumes/half.mha");
  make_files();
  CHECK_OK(gantry_session_file_write(&file, path, &error));
  put("volumes/half.mha", "vOlume"); /* as long as before */
  CHECK(g_unlink(scan) == 0);
  CHECK_OK(gantry_session_file_read(&back, path, &error));
  CHECK(back.results[0].place == GANTRY_PLACE_CHANGED && back.scan_place == GANTRY_PLACE_MISSING);
  CHECK(!strcmp(back.scan, scan));
  gantry_session_file_clear(&back);
  CHECK(g_unlink(volume) == 0);
  CHECK_OK(gantry_session_file_read(&back, path, &error));
  CHECK(back.results[0].place == GANTRY_PLACE_MISSING);
  /* What is missing is told again. */
  CHECK_OK(gantry_session_file_write(&back, path, &error));
  gantry_session_file_clear(&back);
  CHECK_OK(gantry_session_file_read(&back, path, &error));
  CHECK(!strcmp(back.scan, scan) && !strcmp(back.results[0].path, volume) && back.results[0].bytes == 6);
  gantry_session_file_clear(&back);
  gantry_session_file_clear(&file);
}

static void cut_and_damaged_ones_are_told(void) {
  ct_error *error = NULL;
  gantry_session_file file = make("bell"), back;
  g_autofree char *path = place("a.gantry"), *cut = place("cut.gantry"), *text = NULL;
  gsize length;
  make_files();
  CHECK_OK(gantry_session_file_write(&file, path, &error));
  CHECK(g_file_get_contents(path, &text, &length, NULL));
  for (gsize n = 0; n + 2 < length; n += 7) {
    g_file_set_contents(cut, text, (gssize)n, NULL);
    CHECK_FAILS(gantry_session_file_read(&back, cut, &error), CT_ERROR_FORMAT, "cut.gantry");
    CHECK(!back.title && !back.count);
  }
  /* One byte is another: either it is told, or the session is read. */
  for (gsize n = 0; n < length; n += 3) {
    g_autofree char *damaged = g_memdup2(text, length);
    damaged[n] = damaged[n] == '}' ? 'x' : '}';
    g_file_set_contents(cut, damaged, (gssize)length, NULL);
    if (gantry_session_file_read(&back, cut, &error)) gantry_session_file_clear(&back);
    ct_error_clear(&error);
  }
  gantry_session_file_clear(&file);
}

static void foreign_ones_are_told(void) {
  static const struct {
    const char *text, *words;
    ct_error_code code;
  } cases[] = {{"", "damaged", CT_ERROR_FORMAT},
               {"[]", "no session", CT_ERROR_FORMAT},
               {"{\"gantry_plan\": 1, \"parameters\": {}}", "no session", CT_ERROR_FORMAT},
               {"{\"gantry_session\": \"1\"}", "whole number", CT_ERROR_FORMAT},
               {"{\"gantry_session\": 2}", "version 2", CT_ERROR_UNSUPPORTED},
               {"{\"gantry_session\": 1, \"gantry_session\": 1}", "duplicate", CT_ERROR_FORMAT}};
  ct_error *error = NULL;
  gantry_session_file file;
  g_autofree char *path = place("foreign.gantry"), *none = place("none.gantry");
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    put("foreign.gantry", cases[i].text);
    CHECK_FAILS(gantry_session_file_read(&file, path, &error), cases[i].code, cases[i].words);
  }
  CHECK_FAILS(gantry_session_file_read(&file, none, &error), CT_ERROR_IO, "none.gantry");
  /* Members of other types than they should be. */
  put("foreign.gantry",
      "{\"gantry_session\": 1, \"scan\": 3, \"plan\": [], \"results\": {}, \"view\": 1, \"regions\": {},"
      " \"title\": 1, \"reference\": \"b\"}");
  CHECK_OK(gantry_session_file_read(&file, path, &error));
  CHECK(!file.has_scan && !file.plan && !file.count && file.note_count == 1 && json_is_object(file.view));
  gantry_session_file_clear(&file);
  put("foreign.gantry", "{\"gantry_session\": 1, \"results\": [1, {\"path\": 2, \"bytes\": -1, \"views\": \"x\", "
                        "\"phantom\": {\"size\": [1e9, 0, 0]}}]}");
  CHECK_OK(gantry_session_file_read(&file, path, &error));
  CHECK(file.count == 1 && !file.results[0].path && !file.results[0].phantom && file.note_count == 1);
  gantry_session_file_clear(&file);
}

static void paths_are_seen_from_the_session(void) {
  static const char *const cases[][3] = {{"/data/a", "/data/a/scan.h5", "scan.h5"},
                                         {"/data/a", "/data/b/scan.h5", "../b/scan.h5"},
                                         {"/data/a/b", "/data/scan.h5", "../../scan.h5"},
                                         {"/data/a", "/data/ab/scan.h5", "../ab/scan.h5"},
                                         {"/data/ab", "/data/a/scan.h5", "../a/scan.h5"},
                                         {"/home/me", "/data/scan.h5", "/data/scan.h5"},
                                         {"/", "/scan.h5", "/scan.h5"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    char *relative = gantry_session_relative(cases[i][0], cases[i][1]);
    const bool same = !strcmp(relative, cases[i][2]);
    ct_free(relative);
    if (!same) CT_TEST_END(1, "%s seen from %s", cases[i][1], cases[i][0]);
  }
}

/* A child writes one session after another until it is killed. */
static void a_kill_leaves_a_whole_one(void) {
  ct_error *error = NULL;
  g_autofree char *path = place("kept.gantry");
  make_files();
  for (int round = 0; round < 8; round++) {
    const pid_t child = fork();
    CHECK(child >= 0);
    for (int n = 0; child == 0; n++) {
      gantry_session_file file = make("child");
      if (!gantry_session_file_write(&file, path, NULL)) _exit(1);
      gantry_session_file_clear(&file);
    }
    while (!g_file_test(path, G_FILE_TEST_EXISTS)) g_usleep(1000);
    g_usleep((gulong)(7000 + 1300 * round));
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    gantry_session_file file;
    CHECK_OK(gantry_session_file_read(&file, path, &error));
    CHECK(!strcmp(file.title, "child") && file.count == 2);
    gantry_session_file_clear(&file);
  }
}

/* The number of files that are offered; they are left again. */
static guint offered(void) {
  g_autoptr(GPtrArray) files = gantry_autosave_files_take(folder, 10);
  for (guint i = 0; i < files->len; i++) gantry_autosave_file_leave(files->pdata[i]);
  return files->len;
}

static void windows_have_files_of_their_own(void) {
  GantryAutosaveFile *one = gantry_autosave_file_new(folder), *other = gantry_autosave_file_new(folder);
  CHECK(one && other && strcmp(one->path, other->path) != 0);
  CHECK(offered() == 0);
  g_file_set_contents(one->path, "{}", -1, NULL);
  g_file_set_contents(other->path, "{}", -1, NULL);
  CHECK(offered() == 0); /* both are held */
  g_autofree char *path = g_strdup(one->path);
  gantry_autosave_file_leave(one);
  CHECK(offered() == 1);
  g_autoptr(GPtrArray) taken = gantry_autosave_files_take(folder, 10);
  CHECK(taken->len == 1 && !strcmp(((GantryAutosaveFile *)taken->pdata[0])->path, path));
  CHECK(offered() == 0); /* it is offered once */
  gantry_autosave_file_remove(taken->pdata[0]);
  CHECK(!g_file_test(path, G_FILE_TEST_EXISTS));
  gantry_autosave_file_remove(other);
  CHECK(offered() == 0);
}

static void killed_programs_leave_theirs(void) {
  int ready[2];
  CHECK(pipe(ready) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    GantryAutosaveFile *mine = gantry_autosave_file_new(folder);
    if (mine) g_file_set_contents(mine->path, "{}", -1, NULL);
    if (write(ready[1], "x", 1) == 1) pause();
    _exit(1);
  }
  char byte;
  CHECK(read(ready[0], &byte, 1) == 1);
  close(ready[0]);
  close(ready[1]);
  CHECK(offered() == 0);
  CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
  CHECK(offered() == 1);
}

/* Each in a folder of its own. */
#define IN_FOLDER(name)                                                                                                \
  static void name##_in_folder(void) {                                                                                 \
    make_folder();                                                                                                     \
    name();                                                                                                            \
    remove_folder();                                                                                                   \
  }
IN_FOLDER(is_read_as_written)
IN_FOLDER(fifos_are_none)
IN_FOLDER(names_need_not_be_utf8)
IN_FOLDER(moves_with_its_files)
IN_FOLDER(changes_are_seen)
IN_FOLDER(cut_and_damaged_ones_are_told)
IN_FOLDER(foreign_ones_are_told)
IN_FOLDER(a_kill_leaves_a_whole_one)
IN_FOLDER(windows_have_files_of_their_own)
IN_FOLDER(killed_programs_leave_theirs)

static const ct_test tests[] = {
    {"a session is read as it was written", is_read_as_written_in_folder},
    {"a FIFO is none", fifos_are_none_in_folder},
    {"names need not be UTF-8", names_need_not_be_utf8_in_folder},
    {"it moves with its files", moves_with_its_files_in_folder},
    {"files that changed or went are seen", changes_are_seen_in_folder},
    {"cut and damaged ones are told", cut_and_damaged_ones_are_told_in_folder},
    {"foreign ones are told", foreign_ones_are_told_in_folder},
    {"paths are seen from the session", paths_are_seen_from_the_session},
    {"a kill leaves a whole one", a_kill_leaves_a_whole_one_in_folder},
    {"windows have files of their own", windows_have_files_of_their_own_in_folder},
    {"killed programs leave theirs", killed_programs_leave_theirs_in_folder},
};

CT_TEST_MAIN(tests)
