/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stack of the list and the step; a step's widgets are made anew for each. */
#include "ui/lessons/panel.h"

#include "ui/tips.h"

#include <adwaita.h>

#define WIDTH 316

struct _GantryLessonsPanel {
  GtkBox parent_instance;
  GtkLabel *heading;
  GtkWidget *to_list, *bar;
  GtkLabel *place;
  GtkStack *pages;
  GtkListBox *list;
  GtkScrolledWindow *scrolled;
  GPtrArray *findings; /* of GtkLabel, borrowed */
  int count;
};

G_DEFINE_FINAL_TYPE(GantryLessonsPanel, gantry_lessons_panel, GTK_TYPE_BOX)

static void gantry_lessons_panel_finalize(GObject *object) {
  g_ptr_array_unref(GANTRY_LESSONS_PANEL(object)->findings);
  G_OBJECT_CLASS(gantry_lessons_panel_parent_class)->finalize(object);
}

static void gantry_lessons_panel_class_init(GantryLessonsPanelClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_lessons_panel_finalize;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void name(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static GtkWidget *make_icon_button(const char *icon, const char *action, const char *label, const char *tip) {
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gantry_tips_set(button, tip);
  gtk_widget_add_css_class(button, "flat");
  name(button, label);
  return button;
}

static GtkWidget *make_text(const char *text, const char *style) {
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  if (style) gtk_widget_add_css_class(label, style);
  return label;
}

/* *stars* become italics; a star alone stays one. */
static char *markup_of(const char *text) {
  g_auto(GStrv) parts = g_strsplit(text, "*", -1);
  const guint count = g_strv_length(parts);
  g_autoptr(GString) markup = g_string_new(NULL);
  for (guint i = 0; i < count; i++) {
    g_autofree char *part = g_markup_escape_text(parts[i], -1);
    const gboolean closed = i % 2 == 1 && i + 1 < count;
    g_string_append_printf(markup, closed ? "<i>%s</i>" : i % 2 ? "*%s" : "%s", part);
  }
  return g_strdup(markup->str);
}

static GtkWidget *make_paragraphs(const char *text) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
  g_auto(GStrv) paragraphs = g_strsplit(text, "\n\n", -1);
  for (char **p = paragraphs; *p; p++) {
    g_autofree char *markup = markup_of(*p);
    GtkWidget *label = make_text(NULL, NULL);
    gtk_label_set_markup(GTK_LABEL(label), markup);
    gtk_box_append(GTK_BOX(box), label);
  }
  return box;
}

/* What a step consists of */

static GtkWidget *make_looks(const char *const *looks) {
  GtkWidget *box = gtk_flow_box_new();
  gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(box), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(box), 3);
  gtk_flow_box_set_column_spacing(GTK_FLOW_BOX(box), 4);
  name(box, "Look here");
  for (int i = 0; looks[i]; i++) {
    GtkWidget *button = gtk_button_new_with_label(looks[i]), *child = gtk_flow_box_child_new();
    g_autofree char *label = g_strdup_printf("Look at %s", looks[i]);
    gtk_widget_set_focusable(child, FALSE);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.lesson-look");
    gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "i", i);
    gantry_tips_set(button, "Shows where it is, with a frame around it");
    gtk_widget_add_css_class(button, "small");
    name(button, label);
    gtk_flow_box_child_set_child(GTK_FLOW_BOX_CHILD(child), button);
    gtk_flow_box_append(GTK_FLOW_BOX(box), child);
  }
  return box;
}

static GtkWidget *make_claim(GantryLessonsPanel *self, const char *says) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2), *found = make_text(NULL, "caption");
  gtk_widget_add_css_class(found, "dim-label");
  gtk_box_append(GTK_BOX(box), make_text(says, NULL));
  gtk_box_append(GTK_BOX(box), found);
  g_ptr_array_add(self->findings, found);
  return box;
}

static void show_answer(GtkButton *button, GtkWidget *answer) {
  const gboolean shown = !gtk_widget_get_visible(answer);
  gtk_widget_set_visible(answer, shown);
  gtk_button_set_label(button, shown ? "Hide Answer" : "Show Answer");
}

