/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of things that `gantry-cli info` tells about. */
#ifndef GANTRY_CLI_INFO_H
#define GANTRY_CLI_INFO_H

#include "recon/data/scan.h"
#include "recon/io/io.h"
#include "recon/metric/metric.h"

bool cli_info_of_scan(const char *path, ct_scan *scan, bool json, ct_error **error);
/* values: NULL where they were not read. */
bool cli_info_of_volume(const char *path, const ct_volume_reader *volume, const ct_statistics *values, bool json,
                        ct_error **error);
/* A slice as a PNG, by the plan that it carries. */
bool cli_info_of_picture(const char *path, const char *plan, bool json, ct_error **error);
bool cli_info_of_datasets(const char *path, bool anywhere, bool json, ct_error **error);
bool cli_info_of_devices(bool json, ct_error **error);

/* "  beam              cone beam (assumed)": one line of facts on stdout. */
void cli_print_fact(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
