/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of pairs of timestamps. */
#include "render/compute/meter-private.h"

bool ctgl_meter_start(ctgl_meter *meter, bool software) {
  GLint bits = 0;
  if (meter->on) return true;
  glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
  if (bits < 32) return false;
  *meter = (ctgl_meter){.on = true, .flushes = software};
  glGenQueries(2 * CTGL_METER_PAIRS, meter->stamps[0]);
  return true;
}

void ctgl_meter_stop(ctgl_meter *meter) {
  if (meter->on) glDeleteQueries(2 * CTGL_METER_PAIRS, meter->stamps[0]);
  *meter = (ctgl_meter){0};
}

/* The oldest pair; waits for it. */
static void read_pair(ctgl_meter *meter) {
  const int oldest = (meter->next + CTGL_METER_PAIRS - meter->waiting) % CTGL_METER_PAIRS;
  GLuint64 begin = 0, end = 0;
  glGetQueryObjectui64v(meter->stamps[oldest][0], GL_QUERY_RESULT, &begin);
  glGetQueryObjectui64v(meter->stamps[oldest][1], GL_QUERY_RESULT, &end);
  if (end > begin) meter->seconds[meter->kinds[oldest]] += 1e-9 * (double)(end - begin);
  meter->waiting--;
}

void ctgl_meter_begin(ctgl_meter *meter, ctgl_metered kind) {
  if (!meter->on) return;
  if (meter->waiting == CTGL_METER_PAIRS) read_pair(meter);
  meter->kinds[meter->next] = kind;
  glQueryCounter(meter->stamps[meter->next][0], GL_TIMESTAMP);
  if (meter->flushes) glFlush();
}

void ctgl_meter_end(ctgl_meter *meter) {
  if (!meter->on) return;
  glQueryCounter(meter->stamps[meter->next][1], GL_TIMESTAMP);
  meter->next = (meter->next + 1) % CTGL_METER_PAIRS;
  meter->waiting++;
}

double ctgl_meter_take(ctgl_meter *meter, ctgl_metered kind) {
  while (meter->waiting) read_pair(meter);
  const double seconds = meter->seconds[kind];
  meter->seconds[kind] = 0;
  return seconds;
}
