/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other files of a folder with a geometry: whether one of them fits it as well as the scan that was opened, and
 * which stack of projections in one file a folder means that is opened as a whole. */
#include "recon/base/memory.h"
#include "recon/io/beside/beside-private.h"
#include "recon/io/description/description-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TRIED = 64 };

/* Characters that two names begin with alike, case apart. */
int ct_beside_likeness(const char *a, const char *b) {
  int count = 0;
  while (a[count] && tolower((unsigned char)a[count]) == tolower((unsigned char)b[count])) count++;
  return count;
}

bool ct_beside_list(const char *folder, ct_file_list *list) {
  char extensions[256] = "";
  size_t count;
  const ct_geometry_reader *const *readers = ct_geometry_readers(&count);
  for (size_t i = 0; i < count; i++) {
    const size_t length = strlen(extensions);
    snprintf(extensions + length, sizeof extensions - length, "%s%s", length ? " " : "", readers[i]->extensions);
  }
  if (!ct_file_list_folder(list, folder, extensions, NULL)) return false;
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    if (kept < CT_BESIDE_MOST_FILES && ct_beside_recognise(list->paths[i])) {
      list->paths[kept++] = list->paths[i];
    } else {
      ct_free(list->paths[i]);
    }
  }
  list->count = kept;
  if (kept) return true;
  ct_file_list_clear(list);
  return false;
}

