/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hostile input: targets that read a file which somebody else made, seeds to begin from, and ways to damage them. The
 * same code serves two programs: test-fuzz, deterministic and short, in the tests; gantry-fuzz, of libFuzzer, for hours
 * (tests/fuzz/run). What a target promises for any bytes: no crash, no hang, no memory out of proportion, and either a
 * result or an error with words. */
#ifndef CT_FUZZ_H
#define CT_FUZZ_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_target {
  char name[32];   /* "mhd", "beside-nikon", "plan" */
  char file[40];   /* the name under which the bytes are read: "in.mhd" */
  char reader[24]; /* of a scanner's geometry, by its id */
  void (*run)(const struct fuzz_target *target, const char *path);
  bool trials; /* its library is tried out in a child process first (recon/io/shared/trial-private.h) */
  size_t (*mutate)(uint8_t *data, size_t size, size_t room, uint64_t random); /* fuzz_mutate, or its own */
} fuzz_target;

/* All targets: each format that is read, also in two files, each kind of geometry file, those that libraries read apart
 * from its texts, which are much faster, and the program's own texts. */
const fuzz_target *fuzz_targets(int *count);
const fuzz_target *fuzz_target_find(const char *name);
/* What lies beside the file in every target: samples and angles that headers name, and three images. */
void fuzz_put_neighbours(const char *folder);
/* Whether a file of samples, under the target's name and beside the neighbours, is read, as a scan or as a volume;
 * other targets: true. */
bool fuzz_reads(const fuzz_target *target, const char *path);
/* Writes the bytes to `path` and runs the target on it. */
void fuzz_run(const fuzz_target *target, const char *path, const uint8_t *data, size_t size);

/* Row `index` of the table of scanners' geometry files, false behind the last; and reading one without images. */
bool fuzz_geometry_row(size_t index, const char **id, const char **extensions);
bool fuzz_geometry_read(const char *id, const char *path, ct_error **error);

/* Writes the target's seeds into a folder that is there; their number. */
int fuzz_put_seeds(const fuzz_target *target, const char *folder);
/* Parts of the two above: samples in a file of the given extension; texts of a target. */
void fuzz_put_binary_seeds(const char *extension, const char *folder);
void fuzz_put_geometry_seeds(const char *target, const char *folder);
void fuzz_put_text_seeds(const char *target, const char *folder);

/* Words of headers, ends with NULL. */
extern const char *const fuzz_words[];
/* Damages data[size] in one to four ways that `random` chooses, within `room` bytes; the new size. Numbers are changed
 * where the format keeps them: the entries of a TIFF's directories; addresses and lengths in HDF5. */
size_t fuzz_mutate(uint8_t *data, size_t size, size_t room, uint64_t random);

/* The target of command lines (command.c); its damage is an option or a word more or in place of another. */
void fuzz_run_command(const fuzz_target *target, const char *path);
void fuzz_put_command_seeds(const char *folder);
size_t fuzz_mutate_command(uint8_t *data, size_t size, size_t room, uint64_t random);

#endif
