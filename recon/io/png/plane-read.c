/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that a plane's PNG carries. */
#include "recon/io/png/plane.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static void leave(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void drop(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

/* A lack of memory is told (untold.h). */
static png_voidp allocate(png_structp png, png_alloc_size_t bytes) {
  (void)png;
  return ct_alloc(bytes, 1, "a picture", NULL);
}

static void release(png_structp png, png_voidp block) {
  (void)png;
  ct_free(block);
}

/* Everything that may leave by longjmp: the text stays libpng's. */
static const char *find_plan(png_structp png, png_infop info, FILE *file) {
  png_textp texts;
  if (setjmp(png_jmpbuf(png))) return NULL;
  png_init_io(png, file);
  png_set_chunk_cache_max(png, 64);
  png_set_chunk_malloc_max(png, 1 << 20);
  png_read_info(png, info);
  const int count = png_get_text(png, info, &texts, NULL);
  for (int i = 0; i < count; i++)
    if (strcmp(texts[i].key, CT_PNG_PLAN) == 0) return texts[i].text;
  return NULL;
}

char *ct_png_read_plan(const char *path, ct_error **error) {
  FILE *file = ct_stream_to_read(path, NULL);
  unsigned char begin[8];
  const bool is_png = file && fread(begin, 1, sizeof begin, file) == sizeof begin && !png_sig_cmp(begin, 0, 8);
  png_structp png =
      is_png ? png_create_read_struct_2(PNG_LIBPNG_VER_STRING, NULL, leave, drop, NULL, allocate, release) : NULL;
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (info) rewind(file);
  const char *found = info ? find_plan(png, info, file) : NULL;
  char *plan = found ? ct_strdup(found, error) : NULL;
  png_destroy_read_struct(&png, &info, NULL);
  if (file) fclose(file);
  return plan;
}
