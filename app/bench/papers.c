/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the tables out of docs/papers.md: a heading "## TITLE" begins a paper, and lines of four cells between bars are
 * its rows, the first two of a table being its head. */
#include "app/bench/papers.h"
#include "app/bench/papers-private.h"
#include "recon/base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PAPERS = 16, ROWS = 512, CELLS = 4 };

struct bench_papers {
  char *text; /* cut up by zeros */
  bench_paper papers[PAPERS];
  bench_paper_row rows[ROWS];
  int count, row_count;
};

static char *strip(char *text) {
  text += strspn(text, " ");
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == ' ') text[--length] = 0;
  return text;
}

static void begin_paper(bench_papers *p, char *title) {
  bench_paper *paper = &p->papers[p->count++];
  paper->title = title;
  paper->rows = p->rows + p->row_count;
  for (size_t i = 0; i + 1 < sizeof paper->id && isalpha((unsigned char)title[i]); i++)
    paper->id[i] = (char)tolower((unsigned char)title[i]);
}

static const char *find_reason(const char *here) {
  static const char mark[] = "**not there**";
  if (strncmp(here, mark, strlen(mark)) != 0) return NULL;
  here += strlen(mark);
  return here + strspn(here, ": ");
}

static bool add_row(bench_papers *p, char *line, ct_error **error) {
  char *cells[CELLS];
  char *at = line + 1;
  for (int c = 0; c < CELLS; c++) {
    char *bar = strchr(at, '|');
    if (!bar || (c == CELLS - 1) != !bar[1])
      return ct_error_set(error, CT_ERROR_FORMAT, "docs/papers.md: this row has not four cells: %.60s", line + 1);
    *bar = 0;
    cells[c] = strip(at);
    at = bar + 1;
  }
  p->rows[p->row_count++] = (bench_paper_row){cells[0], cells[1], cells[2], cells[3], find_reason(cells[1])};
  p->papers[p->count - 1].count++;
  return true;
}

static bool read_page(bench_papers *p, ct_error **error) {
  int lines = 0; /* of the table so far */
  for (char *line = p->text, *next; line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    if (!strncmp(line, "## ", 3) && p->count < PAPERS) begin_paper(p, strip(line + 3));
    lines = *line == '|' ? lines + 1 : 0;
    if (lines > 2 && p->count > 0 && p->row_count < ROWS && !add_row(p, line, error)) return false;
  }
  return true;
}

bench_papers *bench_papers_new(ct_error **error) {
  bench_papers *p = ct_alloc_zero(1, sizeof *p, "the papers", error);
  if (!p) return NULL;
  p->text = ct_strprintf("%s", bench_papers_page);
  const bool good = p->text ? read_page(p, error)
                            : ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the papers.");
  if (good) return p;
  bench_papers_free(p);
  return NULL;
}

void bench_papers_free(bench_papers *papers) {
  if (!papers) return;
  ct_free(papers->text);
  ct_free(papers);
}

int bench_papers_count(const bench_papers *papers) {
  return papers->count;
}

const bench_paper *bench_papers_get(const bench_papers *papers, int index) {
  return &papers->papers[index];
}

const bench_paper *bench_papers_find(const bench_papers *papers, const char *id) {
  for (int i = 0; i < papers->count; i++)
    if (!strcmp(papers->papers[i].id, id)) return &papers->papers[i];
  return NULL;
}

const char *bench_paper_next_command(const char *at, char *text, size_t size) {
  for (const char *end; (at = strchr(at, '`')) && (end = strchr(at + 1, '`')); at = end + 1) {
    if (at[1] == '-') continue;
    snprintf(text, size, "%.*s", (int)(end - at - 1), at + 1);
    return end + 1;
  }
  return NULL;
}
