/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A WebM film of numbered frames, by GStreamer's gst-launch-1.0 where that is installed: a program of its own, asked at
 * run time. */
#pragma once

#include <glib.h>

#include "recon/base/job.h"

G_BEGIN_DECLS

#define GANTRY_FRAME_NAME "frame-%04d.png"
#define GANTRY_FILM_NAME "film.webm"
/* Of all frames of the folder, 25 a second, beside them. NULL: it is there; else why it is not, a sentence without its
 * point (g_free). Ends where the job is cancelled. */
char *gantry_film_make(const char *folder, ct_job *job);

G_END_DECLS
