/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a slab's sum takes by itself: what the time that a job waited for its sums is to be compared with. */
#include "recon/exchange/exchange.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <math.h>
#include <unistd.h>

double ct_exchange_try_sum(ct_exchange *x, size_t slice, int slices, ct_error **error) {
  enum { TRIALS = 3, LOOKS = 1024, REST = 100 }; /* us */
  const ct_traffic before = x->traffic;
  if (x->groups == 1) slices = 0;
  float *slab = slices ? ct_alloc_zero(slice * (size_t)slices, sizeof *slab, "a trial of sums", error) : NULL;
  double least = INFINITY;
  bool good = x->way->agree(x, !slices || (slab && x->way->make_room(x, slice, slices, error)), error);
  for (int n = 0; n < TRIALS && good && slices; n++) {
    x->way->most_of_column(x, 0); /* all begin together */
    const double begun = ct_now();
    good = x->way->begin_sum(x, slab, slice, slices, error);
    for (int look = 1; good && !x->way->end_sum(x); look++)
      if (look % LOOKS == 0) usleep(REST);
    least = fmin(least, ct_now() - begun);
  }
  ct_free(slab);
  x->traffic = before;
  if (!x->way->agree(x, good, error)) return -1;
  return slices ? x->way->most_of_column(x, least) : 0;
}
