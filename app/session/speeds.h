/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast kernels were on this machine (app/speeds.h): takes what runs and tables of variants have measured, and says
 * it of a kernel in words, with what it was measured on. Owns what is kept, as it was read or written last. */
#pragma once

#include "app/engine.h"
#include "app/session/context.h"
#include "app/session/scan-slot.h"
#include "app/variants.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_KERNEL_SPEEDS (gantry_kernel_speeds_get_type())
G_DECLARE_FINAL_TYPE(GantryKernelSpeeds, gantry_kernel_speeds, GANTRY, KERNEL_SPEEDS, GObject)

/* Borrowed. */
GantryKernelSpeeds *gantry_kernel_speeds_new(GantryContext *context, GantryScanSlot *slot);
/* A run that has ended; outcome may be NULL. Iterative ones are passed over. */
void gantry_kernel_speeds_take_run(GantryKernelSpeeds *self, const GantryResult *result, const GantryOutcome *outcome);
/* Rows that have ended; their errors count where `textbook` is what they were taken against. */
void gantry_kernel_speeds_take_rows(GantryKernelSpeeds *self, const gantry_variants *rows, gboolean textbook);
/* "21.4 GUPS, relative RMSE 1.9·10⁻⁷ against textbook: with this scan, 26 November 2026" of the kernel that the plan
 * names (g_free), for a volume or one slice of it; NULL: not measured, or not with this beam, interpolation and
 * precision. */
char *gantry_kernel_speeds_dup_words(GantryKernelSpeeds *self, const ct_plan *plan, gboolean one_slice);

G_END_DECLS