bool ct_beside_may_be_projections(const char *path) {
  if (ct_path_has_extension(path, "json") || ct_beside_recognise(path)) return false;
  const ct_format *format = ct_probe(path, CT_FORMAT_OPEN_SCAN, NULL);
  return format && !(format->content && format->content(path, NULL) == CT_CONTENT_VOLUME);
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Do names differ in more than their numbers? */
static bool are_unlike(const char *a, const char *b) {
  while (*a || *b) {
    while (is_digit(*a)) a++;
    while (is_digit(*b)) b++;
    if (*a != *b) return true;
    if (*a) a++, b++;
  }
  return false;
}

static bool fits_as_well(const ct_told *told, const char *path, int views) {
  char why[160];
  ct_scan *scan = ct_beside_may_be_projections(path) ? ct_open_plain(path, NULL, NULL) : NULL;
  const ct_scan_facts *facts = scan ? ct_scan_get_facts(scan) : NULL;
  const bool fits = facts && ct_told_fits(told, facts, why, sizeof why) &&
                    (!told->views || facts->geometry.views == told->views || views != told->views);
  ct_scan_free(scan);
  return fits;
}

int ct_beside_rival(const ct_told *told, const char *geometry, const char *path, const ct_scan_facts *facts,
                    char **name) {
  char *container, *dataset, extensions[256];
  const char *plain = ct_path_split_dataset(path, &container, &dataset) ? container : path;
  const char *own = facts->first_image ? ct_path_name(facts->first_image) : ct_path_name(plain), *before = NULL;
  char *folder = ct_path_is_folder(plain) ? NULL : ct_path_folder(plain, NULL);
  int best = ct_beside_likeness(own, ct_path_name(geometry)) - 1, tried = 0;
  ct_file_list list = {0};
  *name = NULL;
  ct_formats_extensions(CT_FORMAT_OPEN_SCAN, extensions, sizeof extensions);
  if (folder && !ct_file_list_folder(&list, folder, extensions, NULL)) list = (ct_file_list){0};
  for (size_t i = 0; i < list.count && tried < MOST_TRIED; i++) {
    const char *other = ct_path_name(list.paths[i]);
    const int alike = ct_beside_likeness(other, ct_path_name(geometry));
    if (alike <= best) continue;
    /* Of a series of images one is enough. */
    if (ct_path_is_image(other)) {
      if (!are_unlike(other, own) || (before && !are_unlike(other, before))) continue;
      before = other;
    }
    if (ct_path_is_same(list.paths[i], plain)) continue;
    tried++;
    if (!fits_as_well(told, list.paths[i], facts->geometry.views)) continue;
    best = alike;
    ct_free(*name);
    *name = ct_strdup(other, NULL);
  }
  if (list.count) ct_file_list_clear(&list);
  ct_free(folder);
  ct_free(container);
  ct_free(dataset);
  return best;
}

typedef struct {
  ct_told *tolds;
  size_t count;
  bool any;                /* also such that cannot be used, and tell nothing of what they belong to */
  ct_open_options options; /* of the folder's description */
} geometries;

static void add_geometry(geometries *all, const char *path) {
  ct_told *told = &all->tolds[all->count];
  const ct_geometry_reader *reader = ct_beside_recognise(path);
  ct_told_init(told);
  if (reader && reader->read(path, told, NULL))
    all->count++;
  else
    ct_told_clear(told);
}

/* Those of the folder, or what its description has in their place. */
static geometries read_geometries(const char *folder, const ct_description *d) {
  geometries all = {.options = d ? ct_description_get_options(d) : (ct_open_options){0}};
  ct_file_list list = {0};
  char *named = NULL;
  bool none = false;
  if (d && !ct_description_get_geometry(d, &named, &none, NULL)) none = true;
  all.any = !none && (named || ct_beside_list(folder, &list));
  all.tolds = all.any ? ct_alloc(list.count + 1, sizeof *all.tolds, "geometry files", NULL) : NULL;
  if (all.tolds && named) add_geometry(&all, named);
  for (size_t i = 0; all.tolds && i < list.count; i++) add_geometry(&all, list.paths[i]);
  if (list.count) ct_file_list_clear(&list);
  ct_free(named);
  return all;
}

static void clear_geometries(geometries *all) {
  for (size_t i = 0; i < all->count; i++) ct_told_clear(&all->tolds[i]);
  ct_free(all->tolds);
}

/* A geometry may be of fewer or more views than it tells of; one that tells of exactly as many is surely meant. */
typedef enum { FITS_NOT, FITS, FITS_EXACTLY } fit;

static fit fit_of(const geometries *all, const char *path, char *why, size_t size) {
  ct_scan *scan = ct_open_plain(path, &all->options, NULL);
  fit best = scan && !all->count ? FITS : FITS_NOT;
  for (size_t i = 0; scan && i < all->count && best < FITS_EXACTLY; i++) {
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    const ct_told *told = &all->tolds[i];
    if (!ct_told_fits(told, facts, why, size)) continue;
    best = told->views && told->views == facts->geometry.views ? FITS_EXACTLY : FITS;
  }
  ct_scan_free(scan);
  return best;
}

typedef struct {
  char *path, *second; /* as good as the first */
  fit fits;
  char refused[400];
} stack;

/* The file that fits best. */
static stack find_stack(const char *folder, const geometries *all) {
  char extensions[256], why[160];
  int tried = 0;
  ct_file_list list;
  stack s = {0};
  ct_formats_extensions(CT_FORMAT_OPEN_SCAN, extensions, sizeof extensions);
  if (!ct_file_list_folder(&list, folder, extensions, NULL)) return s;
  for (size_t i = 0; i < list.count && tried < MOST_TRIED; i++) {
    const char *path = list.paths[i];
    if (ct_path_is_image(path) || !ct_beside_may_be_projections(path)) continue;
    tried++;
    why[0] = 0;
    const fit fits = fit_of(all, path, why, sizeof why);
    if (fits == FITS_NOT) {
      if (why[0] && !s.refused[0]) snprintf(s.refused, sizeof s.refused, "%.200s: %s", ct_path_name(path), why);
    } else if (fits > s.fits) {
      ct_free(s.path);
      ct_free(s.second);
      s.path = ct_strdup(path, NULL);
      s.second = NULL;
      s.fits = fits;
    } else if (fits == s.fits && !s.second) {
      s.second = ct_strdup(path, NULL);
    }
  }
  ct_file_list_clear(&list);
  return s;
}

/* The only one: else NULL, with an error where there are several, or none of those that can be opened. */
static char *take_stack(stack *s, const char *folder, ct_error **error) {
  if (s->second) {
    ct_error_set(error, CT_ERROR_DATA,
                 "The folder %s holds several files that may be its projections, %s and %s: open one of them, or name "
                 "it by \"files\" in scan.json.",
                 folder, ct_path_name(s->path), ct_path_name(s->second));
    ct_free(s->path);
    s->path = NULL;
  } else if (!s->path && s->refused[0]) {
    ct_error_set(error, CT_ERROR_DATA,
                 "The folder %s holds a geometry and no projections that it fits (%s): open the file of the "
                 "projections, or leave the geometry out by \"geometry\": false in scan.json.",
                 folder, s->refused);
  }
  ct_free(s->second);
  return s->path;
}

char *ct_beside_stack(const char *path, const ct_description *d, ct_error **error) {
  char why[160], *taken = NULL;
  if (!ct_path_is_folder(path)) return NULL;
  const bool images = ct_probe(path, CT_FORMAT_OPEN_SCAN, NULL);
  if (images && d) return NULL; /* it tells of them */
  geometries all = read_geometries(path, d);
  if (all.any || (d && !images)) {
    stack s = find_stack(path, &all);
    /* Pictures beside a stack may be of anything. */
    const bool pictures = images && s.path && (!all.count || fit_of(&all, path, why, sizeof why) >= s.fits);
    taken = take_stack(&s, path, images ? NULL : error);
    if (pictures) {
      ct_free(taken);
      taken = NULL;
    }
  }
  clear_geometries(&all);
  return taken;
}
