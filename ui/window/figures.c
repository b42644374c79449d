/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn is that of the answer: views, grey window and crosshair as they are then. */
#include "ui/window/figures.h"

#include "ui/figure.h"
#include "ui/window/parts.h"

#include <adwaita.h>

struct _GantryFigures {
  GantryFiguresParts with;
};

/* Widths of a column and of a page of most journals. */
static const struct {
  const char *id, *title;
  double width; /* mm */
} sizes[] = {
    {"column", "One column, 85 mm", 85},
    {"middle", "One and a half columns, 120 mm", 120},
    {"page", "Width of a page, 175 mm", 175},
};

/* Collecting */

/* FALSE: there is nothing in it. */
static gboolean fill_panel(GantryFigures *self, GantryViewKind kind, GantryFigurePanel *panel) {
  GantrySliceView *view = gantry_quad_get_view(self->with.quad, kind);
  *panel = (GantryFigurePanel){.a = gantry_slice_view_get_image(view, CTGL_SLOT_A),
                               .b = gantry_slice_view_get_image(view, CTGL_SLOT_B),
                               .map = gantry_slice_view_get_image(view, CTGL_SLOT_MAP),
                               .mode = gantry_slice_view_get_mode(view)};
  if (!panel->a && panel->b) panel->a = panel->b;
  if (!panel->a || !gantry_slice_view_get_region(view, panel->region, &panel->pixel)) return FALSE;
  panel->title = gantry_slice_view_dup_heading(view);
  panel->step = gantry_slice_view_get_step(view);
  panel->cross = kind != GANTRY_VIEW_PROJECTION && gantry_display_get_show_crosshair(self->with.display) &&
                 gantry_slice_view_get_cross_place(view, &panel->cross_at);
  panel->profile = gantry_display_get_profile(self->with.display, &panel->from, &panel->to) == kind;
  return TRUE;
}

/* "A: volume 256³, 361 views" of the label that names it; NULL: it is empty. */
static char *side_text(GantryFigures *self, const char *part, const char *letter) {
  const char *text = gtk_label_get_text(gantry_window_part(self->with.window, part));
  return text && *text ? g_strdup_printf("%s: %s", letter, text) : NULL;
}

static char *dup_caption(GantryFigures *self, const GantryFigure *figure) {
  AdwWindowTitle *title = gantry_window_part(self->with.window, "title");
  const ctgl_mode mode = figure->panels[0].mode;
  g_autofree char *a = side_text(self, "title_a", "A"), *b = side_text(self, "title_b", "B");
  g_autoptr(GString) text = g_string_new(adw_window_title_get_title(title));
  if (a) g_string_append_printf(text, ". %s", a);
  if (b && ctgl_mode_needs_b(mode)) g_string_append_printf(text, ". %s", b);
  if (mode != CTGL_SHOW_A) g_string_append_printf(text, ". Shown: %s", ctgl_mode_get(mode)->label);
  g_string_append_c(text, '.');
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* As high as the highest panel needs. */
static double find_aspect(const GantryFigure *figure) {
  /* A sinogram takes what there is; alone, this. */
  double aspect = figure->count == 1 && figure->panels[0].a->sinogram ? 0.7 : 0;
  for (int i = 0; i < figure->count; i++) {
    const double *region = figure->panels[i].region;
    if (figure->panels[i].a->sinogram) continue;
    aspect = MAX(aspect, (region[3] - region[1]) / (region[2] - region[0]));
  }
  return CLAMP(aspect, 0.2, 1.6);
}

/* The fourth view is among them where it is a picture, not the scene. */
static void collect(GantryFigures *self, gboolean all, GantryFigure *figure) {
  const GantryFourthKind fourth = gantry_quad_get_fourth(self->with.quad);
  const GantryViewKind focused = gantry_quad_get_focused(self->with.quad);
  const GantryViewKind last = fourth == GANTRY_FOURTH_OBLIQUE ? GANTRY_VIEW_OBLIQUE : GANTRY_VIEW_PROJECTION;
  const gboolean flat = gantry_display_get_flat(self->with.display);
  *figure = (GantryFigure){.display = self->with.display};
  const GantryViewKind kinds[] = {GANTRY_VIEW_AXIAL, GANTRY_VIEW_CORONAL, GANTRY_VIEW_SAGITTAL, last};
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    const gboolean upright = kinds[i] == GANTRY_VIEW_CORONAL || kinds[i] == GANTRY_VIEW_SAGITTAL;
    const gboolean scene = kinds[i] == GANTRY_VIEW_PROJECTION && fourth == GANTRY_FOURTH_SCENE;
    if ((!all && kinds[i] != focused) || (flat && upright) || scene) continue;
    if (fill_panel(self, kinds[i], &figure->panels[figure->count])) figure->count++;
  }
  figure->aspect = find_aspect(figure);
  if (figure->count) figure->caption = dup_caption(self, figure);
}

