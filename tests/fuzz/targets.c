/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reads other people's files, one target each. A reader that fails without words ends the program: it is a fault
 * like a crash. */
#include "app/lesson/lesson.h"
#include "app/session-file.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/io/io.h"
#include "recon/io/png/plane.h"
#include "recon/io/raw-told.h"
#include "recon/io/shared/angle-text.h"
#include "recon/solve/plan.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must_say(const ct_error *error) {
  if (!error || !error->message[0]) abort();
}

/* Errors are looked at, and done with. */
static void need(bool done, ct_error **error) {
  if (!done) must_say(*error);
  ct_error_clear(error);
}

static void put(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

static void read_frames(ct_scan *scan) {
  enum { MOST = 1 << 20, VIEWS = 6 };
  ct_error *error = NULL;
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_geometry *g = &facts->geometry;
  if ((double)g->nu * g->nv > MOST) return;
  float *frame = ct_alloc((size_t)g->nu * (size_t)g->nv, sizeof *frame, "a frame", &error);
  for (int view = 0; frame && view < g->views && view < VIEWS; view++)
    need(ct_scan_read(scan, CT_FRAME_PROJECTION, view, 0, g->nv, frame, &error), &error);
  if (frame && facts->flats)
    need(ct_scan_read(scan, CT_FRAME_FLAT, facts->flats - 1, g->nv / 2, 1, frame, &error), &error);
  if (frame && facts->darks) need(ct_scan_read(scan, CT_FRAME_DARK, 0, 0, g->nv, frame, &error), &error);
  ct_free(frame);
}

static void open_scan(const char *path, const char *description) {
  ct_error *error = NULL;
  ct_scan *scan = ct_scan_open(path, description, &error);
  need(scan, &error);
  if (scan) read_frames(scan);
  ct_scan_free(scan);
}

/* Everything that the program asks of a file. */
static void run_file(const fuzz_target *target, const char *path) {
  ct_error *error = NULL;
  char *plan = NULL;
  ct_dataset_list list = {0};
  open_scan(path, NULL);
  need(ct_volume_read_plan(path, &plan, &error), &error);
  ct_free(plan);
  ct_volume *volume = ct_volume_read(path, NULL, &error);
  need(volume, &error);
  ct_volume_free(volume);
  need(ct_file_list_datasets(path, false, &list, &error), &error);
  ct_dataset_list_clear(&list);
  ct_path_content(path, NULL);
}

bool fuzz_reads(const fuzz_target *target, const char *path) {
  if (target->run != run_file) return true;
  ct_scan *scan = ct_scan_open(path, NULL, NULL);
  ct_volume *volume = scan ? NULL : ct_volume_read(path, NULL, NULL);
  const bool good = scan || volume;
  ct_scan_free(scan);
  ct_volume_free(volume);
  return good;
}

static void run_geometry(const fuzz_target *target, const char *path) {
  ct_error *error = NULL;
  need(fuzz_geometry_read(target->reader, path, &error), &error);
  /* As the images' geometry: recognised, fitted, applied. */
  char *folder = strndup(path, (size_t)(strrchr(path, '/') - path)), *description = NULL;
  if (!folder || asprintf(&description, "{\"geometry\": \"%s\"}", path) < 0) abort();
  open_scan(folder, description);
  free(description);
  free(folder);
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  long bytes = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  char *text = bytes >= 0 ? malloc((size_t)bytes + 1) : NULL;
  if (!text || fseek(file, 0, SEEK_SET) != 0) abort();
  text[fread(text, 1, (size_t)bytes, file)] = 0;
  fclose(file);
  return text;
}

/* A plan that is read is written and read again; each line of "key=value" is set. */
static void run_plan(const fuzz_target *target, const char *path) {
  ct_error *error = NULL;
  char *text = read_text(path), *lines = NULL;
  ct_plan plan, again;
  ct_identity input = {0}, other = {0};
  ct_plan_init(&plan);
  ct_plan_init(&again);
  const bool read = ct_plan_from_json(&plan, &input, text, &error);
  need(read, &error);
  if (read) {
    char *json = ct_plan_to_json(&plan, &input, &error);
    if (!json || !ct_plan_from_json(&again, &other, json, &error) || !ct_plan_equal(&plan, &again)) abort();
    ct_free(json);
  }
  for (char *line = strtok_r(text, "\n", &lines); line; line = strtok_r(NULL, "\n", &lines)) {
    char *equals = strchr(line, '=');
    if (!equals) continue;
    *equals = 0;
    need(ct_plan_set_text(&plan, line, equals + 1, &error), &error);
  }
  ct_identity_clear(&input);
  ct_identity_clear(&other);
  free(text);
}

static void run_session(const fuzz_target *target, const char *path) {
  ct_error *error = NULL;
  gantry_session_file file;
  need(gantry_session_file_read(&file, path, &error), &error);
  gantry_session_file_clear(&file);
}

static void run_lesson(const fuzz_target *target, const char *path) {
  ct_error *error = NULL;
  gantry_lesson *lesson = gantry_lesson_read(path, &error);
  need(lesson, &error);
  gantry_lesson_free(lesson);
}

/* Angles of three images, of as many as there are, and beside images. */
static void run_angles(const fuzz_target *target, const char *path) {
  for (size_t views = 0; views <= 3; views += 3) {
    ct_error *error = NULL;
    ct_remarks remarks = {0};
    double *degrees;
    size_t count;
    need(ct_read_angle_text(path, views, &degrees, &count, &remarks, &error), &error);
    ct_free(degrees);
    ct_remarks_clear(&remarks);
  }
  char *folder = strndup(path, (size_t)(strrchr(path, '/') - path));
  if (!folder) abort();
  open_scan(folder, NULL);
  free(folder);
}

/* What no format reads: its true name, and as raw samples of the layout that its header tells. */
static void run_unread(const fuzz_target *target, const char *path) {
  enum { MOST_KEYS = 16 };
  struct ct_told_key keys[MOST_KEYS];
  ct_scan_told told = {.keys = keys, .raw = true};
  ct_error *error = NULL;
  run_file(target, path);
  char *lines = ct_raw_told(path), *rest = NULL;
  for (char *line = lines ? strtok_r(lines, "\n", &rest) : NULL; line && told.key_count < MOST_KEYS;
       line = strtok_r(NULL, "\n", &rest)) {
    char *value = strchr(line, '=');
    if (!value || !value[1]) continue;
    *value = 0;
    const bool number = value[1] >= '0' && value[1] <= '9';
    keys[told.key_count++] = (struct ct_told_key){line, value + 1, number};
  }
  char *description = lines ? ct_scan_tell(path, NULL, &told, &error) : NULL;
  if (lines) need(description, &error);
  if (description) open_scan(path, description);
  ct_free(description);
  ct_free(lines);
}

enum { MOST_TARGETS = 64 };

static bool is_tried(const char *id) {
  return strcmp(id, "hdf5") == 0 || strcmp(id, "matlab") == 0;
}

static void add(fuzz_target *targets, int *count, const char *name, const char *extension,
                void (*run)(const fuzz_target *, const char *)) {
  for (int i = 0; i < *count; i++)
    if (strcmp(targets[i].name, name) == 0) return;
  if (*count == MOST_TARGETS) abort();
  fuzz_target *target = &targets[(*count)++];
  snprintf(target->name, sizeof target->name, "%s", name);
  snprintf(target->file, sizeof target->file, "in.%s", extension);
  target->run = run;
  target->mutate = fuzz_mutate;
}

/* Whether files of this extension are headers of others, and so of another form than the format's first. */
static bool has_companion(const ct_format *format, const char *extension) {
  for (const ct_companion *c = format->companions; c && c->extension; c++)
    if (strcmp(c->extension, extension) == 0) return true;
  return false;
}

/* One of texts, of the reader's first extension, and one for each library that its files may be of. */
static void add_geometry(fuzz_target *targets, int *count, const char *id, const char *extensions) {
  static const char *const libraries[] = {"", "h5", "mat"};
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    const char *library = libraries[i];
    char name[48], extension[32];
    snprintf(extension, sizeof extension, "in.%s", library);
    if (*library && !ct_path_has_extension(extension, extensions)) continue;
    snprintf(name, sizeof name, "beside-%s%s%s", id, *library ? "-" : "", library);
    snprintf(extension, sizeof extension, "%s", *library ? library : extensions);
    extension[strcspn(extension, " ")] = 0;
    add(targets, count, name, extension, run_geometry);
    snprintf(targets[*count - 1].reader, sizeof targets->reader, "%s", id);
    targets[*count - 1].trials = *library;
  }
}

