/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of the sums of partial slabs a rank waits, by the model (scale-model.c), for the one of its last slab, and for what
 * of the others takes longer than the back-projection beside it. What they take by themselves was tried before. */
#include "app/cli/shared-traffic.h"

#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "render/compute/device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct sums {
  double bytes;        /* that a rank sends: all that it does not own */
  double alone, last;  /* s, of all slabs and of the last, with nothing beside them */
  double model_waited; /* s */
} sums;

static sums model_of(const cli_traffic *t, int rank, const ct_traffic *measured) {
  ct_exchange place = *t->exchange;
  ct_slices *slabs;
  int count;
  double slices = 0;
  sums s = {0};
  if (t->iterates) return s;
  place.group = rank / t->shares->columns;
  if (!ct_shares_slabs(t->shares, rank % t->shares->columns, t->grid->nz, t->done, &slabs, &count, NULL)) return s;
  for (int i = 0; i < count; i++) {
    int first;
    slices += slabs[i].count - ct_exchange_slices(&place, place.group, slabs[i].count, &first);
    s.last = t->slab_sum * slabs[i].count / t->shares->height;
    s.alone += s.last;
  }
  ct_free(slabs);
  s.bytes = slices * t->grid->nx * t->grid->ny * sizeof(float);
  s.model_waited = s.last + fmax(0, s.alone - s.last - measured->sum_beside);
  return s;
}

/* The part of the sums' time that nobody waited for. */
static json_t *hidden(double waited, double alone) {
  return alone > 0 ? json_real(fmax(0, 1 - waited / alone)) : json_null();
}

/* What a rank tells the first. */
typedef struct account {
  ct_traffic traffic;
  char device[128]; /* "": none */
} account;

static json_t *object_of(const cli_traffic *t, int rank, const account *own) {
  const ct_traffic *r = &own->traffic;
  const sums s = model_of(t, rank, r);
  json_t *object = json_pack("{s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f}", "rank", rank, "group",
                             rank / t->shares->columns, "column", rank % t->shares->columns, "summed_bytes", r->summed,
                             "model_summed_bytes", s.bytes, "shared_bytes", r->shared, "traded_bytes", r->traded,
                             "written_bytes", r->written, "waited_seconds", r->waited);
  json_t *device = *own->device ? json_string(own->device) : json_null();
  if (object)
    json_object_update_new(object, json_pack("{s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:o}", "device", device,
                                             "sum_alone_seconds", s.alone, "sum_beside_seconds", r->sum_beside,
                                             "sum_called_seconds", r->sum_called, "sum_waited_seconds", r->sum_waited,
                                             "sum_late_seconds", r->sum_late, "model_sum_waited_seconds",
                                             s.model_waited, "sum_hidden", hidden(r->sum_waited - r->sum_late, s.alone),
                                             "model_sum_hidden", hidden(s.model_waited, s.alone)));
  return object;
}

static bool print_json(const cli_traffic *t, const account *every, ct_error **error) {
  json_t *ranks = json_array();
  for (int rank = 0; rank < t->exchange->ranks; rank++) json_array_append_new(ranks, object_of(t, rank, &every[rank]));
  json_t *root = json_pack("{s:i, s:i, s:i, s:i, s:b, s:f, s:f, s:o}", "processes", t->exchange->ranks, "view_groups",
                           t->shares->groups, "slab_columns", t->shares->columns, "slab_slices", t->shares->height,
                           "projections_held", t->shares->held, "memory_bytes", t->shares->memory, "seconds",
                           t->seconds, "ranks", ranks);
  return gantry_json_print(root, error);
}

static void print_line(const cli_traffic *t, const account *every) {
  char sent[32], waited[32];
  double bytes = 0, seconds = 0;
  for (int rank = 0; rank < t->exchange->ranks; rank++) {
    const ct_traffic *r = &every[rank].traffic;
    bytes = fmax(bytes, r->summed + r->shared + r->traded);
    seconds = fmax(seconds, t->iterates ? r->waited : r->sum_waited);
  }
  if (bytes > 0)
    fprintf(stderr, "  a process sent up to %s to others, and waited up to %s for what it had of them\n",
            ct_format_bytes(bytes, sent, sizeof sent), ct_format_quantity(seconds, 3, "s", waited, sizeof waited));
}

/* What each process computed on, where any had a card: one that could not open its card is not passed over. */
static void print_devices(int ranks, const account *every) {
  bool any = false;
  for (int rank = 0; rank < ranks; rank++) any = any || *every[rank].device;
  for (int rank = 0; any && rank < ranks; rank++) {
    int first = 0, count = 0;
    while (strcmp(every[first].device, every[rank].device) != 0) first++;
    if (first < rank) continue;
    for (int other = rank; other < ranks; other++) count += !strcmp(every[other].device, every[rank].device);
    fprintf(stderr, "  %d of %d processes on %s\n", count, ranks,
            *every[rank].device ? every[rank].device : "their processors, without a card");
  }
}

bool cli_traffic_print(const cli_traffic *t, ct_error **error) {
  ct_exchange *x = t->exchange;
  account own = {.traffic = x->traffic}, *every = ct_alloc_zero((size_t)x->ranks, sizeof *every, "the traffic", error);
  if (t->device) snprintf(own.device, sizeof own.device, "%s", ctgl_device_get_facts(t->device)->name);
  bool good = x->way->agree(x, every, error);
  if (good) {
    x->way->gather(x, &own, sizeof own, every);
    if (x->rank == 0 && t->say) {
      print_devices(x->ranks, every);
      print_line(t, every);
    }
    if (x->rank == 0 && t->json) good = print_json(t, every, error);
  }
  ct_free(every);
  return good;
}
