/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a kernel for the scan and the values as they are: lists of kernels ask, who knows answers. */
#pragma once

#include <glib.h>

/* Texts are the asker's (g_free). */
typedef struct {
  char *refusal;  /* why it cannot serve; NULL: nothing stands against it */
  char *measured; /* speed and error on this machine, and of what; NULL: not measured yet */
} GantryKernelNote;

typedef GantryKernelNote (*GantryAskKernel)(gpointer user, const char *kernel);
