/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A texture and a label, laid out by hand. */
#include "ui/picture.h"

#include "ui/shelf/thumbnail.h"

struct _GantryPicture {
  GtkWidget parent_instance;
  GdkTexture *texture; /* NULL: none; of this image in this window: */
  GantryImage *image;
  double low, high;
  double left, lower, width, height; /* mm, of the texture's edges */
  GtkLabel *caption, *instead;
  GantryPictureOverlay overlay;
  gpointer user;
  int wished, least; /* widths; 0: as all */
};

G_DEFINE_FINAL_TYPE(GantryPicture, gantry_picture, GTK_TYPE_WIDGET)

enum { LEAST = 120 };

static void gantry_picture_dispose(GObject *object) {
  GantryPicture *self = GANTRY_PICTURE(object);
  GtkWidget *child;
  g_clear_object(&self->texture);
  g_clear_pointer(&self->image, gantry_image_unref);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_picture_parent_class)->dispose(object);
}

static int caption_height(GantryPicture *self) {
  int least, natural;
  gtk_widget_measure(GTK_WIDGET(self->caption), GTK_ORIENTATION_VERTICAL, -1, &least, &natural, NULL, NULL);
  return natural;
}

static void gantry_picture_measure(GtkWidget *widget, GtkOrientation orientation, int size, int *least, int *natural,
                                   int *baseline, int *natural_baseline) {
  const int caption = orientation == GTK_ORIENTATION_VERTICAL ? caption_height(GANTRY_PICTURE(widget)) : 0;
  *least = LEAST;
  const int wished = orientation == GTK_ORIENTATION_HORIZONTAL ? GANTRY_PICTURE(widget)->wished : 0;
  *natural = MAX(MAX(LEAST, wished), size > 0 ? size : LEAST) + caption;
  *least = MIN(*least, *natural);
  if (orientation == GTK_ORIENTATION_HORIZONTAL && GANTRY_PICTURE(widget)->least)
    *least = GANTRY_PICTURE(widget)->least;
}

static void gantry_picture_size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  GantryPicture *self = GANTRY_PICTURE(widget);
  const int caption = caption_height(self);
  gtk_widget_size_allocate(GTK_WIDGET(self->caption), &(GtkAllocation){0, height - caption, width, caption}, -1);
  gtk_widget_size_allocate(GTK_WIDGET(self->instead), &(GtkAllocation){0, 0, width, MAX(height - caption, 1)}, -1);
}

/* The texture's place in the widget. */
static void place(GantryPicture *self, graphene_rect_t *rect) {
  const double room_x = gtk_widget_get_width(GTK_WIDGET(self)),
               room_y = gtk_widget_get_height(GTK_WIDGET(self)) - caption_height(self);
  const double scale = MIN(room_x / self->width, room_y / self->height);
  const double width = scale * self->width, height = scale * self->height;
  graphene_rect_init(rect, (float)((room_x - width) / 2), (float)((room_y - height) / 2), (float)width, (float)height);
}

static void gantry_picture_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
  GantryPicture *self = GANTRY_PICTURE(widget);
  const float width = (float)gtk_widget_get_width(widget),
              height = (float)(gtk_widget_get_height(widget) - caption_height(self));
  graphene_rect_t all, rect;
  graphene_rect_init(&all, 0, 0, width, height);
  if (self->texture && width > 0 && height > 0) {
    gtk_snapshot_append_color(snapshot, &(GdkRGBA){0, 0, 0, 1}, &all);
    place(self, &rect);
    gtk_snapshot_append_texture(snapshot, self->texture, &rect);
    if (self->overlay) {
      cairo_t *cr = gtk_snapshot_append_cairo(snapshot, &rect);
      const double pixel = self->width / (double)rect.size.width;
      cairo_rectangle(cr, (double)rect.origin.x, (double)rect.origin.y, (double)rect.size.width,
                      (double)rect.size.height);
      cairo_clip(cr);
      cairo_translate(cr, (double)rect.origin.x, (double)(rect.origin.y + rect.size.height));
      cairo_scale(cr, 1 / pixel, -1 / pixel);
      cairo_translate(cr, -self->left, -self->lower);
      self->overlay(self->user, cr, pixel);
      cairo_destroy(cr);
    }
  }
  GTK_WIDGET_CLASS(gantry_picture_parent_class)->snapshot(widget, snapshot);
}

static void gantry_picture_class_init(GantryPictureClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);
  G_OBJECT_CLASS(klass)->dispose = gantry_picture_dispose;
  widget_class->measure = gantry_picture_measure;
  widget_class->size_allocate = gantry_picture_size_allocate;
  widget_class->snapshot = gantry_picture_snapshot;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void gantry_picture_init(GantryPicture *self) {
  self->caption = GTK_LABEL(gtk_label_new(""));
  self->instead = GTK_LABEL(gtk_label_new(""));
  gtk_label_set_ellipsize(self->caption, PANGO_ELLIPSIZE_END);
  gtk_label_set_justify(self->caption, GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class(GTK_WIDGET(self->caption), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->instead), "dim-label");
  gtk_label_set_wrap(self->instead, TRUE);
  gtk_label_set_wrap_mode(self->instead, PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_visible(GTK_WIDGET(self->caption), FALSE);
  gtk_label_set_justify(self->instead, GTK_JUSTIFY_CENTER);
  gtk_widget_set_parent(GTK_WIDGET(self->caption), GTK_WIDGET(self));
  gtk_widget_set_parent(GTK_WIDGET(self->instead), GTK_WIDGET(self));
}

GtkWidget *gantry_picture_new(const char *name) {
  GtkWidget *widget = g_object_new(GANTRY_TYPE_PICTURE, NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return widget;
}

void gantry_picture_set(GantryPicture *self, const GantryImage *image, double low, double high, const char *instead) {
  if (image && image == self->image && low == self->low && high == self->high) return;
  g_clear_object(&self->texture);
  g_clear_pointer(&self->image, gantry_image_unref);
  if (image) {
    self->image = gantry_image_ref((GantryImage *)image);
    self->low = low;
    self->high = high;
    self->texture = gantry_thumbnail_new(image, low, high, NULL);
    self->width = image->width * image->spacing_x;
    self->height = image->height * image->spacing_y;
    self->left = image->origin_x - image->spacing_x / 2;
    self->lower = image->origin_y - image->spacing_y / 2;
  }
  gtk_label_set_text(self->instead, image || !instead ? "" : instead);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

gboolean gantry_picture_find(GantryPicture *self, double x, double y, double *across, double *up) {
  graphene_rect_t rect;
  if (!self->texture) return FALSE;
  place(self, &rect);
  const double pixel = self->width / (double)rect.size.width;
  *across = self->left + pixel * (x - (double)rect.origin.x);
  *up = self->lower + pixel * ((double)(rect.origin.y + rect.size.height) - y);
  return graphene_rect_contains_point(&rect, &GRAPHENE_POINT_INIT((float)x, (float)y));
}

void gantry_picture_set_caption(GantryPicture *self, const char *text) {
  gtk_widget_set_visible(GTK_WIDGET(self->caption), TRUE);
  if (!g_str_equal(gtk_label_get_text(self->caption), text)) gtk_label_set_text(self->caption, text);
}

void gantry_picture_set_widths(GantryPicture *self, int least, int wished) {
  self->least = least;
  self->wished = wished;
  gtk_widget_queue_resize(GTK_WIDGET(self));
}

void gantry_picture_set_overlay(GantryPicture *self, GantryPictureOverlay overlay, gpointer user) {
  self->overlay = overlay;
  self->user = user;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
