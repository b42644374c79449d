/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the values of a scan are that does not say so itself. */
#ifndef CT_DATA_VALUES_H
#define CT_DATA_VALUES_H

#include "recon/base/job.h"
#include "recon/data/scan.h"

/* Settles facts.values of a scan that leaves it open, by a few frames: the beam beside the object is the brightest of
 * counts (far above 1) and of transmissions (near 1), and the lowest of line integrals (near 0). facts.values_why then
 * says what was seen, and values_doubt what speaks against it. Frames that cannot be read are passed over: reading is
 * where they are an error. Where the values are stated or settled already, reads nothing but of integers, whose kind is
 * looked at once (samples_doubt). To be called before other threads read the facts: ct_scan_open does. False with
 * CT_ERROR_CANCELLED where the job was cancelled, between two frames: nothing is settled then. */
bool ct_scan_settle_values(ct_scan *scan, ct_job *job, ct_error **error);

/* What speaks against integers as they are read, if they are these values; NULL: nothing. */
const char *ct_scan_facts_samples_doubt(const ct_scan_facts *facts, ct_values values);

/* What is doubtful of the scan, for the end of an error that it may be the cause of: " A cause may be: ...", or "".
 * Returns text. */
const char *ct_scan_facts_doubts(const ct_scan_facts *facts, char *text, size_t size);

#endif
