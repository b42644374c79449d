/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kept with the window's surface, and what is shared with the context. */
#include "ui/area-context.h"

#define CONTEXT "gantry-context"
#define PROGRAMS "gantry-programs"

static GdkGLContext *make_context(GtkGLArea *area, GdkSurface *surface, GError **error) {
  int major, minor;
  g_autoptr(GdkGLContext) context = gdk_surface_create_gl_context(surface, error);
  if (!context) return NULL;
  gtk_gl_area_get_required_version(area, &major, &minor);
  gdk_gl_context_set_required_version(context, major, minor);
  if (!gdk_gl_context_realize(context, error)) return NULL;
  g_object_set_data_full(G_OBJECT(context), PROGRAMS, g_new0(ctgl_slice_programs *, 1), g_free);
  return g_steal_pointer(&context);
}

static GdkGLContext *create_context(GtkGLArea *area, gpointer user) {
  GdkSurface *surface = gtk_native_get_surface(gtk_widget_get_native(GTK_WIDGET(area)));
  GdkGLContext *held = g_object_get_data(G_OBJECT(surface), CONTEXT);
  g_autoptr(GError) error = NULL;
  if (held) return g_object_ref(held);
  GdkGLContext *context = make_context(area, surface, &error);
  if (context)
    g_object_set_data_full(G_OBJECT(surface), CONTEXT, g_object_ref(context), g_object_unref);
  else
    gtk_gl_area_set_error(area, error);
  return context;
}

void gantry_area_context_share(GtkGLArea *area) {
  g_signal_connect(area, "create-context", G_CALLBACK(create_context), NULL);
}

ctgl_slice_programs **gantry_area_context_programs(GtkGLArea *area) {
  return g_object_get_data(G_OBJECT(gtk_gl_area_get_context(area)), PROGRAMS);
}