static GtkWidget *make_question(const char *question, const char *answer) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *button = gtk_button_new_with_label("Show Answer"), *text = make_paragraphs(answer);
  gtk_widget_set_halign(button, GTK_ALIGN_START);
  gantry_tips_set(button, "Think first");
  gtk_widget_set_visible(text, FALSE);
  g_signal_connect(button, "clicked", G_CALLBACK(show_answer), text);
  gtk_box_append(GTK_BOX(box), make_text("Question", "heading"));
  gtk_box_append(GTK_BOX(box), make_paragraphs(question));
  gtk_box_append(GTK_BOX(box), button);
  gtk_box_append(GTK_BOX(box), text);
  return box;
}

static GtkWidget *make_set_up(void) {
  GtkWidget *button = gtk_button_new_with_label("Set This Up");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.lesson-set-up");
  gantry_tips_set(button, "Simulates the step's scan, sets its plan and shows its pages (Alt+Return); the "
                          "plan can be undone");
  gtk_widget_set_halign(button, GTK_ALIGN_START);
  gtk_widget_add_css_class(button, "suggested-action");
  return button;
}

static GtkWidget *make_formula(const char *formula) {
  GtkWidget *label = make_text(formula, "lesson-formula");
  gtk_label_set_justify(GTK_LABEL(label), GTK_JUSTIFY_CENTER);
  gtk_label_set_xalign(GTK_LABEL(label), 0.5F);
  return label;
}

void gantry_lessons_panel_show_step(GantryLessonsPanel *self, const GantryLessonStep *step) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  g_ptr_array_set_size(self->findings, 0);
  gtk_widget_add_css_class(box, "lesson-step");
  gtk_box_append(GTK_BOX(box), make_text(step->title, "title-4"));
  gtk_box_append(GTK_BOX(box), make_paragraphs(step->text));
  if (step->formula) gtk_box_append(GTK_BOX(box), make_formula(step->formula));
  gtk_box_append(GTK_BOX(box), make_set_up());
  if (*step->looks) {
    gtk_box_append(GTK_BOX(box), make_text("Look here", "heading"));
    gtk_box_append(GTK_BOX(box), make_looks(step->looks));
  }
  if (*step->claims) gtk_box_append(GTK_BOX(box), make_text("Measured", "heading"));
  for (int i = 0; step->claims[i]; i++) gtk_box_append(GTK_BOX(box), make_claim(self, step->claims[i]));
  if (step->question) gtk_box_append(GTK_BOX(box), make_question(step->question, step->answer));
  gtk_scrolled_window_set_child(self->scrolled, box);
  gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(self->scrolled), 0);
  g_autofree char *place = g_strdup_printf("Step %d of %d", step->index + 1, step->count);
  gtk_label_set_text(self->place, place);
  gtk_label_set_text(self->heading, step->lesson);
  gtk_widget_set_visible(self->to_list, TRUE);
  gtk_widget_set_visible(self->bar, TRUE);
  gtk_stack_set_visible_child_name(self->pages, "step");
}

void gantry_lessons_panel_show_list(GantryLessonsPanel *self) {
  gtk_label_set_text(self->heading, "Lessons");
  gtk_widget_set_visible(self->to_list, FALSE);
  gtk_widget_set_visible(self->bar, FALSE);
  gtk_stack_set_visible_child_name(self->pages, "list");
}

/* A unit is not broken at its slash: a word joiner follows it. */
static char *keep_units_whole(const char *text) {
  g_auto(GStrv) parts = g_strsplit(text, "/", -1);
  return g_strjoinv("/\u2060", parts);
}

void gantry_lessons_panel_set_finding(GantryLessonsPanel *self, int claim, GantryClaimState state, const char *text) {
  static const char *const begins[] = {[GANTRY_CLAIM_MEASURING] = "Measuring…",
                                       [GANTRY_CLAIM_HOLDS] = "✓ Measured here: ",
                                       [GANTRY_CLAIM_FAILS] = "✗ It does not hold. Measured here: ",
                                       [GANTRY_CLAIM_UNKNOWN] = "Not measured: "};
  if (claim < 0 || (guint)claim >= self->findings->len) return;
  GtkLabel *label = g_ptr_array_index(self->findings, claim);
  g_autofree char *said = g_strconcat(begins[state], text, NULL), *words = keep_units_whole(said);
  gtk_label_set_text(label, words);
  if (state == GANTRY_CLAIM_FAILS || state == GANTRY_CLAIM_UNKNOWN)
    gtk_widget_add_css_class(GTK_WIDGET(label), "warning");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(label), "warning");
}

