/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The micro-benchmarks: rates.comp with each kind of work, so many rounds that the clock can tell. */
#include "render/compute/rates.h"

#include "render/compute/device-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 0, NUMBERS = 1, BITS = 2, NEVER = 3, MASK = 4, SIDE = 5 }; /* uniform locations */
enum { NOTHING, SHARED, TEXELS, MEMORY, CONSTANTS };                       /* READS */
enum { THREADS = 256, WRITTEN_OUT = 8, TEXTURE_SIDE = 64, CACHED = 256, RUNS = 3, MOST_ROUNDS = 1 << 22 };

#define OPERATION(n) .unit = "Gop/s", .operation = n, .each = 16 * WRITTEN_OUT
#define SHARED_OF(n) .unit = "GB/s", .reads = SHARED, .words = n, .each = 4 * n
#define FETCH(n) .unit = "Gtexel/s", .reads = TEXELS, .words = n, .each = WRITTEN_OUT

static const ctgl_rate rates[] = {
    {"multiply-add", "fused multiply-add of reals", OPERATION(1)},
    {"integer", "multiply-add of integers", OPERATION(2)},
    {"shift", "bit shift (and exclusive or)", OPERATION(3)},
    {"to-real", "integer to real", OPERATION(4)},
    {"to-integer", "real to integer", OPERATION(5)},
    {"round", "rounding down (and an addition)", OPERATION(6)},
    {"sine", "sine", OPERATION(7)},
    {"root", "inverse square root", OPERATION(8)},
    {"shared-32", "shared memory, reads of 32 bits", SHARED_OF(1)},
    {"shared-64", "shared memory, reads of 64 bits", SHARED_OF(2)},
    {"shared-128", "shared memory, reads of 128 bits", SHARED_OF(4)},
    {"constants", "constants, 128 bits, one for all threads", .unit = "GB/s", .reads = CONSTANTS, .words = 4,
     .each = 16 * WRITTEN_OUT},
    {"linear-32", "texture, linear, one real, along the curve", FETCH(1), .linear = true, .curve = true},
    {"linear-64", "texture, linear, two reals, along the curve", FETCH(2), .linear = true, .curve = true},
    {"linear-64-rows", "texture, linear, two reals, row by row", FETCH(2), .linear = true},
    {"linear-128", "texture, linear, four reals, along the curve", FETCH(4), .linear = true, .curve = true},
    {"linear-half-64", "texture, linear, four halves, along the curve", FETCH(4), .half = true, .linear = true,
     .curve = true},
    {"linear-half-32", "texture, linear, two halves, along the curve", FETCH(2), .half = true, .linear = true,
     .curve = true},
    {"nearest-32", "texture, nearest, one real, along the curve", FETCH(1), .curve = true},
    {"nearest-64", "texture, nearest, two reals, along the curve", FETCH(2), .curve = true},
    {"nearest-64-rows", "texture, nearest, two reals, row by row", FETCH(2)},
    {"nearest-128", "texture, nearest, four reals, along the curve", FETCH(4), .curve = true},
    {"cache", "second-level cache, reads", .unit = "GB/s", .reads = MEMORY, .words = 4, .each = 16, .bytes = 4 << 20},
    {"memory", "graphics memory, reads", .unit = "GB/s", .reads = MEMORY, .words = 4, .each = 16},
    {"update", "graphics memory, reads and writes", .unit = "GB/s", .reads = MEMORY, .words = 4, .each = 32,
     .updates = true},
};
enum { COUNT = sizeof rates / sizeof *rates };

const ctgl_rate *ctgl_rates(int *count) {
  *count = COUNT;
  return rates;
}

const ctgl_rate *ctgl_rate_find(const char *id) {
  for (int n = 0; n < COUNT; n++)
    if (!strcmp(rates[n].id, id)) return rates + n;
  return NULL;
}

/* What a run reads, and its program. */
typedef struct bench {
  ct_bp_device *device;
  GLuint program, data, constants, texture;
  size_t vectors; /* of data */
  int groups;
} bench;

static size_t power_of_two_below(size_t n) {
  size_t power = 1;
  while (2 * power <= n) power *= 2;
  return power;
}

/* The data of a rate. A texture of rows that repeat: fetches that leave it come back. */
static bool make_data(bench *b, const ctgl_rate *rate, ct_error **error) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(b->device);
  static const GLenum formats[2][3] = {{GL_R32F, GL_RG32F, GL_RGBA32F}, {GL_R16F, GL_RG16F, GL_RGBA16F}};
  const size_t most = facts->software ? (size_t)16 << 20 : (size_t)1 << 30;
  const size_t bytes = rate->reads != MEMORY ? 4096 : rate->bytes ? rate->bytes : most;
  b->vectors = power_of_two_below((bytes < facts->storage_block ? bytes : facts->storage_block) / 16);
  b->groups = facts->software ? 16 : 8192;
  glGenBuffers(1, &b->data);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, b->data);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(16 * b->vectors), NULL, GL_STATIC_DRAW);
  glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32F, GL_RED, GL_FLOAT, NULL);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b->data);
  if (rate->reads == CONSTANTS) {
    glGenBuffers(1, &b->constants);
    glBindBuffer(GL_UNIFORM_BUFFER, b->constants);
    glBufferData(GL_UNIFORM_BUFFER, 16 * CACHED, NULL, GL_STATIC_DRAW);
    glClearBufferData(GL_UNIFORM_BUFFER, GL_R32F, GL_RED, GL_FLOAT, NULL);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, b->constants);
  }
  if (rate->reads == TEXELS) {
    glActiveTexture(GL_TEXTURE0);
    glGenTextures(1, &b->texture);
    glBindTexture(GL_TEXTURE_2D, b->texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, formats[rate->half][rate->words / 2], TEXTURE_SIDE, TEXTURE_SIDE);
    const GLint filter = rate->linear ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  }
  return ctgl_device_check(b->device, "making the data of a measurement", error);
}

