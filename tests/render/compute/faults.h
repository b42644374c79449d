/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of a graphics driver, made on purpose: the hooks take the places of epoxy's public function pointers, count
 * what goes through, and fail where they are told to. For one thread at a time. */
#ifndef CT_TESTS_FAULTS_H
#define CT_TESTS_FAULTS_H

#include <stdbool.h>

typedef enum {
  FAULT_NOTHING,
  FAULT_ALLOCATION,   /* GL_OUT_OF_MEMORY for a buffer or a texture */
  FAULT_MAPPING,      /* NULL, with GL_OUT_OF_MEMORY */
  FAULT_MAPPING_MUTE, /* NULL, and no error */
  FAULT_LINK,         /* the program is refused */
  FAULT_PROGRAM,      /* not even a program object */
  FAULT_WAIT,         /* waiting for a fence fails */
  FAULT_TIMEOUT,      /* a fence is never reached */
  FAULT_RESET,        /* after a dispatch: the driver tells of a reset */
  FAULT_LOST,         /* after a dispatch: GL_CONTEXT_LOST, for ever */
  FAULT_CLOSED,       /* the context cannot be made current */
} fault_kind;

typedef struct faults {
  /* What shall fail: the events `from` to `from + count - 1` of the kind, counted from 1. */
  fault_kind kind;
  int from, count;
  double room; /* bytes that all buffers and textures may have together; 0: no limit */
  /* What there was. */
  int events; /* of the kind */
  int failed;
  int waits;
  double bytes, most;                      /* of buffers and textures, now and at most */
  int buffers, textures, programs, fences; /* made and not deleted */
  /* Called after every dispatch of so many work groups; NULL: nobody listens. */
  void (*dispatched)(unsigned across, unsigned down, unsigned layers);
} faults;

enum { FAULT_FOR_EVER = 1 << 30 };

/* The one set of counters; puts the hooks in their places on the first call. */
faults *faults_get(void);
/* No more of any fault; objects and bytes are counted from 0. */
void faults_reset(void);
/* From now on. */
void faults_plan(fault_kind kind, int from, int count);

#endif
