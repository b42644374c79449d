/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angles in text: comments and a header first, then lines of one shape, whose numbers are all angles, or a column of
 * them. */
#include "recon/io/shared/angle-text.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_COLUMNS = 64, WORD = 32 };

bool ct_angle_unit(const char *unit, double *degrees) {
  static const struct {
    const char *name;
    double degrees;
  } units[] = {{"deg", 1},
               {"degree", 1},
               {"degrees", 1},
               {"\xc2\xb0", 1},
               {"\xc2\xba", 1},
               {"\xb0", 1},
               {"rad", 180 / M_PI},
               {"radian", 180 / M_PI},
               {"radians", 180 / M_PI},
               {"mrad", 0.18 / M_PI},
               {"gon", 0.9},
               {"gons", 0.9},
               {"gradian", 0.9},
               {"gradians", 0.9},
               {"mdeg", 1e-3},
               {"millidegree", 1e-3},
               {"millidegrees", 1e-3}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcasecmp(unit, units[i].name) == 0) {
      *degrees = units[i].degrees;
      return true;
    }
  return false;
}

/* What is known of a file while it is read. */
typedef struct {
  const char *path;
  size_t views;
  bool comma;        /* decimal */
  double unit;       /* degrees; 0: not told */
  bool unit_differs; /* told twice, differently */
  int column;        /* of the numbers of a line, which the header names; -1: none */
  int header_cells;
  size_t lines, numbers, columns; /* of lines with numbers; columns: 0 where they differ */
  bool counts;                    /* the first number of each counts from 0 or 1 */
  bool named;                     /* lines begin with a name */
} reading;

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '"' || c == '\'';
}

static bool separates(const reading *r, char c) {
  return is_blank(c) || c == ';' || c == ':' || c == '|' || (c == ',' && !r->comma);
}

static const char *line_end(const char *line) {
  return line + strcspn(line, "\r\n");
}

static const char *next_line(const char *end) {
  return *end == '\r' && end[1] == '\n' ? end + 2 : *end ? end + 1 : end;
}

static void tell_unit(reading *r, double degrees) {
  r->unit_differs |= r->unit != 0 && r->unit != degrees;
  r->unit = degrees;
}

/* Units among the words of a comment or header. */
static void find_units(reading *r, const char *c, const char *end) {
  while (c < end) {
    char word[WORD];
    size_t n = 0;
    double degrees;
    const bool letter = isalpha((unsigned char)*c) || (unsigned char)*c >= 0x80;
    const bool high = (unsigned char)*c >= 0x80;
    while (c + n < end && n + 1 < sizeof word && letter &&
           (high ? (unsigned char)c[n] >= 0x80 : isalpha((unsigned char)c[n]) != 0)) {
      word[n] = c[n];
      n++;
    }
    word[n] = 0;
    if (n && ct_angle_unit(word, &degrees)) tell_unit(r, degrees);
    c += n ? n : 1;
  }
}

static bool is_comment(const char *c) {
  return *c == '#' || *c == '%' || *c == '!' || strncmp(c, "//", 2) == 0;
}

/* The number that a token is, with its unit behind it where there is one. */
static bool take_number(reading *r, const char *from, const char *end, double *value) {
  char text[64], *rest;
  double degrees;
  const size_t length = (size_t)(end - from);
  if (length == 0 || length >= sizeof text) return false;
  memcpy(text, from, length);
  text[length] = 0;
  if (r->comma)
    for (char *c = text; *c; c++) *c = *c == ',' ? '.' : *c;
  *value = ct_text_to_double(text, &rest);
  if (rest == text) return false;
  if (!*rest) return true;
  if (!ct_angle_unit(rest, &degrees)) return false;
  tell_unit(r, degrees);
  return true;
}

static const char *token_end(const reading *r, const char *c, const char *end) {
  while (c < end && !separates(r, *c)) c++;
  return c;
}

/* Whether no token of a line is a number, and one holds a letter. */
static bool is_header(reading *r, const char *c, const char *end) {
  bool letters = false;
  reading copy = *r;
  for (const char *stop; c < end; c = stop < end ? stop + 1 : stop) {
    double value;
    stop = token_end(r, c, end);
    for (const char *s = c; s < stop; s++) letters |= isalpha((unsigned char)*s) != 0;
    if (take_number(&copy, c, stop, &value)) return false;
  }
  return letters;
}

