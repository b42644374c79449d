/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan or volume is read from, so that no output overwrites it: its own files and those that they point to,
 * those that tell its angles, and those that a description names, wherever they are. */
#include "recon/base/memory.h"
#include "recon/io/beside/beside-private.h"
#include "recon/io/description/description-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <string.h>

/* Whether `file` is in the folder, and tells of the images there. */
static bool describes(const char *folder, const char *file) {
  const char *name = ct_path_name(file);
  if (strcmp(name, "scan.json") != 0 && strcmp(name, "angles.txt") != 0 && !ct_path_has_extension(name, "ang"))
    return false;
  char *own = ct_path_folder(file, NULL);
  const bool found = own && ct_path_is_same(own, folder);
  ct_free(own);
  return found;
}

/* Whether ct_open_plain(path), or ct_volume_read, reads `file`, which is there. anywhere: where they may follow the
 * path's file out of its folder. */
static bool plain_reads(const char *path, bool anywhere, const char *file) {
  char *container, *dataset;
  if (ct_path_is_same(path, file)) return true;
  const char *plain = ct_path_split_dataset(path, &container, &dataset) ? container : path;
  const ct_format *scan = ct_probe(plain, CT_FORMAT_OPEN_SCAN, NULL),
                  *volume = ct_probe(plain, CT_FORMAT_READ_VOLUME, NULL);
  bool found = ct_path_is_same(plain, file) || (ct_path_is_folder(plain) && describes(plain, file)) ||
               ct_beside_could_read(plain, file);
  const ct_open_options options = {.dataset = dataset, .anywhere = anywhere};
  if (!found && scan && scan->reads) found = scan->reads(plain, &options, file);
  if (!found && volume && volume != scan && volume->reads) found = volume->reads(plain, &options, file);
  ct_free(container);
  ct_free(dataset);
  return found;
}

static bool images_read(const char *path, const char *description, const char *file) {
  char *container, *dataset;
  const bool split = ct_path_split_dataset(path, &container, &dataset);
  const char *plain = split ? container : path;
  const bool folder = ct_path_is_folder(plain);
  const bool own = ct_path_has_extension(plain, CT_DESCRIPTION_EXTENSION) && !folder && !ct_beside_recognise(plain);
  char *beside = own || description ? NULL : ct_description_find(plain, folder, ct_path_is_image(plain));
  char *start = folder ? ct_strdup(plain, NULL) : ct_path_folder(plain, NULL);
  const char *const sources[] = {own ? plain : NULL, description ? description : beside};
  bool found = plain_reads(path, false, file);
  for (int i = 0; i < 2 && start && !found; i++) {
    ct_description *d = sources[i] ? ct_description_new(sources[i], start, NULL) : NULL;
    if (!d) continue;
    const bool projections = i == 0 || folder || ct_description_has_raw_layout(d);
    found = ct_description_reads(d, projections, file, plain_reads) ||
            (ct_description_leads_anywhere(d) && plain_reads(path, true, file));
    ct_description_free(d);
  }
  ct_free(start);
  ct_free(beside);
  ct_free(container);
  ct_free(dataset);
  return found;
}

static bool scan_reads(const char *path, const char *description, const char *file) {
  char *images = ct_beside_recognise(path) ? ct_beside_images(path, false, NULL) : NULL;
  bool found = ct_path_is_same(path, file) || images_read(images ? images : path, description, file);
  char *stack = found || images ? NULL : ct_scan_stack(path, description);
  found = found || (stack && images_read(stack, description, file));
  ct_free(stack);
  ct_free(images);
  return found;
}

/* Whether the scan reads what a format writes beside `target`. */
static bool companion_is_read(const ct_format *format, const char *path, const char *description, const char *target) {
  bool found = false;
  for (const ct_companion *c = format->companions; c && c->extension && !found; c++) {
    if (!ct_path_has_extension(target, c->extension)) continue;
    char *other = ct_companion_path(c, target, NULL);
    found = other && ct_path_exists(other) && scan_reads(path, description, other);
    ct_free(other);
  }
  return found;
}

bool ct_scan_is_destroyed(const char *path, const char *description, const char *target) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  bool found = ct_path_is_same(path, target) || (ct_path_exists(target) && scan_reads(path, description, target));
  for (size_t i = 0; i < count && !found; i++) found = companion_is_read(formats[i], path, description, target);
  return found;
}
