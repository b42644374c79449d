/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The objects of a session, for the files that wire them (session.c, wiring.c) and command them (commands.c). The
 * session owns the objects and next to no state of its own; it alone knows all of them. Each object knows those above
 * it in this list, as far as its header names them, and none below: what it has to tell them it says by a signal. */
#pragma once

#include "app/session/analyser.h"
#include "app/session/appraisal.h"
#include "app/session/autosave.h"
#include "app/session/centre.h"
#include "app/session/devices.h"
#include "app/session/differences.h"
#include "app/session/filter-feed.h"
#include "app/session/growth-feed.h"
#include "app/session/lessons.h"
#include "app/session/measurer.h"
#include "app/session/opening.h"
#include "app/session/overlay.h"
#include "app/session/paper-figures.h"
#include "app/session/processes.h"
#include "app/session/queue.h"
#include "app/session/ray-feed.h"
#include "app/session/run.h"
#include "app/session/save.h"
#include "app/session/session-saver.h"
#include "app/session/session.h"
#include "app/session/shelf-store.h"
#include "app/session/simulator.h"
#include "app/session/solid.h"
#include "app/session/spectrum-feed.h"
#include "app/session/statistics.h"
#include "app/session/truth.h"
#include "app/session/variant-grid.h"

G_BEGIN_DECLS

struct _GantrySession {
  GObject parent_instance;
  GtkApplication *application;
  gboolean closing;
  gboolean alone; /* volumes were shown without a scan last */

  GantryContext *context;
  GantryJobs *jobs;
  GantryBanner *banner;
  GantryShelf *shelf;
  GantryShelfStore *store;
  GantryDialogs *dialogs;
  GantryQuestions *questions;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryKernelSpeeds *speeds;
  GantryPlanFiles *plans;
  GantryOpening *opening;
  GantryPictures *pictures;
  GantryPreview *preview;
  GantrySlices *slices;
  GantryReference *reference;
  GantryTruth *truth;
  GantrySimulator *simulator;
  GantryLessons *lessons;
  GantryFilterFeed *filter;
  GantryGrowthFeed *growth;
  GantrySpectrumFeed *spectrum;
  GantryStatistics *statistics;
  GantryDifferences *differences;
  GantryAnalyser *analyser;
  GantryAppraisal *appraisal;
  GantryOverlay *overlay;
  GantrySolidFeed *solid;
  GantryMeasurer *measurer;
  GantryRayFeed *ray;
  GantryCentre *centre;
  GantryRun *run;
  GantrySaver *saver;
  GantryVariantGrid *variants;
  GantryPaperFigures *figures;
  GantryDevices *devices;
  GantryWorkspace *workspace;
  GantrySessionSaver *session_saver;
  GantryAutosave *autosave;
  GantryQueue *queue;
  GantryProcesses *processes;
};

/* wiring.c: makes the objects and connects them with each other and with the window; lets go of them. */
void gantry_session_make_objects(GantrySession *self);
void gantry_session_connect_objects(GantrySession *self);
void gantry_session_free_objects(GantrySession *self);

/* another-scan.c: answers of the scan slot. */
void gantry_session_scan_loaded(GantryScanSlot *slot, gboolean replaced, const char *plan, const GError *error,
                                GantrySession *self);
void gantry_session_scan_renewed(GantryScanSlot *slot, GantrySession *self);

/* commands.c: the "win." actions that the window's buttons and menus name, and when each of them makes sense. */
void gantry_session_add_actions(GantrySession *self);
void gantry_session_update_actions(GantrySession *self);
/* shelf-commands.c: those about the result that is chosen on the shelf; gives the window its model. */
void gantry_session_add_shelf_actions(GantrySession *self);
/* Asks for its file. */
void gantry_session_save_entry(GantrySession *self, GantryEntry *entry);
void gantry_session_update_shelf_actions(GantrySession *self);
/* alone.c: volumes without a scan. Whether one is A now; whether the first could be; shows it as A; says what it is
 * where the scan's name would stand; a scan takes its place. */
gboolean gantry_session_is_alone(GantrySession *self);
gboolean gantry_session_can_show_alone(GantrySession *self);
void gantry_session_show_alone(GantrySession *self, GantryEntry *entry);
void gantry_session_title_alone(GantrySession *self);
void gantry_session_end_alone(GantrySession *self);
/* session-commands.c: those about the session as a file; opens one, after a question where work would be lost. */
void gantry_session_add_session_actions(GantrySession *self);
void gantry_session_update_session_actions(GantrySession *self);
void gantry_session_open_file(GantrySession *self, const char *path);
/* variant-commands.c: those of the page "Compare Variants"; what its rows take of the memory counts with the shelf. */
void gantry_session_count_rows(GantrySession *self);
void gantry_session_add_variant_actions(GantrySession *self);
void gantry_session_update_variant_actions(GantrySession *self);

G_END_DECLS
