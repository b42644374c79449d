/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan: projections (mostly still on disk), flats, darks, the geometry as far as the file tells it, and where it came
 * from. Readers in recon/io fill it through ct_scan_source; everybody else reads frames through it. Reading is
 * serialised by a lock inside, so several threads may read one scan. */
#ifndef CT_DATA_SCAN_H
#define CT_DATA_SCAN_H

#include "recon/base/choice.h"
#include "recon/base/error.h"
#include "recon/base/value-scale.h"
#include "recon/data/remarks.h"
#include "recon/data/stack.h"
#include "recon/geom/geometry.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { CT_FRAME_PROJECTION, CT_FRAME_FLAT, CT_FRAME_DARK } ct_frame_kind;
/* Filtered: weighted and filtered for back-projection; their sum over p / w^2 is the picture. */
#define CT_VALUES_LIST(ROW)                                                                                            \
  ROW(CT_VALUES_UNKNOWN, "unknown", "meaning not stated", NULL)                                                        \
  ROW(CT_VALUES_COUNTS, "counts", "raw counts", NULL)                                                                  \
  ROW(CT_VALUES_LINE_INTEGRALS, "line integrals", "line integrals", NULL)                                              \
  ROW(CT_VALUES_TRANSMISSION, "transmission", "transmission", NULL)                                                    \
  ROW(CT_VALUES_FILTERED, "filtered", "weighted and filtered already", NULL)                                           \
  ROW(CT_VALUES_OPTICAL_DENSITY, "optical density", "optical densities, -log10(I / I0)", NULL)
typedef enum { CT_VALUES_LIST(CT_CHOICE_VALUE) } ct_values;
extern const ct_choice ct_values_choices[];
/* Whether their logarithm has been taken, of whatever base. */
bool ct_values_are_logarithms(ct_values values);

/* What one picture of the file is. Sinograms: its rows are the views of one detector row. */
#define CT_LAYOUT_LIST(ROW)                                                                                            \
  ROW(CT_LAYOUT_UNKNOWN, "unknown", "not stated", NULL)                                                                \
  ROW(CT_LAYOUT_PROJECTIONS, "projections", "a projection a picture", NULL)                                            \
  ROW(CT_LAYOUT_SINOGRAMS, "sinograms", "a sinogram a picture: rows are angles", NULL)
typedef enum { CT_LAYOUT_LIST(CT_CHOICE_VALUE) } ct_layout;
extern const ct_choice ct_layout_choices[];

/* What of the geometry the file (or its description) really told; the rest are defaults that a plan may overrule. */
enum {
  CT_KNOWN_ANGLES = 1 << 0,
  CT_KNOWN_PITCH = 1 << 1,
  CT_KNOWN_DISTANCES = 1 << 2,
  CT_KNOWN_BEAM = 1 << 3,
  CT_KNOWN_CENTRE = 1 << 4,
};

/* How frames are read; a reader's private state and two functions. */
typedef struct ct_scan_source {
  void *state;
  /* Rows row0 .. row0 + rows - 1 of frame `index` of `kind` as float32 [rows][nu], as stored in the file (flips are
   * applied by ct_scan_read). Errors name the file and the frame. Called with the scan's lock held. */
  bool (*read)(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error);
  void (*free)(void *state);
  /* Whether the files that were read are still what they were when they were opened; NULL: there are none. The lock is
   * held. */
  bool (*check)(void *state, ct_error **error);
} ct_scan_source;

/* The facts of a scan; readers fill one, ct_scan_new copies it (geometry included). */
/* UNKNOWN: taken as flat. CURVED: the geometry is in the terms of recon/geom/curved.h, and the scan can be written, but
 * not reconstructed; opening makes it flat. */
typedef enum { CT_SHAPE_UNKNOWN, CT_SHAPE_FLAT, CT_SHAPE_CURVED } ct_detector_shape;

