/* jmc-mail-report.c: the report of a run for a mail, which may come late
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-parts.h"

#include <string.h>

#include "archive/jmc-archive-options.h"
#include "base/jm-error.h"
#include "judge/jm-run-verdict.h"
#include "mail/jmc-mail-log.h"
#include "report/jmc-report-rules.h"
#include "report/page/jm-report-html-private.h"
#include "report/page/jm-report.h"

/* Runs of one id that are looked at: requeues, and ids that came again. */
#define MAX_RUNS 1000

/* Schedulers round. */
#define START_SLACK_S 2

/* A run that ended longer ago is not the one of which a scheduler writes now. */
#define MAX_AGE_S 3600

/* What one answer may take. */
#define PATIENCE_US (10 * G_USEC_PER_SEC)

#define FIRST_PAUSE_US (G_USEC_PER_SEC / 4)
#define MAX_PAUSE_US (5 * G_USEC_PER_SEC)

/* Shared by the thread that asks and the one that waits, whoever is last. */
typedef struct
{
  GMutex mutex;
  GCond condition;
  const JmcOptions *options;
  JmcMailRun wanted;
  gint64 deadline_us; /* of questions */
  gint64 whole_us;    /* until then more may become known */
  JmcMailReport report;
  GError *error;
  gboolean is_done;
} Question;

void
jmc_mail_report_clear (JmcMailReport *self)
{
  g_clear_pointer (&self->verdict, g_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->html, g_free);
  g_clear_pointer (&self->pictures, g_ptr_array_unref);
  g_clear_pointer (&self->pdf, g_bytes_unref);
}

/* --- which run --- */

typedef struct
{
  const JmcMailRun *wanted;
  JmRun *newest;
} Choice;

static gint64
get_time (JmRun *run, const char *quantity)
{
  return (gint64) jm_run_get_figure (run, quantity).value;
}

/* The first part of a heterogeneous job stands for all of it. */
static gboolean
is_job (JmRun *run, const char *job)
{
  const char *id = jm_run_get_text (run, "jobid");
  const gsize length = strlen (job);

  return g_str_equal (id, job) || g_str_equal (jm_run_get_text (run, "raw_id"), job) ||
         (g_str_has_prefix (id, job) && g_str_equal (id + length, "+0"));
}

static gboolean
is_meant (JmRun *run, const JmcMailRun *wanted)
{
  const char *user = jm_run_get_text (run, "user");
  const gint64 start = get_time (run, "start_time");

  if (!is_job (run, wanted->job))
    return FALSE;
  /* what is known of another's job is nobody's business */
  if (wanted->user != NULL && user != NULL && !g_str_equal (user, wanted->user))
    return FALSE;

  return wanted->start_time == 0 || ABS (start - wanted->start_time) <= START_SLACK_S;
}

static void
on_run (JmRun *run, gpointer data)
{
  Choice *self = data;

  if (!is_meant (run, self->wanted) ||
      (self->newest != NULL &&
       get_time (run, "start_time") <= get_time (self->newest, "start_time")))
    return;

  g_clear_pointer (&self->newest, jm_run_unref);
  self->newest = jm_run_ref (run);
}

/* A run that was requeued, or that had the same id, may be known before the one that is
 * meant. */
static gboolean
check_end (JmRun *run, const JmcMailRun *wanted, GError **error)
{
  const char *state = jm_run_get_text (run, "state");
  const gint64 end = get_time (run, "end_time");
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  /* a node may report the end before the scheduler reports how it ended */
  if (end == 0 || (wanted->wants_whole && g_strcmp0 (state, "ENDED") == 0))
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: the archive does not know yet that it ended", wanted->job);
  else if (wanted->start_time == 0 && end < now - MAX_AGE_S)
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: the archive knows of an earlier run alone", wanted->job);
  else
    return TRUE;

  return FALSE;
}

