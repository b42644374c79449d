/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expat's parsers, whose lack of memory counts as untold (recon/base/untold.h): what was not parsed is not missing. */
#ifndef CT_IO_XML_PRIVATE_H
#define CT_IO_XML_PRIVATE_H

#include <expat.h>

/* NULL where memory is short; XML_ParserFree. */
XML_Parser ct_xml_parser_new(void);

#endif
