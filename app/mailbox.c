/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures under a lock, one idle. The engine's thread never waits for the screen: while the last pictures have not
 * been fetched it makes no new ones. */
#include "app/mailbox.h"

#include <string.h>

/* Microseconds between publications: nobody sees more, and drawing takes time from the reconstruction. */
#define PUBLISH_INTERVAL 33000
/* The same of the volume as a whole, which takes longer: at most a tenth of the time goes into it. */
#define SOLID_INTERVAL 500000
#define SOLID_SHARE 10

struct _GantryMailbox {
  gint references;
  GMutex lock;
  GMainContext *context;
  void (*arrived)(gpointer data);
  gpointer data;
  gboolean armed;
  GantryWanted wanted;
  GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS];
  gboolean has_grid;
  ct_grid grid;
  guint64 grid_generation;
  GantrySolid *solid; /* NULL: fetched */
  guint64 solid_generation;
  ct_iteration *curve; /* NULL: fetched */
  gsize curve_count;
  guint run;
};

GantryMailbox *gantry_mailbox_new(void (*arrived)(gpointer data), gpointer data) {
  GantryMailbox *mailbox = g_new0(GantryMailbox, 1);
  mailbox->references = 1;
  g_mutex_init(&mailbox->lock);
  mailbox->context = g_main_context_ref_thread_default();
  mailbox->arrived = arrived;
  mailbox->data = data;
  mailbox->wanted.centred = TRUE;
  return mailbox;
}

GantryMailbox *gantry_mailbox_ref(GantryMailbox *mailbox) {
  g_atomic_int_inc(&mailbox->references);
  return mailbox;
}

/* Lock held. */
static void empty(GantryMailbox *mailbox) {
  for (int side = 0; side < GANTRY_SIDES; side++)
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) g_clear_pointer(&mailbox->images[side][kind], gantry_image_unref);
  g_clear_pointer(&mailbox->curve, g_free);
  g_clear_pointer(&mailbox->solid, gantry_solid_unref);
}

void gantry_mailbox_unref(GantryMailbox *mailbox) {
  if (!mailbox || !g_atomic_int_dec_and_test(&mailbox->references)) return;
  empty(mailbox);
  g_mutex_clear(&mailbox->lock);
  g_main_context_unref(mailbox->context);
  g_free(mailbox);
}

void gantry_mailbox_close(GantryMailbox *mailbox) {
  g_mutex_lock(&mailbox->lock);
  mailbox->arrived = NULL;
  mailbox->data = NULL;
  empty(mailbox);
  g_mutex_unlock(&mailbox->lock);
}

void gantry_mailbox_set_wanted(GantryMailbox *mailbox, const GantryWanted *wanted) {
  g_mutex_lock(&mailbox->lock);
  mailbox->wanted = *wanted;
  g_mutex_unlock(&mailbox->lock);
}

void gantry_mailbox_get_wanted(GantryMailbox *mailbox, GantryWanted *wanted) {
  g_mutex_lock(&mailbox->lock);
  *wanted = mailbox->wanted;
  g_mutex_unlock(&mailbox->lock);
}

static gboolean deliver(gpointer data) {
  GantryMailbox *mailbox = data;
  g_mutex_lock(&mailbox->lock);
  mailbox->armed = FALSE;
  /* arrived is only changed by close, in this very thread, so it can be called without the lock. */
  void (*arrived)(gpointer) = mailbox->arrived;
  gpointer user = mailbox->data;
  g_mutex_unlock(&mailbox->lock);
  if (arrived) arrived(user);
  return G_SOURCE_REMOVE;
}

static void unref_mailbox(gpointer data) {
  gantry_mailbox_unref(data);
}

/* Lock held. */
static void arm(GantryMailbox *mailbox) {
  if (mailbox->armed) return;
  mailbox->armed = TRUE;
  GSource *source = g_idle_source_new();
  g_source_set_priority(source, G_PRIORITY_DEFAULT_IDLE);
  g_source_set_callback(source, deliver, gantry_mailbox_ref(mailbox), unref_mailbox);
  g_source_attach(source, mailbox->context);
  g_source_unref(source);
}

void gantry_mailbox_post_solid(GantryMailbox *mailbox, GantrySolid *solid, guint64 generation) {
  g_mutex_lock(&mailbox->lock);
  GantrySolid *old = solid;
  if (mailbox->arrived) {
    old = mailbox->solid;
    mailbox->solid = solid;
    mailbox->solid_generation = generation;
    arm(mailbox);
  }
  g_mutex_unlock(&mailbox->lock);
  if (old) gantry_solid_unref(old);
}

