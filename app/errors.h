/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one place where an error of the engine (ct_error) becomes one of GLib's (GError), or a sentence on screen. */
#pragma once

#include <glib.h>

#include "recon/base/error.h"

G_BEGIN_DECLS

/* Domain of errors that come from the engine; the codes are those of ct_error_code. */
#define GANTRY_ERROR (gantry_error_quark())
GQuark gantry_error_quark(void);

/* Moves *from to *to (which may be NULL) and clears it. Always FALSE, so that it can end a failing function. */
gboolean gantry_take_ct_error(GError **to, ct_error **from);
/* Whether the error only says that its job was cancelled. */
gboolean gantry_error_is_cancelled(const GError *error);
/* The message as a sentence: capital first letter, full stop. */
char *gantry_error_sentence(const GError *error);

G_END_DECLS
