/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Toasts, notices and errors of the window without an engine: which is on show, how it looks, what it covers. */
#include "tests/test.h"
#include "tests/ui/window-help.h"

#include "ui/slice-view/view-private.h"

/* What is no fault does not look like one, nor is it told as one to who does not see it. */
static void notices_are_no_errors(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gantry_window_show_error(window, "tooth.h5: a fault.");
  gantry_window_show_notice(window, "old.json is a plan.");
  gantry_window_offer_remedy(window, "Open Its _Scan", "Open it", "win.show-plots");
  CHECK(gtk_revealer_get_reveal_child(part(window, "message_below")) &&
        find_label_with(part(window, "message_banner"), "is a plan") &&
        find_label_with(part(window, "message_banner"), "Open Its Scan") &&
        !find_label_with(part(window, "message_banner"), "fault"));
  CHECK(gtk_widget_has_css_class(part(window, "message_banner"), "notice") &&
        !gtk_widget_has_css_class(part(window, "message_banner"), "fault"));
  CHECK(!strcmp(gtk_image_get_icon_name(part(window, "message_icon")), "dialog-information-symbolic"));
  CHECK(gtk_test_accessible_has_role(GTK_ACCESSIBLE(part(window, "notice_label")), GTK_ACCESSIBLE_ROLE_STATUS) &&
        gtk_test_accessible_has_role(GTK_ACCESSIBLE(part(window, "error_label")), GTK_ACCESSIBLE_ROLE_ALERT));
  gtk_test_accessible_assert_property(GTK_ACCESSIBLE(part(window, "message_icon")), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      "Notice");
  gtk_test_accessible_assert_property(GTK_ACCESSIBLE(part(window, "error_label")), GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  gantry_window_show_error(window, "tooth.h5: another fault.");
  CHECK(gtk_widget_has_css_class(part(window, "message_banner"), "fault") &&
        !gtk_widget_has_css_class(part(window, "message_banner"), "notice") &&
        !find_label_with(part(window, "message_banner"), "is a plan") &&
        !find_label_with(part(window, "message_banner"), "Open Its Scan"));
  gtk_test_accessible_assert_property(GTK_ACCESSIBLE(part(window, "message_icon")), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      "Error");
  drop_window(window);
}

/* Numbers that may be wrong: told below whatever else there is to tell, and again when that is over, until it is
 * dismissed or something else makes them doubtful. */
static void warnings_stay_below(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GtkWidget *banner = part(window, "message_banner");
  GtkWidget *page = GTK_WIDGET(gantry_numbers_get_statistics(window->numbers));
  ct_warnings warnings = {0};
  ct_warnings_add(&warnings, CT_WARNING_CENTRE, "The centre was not found.");
  ct_warnings_add(&warnings, CT_WARNING_PIXELS, "Seven pixels were mended.");
  const GantryWarning shown = {warnings.items[0].text, "S_weep", "Try centres", "win.sweep-centre"};
  gantry_window_set_warnings(window, &warnings, &shown);
  CHECK(gtk_revealer_get_reveal_child(part(window, "message_below")) && find_label_with(banner, "not found") &&
        find_label_with(banner, "Sweep") && gtk_widget_has_css_class(banner, "doubt") &&
        !gtk_widget_has_css_class(banner, "fault"));
  gtk_test_accessible_assert_property(GTK_ACCESSIBLE(part(window, "message_icon")), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      "Warning");
  CHECK(find_label_with(page, "Seven pixels"));
  gantry_window_show_error(window, "a fault.");
  CHECK(!find_label_with(banner, "not found") && gtk_widget_has_css_class(banner, "fault"));
  gantry_window_set_warnings(window, &warnings, &shown); /* nothing new */
  CHECK(!find_label_with(banner, "not found"));
  gantry_window_clear_error(window);
  CHECK(find_label_with(banner, "not found") && find_label_with(banner, "Sweep"));
  gantry_messages_dismiss(window->messages);
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")));
  gantry_window_set_warnings(window, &warnings, &shown); /* it was dismissed */
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")) && find_label_with(page, "Seven pixels"));
  const GantryWarning other = {.text = "The scan is cut off."};
  gantry_window_set_warnings(window, &warnings, &other);
  CHECK(find_label_with(banner, "cut off") && !find_label_with(banner, "Sweep"));
  gantry_window_set_warnings(window, NULL, &(GantryWarning){0});
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")) && !find_label_with(page, "Seven pixels"));
  drop_window(window);
}

/* What was begun before an error was told ends without taking it down. */
static void younger_errors_stay(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GtkWidget *banner = part(window, "message_banner");
  const GantryWarning notice = {"One of its volumes is gone.", "_Choose the Scan…", "Where it is now",
                                "win.locate-scan"};
  gantry_window_show_error(window, "an older fault.");
  const guint mark = gantry_window_get_message_mark(window);
  gantry_window_show_outcome(window, mark, &notice);
  CHECK(find_label_with(banner, "volumes is gone") && find_label_with(banner, "Choose the Scan…"));
  gantry_window_show_error(window, "cut.gantry is damaged.");
  gantry_window_clear_error_until(window, mark);
  CHECK(find_label_with(banner, "is damaged"));
  gantry_window_show_outcome(window, mark, &notice);
  CHECK(find_label_with(banner, "is damaged") && !find_label_with(banner, "Choose the Scan…"));
  gantry_messages_dismiss(window->messages);
  CHECK(find_label_with(banner, "volumes is gone") && find_label_with(banner, "Choose the Scan…"));
  gantry_messages_dismiss(window->messages);
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")));
  gantry_window_show_error(window, "cut.gantry is damaged.");
  gantry_window_show_outcome(window, mark, &notice);
  gantry_window_clear_error(window); /* something else was done: neither holds */
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")));
  gantry_window_clear_error_until(window, gantry_window_get_message_mark(window));
  gantry_messages_dismiss(window->messages);
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")));
  drop_window(window);
}

/* Of several files that ask, each stays until it is answered or dismissed, whatever else is told meanwhile. */
static void questions_wait_for_answers(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GtkWidget *banner = part(window, "message_banner");
  const GantryWarning questions[] = {{"a.h5 leads out.", "_Read Those Files", "Read", "win.read-volume::/a.h5"},
                                     {"b.h5 leads out.", "_Read Those Files", "Read", "win.read-volume::/b.h5"},
                                     {"c.h5 leads out.", "_Read Those Files", "Read", "win.read-volume::/c.h5"}};
  gantry_window_ask(window, &questions[0]);
  gantry_window_clear_error(window); /* the next file is opened */
  CHECK(find_label_with(banner, "a.h5 leads out.") && find_label_with(banner, "Read Those Files"));
  for (int i = 1; i < 3; i++) gantry_window_ask(window, &questions[i]);
  gantry_window_ask(window, &questions[1]); /* once more: it is one question */
  CHECK(find_label_with(banner, "a.h5 leads out. 2 more files ask"));
  gantry_window_show_error(window, "d.h5 is damaged.");
  gantry_window_end_question(window, questions[2].action_name);
  CHECK(find_label_with(banner, "d.h5 is damaged") && !find_label_with(banner, "leads out"));
  gantry_messages_dismiss(window->messages);
  CHECK(find_label_with(banner, "a.h5 leads out. One more file asks"));
  gantry_window_end_question(window, questions[0].action_name);
  CHECK(find_label_with(banner, "b.h5 leads out.") && !find_label_with(banner, "more file"));
  gantry_messages_dismiss(window->messages);
  gantry_window_clear_error(window); /* which shows what is still asked */
  CHECK(!gtk_revealer_get_reveal_child(part(window, "message_below")));
  drop_window(window);
}

/* Runs that end one after the other within the toast's animation, each with its offer. */
static void offers_follow_quickly(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gtk_window_present(GTK_WINDOW(window));
  for (int n = 0; n < 30; n++) {
    g_autofree char *text = g_strdup_printf("Reconstructed %d", n);
    gantry_window_toast(window, GANTRY_ABOUT_RUN, text, "_Save", "win.save-volume");
    gantry_window_toast(window, GANTRY_ABOUT_PLAN, text, NULL, NULL);
    for (int i = 0; i < 12; i++) {
      settle();
      g_usleep((gulong)(n % 7 + 1) * 1500);
    }
  }
  settle();
  gtk_window_destroy(GTK_WINDOW(window));
}

/* In place of the title: over no picture, plot or menu. */
static GtkWidget *toast_of(GantryWindow *window) {
  GtkWidget *shown = gtk_stack_get_visible_child(part(window, "title_stack"));
  return shown == part(window, "title") ? NULL : shown;
}

static const char *toast_on_show(GantryWindow *window) {
  GtkWidget *toast = toast_of(window);
  return toast ? find_label_with(toast, "") : NULL;
}

static gboolean comes_to_show(GantryWindow *window, const char *words) {
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (g_strcmp0(toast_on_show(window), words) != 0 && g_get_monotonic_time() < until)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  return g_strcmp0(toast_on_show(window), words) == 0;
}

static void last_message_does_not_wait(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gtk_window_present(GTK_WINDOW(window));
  gantry_window_toast(window, GANTRY_ABOUT_PLAN, "Centre at 295.5 px", "_Undo", "win.undo");
  CHECK(comes_to_show(window, "Centre at 295.5 px"));
  GtkWidget *toast = toast_of(window);
  /* Of the same thing: at once, in the same place, and without the offer, which is void now. */
  gantry_window_toast(window, GANTRY_ABOUT_PLAN, "Undone: <Filter>", NULL, NULL);
  CHECK(!strcmp(toast_on_show(window), "Undone: <Filter>"));
  CHECK(toast == toast_of(window));
  GtkWidget *offer = find_widget(toast, GTK_TYPE_BUTTON);
  CHECK(offer && !gtk_widget_get_visible(offer));
  /* Of others: the last one alone, which an aside does not put off. */
  gantry_window_toast(window, GANTRY_ABOUT_REFERENCE, "Now the reference B", NULL, NULL);
  gantry_window_toast(window, GANTRY_ABOUT_RUN, "Reconstructed in 3 s", "_Save", "win.save-volume");
  gantry_window_toast(window, GANTRY_ABOUT_ASIDE, "Joseph was used", NULL, NULL);
  CHECK(!strcmp(toast_on_show(window), "Undone: <Filter>"));
  CHECK(comes_to_show(window, "Reconstructed in 3 s"));
  drop_window(window);
}

/* Nothing of a long one is cut off where the window is small, and what is below the header bar keeps its place. */
static void long_messages_are_read_whole(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  static const char words[] = "Finished early in 12:34: volume 1024 × 1024 × 1536, FISTA-TV, 123 of 1000 iterations, "
                              "residual 0.0146";
  graphene_rect_t bounds[GANTRY_VIEWS], before[GANTRY_VIEWS];
  gtk_window_set_default_size(GTK_WINDOW(window), 900, 600);
  gtk_window_present(GTK_WINDOW(window));
  measure_views(window, before);
  gantry_window_toast(window, GANTRY_ABOUT_RUN, words, "_Continue", "win.continue");
  CHECK(comes_to_show(window, words));
  measure_views(window, bounds);
  GtkWidget *label = find_widget(toast_of(window), GTK_TYPE_LABEL);
  CHECK(label && gtk_widget_get_width(label) > 0);
  CHECK(pango_layout_get_line_count(gtk_label_get_layout(GTK_LABEL(label))) > 1);
  CHECK_NEAR((double)bounds[GANTRY_VIEW_AXIAL].origin.y, (double)before[GANTRY_VIEW_AXIAL].origin.y, 0);
  /* Where the title has less room still, the tooltip has it. */
  CHECK(!g_strcmp0(gtk_widget_get_tooltip_text(toast_of(window)), words));
  CHECK(!pango_layout_is_ellipsized(gtk_label_get_layout(GTK_LABEL(label))));
  drop_window(window);
}

static void messages_yield_by_importance(void) {
  const gint64 second = G_TIME_SPAN_SECOND;
  const GantryTopic none = GANTRY_ABOUT_NOTHING, aside = GANTRY_ABOUT_ASIDE, run = GANTRY_ABOUT_RUN,
                    plan = GANTRY_ABOUT_PLAN;
  CHECK(gantry_toast_step(run, second, FALSE, plan) == GANTRY_TOAST_STAYS);
  CHECK(gantry_toast_step(run, 3 * second, FALSE, plan) == GANTRY_TOAST_YIELDS);
  CHECK(gantry_toast_step(run, 3 * second, FALSE, aside) == GANTRY_TOAST_STAYS);
  CHECK(gantry_toast_step(aside, 3 * second, FALSE, aside) == GANTRY_TOAST_YIELDS);
  CHECK(gantry_toast_step(run, 3 * second, FALSE, none) == GANTRY_TOAST_STAYS);
  CHECK(gantry_toast_step(run, 6 * second, FALSE, none) == GANTRY_TOAST_GOES);
  CHECK(gantry_toast_step(run, 6 * second, FALSE, aside) == GANTRY_TOAST_GOES);
  CHECK(gantry_toast_step(run, 6 * second, TRUE, plan) == GANTRY_TOAST_STAYS);
}

/* Panel and plots shown or hidden: an error is seen whole, and covers neither a view nor a plot. */
static void errors_cover_nothing(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  graphene_rect_t banner, cut, pages;
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
  gtk_window_present(GTK_WINDOW(window));
  gantry_window_show_error(window, "tooth.h5: the file ends too early. Copy it again, and compare the sizes.");
  for (int shown = 0; shown < 4; shown++) {
    adw_flap_set_reveal_flap(part(window, "flap"), shown & 1);
    gtk_widget_set_visible(part(window, "plots"), shown & 2);
    graphene_rect_t views[GANTRY_VIEWS];
    CHECK(wait_mapped(GTK_WIDGET(part(window, "error_label")), TRUE));
    measure_views(window, views);
    CHECK(gtk_widget_compute_bounds(part(window, "message_banner"), GTK_WIDGET(window), &banner));
    CHECK(banner.size.height > 20);
    for (int k = 0; k <= GANTRY_VIEW_PROJECTION; k++)
      if (graphene_rect_intersection(&banner, &views[k], &cut) && cut.size.height >= 1 && cut.size.width >= 1)
        CT_TEST_END(1, "panel %d, plots %d: the banner covers view %d", shown & 1, shown & 2, k);
    CHECK(gtk_widget_compute_bounds(part(window, "plot_pages"), GTK_WIDGET(window), &pages));
    CHECK(!(shown & 2) || !graphene_rect_intersection(&banner, &pages, &cut) || cut.size.height < 1 ||
          cut.size.width < 1);
  }
  /* Dismissed, it leaves the pointer to what is below. */
  gtk_widget_set_visible(part(window, "plots"), FALSE);
  adw_flap_set_reveal_flap(part(window, "flap"), FALSE);
  settle();
  gantry_window_clear_error(window);
  settle();
  GtkWidget *below = gtk_widget_pick(part(window, "quad"), 20, gtk_widget_get_height(part(window, "quad")) - 20, 0);
  CHECK(below &&
        gtk_widget_get_ancestor(below, GANTRY_TYPE_SLICE_VIEW) == GTK_WIDGET(view_of(window, GANTRY_VIEW_SAGITTAL)));
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", TRUE, NULL);
  drop_window(window);
}

static const ct_test tests[] = {
    {"long messages are read whole", long_messages_are_read_whole},
    {"errors cover neither view nor plot", errors_cover_nothing},
    {"offers that follow one another quickly do no harm", offers_follow_quickly},
    {"the last message does not wait for all others", last_message_does_not_wait},
    {"messages yield by importance", messages_yield_by_importance},
    {"notices are no errors", notices_are_no_errors},
    {"questions wait for answers", questions_wait_for_answers},
    {"warnings stay below errors and notices", warnings_stay_below},
    {"work that ends takes no younger error down", younger_errors_stay},
};

WIDGET_TEST_MAIN(tests)