/* The list */

void gantry_lessons_panel_add(GantryLessonsPanel *self, const char *title, const char *summary) {
  GtkWidget *row = adw_action_row_new();
  g_autofree char *numbered = g_strdup_printf("%d  %s", ++self->count, title);
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), numbered);
  if (summary) adw_action_row_set_subtitle(ADW_ACTION_ROW(row), summary);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 0);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(row), "win.choose-lesson");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(row), "i", self->count - 1);
  gtk_list_box_append(self->list, row);
}

static GtkWidget *make_list(GantryLessonsPanel *self) {
  GtkWidget *scrolled = gtk_scrolled_window_new(), *list = gtk_list_box_new();
  self->list = GTK_LIST_BOX(list);
  gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_NONE);
  gtk_widget_set_valign(list, GTK_ALIGN_START);
  gtk_widget_add_css_class(list, "boxed-list");
  name(list, "Lessons");
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
  return scrolled;
}

/* Life */

static GtkWidget *make_head(GantryLessonsPanel *self) {
  GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 2), *heading = make_text("Lessons", "heading");
  self->heading = GTK_LABEL(heading);
  self->to_list = make_icon_button("view-list-symbolic", "win.lesson-list", "All lessons", "All lessons");
  gtk_widget_set_hexpand(heading, TRUE);
  gtk_widget_add_css_class(head, "lessons-head");
  gtk_box_append(GTK_BOX(head), self->to_list);
  gtk_box_append(GTK_BOX(head), heading);
  gtk_box_append(GTK_BOX(head), make_icon_button("document-open-symbolic", "win.open-lesson", "Open a lesson",
                                                 "Open a lesson of your own from a file"));
  gtk_box_append(GTK_BOX(head), make_icon_button("window-close-symbolic", "win.show-lessons", "Put the lessons away",
                                                 "Put the lessons away (F4)"));
  return head;
}

static GtkWidget *make_bar(GantryLessonsPanel *self) {
  GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *place = gtk_label_new(NULL);
  GtkWidget *back = gtk_button_new_with_label("Back"), *next = gtk_button_new_with_label("Next");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(back), "win.lesson-back");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(next), "win.lesson-next");
  gantry_tips_set(back, "The step before (Alt+Page Up)");
  gantry_tips_set(next, "The next step (Alt+Page Down)");
  gtk_widget_set_hexpand(place, TRUE);
  gtk_widget_add_css_class(place, "dim-label");
  gtk_widget_add_css_class(bar, "lessons-bar");
  self->place = GTK_LABEL(place);
  gtk_box_append(GTK_BOX(bar), back);
  gtk_box_append(GTK_BOX(bar), place);
  gtk_box_append(GTK_BOX(bar), next);
  return bar;
}

static void gantry_lessons_panel_init(GantryLessonsPanel *self) {
  GtkWidget *pages = gtk_stack_new(), *scrolled = gtk_scrolled_window_new();
  self->findings = g_ptr_array_new();
  self->pages = GTK_STACK(pages);
  self->scrolled = GTK_SCROLLED_WINDOW(scrolled);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request(GTK_WIDGET(self), WIDTH, -1);
  gtk_widget_set_hexpand(GTK_WIDGET(self), FALSE);
  gtk_widget_add_css_class(GTK_WIDGET(self), "lessons");
  gtk_scrolled_window_set_policy(self->scrolled, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand(pages, TRUE);
  gtk_stack_add_named(self->pages, make_list(self), "list");
  gtk_stack_add_named(self->pages, scrolled, "step");
  gtk_box_append(GTK_BOX(self), make_head(self));
  gtk_box_append(GTK_BOX(self), pages);
  gtk_box_append(GTK_BOX(self), self->bar = make_bar(self));
  name(GTK_WIDGET(self), "Panel of lessons");
  gantry_lessons_panel_show_list(self);
}

GtkWidget *gantry_lessons_panel_new(void) {
  return g_object_new(GANTRY_TYPE_LESSONS_PANEL, NULL);
}