const fuzz_target *fuzz_targets(int *count) {
  static fuzz_target targets[MOST_TARGETS];
  size_t rows;
  *count = 0;
  const ct_format *const *formats = ct_formats(&rows);
  for (size_t i = 0; i < rows; i++) {
    char *words = ct_strdup(formats[i]->extensions ? formats[i]->extensions : "", NULL), *rest = NULL;
    if (!words) abort();
    const char *word = strtok_r(words, " ", &rest);
    if (word) add(targets, count, word, word, run_file);
    targets[*count - 1].trials = is_tried(formats[i]->id);
    while ((word = strtok_r(NULL, " ", &rest)))
      if (has_companion(formats[i], word)) add(targets, count, word, word, run_file);
    ct_free(words);
  }
  const char *id, *extensions;
  for (size_t i = 0; fuzz_geometry_row(i, &id, &extensions); i++) add_geometry(targets, count, id, extensions);
  add(targets, count, "description", "scan.json", run_file);
  add(targets, count, "angles", "txt", run_angles);
  snprintf(targets[*count - 1].file, sizeof targets->file, "angles.txt");
  add(targets, count, "his", "his", run_unread);
  add(targets, count, "plan", "json", run_plan);
  add(targets, count, "session", "gantry", run_session);
  add(targets, count, "lesson", "json", run_lesson);
  add(targets, count, "command", "words", fuzz_run_command);
  targets[*count - 1].mutate = fuzz_mutate_command;
  return targets;
}

