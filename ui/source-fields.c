/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys, and a row for each. */
#include "ui/source-fields.h"

#include "ui/tips.h"

#include <math.h>
#include <string.h>

typedef enum { RAW, GEOMETRY, GROUPS } Group;

typedef struct {
  const char *key;
  Group group;
  gboolean number;
  const char *title, *tooltip;
  const char *const *choices; /* values, of which the first stands for not told where it is empty */
  const char *const *names;   /* for people, as many */
} Field;

static const char *const types[] = {"uint16", "float32", "uint8", "int16",   "uint32",  "int32",
                                    "int8",   "uint64",  "int64", "float16", "float64", NULL};
static const char *const orders[] = {"little", "big", NULL};
static const char *const order_names[] = {"Little Endian", "Big Endian", NULL};
static const char *const beams[] = {"", "parallel", "fan", "cone", NULL};
static const char *const beam_names[] = {"As the File Says", "Parallel Beam", "Fan Beam", "Cone Beam", NULL};
static const char *const values[] = {"", "counts", "transmission", "line integrals", "optical density", NULL};
static const char *const value_names[] = {
    "As the File Says", "Raw Counts", "Transmission I / I0", "Line Integrals", "Optical Density, -log10(I / I0)", NULL};

static const Field fields[] = {
    {"files.type", RAW, FALSE, "Sample Type", "How each sample is stored", types, types},
    {"files.dims.0", RAW, TRUE, "Columns", "Samples in a row, which run fastest in the file", NULL, NULL},
    {"files.dims.1", RAW, TRUE, "Rows", "Rows in a frame", NULL, NULL},
    {"files.dims.2", RAW, TRUE, "Frames", "Empty: as many as the file holds", NULL, NULL},
    {"files.header_bytes", RAW, TRUE, "Header (bytes)", "Bytes before the first frame; empty: none", NULL, NULL},
    {"files.frame_header_bytes", RAW, TRUE, "Header of Each Frame (bytes)", "Bytes before every frame; empty: none",
     NULL, NULL},
    {"files.byte_order", RAW, FALSE, "Byte Order", "Which byte of a sample comes first", orders, order_names},
    {"values", GEOMETRY, FALSE, "Values Are", "What a sample means", values, value_names},
    {"beam", GEOMETRY, FALSE, "Beam", "How the rays run", beams, beam_names},
    {"sod_mm", GEOMETRY, TRUE, "Source to Axis (mm)", "From the source to the rotation axis", NULL, NULL},
    {"sdd_mm", GEOMETRY, TRUE, "Source to Detector (mm)", "From the source to the detector", NULL, NULL},
    {"pixel_mm", GEOMETRY, TRUE, "Pixel (mm)", "The pitch of the pixels at the detector", NULL, NULL},
    {"centre_u", GEOMETRY, TRUE, "Centre of Rotation (column)", "The column where the axis is seen; the first is 0",
     NULL, NULL},
    {"angles_deg.first", GEOMETRY, TRUE, "First Angle (°)", "The angle of the first view", NULL, NULL},
    {"angles_deg.step", GEOMETRY, TRUE, "Step of the Angles (°)",
     "From one view to the next; negative where the gantry turns clockwise", NULL, NULL},
};
enum { FIELDS = G_N_ELEMENTS(fields), ROWS_A_TURN = 4 };

struct _GantrySourceFields {
  gboolean raw;
  GtkWidget *widgets[FIELDS]; /* an entry, or a combo row; NULL where there is none */
  char *texts[FIELDS];        /* what was told last */
  GtkWidget *rows;            /* the group of the last row made; NULL: none yet */
  int next;                   /* to be made */
};

static void connect_changes(GtkWidget *widget, GCallback changed, gpointer user) {
  g_signal_connect_swapped(widget, GTK_IS_EDITABLE(widget) ? "changed" : "notify::selected", changed, user);
}

