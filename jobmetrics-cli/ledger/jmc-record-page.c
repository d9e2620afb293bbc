/* jmc-record-page.c: all that a record says of a job, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-record-page.h"

#include <string.h>

#include "core/jm-job-record-private.h"
#include "ledger/jmc-profile-plot.h"
#include "pages/jmc-job-identity.h"
#include "pages/jmc-job-page.h"
#include "pages/jmc-pairs.h"
#include "report/jm-job-id.h"
#include "report/jm-record-field-private.h"

#define INDENT 2

static void
append_table (GString *text, JmcTable *table)
{
  g_autofree char *lines = NULL;

  jmc_table_set_indent (table, INDENT);
  lines = jmc_table_render (table, 0, FALSE);
  g_string_append (text, lines);
}

/* --- who it was --- */

/* What is not known of a record is left out. */
static void
add_field (JmcTable *table, JmJobRecord *record, const char *title, const char *name)
{
  JmRecordField field;
  char *text = NULL;

  if (jm_record_field_from_name (name, &field))
    text = jm_record_field_format (&field, record);
  if (text != NULL)
    jmc_pairs_take (table, title, text);
}

static const char *
describe_state (JmRunState state)
{
  switch (state)
    {
    case JM_RUN_STATE_RUNNING:
      return "running";
    case JM_RUN_STATE_LOST:
      return "lost: it ended while no exporter ran";
    case JM_RUN_STATE_ENDED:
    default:
      return "ended";
    }
}

static void
append_identity (GString *text, JmJobRecord *record, gboolean color)
{
  g_autoptr (JmcTable) table = jmc_pairs_new ();
  JmJob *job = jm_job_record_get_job (record);
  g_autofree char *id = jm_job_format_id (job);
  g_autofree char *title = g_strconcat ("Job ", id, NULL);

  jmc_job_identity_add (table, job);
  add_field (table, record, "Node", "node");
  jmc_pairs_add (table, "State", describe_state (jm_job_record_get_state (record)));
  add_field (table, record, "Began", "begin");
  add_field (table, record, "Ended", "ended");
  add_field (table, record, "Elapsed", "elapsed");
  add_field (table, record, "Efficiency", "eff");
  jmc_job_identity_add_uuid (table, job);
  jmc_job_identity_add_origins (table, job);

  jmc_job_page_append_title (text, title, color);
  append_table (text, table);
}

/* --- how much of it was observed --- */

static const char *
describe_method (JmTotalMethod method)
{
  switch (method)
    {
    case JM_TOTAL_METHOD_FINAL:
      return "read when its last process had gone";
    case JM_TOTAL_METHOD_LAST:
      return "as read last before its end; the rest is lost";
    case JM_TOTAL_METHOD_CHECKPOINT:
      return "as stored last, before the exporter or the node ended";
    case JM_TOTAL_METHOD_UNKNOWN:
    default:
      return NULL;
    }
}

/* `energy.package.0` is the energy of socket 0. */
static char *
describe_what (const char *what)
{
  g_auto (GStrv) parts = g_strsplit (what, ".", -1);

  if (g_str_equal (what, "life"))
    return g_strdup ("Life");
  if (g_str_equal (what, "cpu"))
    return g_strdup ("CPU time");
  if (g_str_equal (parts[0], "energy"))
    {
      g_autofree char *rest = g_strjoinv (" ", parts + 1);

      return g_strdup_printf ("Energy%s%s", parts[1] != NULL ? ", " : "", rest);
    }

  return g_strdup (what);
}

static void
append_coverage (GString *text, JmJobRecord *record, gboolean color)
{
  static const JmcColumn columns[] = {
    { NULL, JMC_ALIGN_LEFT },
    { NULL, JMC_ALIGN_RIGHT },
    { NULL, JMC_ALIGN_LEFT },
  };
  g_autoptr (JmcTable) table = jmc_table_new (columns, G_N_ELEMENTS (columns));
  const gboolean is_running = jm_job_record_get_state (record) == JM_RUN_STATE_RUNNING;
  guint n;
  const JmCoverage *all = jm_job_record_get_coverages (record, &n);

  if (n == 0)
    return;

  for (guint i = 0; i < n; i++)
    {
      jmc_table_take (table, describe_what (all[i].what));
      jmc_table_take (table,
                      jm_format_to_string (JM_FORMAT_PERCENT, 100 * all[i].ratio));
      jmc_table_add (table, is_running ? "so far" : describe_method (all[i].method));
    }
  jmc_job_page_append_title (text, "How much of it was observed", color);
  append_table (text, table);
}

/* --- its course --- */

static void
append_profile (GString *text, JmJobRecord *record, const JmcRecordStyle *style)
{
  JmJobProfile *profile = jm_job_record_get_profile (record);
  g_autoptr (JmcTable) table = NULL;
  g_autofree char *interval = NULL;
  g_autofree char *title = NULL;

  /* one point says no more than the totals */
  if (profile == NULL || jm_job_profile_get_n_points (profile) < 2)
    return;

  table = jmc_profile_plot_make_table (profile, style->width, style->is_ascii);
  if (jmc_table_get_n_rows (table) == 0)
    return;

  interval = jm_format_to_string (JM_FORMAT_DURATION,
                                  (double) jm_job_profile_get_interval (profile) /
                                    G_USEC_PER_SEC);
  title = g_strdup_printf ("Over its life (%u points of %s)",
                           jm_job_profile_get_n_points (profile), interval);
  jmc_job_page_append_title (text, title, style->color);
  append_table (text, table);
}

/* What is not known is left out. */
char *
jmc_record_page_render (JmJobRecord *record, const JmcRecordStyle *style)
{
  GString *text = g_string_new (NULL);

  append_identity (text, record, style->color);
  append_coverage (text, record, style->color);
  jmc_job_page_append_figures (text, jm_job_record_get_snapshot (record),
                               JM_RECORD_SUBJECT, style->depth, style->color);
  append_profile (text, record, style);

  return g_string_free (text, FALSE);
}
