/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arrays of a file in a list, indented like the groups that they are in, with shapes and types: one of them is the
 * projections. */
#pragma once

#include <gtk/gtk.h>

#include "recon/io/io.h"

G_BEGIN_DECLS

GtkListBox *gantry_source_tree_new(const ct_dataset_list *datasets);
/* The path of the chosen array, which belongs to the list; NULL: none. */
const char *gantry_source_tree_get_selected(GtkListBox *tree);
void gantry_source_tree_select(GtkListBox *tree, const char *path);
/* The path of the largest array, which is most likely the projections; NULL: none can be. */
const char *gantry_source_tree_find_largest(const ct_dataset_list *datasets);

G_END_DECLS
