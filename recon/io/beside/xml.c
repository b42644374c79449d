/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings in XML as keys and values: an element that holds text is a key, the element about it its section. */
#include "recon/io/beside/beside-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/shared/xml-private.h"

#include <string.h>

enum { TEXT_LIMIT = 1 << 24, MOST_LINES = 1 << 14, DEPTH = 32, WORD = 256 };

typedef struct {
  XML_Parser parser;
  ct_keyed *keyed;
  size_t used, room; /* of keyed->text */
  const char *names[DEPTH];
  int depth;
  char word[WORD];
  size_t length;
  bool attributes, refused;
} reading;

static const char *keep(reading *r, const char *text, size_t length) {
  if (length + 1 > r->room - r->used) return NULL;
  char *to = r->keyed->text + r->used;
  memcpy(to, text, length);
  to[length] = 0;
  r->used += length + 1;
  return to;
}

static void XMLCALL begin_tag(void *data, const char *name, const char **attributes) {
  reading *r = data;
  const char *colon = strrchr(name, ':');
  if (colon) name = colon + 1;
  if (r->depth < DEPTH) r->names[r->depth] = keep(r, name, strlen(name));
  const char *section = r->depth < DEPTH ? r->names[r->depth] : NULL;
  for (; r->attributes && section && attributes[0] && r->keyed->count < MOST_LINES; attributes += 2) {
    const char *key = keep(r, attributes[0], strlen(attributes[0])),
               *value = key ? keep(r, attributes[1], strlen(attributes[1])) : NULL;
    if (value) r->keyed->lines[r->keyed->count++] = (struct ct_keyed_line){section, key, value};
  }
  r->depth++;
  r->length = 0;
}

static void XMLCALL take_text(void *data, const char *text, int length) {
  reading *r = data;
  const size_t room = WORD - 1 - r->length, taken = (size_t)length < room ? (size_t)length : room;
  memcpy(r->word + r->length, text, taken);
  r->length += taken;
}

static void XMLCALL end_tag(void *data, const char *name) {
  (void)name;
  reading *r = data;
  r->depth--;
  size_t from = 0, to = r->length;
  while (from < to && strchr(" \t\r\n", r->word[from])) from++;
  while (to > from && strchr(" \t\r\n", r->word[to - 1])) to--;
  const char *key = r->depth < DEPTH ? r->names[r->depth] : NULL;
  const char *section = r->depth > 0 && r->depth <= DEPTH ? r->names[r->depth - 1] : "";
  if (to > from && key && section && r->keyed->count < MOST_LINES) {
    const char *value = keep(r, r->word + from, to - from);
    if (value) r->keyed->lines[r->keyed->count++] = (struct ct_keyed_line){section, key, value};
  }
  r->length = 0;
}

static void XMLCALL refuse_subset(void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                                  int has_subset) {
  (void)name, (void)system, (void)public;
  reading *r = data;
  r->refused = has_subset;
  if (has_subset) XML_StopParser(r->parser, XML_FALSE);
}

static bool parse(reading *r, const char *path, const char *text, size_t length, ct_error **error) {
  r->parser = ct_xml_parser_new();
  if (!r->parser) return ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to read %s.", path);
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, begin_tag, end_tag);
  XML_SetCharacterDataHandler(r->parser, take_text);
  XML_SetStartDoctypeDeclHandler(r->parser, refuse_subset);
  const bool good = XML_Parse(r->parser, text, (int)length, 1) != XML_STATUS_ERROR;
  if (!good)
    ct_error_set(error, CT_ERROR_FORMAT, "%s, line %lu: the XML is damaged or cut off (%s).", path,
                 (unsigned long)XML_GetCurrentLineNumber(r->parser),
                 r->refused ? "its document type holds declarations" : XML_ErrorString(XML_GetErrorCode(r->parser)));
  XML_ParserFree(r->parser);
  return good;
}

bool ct_keyed_read_xml(ct_keyed *keyed, const char *path, bool attributes, ct_error **error) {
  *keyed = (ct_keyed){0};
  size_t length;
  char *text = ct_read_text(path, TEXT_LIMIT, &length, error);
  reading r = {.keyed = keyed, .room = 2 * (length + 64), .attributes = attributes};
  const bool good = text && (keyed->path = ct_strdup(path, error)) &&
                    (keyed->text = ct_alloc(r.room, 1, "settings", error)) &&
                    (keyed->lines = ct_alloc(MOST_LINES, sizeof *keyed->lines, "settings", error)) &&
                    parse(&r, path, text, length, error);
  ct_free(text);
  if (!good) ct_keyed_clear(keyed);
  return good;
}