static JmRun *
choose (JmArchive *archive, const JmcMailRun *wanted, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  Choice choice = { .wanted = wanted };
  g_autoptr (JmRun) newest = NULL;
  gboolean is_read;

  jm_run_filter_set_sort (filter, "-start", NULL);
  jm_run_filter_set_job (filter, wanted->job);
  jm_run_filter_set_cluster (filter, wanted->cluster);
  is_read =
    jm_archive_read_runs (archive, filter, MAX_RUNS, on_run, &choice, NULL, error);
  newest = choice.newest;
  if (!is_read)
    return NULL;
  if (newest == NULL || jm_run_get_text (newest, "uuid") == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such job in the archive",
                   wanted->job);
      return NULL;
    }

  return check_end (newest, wanted, error) ? g_steal_pointer (&newest) : NULL;
}

/* --- the report --- */

/* A report without advice is worth more than none. */
static GPtrArray *
judge (const JmcOptions *options, JmRunReport *report)
{
  g_autoptr (JmRunRules) rules = jmc_report_rules_open (options, jmc_mail_log_complain);

  return rules != NULL ? jm_run_rules_judge (rules, report) : NULL;
}

static char *
make_verdict (JmRunReport *report, GPtrArray *advice)
{
  g_autoptr (JmRunVerdict) verdict =
    advice != NULL ? jm_run_verdict_new (report, advice) : NULL;

  return verdict != NULL ? jm_run_verdict_to_string (verdict) : NULL;
}

static char *
make_text (JmRunReport *report, GPtrArray *advice, const char *link)
{
  g_autofree char *text = jm_run_report_to_text (report, advice, 0, FALSE);

  return g_strconcat (text, link != NULL ? "\nAs a page: " : NULL, link, "\n", NULL);
}

static GBytes *
make_pdf (JmRunReport *report, GPtrArray *advice)
{
  g_autoptr (GError) error = NULL;
  GBytes *pdf = jm_run_report_to_pdf (report, advice, &error);

  if (pdf == NULL)
    jmc_mail_log_complain ("no PDF: %s", error->message);

  return pdf;
}

/* What nodes measured comes later than the scheduler's report of the end. */
static gboolean
check_nodes (JmRunReport *report, const JmcMailRun *wanted, GError **error)
{
  if (!wanted->wants_whole || jm_run_report_is_whole (report))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: its nodes have not reported its end yet", wanted->job);

  return FALSE;
}

gboolean
jmc_mail_report_make (const JmcOptions *options,
                      JmArchive *archive,
                      const JmcMailRun *wanted,
                      JmcMailReport *mail,
                      GError **error)
{
  g_autoptr (JmRun) run = choose (archive, wanted, error);
  g_autoptr (JmRunReport) report = NULL;
  g_autoptr (GPtrArray) advice = NULL;
  g_autofree char *link = NULL;

  if (run == NULL)
    return FALSE;
  report = jm_archive_read_report (archive, jm_run_get_text (run, "uuid"), NULL, error);
  if (report == NULL || !check_nodes (report, wanted, error))
    return FALSE;

  jmc_archive_options_add_series (archive, report);
  jmc_archive_options_add_siblings (archive, report);
  advice = judge (options, report);
  mail->verdict = make_verdict (report, advice);
  if (jm_archive_get_url (archive) != NULL)
    link = g_strconcat (jm_archive_get_url (archive), "/job/",
                        jm_run_get_text (run, "uuid"), NULL);
  mail->text = make_text (report, advice, link);
  mail->pictures = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  mail->html = jm_report_html_format_mail (report, advice, link, mail->pictures);
  if (wanted->wants_pdf)
    mail->pdf = make_pdf (report, advice);

  return TRUE;
}

/* Behind <body>, or in front of what has none. */
static char *
insert (const char *html, const char *text)
{
  const char *body = strstr (html, "<body");
  const char *end = body != NULL ? strchr (body, '>') : NULL;
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  const gsize n_before = end != NULL ? (gsize) (end + 1 - html) : 0;

  return g_strdup_printf ("%.*s\n<pre>%s</pre>\n%s", (int) n_before, html, escaped,
                          html + n_before);
}

