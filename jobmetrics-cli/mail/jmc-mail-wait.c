/* jmc-mail-wait.c: a report that may come late, or not at all
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-wait.h"

#include "accounts/jmc-accounts-place.h"
#include "core/jm-error.h"

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
  gint64 whole_us;    /* until then more may be told of it */
  JmcMailReport report;
  GError *error;
  gboolean is_done;
} Question;

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
hurry (JmcAccountsSource *source)
{
  g_autoptr (GError) error = NULL;

  if (!jmc_accounts_source_refresh (source, &error))
    g_debug ("%s", error->message);
}

static gboolean
ask (Question *self, JmcMailReport *report, GError **error)
{
  g_autoptr (JmcAccountsSource) source = jmc_accounts_place_find (self->options, error);

  if (source == NULL)
    return FALSE;
  self->wanted.wants_whole = g_get_monotonic_time () < self->whole_us;
  if (jmc_mail_report_make (self->options, source, &self->wanted, report, error))
    return TRUE;
  hurry (source);

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
                   "%s: the accounts do not answer", wanted->job);
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
