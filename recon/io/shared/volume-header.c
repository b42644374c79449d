/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The space that a volume's file needs. */
#include "recon/io/shared/io-private.h"

uint64_t ct_volume_header_bytes(const ct_volume_header *header) {
  return (uint64_t)ct_grid_voxels(&header->grid) * (header->integers ? sizeof(uint16_t) : sizeof(float));
}

bool ct_volume_header_check_space(const ct_volume_header *header, const ct_output *output, ct_error **error) {
  return header->compress || ct_output_check_space(output, ct_volume_header_bytes(header), error);
}