GantrySolid *gantry_mailbox_take_solid(GantryMailbox *mailbox, guint64 *generation) {
  g_mutex_lock(&mailbox->lock);
  GantrySolid *solid = g_steal_pointer(&mailbox->solid);
  *generation = mailbox->solid_generation;
  g_mutex_unlock(&mailbox->lock);
  return solid;
}

void gantry_mailbox_post_views(GantryMailbox *mailbox, GantrySide side, GantryImage *images[GANTRY_VIEWS],
                               const ct_grid *grid) {
  /* Its window is fitted to all of it as soon as it arrives. */
  if (images[GANTRY_VIEW_PROJECTION]) gantry_image_find_grey(images[GANTRY_VIEW_PROJECTION]);
  g_mutex_lock(&mailbox->lock);
  for (int kind = 0; mailbox->arrived && kind < GANTRY_VIEWS; kind++) {
    if (!images[kind]) continue;
    GantryImage *image = images[kind];
    images[kind] = mailbox->images[side][kind];
    mailbox->images[side][kind] = image;
    if (grid && kind != GANTRY_VIEW_PROJECTION) {
      mailbox->grid = *grid;
      mailbox->grid_generation = image->generation;
      mailbox->has_grid = TRUE;
    }
    arm(mailbox);
  }
  g_mutex_unlock(&mailbox->lock);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) g_clear_pointer(&images[kind], gantry_image_unref);
}

void gantry_mailbox_post(GantryMailbox *mailbox, GantrySide side, GantryImage *image, const ct_grid *grid) {
  GantryImage *images[GANTRY_VIEWS] = {0};
  images[image->kind] = image;
  gantry_mailbox_post_views(mailbox, side, images, grid);
}

gboolean gantry_mailbox_take(GantryMailbox *mailbox, GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS], ct_grid *grid,
                             guint64 *generation) {
  g_mutex_lock(&mailbox->lock);
  memcpy(images, mailbox->images, sizeof mailbox->images);
  memset(mailbox->images, 0, sizeof mailbox->images);
  const gboolean has_grid = mailbox->has_grid;
  if (has_grid) {
    *grid = mailbox->grid;
    *generation = mailbox->grid_generation;
  }
  mailbox->has_grid = FALSE;
  g_mutex_unlock(&mailbox->lock);
  return has_grid;
}

void gantry_mailbox_post_curve(GantryMailbox *mailbox, guint run, const ct_iteration *points, gsize count) {
  ct_iteration *copy = g_memdup2(points, count * sizeof *points), *old = copy;
  g_mutex_lock(&mailbox->lock);
  if (mailbox->arrived) {
    old = mailbox->curve;
    mailbox->curve = copy;
    mailbox->curve_count = count;
    mailbox->run = run;
    arm(mailbox);
  }
  g_mutex_unlock(&mailbox->lock);
  g_free(old);
}

ct_iteration *gantry_mailbox_take_curve(GantryMailbox *mailbox, guint *run, gsize *count) {
  g_mutex_lock(&mailbox->lock);
  ct_iteration *curve = g_steal_pointer(&mailbox->curve);
  *count = mailbox->curve_count;
  *run = mailbox->run;
  g_mutex_unlock(&mailbox->lock);
  return curve;
}

static gboolean fetched(GantryMailbox *mailbox) {
  g_mutex_lock(&mailbox->lock);
  const gboolean result = !mailbox->armed;
  g_mutex_unlock(&mailbox->lock);
  return result;
}

static GantryImage *read_projection(GantryPublication *publication, const GantryWanted *wanted) {
  GantryWanted *posted = &publication->posted;
  if (!wanted->projection || !publication->pipeline) return NULL;
  if (posted->projection && posted->sinogram == wanted->sinogram &&
      posted->projection_index == wanted->projection_index && posted->values == wanted->values &&
      posted->redundancy == wanted->redundancy)
    return NULL;
  GantryImage *image =
      gantry_projection_picture(publication->pipeline, publication->plan, wanted, publication->redundancy);
  if (image) *posted = *wanted;
  return image;
}

/* A plane that cannot be read now is left out, here and below: the picture on screen stays, and the run's own error
 * tells why. */