static GtkWidget *new_entry(const Field *f, GtkWidget **row) {
  GtkWidget *entry = gtk_entry_new();
  *row = adw_action_row_new();
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(*row), f->title);
  gantry_tips_set(*row, f->tooltip);
  gtk_widget_set_valign(entry, GTK_ALIGN_CENTER);
  gtk_editable_set_width_chars(GTK_EDITABLE(entry), 10);
  gtk_editable_set_alignment(GTK_EDITABLE(entry), 1);
  gtk_entry_set_input_purpose(GTK_ENTRY(entry), GTK_INPUT_PURPOSE_NUMBER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, f->title, -1);
  adw_action_row_add_suffix(ADW_ACTION_ROW(*row), entry);
  gantry_tips_activate(*row, entry);
  return entry;
}

static GtkWidget *new_choice(const Field *f) {
  g_autoptr(GtkStringList) list = gtk_string_list_new(f->names);
  GtkWidget *row = adw_combo_row_new();
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), f->title);
  gantry_tips_name(row, f->title, f->tooltip);
  adw_combo_row_set_model(ADW_COMBO_ROW(row), G_LIST_MODEL(list));
  return row;
}

GantrySourceFields *gantry_source_fields_new(gboolean raw) {
  GantrySourceFields *self = g_new0(GantrySourceFields, 1);
  self->raw = raw;
  return self;
}

void gantry_source_fields_free(GantrySourceFields *self) {
  for (int i = 0; i < FIELDS; i++) g_free(self->texts[i]);
  g_free(self);
}

static void fill_one(GtkWidget *widget, const Field *f, const char *value) {
  if (!f->choices) {
    gtk_editable_set_text(GTK_EDITABLE(widget), value);
    return;
  }
  for (guint k = 0; f->choices[k]; k++)
    if (g_str_equal(f->choices[k], value)) adw_combo_row_set_selected(ADW_COMBO_ROW(widget), k);
}

/* The rows from `first` to before `end`. */
static void fill(GantrySourceFields *self, const char *text, int first, int end) {
  g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
  for (guint n = 0; lines[n]; n++) {
    char *value = strchr(lines[n], '=');
    if (!value) continue;
    *value++ = 0;
    for (int i = first; i < end; i++)
      if (self->widgets[i] && g_str_equal(fields[i].key, lines[n])) fill_one(self->widgets[i], &fields[i], value);
  }
}

void gantry_source_fields_fill(GantrySourceFields *self, const char *text) {
  fill(self, text, 0, FIELDS);
}

static GtkWidget *new_group(int group) {
  static const char *const titles[GROUPS] = {"Raw Samples", "Values and Geometry"};
  GtkWidget *rows = adw_preferences_group_new();
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(rows), titles[group]);
  if (group == GEOMETRY)
    adw_preferences_group_set_description(ADW_PREFERENCES_GROUP(rows),
                                          "Empty fields are taken from the file, or assumed and said so.");
  return rows;
}

gboolean gantry_source_fields_add_to(GantrySourceFields *self, GtkBox *box, const char *told, GCallback changed,
                                     gpointer user) {
  const int first = self->next;
  for (int made = 0; self->next < FIELDS && made < ROWS_A_TURN; self->next++) {
    const Field *f = &fields[self->next];
    GtkWidget *row, **widget = &self->widgets[self->next];
    if (f->group == RAW && !self->raw) continue;
    if (!self->rows || f->group != fields[self->next - 1].group) {
      self->rows = new_group(f->group);
      gtk_box_append(box, self->rows);
    }
    *widget = f->choices ? (row = new_choice(f)) : new_entry(f, &row);
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(self->rows), row);
    connect_changes(*widget, changed, user);
    made++;
  }
  fill(self, told, first, self->next);
  return self->next < FIELDS;
}

/* What a row tells, or "". */
static const char *text_of(GantrySourceFields *self, int i) {
  g_free(self->texts[i]);
  self->texts[i] = NULL;
  if (!self->widgets[i]) return "";
  if (fields[i].choices) return fields[i].choices[adw_combo_row_get_selected(ADW_COMBO_ROW(self->widgets[i]))];
  /* A decimal comma is one. */
  self->texts[i] = g_strdelimit(g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->widgets[i]))), ",", '.');
  return g_strstrip(self->texts[i]);
}