static bool make_program(bench *b, const ctgl_rate *one, const ctgl_rate *other, ct_error **error) {
  char defines[256];
  snprintf(defines, sizeof defines,
           "#define FIRST %d\n#define SECOND %d\n#define READS %d\n#define WORDS %d\n#define CURVE %d\n#define UPDATES "
           "%d\n",
           one->operation, other ? other->operation : 0, one->reads, one->words, one->curve, one->updates);
  b->program = ctgl_device_program(b->device, "rates.comp", defines, error);
  if (!b->program) return false;
  glUseProgram(b->program);
  /* A quarter of a texel off the middles, so that there is something to interpolate, and three texels from fetch to
   * fetch, within a cache. */
  glUniform4f(NUMBERS, 0.999f, 0.001f, 3.0f / TEXTURE_SIDE, 0.75f / TEXTURE_SIDE);
  glUniform1i(BITS, 1);
  glUniform1f(NEVER, -1);
  glUniform1i(MASK, one->reads == CONSTANTS ? CACHED - 1 : (GLint)(b->vectors - 1));
  glUniform1f(SIDE, TEXTURE_SIDE);
  return true;
}

static bool time_rounds(bench *b, int rounds, double *seconds, ct_error **error) {
  ctgl_meter *meter = ctgl_device_meter(b->device);
  glUniform1i(ROUNDS, rounds);
  ctgl_meter_take(meter, CTGL_METER_ADDING);
  ctgl_meter_begin(meter, CTGL_METER_ADDING);
  glDispatchCompute((GLuint)b->groups, 1, 1);
  ctgl_meter_end(meter);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glFlush();
  *seconds = ctgl_meter_take(meter, CTGL_METER_ADDING);
  return ctgl_device_check(b->device, "a measurement", error);
}

/* Threads and rounds per second, the best of some runs that are long enough. */
static bool time_best(bench *b, double *per_second, ct_error **error) {
  const double enough = ctgl_device_get_facts(b->device)->software ? 2e-3 : 4e-3;
  double seconds = 0, best = INFINITY;
  int rounds = 1;
  for (;;) {
    if (!time_rounds(b, rounds, &seconds, error)) return false;
    if (seconds >= enough || rounds >= MOST_ROUNDS) break;
    rounds *= seconds > enough / 4 ? 2 : 4;
  }
  for (int n = 0; n < RUNS; n++) {
    if (!time_rounds(b, rounds, &seconds, error)) return false;
    best = fmin(best, seconds);
  }
  *per_second = (double)THREADS * b->groups * rounds / best;
  return best > 0 || ct_error_set(error, CT_ERROR_UNSUPPORTED, "The device's clock tells no time.");
}

static void free_data(bench *b) {
  glDeleteBuffers(1, &b->data);
  glDeleteBuffers(1, &b->constants);
  glDeleteTextures(1, &b->texture);
  glUseProgram(0);
}

/* Rounds of all threads per second. */
static bool measure(ct_bp_device *device, const ctgl_rate *one, const ctgl_rate *other, double *per_second,
                    ct_error **error) {
  bench b = {.device = device};
  if (!ctgl_device_enter(device, error)) return false;
  bool good = ctgl_device_meter(device)->on;
  if (!good) ct_error_set(error, CT_ERROR_UNSUPPORTED, "The device's clock has not been started.");
  good = good && make_data(&b, one, error) && make_program(&b, one, other, error) && time_best(&b, per_second, error);
  free_data(&b);
  return ctgl_device_leave(device, good, "a measurement", error) && good;
}

/* Reads of a thread in a round. */
static double reads_a_round(const ctgl_rate *rate) {
  return rate->reads == MEMORY ? 4 : rate->reads != SHARED ? 1 : rate->words == 4 ? 4 : 8;
}

bool ctgl_rate_measure(ct_bp_device *device, const ctgl_rate *rate, double *per_second, ct_error **error) {
  if (!measure(device, rate, NULL, per_second, error)) return false;
  *per_second *= rate->each * reads_a_round(rate) / 1e9;
  return true;
}

bool ctgl_rate_measure_pair(ct_bp_device *device, const ctgl_rate *one, const ctgl_rate *other, double *times,
                            double *sum, ct_error **error) {
  double first, second, both;
  if (!measure(device, one, NULL, &first, error) || !measure(device, other, NULL, &second, error) ||
      !measure(device, one, other, &both, error))
    return false;
  const double slower = fmin(first, second);
  *times = slower / both;
  *sum = slower * (1 / first + 1 / second);
  return true;
}
