/* jme-completeness.c: how many runs have the records of all their nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-completeness.h"

#include "archive/jm-archive-database-private.h"

#define DAY_SECONDS 86400
#define DELAY_SECONDS 3600
/* How often runs are counted: that reads all of a week. */
#define PAUSE_SECONDS 300
#define N_DAYS 7

struct _JmeCompleteness
{
  GMutex lock;
  GArray *list; /* of JmRunCompleteness; NULL before the first */
  gint64 until;
};

static const struct
{
  const char *name;
  const char *help;
  gsize offset; /* of a gint64 of JmRunCompleteness */
} families[] = {
  { "jobmetrics_server_ended_runs",
    "Runs of the accounting that ended within a day, an hour ago at least.",
    G_STRUCT_OFFSET (JmRunCompleteness, n_ended) },
  { "jobmetrics_server_complete_runs",
    "Of these, runs that have the records of all their nodes.",
    G_STRUCT_OFFSET (JmRunCompleteness, n_complete) },
};

JmeCompleteness *
jme_completeness_new (void)
{
  JmeCompleteness *self = g_new0 (JmeCompleteness, 1);

  g_mutex_init (&self->lock);

  return self;
}

void
jme_completeness_free (JmeCompleteness *self)
{
  g_clear_pointer (&self->list, g_array_unref);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gboolean
jme_completeness_measure (JmeCompleteness *self,
                          JmArchiveDatabase *store,
                          GError **error)
{
  gint64 until = g_get_real_time () / G_USEC_PER_SEC - DELAY_SECONDS;
  GArray *list;

  /* a clock that was set back counts anew */
  if (self->list != NULL && until >= self->until && until < self->until + PAUSE_SECONDS)
    return TRUE;
  list = jm_archive_database_list_completeness (store, until, N_DAYS, error);
  if (list == NULL)
    return FALSE;

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->list, g_array_unref);
  self->list = list;
  self->until = until;
  g_mutex_unlock (&self->lock);

  return TRUE;
}

/* --- figures --- */

static void
append_family (JmeCompleteness *self, guint family, JmTextWriter *writer)
{
  jm_text_writer_begin_family (writer, JM_FAMILY_KIND_GAUGE, families[family].name,
                               families[family].help);
  for (guint i = 0; i < self->list->len; i++)
    {
      const JmRunCompleteness *row = &g_array_index (self->list, JmRunCompleteness, i);

      if (row->days_ago > 0)
        continue;
      jm_text_writer_begin_sample (writer);
      jm_text_writer_add_label (writer, "cluster", row->cluster);
      jm_text_writer_end_with_uint64 (writer,
                                      (guint64)
                                        G_STRUCT_MEMBER (gint64, row,
                                                         families[family].offset));
    }
}

void
jme_completeness_append_figures (JmeCompleteness *self,
                                 JmMetricSelection *selection,
                                 JmTextWriter *writer)
{
  g_mutex_lock (&self->lock);
  for (guint i = 0; self->list != NULL && i < G_N_ELEMENTS (families); i++)
    if (jm_metric_selection_has_name (selection, families[i].name))
      append_family (self, i, writer);
  g_mutex_unlock (&self->lock);
}

gboolean
jme_completeness_match_figures (const char *pattern)
{
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_pattern_match_simple (pattern, families[i].name))
      return TRUE;

  return FALSE;
}

/* --- state --- */

void
jme_completeness_append_state (JmeCompleteness *self, JmJsonWriter *json)
{
  jm_json_writer_begin_array (json, "completeness");
  g_mutex_lock (&self->lock);
  for (guint i = 0; self->list != NULL && i < self->list->len; i++)
    {
      const JmRunCompleteness *row = &g_array_index (self->list, JmRunCompleteness, i);

      jm_json_writer_begin_object (json, NULL);
      jm_json_writer_add_text (json, "cluster", row->cluster);
      jm_json_writer_add_int (json, "since_time",
                              self->until - (row->days_ago + 1) * DAY_SECONDS);
      jm_json_writer_add_int (json, "ended_runs", row->n_ended);
      jm_json_writer_add_int (json, "complete_runs", row->n_complete);
      jm_json_writer_end_object (json);
    }
  g_mutex_unlock (&self->lock);
  jm_json_writer_end_array (json);
}
