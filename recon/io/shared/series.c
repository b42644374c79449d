/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files make up a stack, judged by their names. */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static const char *ending_of(const char *name) {
  const char *point = strrchr(name, '.');
  return point ? point : name + strlen(name);
}

/* ".tif", ".TIF" and ".tiff" end the names of one series. */
static bool same_ending(const char *a, const char *b) {
  static const char *const tiff[] = {".tif", ".tiff"};
  const bool both = (strcasecmp(a, tiff[0]) == 0 || strcasecmp(a, tiff[1]) == 0) &&
                    (strcasecmp(b, tiff[0]) == 0 || strcasecmp(b, tiff[1]) == 0);
  return both || strcasecmp(a, b) == 0;
}

/* Whether names are given twice, with two endings: then they are copies, and each ending is a series of its own. The
 * list is in natural order. */
static bool holds_copies(const ct_file_list *list) {
  for (size_t i = 1; i < list->count; i++) {
    const char *a = ct_path_name(list->paths[i - 1]), *b = ct_path_name(list->paths[i]);
    const size_t length = (size_t)(ending_of(a) - a);
    if (length == (size_t)(ending_of(b) - b) && strncmp(a, b, length) == 0 && same_ending(a + length, b + length))
      return true;
  }
  return false;
}

/* Are two names the same but for their numbers? exact: in their endings, too. */
static bool alike(const char *a, const char *b, bool exact) {
  const char *a_end = ending_of(a), *b_end = ending_of(b);
  while (a < a_end && b < b_end) {
    if (is_digit(*a) && is_digit(*b)) {
      while (is_digit(*a)) a++;
      while (is_digit(*b)) b++;
    } else if (*a++ != *b++) {
      return false;
    }
  }
  return a == a_end && b == b_end && (exact ? strcmp(a, b) == 0 : same_ending(a, b));
}

static bool has_word(const char *name, const char *word) {
  const size_t length = strlen(word);
  for (const char *c = name; *c; c++)
    if ((c == name || !isalpha((unsigned char)c[-1])) && strncasecmp(c, word, length) == 0) return true;
  return false;
}

static ct_frame_kind kind_of_name(const char *name) {
  if (has_word(name, "dark")) return CT_FRAME_DARK;
  if (has_word(name, "flat") || has_word(name, "white") || has_word(name, "bright")) return CT_FRAME_FLAT;
  return CT_FRAME_PROJECTION;
}

/* Moves the listed files to the series' lists by group[i] (0..2, or -1: left out). Empties `all`. */
static bool share_out(ct_series *series, ct_file_list *all, const int *group, ct_error **error) {
  size_t counts[3] = {0, 0, 0};
  for (size_t i = 0; i < all->count; i++)
    if (group[i] >= 0) counts[group[i]]++;
  bool good = true;
  for (int kind = 0; good && kind < 3; kind++)
    if (counts[kind])
      good = (series->files[kind].paths = ct_alloc(counts[kind], sizeof(char *), "a list of files", error)) != NULL;
  const size_t others = all->count - counts[0] - counts[1] - counts[2];
  if (good && others)
    good = (series->left_out.paths = ct_alloc(others, sizeof(char *), "a list of files", error)) != NULL;
  for (size_t i = 0; good && i < all->count; i++) {
    ct_file_list *list = group[i] < 0 ? &series->left_out : &series->files[group[i]];
    list->paths[list->count++] = all->paths[i];
    all->paths[i] = NULL;
  }
  ct_file_list_clear(all);
  return good;
}

/* The group of every file: kinds by name, then the largest set of like names among the projections. leader[i] is the
 * first file that i is like. */
static void judge_names(const ct_file_list *all, int *group, size_t *leader, size_t *members) {
  size_t projections = 0;
  const bool exact = holds_copies(all);
  for (size_t i = 0; i < all->count; i++) {
    group[i] = kind_of_name(ct_path_name(all->paths[i]));
    projections += group[i] == CT_FRAME_PROJECTION;
  }
  for (size_t i = 0; i < all->count; i++) {
    if (projections == 0) group[i] = CT_FRAME_PROJECTION; /* a folder of nothing but flats is a stack like any other */
    members[i] = 0;
    leader[i] = i;
    /* Neighbours in natural order are mostly alike, so the last leader is tried first. */
    if (i > 0 && alike(ct_path_name(all->paths[i]), ct_path_name(all->paths[leader[i - 1]]), exact))
      leader[i] = leader[i - 1];
    for (size_t j = 0; leader[i] == i && j < i; j++)
      if (leader[j] == j && alike(ct_path_name(all->paths[i]), ct_path_name(all->paths[j]), exact)) leader[i] = j;
    members[leader[i]]++;
  }
  size_t best = all->count;
  for (size_t i = 0; i < all->count; i++)
    if (group[i] == CT_FRAME_PROJECTION && leader[i] == i && (best == all->count || members[i] > members[best]))
      best = i;
  if (best == all->count || members[best] < 2) return;
  for (size_t i = 0; i < all->count; i++)
    if (group[i] == CT_FRAME_PROJECTION && leader[i] != best) group[i] = -1;
}

/* Sets an error that was kept aside; false. */
static bool pass_on(ct_error **from, ct_error **error) {
  ct_error_set(error, (*from)->code, "%s", (*from)->message);
  ct_error_clear(from);
  return false;
}

