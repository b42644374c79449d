/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors, checked sizes, jobs and the formatter of quantities. */
#include "tests/test.h"

#include "recon/base/job.h"
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/shown.h"
#include "recon/base/units.h"
#include "recon/base/value-scale.h"
#include "recon/base/warnings.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

static void errors_keep_the_first_cause(void) {
  ct_error *error = NULL;
  CHECK(!ct_error_set(&error, CT_ERROR_DATA, "first %d\nline", 1));
  ct_error_set(&error, CT_ERROR_IO, "second");
  CHECK(error->code == CT_ERROR_DATA);
  CHECK(strcmp(error->message, "first 1 line") == 0);
  ct_error_prefix(&error, "%s", "file.h5");
  CHECK(strcmp(error->message, "file.h5: first 1 line") == 0);
  ct_error_clear(&error);
  CHECK(!error);
  ct_error_prefix(&error, "nothing");
  CHECK(!error);
  ct_error_set(NULL, CT_ERROR_IO, "nobody listens");
  ct_error_set_errno(&error, ENOENT, "x.tif");
  CHECK(error->code == CT_ERROR_IO && strstr(error->message, "x.tif: No such file"));
  ct_error_clear(&error);
  ct_error_set_errno(&error, ENOMEM, "x.tif");
  CHECK(error->code == CT_ERROR_MEMORY);
  ct_error_clear(&error);
}

