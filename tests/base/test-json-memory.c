/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON is read whole, or lacks memory and says so, whichever allocation fails: jansson alone would end the program. */
#include "recon/base/json-text.h"
#include "tests/test.h"

extern void *__libc_malloc(size_t);

static long left = -1; /* allocations that are still granted; below 0: all */
static bool on;        /* all behind it are refused, too */

void *malloc(size_t bytes) {
  const bool grants = left != 0;
  if (left > 0 || (left == 0 && !on)) left--;
  return grants ? __libc_malloc(bytes) : NULL;
}

/* Words longer than the parser's first buffers, and more than it takes at once. */
static char *make_text(void) {
  enum { NUMBERS = 200, LETTERS = 3000 };
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) abort();
  fputs("{\"a key of more than sixteen letters\": 0.12345678901234567890123, \"letters\": \"", to);
  for (int i = 0; i < LETTERS; i++) fputc('a' + i % 26, to);
  fputs("\", \"numbers\": [", to);
  for (int i = 0; i < NUMBERS; i++) fprintf(to, "%s%d.000000000000000000000000000001", i ? ", " : "", i);
  fputs("], \"word\": true}", to);
  fclose(to);
  return text;
}

static void test_any_allocation_fails(void) {
  char *text = make_text();
  for (int way = 0; way < 2; way++) {
    bool whole = false;
    int tried = 0;
    for (; !whole && tried < 10000; tried++) {
      json_error_t fault;
      ct_error *error = NULL;
      left = tried, on = way;
      json_t *root = ct_json_read(text, 0, &fault, NULL);
      left = -1;
      whole = root && json_array_size(json_object_get(root, "numbers")) == 200 && json_object_get(root, "word");
      CHECK(whole || (!root && json_error_code(&fault) == json_error_out_of_memory));
      json_decref(root);
      if (whole) break;
      left = tried, on = way;
      CHECK(!ct_json_read(text, 0, NULL, &error));
      left = tried, on = way;
      CHECK(!ct_json_try(text, 0, &root, NULL) && !root);
      left = -1;
      CHECK(error && error->code == CT_ERROR_MEMORY);
      ct_error_clear(&error);
    }
    CHECK(whole && tried > 200);
  }
  /* What could not be read does not count against what is written next. */
  json_t *root = ct_json_read("[1]", 0, NULL, NULL);
  char *again = ct_json_text(root, JSON_COMPACT);
  CHECK(again && strcmp(again, "[1]") == 0);
  free(again);
  json_decref(root);
  free(text);
}

static void test_faults_of_the_text_are_told(void) {
  json_error_t fault;
  ct_error *error = NULL;
  CHECK(!ct_json_read("{\"a\": 1,\n 2}", 0, &fault, &error));
  CHECK(!error && fault.line == 2 && json_error_code(&fault) == json_error_invalid_syntax);
  /* Without what stands there. */
  static const char *const texts[] = {"root:x:0:0",        "{\"root\": 1, \"root\": 2}", "[\"\\uroot\"]",
                                      "[\"\\ud800root\"]", "[\"\\ud800\\u0001root\"]",   "[\"root\nroot\"]",
                                      "[1e999, \"root\"]", "{root' near 'root"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    CHECK(!ct_json_read(texts[i], JSON_REJECT_DUPLICATES, &fault, &error) && !error);
    CHECK(*fault.text && !strchr(fault.text, '\\') && !strstr(fault.text, "root") && !strstr(fault.text, "near '"));
  }
  json_t *root;
  CHECK(ct_json_try("no JSON", 0, &root, &error) && !root && !error);
  CHECK(ct_json_try("[1]", 0, &root, &error) && root);
  json_decref(root);
}

int main(void) {
  const ct_test tests[] = {{"whichever allocation fails", test_any_allocation_fails},
                           {"faults of the text are told", test_faults_of_the_text_are_told}};
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
