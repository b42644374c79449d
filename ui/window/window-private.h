/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The objects of a window, for window.c, which makes and wires them, for commands.c, and for tests. Each owns a part of
 * the window's state and widgets; those above in this list know none below. */
#pragma once

#include "ui/window/compare.h"
#include "ui/window/display-actions.h"
#include "ui/window/errors.h"
#include "ui/window/figures.h"
#include "ui/window/filter.h"
#include "ui/window/interpolation.h"
#include "ui/window/fourth.h"
#include "ui/window/frame.h"
#include "ui/window/growth.h"
#include "ui/window/layouts.h"
#include "ui/window/lessons.h"
#include "ui/window/links.h"
#include "ui/window/marks.h"
#include "ui/window/messages.h"
#include "ui/window/numbers.h"
#include "ui/window/planes.h"
#include "ui/window/plots.h"
#include "ui/window/profile.h"
#include "ui/window/quad.h"
#include "ui/window/ray.h"
#include "ui/window/reading.h"
#include "ui/window/rectangle.h"
#include "ui/window/refresh.h"
#include "ui/window/runs.h"
#include "ui/window/scales.h"
#include "ui/window/scene.h"
#include "ui/window/shelf.h"
#include "ui/window/sides.h"
#include "ui/window/simulation.h"
#include "ui/window/spectrum.h"
#include "ui/window/status.h"
#include "ui/window/variants-part.h"
#include "ui/window/variants.h"
#include "ui/window/window.h"
#include "ui/window/worst.h"

struct _GantryWindow {
  AdwApplicationWindow parent_instance;
  GantryDisplay *display; /* NULL once closed */
  GantryPlanPanel *panel;

  GantryRefresh *refresh;
  GantryFrame *frame;
  GantryStatus *status;
  GantryMessages *messages;
  GantryQuad *quad;
  GantryLayouts *layouts;
  GantryScales *scales;
  GantryPlanes *planes;
  GantryRectangle *rectangle;
  GantryFourth *fourth;
  GantryScenePart *scene;
  GantryLinks *links;
  GantrySides *sides;
  GantryCompare *compare;
  GantryWorst *worst;
  GantryVariants *variants;
  GantryShelfPart *shelf;
  GantryReading *reading;
  GantryPlots *plots;
  GantryRayPart *ray;
  GantryProfile *profile;
  GantryNumbers *numbers;
  GantryMarksPart *marks;
  GantryErrors *errors;
  GantryRuns *runs;
  GantrySimulationPart *simulation;
  GantryFilterPart *filter;
  GantryInterpolationPart *interpolation;
  GantryGrowthPart *growth;
  GantrySpectrumPart *spectrum;
  char *doing[2]; /* what the header and the thin line tell of; NULL: nothing */
  GantryVariantsPart *variants_part;
  GantryDisplayActions *display_actions;
  GantryLessonsPart *lessons;
  GantryFigures *figures;
};

/* commands.c: auto-window, fit, maximise, reset-oblique, fullscreen, show-panel, show-plots. */
void gantry_window_add_actions(GantryWindow *self);
