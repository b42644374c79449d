/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-fuzz [TARGET [ROUNDS]]   every seed of each target as it is, then ROUNDS (200) damaged copies of them, the same
 * ones each time; a twentieth where libraries are tried out in a child process, which the sanitizers make slow. A crash
 * tells target and round on stderr, and its input stays where it says.
 * test-fuzz --seeds FOLDER   writes each seed and its neighbours to FOLDER/TARGET/NUMBER, for tests/faults/readers.py.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/io/io-test.h"

#include <dirent.h>
#include <sys/stat.h>

/* Of AddressSanitizer, where that is linked in. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

enum { ROUNDS = 200, WITHOUT = 25, ROOM = 1 << 17, MOST_SEEDS = 64, SECONDS = 30, TRIALS_COST = 20 };

static char where[700];
static int words; /* standard error, which a target may lead elsewhere for a while */

static void tell(void) {
  if (write(words, where, strlen(where)) < 0) return;
}

static void tell_and_end(int number) {
  tell();
  signal(number, SIG_DFL);
  raise(number);
}

typedef struct seed {
  char path[600];
  uint8_t *bytes;
  size_t size;
} seed;

static int compare(const void *a, const void *b) {
  return strcmp(((const seed *)a)->path, ((const seed *)b)->path);
}

/* In the order of their names. */
static int load_seeds(const char *folder, seed *seeds, int count) {
  DIR *dir = opendir(folder);
  if (!dir) return count;
  for (const struct dirent *entry; (entry = readdir(dir)) && count < MOST_SEEDS;) {
    if (entry->d_name[0] == '.') continue;
    seed *s = &seeds[count];
    snprintf(s->path, sizeof s->path, "%.200s/%.255s", folder, entry->d_name);
    FILE *file = fopen(s->path, "rb");
    s->bytes = malloc(ROOM);
    if (!file || !s->bytes) abort();
    s->size = fread(s->bytes, 1, ROOM, file);
    fclose(file);
    count++;
  }
  closedir(dir);
  return count;
}

static void run(const fuzz_target *target, const char *path, const seed *from, int round, const uint8_t *data,
                size_t size) {
  snprintf(where, sizeof where, "# %s: round %d of seed %.300s, in %.200s\n", target->name, round,
           strrchr(from->path, '/') + 1, path);
  alarm(SECONDS);
  fuzz_run(target, path, data, size);
  alarm(0);
}

/* The number of seeds; 0 where not one of them is read. */
static int run_target(const fuzz_target *target, int rounds) {
  static seed seeds[MOST_SEEDS];
  static uint8_t data[ROOM];
  char folder[128], path[300];
  snprintf(folder, sizeof folder, "seeds-%s/x", target->name);
  *strrchr(strcpy(path, scratch_path(folder)), '/') = 0;
  fuzz_put_seeds(target, path);
  int count = load_seeds(path, seeds, 0);
  snprintf(folder, sizeof folder, "tests/fuzz/findings/%s", target->name);
  count = load_seeds(folder, seeds, count);
  qsort(seeds, (size_t)count, sizeof *seeds, compare);
  snprintf(folder, sizeof folder, "run-%s/%s", target->name, target->file);
  snprintf(path, sizeof path, "%s", scratch_path(folder));
  *strrchr(path, '/') = 0;
  fuzz_put_neighbours(path);
  snprintf(path, sizeof path, "%s", scratch_path(folder));
  bool any = false;
  for (int i = 0; i < count; i++) {
    run(target, path, &seeds[i], -1, seeds[i].bytes, seeds[i].size);
    any = any || fuzz_reads(target, path);
  }
  if (target->trials) rounds /= TRIALS_COST;
  for (int round = 0; count && round < rounds; round++) {
    const seed *from = &seeds[round % count];
    memcpy(data, from->bytes, from->size);
    run(target, path, from, round, data, target->mutate(data, from->size, ROOM, (uint64_t)round * 0x2545f4914f6cdd1du));
  }
  for (int i = 0; i < count; i++) free(seeds[i].bytes);
  return any ? count : 0;
}

static void put_seeds(const fuzz_target *target, const char *folder) {
  static seed seeds[MOST_SEEDS];
  char path[300];
  snprintf(path, sizeof path, "seeds-%s/x", target->name);
  *strrchr(strcpy(path, scratch_path(path)), '/') = 0;
  fuzz_put_seeds(target, path);
  const int count = load_seeds(path, seeds, 0);
  qsort(seeds, (size_t)count, sizeof *seeds, compare);
  for (int i = 0; i < count; i++) {
    char place[320];
    snprintf(path, sizeof path, "%.150s/%s", folder, target->name);
    snprintf(place, sizeof place, "%s/%02d", path, i);
    if ((i == 0 && mkdir(path, 0755) != 0) || mkdir(place, 0755) != 0) abort();
    fuzz_put_neighbours(place);
    snprintf(path, sizeof path, "%.200s/%s", place, target->file);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(seeds[i].bytes, 1, seeds[i].size, file) != seeds[i].size || fclose(file) != 0) abort();
    free(seeds[i].bytes);
  }
}

int main(int argc, char **argv) {
  /* All of it is to come under sanitizers (check --all). */
  const bool later = getenv("CT_TEST_WHOLE") && !__sanitizer_set_death_callback;
  const int rounds = argc > 2 ? atoi(argv[2]) : later ? WITHOUT : ROUNDS;
  words = dup(STDERR_FILENO);
  int count, first = 0;
  const fuzz_target *targets = fuzz_targets(&count);
  static const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell);
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
    if (deadly[i] == SIGALRM || deadly[i] == SIGABRT || !__sanitizer_set_death_callback)
      signal(deadly[i], tell_and_end);
  if (argc == 3 && strcmp(argv[1], "--seeds") == 0) {
    scratch_begin();
    for (int i = 0; i < count; i++) put_seeds(&targets[i], argv[2]);
    scratch_end();
    return 0;
  }
  if (argc > 1) {
    const fuzz_target *target = fuzz_target_find(argv[1]);
    if (!target) {
      fprintf(stderr, "test-fuzz: there is no target %s\n", argv[1]);
      return 2;
    }
    first = (int)(target - targets), count = first + 1;
  }
  scratch_begin();
  printf("1..%d\n", count - first);
  for (int i = first; i < count; i++) {
    const int seeds = run_target(&targets[i], rounds);
    printf("%s %d - %s: %d seeds, of which some can be read\n", seeds ? "ok" : "not ok", i - first + 1, targets[i].name,
           seeds);
    fflush(stdout);
  }
  scratch_end();
  return 0;
}
