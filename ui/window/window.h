/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window: header bar, side panel, 2 x 2 views, plots, start page, toasts. It shows what it is told and says
 * what the user asks for; app/session connects it with the engine. Buttons and menus name "win." actions that app
 * adds: open, open-folder, open-example, open-recent(s: uri), choose-source, describe-raw(s: path),
 * read-elsewhere(ss: path, description), read-volume(s: path), close-scan, new-scan, save-scan, save-volume,
 * save-slice, save-plan, load-plan, queue, reconstruct-by-processes,
 * save-figure, save-figures, preferences,
 * open-session, save-session, save-session-as, restore-session(u), discard-session(u), locate-scan, reconstruct, pause
 * (boolean state), finish, cancel, find-centre, sweep-centre, tune-device, undo, redo, set-reference, open-reference,
 * open-stored-reference, clear-reference, auto-preview (boolean state), continue, continue-for(i: iterations),
 * compare-direct and actions that the window adds itself: show-panel (F9), show-plots (F8), fullscreen (F11),
 * auto-window, colour-map(s), diverging-map(s), smooth, mode(s: an id of render/mode.h), those of compare.h and
 * worst.h, side-by-side, loupe(s: off, pixels, values), next-loupe, profile, remove-profile, fit, maximise,
 * show-crosshair, fourth(s: projection, sinogram, oblique, scene), show-arc, those of scene.h, reset-oblique,
 * copy-profile, save-profile, style(s: default, light, dark), draw-rectangle, show-convergence, clear-convergence,
 * copy-convergence, save-convergence, show-errors, show-lessons, errors-scope(s: volume, slice, region),
 * errors-curve(s), show-simulation, show-filter, show-interpolation, show-spectrum, those of growth.h, copy-errors,
 * save-errors, copy-error-numbers, compare-variants, show-views. It also sets the keys of all of them on the
 * application. The style sheets, icons and the shortcuts window lie under /org/gantry/Gantry in the bundle: an
 * AdwApplication of that resource base path finds them by itself. */
#pragma once

#include <adwaita.h>

#include "recon/base/job.h"
#include "recon/base/warnings.h"
#include "recon/metric/metric.h"
#include "recon/phantom/simulation.h"
#include "recon/solve/iterative/iterate.h"
#include "ui/ray-values.h"
#include "ui/errors/report.h"
#include "ui/filter/report.h"
#include "ui/growth/report.h"
#include "ui/interpolation/magnified.h"
#include "ui/image.h"
#include "ui/window/worst.h"
#include "ui/plan/panel.h"
#include "ui/shelf/item.h"
#include "ui/scene-view.h"
#include "ui/slice-view.h"
#include "ui/spectrum/report.h"
#include "ui/start-page.h"
#include "ui/toasts.h"
#include "ui/variants/page.h"
#include "ui/warning.h"
#include "ui/window/lessons.h"
#include "ui/window/variants.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_WINDOW (gantry_window_get_type())
G_DECLARE_FINAL_TYPE(GantryWindow, gantry_window, GANTRY, WINDOW, AdwApplicationWindow)

/* Signals:
 *   "planes-wanted"      the crosshair or a slider moved: read the wanted indices with gantry_window_get_wanted
 *   "projection-wanted"  (int index, gboolean sinogram)
 *   "solid-wanted"       whether the volume is wanted may have changed: gantry_window_wants_solid
 *   "errors-wanted"      the Errors page is to be of something else: gantry_window_get_errors_scope
 *   "file-dropped"       (GFile *)
 *   "shelf-chosen"       another result of the shelf is chosen
 *   "filter-wanted"      the Filter or Interpolation page came on screen, or went: gantry_window_wants_filter
 *   "filter-edited"      (double cutoff, int ramp): on the Filter page
 *   "interpolation-edited" (int interp): on the Interpolation page
 *   "growth-wanted"      the page "View by View" wants something else: gantry_window_get_growth_wish
 *   "spectrum-wanted"    the page "Spectrum" wants another view: gantry_window_get_spectrum_view
 *   "simulation-changed" (const ct_simulation *): on the Simulation page
 *   "shelf-renamed"      (GantryShelfItem *, char *name): it is to have that name; empty: one of its own again
 *   "refuses-output"     (char *path), gboolean: whether writing there is refused, which the handler has then said */
GantryWindow *gantry_window_new(GtkApplication *application, GSettings *settings);

GantryPlanPanel *gantry_window_get_panel(GantryWindow *self);
/* The page that win.compare-variants shows in place of the views; back to these. */
GantryVariantsPage *gantry_window_get_variants_page(GantryWindow *self);
void gantry_window_show_views(GantryWindow *self);
/* The panel of lessons with its frames; and a page below the views (its id of gantry_plots_add), which is shown. */
GantryLessonsPart *gantry_window_get_lessons(GantryWindow *self);
void gantry_window_show_page(GantryWindow *self, const char *id);
GantryDisplay *gantry_window_get_display(GantryWindow *self);

