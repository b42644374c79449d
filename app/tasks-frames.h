/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: the slices of a volume one after the other, or the scene all round, as numbered PNG files in a folder of
 * their own, and where GStreamer can make it a film. */
#pragma once

#include "app/tasks.h"
#include "ui/scene-shot.h"

G_BEGIN_DECLS

/* Files worker. Of the volume or of the shot, whichever is there. The folder is whole or not there. */
typedef struct {
  GantryWork work;
  char *parent, *name; /* the folder that is made: name, or "name 2" where that is there */
  gboolean film;       /* film.webm in it, too */
  GantryResult *result;
  ct_plane plane;
  double low, high; /* grey window */
  const ctgl_colour_map *map;
  gboolean smooth;
  GantrySceneShot *shot;
  int count;     /* frames of a turn of the scene; in the end, those that were written */
  char *made;    /* out: the folder */
  char *no_film; /* out: why there is none, where one was wanted */
} GantryFramesTask;
GantryFramesTask *gantry_frames_task_new(GObject *owner, GantryDone done, const char *name);

G_END_DECLS
