/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a RabbitCT data set by name, as the format's row has them: /projections, /reference/128 to
 * /reference/1024. */
#ifndef CT_IO_RABBITCT_PRIVATE_H
#define CT_IO_RABBITCT_PRIVATE_H

#include "recon/io/shared/format.h"

/* A name that begins so is a volume's, each other one a scan's. */
ct_content ct_rabbitct_content_of(const char *path, const char *dataset);
bool ct_rabbitct_list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error);
bool ct_rabbitct_check_projections(const char *path, const char *dataset, ct_error **error);
/* A reference volume on the benchmark's grid, its Hounsfield units turned back into values of the back-projection:
 * (HU - scale[1]) / scale[0]. Without a name the largest of at most 512^3. */
extern const ct_slice_reader ct_rabbitct_reader;
bool ct_rabbitct_read_plan(const char *path, const char *dataset, char **plan, ct_error **error);

#endif
