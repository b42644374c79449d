/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of the structures that laboratories save beside their sinograms. */
#include "recon/io/shared/lab-private.h"

#include "recon/geom/questions.h"

#include <math.h>

void ct_lab_take(ct_scan_facts *facts, void *structure, ct_lab_number number) {
  double sod, sdd, pitch;
  ct_geometry *g = &facts->geometry;
  /* Post: as binned, which is how the samples are stored. */
  if ((number(structure, "pixelSizePost", &pitch) || number(structure, "pixelSize", &pitch)) && pitch > 0 &&
      isfinite(pitch)) {
    g->du = g->dv = pitch;
    facts->known |= CT_KNOWN_PITCH;
  }
  if (number(structure, "distanceSourceOrigin", &sod) && number(structure, "distanceSourceDetector", &sdd) && sod > 0 &&
      sdd > sod && isfinite(sdd)) {
    g->beam = ct_beam_divergent(g->nv);
    g->sod = sod;
    g->sdd = sdd;
    facts->known |= CT_KNOWN_DISTANCES | CT_KNOWN_BEAM;
  }
}
