/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checked, aligned allocation of big arrays, and overflow-checked products of sizes. */
#ifndef CT_BASE_MEMORY_H
#define CT_BASE_MEMORY_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every big array begins on a boundary of this many bytes, so that vector loads need no prologue. */
#define CT_ALIGNMENT 64

/* *product = a * b; false when it overflows. */
bool ct_size_multiply(size_t a, size_t b, size_t *product);

/* *product = the product of the four counts; false when one is negative or the product overflows size_t or ptrdiff_t.
 */
bool ct_size_product(int64_t a, int64_t b, int64_t c, size_t element, size_t *product);

/* Failures count as untold (untold.h), but for more than the machine has: a damaged file may ask for that. */

/* count * element bytes, aligned to CT_ALIGNMENT, contents undefined; NULL with CT_ERROR_MEMORY naming `what`
 * ("the volume") and the size. From 4 MiB on huge pages are asked for. Free with ct_free. */
void *ct_alloc(size_t count, size_t element, const char *what, ct_error **error) __attribute__((malloc));
/* Zeros. Large blocks are cleared by all threads. */
void ct_clear(void *block, size_t bytes);
/* ct_alloc and ct_clear, so that first touch is parallel. */
void *ct_alloc_zero(size_t count, size_t element, const char *what, ct_error **error) __attribute__((malloc));
void ct_free(void *block);

/* strdup / printf into new memory (free with ct_free); NULL with CT_ERROR_MEMORY. */
char *ct_strdup(const char *text, ct_error **error);
char *ct_strprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Bytes of memory that could be allocated now without swapping (MemAvailable of /proc/meminfo, bounded by the
 * control group's limit and RLIMIT_AS), and all of the machine's; 0 when unknown. */
size_t ct_memory_available(void);
size_t ct_memory_total(void);
/* Bytes resident in this process now; 0 when unknown. */
size_t ct_memory_resident(void);

#endif
