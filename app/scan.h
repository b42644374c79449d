/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan shared by the threads of a session: the main loop reads its facts, which never change, and workers read its
 * frames. The last one to let go closes it. */
#pragma once

#include <glib.h>

#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/phantom/simulation.h"
#include "recon/solve/plan.h"

G_BEGIN_DECLS

typedef struct _GantryScan GantryScan;

/* Takes the scan. */
GantryScan *gantry_scan_new(ct_scan *scan, const char *name);
GantryScan *gantry_scan_ref(GantryScan *scan);
void gantry_scan_unref(GantryScan *scan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryScan, gantry_scan_unref)

/* A file or folder, NULL: the built-in example; with its description, NULL: the one beside it. */
GantryScan *gantry_scan_open(const char *path, const char *description, ct_job *job, ct_error **error);
/* A simulated scan. object: the file of a volume or picture in place of the phantom, NULL: none. */
GantryScan *gantry_scan_simulate(const ct_simulation *simulation, const char *object, ct_job *job, ct_error **error);
/* The same object with other values of the simulation. */
GantryScan *gantry_scan_simulate_anew(GantryScan *scan, const ct_simulation *simulation, ct_job *job, ct_error **error);
/* What it was simulated with, borrowed, the built-in example too; NULL: a scan of files. */
const ct_simulation *gantry_scan_get_simulation(GantryScan *scan);
/* The file of the object; NULL: a phantom. */
const char *gantry_scan_get_object(GantryScan *scan);
/* Where it can be opened again; NULL: it is in memory alone. A simulated scan was written there by the main loop's
 * order. */
const char *gantry_scan_get_file(GantryScan *scan);
void gantry_scan_note_file(GantryScan *scan, const char *path);
/* The description that it was opened with, NULL: none was given. */
/* Whether the file stores reference volumes beside the projections (RabbitCT); and as FILE::DATASET the one whose edge
 * in voxels is nearest (g_free). */
gboolean gantry_scan_has_reference(GantryScan *scan);
char *gantry_scan_dup_reference(GantryScan *scan, int edge);
const char *gantry_scan_get_description(GantryScan *scan);

gboolean gantry_scan_is_example(GantryScan *scan);
ct_scan *gantry_scan_get(GantryScan *scan);
const ct_scan_facts *gantry_scan_get_facts(GantryScan *scan);
const char *gantry_scan_get_name(GantryScan *scan);
/* "cone beam · 361 views of 140 × 148"; the beam as the plan takes it. */
char *gantry_scan_dup_subtitle(GantryScan *scan, const ct_plan *plan);
/* Whether the plan's beam needs the distances of the source and the detector, and neither scan nor plan has them. */
gboolean gantry_scan_lacks_distances(GantryScan *scan, const ct_plan *plan);

G_END_DECLS
