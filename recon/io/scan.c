/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans with their descriptions: opening them, telling them from volumes, and writing them. */
#include "recon/io/io.h"

#include "recon/base/memory.h"
#include "recon/data/values.h"
#include "recon/io/beside/beside-private.h"
#include "recon/io/description/description-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <string.h>

/* Other programs' geometry is JSON, too. */
static bool is_description(const char *path) {
  return ct_path_has_extension(path, CT_DESCRIPTION_EXTENSION) && !ct_path_is_folder(path) &&
         !ct_beside_recognise(path);
}

/* The description that counts for a path: the given one or the one beside it; *description NULL where there is none. */
static bool load_description(const char *path, const char *given, ct_description **description, ct_error **error) {
  *description = NULL;
  char *file, *dataset, *found = NULL;
  const bool split = ct_path_split_dataset(path, &file, &dataset);
  const char *plain = split ? file : path;
  const bool is_folder = ct_path_is_folder(plain);
  if (!given) given = found = ct_description_find(plain, is_folder, ct_path_is_image(plain));
  bool good = true;
  if (given) {
    char *folder = is_folder ? ct_strdup(plain, error) : ct_path_folder(plain, error);
    good = folder && (*description = ct_description_new(given, folder, error));
    if (good && found) ct_description_distrust(*description);
    ct_free(folder);
  }
  /* A folder's description that puts files together says nothing about one image among them. */
  if (good && found && !is_folder && ct_path_exists(plain) && strcmp(ct_path_name(found), "scan.json") == 0 &&
      ct_description_names_files(*description)) {
    ct_description_free(*description);
    *description = NULL;
  }
  ct_free(found);
  ct_free(file);
  ct_free(dataset);
  return good;
}

/* Adds the geometry that a description names, or that lies beside the images where they tell none themselves. given:
 * the geometry file that was opened, or NULL. */
static bool add_geometry(ct_scan *scan, const ct_description *d, const char *given, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const bool anywhere = d && ct_description_leads_anywhere(d);
  char *named = NULL;
  bool none = false;
  if (d && !ct_description_get_geometry(d, &named, &none, error)) return false;
  bool good = true;
  if (named || given)
    good = ct_beside_apply(scan, facts->path, named ? named : given, anywhere, error);
  else if (!none && !(facts->known & (CT_KNOWN_BEAM | CT_KNOWN_DISTANCES)))
    good = ct_beside_apply(scan, facts->path, NULL, anywhere, error);
  ct_free(named);
  return good;
}

/* Takes the scan, also on failure. */
static ct_scan *complete(ct_scan *scan, const ct_description *d, const char *given, const char *path,
                         ct_error **error) {
  if (!scan || add_geometry(scan, d, given, error))
    return scan && d ? ct_description_apply(d, path, scan, ct_open_plain, error) : scan;
  ct_scan_free(scan);
  return NULL;
}

/* With a description or NULL. geometry: the file that was opened and belongs to the images at `path`, or NULL. */
static ct_scan *open_described(const char *path, const char *geometry, ct_description *d, ct_error **error) {
  ct_scan *scan = NULL;
  if (d && !ct_description_fetch_angles(d, ct_read_angles, error)) return NULL;
  if (d && ct_description_names_files(d) && (ct_path_is_folder(path) || ct_description_has_raw_layout(d))) {
    scan = ct_description_open_files(d, path, ct_open_plain, error);
  } else {
    const ct_open_options options = d ? ct_description_get_options(d) : (ct_open_options){0};
    scan = ct_open_plain(path, &options, error);
  }
  return complete(scan, d, geometry, path, error);
}

/* The scan of a folder's only stack, with words on why it is that. Takes the scan, also on failure. */
static ct_scan *tell_stack(ct_scan *scan, const char *folder, const char *stack, ct_error **error) {
  if (!scan) return NULL;
  ct_scan_facts facts = *ct_scan_get_facts(scan);
  ct_remarks remarks = {0};
  ct_remarks_add(&remarks, CT_REMARK_READ, ct_path_name(stack), "the folder's projections, in one file");
  if (ct_probe(folder, CT_FORMAT_OPEN_SCAN, NULL))
    ct_remarks_add(&remarks, CT_REMARK_IGNORED, NULL,
                   "the pictures in the folder, which its geometry does not fit as well");
  ct_remarks_append(&remarks, facts.remarks);
  facts.remarks = &remarks;
  const bool good = ct_scan_replace_facts(scan, &facts, error);
  ct_remarks_clear(&remarks);
  if (good) return scan;
  ct_scan_free(scan);
  return NULL;
}

/* The same of a path that may be a folder with one stack beside its geometry, which has a description of its own where
 * the folder has none. Takes the description. */
static ct_scan *open_folder_or_file(const char *path, const char *geometry, ct_description *d, ct_error **error) {
  ct_error *fault = NULL;
  char *stack = d && ct_description_names_files(d) ? NULL : ct_beside_stack(path, d, &fault);
  ct_scan *scan = NULL;
  if (fault)
    ct_error_set(error, fault->code, "%s", fault->message);
  else if (!stack)
    scan = open_described(path, geometry, d, error);
  else if (d || load_description(stack, NULL, &d, error))
    scan = tell_stack(open_described(stack, geometry, d, error), path, stack, error);
  ct_error_clear(&fault);
  ct_description_free(d);
  ct_free(stack);
  return scan;
}

static ct_scan *open_images(const char *path, const char *geometry, const char *description, ct_error **error) {
  ct_description *d;
  return load_description(path, description, &d, error) ? open_folder_or_file(path, geometry, d, error) : NULL;
}