static bool names_angles(const char *cell, size_t length) {
  static const char *const words[] = {"angle", "theta", "winkel", "omega", "phi", "rot", "deg", "rad"};
  char text[2 * WORD];
  snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), cell);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(text, words[i])) return true;
  return false;
}

/* Cells of a header are parted as its file's are: by commas, semicolons or tabs, or else by blanks. */
static void take_header(reading *r, const char *line, const char *end) {
  const char *hard = "\t;,|";
  bool any = false;
  for (const char *c = line; c < end; c++) any |= strchr(hard, *c) != NULL;
  r->column = -1;
  r->header_cells = 0;
  for (const char *c = line; c <= end;) {
    const char *stop = c;
    while (stop < end && !strchr(any ? hard : " ", *stop)) stop++;
    if (stop > c || any) {
      if (r->column < 0 && names_angles(c, (size_t)(stop - c))) {
        r->column = r->header_cells;
        r->unit = 0;
        r->unit_differs = false;
        find_units(r, c, stop);
      }
      r->header_cells++;
    }
    c = stop + 1;
  }
  if (r->column < 0 || !any) find_units(r, line, end);
}

static bool refuse(const reading *r, size_t line, const char *start, const char *at, ct_error **error) {
  /* Not quoted: another file's name may have led here, to one that is nobody's angles. */
  return ct_error_set(error, CT_ERROR_FORMAT, "%s, line %zu, column %zu: this is not a number", r->path, line,
                      (size_t)(at - start) + 1);
}

/* The numbers of a line. A name may stand first, where it does in every line. */
static bool take_line(reading *r, size_t line, const char *start, const char *end, double *values, ct_error **error) {
  size_t count = 0;
  bool named = false;
  for (const char *c = start, *stop; c < end; c = stop < end ? stop + 1 : stop) {
    double value, degrees;
    char word[WORD];
    stop = token_end(r, c, end);
    if (stop == c) continue;
    snprintf(word, sizeof word, "%.*s", (int)(stop - c < WORD ? stop - c : WORD - 1), c);
    if (take_number(r, c, stop, &value)) {
      if (!isfinite(value))
        return ct_error_set(error, CT_ERROR_FORMAT, "%s, line %zu: a number is not finite", r->path, line);
      values[count++] = value;
    } else if (count && ct_angle_unit(word, &degrees)) {
      tell_unit(r, degrees);
    } else if (count || named || (r->lines && !r->named)) {
      return refuse(r, line, start, c, error);
    } else {
      named = true;
    }
  }
  if (count == 0 || named != (r->lines ? r->named : named)) return refuse(r, line, start, start, error);
  r->named = named;
  r->counts = (r->lines ? r->counts : values[0] == 0 || values[0] == 1) &&
              values[0] == values[-(ptrdiff_t)r->numbers] + (double)r->lines;
  r->columns = r->lines == 0 || r->columns == count ? count : 0;
  r->lines++;
  r->numbers += count;
  return true;
}

static bool take_lines(reading *r, const char *text, double *values, ct_error **error) {
  size_t line = 1;
  r->lines = r->numbers = 0;
  r->column = -1;
  r->unit = 0;
  r->unit_differs = false;
  for (const char *start = text, *end; *start; start = next_line(end), line++) {
    const char *c = start;
    end = line_end(start);
    while (c < end && (is_blank(*c) || *c == ',' || *c == ';')) c++;
    if (c == end) continue;
    if (is_comment(c)) {
      find_units(r, c, end);
    } else if (r->lines == 0 && is_header(r, c, end)) {
      take_header(r, c, end);
    } else if (!take_line(r, line, start, end, values + r->numbers, error)) {
      return false;
    }
  }
  return r->lines || ct_error_set(error, CT_ERROR_FORMAT, "%s holds no numbers", r->path);
}

