/* jmc-alert-plan.c: who gets which notice today
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-alert-plan.h"

#include "base/jm-natural-order-private.h"
#include "base/jm-text-table-private.h"
#include "core/jm-format.h"

static void
letter_free (gpointer data)
{
  JmcAlertLetter *self = data;

  g_ptr_array_unref (self->findings);
  g_free (self);
}

static JmcAlertLetter *
letter_new (const char *user)
{
  JmcAlertLetter *self = g_new0 (JmcAlertLetter, 1);

  self->user = user;
  self->findings = g_ptr_array_new ();

  return self;
}

/* By user, then by job, then by kind. */
static int
compare (gconstpointer a, gconstpointer b)
{
  const JmcAlertFinding *left = *(const JmcAlertFinding *const *) a;
  const JmcAlertFinding *right = *(const JmcAlertFinding *const *) b;
  int order = g_strcmp0 (left->user, right->user);

  if (order == 0)
    order = g_strcmp0 (left->cluster, right->cluster);
  if (order == 0)
    order = jm_natural_order_compare (left->job, right->job);

  return order != 0 ? order : g_strcmp0 (left->kind, right->kind);
}

GPtrArray *
jmc_alert_plan_make (GPtrArray *findings, JmcAlertState *state, gint64 since)
{
  GPtrArray *letters = g_ptr_array_new_with_free_func (letter_free);
  JmcAlertLetter *letter = NULL;

  g_ptr_array_sort (findings, compare);
  for (guint i = 0; i < findings->len; i++)
    {
      JmcAlertFinding *finding = findings->pdata[i];

      if (finding->idle == NULL &&
          jmc_alert_state_get (state, finding->user, finding->kind) > since)
        continue;
      if (letter == NULL || !g_str_equal (letter->user, finding->user))
        {
          letter = letter_new (finding->user);
          g_ptr_array_add (letters, letter);
        }
      g_ptr_array_add (letter->findings, finding);
    }

  return letters;
}

void
jmc_alert_letter_mark (JmcAlertLetter *self, JmcAlertState *state, gint64 time)
{
  for (guint i = 0; i < self->findings->len; i++)
    {
      const JmcAlertFinding *finding = self->findings->pdata[i];

      if (finding->idle == NULL)
        jmc_alert_state_set (state, finding->user, finding->kind, time);
    }
}

/* --- a letter --- */

static guint
count_jobs (const JmcAlertLetter *self)
{
  const char *last = NULL;
  guint n = 0;

  for (guint i = 0; i < self->findings->len; i++)
    {
      const JmcAlertFinding *finding = self->findings->pdata[i];

      n += g_strcmp0 (last, finding->job) != 0;
      last = finding->job;
    }

  return n;
}

char *
jmc_alert_letter_make_subject (const JmcAlertLetter *self)
{
  const guint n_jobs = count_jobs (self);
  const JmcAlertFinding *first = self->findings->pdata[0];

  return n_jobs == 1 ? g_strdup_printf ("Your job %s needs a look", first->job)
                     : g_strdup_printf ("%u of your jobs need a look", n_jobs);
}

static char *
make_title (const JmcAlertFinding *finding)
{
  return g_strconcat ("Job ", finding->job, finding->cluster != NULL ? " on " : "",
                      finding->cluster != NULL ? finding->cluster : "", NULL);
}

/* Whether it is about more than notices, whose steps are timed by their policies. */
static gboolean
has_advice (const JmcAlertLetter *self)
{
  for (guint i = 0; i < self->findings->len; i++)
    if (((const JmcAlertFinding *) self->findings->pdata[i])->idle == NULL)
      return TRUE;

  return FALSE;
}

static char *
make_foot (const JmcAlertLetter *self, guint quiet_days)
{
  const guint n_more = self->findings->len > JMC_ALERT_MAX_FINDINGS
                         ? self->findings->len - JMC_ALERT_MAX_FINDINGS
                         : 0;
  g_autofree char *more =
    n_more > 0 ? g_strdup_printf ("And %u more. ", n_more) : g_strdup ("");

  return quiet_days > 0 && has_advice (self)
           ? g_strdup_printf ("%sYou will get no mail of the same kind "
                              "again for %u days.",
                              more, quiet_days)
           : g_strdup (more);
}

static const char *
get_head (void)
{
  return "Something about these running jobs of yours is worth a change:";
}

char *
jmc_alert_letter_make_text (const JmcAlertLetter *self, guint quiet_days)
{
  GString *text = g_string_new (get_head ());
  g_autofree char *foot = make_foot (self, quiet_days);

  g_string_append (text, "\n");
  for (guint i = 0; i < MIN (self->findings->len, JMC_ALERT_MAX_FINDINGS); i++)
    {
      const JmcAlertFinding *finding = self->findings->pdata[i];
      g_autofree char *title = make_title (finding);
      g_auto (GStrv) lines = g_strsplit (finding->text, "\n", -1);
      g_autofree char *indented = g_strjoinv ("\n  ", lines);

      g_string_append_printf (text, "\n%s\n  %s\n", title, indented);
    }
  if (*foot != '\0')
    g_string_append_printf (text, "\n%s\n", foot);

  return g_string_free (text, FALSE);
}

char *
jmc_alert_letter_make_html (const JmcAlertLetter *self, guint quiet_days)
{
  GString *html = g_string_new ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>"
                                "<meta charset=\"utf-8\"></head>\n<body>\n");
  g_autofree char *foot = make_foot (self, quiet_days);

  g_string_append_printf (html, "<p>%s</p>\n<dl>\n", get_head ());
  for (guint i = 0; i < MIN (self->findings->len, JMC_ALERT_MAX_FINDINGS); i++)
    {
      const JmcAlertFinding *finding = self->findings->pdata[i];
      g_autofree char *title = make_title (finding);
      g_autofree char *row =
        g_markup_printf_escaped ("<dt><b>%s</b></dt>\n<dd style=\"white-space: "
                                 "pre-line\">%s</dd>\n",
                                 title, finding->text);

      g_string_append (html, row);
    }
  g_string_append_printf (html, "</dl>\n<p>%s</p>\n</body>\n</html>\n", foot);

  return g_string_free (html, FALSE);
}

/* --- for administrators --- */

static char *
format_time (gint64 time)
{
  return time == 0 ? NULL : jm_format_to_string (JM_FORMAT_TIME, (double) time);
}

char *
jmc_alert_plan_make_report (GPtrArray *findings, JmcAlertState *state)
{
  static const JmTextColumn columns[] = {
    { "USER", JM_TEXT_ALIGN_LEFT },   { "CLUSTER", JM_TEXT_ALIGN_LEFT },
    { "JOB", JM_TEXT_ALIGN_LEFT },    { "KIND", JM_TEXT_ALIGN_LEFT },
    { "MAILED", JM_TEXT_ALIGN_LEFT }, { "ADVICE", JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  g_ptr_array_sort (findings, compare);
  for (guint i = 0; i < findings->len; i++)
    {
      const JmcAlertFinding *finding = findings->pdata[i];

      jm_text_table_take (table, g_strdup (finding->user));
      jm_text_table_take (table, g_strdup (finding->cluster));
      jm_text_table_take (table, g_strdup (finding->job));
      jm_text_table_take (table, g_strdup (finding->kind));
      jm_text_table_take (table, format_time (jmc_alert_state_get (state, finding->user,
                                                                   finding->kind)));
      jm_text_table_take (table, g_strdup (finding->text));
    }

  return jm_text_table_render (table, 0, FALSE);
}