void
jmc_mail_report_prepend (JmcMailReport *self, const char *text)
{
  g_autofree char *plain = self->text;
  g_autofree char *html = self->html;

  self->text = g_strconcat (text, plain, NULL);
  if (html != NULL)
    self->html = insert (html, text);
}

/* --- the wait for it --- */

static void
question_clear (gpointer data)
{
  Question *self = data;

  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->condition);
  jmc_mail_report_clear (&self->report);
  g_clear_error (&self->error);
  g_free ((char *) self->wanted.job);
  g_free ((char *) self->wanted.cluster);
  g_free ((char *) self->wanted.user);
}

static void
question_unref (Question *self)
{
  g_atomic_rc_box_release_full (self, question_clear);
}

/* --- the thread that asks --- */

/* Who may not ask for that waits for the server's next interval. */
static void
hurry (JmArchive *archive)
{
  g_autoptr (GError) error = NULL;

  if (!jm_archive_refresh (archive, NULL, &error))
    g_debug ("%s", error->message);
}

static gboolean
ask (Question *self, JmcMailReport *report, GError **error)
{
  g_autoptr (JmArchive) archive = jmc_archive_options_find (self->options, error);

  if (archive == NULL)
    return FALSE;
  self->wanted.wants_whole = g_get_monotonic_time () < self->whole_us;
  if (jmc_mail_report_make (self->options, archive, &self->wanted, report, error))
    return TRUE;
  hurry (archive);

  return FALSE;
}

static gboolean
may_come (const GError *error)
{
  return g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) ||
         g_error_matches (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

static gpointer
run (gpointer data)
{
  Question *self = data;
  JmcMailReport report = { 0 };
  GError *error = NULL;
  gint64 pause_us = FIRST_PAUSE_US;

  while (!ask (self, &report, &error) && may_come (error) &&
         g_get_monotonic_time () + pause_us <= self->deadline_us)
    {
      g_clear_error (&error);
      g_usleep ((gulong) pause_us);
      pause_us = MIN (pause_us * 2, MAX_PAUSE_US);
    }

  g_mutex_lock (&self->mutex);
  self->report = report;
  self->error = error;
  self->is_done = TRUE;
  g_cond_signal (&self->condition);
  g_mutex_unlock (&self->mutex);
  question_unref (self);

  return NULL;
}

/* --- the thread that waits --- */

static Question *
question_new (const JmcOptions *options, const JmcMailRun *wanted, guint wait_ms)
{
  Question *self = g_atomic_rc_box_new0 (Question);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->condition);
  self->options = options;
  self->wanted = *wanted;
  self->wanted.job = g_strdup (wanted->job);
  self->wanted.cluster = g_strdup (wanted->cluster);
  self->wanted.user = g_strdup (wanted->user);
  self->whole_us = g_get_monotonic_time () + (gint64) wait_ms * 500;
  self->deadline_us = g_get_monotonic_time () + (gint64) wait_ms * 1000;

  return self;
}

/* Whether it is answered. */
static gboolean
wait_for (Question *self)
{
  gboolean is_done;

  g_mutex_lock (&self->mutex);
  while (!self->is_done && g_cond_wait_until (&self->condition, &self->mutex,
                                              self->deadline_us + PATIENCE_US))
    ;
  is_done = self->is_done;
  g_mutex_unlock (&self->mutex);

  return is_done;
}

gboolean
jmc_mail_wait_for_report (const JmcOptions *options,
                          const JmcMailRun *wanted,
                          guint wait_ms,
                          JmcMailReport *report,
                          gboolean *is_stuck,
                          GError **error)
{
  Question *self = question_new (options, wanted, wait_ms);
  GThread *thread = g_thread_new ("report", run, g_atomic_rc_box_acquire (self));

  *is_stuck = !wait_for (self);
  if (*is_stuck)
    {
      g_thread_unref (thread);
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: the archive does not answer", wanted->job);
    }
  else
    {
      g_thread_join (thread);
      *report = self->report;
      self->report = (JmcMailReport){ 0 };
      if (self->error != NULL)
        g_propagate_error (error, g_steal_pointer (&self->error));
    }
  question_unref (self);

  return report->text != NULL;
}