char *ct_scan_stack(const char *path, const char *description) {
  ct_description *d = NULL;
  char *folder = NULL;
  if (!is_description(path))
    folder = load_description(path, description, &d, NULL) ? ct_strdup(path, NULL) : NULL;
  else if ((d = ct_description_new(path, NULL, NULL)) && !ct_description_names_files(d))
    folder = ct_description_find_images(d, NULL);
  char *stack = folder && !(d && ct_description_names_files(d)) ? ct_beside_stack(folder, d, NULL) : NULL;
  ct_description_free(d);
  ct_free(folder);
  return stack;
}

/* A file that is a description itself, of the files that it names or that it lies beside; `extra`, if any, counts
 * before it. */
static ct_scan *open_description(const char *path, const char *extra, ct_error **error) {
  char *folder = ct_path_folder(path, error);
  ct_description *second = folder && extra ? ct_description_new(extra, folder, error) : NULL, *own = NULL;
  const bool failed = !folder || (extra && !second);
  ct_free(folder);
  if (failed) return NULL;
  if (second && second->based && ct_description_names_files(second)) {
    own = second;
    second = NULL;
  } else if (!(own = ct_description_new(path, NULL, error))) {
    ct_description_free(second);
    return NULL;
  }
  ct_scan *scan = NULL;
  if (second && !(ct_description_fetch_angles(second, ct_read_angles, error) &&
                  ct_description_take_options(own, second, error))) {
    /* Nothing is opened. */
  } else if (!ct_description_names_files(own)) {
    char *images = ct_description_find_images(own, error);
    if (images) {
      scan = open_folder_or_file(images, NULL, own, error);
      own = NULL;
    }
    ct_free(images);
  } else if (ct_description_fetch_angles(own, ct_read_angles, error)) {
    scan = complete(ct_description_open_files(own, NULL, ct_open_plain, error), own, NULL, path, error);
  }
  if (scan && second) scan = ct_description_apply(second, path, scan, ct_open_plain, error);
  ct_description_free(own);
  ct_description_free(second);
  return scan;
}

/* Whether a description that somebody gives allows files outside the scan's folder. */
static bool leads_anywhere(const char *path, const char *description) {
  char *folder = description ? ct_path_folder(path, NULL) : NULL;
  ct_description *d = folder ? ct_description_new(description, folder, NULL) : NULL;
  const bool anywhere = d && ct_description_leads_anywhere(d);
  ct_description_free(d);
  ct_free(folder);
  return anywhere;
}

static ct_scan *open_path(const char *path, const char *description, ct_error **error) {
  if (is_description(path)) return open_description(path, description, error);
  if (!ct_beside_recognise(path)) return open_images(path, NULL, description, error);
  char *images = ct_beside_images(path, leads_anywhere(path, description), error);
  ct_scan *scan = images ? open_images(images, path, description, error) : NULL;
  ct_free(images);
  return scan;
}

ct_scan *ct_scan_open_job(const char *path, const char *description, ct_job *job, ct_error **error) {
  if (!ct_job_may_go_on(job, error)) return NULL;
  ct_scan *scan = open_path(path, description, error);
  if (scan && ct_scan_get_facts(scan)->shape == CT_SHAPE_CURVED) scan = ct_scan_flatten(scan, error);
  if (scan && !(ct_scan_find_doubts(scan, error) && ct_scan_settle_values(scan, job, error))) {
    ct_scan_free(scan);
    return NULL;
  }
  if (scan) ct_scan_doubt_base(scan);
  return scan;
}

ct_scan *ct_scan_open(const char *path, const char *description, ct_error **error) {
  return ct_scan_open_job(path, description, NULL, error);
}

/* What the file or folder tells by itself. */
static ct_content content_of_format(const char *path) {
  char *file, *dataset;
  const bool split = ct_path_split_dataset(path, &file, &dataset);
  const ct_format *format = ct_probe_any(split ? file : path);
  ct_content content = CT_CONTENT_SCAN;
  if (format && format->reader)
    content = format->open_scan ? format->content(split ? file : path, dataset) : CT_CONTENT_VOLUME;
  ct_free(file);
  ct_free(dataset);
  return content;
}

ct_content ct_path_content(const char *path, const char *description) {
  if (description) return CT_CONTENT_SCAN;
  if (is_description(path)) return content_of_format(path);
  if (ct_beside_recognise(path)) return CT_CONTENT_SCAN;
  ct_description *beside;
  /* One that cannot be read is about a scan all the same, and opening tells what is wrong with it. */
  if (!load_description(path, NULL, &beside, NULL)) return CT_CONTENT_SCAN;
  const bool is_described = beside, names_files = beside && ct_description_names_files(beside);
  ct_description_free(beside);
  if (names_files) return CT_CONTENT_SCAN;
  const ct_content content = content_of_format(path);
  const bool is_scan = content == CT_CONTENT_EITHER && (is_described || ct_beside_belongs(path));
  return is_scan ? CT_CONTENT_SCAN : content;
}

bool ct_scan_write(const char *path, ct_scan *scan, ct_job *job, ct_error **error) {
  const ct_format *format = ct_format_for_writing_scan(path, error);
  return format && format->write_scan(path, scan, job, error);
}

bool ct_scan_is_there(const char *path) {
  char *file, *dataset;
  ct_file_list list;
  if (ct_path_exists(path)) return true;
  if (ct_path_split_dataset(path, &file, &dataset)) {
    const bool there = ct_path_exists(file) && !ct_path_is_folder(file);
    ct_free(file);
    ct_free(dataset);
    return there;
  }
  const bool there = ct_path_is_pattern(path) && ct_file_list_pattern(&list, path, NULL);
  if (there) ct_file_list_clear(&list);
  return there;
}
