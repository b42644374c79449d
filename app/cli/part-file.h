/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a volume that several processes are making: FILE.part holds its samples as they come, float32, each
 * slice at its place, and FILE.part.slices tells of what plan and scan it is and which slices are there, so that a job
 * that was killed goes on from them. Both lie beside FILE and go when FILE gets its name. */
#ifndef GANTRY_CLI_PART_FILE_H
#define GANTRY_CLI_PART_FILE_H

#include "recon/exchange/exchange.h"
#include "recon/io/io.h"
#include "recon/solve/plan.h"

/* Bytes of the line by which a file tells what it is of, its end and its 0 counted. */
enum { CLI_PART_LINE = 512 };

typedef struct cli_part {
  const ct_format *format;
  const char *path; /* of the volume; borrowed */
  char *target;     /* the same, or where the link leads that it is */
  char *part, *journal;
  ct_grid grid;
  bool in_place, apart; /* the samples become the volume's file; or one of their own, beside its header */
  uint64_t offset;      /* of the first sample */
  int journal_offset;   /* of the list of slices: '1' there, '0' missing */
  int descriptor;       /* of the journal */
  unsigned char *done;  /* [nz] 1: the slice was there when the job began */
  int kept;             /* slices that were */
} cli_part;

typedef struct cli_part_request {
  const ct_format *format;
  const char *path;
  const ct_plan *plan; /* with what was found out */
  const ct_grid *grid;
  const char *record; /* the header's plan, JSON */
  uint64_t checksum;  /* of the scan */
} cli_part_request;

/* What a file with some of `what` begins with: one line of fixed length, the same for the same volume alone. */
void cli_part_identify(const cli_part_request *request, const char *what, char line[CLI_PART_LINE]);
/* A file of full length that begins with its head, so that a full disk shows before the work. */
bool cli_part_make_file(const char *path, const void *head, size_t head_bytes, uint64_t bytes, ct_error **error);

/* All; rank 0 does it: takes up the file of a job that was killed, where it is of this plan and scan, else begins anew;
 * `note` (of that size, "" for nothing to say) tells which. */
bool cli_part_begin(cli_part *part, const cli_part_request *request, ct_exchange *exchange, char *note, size_t size,
                    ct_error **error);
/* This rank's slices: on the disk, then in the list. */
bool cli_part_write(cli_part *part, ct_exchange *exchange, const float *slices, int first, int count, ct_error **error);
/* Rank 0, after all have closed their files: the volume gets its name, with this record; in another format, or with
 * other samples, its slices are read again one by one. */
bool cli_part_finish(cli_part *part, const ct_plan *plan, const char *record, ct_job *job, ct_error **error);
/* Rank 0: slices that are there. */
int cli_part_count(const cli_part *part);
/* Closes; the files stay as they are. */
void cli_part_clear(cli_part *part);

#endif
