/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons: files of steps, each a text, a formula, the scan and the plan that it shows, what to look at, a question,
 * and claims that are measured (docs/lessons.md). Plain C: window and command line read the same. */
#ifndef GANTRY_LESSON_LESSON_H
#define GANTRY_LESSON_LESSON_H

#include "app/lesson/state.h"
#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct gantry_quantity gantry_quantity;

/* Arguments of a quantity at most; bytes of what changes against the step's state. */
enum { GANTRY_TERM_ARGUMENTS = 6 };

/* factor x quantity(arguments){changes}, or a number alone. */
typedef struct gantry_term {
  const gantry_quantity *quantity; /* NULL: `factor` is the number */
  double factor, arguments[GANTRY_TERM_ARGUMENTS];
  int count;                 /* of arguments */
  char *changes;             /* "views=45, filter.window=hann" as written; NULL: the step's own state */
  gantry_lesson_state state; /* with the changes */
} gantry_term;

typedef enum { GANTRY_CLAIM_BELOW, GANTRY_CLAIM_ABOVE, GANTRY_CLAIM_WITHIN } gantry_relation;

typedef struct gantry_claim {
  char *says;  /* for the reader */
  char *check; /* as written */
  gantry_relation relation;
  gantry_term left, right;
  double within; /* of GANTRY_CLAIM_WITHIN */
  bool percent;  /* ... in percent of the right side */
} gantry_claim;

/* What is to be looked at: the name of a control or page, or a place on the step's slice. */
typedef struct gantry_look {
  char *name;      /* NULL: a place */
  double place[2]; /* mm along the slice's horizontal and vertical */
} gantry_look;

typedef struct gantry_lesson_step {
  char *title, *text;                /* paragraphs with an empty line between them; *emphasis* */
  char *formula, *question, *answer; /* NULL: none */
  gantry_lesson_state state;
  const struct gantry_lesson_page **pages; /* to be shown */
  size_t page_count;
  double grey[2]; /* the grey window; NaN: fitted to the slice */
  double line[4]; /* the profile line on the slice, x0, y0, x1, y1 in mm; NaN: none */
  gantry_look *looks;
  size_t look_count;
  gantry_claim *claims;
  size_t claim_count;
} gantry_lesson_step;

typedef struct gantry_lesson {
  char *title, *summary;
  gantry_lesson_step *steps;
  size_t count;
} gantry_lesson;

/* From a file, or from a text that errors call `name`. CT_ERROR_FORMAT, _ARGUMENT: "NAME: step 3 "Noise": ..." with
 * what is allowed; CT_ERROR_IO. */
gantry_lesson *gantry_lesson_read(const char *path, ct_error **error);
gantry_lesson *gantry_lesson_parse(const char *text, const char *name, ct_error **error);
void gantry_lesson_free(gantry_lesson *lesson);

/* The lessons that the program brings, in their order: file name and text. Ends with name NULL. */
typedef struct gantry_lesson_file {
  const char *name, *text;
} gantry_lesson_file;
extern const gantry_lesson_file gantry_lesson_files[];
int gantry_lesson_count(void);
/* The one of that number, from 0: out of the first file of its name in gantry/lessons/LANGUAGE and gantry/lessons of
 * the data folders ($XDG_DATA_HOME, else ~/.local/share, then $XDG_DATA_DIRS), or as it is built in where there is
 * none, or one with a fault, which *fault then tells. NULL: no memory. */
gantry_lesson *gantry_lesson_open(int number, ct_error **fault);

/* What `show` may name: the window's fourth view, or a page below the views; ends with id NULL. The arc is that of a
 * sinogram, which is shown with it. */
#define GANTRY_LESSON_ARC "arc"
typedef struct gantry_lesson_page {
  const char *id, *title;
  bool is_view;
} gantry_lesson_page;
extern const gantry_lesson_page gantry_lesson_pages[];

#endif
