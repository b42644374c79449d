/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link-scan FILE OTHER: the projections of a scan are those of another HDF5 file from now on, for faults.py. */
#include <hdf5.h>
#include <stdio.h>

int main(int argc, char **argv) {
  static const char data[] = "/exchange/data";
  const hid_t file = argc == 3 ? H5Fopen(argv[1], H5F_ACC_RDWR, H5P_DEFAULT) : -1;
  if (file >= 0 && H5Ldelete(file, data, H5P_DEFAULT) >= 0 &&
      H5Lcreate_external(argv[2], data, file, data, H5P_DEFAULT, H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0)
    return 0;
  fputs("link-scan: the link could not be made\n", stderr);
  return 1;
}