/* Saving */

static void save(GantryFigures *self, const char *path, gboolean all, const char *size) {
  ct_error *error = NULL;
  GantryFigure figure;
  gboolean refused = FALSE;
  g_signal_emit_by_name(self->with.window, "refuses-output", path, &refused);
  if (refused) return;
  collect(self, all, &figure);
  figure.width = sizes[G_N_ELEMENTS(sizes) - 1].width;
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++)
    if (g_strcmp0(size, sizes[i].id) == 0) figure.width = sizes[i].width;
  if (!figure.count) {
    gantry_messages_show_error(self->with.messages, "There is no picture to make a figure of.");
  } else if (!gantry_figure_save(&figure, path, &error)) {
    gantry_messages_show_error(self->with.messages, error->message);
    ct_error_clear(&error);
  } else {
    g_autofree char *base = g_path_get_basename(path);
    g_autofree char *text = g_strdup_printf("The figure was saved as %s.", base);
    gantry_messages_toast(self->with.messages, GANTRY_ABOUT_FILE, text, NULL, NULL);
  }
  gantry_figure_clear(&figure);
}

static void answered(GtkNativeDialog *dialog, int response, GantryFigures *self) {
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
    g_autofree char *path = file ? g_file_get_path(file) : NULL;
    if (path)
      save(self, path, GPOINTER_TO_INT(g_object_get_data(G_OBJECT(dialog), "all")),
           gtk_file_chooser_get_choice(GTK_FILE_CHOOSER(dialog), "size"));
    else
      gantry_messages_show_error(self->with.messages,
                                 "A figure can only be saved to a folder of this computer. Choose another place.");
  }
  gtk_native_dialog_destroy(dialog);
  g_object_unref(dialog);
}

static void add_filter(GtkFileChooser *chooser, const char *name, const char *pattern) {
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
  gtk_file_filter_set_name(filter, name);
  gtk_file_filter_add_pattern(filter, pattern);
  gtk_file_chooser_add_filter(chooser, filter);
}

static void ask(GantryFigures *self, gboolean all) {
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new(all ? "Save a Figure of All Views" : "Save a Figure of the View",
                                  GTK_WINDOW(self->with.window), GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
  GtkFileChooser *chooser = GTK_FILE_CHOOSER(dialog);
  const char *ids[G_N_ELEMENTS(sizes) + 1] = {NULL}, *titles[G_N_ELEMENTS(sizes) + 1] = {NULL};
  /* The first is the one that is chosen: of all views the widest. */
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
    const gsize n = all ? G_N_ELEMENTS(sizes) - 1 - i : i;
    ids[i] = sizes[n].id, titles[i] = sizes[n].title;
  }
  g_object_set_data(G_OBJECT(dialog), "all", GINT_TO_POINTER(all));
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  add_filter(chooser, "PNG picture (.png)", "*.png");
  add_filter(chooser, "SVG drawing (.svg)", "*.svg");
  add_filter(chooser, "PDF drawing (.pdf)", "*.pdf");
  gtk_file_chooser_add_choice(chooser, "size", "Width", ids, titles);
  gtk_file_chooser_set_choice(chooser, "size", ids[0]);
  gtk_file_chooser_set_current_name(chooser, "figure.png");
  g_signal_connect(dialog, "response", G_CALLBACK(answered), self);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void save_figure(GSimpleAction *action, GVariant *value, gpointer user) {
  ask(user, FALSE);
}

static void save_figures(GSimpleAction *action, GVariant *value, gpointer user) {
  ask(user, TRUE);
}

GantryFigures *gantry_figures_new(const GantryFiguresParts *parts) {
  static const GActionEntry entries[] = {{.name = "save-figure", .activate = save_figure},
                                         {.name = "save-figures", .activate = save_figures}};
  GantryFigures *self = g_new(GantryFigures, 1);
  self->with = *parts;
  g_action_map_add_action_entries(G_ACTION_MAP(parts->window), entries, G_N_ELEMENTS(entries), self);
  return self;
}

void gantry_figures_free(GantryFigures *self) {
  g_free(self);
}
