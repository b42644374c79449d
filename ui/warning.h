/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the banner says of numbers that may be wrong. */
#pragma once

/* text: NULL: nothing. label, tip, action_name: a button with what helps, or NULL. */
typedef struct {
  const char *text, *label, *tip, *action_name;
} GantryWarning;