static const char *text_of_key(GantrySourceFields *self, const char *key) {
  for (int i = 0; i < FIELDS; i++)
    if (g_str_equal(fields[i].key, key)) return text_of(self, i);
  return "";
}

GArray *gantry_source_fields_get(GantrySourceFields *self, const char *frames) {
  GArray *keys = g_array_new(FALSE, TRUE, sizeof(struct ct_told_key));
  const gboolean step = text_of_key(self, "angles_deg.step")[0] != 0;
  for (int i = 0; i < FIELDS; i++) {
    struct ct_told_key key = {fields[i].key, text_of(self, i), fields[i].number};
    /* Steps begin at 0 where nothing else is told. */
    if (step && !key.value[0] && g_str_equal(key.key, "angles_deg.first")) key.value = "0";
    if (frames && !key.value[0] && g_str_equal(key.key, "files.dims.2")) key.value = frames;
    if (key.value[0]) g_array_append_val(keys, key);
  }
  return keys;
}

char *gantry_source_fields_to_text(GantrySourceFields *self) {
  GString *text = g_string_new(NULL);
  for (int i = 0; i < FIELDS; i++) {
    const char *value = text_of(self, i);
    if (value[0]) g_string_append_printf(text, "%s=%s\n", fields[i].key, value);
  }
  return g_string_free(text, FALSE);
}

static guint64 count_of(GantrySourceFields *self, const char *key) {
  return g_ascii_strtoull(text_of_key(self, key), NULL, 10);
}

/* Bytes of the header and of one frame. FALSE where the layout is not told. */
static gboolean get_layout(GantrySourceFields *self, guint64 *header, guint64 *frame, guint64 *frames) {
  const char *type = self->raw ? text_of_key(self, "files.type") : "";
  const char *digits = strpbrk(type, "0123456789");
  const guint64 columns = count_of(self, "files.dims.0"), rows = count_of(self, "files.dims.1"),
                bits = digits ? g_ascii_strtoull(digits, NULL, 10) : 0;
  *header = count_of(self, "files.header_bytes");
  *frames = count_of(self, "files.dims.2");
  if (!columns || !rows || !bits || columns > G_MAXINT || rows > G_MAXINT) return FALSE;
  *frame = columns * rows * (bits / 8) + count_of(self, "files.frame_header_bytes");
  return TRUE;
}

char *gantry_source_fields_fit(GantrySourceFields *self, guint64 bytes, GantrySourceFit *fit) {
  guint64 header, frame, frames;
  const gboolean told = get_layout(self, &header, &frame, &frames);
  const guint64 room = told && bytes > header ? bytes - header : 0, whole = told ? room / frame : 0,
                rest = told ? room - whole * frame : 0;
  const char *plural = whole == 1 ? "" : "s";
  const gboolean enough = told && whole >= MAX(frames, 1);
  *fit = (GantrySourceFit){enough ? MIN(whole, (guint64)G_MAXINT) : 0, enough && (!rest || frames)};
  if (!told)
    return g_strdup_printf("The file has %" G_GUINT64_FORMAT " bytes: type, columns and rows are needed.", bytes);
  if (!enough)
    return g_strdup_printf("The file is too short: its %" G_GUINT64_FORMAT " bytes hold %" G_GUINT64_FORMAT
                           " frame%s of that size.",
                           bytes, whole, plural);
  if (rest && !frames)
    return g_strdup_printf("It holds %" G_GUINT64_FORMAT " frame%s, and %" G_GUINT64_FORMAT
                           " bytes are left over: one of the values is wrong, or Frames tells how many.",
                           whole, plural, rest);
  return g_strdup_printf("It holds %" G_GUINT64_FORMAT " frame%s of that size.", whole, plural);
}

char *gantry_source_fields_find_fault(GantrySourceFields *self) {
  for (int i = 0; i < FIELDS; i++) {
    const char *text = fields[i].number ? text_of(self, i) : "";
    char *end;
    if (*text && (!isfinite(g_ascii_strtod(text, &end)) || *end))
      return g_strdup_printf("%s: “%s” is no number.", fields[i].title, text);
  }
  return NULL;
}
