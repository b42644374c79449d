/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of the suites, and what the suites take from each other. */
#ifndef GANTRY_BENCH_SUITES_PRIVATE_H
#define GANTRY_BENCH_SUITES_PRIVATE_H

#include "app/bench/case-private.h"

/* The suites; false with an error. */
bool bench_ladder(bench *b, ct_error **error);
bool bench_auto(bench *b, ct_error **error);
bool bench_chen(bench *b, ct_error **error);
bool bench_parallel(bench *b, ct_error **error);
bool bench_rabbitct(bench *b, ct_error **error);
bool bench_fourier(bench *b, ct_error **error);
bool bench_pipeline(bench *b, ct_error **error);
bool bench_spiral(bench *b, ct_error **error);
bool bench_limits(bench *b, ct_error **error);
bool bench_roofline(bench *b, ct_error **error);
bool bench_gpu(bench *b, ct_error **error);
bool bench_card(bench *b, ct_error **error);
bool bench_scene(bench *b, ct_error **error);
/* From the rows of the suite gpu, the tables of its papers: on stdout, and into b->tables. */
void bench_make_tables(bench *b);
/* The same of the suite chen: its rows beside the stored rates of RTK. */
void bench_compare_with_rtk(bench *b);
bool bench_iterative(bench *b, ct_error **error);
/* Its parts, and what problems each has. */
void bench_print_iterative(FILE *to);
extern const char bench_pipeline_problems[], bench_fourier_problems[], bench_spiral_problems[];
/* Part of the suite gpu: what half precision, nearest neighbour and oversampling do to a slice of the Shepp-Logan
 * phantom and of options.file; the profiles into options.profile. */
bool bench_quality(bench *b, ct_error **error);

/* Part of the suite gpu, problem "filter": projections filtered on the card, where they are back-projected; changes the
 * projections of the case. */
bool bench_card_filter(bench *b, bench_case *c, ct_error **error);

/* Part of the suite gpu, --diagnose: where the time of each kernel goes; begin makes b->diagnosis, draw writes
 * options.picture. */
typedef struct bench_diagnosis bench_diagnosis;
bool bench_diagnosis_begin(bench *b, ct_error **error);
bool bench_diagnose(bench *b, bench_case *c, ct_error **error);
bool bench_diagnosis_draw(const bench *b, ct_error **error);

/* Part of the suite limits, --curve: rates over the length of a vector, drawn into options.picture. */
bool bench_curve(bench *b, ct_error **error);

/* In every interpolation and precision, what auto takes beside the kernels ranked behind it. */
bool bench_judge_auto(bench *b, bench_case *c, ct_error **error);

#endif