static GantryImage *read_oblique(const GantryWanted *wanted, const ct_partial *partial) {
  ct_oblique oblique;
  const ct_grid *grid = ct_partial_grid(partial);
  if (!gantry_wanted_oblique(wanted, grid, &oblique)) return NULL;
  g_autoptr(GantryImage) image = gantry_oblique_new(wanted, &oblique, grid, wanted->generation);
  return image && ct_partial_read_oblique(partial, &oblique, image->pixels, NULL) ? g_steal_pointer(&image) : NULL;
}

static GantryImage *read_plane(const GantryWanted *wanted, const ct_partial *partial, ct_plane plane) {
  const ct_grid *grid = ct_partial_grid(partial);
  const int index = gantry_wanted_index(wanted, grid, plane);
  g_autoptr(GantryImage) image = gantry_image_new_for_plane(grid, plane, index);
  if (!image) return NULL;
  image->generation = wanted->generation;
  return ct_partial_read_plane(partial, plane, index, image->pixels, NULL) ? g_steal_pointer(&image) : NULL;
}

static gboolean read_slice(gpointer partial, int z, float *slice) {
  return ct_partial_read_plane(partial, CT_AXIAL, z, slice, NULL);
}

static void publish_solid(GantryPublication *publication, const GantryWanted *wanted, const ct_partial *partial) {
  const gint64 now = g_get_monotonic_time();
  if (!wanted->solid || now - publication->last_solid < MAX(SOLID_INTERVAL, SOLID_SHARE * publication->solid_cost))
    return;
  GantrySolid *solid =
      gantry_solid_new_from_slices(ct_partial_grid(partial), GANTRY_SOLID_SIDE_COARSE, read_slice, (gpointer)partial);
  publication->last_solid = g_get_monotonic_time();
  publication->solid_cost = publication->last_solid - now;
  if (solid) gantry_mailbox_post_solid(publication->mailbox, solid, wanted->generation);
}

/* The slice on screen when the first of them came: the crosshair may move meanwhile. */
static void keep_iteration(GantryPublication *publication, const ct_partial *partial) {
  size_t points;
  const ct_iteration *curve = ct_partial_curve(partial, &points);
  if (!publication->kept || !curve || !points) return;
  const int iteration = curve[points - 1].index;
  if (!gantry_kept_iterations_lacks(publication->kept, iteration)) return;
  GantryWanted wanted;
  gantry_mailbox_get_wanted(publication->mailbox, &wanted);
  const ct_grid *grid = ct_partial_grid(partial);
  const int index = gantry_kept_iterations_choose(publication->kept, gantry_wanted_index(&wanted, grid, CT_AXIAL));
  const ct_grid slice = ct_grid_plane(grid, CT_AXIAL, index);
  g_autoptr(GantryImage) image = gantry_image_new_for_plane(grid, CT_AXIAL, index);
  if (image && ct_partial_read_plane(partial, CT_AXIAL, index, image->pixels, NULL))
    gantry_kept_iterations_add(publication->kept, iteration, g_steal_pointer(&image), &slice);
}

static void publish(void *user, const ct_partial *partial) {
  GantryPublication *publication = user;
  GantryMailbox *mailbox = publication->mailbox;
  publication->views_done = ct_partial_views_done(partial);
  keep_iteration(publication, partial);
  const gint64 now = g_get_monotonic_time();
  if (!ct_partial_is_asked_for(partial) && (now - publication->last_time < PUBLISH_INTERVAL || !fetched(mailbox)))
    return;
  publication->last_time = now;
  GantryWanted wanted;
  gantry_mailbox_get_wanted(mailbox, &wanted);
  publish_solid(publication, &wanted, partial);
  /* All of one state comes on screen at once. */
  GantryImage *images[GANTRY_VIEWS] = {0};
  for (int plane = 0; plane < GANTRY_PLANES; plane++) images[plane] = read_plane(&wanted, partial, (ct_plane)plane);
  images[GANTRY_VIEW_OBLIQUE] = read_oblique(&wanted, partial);
  images[GANTRY_VIEW_PROJECTION] = read_projection(publication, &wanted);
  size_t points;
  const ct_iteration *curve = ct_partial_curve(partial, &points);
  if (curve && points) gantry_mailbox_post_curve(mailbox, publication->run, curve, points);
  gantry_mailbox_post_views(mailbox, GANTRY_A, images, ct_partial_grid(partial));
}

ct_publisher gantry_mailbox_publisher(GantryPublication *publication) {
  return (ct_publisher){.user = publication, .publish = publish};
}
