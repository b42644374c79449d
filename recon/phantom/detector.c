/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts = offset + gain (1 + drift t) (Poisson(photons signal) + electronics), t from 0 to 1 over the scan; without
 * photon noise the mean in place of the draw. */
#include "recon/phantom/detector-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/phantom/random-private.h"

#include <math.h>

/* Independent streams of one seed. */
enum { PHOTONS, ELECTRONS, GAIN, DRIFT, DEAD, ZINGERS, ZINGER_PLACES, STREAMS };

static uint64_t stream(const ct_imperfections *o, int which) {
  return o->seed * STREAMS + (uint64_t)which;
}

/* What is left of a signal of nothing, so that its logarithm is finite. */
static const double least_signal = 1e-12;

/* `index` counts the pixels of all frames that have noise. */
static double detected(const ct_imperfections *o, double signal, uint64_t index) {
  const double beam = o->photons > 0 ? o->photons : CT_SIMULATED_BEAM;
  double n = o->photons > 0 ? ct_poisson(beam * signal, stream(o, PHOTONS), index) : beam * signal;
  if (o->electronic > 0) n += o->electronic * ct_gauss(stream(o, ELECTRONS), index);
  return n;
}

void ct_record_integrals(const ct_imperfections *o, ct_stack *signal) {
  const size_t pixels = (size_t)ct_stack_nu(signal) * (size_t)ct_stack_nv(signal);
  const bool noisy = o->photons > 0 || o->electronic > 0;
  const double beam = o->photons > 0 ? o->photons : CT_SIMULATED_BEAM;
#pragma omp parallel for schedule(static) num_threads(ct_thread_count())
  for (int view = 0; view < ct_stack_views(signal); view++) {
    float *data = ct_stack_view(signal, view);
    for (size_t i = 0; i < pixels; i++) {
      const double left = noisy ? fmax(detected(o, (double)data[i], (size_t)view * pixels + i), 1) / beam
                                : fmax((double)data[i], least_signal);
      data[i] = (float)-log(left);
    }
  }
}

typedef struct panel {
  int nu, nv;
  float *gain;  /* [nv nu], 0: dead */
  float *drift; /* [nu] */
} panel;

static bool make_panel(const ct_imperfections *o, panel *p, ct_error **error) {
  const int nu = p->nu;
  const size_t pixels = (size_t)nu * (size_t)p->nv;
  p->gain = ct_alloc(pixels, sizeof *p->gain, "the pixels' gain", error);
  p->drift = ct_alloc((size_t)nu, sizeof *p->drift, "the columns' drift", error);
  if (!p->gain || !p->drift) return false;
  for (int u = 0; u < nu; u++) p->drift[u] = (float)(o->drift * ct_gauss(stream(o, DRIFT), (uint64_t)u));
  for (size_t i = 0; i < pixels; i++) {
    double chance, of_column, other;
    ct_uniform_pair(stream(o, DEAD), i, &chance, &other);
    /* Columns are counted on after the pixels. */
    ct_uniform_pair(stream(o, DEAD), pixels + i % (size_t)nu, &of_column, &other);
    /* A gain of a twentieth is the least, however wide the spread. */
    p->gain[i] = chance < o->dead || of_column < o->dead_columns
                     ? 0
                     : (float)fmax(1 + o->gain * ct_gauss(stream(o, GAIN), i), 0.05);
  }
  return true;
}

/* signal NULL: 1 everywhere, or nothing where the beam is off. `first` counts the pixels before this frame's. */
static void record_frame(const ct_imperfections *o, const panel *p, const float *signal, bool beam, double time,
                         uint64_t first, float *out) {
  for (int v = 0; v < p->nv; v++)
    for (int u = 0; u < p->nu; u++) {
      const size_t i = (size_t)v * (size_t)p->nu + (size_t)u;
      const double n = detected(o, signal ? (double)signal[i] : beam, first + i);
      out[i] = (float)round(fmax(CT_SIMULATED_OFFSET + (double)p->gain[i] * (1 + time * (double)p->drift[u]) * n, 0));
    }
}

/* As bright as one to ten free beams. */
static void add_zingers(const ct_imperfections *o, int view, int nu, int nv, float *out) {
  const double beam = o->photons > 0 ? o->photons : CT_SIMULATED_BEAM;
  const int count = (int)ct_poisson(o->zingers, stream(o, ZINGERS), (uint64_t)view);
  for (int n = 0; n < count; n++) {
    double place, height;
    ct_uniform_pair(stream(o, ZINGER_PLACES), (uint64_t)view << 32 | (uint64_t)n, &place, &height);
    const size_t pixels = (size_t)nu * (size_t)nv, at = (size_t)(place * (double)pixels);
    out[at < pixels ? at : pixels - 1] += (float)round(beam * (1 + 9 * height));
  }
}

bool ct_record_counts(const ct_imperfections *o, ct_stack *signal, ct_stack **flats, ct_stack **darks,
                      ct_error **error) {
  const int nu = ct_stack_nu(signal), nv = ct_stack_nv(signal), views = ct_stack_views(signal);
  const uint64_t pixels = (uint64_t)nu * (uint64_t)nv;
  panel p = {.nu = nu, .nv = nv};
  *flats = ct_stack_new(nu, nv, CT_SIMULATED_FLATS, error);
  *darks = *flats ? ct_stack_new(nu, nv, CT_SIMULATED_DARKS, error) : NULL;
  const bool good = *darks && make_panel(o, &p, error);
  if (good) {
#pragma omp parallel for schedule(static) num_threads(ct_thread_count())
    for (int n = 0; n < views + CT_SIMULATED_FLATS + CT_SIMULATED_DARKS; n++) {
      const uint64_t first = (uint64_t)n * pixels;
      const int flat = n - views, dark = flat - CT_SIMULATED_FLATS;
      float *frame = dark >= 0   ? ct_stack_view(*darks, dark)
                     : flat >= 0 ? ct_stack_view(*flats, flat)
                                 : ct_stack_view(signal, n);
      record_frame(o, &p, flat < 0 ? frame : NULL, dark < 0, flat < 0 && views > 1 ? n / (views - 1.0) : 0, first,
                   frame);
      if (flat < 0 && o->zingers > 0) add_zingers(o, n, nu, nv, frame);
    }
  }
  ct_free(p.gain);
  ct_free(p.drift);
  return good;
}