/* Commas between digits may be decimal where no point is: in lines of one number, or beside another separator. */
static bool may_be_decimal(const char *text) {
  bool comma = false;
  for (const char *start = text, *end; *start; start = next_line(end)) {
    size_t commas = 0, others = 0;
    end = line_end(start);
    if (is_comment(start)) continue;
    for (const char *c = start + 1; c + 1 < end; c++) {
      const bool between = isdigit((unsigned char)c[-1]) && isdigit((unsigned char)c[1]);
      if (*c == '.' && between) return false;
      commas += *c == ',' && between;
      if (*c == ',' && !between) return false;
      others += *c == ';' || *c == '\t' || (*c == ' ' && isdigit((unsigned char)c[-1]));
    }
    if (commas > 1 && others == 0) return false;
    comma |= commas > 0;
  }
  return comma;
}

/* Of a table that counts its lines, whether the second column says anything. */
static bool is_counted(const reading *r, const double *values) {
  bool varies = false;
  if (!r->counts || r->columns != 2 || r->lines < 3) return false;
  for (size_t i = 1; i < r->lines; i++) varies |= values[2 * i + 1] != values[1];
  return varies;
}

/* Chooses the column of angles; all numbers are angles where nothing tells of columns. */
static void choose(reading *r, double *values, const char *name, ct_remarks *remarks) {
  if (r->columns < 2 || r->lines < 2) return;
  const int first = r->named ? 1 : 0,
            told = r->column >= first && r->header_cells == (int)r->columns + first ? r->column - first : -1;
  const bool counted = is_counted(r, values) && r->numbers != r->views;
  if (told < 0 && !counted) return;
  const size_t column = told < 0 ? 1 : (size_t)told;
  for (size_t i = 0; i < r->lines; i++) values[i] = values[i * r->columns + column];
  r->numbers = r->lines;
  if (remarks && told < 0)
    ct_remarks_add(remarks, CT_REMARK_ASSUMED, name, "its first column numbers the images, its second is the angles");
}

/* Where no unit is told, numbers that go once or half round in radians. */
static void settle_unit(reading *r, double *values, const char *name, ct_remarks *remarks) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < r->numbers; i++) low = fmin(low, values[i]), high = fmax(high, values[i]);
  const double span = high - low, arc = span * (double)r->numbers / ((double)r->numbers - 1);
  if (r->unit_differs) r->unit = 0;
  for (int half = 1; r->unit == 0 && r->numbers > 8 && half <= 2; half++)
    if (fabs(span / (half * M_PI) - 1) < 2e-3 || fabs(arc / (half * M_PI) - 1) < 2e-3) {
      r->unit = 180 / M_PI;
      if (remarks)
        ct_remarks_add(remarks, CT_REMARK_DOUBT, name,
                       "its angles carry no unit and cover %.4g, which is %s turn in radians: they are taken for "
                       "radians. Where they are degrees, say so in its first line (# degrees)",
                       span, half == 1 ? "half a" : "a whole");
    }
  if (r->unit != 0 && r->unit != 1)
    for (size_t i = 0; i < r->numbers; i++) values[i] *= r->unit;
}

bool ct_read_angle_text(const char *path, size_t views, double **degrees, size_t *count, ct_remarks *remarks,
                        ct_error **error) {
  reading r = {.path = path, .views = views};
  size_t length;
  const char *name = ct_path_name(path);
  char *text = ct_read_text(path, (size_t)1 << 28, &length, error);
  *degrees = NULL;
  *count = 0;
  if (!text) return false;
  /* A number takes two bytes at least, with its separator. */
  double *values = ct_alloc(length / 2 + 1, sizeof *values, "the numbers of a text file", error);
  bool good = values && take_lines(&r, text, values, error);
  if (good && may_be_decimal(text) && !(r.columns == 2 && is_counted(&r, values)) &&
      (r.numbers != views || r.lines == views)) {
    r.comma = true;
    good = take_lines(&r, text, values, error);
    if (good && remarks) ct_remarks_add(remarks, CT_REMARK_ASSUMED, name, "its commas are decimal commas");
  }
  ct_free(text);
  if (!good) {
    ct_free(values);
    return false;
  }
  choose(&r, values, name, remarks);
  settle_unit(&r, values, name, remarks);
  *degrees = values;
  *count = r.numbers;
  return true;
}
