/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FOLDER/papers.md, a page of what `bench papers` made and of what it could not make. Written anew after each row, so
 * that it is there when the run is cut short. */
#include "app/cli/papers.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/text-stream.h"
#include "recon/simd/level.h"

#include <stdlib.h>
#include <string.h>

/* A bar would end the cell. */
static void put_cell(FILE *to, const char *text) {
  for (; *text; text++) {
    if (*text == '|') fputc('\\', to);
    fputc(*text == '\n' ? ' ' : *text, to);
  }
}

static void put_head(FILE *to, const papers_request *r) {
  char processor[256];
  ct_simd_describe_machine(processor, sizeof processor);
  fprintf(to, "# Tables and figures of the papers, made by gantry-cli bench papers\n\n");
  fprintf(to, "- Gantry %s on %s.\n", GANTRY_VERSION, processor);
  fprintf(
      to,
      "- No side of a detector or of a volume is longer than %d (RabbitCT's volumes begin at 128): the rows work, "
      "and their rates at this size are not those of the papers' sizes (docs/papers.md has results at full size).\n",
      r->size);
  fputs("- Scans that the commands read are simulated ", to);
  if (r->scan)
    fprintf(to, "where no row makes them, but for SCAN, FILE, tooth.h5 and lotus.h5: these are %s.\n", r->scan);
  else
    fputs("where no row makes them: input-SCAN.h5 and its like.\n", to);
  if (!r->device)
    fputs("- There is no graphics card here: what needs one was not run.\n", to);
  else
    fprintf(to, "- Graphics device: %s%s.\n", r->device,
            r->software ? ", the processor in the place of a card. Errors are right, rates mean nothing: such rows are "
                          "marked (software)"
                        : "");
}

static void put_row(FILE *to, const papers_request *request, const papers_row_result *row) {
  for (int i = 0; i < row->count; i++) {
    const papers_result *r = &row->results[i];
    if (r->outcome == PAPERS_LEFT_OUT) continue;
    fprintf(to, "| %d | ", row->number);
    put_cell(to, row->row->name);
    fprintf(to, " | `gantry-cli ");
    put_cell(to, r->text);
    fprintf(to, "` | ");
    put_cell(to, r->files);
    fprintf(to, " | %s%s", r->card && request->software ? "(software) " : "",
            r->outcome == PAPERS_DONE ? "" : "**failed**: ");
    put_cell(to, r->headline);
    if (row->row->absent) fputs("; in the place of what is not there", to);
    fputs(" |\n", to);
  }
}

static void put_missing(FILE *to, const papers_row_result *row) {
  const bench_paper_row *r = row->row;
  if (r->absent) fprintf(to, "- %d, %s: not there%s%s\n", row->number, r->name, *r->absent ? ": " : "", r->absent);
  if (!r->absent && !row->count) fprintf(to, "- %d, %s: no command makes it: %s\n", row->number, r->name, r->here);
  for (int i = 0; i < row->count; i++) {
    const papers_result *result = &row->results[i];
    if (result->outcome == PAPERS_LEFT_OUT)
      fprintf(to, "- %d, %s: `gantry-cli %s` was not run: %s\n", row->number, r->name, result->text, result->headline);
    else if (result->outcome != PAPERS_DONE)
      fprintf(to, "- %d, %s: `gantry-cli %s` failed: %s\n", row->number, r->name, result->text, result->headline);
  }
}

static void put_page(FILE *to, const papers_request *request, const papers_page *page) {
  fprintf(to, "\n## %s\n\n| | in the paper | command | file | result |\n|---:|---|---|---|---|\n", page->paper->title);
  for (int i = 0; i < page->count; i++) put_row(to, request, &page->rows[i]);
  fputs("\nWhat could not be made here, and why:\n\n", to);
  for (int i = 0; i < page->count; i++) put_missing(to, &page->rows[i]);
}

bool papers_write_page(const papers_request *request, const papers_page pages[], int count, ct_error **error) {
  char *text = NULL, *path = ct_strprintf("%s/papers.md", request->folder);
  size_t size = 0;
  FILE *to = path ? ct_text_stream(&text, &size) : NULL;
  if (to) {
    put_head(to, request);
    for (int i = 0; i < count; i++) put_page(to, request, &pages[i]);
  }
  const bool whole = to && fclose(to) == 0;
  const bool good = whole ? ct_output_write_text(path, text, error)
                          : ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the page.");
  free(text);
  ct_free(path);
  return good;
}
