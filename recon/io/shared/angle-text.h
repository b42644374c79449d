/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of angles as people and programs write them: one a line, in lists, or in tables with names of files or running
 * numbers before them; with decimal points or commas, headers, and units. */
#ifndef CT_IO_SHARED_ANGLE_TEXT_H
#define CT_IO_SHARED_ANGLE_TEXT_H

#include "recon/base/error.h"
#include "recon/data/remarks.h"

#include <stdbool.h>
#include <stddef.h>

/* Degrees that a unit of angles is ("deg", "degrees", "°", "rad", "mrad", "gon", "mdeg", ..., case apart); false: it is
 * none of these. "grad" is none: degrees in German, gons in English. */
bool ct_angle_unit(const char *unit, double *degrees);

/* *degrees with ct_free. views: how many there should be, which tells a list "0,5" of two numbers from one with decimal
 * commas, and a table from a list in lines; another count is no error. What was assumed is added to remarks (or NULL),
 * as a doubt where it may be wrong. What stands in the file is not repeated. */
bool ct_read_angle_text(const char *path, size_t views, double **degrees, size_t *count, ct_remarks *remarks,
                        ct_error **error);

#endif
