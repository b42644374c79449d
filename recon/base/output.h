/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output that is whole or not there: files and folders are written under a temporary name beside their target and
 * renamed. */
#ifndef CT_BASE_OUTPUT_H
#define CT_BASE_OUTPUT_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ct_output ct_output;

/* Makes a temporary file (or folder) beside `path`, and removes those that lie there of processes that were killed.
 * CT_ERROR_IO names the path, why (missing folder, read-only, ...)
 * and what to do. */
ct_output *ct_output_begin(const char *path, bool folder, ct_error **error);
/* Where to write now. */
const char *ct_output_get_path(const ct_output *output);
/* CT_ERROR_IO when the file system has no room for `bytes` more: better said before the work than after it. */
bool ct_output_check_space(const ct_output *output, uint64_t bytes, ct_error **error);
/* fsync (files) and rename over `path`; frees the output. A folder replaces an existing one only if that one holds
 * nothing but files of the same pattern written by Gantry (its manifest). On failure the temporary is removed and the
 * old one stays. */
bool ct_output_commit(ct_output *output, ct_error **error);
/* Whether nothing is committed any more once something has failed untold (untold.h), CT_ERROR_IO: what would be written
 * may rest on a fall-back. For the whole process; at first it is not so. */
void ct_output_refuse_doubtful(bool refuse);
/* Whether what is there at the commit stays, CT_ERROR_IO: for whoever has made sure that nothing was there before a
 * long work. For the whole process; at first it is not so. */
void ct_output_keep_existing(bool keep);
/* From now on a file that would grow beyond the limit of its size (ulimit -f) is an error of the write, EFBIG, and not
 * the end of the process. Programs that it starts are ended as ever. */
void ct_output_outlive_size_limit(void);
/* Removes the temporary and frees. NULL allowed. */
void ct_output_abandon(ct_output *output);

/* fwrite that turns a short write (full disk) into CT_ERROR_IO naming the path. */
bool ct_output_write(FILE *file, const char *path, const void *data, size_t bytes, ct_error **error);
/* A whole file, or nothing; from bytes, or a text. */
bool ct_output_write_whole(const char *path, const void *data, size_t bytes, ct_error **error);
bool ct_output_write_text(const char *path, const char *text, ct_error **error);

#endif
