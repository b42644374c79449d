/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While it plays, the next view is asked for when the one before is on screen. */
#include "ui/growth/page.h"

#include "ui/check.h"
#include "ui/growth/words.h"
#include "ui/picture.h"
#include "ui/plot/plot.h"
#include "ui/tab.h"
#include "ui/tips.h"

#include <math.h>

struct _GantryGrowthPage {
  GtkBox parent_instance;
  GantryDisplay *display;
  GantryPicture *sum, *last;
  GantryPlot *plot;
  GtkRange *count;
  GtkToggleButton *play;
  GtkDropDown *order, *speed;
  GtkCheckButton *filtered, *as_final, *iterations;
  GtkLabel *reading;
  GtkWidget *bar, *choices, *pictures;
  GantryGrowthReport *report; /* NULL: none */
  guint timer;
  gboolean showing, waiting; /* for the answer to the last wish */
  gboolean wants_focus;      /* of its first control, once that is sensitive */
};

G_DEFINE_FINAL_TYPE(GantryGrowthPage, gantry_growth_page, GTK_TYPE_BOX)

enum { WANTED, VIEW_SHOWN, SIGNALS };
static guint signals[SIGNALS];

/* Views a second. */
static const int speeds[] = {1, 2, 5, 10, 25};
static const char *const speed_titles[] = {"1 a second",  "2 a second",  "5 a second",
                                           "10 a second", "25 a second", NULL};
static const ct_view_order orders[] = {CT_ORDER_SEQUENTIAL, CT_ORDER_MULTILEVEL, CT_ORDER_RANDOM, CT_ORDER_GOLDEN};
static const char *const order_titles[] = {"In order of angle", "Spread over the arc", "At random",
                                           "By the golden angle", NULL};
enum { FIRST_SPEED = 3 };

static void stop(GantryGrowthPage *self) {
  g_clear_handle_id(&self->timer, g_source_remove);
}

static void gantry_growth_page_dispose(GObject *object) {
  GantryGrowthPage *self = GANTRY_GROWTH_PAGE(object);
  stop(self);
  if (self->display) g_signal_handlers_disconnect_by_data(self->display, self);
  g_clear_object(&self->display);
  G_OBJECT_CLASS(gantry_growth_page_parent_class)->dispose(object);
}

static void gantry_growth_page_finalize(GObject *object) {
  gantry_growth_report_free(GANTRY_GROWTH_PAGE(object)->report);
  G_OBJECT_CLASS(gantry_growth_page_parent_class)->finalize(object);
}

