/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/papers.md as it was when the program was built. */
#ifndef GANTRY_BENCH_PAPERS_PRIVATE_H
#define GANTRY_BENCH_PAPERS_PRIVATE_H

extern const char bench_papers_page[];

#endif
