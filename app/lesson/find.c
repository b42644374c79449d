/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of a built-in lesson's name stands for it: a translation, or a lesson that someone has changed. Folders by the
 * XDG Base Directory Specification, languages as gettext takes them. */
#include "app/lesson/lesson.h"

#include "recon/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LANGUAGES = 16, NAME = 32 };

typedef struct languages {
  char names[MOST_LANGUAGES][NAME];
  int count;
} languages;

static const char *set_variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* "de_AT.UTF-8@euro" is de_AT, then de. A name is part of a path. */
static void add_language(languages *l, const char *locale, size_t length) {
  char name[NAME];
  const size_t end = strcspn(locale, ".@:");
  if (end < length) length = end;
  if (!length || length >= NAME || memchr(locale, '/', length)) return;
  snprintf(name, sizeof name, "%.*s", (int)length, locale);
  for (char *territory = name; territory;) {
    if (l->count < MOST_LANGUAGES) snprintf(l->names[l->count++], NAME, "%s", name);
    if ((territory = strchr(name, '_'))) *territory = 0;
  }
}

/* The list in LANGUAGE counts where the locale is not plain C. */
static languages languages_of_user(void) {
  static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
  languages l = {.count = 0};
  const char *locale = NULL, *list = set_variable("LANGUAGE");
  for (int i = 0; i < 3 && !locale; i++) locale = set_variable(variables[i]);
  if (!locale || strcmp(locale, "C") == 0 || strncmp(locale, "C.", 2) == 0 || strcmp(locale, "POSIX") == 0) return l;
  while (list && *list) {
    const size_t length = strcspn(list, ":");
    add_language(&l, list, length);
    list += length + (list[length] == ':');
  }
  add_language(&l, locale, strlen(locale));
  return l;
}

/* FOLDER/gantry/lessons/LANGUAGE/NAME, without a language where that is empty; NULL: it is not there. ct_free. */
static char *find_in(const char *folder, size_t length, const char *language, const char *name) {
  /* The specification tells to ignore a relative path. */
  if (!length || *folder != '/') return NULL;
  char *path = ct_strprintf("%.*s/gantry/lessons/%s%s%s", (int)length, folder, language, *language ? "/" : "", name);
  if (path && access(path, F_OK) == 0) return path;
  ct_free(path);
  return NULL;
}

/* A language's file anywhere comes before one of the next language: no folder hides a translation. */
static char *find_file(const char *name) {
  const languages l = languages_of_user();
  const char *own = set_variable("XDG_DATA_HOME"), *home = set_variable("HOME"),
             *shared = set_variable("XDG_DATA_DIRS");
  char *local = own ? ct_strprintf("%s", own) : home ? ct_strprintf("%s/.local/share", home) : NULL, *path = NULL;
  if (!shared) shared = "/usr/local/share:/usr/share";
  for (int i = 0; i <= l.count && !path; i++) {
    const char *language = i < l.count ? l.names[i] : "";
    if (local) path = find_in(local, strlen(local), language, name);
    for (const char *list = shared; !path && *list;) {
      const size_t length = strcspn(list, ":");
      path = find_in(list, length, language, name);
      list += length + (list[length] == ':');
    }
  }
  ct_free(local);
  return path;
}

int gantry_lesson_count(void) {
  int count = 0;
  while (gantry_lesson_files[count].name) count++;
  return count;
}

gantry_lesson *gantry_lesson_open(int number, ct_error **fault) {
  const gantry_lesson_file *built_in = &gantry_lesson_files[number];
  char *path = find_file(built_in->name);
  gantry_lesson *lesson = path ? gantry_lesson_read(path, fault) : NULL;
  if (path && !lesson) ct_error_prefix(fault, "The built-in lesson is shown in place of a file with a fault");
  ct_free(path);
  return lesson ? lesson : gantry_lesson_parse(built_in->text, built_in->name, NULL);
}