static void gantry_growth_page_class_init(GantryGrowthPageClass *klass) {
  G_OBJECT_CLASS(klass)->dispose = gantry_growth_page_dispose;
  G_OBJECT_CLASS(klass)->finalize = gantry_growth_page_finalize;
  signals[WANTED] =
      g_signal_new("wanted", GANTRY_TYPE_GROWTH_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[VIEW_SHOWN] = g_signal_new("view-shown", GANTRY_TYPE_GROWTH_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_INT);
}

static void gantry_growth_page_init(GantryGrowthPage *self) {}

/* Showing */

static gboolean is_as_final(GantryGrowthPage *self) {
  return gtk_check_button_get_active(self->as_final);
}

/* With a window of its own, or in that of the slices. */
static void show_picture(GantryGrowthPage *self, GantryPicture *picture, const GantryImage *image) {
  double grey[2];
  if (is_as_final(self))
    gantry_display_get_window(self->display, &grey[0], &grey[1]);
  else
    gantry_image_get_grey(image, grey);
  gantry_picture_set(picture, image, grey[0], grey[1], NULL);
}

static void show_pictures(GantryGrowthPage *self) {
  const GantryGrowthReport *r = self->report;
  if (!r || !r->sum) return;
  g_autofree char *sum = gantry_growth_dup_sum(r), *last = gantry_growth_dup_last(r);
  show_picture(self, self->sum, r->sum);
  if (r->iterates && !r->has_change)
    gantry_picture_set(self->last, NULL, 0, 1, "What the first iteration kept has changed is not known.");
  else
    show_picture(self, self->last, r->last);
  gantry_picture_set_caption(self->sum, sum);
  gantry_picture_set_caption(self->last, last);
}

static void show_reading(GantryGrowthPage *self) {
  if (!self->report || !self->report->sum) return;
  const ct_sum_kind kind = is_as_final(self) ? CT_SUM_PLAIN : CT_SUM_SCALED;
  g_autofree char *text = gantry_growth_dup_reading(self->report, kind, self->display),
                  *whole = g_strdup_printf("%s (%s)", text, gantry_display_value_unit(self->display));
  gtk_label_set_text(self->reading, text);
  gantry_tips_set(GTK_WIDGET(self->reading), whole);
}

static void show_curve(GantryGrowthPage *self) {
  const GantryGrowthReport *r = self->report;
  gantry_plot_clear(self->plot);
  gantry_plot_set_mark(self->plot, NAN, NULL);
  if (!r || !r->point_count) return;
  const ct_sum_kind kind = is_as_final(self) ? CT_SUM_PLAIN : CT_SUM_SCALED;
  const gsize count = (gsize)r->point_count;
  const int all = r->iterates ? r->points[count - 1].count : r->views;
  g_autofree double *x = g_new(double, count), *final = g_new(double, count), *truth = g_new(double, count);
  for (gsize i = 0; i < count; i++) {
    x[i] = r->points[i].count;
    /* Of all nothing but rounding is left, which would make most of a logarithmic scale. */
    final[i] = r->points[i].count < all ? gantry_display_difference(self->display, r->points[i].from_final[kind]) : NAN;
    truth[i] = gantry_display_difference(self->display, r->points[i].from_truth[kind]);
  }
  gantry_plot_set_axes(self->plot,
                       r->iterates     ? "Iterations"
                       : r->directions ? "Directions"
                                       : "Views",
                       "", "RMSE", gantry_display_value_unit(self->display));
  gantry_plot_set_scales(self->plot, GANTRY_SCALE_LINEAR, GANTRY_SCALE_LOG);
  gantry_plot_set_extent(self->plot, 0, all);
  gantry_plot_set_curve(self->plot, GANTRY_CURVE_A, r->iterates ? "last" : "all", x, final, count);
  if (r->has_truth)
    gantry_plot_set_curve(self->plot, GANTRY_CURVE_B, r->against_reference ? "B" : "truth", x, truth, count);
  const int n = r->iterates ? r->view : (int)gtk_range_get_value(self->count);
  g_autofree char *label = g_strdup_printf("%d", n);
  gantry_plot_set_mark(self->plot, n, label);
}

static void show_all(GantryGrowthPage *self) {
  show_pictures(self);
  show_reading(self);
  show_curve(self);
}

/* Views have an order and a filter, iterations have neither. */
static void show_controls(GantryGrowthPage *self) {
  const gboolean iterates = self->report && self->report->iterates;
  gtk_widget_set_visible(GTK_WIDGET(self->iterations), self->report && self->report->has_iterations);
  gtk_widget_set_visible(GTK_WIDGET(self->order), !iterates);
  gtk_widget_set_visible(GTK_WIDGET(self->filtered), !iterates);
  gtk_widget_set_sensitive(GTK_WIDGET(self->filtered), !self->report || !self->report->no_filter);
}

/* A new curve does not take the pictures away. */
static void keep_pictures(GantryGrowthReport *report, GantryGrowthReport *before) {
  if (report->sum || !before) return;
  report->count = before->count;
  report->view = before->view;
  report->angle = before->angle;
  report->scale = before->scale;
  report->point = before->point;
  report->sum = g_steal_pointer(&before->sum);
  report->last = g_steal_pointer(&before->last);
  report->adds_nothing = before->adds_nothing;
  report->rest_add_nothing = before->rest_add_nothing;
}

/* Whatever their number becomes, as with another scan, all stay all. */
static gboolean shows_all(GantryGrowthPage *self) {
  return !self->report || gtk_range_get_value(self->count) >= self->report->views;
}

void gantry_growth_page_take(GantryGrowthPage *self, GantryGrowthReport *report, const char *instead) {
  const gboolean pictures = report && report->count > 0, all = shows_all(self);
  if (report) keep_pictures(report, self->report);
  gantry_growth_report_free(self->report);
  self->report = report;
  gtk_widget_set_sensitive(self->bar, report != NULL);
  gtk_widget_set_sensitive(self->choices, report != NULL);
  /* What is said in place of a report has the whole page. */
  gtk_widget_set_visible(self->choices, report != NULL);
  gtk_widget_set_visible(self->pictures, report != NULL);
  if (!report) {
    gantry_growth_page_play(self, FALSE);
    gantry_picture_set(self->sum, NULL, 0, 1, "");
    gantry_picture_set(self->last, NULL, 0, 1, "");
    gantry_picture_set_caption(self->sum, "");
    gantry_picture_set_caption(self->last, "");
    gtk_label_set_text(self->reading, "");
    gantry_plot_set_empty_text(self->plot, instead ? instead : "");
    show_curve(self);
    return;
  }
  gantry_plot_set_empty_text(self->plot,
                             report->views > 1 ? "" : "One alone is the slice of all: the curve begins with two.");
  show_controls(self);
  if (self->wants_focus) gantry_tab_enter(GTK_WIDGET(self), self->choices);
  self->wants_focus = FALSE;
  if (pictures) {
    self->waiting = FALSE;
    self->showing = TRUE;
    gtk_range_set_range(self->count, 1, MAX(report->views, 2));
    if (all || report->wish.count_is_of_them != report->iterates) gtk_range_set_value(self->count, report->count);
    self->showing = FALSE;
  }
  if (pictures)
    show_all(self);
  else
    show_curve(self);
  if (pictures && !report->iterates) g_signal_emit(self, signals[VIEW_SHOWN], 0, report->view);
}

void gantry_growth_page_get_wish(GantryGrowthPage *self, GantryGrowthWish *wish) {
  *wish = (GantryGrowthWish){.count = shows_all(self) ? 0 : (int)gtk_range_get_value(self->count),
                             .order = orders[MIN(gtk_drop_down_get_selected(self->order), G_N_ELEMENTS(orders) - 1)],
                             .filtered = gtk_check_button_get_active(self->filtered),
                             .iterations = gtk_check_button_get_active(self->iterations),
                             .count_is_of_them = self->report && self->report->iterates};
}

void gantry_growth_page_focus(GantryGrowthPage *self) {
  self->wants_focus = !self->report;
  gantry_tab_begin(self->report ? self->choices : GTK_WIDGET(self));
}

/* The player */

static void want(GantryGrowthPage *self) {
  if (self->showing) return;
  self->waiting = TRUE;
  g_signal_emit(self, signals[WANTED], 0);
}

void gantry_growth_page_step(GantryGrowthPage *self, int views) {
  if (!self->report) return;
  gtk_range_set_value(self->count, gtk_range_get_value(self->count) + views);
}

static gboolean tick(gpointer user) {
  GantryGrowthPage *self = user;
  if (self->waiting || !self->report) return G_SOURCE_CONTINUE;
  if ((int)gtk_range_get_value(self->count) >= self->report->views) {
    self->timer = 0;
    gtk_toggle_button_set_active(self->play, FALSE);
    return G_SOURCE_REMOVE;
  }
  gantry_growth_page_step(self, 1);
  return G_SOURCE_CONTINUE;
}

static void set_timer(GantryGrowthPage *self) {
  stop(self);
  const guint chosen = gtk_drop_down_get_selected(self->speed);
  if (gtk_toggle_button_get_active(self->play) && chosen < G_N_ELEMENTS(speeds))
    self->timer = g_timeout_add(1000 / (guint)speeds[chosen], tick, self);
}

/* From the end it begins again. */
static void play_toggled(GantryGrowthPage *self) {
  const gboolean plays = gtk_toggle_button_get_active(self->play);
  gtk_button_set_icon_name(GTK_BUTTON(self->play),
                           plays ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  if (plays && self->report && (int)gtk_range_get_value(self->count) >= self->report->views)
    gtk_range_set_value(self->count, 1);
  set_timer(self);
}

void gantry_growth_page_play(GantryGrowthPage *self, gboolean play) {
  gtk_toggle_button_set_active(self->play, play);
}

void gantry_growth_page_toggle(GantryGrowthPage *self) {
  if (self->report) gantry_growth_page_play(self, !gtk_toggle_button_get_active(self->play));
}

static void step_clicked(GantryGrowthPage *self) {
  gantry_growth_page_step(self, 1);
}

static void back_clicked(GantryGrowthPage *self) {
  gantry_growth_page_step(self, -1);
}

/* Of iterations that are not kept the nearest that is. */
static int nearest_kept(const GantryGrowthReport *report, double iteration) {
  int best = 0;
  for (int i = 1; i < report->point_count; i++)
    if (fabs(report->points[i].count - iteration) < fabs(report->points[best].count - iteration)) best = i;
  return best + 1;
}

static void plot_clicked(GantryPlot *plot, double x, GantryGrowthPage *self) {
  const GantryGrowthReport *r = self->report;
  if (r) gtk_range_set_value(self->count, r->iterates ? nearest_kept(r, x) : CLAMP(round(x), 1, r->views));
}

/* Making */

static void add_button(GantryGrowthPage *self, GtkWidget *button, const char *icon, const char *text, const char *tip) {
  gtk_button_set_icon_name(GTK_BUTTON(button), icon);
  gtk_widget_add_css_class(button, "flat");
  gantry_tips_name(button, text, tip);
  gtk_box_append(GTK_BOX(self->bar), button);
}

static GtkDropDown *add_drop_down(GantryGrowthPage *self, const char *const *titles, guint first, const char *text,
                                  const char *tip, GCallback changed) {
  GtkWidget *widget = gtk_drop_down_new_from_strings(titles);
  gtk_drop_down_set_selected(GTK_DROP_DOWN(widget), first);
  gantry_tips_name(widget, text, tip);
  gtk_widget_add_css_class(widget, "compact");
  gtk_box_append(GTK_BOX(self->choices), widget);
  g_signal_connect_swapped(widget, "notify::selected", changed, self);
  return GTK_DROP_DOWN(widget);
}

static GtkCheckButton *add_check(GantryGrowthPage *self, const char *label, const char *tip, gboolean active,
                                 GCallback toggled) {
  GtkWidget *check = gantry_check_new();
  gtk_check_button_set_label(GTK_CHECK_BUTTON(check), label);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(check), active);
  gantry_tips_name(check, label, tip);
  gtk_box_append(GTK_BOX(self->choices), check);
  g_signal_connect_swapped(check, "toggled", toggled, self);
  return GTK_CHECK_BUTTON(check);
}

static void fill_bar(GantryGrowthPage *self) {
  GtkWidget *back = gtk_button_new(), *play = gtk_toggle_button_new(), *step = gtk_button_new(),
            *count = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 1, 2, 1);
  self->play = GTK_TOGGLE_BUTTON(play);
  self->count = GTK_RANGE(count);
  add_button(self, back, "media-skip-backward-symbolic", "One View Back", "Take the last view or iteration away again");
  add_button(self, play, "media-playback-start-symbolic", "Play the Views",
             "Add one view or iteration after the other");
  add_button(self, step, "media-skip-forward-symbolic", "One View Forward", "Add the next view or iteration");
  gtk_widget_set_hexpand(count, TRUE);
  gantry_tips_name(count, "Number of views",
                   "Views that are added up, or slices kept of iterations, from 1 to all of them");
  gtk_box_append(GTK_BOX(self->bar), count);
  g_signal_connect_swapped(back, "clicked", G_CALLBACK(back_clicked), self);
  g_signal_connect_swapped(step, "clicked", G_CALLBACK(step_clicked), self);
  g_signal_connect_swapped(play, "toggled", G_CALLBACK(play_toggled), self);
  g_signal_connect_swapped(count, "value-changed", G_CALLBACK(want), self);
}

