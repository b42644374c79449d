/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsers with functions for memory of their own. */
#include "recon/io/shared/xml-private.h"

#include "recon/base/untold.h"

#include <stddef.h>
#include <stdlib.h>

static void *noted(void *block) {
  if (!block) ct_untold_note("There was not enough memory for XML");
  return block;
}

static void *allocate(size_t bytes) {
  return noted(malloc(bytes));
}

static void *resize(void *block, size_t bytes) {
  return noted(realloc(block, bytes));
}

XML_Parser ct_xml_parser_new(void) {
  static const XML_Memory_Handling_Suite memory = {allocate, resize, free};
  return XML_ParserCreate_MM(NULL, &memory, NULL);
}
