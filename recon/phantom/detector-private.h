/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the signal that reaches the detector, 1 without object, to what it records. */
#ifndef CT_PHANTOM_DETECTOR_PRIVATE_H
#define CT_PHANTOM_DETECTOR_PRIVATE_H

#include "recon/phantom/imperfections.h"

/* Signal becomes line integrals, with the noise of photons and electronics. */
void ct_record_integrals(const ct_imperfections *imperfections, ct_stack *signal);

/* Signal becomes counts; flats and darks are made. False: CT_ERROR_MEMORY. */
bool ct_record_counts(const ct_imperfections *imperfections, ct_stack *signal, ct_stack **flats, ct_stack **darks,
                      ct_error **error);

#endif
