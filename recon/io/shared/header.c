/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers made of lines, read in growing pieces: most are short and stand before gigabytes of samples. */
#include "recon/io/shared/header-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FIRST_PIECE = 64 << 10, HEADER_LIMIT = 16 << 20 };

bool ct_header_read(const char *path, const char *title, ct_header_parser parse, void *state, ct_error **error) {
  uint64_t bytes;
  if (!ct_file_size(path, &bytes, error)) return false;
  if (bytes == 0) return ct_error_set(error, CT_ERROR_FORMAT, "%s is empty", path);
  const int descriptor = ct_open_to_read(path, error);
  if (descriptor < 0) return false;
  bool good = true, more = true;
  for (size_t piece = FIRST_PIECE; good && more; piece *= 8) {
    const size_t most = piece < HEADER_LIMIT ? piece : HEADER_LIMIT, size = bytes < most ? (size_t)bytes : most;
    ct_header_text text = {.path = path, .title = title, .length = size, .whole = size == bytes};
    text.text = ct_alloc(size + 1, 1, "a header", error);
    good = text.text && ct_read_exactly(descriptor, path, text.text, size, 0, error);
    if (good) {
      text.text[size] = 0;
      more = false;
      good = parse(state, &text, &more, error);
      if (good && more && size == HEADER_LIMIT)
        good = ct_error_set(error, CT_ERROR_FORMAT, "%s is no %s: its header is longer than %d MiB", path, title,
                            HEADER_LIMIT >> 20);
    }
    ct_free(text.text);
  }
  close(descriptor);
  return good;
}

bool ct_header_next(ct_header_text *text, char **line, ct_error **error) {
  *line = NULL;
  if (text->at >= text->length) return true;
  char *begin = text->text + text->at, *end = memchr(begin, '\n', text->length - text->at);
  const bool cut = !end && !text->whole;
  if (!end) end = text->text + text->length;
  const size_t size = (size_t)(end - begin);
  text->number++;
  /* Also in a line that is longer than the piece: samples, mostly. */
  if (memchr(begin, 0, size))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is no %s: line %d of its header is not text", text->path,
                        text->title, text->number);
  if (cut) return true;
  *end = 0;
  if (end > begin && end[-1] == '\r') end[-1] = 0;
  text->at = size + 1 < text->length - text->at ? text->at + size + 1 : text->length;
  *line = begin;
  return true;
}

bool ct_header_is_list(const char *data_file) {
  return strncasecmp(data_file, "LIST", 4) == 0 && (!data_file[4] || data_file[4] == ' ');
}

bool ct_header_take_list(const ct_header_text *text, char **list, bool *more, ct_error **error) {
  *more = !text->whole;
  return *more || (*list = ct_strdup(text->text + text->at, error));
}
