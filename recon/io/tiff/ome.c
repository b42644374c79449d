/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OME-XML in a TIFF's description: the axes and physical pixel sizes of its first Pixels element, and Gantry's own JSON
 * in a comment. Source: OME data model 2016-06, "OME-TIFF specification". */
#include "recon/base/memory.h"
#include "recon/base/text-stream.h"
#include "recon/io/shared/array-private.h"
#include "recon/io/shared/xml-private.h"
#include "recon/io/tiff/tiff-private.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 26 };

bool ct_tiff_is_ome(const char *description) {
  if (!description || description[0] != '<') return false;
  char head[1024];
  snprintf(head, sizeof head, "%.1023s", description);
  return strstr(head, "<OME") || strstr(head, ":OME");
}

typedef struct {
  XML_Parser parser;
  ct_ome *ome;
  bool in_pixels, in_comment, refused;
  char *text; /* of the comment */
  size_t length, room;
} reading;

static const char *local(const char *name) {
  const char *colon = strrchr(name, ':');
  return colon ? colon + 1 : name;
}

static const char *attribute(const char **attributes, const char *name) {
  for (int i = 0; attributes[i]; i += 2)
    if (strcmp(local(attributes[i]), name) == 0) return attributes[i + 1];
  return NULL;
}

/* 1 where it is not told. */
static int count_of(const char **attributes, const char *name) {
  const char *text = attribute(attributes, name);
  const double value = text ? ct_text_to_double(text, NULL) : 1;
  return value >= 1 && value <= INT_MAX && value == floor(value) ? (int)value : 1;
}

static double size_of(const char **attributes, const char *name, const char *unit_name) {
  const char *text = attribute(attributes, name), *unit = attribute(attributes, unit_name);
  const double value = text ? ct_text_to_double(text, NULL) : 0,
               mm = !unit || strcmp(unit, "\xc2\xb5m") == 0 || strcmp(unit, "\xce\xbcm") == 0
                        ? 1e-3
                        : ct_unit_to_mm(unit, strlen(unit));
  return value > 0 && isfinite(value) && mm > 0 ? value * mm : 0;
}

static void XMLCALL begin_tag(void *data, const char *name, const char **attributes) {
  reading *r = data;
  if (strcmp(local(name), "Value") == 0) r->in_comment = r->length == 0;
  if (strcmp(local(name), "Pixels") != 0 || r->in_pixels) return;
  r->in_pixels = true; /* the first counts */
  r->ome->slices = count_of(attributes, "SizeZ");
  r->ome->channels = count_of(attributes, "SizeC");
  r->ome->times = count_of(attributes, "SizeT");
  r->ome->size[0] = size_of(attributes, "PhysicalSizeX", "PhysicalSizeXUnit");
  r->ome->size[1] = size_of(attributes, "PhysicalSizeY", "PhysicalSizeYUnit");
  r->ome->size[2] = size_of(attributes, "PhysicalSizeZ", "PhysicalSizeZUnit");
}

static void XMLCALL end_tag(void *data, const char *name) {
  (void)name;
  ((reading *)data)->in_comment = false;
}

static void XMLCALL take_text(void *data, const char *text, int length) {
  reading *r = data;
  if (!r->in_comment || !r->text || (size_t)length >= r->room - r->length) return;
  memcpy(r->text + r->length, text, (size_t)length);
  r->length += (size_t)length;
}

/* OME-XML declares no entities: expanding them is how a small file fills the memory. */
static void XMLCALL refuse_subset(void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                                  int has_subset) {
  (void)name, (void)system, (void)public;
  reading *r = data;
  if (has_subset) XML_StopParser(r->parser, XML_FALSE);
}

bool ct_tiff_parse_ome(const char *description, ct_ome *ome) {
  *ome = (ct_ome){.slices = 1, .channels = 1, .times = 1};
  if (!ct_tiff_is_ome(description)) return false;
  const size_t length = strnlen(description, MOST_TEXT);
  reading r = {.parser = ct_xml_parser_new(), .ome = ome, .room = length + 1};
  if (!r.parser) return false;
  r.text = ct_alloc_zero(r.room, 1, "a description", NULL);
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, begin_tag, end_tag);
  XML_SetCharacterDataHandler(r.parser, take_text);
  XML_SetStartDoctypeDeclHandler(r.parser, refuse_subset);
  const bool good = XML_Parse(r.parser, description, (int)length, 1) != XML_STATUS_ERROR && r.in_pixels;
  XML_ParserFree(r.parser);
  if (good && r.length && r.text[0] == '{')
    ome->comment = r.text;
  else
    ct_free(r.text);
  return good;
}

/* Text between tags or in an attribute. */
static void escape(FILE *to, const char *text) {
  for (; *text; text++) {
    const char *entity = *text == '&'   ? "&amp;"
                         : *text == '<' ? "&lt;"
                         : *text == '>' ? "&gt;"
                         : *text == '"' ? "&quot;"
                                        : NULL;
    if (entity)
      fputs(entity, to);
    else
      fputc(*text, to);
  }
}

char *ct_tiff_format_ome(const ct_volume_header *header, const char *json, ct_error **error) {
  const ct_grid *g = &header->grid;
  char *text = NULL, number[3][32];
  size_t length;
  FILE *to = ct_text_stream(&text, &length);
  bool good = to != NULL;
  if (to) {
    fprintf(
        to,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" "
        "Creator=\"Gantry " GANTRY_VERSION "\"><Image ID=\"Image:0\" Name=\"volume\"><Pixels ID=\"Pixels:0\" "
        "DimensionOrder=\"XYZCT\" Type=\"%s\" SizeX=\"%d\" SizeY=\"%d\" SizeZ=\"%d\" SizeC=\"1\" SizeT=\"1\" "
        "BigEndian=\"%s\"",
        header->integers ? "uint16" : "float", g->nx, g->ny, g->nz, ct_machine_is_big_endian() ? "true" : "false");
    if (!ct_units_are_pixels(header->units))
      fprintf(to,
              " PhysicalSizeX=\"%s\" PhysicalSizeXUnit=\"mm\" PhysicalSizeY=\"%s\" PhysicalSizeYUnit=\"mm\" "
              "PhysicalSizeZ=\"%s\" PhysicalSizeZUnit=\"mm\"",
              ct_double_to_text(g->dx, number[0]), ct_double_to_text(g->dy, number[1]),
              ct_double_to_text(g->dz, number[2]));
    fprintf(to,
            "><Channel ID=\"Channel:0:0\" SamplesPerPixel=\"1\"/><TiffData IFD=\"0\" PlaneCount=\"%d\"/></Pixels>"
            "<AnnotationRef ID=\"Annotation:0\"/></Image><StructuredAnnotations><CommentAnnotation ID=\"Annotation:0\">"
            "<Value>",
            g->nz);
    escape(to, json);
    fputs("</Value></CommentAnnotation></StructuredAnnotations></OME>", to);
    good = fclose(to) == 0;
  }
  char *copy = good ? ct_strdup(text, error) : NULL;
  free(text);
  if (!copy) ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to describe the volume");
  return copy;
}