static void foreign_text_is_shown_in_one_line_of_utf8(void) {
  static const struct {
    const char *text, *shown;
  } cases[] = {{"plain", "plain"},
               {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
               {"a\nb\tc\r", "a b c "},
               {"a\x1b[0m\x7f", "a\xef\xbf\xbd[0m\xef\xbf\xbd"},
               {"\xc2\x9b", "\xef\xbf\xbd"},                             /* a control character of Latin-1 */
               {"\xe4z", "\xef\xbf\xbdz"},                               /* Latin-1 */
               {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong */
               {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* half of a pair */
               {"\xf4\x90\x80\x80!", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd!"},
               {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"}};
  char shown[64];
  ct_error *error = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(ct_shown(cases[i].text, shown, sizeof shown), cases[i].shown) != 0)
      CT_TEST_END(1, "case %zu: %s", i, shown);
    ct_error_set(&error, CT_ERROR_DATA, "%s is bad", cases[i].text);
    CHECK(ct_error_names(error, cases[i].text) && strncmp(error->message, shown, strlen(shown)) == 0);
    ct_error_clear(&error);
    char *utf8 = ct_path_to_utf8(cases[i].text, NULL), *back = utf8 ? ct_path_from_utf8(utf8, NULL) : NULL;
    CHECK(back && strcmp(back, cases[i].text) == 0);
    for (const char *c = utf8; *c; c += ct_utf8_length(c)) CHECK(ct_utf8_length(c));
    ct_free(utf8);
    ct_free(back);
  }
  /* a character that stands for a byte comes back as itself */
  char *utf8 = ct_path_to_utf8("\xee\xbe\x80", NULL), *back = ct_path_from_utf8(utf8, NULL);
  CHECK(strcmp(utf8, "\xee\xbf\xae\xee\xbe\xbe\xee\xbe\x80") == 0 && strcmp(back, "\xee\xbe\x80") == 0);
  ct_free(utf8);
  ct_free(back);
  /* cut behind a whole character */
  CHECK(strcmp(ct_shown("\xe2\x82\xac\xe2\x82\xac", shown, 6), "\xe2\x82\xac") == 0);
}

static void long_messages_are_cut_not_overrun(void) {
  ct_error *error = NULL;
  char words[5000];
  memset(words, 'w', sizeof words - 1);
  words[sizeof words - 1] = 0;
  ct_error_set(&error, CT_ERROR_DATA, "%s", words);
  CHECK(error && strlen(error->message) > 1000 && strlen(error->message) < 5000);
  ct_error_prefix(&error, "%s", words);
  CHECK(error->code == CT_ERROR_DATA);
  ct_error_clear(&error);
}

static void sizes_are_checked(void) {
  size_t product;
  ct_error *error = NULL;
  CHECK(ct_size_product(3, 4, 5, 4, &product) && product == 240);
  CHECK(!ct_size_product(-1, 4, 5, 4, &product));
  CHECK(!ct_size_product(INT64_MAX, 2, 2, 1, &product));
  CHECK(!ct_size_product(1 << 30, 1 << 30, 8, 4, &product));
  CHECK_FAILS(ct_alloc(SIZE_MAX / 2, 8, "the test", &error) != NULL, CT_ERROR_MEMORY, "the test");
  CHECK_FAILS(ct_alloc(PTRDIFF_MAX / 8, 8, "the huge test", &error) != NULL, CT_ERROR_MEMORY, "the huge test");
}

static void allocations_are_aligned_and_cleared(void) {
  ct_error *error = NULL;
  for (size_t count = 1; count < 20000000; count = count * 7 + 3) {
    float *block = ct_alloc_zero(count, sizeof *block, "a block", &error);
    CHECK_OK(block);
    CHECK((uintptr_t)block % CT_ALIGNMENT == 0);
    CHECK(block[0] == 0 && block[count / 2] == 0 && block[count - 1] == 0);
    ct_free(block);
  }
}

static void quantities_read_well(void) {
  char text[64];
#define READS(call, expected) CHECK(strcmp(call, expected) == 0)
  READS(ct_format_bytes(0, text, sizeof text), "0 B");
  READS(ct_format_bytes(999, text, sizeof text), "999 B");
  READS(ct_format_bytes(999.9e3, text, sizeof text), "1.00 MB");
  READS(ct_format_bytes(1.34e9, text, sizeof text), "1.34 GB");
  READS(ct_format_bytes(536870912, text, sizeof text), "537 MB");
  READS(ct_format_duration(0.0123, text, sizeof text), "12 ms");
  READS(ct_format_duration(3.44, text, sizeof text), "3.4 s");
  READS(ct_format_duration(59.97, text, sizeof text), "1:00");
  READS(ct_format_duration(125, text, sizeof text), "2:05");
  READS(ct_format_duration(3725, text, sizeof text), "1:02:05");
  READS(ct_format_duration(-1, text, sizeof text), "unknown");
  READS(ct_format_quantity(0.092134, 3, "/mm", text, sizeof text), "0.0921 /mm");
  READS(ct_format_quantity(295.5, 4, "px", text, sizeof text), "295.5 px");
  CHECK(!strcmp(ct_units_of(true).value, "1/px") && !strcmp(ct_units_of(false).length, "mm"));
  CHECK(ct_units_are_pixels(ct_units_of_header("{\"" CT_UNITS_KEY "\" : \"px\"}")));
  CHECK(!ct_units_are_pixels(ct_units_of_header("{\"" CT_UNITS_KEY "\": \"mm\"}")));
  CHECK(!ct_units_are_pixels(ct_units_of_header("{\"path\": \"px\"}")) &&
        !ct_units_are_pixels(ct_units_of_header(NULL)));
  const ct_named_scale hu =
      ct_named_scale_of_header("{\"" CT_VALUE_SCALE_KEY "\": [\n    50000.5,\n    -24,\n    \"HU\"]}");
  CHECK(hu.scale.factor == 50000.5 && hu.scale.offset == -24 && strcmp(hu.unit, "HU") == 0);
  static const char *const none[] = {NULL,
                                     "",
                                     "{}",
                                     "{\"value_scale\": [0, 1, \"HU\"]}",
                                     "{\"value_scale\": [2, \"HU\"]}",
                                     "{\"value_scale\": [2, 1, \"a unit of more than 23 letters\"]}"};
  for (size_t k = 0; k < sizeof none / sizeof *none; k++) CHECK(!ct_named_scale_of_header(none[k]).unit[0]);
  READS(ct_format_length(2.5e-7, 4, "mm", text, sizeof text), "0.25 nm");
  READS(ct_format_length(-6.5e-5, 4, "mm", text, sizeof text), "-65 nm");
  READS(ct_format_length(0.0065, 4, "mm", text, sizeof text), "6.5 µm");
  READS(ct_format_length(0.01, 4, "mm", text, sizeof text), "0.01 mm");
  READS(ct_format_length(1536, 4, "mm", text, sizeof text), "1536 mm");
  READS(ct_format_length(145000, 4, "mm", text, sizeof text), "145 m");
  READS(ct_format_length(0, 4, "mm", text, sizeof text), "0 mm");
  READS(ct_format_length(1e-6, 4, "px", text, sizeof text), "1e-06 px");
  READS(ct_format_length(NAN, 4, "mm", text, sizeof text), "no value");
  READS(ct_format_quantity(12, 3, "°", text, sizeof text), "12°");
  READS(ct_format_quantity(NAN, 3, "mm", text, sizeof text), "no value");
  READS(ct_format_number(-0.0, 3, text, sizeof text), "0");
  READS(ct_format_number(1234567, 3, text, sizeof text), "1234567");
  READS(ct_format_number(99.96, 3, text, sizeof text), "100");
#undef READS
}

static void requests_have_their_order(void) {
  ct_error *error = NULL;
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  CHECK(ct_job_may_go_on(job, &error));
  ct_job_finish_early(job);
  CHECK(ct_job_requested(job) == CT_JOB_FINISH_EARLY && ct_job_may_go_on(job, &error));
  ct_job_cancel(job);
  ct_job_finish_early(job);
  CHECK(ct_job_requested(job) == CT_JOB_CANCEL);
  CHECK_FAILS(ct_job_may_go_on(job, &error), CT_ERROR_CANCELLED, "Cancelled");
  ct_job_free(job);
  CHECK(ct_job_may_go_on(NULL, &error) && ct_job_requested(NULL) == CT_JOB_GO);
}

static void progress_counts(void) {
  ct_error *error = NULL;
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  ct_progress progress;
  ct_job_begin_stage(job, CT_STAGE_BACKPROJECTING, 10);
  usleep(2000);
  ct_job_advance(job, 4);
  ct_job_add_updates(job, 5e6);
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_BACKPROJECTING && progress.done == 4 && progress.total == 10);
  CHECK(progress.gups > 0 && progress.remaining > 0 && progress.elapsed >= 0.002);
  ct_job_begin_stage(job, CT_STAGE_WRITING, 2);
  ct_job_get_progress(job, &progress);
  CHECK(progress.done == 0 && progress.remaining < 0 && progress.gups > 0);
  ct_job_free(job);
}

static void *worker(void *data) {
  ct_job *job = data;
  return (void *)(intptr_t)ct_job_checkpoint(job);
}

static void a_pause_ends_with_resume_or_cancel(void) {
  ct_error *error = NULL;
  for (int way = 0; way < 3; way++) {
    ct_job *job = ct_job_new(&error);
    CHECK_OK(job);
    ct_job_set_paused(job, true);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, worker, job) == 0);
    usleep(3000);
    ct_progress progress;
    ct_job_get_progress(job, &progress);
    CHECK(progress.paused);
    if (way == 0) ct_job_set_paused(job, false);
    if (way == 1) ct_job_cancel(job);
    if (way == 2) ct_job_finish_early(job);
    void *result;
    pthread_join(thread, &result);
    CHECK((intptr_t)result == (way == 0 ? CT_JOB_GO : way == 1 ? CT_JOB_CANCEL : CT_JOB_FINISH_EARLY));
    ct_job_get_progress(job, &progress);
    CHECK(!progress.paused);
    ct_job_free(job);
  }
}

typedef struct {
  ct_job *job;
  pthread_t thread;
  int shown, until;
  bool in_worker;
} shower;

/* Asks for itself again, as whoever watches would, until it has been shown often enough. */
static void show(void *user) {
  shower *s = user;
  s->in_worker = pthread_equal(pthread_self(), s->thread);
  if (++s->shown == s->until) ct_job_set_paused(s->job, false);
  ct_job_look(s->job);
}

static void a_pause_can_be_looked_at(void) {
  ct_error *error = NULL;
  shower s = {.job = ct_job_new(&error), .thread = pthread_self(), .until = 3};
  CHECK_OK(s.job);
  ct_job_set_show(s.job, show, &s);
  ct_job_look(s.job);
  CHECK(ct_job_checkpoint(s.job) == CT_JOB_GO && s.shown == 0); /* not paused */
  ct_job_set_paused(s.job, true);
  ct_job_stay_awake(s.job, true);
  CHECK(ct_job_checkpoint(s.job) == CT_JOB_GO && s.shown == 0); /* a team is at work */
  ct_job_stay_awake(s.job, false);
  CHECK(ct_job_checkpoint(s.job) == CT_JOB_GO && s.shown == 3 && s.in_worker);
  ct_job_stay_awake(NULL, true);
  ct_job_set_show(s.job, NULL, NULL);
  ct_job_look(NULL);
  ct_job_free(s.job);
}

typedef struct {
  ct_job *job;
  atomic_int shown;
} counter;

static void count_show(void *user) {
  atomic_fetch_add(&((counter *)user)->shown, 1);
}

static void *sleep_and_show(void *data) {
  counter *c = data;
  ct_job_set_show(c->job, count_show, c);
  ct_job_checkpoint(c->job);
  return NULL;
}

/* At most 20 s. */
static bool wait_shown(counter *c, int times) {
  for (int i = 0; i < 20000 && atomic_load(&c->shown) < times; i++) usleep(1000);
  return atomic_load(&c->shown) == times;
}

static void looks_come_from_another_thread(void) {
  ct_error *error = NULL;
  counter c = {.job = ct_job_new(&error)};
  pthread_t thread;
  CHECK_OK(c.job);
  ct_job_set_paused(c.job, true);
  CHECK(pthread_create(&thread, NULL, sleep_and_show, &c) == 0);
  bool shown = wait_shown(&c, 1);
  for (int i = 2; i < 6; i++) {
    ct_job_look(c.job);
    shown = wait_shown(&c, i) && shown;
  }
  ct_job_set_paused(c.job, false);
  pthread_join(thread, NULL);
  CHECK(shown && atomic_load(&c.shown) == 5);
  ct_job_free(c.job);
}

static void the_machine_describes_itself(void) {
  CHECK(ct_thread_count() >= 1);
  const double before = ct_now();
  CHECK(ct_now() >= before);
  CHECK(ct_memory_total() == 0 || ct_memory_available() <= ct_memory_total());
  CHECK(ct_memory_resident() > 0);
}

static void warnings_are_kept_once(void) {
  ct_warnings *w = calloc(2, sizeof *w);
  ct_warnings_add(NULL, CT_WARNING_ARC, "nobody listens");
  for (int i = 0; i < 2; i++) ct_warnings_add(w, CT_WARNING_CENTRE, "column %d", 7);
  ct_warnings_add(w, CT_WARNING_ARC, "%d degrees", 90);
  CHECK(w->count == 2 && ct_warnings_find(w, CT_WARNING_ARC) == &w->items[1] &&
        !ct_warnings_find(w, CT_WARNING_PIXELS));
  ct_warnings_join(w + 1, w);
  ct_warnings_join(w + 1, w);
  CHECK(w[1].count == 2);
  for (int i = 0; i < 2 * CT_WARNINGS_MOST; i++) ct_warnings_add(w, CT_WARNING_VIEWS, "view %d", i);
  CHECK(w->count == CT_WARNINGS_MOST && strcmp(w->items[CT_WARNINGS_MOST - 1].text, "view 47") == 0);
  /* A long text is cut between characters. */
  char longer[3 * CT_WARNING_TEXT] = "x";
  for (int i = 0; i < CT_WARNING_TEXT; i++) strcat(longer, "\xc2\xb5");
  *w = (ct_warnings){0};
  ct_warnings_add(w, CT_WARNING_VIEWS, "%s", longer);
  const size_t length = strlen(w->items[0].text);
  CHECK(length >= CT_WARNING_TEXT - 4 && length % 2 == 1 && (unsigned char)w->items[0].text[length - 1] == 0xb5);
  free(w);
}

static const ct_test tests[] = {
    {"errors keep the first cause", errors_keep_the_first_cause},
    {"foreign text is shown in one line of UTF-8", foreign_text_is_shown_in_one_line_of_utf8},
    {"long messages are cut, not overrun", long_messages_are_cut_not_overrun},
    {"sizes are checked", sizes_are_checked},
    {"allocations are aligned and cleared", allocations_are_aligned_and_cleared},
    {"quantities read well", quantities_read_well},
    {"requests have their order", requests_have_their_order},
    {"progress counts", progress_counts},
    {"a pause ends with resume, cancel or finish", a_pause_ends_with_resume_or_cancel},
    {"a paused job shows what it has when it falls asleep and when asked", a_pause_can_be_looked_at},
    {"a look from another thread is answered once", looks_come_from_another_thread},
    {"the machine describes itself", the_machine_describes_itself},
    {"warnings are kept, each once", warnings_are_kept_once},
};
CT_TEST_MAIN(tests)
