/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loader's state, and the correction of single frames. */
#ifndef CT_PREP_LOAD_PRIVATE_H
#define CT_PREP_LOAD_PRIVATE_H

#include "recon/prep/beam-private.h"
#include "recon/prep/prep-private.h"

typedef enum {
  CT_FRAME_UNREAD,
  CT_FRAME_GOOD,
  CT_FRAME_EMPTY,
  CT_FRAME_DARK_BEAM,
  CT_FRAME_NO_BEAM,
  CT_FRAME_NO_MEMORY
} ct_frame_result;

typedef struct ct_frame_report {
  ct_frame_result result;
  size_t not_finite, unreadable, outliers, floored;
  bool looked_at; /* for bad pixels (notice.c) */
  float sides[2]; /* medians of the outermost columns, where looked_at */
  float top;      /* of views that are looked at: the largest value as read, */
  size_t at_top;  /* and the pixels that hold it beside others that do */
  bool blank;     /* all line integrals are one number (blank.c) */
  float mean;     /* of some line integrals */
  double i0;
} ct_frame_report;

/* Pixels of a frame that are brighter than all about them; more than there is room for are many more. */
enum { CT_SPIKES_MOST = 512 };
typedef struct ct_spikes {
  bool looked_at;
  int count, at[CT_SPIKES_MOST];
} ct_spikes;

struct ct_loader {
  ct_scan *scan;
  const ct_scan_facts *facts;
  ct_prep_options options;
  ct_values values;       /* optical densities are line integrals from the first correction on, times */
  float density;          /* ln(10); else 1 */
  int row0, rows;         /* wanted */
  int band0, band;        /* read: more where the beam intensity needs it */
  int first, step, count; /* views */
  int bin, row_bin;       /* columns and rows that become one pixel */
  bool flip_rows, flip_columns;
  bool use_flats, use_darks, use_log;
  ct_i0_method i0;
  ct_beam_border border; /* where the intensity is taken from it */
  ct_fields flats, darks;
  const float *flat[2], *dark[2]; /* of the present batch, [band][nu] */
  float least_gain;               /* flat - dark below it is a dead pixel */
  float *buffer;                  /* [batch][band][nu], or NULL: frames are read into the stack */
  int batch;
  bool *left_out;           /* [count] views that are no use; NULL: they are an error */
  ct_frame_report *reports; /* [count] */
  unsigned char *hits;      /* [rows][nu] views in which a pixel stands out; NULL: that is not looked for */
  ct_spikes *spikes;        /* of those views, each with the one before and after it (notice.c) */
};

/* The intensity as a number: the plan's, or of the automatic method the scan's own. */
double ct_loader_level(const ct_loader *loader);

/* Sets least_gain for the flats and darks held for this view; CT_ERROR_DATA when too many pixels lie below it. */
bool ct_check_gain(ct_loader *loader, int view, ct_error **error);

/* Flats and darks of a frame [band][nu], held for its view. */
void ct_divide_fields(const ct_loader *loader, int view, float *frame);

/* Corrects the frame of one view, [band][nu] in place, into out [rows / bin][nu / bin], which may begin where the frame
 * does when band = rows and bin = 1. Thread-safe. */
void ct_correct_frame(const ct_loader *loader, int view, float *frame, float *out, ct_frame_report *report);

/* Bad pixels (notice.c): of the frame of view `index` of the load, corrected but for logarithm and bins. */
bool ct_notice_begin(ct_loader *loader, ct_error **error);
void ct_notice_frame(const ct_loader *loader, int index, const float *frame, ct_frame_report *report);
void ct_notice_report(const ct_loader *loader, ct_prep_report *report);
/* Whether the view of this number in the load is one of them. */
bool ct_notice_looks_at(const ct_loader *loader, int index);
/* Values cut off above in these views (saturation.c); frame: the wanted rows as read. */
void ct_saturation_frame(const ct_loader *loader, int index, const float *frame, ct_frame_report *report);
void ct_saturation_report(const ct_loader *loader, ct_prep_report *report);
/* Views without anything in them (blank.c); integrals: the whole view, as it is handed on. */
void ct_blank_frame(const float *integrals, size_t count, ct_frame_report *report);
void ct_blank_report(const ct_loader *loader, ct_prep_report *report);

#endif