static bool find_in_folder(ct_series *series, const char *outer, const char *extensions, ct_error **error) {
  ct_file_list all;
  ct_error *none = NULL;
  const char *folder = outer;
  if (!ct_file_list_folder(&all, outer, extensions, &none)) {
    series->inner = ct_series_inner_folder(outer, extensions);
    if (!series->inner) return pass_on(&none, error);
    ct_error_clear(&none);
    folder = series->inner;
    if (!ct_file_list_folder(&all, folder, extensions, error)) return false;
  }
  int *group = ct_alloc(all.count, sizeof *group, "a list of files", error);
  size_t *leader = ct_alloc(2 * all.count, sizeof *leader, "a list of files", error);
  bool good = group && leader;
  if (good) {
    judge_names(&all, group, leader, leader + all.count);
    good = share_out(series, &all, group, error);
  }
  ct_file_list_clear(&all);
  ct_free(group);
  ct_free(leader);
  return good;
}

/* Is `name` the same as `like` but for the one run of digits that begins at `place`? */
static bool differs_in_number(const char *name, const char *like, size_t place, bool exact) {
  if (strncmp(name, like, place) != 0 || !is_digit(name[place])) return false;
  const char *a = name + place, *b = like + place;
  while (is_digit(*a)) a++;
  while (is_digit(*b)) b++;
  if (exact) return strcmp(a, b) == 0;
  const size_t length = (size_t)(ending_of(a) - a);
  return length == (size_t)(ending_of(b) - b) && strncmp(a, b, length) == 0 && same_ending(a + length, b + length);
}

static bool take_one(ct_series *series, const char *path, ct_error **error) {
  ct_file_list *list = &series->files[CT_FRAME_PROJECTION];
  list->paths = ct_alloc(1, sizeof(char *), "a list of files", error);
  if (!list->paths || !(list->paths[0] = ct_strdup(path, error))) return false;
  list->count = 1;
  return true;
}

/* The files beside `path` that differ from it in one number; which number is the one that gives the most files, and the
 * last of several such. */
static bool find_siblings(ct_series *series, const char *path, ct_error **error) {
  const char *name = ct_path_name(path);
  char *folder = ct_path_folder(path, error);
  if (!folder) return false;
  ct_file_list all = {NULL, 0};
  size_t best_place = 0, best_count = 0;
  const char *extension = same_ending(ending_of(name), ".tif") ? "tif tiff" : ct_path_extension(path);
  bool exact = false;
  if (ct_file_list_folder(&all, folder, extension, NULL)) {
    exact = holds_copies(&all);
    for (size_t place = 0; name[place]; place++) {
      if (!is_digit(name[place]) || (place > 0 && is_digit(name[place - 1]))) continue;
      size_t count = 0;
      for (size_t i = 0; i < all.count; i++) count += differs_in_number(ct_path_name(all.paths[i]), name, place, exact);
      if (count >= best_count) {
        best_count = count;
        best_place = place;
      }
    }
  }
  ct_free(folder);
  if (best_count < 2) {
    ct_file_list_clear(&all);
    return take_one(series, path, error);
  }
  int *group = ct_alloc(all.count, sizeof *group, "a list of files", error);
  for (size_t i = 0; group && i < all.count; i++)
    group[i] = differs_in_number(ct_path_name(all.paths[i]), name, best_place, exact) ? CT_FRAME_PROJECTION : -1;
  const bool good = group && share_out(series, &all, group, error);
  ct_file_list_clear(&series->left_out); /* one file was asked for: none of the folder is missing */
  ct_file_list_clear(&all);
  ct_free(group);
  return good;
}

bool ct_series_find_images(ct_series *series, const char *path, const char *extensions, ct_error **error) {
  uint64_t bytes;
  *series = (ct_series){0};
  bool good;
  if (ct_path_is_folder(path))
    good = find_in_folder(series, path, extensions, error);
  else if (access(path, F_OK) != 0 && ct_path_is_pattern(path))
    good = ct_file_list_pattern(&series->files[CT_FRAME_PROJECTION], path, error);
  else if (!ct_file_size(path, &bytes, error))
    good = false;
  else
    good = *ct_path_extension(path) ? find_siblings(series, path, error) : take_one(series, path, error);
  if (good && series->files[CT_FRAME_PROJECTION].count == 0)
    good = ct_error_set(error, CT_ERROR_FORMAT, "%s holds no projections", path);
  if (!good) ct_series_clear(series);
  return good;
}

bool ct_series_find(ct_series *series, const char *path, const char *extensions, ct_error **error) {
  if (!ct_series_find_images(series, path, extensions, error)) return false;
  if (!ct_path_is_folder(path) || ct_series_add_fields(series, series->inner ? series->inner : path, extensions, error))
    return true;
  ct_series_clear(series);
  return false;
}

void ct_series_clear(ct_series *series) {
  for (int kind = 0; kind < 3; kind++) ct_file_list_clear(&series->files[kind]);
  ct_file_list_clear(&series->left_out);
  ct_free(series->inner);
  series->inner = NULL;
}

int ct_series_probe_folder(const char *folder, const char *extensions) {
  ct_file_list list;
  if (!ct_file_list_folder(&list, folder, extensions, NULL)) {
    char *inner = ct_series_inner_folder(folder, extensions);
    const bool found = inner && ct_file_list_folder(&list, inner, extensions, NULL);
    ct_free(inner);
    if (!found) return 0;
  }
  int score = 40;
  for (size_t n = list.count; n > 1 && score < 90; n /= 2) score += 4;
  ct_file_list_clear(&list);
  return score;
}