void gantry_window_show_start(GantryWindow *self);
/* title: "bell-pepper", subtitle: "cone beam · 361 views of 140 × 148". */
void gantry_window_show_scan(GantryWindow *self, const char *title, const char *subtitle);
/* What is shown, without clearing the views. */
void gantry_window_set_title(GantryWindow *self, const char *title);
/* What is said of the scan shown, alone. */
void gantry_window_set_subtitle(GantryWindow *self, const char *subtitle);
/* Recent scans for the start page and the open menu: paths and their display names, most recent first. */
void gantry_window_set_recent(GantryWindow *self, const char *const *uris, const char *const *names);

/* Sessions that the start page offers to restore, copied. */
void gantry_window_set_lost_sessions(GantryWindow *self, const GantryLostSession *sessions, gsize count);

/* The grid of the shown result or preview: sets slider ranges, keeps the crosshair where it is in mm. */
/* Of all that is shown from now on. */
void gantry_window_set_units(GantryWindow *self, ct_units units);
/* The scale that the scan or the volume tells of its values; without a unit: none. */
void gantry_window_set_scale(GantryWindow *self, const ct_named_scale *scale);
void gantry_window_set_grid(GantryWindow *self, const ct_grid *grid);
/* What the volume and the projections are seen by, copied; NULL: nothing is known. */
void gantry_window_set_geometry(GantryWindow *self, const ct_geometry *geometry, GantryBins bins);
/* Wanted plane indices under the present crosshair. */
void gantry_window_get_wanted(GantryWindow *self, int index[3]);
/* kind of image says the view. B images are the reference at the same place. */
void gantry_window_set_image(GantryWindow *self, ctgl_slot slot, GantryImage *image);
/* Whether A's picture there was made with values that have been changed since. */
void gantry_window_set_outdated(GantryWindow *self, GantryViewKind kind, gboolean outdated);
void gantry_window_clear_images(GantryWindow *self, ctgl_slot slot);
void gantry_window_set_projection_range(GantryWindow *self, int views, int rows);
/* Projections of a detector with a few rows are streaks too thin to be seen: of such a scan the fourth view shows the
 * sinogram, and of the next one projections again, unless the user has chosen meanwhile. */
void gantry_window_suit_fourth(GantryWindow *self, int rows);
/* Of the scene alone, before there is a picture of it. */
void gantry_window_set_scene_grid(GantryWindow *self, const ct_grid *grid);
/* The volume of A for the scene; NULL: there is none. */
gboolean gantry_window_wants_solid(GantryWindow *self);
void gantry_window_set_solid(GantryWindow *self, GantrySolid *solid);
/* What A and B are: "preview", "volume 256³, 361 views"; B NULL: no reference. */
void gantry_window_set_result_titles(GantryWindow *self, const char *a, const char *b);
/* What "worst-wanted" asked for, the largest difference first; scope: of what ("in the whole volume"). */
void gantry_window_set_worst(GantryWindow *self, const GantryPlace *places, gsize count, const char *scope);
/* Filter page: whether it is on screen; what it shows, which is taken. NULL: nothing, `instead` says why, NULL: no
 * scan. */
gboolean gantry_window_wants_filter(GantryWindow *self);
void gantry_window_take_filter(GantryWindow *self, GantryFilterReport *report, const char *instead);
/* The page "Interpolation", side by side: FALSE where that is not on screen; one of the pictures, taken, NULL: none. */
gboolean gantry_window_get_magnified_wish(GantryWindow *self, GantryMagnifiedWish *wish);
void gantry_window_take_magnified(GantryWindow *self, GantryMagnified *picture, const char *instead);
/* The page "View by View": what it wants to see, FALSE where it is not on screen; what it shows, as above. */
gboolean gantry_window_get_growth_wish(GantryWindow *self, GantryGrowthWish *wish);
void gantry_window_take_growth(GantryWindow *self, GantryGrowthReport *report, const char *instead);
/* The page "Spectrum" likewise. */
gboolean gantry_window_get_spectrum_view(GantryWindow *self, int *view);
void gantry_window_take_spectrum(GantryWindow *self, GantrySpectrumReport *report, const char *instead);
/* What the scan was simulated with, for the Simulation page; NULL: it was not, and the page is away. */
void gantry_window_set_simulation(GantryWindow *self, const ct_simulation *simulation);
/* What lies on the shelf, of GantryShelfItem; NULL: no shelf. Its commands are about the chosen result: shelf-show,
 * shelf-reference, shelf-tick and shelf-pin (boolean states), shelf-values, shelf-save, shelf-remove, shelf-restore,
 * open-volume, add-truth, which app adds, and the window's own show-shelf (F7) and shelf-rename. */
