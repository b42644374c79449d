/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that cannot be read, by their true names: what a file's first bytes say that it is, and the way out. */
#include "recon/io/raw-told.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/open-private.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Bytes at a place that tell a kind of file. */
static const struct {
  size_t at, length;
  const char *bytes;
  const char *title, *way;
} known[] = {
    {128, 4, "DICM", "a DICOM file", "dcm2niix, 3D Slicer or ImageJ convert a series to NRRD or TIFF"},
    {0, 8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
     "a file in Microsoft's compound format, as Zeiss' .txrm, .xrm and .txm are", "give it the extension .txrm"},
    {0, 6, "SIMPLE", "a FITS file", "give it the extension .fits"},
    {0, 10, "MATLAB 5.0", "a MATLAB file", "give it the extension .mat"},
    {0, 3, "CDF", "a netCDF file of version 3", "nccopy -k netCDF-4 makes an HDF5 file of it"},
    {0, 3, "\xff\xd8\xff", "a JPEG picture",
     "projections that were saved in it have lost grey levels: export them as 16-bit TIFF, or, where there is nothing "
     "else, let ImageMagick convert them to PNG"},
    {0, 4, "GIF8", "a GIF picture", "export the projections as 16-bit TIFF"},
    {0, 8, "\x89PNG\r\n\x1a\n", "a PNG picture", "give it the extension .png"},
    {0, 4, "II*\0", "a TIFF picture", "give it the extension .tif"},
    {0, 4, "MM\0*", "a TIFF picture", "give it the extension .tif"},
    {0, 8, "\x89HDF\r\n\x1a\n", "an HDF5 file", "give it the extension .h5"},
    {344, 3, "n+1", "a NIfTI volume", "give it the extension .nii; as it is a volume, it is no scan"},
    {344, 3, "ni1", "the header of a NIfTI volume in two files", "ITK-SNAP or 3D Slicer save it as one file, .nii"},
    {0, 4, "NRRD", "an NRRD file", "give it the extension .nrrd"},
    {0, 6, "\x93NUMPY", "a NumPy array", "give it the extension .npy"},
    {0, 2, "BM", "a Windows bitmap", "give it the extension .bmp"},
    {0, 4, "PK\x03\x04", "a ZIP archive", "unpack it first; NumPy's has the extension .npz"},
    {0, 2, "\x1f\x8b", "a file compressed by gzip", "unpack it first: gunzip"},
    {0, 6, "7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"},
    {0, 4, "Rar!", "a RAR archive", "unpack it first"},
    {0, 6, "\xfd\x37zXZ\0", "a file compressed by xz", "unpack it first: unxz"},
    {0, 5, "%PDF-", "a PDF document", "projections are needed"},
    {0, 14, "# vtk DataFile", "a VTK file", "ParaView or ITK convert it to MetaImage"},
};

static unsigned word(const unsigned char *header, size_t at) {
  return header[at] | (unsigned)header[at + 1] << 8;
}

typedef struct {
  unsigned wide, high, frames, header_bytes;
  const char *type;
} his_header;

/* A flat panel's HIS file: 68 bytes, an image header, frames of mostly 16 bits, little-endian. Sources: rtkHisImageIO
 * of RTK, and other public readers. */
static bool read_his(const unsigned char *header, size_t size, his_header *his) {
  if (size < 68 || word(header, 0) != 0x7000 || word(header, 2) < 34 || word(header, 16) < word(header, 12) ||
      word(header, 18) < word(header, 14))
    return false;
  *his = (his_header){word(header, 16) - word(header, 12) + 1, word(header, 18) - word(header, 14) + 1,
                      word(header, 20), word(header, 2) + word(header, 10),
                      word(header, 32) == 2   ? "uint8"
                      : word(header, 32) == 8 ? "uint32"
                                              : "uint16"};
  return true;
}

static bool is_his(const unsigned char *header, size_t size, char *text, size_t room) {
  his_header his;
  if (!read_his(header, size, &his)) return false;
  snprintf(text, room,
           "a flat panel's HIS file. Describe it as raw samples: {\"files\": {\"raw\": \"NAME.his\", \"type\": \"%s\", "
           "\"dims\": [%u, %u, %u], \"header_bytes\": %u}}",
           his.type, his.wide, his.high, his.frames, his.header_bytes);
  return true;
}

bool ct_known_file(const unsigned char *header, size_t size, char *text, size_t room) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (size < known[i].at + known[i].length || memcmp(header + known[i].at, known[i].bytes, known[i].length) != 0)
      continue;
    snprintf(text, room, "%s: %s", known[i].title, known[i].way);
    return true;
  }
  return is_his(header, size, text, room);
}

bool ct_known_file_at(const char *path, char *text, size_t room) {
  unsigned char header[512];
  uint64_t bytes;
  const size_t size = ct_file_size(path, &bytes, NULL) ? ct_read_beginning(path, header, sizeof header, NULL) : 0;
  return ct_known_file(header, size, text, room);
}

char *ct_raw_told(const char *path) {
  unsigned char header[68];
  his_header his;
  uint64_t bytes;
  const size_t size = ct_file_size(path, &bytes, NULL) ? ct_read_beginning(path, header, sizeof header, NULL) : 0;
  if (!read_his(header, size, &his)) return NULL;
  return ct_strprintf("files.type=%s\nfiles.dims.0=%u\nfiles.dims.1=%u\nfiles.dims.2=%.0u\n"
                      "files.header_bytes=%u\n"
                      "files.frame_header_bytes=\nfiles.byte_order=little\n",
                      his.type, his.wide, his.high, his.frames, his.header_bytes);
}

void ct_raw_advice(const char *path, char *text, size_t room) {
  static const int sides[] = {256, 512, 768, 1000, 1024, 1152, 1536, 1944, 2000, 2024, 2048, 3072, 4000, 4096};
  static const struct {
    const char *type;
    uint64_t bytes;
  } types[] = {{"uint16", 2}, {"float32", 4}};
  uint64_t bytes;
  char guess[96] = "";
  if (!ct_file_size(path, &bytes, NULL)) bytes = 0;
  for (int t = 0; t < 2 && bytes && !guess[0]; t++)
    for (int i = (int)(sizeof sides / sizeof *sides) - 1; i >= 0 && !guess[0]; i--) {
      const uint64_t frame = (uint64_t)sides[i] * (uint64_t)sides[i] * types[t].bytes;
      if (bytes % frame == 0 && bytes / frame > 1)
        snprintf(guess, sizeof guess, ", for instance %d x %d x %llu of %s", sides[i], sides[i],
                 (unsigned long long)(bytes / frame), types[t].type);
    }
  snprintf(
      text, room,
      "if it holds raw samples (%llu bytes%s), a scan description tells their layout: {\"files\": {\"raw\": \"%.80s\", "
      "\"type\": ..., \"dims\": [columns, rows, frames]}}",
      (unsigned long long)bytes, guess, ct_path_name(path));
}