typedef struct ct_scan_facts {
  ct_geometry geometry; /* counts as stored; angles radians; unit pitch, centred, parallel where the file is silent */
  unsigned known;       /* CT_KNOWN_* */
  ct_detector_shape shape;
  ct_values values;
  ct_layout layout; /* as far as file or user tell */
  /* Of values that the file leaves open (ct_scan_settle_values): what was seen of them ("the beam beside the object
   * reads 2010"), NULL: the file states them; and a warning where that is doubtful, else NULL. */
  const char *values_why, *values_doubt;
  /* Of integers: what speaks against their being read as they are, or NULL; counts_doubtful: only if they are counts.
   */
  const char *samples_doubt;
  bool counts_doubtful, looked_at; /* looked_at: frames were, or need not be */
  int flats, darks;
  /* Where in the run each flat / dark was taken: number of projections before it; NULL means all before the first. */
  const double *flat_positions, *dark_positions;
  bool flip_rows; /* row 0 of the file is the top (highest v): TIFF and PNG */
  bool flip_columns;
  const char *path;        /* what was opened */
  const char *first_image; /* the file of the first projection, where projections are files; else NULL */
  const char *format;      /* for people: "Data Exchange HDF5" */
  const char *dataset;     /* inside the file, or NULL */
  const char *note;        /* something the user should know ("angles missing: 0..180 degrees assumed"), or NULL */
  uint64_t bytes;          /* size on disk; 0 for a scan in memory */
  bool integers;           /* the file stores integers */
  double white_level;      /* counts of the beam without object, where a file states them; else 0 */
  /* Where the first column's and row's pixel centre is on the detector, mm, where the file states it (MetaImage). */
  bool has_origin;
  double origin_u, origin_v;
  /* [views] the place of each projection in the run by the number in its name: 0, 1, 3 where the third of four images
   * is missing. NULL: in order, without gaps. */
  const int *numbers;
  ct_remarks *remarks;  /* what was read from where, assumed, and not used; or NULL. Readers add to it, others read */
  ct_named_scale scale; /* of the volume's values, where the file tells one: Hounsfield units */
  int together; /* projections that the file packs together, so that one costs as much to read as all of them; 0 or 1:
                   none */
} ct_scan_facts;

typedef struct ct_scan ct_scan;

/* Takes the source (frees it with the scan, and on failure). Checks the facts. */
ct_scan *ct_scan_new(const ct_scan_facts *facts, ct_scan_source source, ct_error **error);
/* A scan over a stack in memory, which it takes; frames are projections only, values as given. */
ct_scan *ct_scan_new_memory(const ct_geometry *geometry, ct_stack *stack, ct_values values, const char *title,
                            ct_error **error);
/* The same with flats and darks taken before the first view (NULL: none), which it takes too. */
ct_scan *ct_scan_new_frames(const ct_geometry *geometry, ct_stack *projections, ct_stack *flats, ct_stack *darks,
                            ct_values values, const char *title, ct_error **error);
void ct_scan_free(ct_scan *scan);

/* What the user says that a picture is, where the reader did not ask. */
void ct_scan_take_layout(ct_scan *scan, ct_layout layout);
/* Of what detector the frames are. */
void ct_scan_take_shape(ct_scan *scan, ct_detector_shape shape);
/* Whether the scan is one picture of which nobody said what it is: one view, or a sinogram. The second fails with the
 * question. */
bool ct_scan_layout_is_open(const ct_scan *scan);
bool ct_scan_check_layout(const ct_scan *scan, ct_error **error);
/* Other facts of the same frames, which may point into the present ones: counts of columns, rows and views stay. */
bool ct_scan_replace_facts(ct_scan *scan, const ct_scan_facts *facts, ct_error **error);

/* What the values are that the facts leave open; texts are copied, and nothing changes where memory is short. */
void ct_scan_take_values(ct_scan *scan, ct_values values, const char *why, const char *doubt);
/* doubt: or NULL, copied. Frames have been looked at. */
void ct_scan_take_samples_doubt(ct_scan *scan, const char *doubt, bool of_counts);

const ct_scan_facts *ct_scan_get_facts(const ct_scan *scan);
/* "bell-pepper", "tooth.h5": the last part of the path. */
const char *ct_scan_get_name(const ct_scan *scan);

/* Rows [row0, row0 + rows) of a frame in the scan's upright order (flips applied, row 0 = lowest v), [rows][nu]. */
bool ct_scan_read(ct_scan *scan, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error);
/* The same with these flips instead of the file's. */
typedef struct ct_frame_rows {
  ct_frame_kind kind;
  int index, row0, rows;
  bool flip_rows, flip_columns;
} ct_frame_rows;
bool ct_scan_read_flipped(ct_scan *scan, const ct_frame_rows *part, float *out, ct_error **error);

/* At the end of a load: fails where a file has changed since it was opened. */
bool ct_scan_check(ct_scan *scan, ct_error **error);

/* FNV-1a, 64 bit, over the counts, angles and (up to) 16 frames spread over the scan: tells two inputs apart. Cached.
 */
bool ct_scan_checksum(ct_scan *scan, uint64_t *checksum, ct_error **error);

#endif
