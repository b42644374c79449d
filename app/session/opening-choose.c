/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file dialogs that a scan, a volume, or a folder is chosen in. */
#include "app/session/opening-private.h"

#include "recon/io/io.h"

static void chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantryOpening *self = data;
  g_autoptr(GFile) file = gantry_dialogs_end(self->with.dialogs, dialog, response);
  if (file) gantry_opening_open(self, file);
}

/* Beside the open scan. */
static void choose_folder(GantryOpening *self, GtkFileChooser *chooser) {
  const ct_scan_facts *facts = gantry_scan_slot_get_facts(self->with.slot);
  const char *path = facts ? facts->path : NULL;
  g_autoptr(GFile) file = path && *path ? g_file_new_for_path(path) : NULL;
  g_autoptr(GFile) parent = file ? g_file_get_parent(file) : NULL;
  if (parent && g_file_query_exists(parent, NULL)) gtk_file_chooser_set_current_folder(chooser, parent, NULL);
}

void gantry_opening_choose(GantryOpening *self, gboolean folder) {
  GantryDialogs *dialogs = self->with.dialogs;
  if (gantry_dialogs_is_open(dialogs)) return;
  GtkFileChooser *chooser = gantry_dialogs_begin(
      dialogs, folder ? "Open a Folder of Projections" : "Open a Scan or a Volume",
      folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN, "_Open", G_CALLBACK(chosen), self);
  if (!folder) {
    char scans[256], volumes[256];
    ct_formats_extensions(CT_FORMAT_OPEN_SCAN, scans, sizeof scans);
    ct_formats_extensions(CT_FORMAT_READ_VOLUME, volumes, sizeof volumes);
    g_autofree char *both = g_strdup_printf("%s %s", scans, volumes);
    gantry_dialogs_add_filter(dialogs, "Scans and volumes", both);
    gantry_dialogs_add_filter(dialogs, "All files", NULL);
  }
  choose_folder(self, chooser);
  gantry_dialogs_show(dialogs);
}
