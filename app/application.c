/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows come from three places: activation, files to open, and "new window". GANTRY_NON_UNIQUE in the environment
 * keeps tests apart from a running program. */
#include "app/application.h"

#include "app/manual.h"
#include "app/session/session.h"
#include "app/settings.h"

/* What files are opened as: the hint of GApplication::open. */
#define LESSON "lesson"

struct _GantryApplication {
  AdwApplication parent_instance;
  GSettings *settings;
};

G_DEFINE_FINAL_TYPE(GantryApplication, gantry_application, ADW_TYPE_APPLICATION)

static GantrySession *new_session(GantryApplication *self) {
  g_autoptr(GError) error = NULL;
  GantrySession *session = gantry_session_new(GTK_APPLICATION(self), self->settings, &error);
  if (!session) g_printerr("gantry: %s\n", error->message);
  return session;
}

static void present(GantrySession *session) {
  gtk_window_present(gantry_session_get_window(session));
  g_object_unref(session); /* its window keeps it */
}

static void gantry_application_activate(GApplication *application) {
  GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(application));
  if (window) {
    gtk_window_present(window);
    return;
  }
  GantrySession *session = new_session(GANTRY_APPLICATION(application));
  if (session) present(session);
}

static GantrySession *empty_session(GantryApplication *self) {
  for (GList *link = gtk_application_get_windows(GTK_APPLICATION(self)); link; link = link->next) {
    GantrySession *session = gantry_session_of_window(link->data);
    if (session && gantry_session_is_empty(session)) return g_object_ref(session);
  }
  return NULL;
}

static void gantry_application_open(GApplication *application, GFile **files, int count, const char *hint) {
  GantryApplication *self = GANTRY_APPLICATION(application);
  for (int i = 0; i < count; i++) {
    GantrySession *session = empty_session(self);
    if (!session) session = new_session(self);
    if (!session) return;
    if (g_strcmp0(hint, LESSON) == 0)
      gantry_session_open_lesson(session, files[i]);
    else
      gantry_session_open(session, files[i]);
    present(session);
  }
}

/* Actions */

static void about_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  GtkWindow *parent = gtk_application_get_active_window(data);
  adw_show_about_window(parent, "application-name", "Gantry", "application-icon", "org.gantry.Gantry", "version",
                        GANTRY_VERSION, "developer-name", "The Gantry contributors", "comments",
                        "Turns X-ray projections into a volume in front of your eyes.", "license-type",
                        GTK_LICENSE_GPL_3_0, "copyright", "© 2026 The Gantry contributors", NULL);
}

static void manual_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  GtkWindow *window = gtk_application_get_active_window(data);
  if (window && GANTRY_IS_WINDOW(window)) gantry_manual_open(GANTRY_WINDOW(window));
}

/* Each window is closed as if by hand, so that each can ask. The program ends with the last one. */
static void quit_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  g_autoptr(GList) windows = g_list_copy(gtk_application_get_windows(data));
  g_list_foreach(windows, (GFunc)(void (*)(void))g_object_ref, NULL);
  for (GList *link = windows; link; link = link->next) {
    if (gantry_session_of_window(link->data)) gtk_window_close(link->data);
    g_object_unref(link->data);
  }
}

static void new_window_action(GSimpleAction *action, GVariant *parameter, gpointer data) {
  GantrySession *session = new_session(data);
  if (session) present(session);
}

static void gantry_application_startup(GApplication *application) {
  G_APPLICATION_CLASS(gantry_application_parent_class)->startup(application);
  GantryApplication *self = GANTRY_APPLICATION(application);
  self->settings = gantry_settings_new();
  static const GActionEntry entries[] = {
      {.name = "about", .activate = about_action},
      {.name = "manual", .activate = manual_action},
      {.name = "quit", .activate = quit_action},
      {.name = "new-window", .activate = new_window_action},
  };
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  static const struct {
    const char *action, *keys[3];
  } accels[] = {
      {"app.quit", {"<Control>q", NULL}},
      {"app.new-window", {"<Control>n", NULL}},
      {"app.manual", {"F1", NULL}},
      {"window.close", {"<Control><Shift>w", NULL}},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(accels); i++)
    gtk_application_set_accels_for_action(GTK_APPLICATION(self), accels[i].action, accels[i].keys);
  gtk_window_set_default_icon_name("org.gantry.Gantry");
}

/* By the program that runs, which may be another one; -1: this one goes on. */
static int open_lesson(GApplication *application, GVariantDict *options) {
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  if (!g_variant_dict_lookup(options, LESSON, "^ay", &path)) return -1;
  if (!g_application_register(application, NULL, &error)) {
    g_printerr("gantry: %s\n", error->message);
    return 1;
  }
  g_autoptr(GFile) file = g_file_new_for_commandline_arg(path);
  g_application_open(application, &file, 1, LESSON);
  return g_application_get_is_remote(application) ? 0 : -1;
}

static int gantry_application_handle_local_options(GApplication *application, GVariantDict *options) {
  if (g_variant_dict_contains(options, "version")) {
    g_print("gantry %s\n", GANTRY_VERSION);
    return 0;
  }
  if (!gtk_init_check()) {
    g_printerr("gantry: there is no display to open a window on; gantry-cli works without one.\n");
    return 1;
  }
  return open_lesson(application, options);
}

static void gantry_application_finalize(GObject *object) {
  g_clear_object(&GANTRY_APPLICATION(object)->settings);
  G_OBJECT_CLASS(gantry_application_parent_class)->finalize(object);
}

static void gantry_application_class_init(GantryApplicationClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_application_finalize;
  GApplicationClass *application = G_APPLICATION_CLASS(klass);
  application->startup = gantry_application_startup;
  application->activate = gantry_application_activate;
  application->open = gantry_application_open;
  application->handle_local_options = gantry_application_handle_local_options;
}

static void gantry_application_init(GantryApplication *self) {
  static const GOptionEntry options[] = {
      {LESSON, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, NULL, "Open a lesson", "FILE"},
      {"version", 'v', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, "Print the version", NULL},
      {NULL},
  };
  GApplication *application = G_APPLICATION(self);
  g_application_add_main_option_entries(application, options);
  g_application_set_option_context_parameter_string(application, "[FILE…]");
  g_application_set_option_context_summary(
      application,
      "Reconstructs CT scans: opens each FILE (a scan, or a folder of projections) in a "
      "window of its own. Volumes are opened together, to look at, measure and compare; a session brings back "
      "scan, plan, results and layout.");
}

GantryApplication *gantry_application_new(void) {
  const GApplicationFlags unique = g_getenv("GANTRY_NON_UNIQUE") ? G_APPLICATION_NON_UNIQUE : 0;
  return g_object_new(GANTRY_TYPE_APPLICATION, "application-id", "org.gantry.Gantry", "flags",
                      G_APPLICATION_HANDLES_OPEN | unique, "resource-base-path", "/org/gantry/Gantry", NULL);
}