const fuzz_target *fuzz_target_find(const char *name) {
  int count;
  const fuzz_target *targets = fuzz_targets(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(targets[i].name, name) == 0) return &targets[i];
  return NULL;
}

void fuzz_put_neighbours(const char *folder) {
  enum { NU = 8, NV = 2 };
  char path[512];
  unsigned char samples[4096];
  float values[NU * NV];
  for (size_t i = 0; i < sizeof samples; i++) samples[i] = (unsigned char)(i * 7);
  snprintf(path, sizeof path, "%s/r.raw", folder);
  put(path, samples, sizeof samples);
  /* Samples of the target "raw" have their header beside them, this one. */
  static const char header[] =
      "{\"raw\": \"in.raw\", \"type\": \"float32\", \"dims\": [6, 4, 3], \"spacing_mm\": [1, 1, 1]}";
  snprintf(path, sizeof path, "%s/in.raw.json", folder);
  put(path, header, strlen(header));
  snprintf(path, sizeof path, "%s/a.txt", folder);
  put(path, "0 1 2 3\n", 8);
  for (int i = 0; i < NU * NV; i++) values[i] = (float)(1000 * i);
  const ct_png_plane plane = {
      .values = values, .width = NU, .height = NV, .pixel_x = 1, .pixel_y = 1, .bits = 16, .low = 0, .high = 65535};
  for (int i = 1; i <= 3; i++) {
    snprintf(path, sizeof path, "%s/p_%04d.png", folder, i);
    if (!ct_png_write_plane(path, &plane, NULL)) abort();
  }
}

void fuzz_run(const fuzz_target *target, const char *path, const uint8_t *data, size_t size) {
  put(path, data, size);
  target->run(target, path);
}
