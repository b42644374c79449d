/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats: rows are complete and agree with each other, with what they write, and with the README. */
#include "recon/base/memory.h"
#include "recon/io/beside/beside-private.h"
#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/test.h"

static bool has_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' ')) return true;
  return false;
}

/* Copies the first word of a list of extensions. */
static void first_word(const char *words, char *word, size_t size) {
  size_t length = strcspn(words, " ");
  if (length >= size) length = size - 1;
  memcpy(word, words, length);
  word[length] = 0;
}

static void test_rows(void) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  CHECK(count >= 7);
  for (size_t i = 0; i < count; i++) {
    const ct_format *f = formats[i];
    const bool scan = f->open_scan, volume = f->reader;
    const bool named = f->id && f->title && f->extensions && f->extensions[0] && f->probe && (scan || volume);
    const bool paired = !f->content == !(scan && volume) && !f->read_plan == !volume && (scan || !f->images) &&
                        (scan || f->reader || !f->reads) && (f->writer || !f->writes_folder) &&
                        (f->writer || !f->companions);
    if (!named || !paired || ct_format_find(f->id) != f) CT_TEST_END(1, "the row %zu, %s, is not complete", i, f->id);
    for (size_t k = 0; k < i; k++)
      for (const char *word = f->extensions; *word; word += strspn(word, " ")) {
        char one[16];
        first_word(word, one, sizeof one);
        if (has_word(formats[k]->extensions, one)) CT_TEST_END(1, ".%s is %s and %s", one, formats[k]->id, f->id);
        word += strcspn(word, " ");
      }
  }
}

static void test_lists(void) {
  ct_error *error = NULL;
  char text[512];
  CHECK(strstr(ct_formats_list(CT_FORMAT_WRITE_VOLUME, text, sizeof text), "MetaImage (.mha), "));
  CHECK(!strstr(text, "PNG"));
  ct_formats_extensions(CT_FORMAT_OPEN_SCAN, text, sizeof text);
  CHECK(has_word(text, "tif") && has_word(text, "json") && has_word(text, "nrrd"));
  ct_formats_extensions(CT_FORMAT_READ_VOLUME, text, sizeof text);
  CHECK(has_word(text, "nhdr") && !has_word(text, "json") && !has_word(text, "png"));
  /* A list that is cut off ends where the memory does. */
  memset(text, 'x', sizeof text);
  ct_formats_list(CT_FORMAT_OPEN_SCAN, text, 20);
  CHECK(strlen(text) == 19 && text[20] == 'x');
  CHECK(ct_format_for_writing("a.b/volume", &error) == ct_format_find("tiff"));
  CHECK(ct_format_for_writing("V.MHD", &error) == ct_format_find("metaimage"));
  CHECK(ct_format_for_writing_scan("s.hdf5", &error) == ct_format_find("hdf5"));
  CHECK_FAILS(ct_format_for_writing("v.png", &error), CT_ERROR_ARGUMENT, "NRRD (.nrrd)");
  CHECK_FAILS(ct_format_for_writing_scan("s.mha", &error), CT_ERROR_ARGUMENT, "HDF5 (.h5)");
}

/* Whether a file beside NAME.extension is one of the format's companions. */
static bool is_companion(const ct_format *format, const char *extension, const char *name) {
  for (const ct_companion *c = format->companions; c && c->extension; c++)
    if (strcmp(c->extension, extension) == 0 && strncmp(name, "v.", 2) == 0 && strcmp(name + 2, c->beside) == 0)
      return true;
  return false;
}

/* Every extension is written, plain and compressed, and leaves no file that the row does not tell of. */
static void test_companions(void) {
  ct_error *error = NULL;
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  const ct_grid grid = ct_grid_centred(3, 4, 5, 1, NULL);
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  for (size_t i = 0; i < count; i++) {
    const char *word = ct_format_can(formats[i], CT_FORMAT_WRITE_VOLUME) ? formats[i]->extensions : "";
    for (; *word; word += strcspn(word, " "), word += strspn(word, " ")) {
      char extension[16], own[32];
      snprintf(extension, sizeof extension, "%.*s", (int)strcspn(word, " "), word);
      snprintf(own, sizeof own, "v.%s", extension);
      make_test_folder();
      if (!strcmp(extension, "npz")) { /* of the row's other readers */
        CHECK_FAILS(ct_volume_write(in_folder("%s", own), volume, NULL, NULL, &error), CT_ERROR_UNSUPPORTED, ".npy");
        remove_test_folder();
        continue;
      }
      for (int compress = 0; compress < 2; compress++) {
        const ct_write_options options = {.samples = CT_SAMPLES_FLOAT32, .compress = compress};
        CHECK_OK(ct_volume_write(in_folder("%s", own), volume, &options, NULL, &error));
      }
      DIR *dir = opendir(test_folder);
      CHECK(dir);
      for (const struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, own) != 0 &&
            !is_companion(formats[i], extension, entry->d_name))
          CT_TEST_END(1, "%s is written beside %s, and its row does not say so", entry->d_name, own);
      closedir(dir);
      remove_test_folder();
    }
  }
  ct_volume_free(volume);
}

