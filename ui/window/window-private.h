/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's parts, shared by its files: window.c (frame, start page, settings), actions.c (commands),
 * views.c (slices and crosshair), oblique.c (the oblique plane),
 * rectangle.c (the rectangle of unattenuated rays), plots.c (profile, histogram, statistics),
 * convergence.c (curves of iterative runs), files.c (plots to files), status.c (progress, busy
 * line), messages.c (toasts, errors, notices). */
#pragma once

#include "ui/colour-legend.h"
#include "ui/convergence-page.h"
#include "ui/histogram.h"
#include "ui/plot.h"
#include "ui/start-page.h"
#include "ui/statistics-page.h"
#include "ui/window/window.h"

struct _GantryWindow {
  AdwApplicationWindow parent_instance;
  GSettings *settings;
  GantryDisplay *display;
  GMenu *recent_menu;

  AdwWindowTitle *title;
  AdwSplitButton *open_button, *reconstruct_button;
  GtkWidget *panel_button, *undo_box, *menu_button;
  GtkStack *pages;
  GantryStartPage *start_page;
  AdwFlap *flap;
  GantryPlanPanel *panel;
  GtkWidget *paned, *quad, *upper_row, *lower_row, *plots, *modes, *swipe, *display_button, *legend_box,
      *small_legend_box;
  GtkAdjustment *swipe_adjustment;
  GtkLabel *cross_label, *title_a, *title_b;
  GtkWidget *set_reference, *clear_reference;
  GtkStack *plot_pages;
  GtkWidget *profile_buttons, *convergence_buttons, *continue_button, *continue_popover, *continue_spin, *continue_for;

  /* Slices */
  GantrySliceView *view[GANTRY_VIEWS];
  GantryViewKind maximised; /* GANTRY_VIEWS: none */
  GtkWidget *oblique_pane;  /* view and bar */
  double oblique_wanted[3]; /* rotation, tilt, d that were asked for; NAN: none */
  ct_grid grid;
  gboolean has_grid, cross_placed, has_reference;
  int wanted[3];
  gboolean sinogram, sinogram_suits; /* suits: shown because the detector has one row */
  int projection, row, projections, rows;
  gboolean window_pending, projection_window_pending, difference_pending; /* to be fitted when pictures arrive */
  gint64 settles_until;    /* monotonic µs: until then the grey window follows what the last work made */
  gboolean rescaled;       /* the grid has another extent than the pictures that the window was fitted to */
  gboolean projection_due; /* the row was chosen here, not by the user */
  double fitted[2], projection_fitted[2]; /* the windows as they were last fitted */
  double fitted_to[2];                    /* A's range at that time */
  gboolean closed;
  guint refresh; /* idle source that brings plots and labels up to date */

  /* Plots */
  GantryPlot *profile;
  GtkLabel *profile_words[4];
  GantryHistogram *histogram;
  GantryStatisticsPage *statistics;
  GantryConvergencePage *convergence;

  /* Status */
  AdwToastOverlay *toasts, *view_toasts; /* of the start page, of the views */
  GantryToasts *sayings;                 /* what is said on either */
  /* On the start page, below the side panel, over the plots, over the views: one of them has the banner. */
  GtkRevealer *message_above, *message_below, *message_plots, *message_views;
  GtkWidget *message_banner, *message_words;
  GtkImage *message_icon;
  GtkLabel *error_label, *notice_label; /* one of them has words */
  GtkButton *message_button;
  gboolean message_shown;
  GtkWidget *run_buttons, *pause_button;
  GtkImage *pause_icon;
  GtkLabel *pause_word;
  GtkProgressBar *progress_bar, *busy_bar;
  GtkWidget *busy_label, *drop_hint;
  char *subtitle, *progress_text; /* what the scan is; how far the run is, NULL without one */
  guint busy_timer;
  gboolean busy_shown;
};

