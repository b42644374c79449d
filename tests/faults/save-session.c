/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save-session FILE: writes a session, as the window does, for faults.py. */
#include "app/session-file.h"

#include <stdio.h>

int main(int argc, char **argv) {
  ct_error *error = NULL;
  char scan[] = "/scans/bell.h5", volume[] = "/scans/bell.mha", name[] = "half", title[] = "bell";
  gantry_session_result result = {.path = volume, .name = name, .made = true, .views = 120, .bytes = 6, .checksum = 1};
  gantry_session_file file = {
      .title = title, .has_scan = true, .scan = scan, .results = &result, .count = 1, .view = json_object()};
  if (argc < 2) return 2;
  json_object_set_new(file.view, "colours", json_string("viridis"));
  file.regions = json_array();
  const bool good = gantry_session_file_write(&file, argv[1], &error);
  if (!good) fprintf(stderr, "save-session: %s\n", error ? error->message : "no words");
  ct_error_clear(&error);
  json_decref(file.view);
  json_decref(file.regions);
  return !good;
}