/* The line that the README's table has for a format. */
static void readme_line(const ct_format *f, char *line, size_t size) {
  char written[128];
  int n = snprintf(line, size, "| %s%s%s |", f->title, f->notes ? ": " : "", f->notes ? f->notes : "");
  for (const char *word = f->extensions; *word; word += strspn(word, " ")) {
    char one[16];
    first_word(word, one, sizeof one);
    n += snprintf(line + n, size - (size_t)n, " `.%s`", one);
    word += strcspn(word, " ");
  }
  ct_format_list_written(f, written, sizeof written);
  snprintf(line + n, size - (size_t)n, " |%s |%s |%s%s |\n", f->open_scan ? " yes" : "", f->reader ? " yes" : "",
           written[0] ? " " : "", written);
}

static void test_readme(void) {
  static const char header[] =
      "| | extensions | read as a scan | read as a volume | written |\n|---|---|---|---|---|\n";
  size_t bytes, count;
  char line[512];
  const ct_format *const *formats = ct_formats(&count);
  char *readme = (char *)read_file("README.md", &bytes);
  const char *at = strstr(readme, header);
  CHECK(at);
  at += strlen(header);
  for (size_t i = 0; i < count; i++) {
    readme_line(formats[i], line, sizeof line);
    if (strncmp(at, line, strlen(line)) != 0) CT_TEST_END(1, "README.md should have the line %.400s", line);
    at += strlen(line);
  }
  CHECK(*at == '\n');
  free(readme);
}

/* A row of docs/formats.md: seven cells, the first of them the title; what is read, the source and the test have words.
 */
static bool is_row(const char *text, const char *title) {
  char begin[96];
  snprintf(begin, sizeof begin, "\n| %s |", title);
  const char *at = strstr(text, begin);
  if (!at || strstr(at + 1, begin)) return false;
  at += strlen(begin) - 1;
  for (int cell = 1; cell < 7; cell++) {
    const char *end = strpbrk(at + 1, "|\n");
    if (!end || *end != '|' || ((cell == 1 || cell > 4) && end - at < 4)) return false;
    at = end;
  }
  return at[1] == '\n';
}

static int count_rows(const char *text) {
  int count = 0;
  const char *begin = text, *end = strstr(text, "### Signs");
  for (const char *at = begin; at && at < end; at++) count += strncmp(at, "\n| ", 3) == 0;
  return count;
}

static void test_formats_page(void) {
  size_t bytes, formats, readers;
  const ct_format *const *format = ct_formats(&formats);
  const ct_geometry_reader *const *reader = ct_geometry_readers(&readers);
  char *text = (char *)read_file("docs/formats.md", &bytes);
  for (size_t i = 0; i < formats; i++) {
    char title[64];
    snprintf(title, sizeof title, "%.*s", (int)strcspn(format[i]->title, " "), format[i]->title);
    if (!is_row(text, title)) CT_TEST_END(1, "docs/formats.md should have one row of seven cells for %s", title);
  }
  for (size_t i = 0; i < readers; i++)
    if (!is_row(text, reader[i]->title))
      CT_TEST_END(1, "docs/formats.md should have one row of seven cells for %s", reader[i]->title);
  /* Two heads, and no row of something else. */
  CHECK(count_rows(text) == (int)(formats + readers) + 2);
  free(text);
}

/* Software centres and the start page list what scans can be opened. */
static void test_lists_for_people(void) {
  static const char *const files[] = {"resources/org.gantry.Gantry.metainfo.xml", "resources/ui/start-page.ui"};
  size_t bytes, count;
  const ct_format *const *formats = ct_formats(&count);
  for (int f = 0; f < 2; f++) {
    char *text = (char *)read_file(files[f], &bytes);
    for (size_t i = 0; i < count; i++) {
      char name[32];
      snprintf(name, sizeof name, "%.*s", (int)strcspn(formats[i]->title, " "), formats[i]->title);
      if (ct_format_can(formats[i], CT_FORMAT_OPEN_SCAN) && !strstr(text, name))
        CT_TEST_END(1, "%s does not name %s", files[f], name);
    }
    free(text);
  }
}

static const ct_test tests[] = {
    {"rows are complete", test_rows},
    {"lists of formats", test_lists},
    {"files beside a volume's", test_companions},
    {"README's table", test_readme},
    {"the table of docs/formats.md", test_formats_page},
    {"the lists of the desktop and of the start page", test_lists_for_people},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
