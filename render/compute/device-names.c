/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of several graphics devices a name means: the one that is called so and its twins ("NAME #2"), or where none
 * is, those whose name contains it, in whatever letters. */
#include "render/compute/device-private.h"
#include "render/compute/together-private.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef enum { FIT_NONE, FIT_PART, FIT_TWIN, FIT_WHOLE } fit;

static bool is_auto(const char *name) {
  return !name || !strcmp(name, "auto");
}

/* Whether a device is the `name` or one of its twins. */
static bool is_twin(const char *device, const char *name) {
  const size_t length = strlen(name);
  if (strncmp(device, name, length) != 0) return false;
  int twin, end = 0;
  const char *rest = device + length;
  return !*rest || (sscanf(rest, " #%d%n", &twin, &end) == 1 && !rest[end]);
}

static fit fit_of(const ctgl_device_facts *device, const char *name) {
  if (is_auto(name)) return device->software ? FIT_NONE : FIT_WHOLE;
  if (!strcmp(device->name, name)) return FIT_WHOLE;
  if (is_twin(device->name, name)) return FIT_TWIN;
  return *name && strcasestr(device->name, name) ? FIT_PART : FIT_NONE;
}

static fit best_fit(const ctgl_device_facts *list, int count, const char *name) {
  fit best = FIT_NONE;
  for (int n = 0; n < count; n++) {
    const fit one = fit_of(&list[n], name);
    best = one > best ? one : best;
  }
  return best;
}

/* Twins count as much as the one whose name they bear. */
static fit least_fit(fit best) {
  return best > FIT_TWIN ? FIT_TWIN : best;
}

void ctgl_device_number_twins(ctgl_device_facts *list, int count) {
  for (int n = 0; n < count; n++) {
    int twins = 1;
    for (int m = 0; m < n; m++) twins += is_twin(list[m].name, list[n].name);
    if (twins < 2) continue;
    const size_t length = strlen(list[n].name);
    snprintf(list[n].name + length, sizeof list[n].name - length, " #%d", twins);
  }
}

int ctgl_device_pick(const ctgl_device_facts *list, int count, const char *name, ctgl_turn turn, int *sharers) {
  const fit best = best_fit(list, count, name), least = least_fit(best);
  int matching = 0, seen = 0;
  if (best == FIT_NONE) return -1;
  for (int n = 0; n < count; n++) matching += fit_of(&list[n], name) >= least;
  const int place = turn.number % matching;
  *sharers = (turn.of - place - 1) / matching + 1;
  for (int n = 0; n < count; n++)
    if (fit_of(&list[n], name) >= least && seen++ == place) return n;
  return -1;
}

int ctgl_device_find(const ctgl_device_facts *list, int count, const char *name, ct_error **error) {
  if (is_auto(name) && count) return 0;
  const fit best = is_auto(name) ? FIT_NONE : best_fit(list, count, name);
  if (is_auto(name) || !count) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "No graphics device with OpenGL 4.3 was found: back-projection runs on the processor.");
    return -1;
  }
  int at = 0;
  while (at < count && fit_of(&list[at], name) < best) at++;
  if (best == FIT_NONE) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "There is no graphics device “%s” here; “%s” is one.", name,
                 list[0].name);
    return -1;
  }
  for (int n = at + 1; best == FIT_PART && n < count; n++)
    if (fit_of(&list[n], name) == best && !is_twin(list[n].name, list[at].name)) {
      ct_error_set(error, CT_ERROR_UNSUPPORTED, "“%s” may be the graphics device “%s” or “%s”: give more of the name.",
                   name, list[at].name, list[n].name);
      return -1;
    }
  return at;
}

static void shorten_name(ctgl_device_facts *list, int count, int at) {
  const char *name = list[at].name;
  char *brief = list[at].brief;
  const size_t size = sizeof list[at].brief, length = strlen(name), room = size - 1;
  snprintf(brief, size, "%.*s", (int)size - 1, name);
  if (length <= room) return;
  /* A part begins and ends with no blank, which a list would lose. */
  const size_t last = length - room;
  for (size_t n = 0; n <= last; n++) {
    snprintf(brief, size, "%s", name + (n == 0 ? 0 : n == 1 ? last : n - 1));
    if (*brief != ' ' && brief[room - 1] != ' ' && ctgl_device_find(list, count, brief, NULL) == at) return;
  }
  snprintf(brief, size, "%.*s", (int)size - 1, name);
}

void ctgl_device_shorten_names(ctgl_device_facts *list, int count) {
  for (int n = 0; n < count; n++) shorten_name(list, count, n);
}

static bool find_cards(const ctgl_device_facts *list, int count, int *at, int *meant, ct_error **error) {
  for (int n = 0; n < count && *meant < CTGL_MOST_TOGETHER; n++)
    if (!list[n].software) at[(*meant)++] = n;
  return *meant || ct_error_set(error, CT_ERROR_UNSUPPORTED, "No graphics card with OpenGL 4.3 was found here.");
}

bool ctgl_device_find_all(const ctgl_device_facts *list, int count, const char *name, int *at, int *meant,
                          ct_error **error) {
  *meant = 0;
  if (name && !strcmp(name, CTGL_ALL_CARDS)) return find_cards(list, count, at, meant, error);
  for (const char *rest = name; *meant < CTGL_MOST_TOGETHER;) {
    const char *end = rest ? strstr(rest, CTGL_JOINED) : NULL;
    char one[sizeof list->name];
    if (end) snprintf(one, sizeof one, "%.*s", (int)(end - rest), rest);
    at[*meant] = ctgl_device_find(list, count, end ? one : rest, error);
    if (at[(*meant)++] < 0) return false;
    if (!end) return true;
    rest = end + strlen(CTGL_JOINED);
  }
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "No more than %d graphics devices work together.",
                      CTGL_MOST_TOGETHER);
}

int ctgl_device_pick_of(const ctgl_device_facts *list, int count, const char *names, ctgl_turn turn, int *sharers,
                        ct_error **error) {
  int at[CTGL_MOST_TOGETHER], meant;
  if (!ctgl_device_find_all(list, count, names, at, &meant, error)) return -1;
  const int place = turn.number % meant;
  *sharers = (turn.of - place - 1) / meant + 1;
  return at[place];
}
