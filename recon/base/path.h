/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of paths. */
#ifndef CT_BASE_PATH_H
#define CT_BASE_PATH_H

#include "recon/base/error.h"

#include <stdbool.h>

/* The extension is what follows the last '.' of the last part ("" when there is none); compared without case. */
const char *ct_path_name(const char *path);
const char *ct_path_extension(const char *path);
bool ct_path_has_extension(const char *path, const char *extensions); /* space-separated, no dots: "tif tiff" */
/* New text (ct_free): FOLDER/NAME, or NAME alone when it is absolute. */
char *ct_path_join(const char *folder, const char *name, ct_error **error);
/* New text (ct_free): the path's folder, "." when it names none. */
char *ct_path_folder(const char *path, ct_error **error);
/* Whether there is anything at a path; whether a folder is. */
bool ct_path_exists(const char *path);
bool ct_path_is_folder(const char *path);
/* Whether two paths lead to the same file, by links too; also to one that is not there yet. */
bool ct_path_is_same(const char *a, const char *b);
/* CT_ERROR_IO for a file that could not be opened, with the reason of errno; of a symbolic link that leads nowhere,
 * where it leads. */
bool ct_path_cannot_open(const char *path, int errnum, ct_error **error);

/* New text (ct_free): a path as UTF-8, for JSON and other texts, and back. Names are any bytes on Linux: stray ones
 * become U+EF80 to U+EFFF, a range for private use, as MirOS' OPTU encoding has them; so do the bytes of these
 * characters themselves, so that every path comes back as it was. */
char *ct_path_to_utf8(const char *path, ct_error **error);
char *ct_path_from_utf8(const char *text, ct_error **error);
/* ct_path_join with a name as such a text has it. */
char *ct_path_join_utf8(const char *folder, const char *name, ct_error **error);

#endif
