/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ct_error to GError, and to sentences. */
#include "app/errors.h"

#include <string.h>

G_DEFINE_QUARK(gantry - error - quark, gantry_error)

gboolean gantry_take_ct_error(GError **to, ct_error **from) {
  if (from && *from) {
    /* Some file names are not UTF-8; labels need it. */
    g_autofree char *message = g_utf8_make_valid((*from)->message, -1);
    g_set_error_literal(to, GANTRY_ERROR, (int)(*from)->code, message);
    ct_error_clear(from);
  } else {
    g_set_error_literal(to, GANTRY_ERROR, CT_ERROR_ARGUMENT, "The engine gave no reason.");
  }
  return FALSE;
}

gboolean gantry_error_is_cancelled(const GError *error) {
  return g_error_matches(error, GANTRY_ERROR, CT_ERROR_CANCELLED);
}

/* A message that begins with a file name keeps it as it is spelt. */
static gboolean begins_with_name(const char *text) {
  const gsize word = strcspn(text, " :");
  return memchr(text, '.', word) || memchr(text, '/', word) || memchr(text, '_', word);
}

char *gantry_error_sentence(const GError *error) {
  const char *message = error && error->message && *error->message ? error->message : "Something went wrong";
  GString *sentence = g_string_new(NULL);
  if (begins_with_name(message)) {
    g_string_append(sentence, message);
  } else {
    g_string_append_unichar(sentence, g_unichar_toupper(g_utf8_get_char(message)));
    g_string_append(sentence, g_utf8_next_char(message));
  }
  if (!strchr(".!?", sentence->str[sentence->len - 1])) g_string_append_c(sentence, '.');
  return g_string_free(sentence, FALSE);
}
