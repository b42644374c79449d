/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The targets for libFuzzer; GANTRY_FUZZ names one. With GANTRY_FUZZ_SEEDS=FOLDER the program writes its seeds there,
 * and with GANTRY_FUZZ=list all names, and ends. */
#include "tests/fuzz/fuzz.h"
#include "tests/io/io-test.h"

#include <dirent.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

static const fuzz_target *target;
static char path[300];

/* Where not one is read, this build reads nothing of the kind, and fuzzing tells nothing. */
static void check_seeds(const char *folder) {
  static uint8_t data[1 << 17];
  DIR *dir = opendir(folder);
  bool any = false;
  for (const struct dirent *entry; dir && !any && (entry = readdir(dir));) {
    char seed[600];
    snprintf(seed, sizeof seed, "%.300s/%.255s", folder, entry->d_name);
    FILE *file = entry->d_name[0] != '.' ? fopen(seed, "rb") : NULL;
    if (!file) continue;
    fuzz_run(target, path, data, fread(data, 1, sizeof data, file));
    fclose(file);
    any = fuzz_reads(target, path);
  }
  if (dir) closedir(dir);
  if (any) return;
  fprintf(stderr, "gantry-fuzz: none of the seeds of %s can be read\n", target->name);
  exit(1);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *name = getenv("GANTRY_FUZZ"), *seeds = getenv("GANTRY_FUZZ_SEEDS");
  if (name && strcmp(name, "list") == 0) {
    int count;
    const fuzz_target *targets = fuzz_targets(&count);
    for (int i = 0; i < count; i++) puts(targets[i].name);
    exit(0);
  }
  target = name ? fuzz_target_find(name) : NULL;
  if (!target) {
    fprintf(stderr, "gantry-fuzz: GANTRY_FUZZ names no target; GANTRY_FUZZ=list lists them\n");
    exit(2);
  }
  scratch_begin();
  atexit(scratch_end);
  /* In a folder of its own: series look into the folder around theirs, and that of all temporary files may be long. */
  snprintf(path, sizeof path, "%s", scratch_path("in/"));
  fuzz_put_neighbours(path);
  snprintf(path, sizeof path, "%s/in/%s", scratch, target->file);
  if (seeds) {
    fuzz_put_seeds(target, seeds);
    check_seeds(seeds);
    exit(0);
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_run(target, path, data, size);
  return 0;
}

/* Two of three times where the format keeps its numbers. HDF5 and MATLAB have targets of their own: their child
 * processes take as long as hundreds of other inputs. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  size = seed % 3 ? target->mutate(data, size, room, (uint64_t)seed * 0x2545f4914f6cdd1du)
                  : LLVMFuzzerMutate(data, size, room);
  if (!target->trials && size >= 4 && (memcmp(data, "\x89HDF", 4) == 0 || memcmp(data, "MATL", 4) == 0)) data[0] = 'h';
  return size;
}
