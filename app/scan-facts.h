/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of an opened scan, in words for people: what the file tells, what is assumed, not used or doubtful, and
 * the volume that would come of it. The command `info` prints it, the window's dialog lists it. */
#ifndef GANTRY_SCAN_FACTS_H
#define GANTRY_SCAN_FACTS_H

#include "recon/data/scan.h"

/* name: a word or two ("beam", "assumed"); text: as the files have it, see recon/base/shown.h. Both are gone
 * afterwards. False where memory did not do for one of them, whose text says "no value". */
typedef void (*gantry_scan_fact)(void *user, const char *name, const char *text);
bool gantry_scan_list_facts(const ct_scan *scan, gantry_scan_fact take, void *user);

/* Of the one picture that leaves open what it is; who asks by other means leaves it out. */
#define GANTRY_FACT_QUESTION "question"

#endif
