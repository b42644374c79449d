/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the header of a file tells of its samples that no format reads and that can be described as raw. */
#ifndef CT_IO_RAW_TOLD_H
#define CT_IO_RAW_TOLD_H

/* Lines "KEY=VALUE" of all keys of "files" in a scan description but the name (files.type, files.dims.0, ...;
 * docs/scan-description.md), empty values where there is nothing to tell; new text (ct_free). NULL: the header is of no
 * kind that tells, or cannot be read. Known so far: HIS files of flat panels. */
char *ct_raw_told(const char *path);

#endif
