/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the system failed to do, told or not: allocations, and reading from a disk that answers with an error. Functions
 * that answer a question have no error to tell and fall back, and what cannot be read is taken for what is not there.
 * So each such failure is counted where it happens, and whoever gives a result away looks here. For the whole process,
 * any thread. */
#ifndef CT_BASE_UNTOLD_H
#define CT_BASE_UNTOLD_H

enum { CT_UNTOLD = 256 };

/* what: a sentence without its full stop; kept of the first. */
void ct_untold_note(const char *what);
/* How many there are; what (may be NULL): the first of them. */
unsigned ct_untold(char what[CT_UNTOLD]);
/* They have been told: they count no more. */
void ct_untold_forget(void);
/* Those since there were `before` count no more: what there was no memory for would have changed nothing but the pace.
 */
void ct_untold_forgive(unsigned before);

#endif