enum {
  GANTRY_WINDOW_PLANES_WANTED,
  GANTRY_WINDOW_PROJECTION_WANTED,
  GANTRY_WINDOW_FILE_DROPPED,
  GANTRY_WINDOW_SIGNALS
};
void gantry_window_emit_planes_wanted(GantryWindow *self);
void gantry_window_emit_projection_wanted(GantryWindow *self);

void gantry_window_add_actions(GantryWindow *self);
void gantry_window_set_accels(GtkApplication *application);
/* Ctrl+1 to Ctrl+5 open recent scans. */
void gantry_window_set_recent_accels(GantryWindow *self, const char *const *uris);

void gantry_window_make_views(GantryWindow *self);
void gantry_window_reset_views(GantryWindow *self);
void gantry_window_set_sinogram(GantryWindow *self, gboolean sinogram);

/* oblique.c */
/* Shows the oblique plane in place of the projection, or the projection again. */
void gantry_window_set_oblique(GantryWindow *self, gboolean oblique);
void gantry_window_oblique_changed(GantryDisplay *display, GantryWindow *self);
/* Whether another plane is wanted than before. */
gboolean gantry_window_update_oblique(GantryWindow *self);
/* The slider of the oblique view was moved. */
void gantry_window_oblique_wanted(GantryWindow *self, int index);
/* Back to the angles that it began with, and where it would lie beside the volume through the middle of that. */
void gantry_window_reset_oblique(GantryWindow *self);
/* After the picture of the oblique plane changed: says so where it shows nothing of the volume. */
void gantry_window_judge_oblique(GantryWindow *self);
void gantry_window_maximise(GantryWindow *self, GantryViewKind kind);
/* The view that has or last had the keyboard, else the axial one. */
GantryViewKind gantry_window_focused_view(GantryWindow *self);

void gantry_window_make_plots(GantryWindow *self);
void gantry_window_show_profile(GantryWindow *self);
void gantry_window_show_histogram(GantryWindow *self);
void gantry_window_show_cross(GantryWindow *self);
void gantry_window_fit_difference(GantryWindow *self);
/* Whether values of range `now` need another window than those it was fitted to: counts became line integrals, the
 * pixel size became known. Noise and the streaks of an early volume do not. */
gboolean gantry_window_outgrown(const double fitted[2], const double now[2]);
typedef enum {
  GANTRY_SAMPLE_A,
  GANTRY_SAMPLE_SHOWN,      /* A, B, or both where one is swiped over the other; A for the difference */
  GANTRY_SAMPLE_DIFFERENCE, /* A - B */
} GantrySample;
/* Pixels of the slices, thinned to about `most`; NULL without pictures. */
float *gantry_window_sample_slices(GantryWindow *self, GantrySample sample, gsize most, gsize *count);
/* Plots and labels follow in the next idle moment, however many changes arrive. */
void gantry_window_queue_refresh(GantryWindow *self);

/* rectangle.c */
void gantry_window_make_rectangle(GantryWindow *self);
/* After the panel's or the fourth view's choice changed. */
void gantry_window_show_rectangle(GantryWindow *self);
/* After another projection arrived. */
void gantry_window_judge_rectangle(GantryWindow *self);

/* convergence.c */
void gantry_window_make_convergence(GantryWindow *self);

/* files.c */
/* Copies the table of a plot; empty: says that there is nothing yet. `name`: "profile". */
void gantry_window_copy_table(GantryWindow *self, const char *name, const char *csv);
/* Asks for a file and saves the plot as a picture, or the table that `to_csv` makes of the source. */
void gantry_window_save_plot(GantryWindow *self, const char *name, GantryPlot *plot, char *(*to_csv)(gpointer source),
                             gpointer source);

/* messages.c */
void gantry_window_make_messages(GantryWindow *self);

/* status.c */
void gantry_window_stop_busy(GantryWindow *self);
/* After what goes on, or the page, changed. */
void gantry_window_show_status(GantryWindow *self);
gboolean gantry_window_is_running(GantryWindow *self);
