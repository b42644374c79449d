/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a volume takes on many machines: a model of recon/solve/shared.h, the direct method and those that iterate,
 * whose every rate is a parameter. The assumptions stand in docs/scale.md. */
#ifndef GANTRY_CLI_SCALE_MODEL_H
#define GANTRY_CLI_SCALE_MODEL_H

#include <stdbool.h>

typedef struct scale_problem {
  double nx, ny, nz, views, columns, rows;
  double sample;     /* bytes of a pixel in the file */
  double iterations; /* 0: the direct method */
  double aperture;   /* of them: half the grid's diagonal by the distance of the source from the axis; 0: parallel */
  bool together;     /* views cannot be divided among groups */
} scale_problem;

typedef struct scale_machine {
  int processes;
  double updates;  /* voxel updates a second of a process */
  double iterated; /* the same through projecting and carrying back */
  double pixels;   /* that a process filters in a second */
  double memory;   /* bytes of a process */
  double network;  /* bytes a second into and out of a process */
  double disk;     /* bytes a second of the file system, all processes together */
} scale_machine;

typedef struct scale_time {
  int groups, columns;
  double slabs;                                 /* of a column */
  double read, filter, backproject, sum, write; /* s, each by itself */
  double waited;                                /* s of the sums beside which nothing goes on */
  double seconds;                               /* together, with what goes on at the same time */
  double memory;                                /* bytes of a process */
  double sent, read_bytes;                      /* bytes of a process; sent: in an iteration, of sums of images */
  double traded;   /* bytes of line integrals that the busiest gives away in an iteration */
  double iterate;  /* s of an iteration, and of them: */
  double exchange; /* s of what is sent in it */
} scale_time;

/* Of one grid of processes; false where it does not fit into the memory. */
bool scale_predict(const scale_problem *problem, const scale_machine *machine, int groups, scale_time *time);
bool scale_predict_iterated(const scale_problem *problem, const scale_machine *machine, int groups, scale_time *time);
/* Of the best one; false where none fits. */
bool scale_best(const scale_problem *problem, const scale_machine *machine, scale_time *best);

#endif