void gantry_window_set_shelf(GantryWindow *self, GListModel *items);
/* What the results take in memory ("7.1 MB of 4.2 GB"), and a sentence about it. */
void gantry_window_set_shelf_memory(GantryWindow *self, const char *text, const char *tip);
/* NULL: none is chosen. */
GantryShelfItem *gantry_window_get_chosen_result(GantryWindow *self);
/* The ticked results of the shelf with the planes on screen, in the shelf's order; copied, replacing those before. */
void gantry_window_set_variants(GantryWindow *self, const GantryVariant *variants, gsize count);
const GantryVariant *gantry_window_get_variants(GantryWindow *self, gsize *count);
/* Statistics page: what A's figures are about ("A, this axial slice"); the figures, each may be NULL. */
void gantry_window_set_statistics_scope(GantryWindow *self, const char *scope);
/* Lines of values that differ between A and B although nobody set them; NULL: none. */
void gantry_window_set_differences(GantryWindow *self, const char *lines);
void gantry_window_set_statistics(GantryWindow *self, const ct_statistics *a, const ct_metrics *a_against_b);
/* Errors page: what it is to be of; and what it shows, which is taken. NULL: nothing, `instead` says why, NULL: no
 * scan. */
GantryErrorsScope gantry_window_get_errors_scope(GantryWindow *self);
void gantry_window_take_errors(GantryWindow *self, GantryErrorReport *report, const char *instead);
/* Fits the grey window to the shown slices (ct_grey_range), as for the first images of a new scan. */
void gantry_window_auto_window(GantryWindow *self);
/* The values of what comes next will be others by half or more: a window that was fitted follows them. */
void gantry_window_expect_other_values(GantryWindow *self);
/* The grey window of the slices shown. */
void gantry_window_set_grey(GantryWindow *self, double low, double high);

/* Convergence page. A run begins: its name ("OS-SART 10 subsets") and whole recipe; its number. */
guint gantry_window_add_run(GantryWindow *self, const char *name, const char *recipe);
/* Its whole curve so far; planned: iterations that it is to have in all, 0 when it is over. */
void gantry_window_set_run(GantryWindow *self, guint run, const ct_iteration *points, gsize count, int planned);
/* Its curve stays, and says that the run was cancelled. */
void gantry_window_mark_run_cancelled(GantryWindow *self, guint run);
gboolean gantry_window_has_run(GantryWindow *self, guint run);
void gantry_window_remove_run(GantryWindow *self, guint run);
void gantry_window_clear_runs(GantryWindow *self);
/* What the button Continue adds; 0: there is nothing to go on with. */
void gantry_window_set_continue(GantryWindow *self, int iterations);

/* What the user has to tell before anything can be reconstructed, which keeps the button Reconstruct quiet; NULL:
 * nothing. */
void gantry_window_set_missing(GantryWindow *self, const char *text);
/* How far a run is, below the title; NULL: it is over. `text`: "back-projecting 184 / 361 · 21.4 GUPS · 0:03 left · 210
 * MB". */
void gantry_window_set_progress(GantryWindow *self, const ct_progress *progress, const char *text);
/* A thin busy line under the header for work too short for that (preview, centre). */
void gantry_window_set_busy(GantryWindow *self, gboolean busy, const char *text);

/* button_label, action_name: what the message offers; may be NULL. Which message is on show: see ui/toasts.h. */
void gantry_window_toast(GantryWindow *self, GantryTopic topic, const char *text, const char *button_label,
                         const char *action_name);
/* What stays in a banner until dismissed or the next success: one sentence, what to do. An error: what was asked for
 * could not be done; a notice: no error, but something that the user should know or do. */
void gantry_window_show_error(GantryWindow *self, const char *text);
void gantry_window_show_notice(GantryWindow *self, const char *text);
/* A button in the banner that is up, until the next message. */
void gantry_window_offer_remedy(GantryWindow *self, const char *label, const char *tip, const char *action_name);
/* An error that its button mends, which stays until it is answered or dismissed, whatever else is told; several wait
 * for each other. action_name, with its target, tells it from others. */
void gantry_window_ask(GantryWindow *self, const GantryWarning *question);
void gantry_window_end_question(GantryWindow *self, const char *action_name);
void gantry_window_clear_error(GantryWindow *self);
/* For work that ends later: its success takes down, and its notice takes the place of, no error that was told since it
 * began. The mark is taken then. A notice waits until that error is dismissed. */
guint gantry_window_get_message_mark(GantryWindow *self);
void gantry_window_clear_error_until(GantryWindow *self, guint mark);
void gantry_window_show_outcome(GantryWindow *self, guint mark, const GantryWarning *notice);
/* What makes the numbers of the slices on screen doubtful: all of it on the Statistics page (NULL: nothing), and in the
 * banner what is shown there while nothing else is. */
void gantry_window_set_warnings(GantryWindow *self, const ct_warnings *warnings, const GantryWarning *shown);

/* What of projections and sinograms the fourth view is to show. */
GantryProjectionValues gantry_window_get_projection_values(GantryWindow *self);
/* Whether a sinogram is to come with its arc and redundancy weights. */
gboolean gantry_window_wants_redundancy(GantryWindow *self);

/* The ray that the page "Profile" is to show ("ray-wanted": another one, or none); NULL: none. What is met along it,
 * copied; and what a ray's pixel measured. */
const GantryRay *gantry_window_get_wanted_ray(GantryWindow *self);
void gantry_window_set_ray_values(GantryWindow *self, const GantryRayValues *values);
void gantry_window_set_ray_measured(GantryWindow *self, const GantryRay *ray, double measured);

G_END_DECLS
