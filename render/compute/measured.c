/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a device's own clock has counted. */
#include "render/compute/device-private.h"

#include <math.h>

static bool measure(ct_bp_device *device, ct_error **error) {
  if (!ctgl_device_enter(device, error)) return false;
  const bool good = ctgl_meter_start(ctgl_device_meter(device), ctgl_device_get_facts(device)->software);
  if (!ctgl_device_leave(device, true, "reading the device's clock", error)) return false;
  return good || ct_error_set(error, CT_ERROR_UNSUPPORTED, "The graphics device “%s” has no clock of its own.",
                              ctgl_device_get_facts(device)->name);
}

bool ctgl_device_measure(ct_bp_device *device, ct_error **error) {
  for (; device; device = ctgl_device_next(device))
    if (!measure(device, error)) return false;
  return true;
}

static double take_seconds(ct_bp_device *device, ctgl_metered kind) {
  ctgl_meter *meter = ctgl_device_meter(device);
  if (!meter->on || !ctgl_device_enter(device, NULL)) return 0;
  const double seconds = ctgl_meter_take(meter, kind);
  return ctgl_device_leave(device, true, "reading the device's clock", NULL) ? seconds : 0;
}

static double take_longest(ct_bp_device *device, ctgl_metered kind) {
  double longest = 0;
  for (; device; device = ctgl_device_next(device)) longest = fmax(longest, take_seconds(device, kind));
  return longest;
}

double ctgl_device_take_seconds(ct_bp_device *device) {
  return take_longest(device, CTGL_METER_ADDING);
}

double ctgl_device_take_filter_seconds(ct_bp_device *device) {
  return take_longest(device, CTGL_METER_FILTERING);
}