static void fill_choices(GantryGrowthPage *self) {
  self->speed = add_drop_down(self, speed_titles, FIRST_SPEED, "Speed",
                              "Views or iterations a second while it plays, 1 to 25", G_CALLBACK(set_timer));
  self->order = add_drop_down(self, order_titles, 0, "Order of views",
                              "Spread: any first views lie all over the arc. At random: shuffled, the same each time",
                              G_CALLBACK(want));
  self->filtered = add_check(self, "Filtered",
                             "Off: views are smeared back as they were measured, without the ramp. Grey: the "
                             "plan has no filter",
                             TRUE, G_CALLBACK(want));
  self->iterations = add_check(self, "Iterations",
                               "The volume as it was after each iteration, of the slice that was on screen. Off: its "
                               "slice by direct reconstruction, view by view",
                               TRUE, G_CALLBACK(want));
  self->as_final = add_check(self, "As the final",
                             "The plain sum, or the iteration, in the grey window of the slices. Off: as if these "
                             "views were all, each picture in a grey window of its own",
                             FALSE, G_CALLBACK(show_all));
}

static GtkWidget *make_right(GantryGrowthPage *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *plot = gantry_plot_new(), *reading = gtk_label_new("");
  self->plot = GANTRY_PLOT(plot);
  self->reading = GTK_LABEL(reading);
  gtk_widget_set_hexpand(plot, TRUE);
  gtk_widget_set_vexpand(plot, TRUE);
  gtk_label_set_xalign(self->reading, 0);
  gtk_label_set_ellipsize(self->reading, PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap(self->reading, TRUE);
  gtk_label_set_lines(self->reading, 2);
  gtk_widget_add_css_class(reading, "caption");
  gtk_widget_add_css_class(reading, "numeric");
  self->bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  fill_bar(self);
  gtk_box_append(GTK_BOX(box), self->bar);
  gtk_box_append(GTK_BOX(box), plot);
  gtk_box_append(GTK_BOX(box), reading);
  g_signal_connect(plot, "clicked", G_CALLBACK(plot_clicked), self);
  g_signal_connect(plot, "mark-dragged", G_CALLBACK(plot_clicked), self);
  return box;
}

/* As wide as a window of 1024 pixels allows beside the side panel. */
static GtkWidget *make_picture(GantryPicture **picture, const char *text) {
  GtkWidget *widget = gantry_picture_new(text);
  gtk_widget_set_size_request(widget, 132, -1);
  *picture = GANTRY_PICTURE(widget);
  gantry_picture_set_widths(*picture, 0, 190);
  gtk_widget_set_hexpand(widget, TRUE);
  gtk_widget_set_vexpand(widget, TRUE);
  return widget;
}

/* The pictures have the page's whole height: they are what one looks at. */
GtkWidget *gantry_growth_page_new(GantryDisplay *display) {
  GantryGrowthPage *self = g_object_new(GANTRY_TYPE_GROWTH_PAGE, "spacing", 12, NULL);
  self->pictures = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->display = g_object_ref(display);
  self->choices = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
  gtk_widget_set_size_request(self->choices, 150, -1);
  gtk_widget_add_css_class(GTK_WIDGET(self), "growth-page");
  fill_choices(self);
  gtk_box_set_homogeneous(GTK_BOX(self->pictures), TRUE);
  gtk_box_append(GTK_BOX(self->pictures), make_picture(&self->sum, "The slice of the views so far"));
  gtk_box_append(GTK_BOX(self->pictures), make_picture(&self->last, "What the last view added"));
  gtk_box_append(GTK_BOX(self), self->pictures);
  gtk_box_append(GTK_BOX(self), self->choices);
  gtk_box_append(GTK_BOX(self), make_right(self));
  g_signal_connect_swapped(display, "values-changed", G_CALLBACK(show_all), self);
  return GTK_WIDGET(self);
}
