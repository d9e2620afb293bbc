/* jm-scheduler-report.c: what a scheduler told of its jobs and nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-scheduler-report-private.h"

#define CHUNK_SIZE 65536
/* Of a line that cannot be read. */
#define QUOTE_MAX 80

struct _JmSchedulerReport
{
  GStringChunk *words;
  GArray *jobs;
  GArray *nodes;
  GArray *gpus;
  GHashTable *places; /* of nodes, by name; one more, since NULL is none */
  GString *word;      /* the one that is looked for, with a NUL */
  guint n_complaints;
  char *complaint;
};

JmSchedulerReport *
jm_scheduler_report_new (void)
{
  JmSchedulerReport *self = g_new0 (JmSchedulerReport, 1);

  self->words = g_string_chunk_new (CHUNK_SIZE);
  self->jobs = g_array_new (FALSE, TRUE, sizeof (JmSchedulerJob));
  self->nodes = g_array_new (FALSE, TRUE, sizeof (JmSchedulerNode));
  self->gpus = g_array_new (FALSE, FALSE, sizeof (JmSchedulerGpus));
  self->places = g_hash_table_new (g_str_hash, g_str_equal);
  self->word = g_string_new (NULL);

  return self;
}

void
jm_scheduler_report_free (JmSchedulerReport *self)
{
  g_hash_table_unref (self->places);
  g_string_free (self->word, TRUE);
  g_array_unref (self->gpus);
  g_array_unref (self->nodes);
  g_array_unref (self->jobs);
  g_string_chunk_free (self->words);
  g_free (self->complaint);
  g_free (self);
}

static const char *
terminate (JmSchedulerReport *self, JmSlice word)
{
  g_string_truncate (self->word, 0);
  g_string_append_len (self->word, word.text, (gssize) word.length);

  return self->word->str;
}

const char *
jm_scheduler_report_intern (JmSchedulerReport *self, JmSlice word)
{
  return word.length > 0
           ? g_string_chunk_insert_const (self->words, terminate (self, word))
           : NULL;
}

const char *
jm_scheduler_report_keep (JmSchedulerReport *self, JmSlice word)
{
  return word.length > 0
           ? g_string_chunk_insert_len (self->words, word.text, (gssize) word.length)
           : NULL;
}

JmSchedulerJob *
jm_scheduler_report_add_job (JmSchedulerReport *self)
{
  if (self->jobs->len == JM_SCHEDULER_JOBS_MAX)
    return NULL;

  g_array_set_size (self->jobs, self->jobs->len + 1);

  return &g_array_index (self->jobs, JmSchedulerJob, self->jobs->len - 1);
}

void
jm_scheduler_report_drop_last_job (JmSchedulerReport *self)
{
  g_array_set_size (self->jobs, self->jobs->len - 1);
}

JmSchedulerNode *
jm_scheduler_report_add_node (JmSchedulerReport *self)
{
  if (self->nodes->len == JM_SCHEDULER_NODES_MAX)
    return NULL;

  g_array_set_size (self->nodes, self->nodes->len + 1);

  return &g_array_index (self->nodes, JmSchedulerNode, self->nodes->len - 1);
}

guint
jm_scheduler_report_add_gpus (JmSchedulerReport *self,
                              const char *type,
                              guint64 total,
                              guint64 allocated)
{
  const JmSchedulerGpus gpus = { type, total, allocated };

  g_array_append_val (self->gpus, gpus);

  return self->gpus->len - 1;
}

JmSchedulerNode *
jm_scheduler_report_find_node (JmSchedulerReport *self, JmSlice name)
{
  guint place =
    GPOINTER_TO_UINT (g_hash_table_lookup (self->places, terminate (self, name)));

  return place > 0 ? &g_array_index (self->nodes, JmSchedulerNode, place - 1) : NULL;
}

void
jm_scheduler_report_name_node (JmSchedulerReport *self,
                               JmSchedulerNode *node,
                               JmSlice name)
{
  guint place = (guint) (node - (JmSchedulerNode *) (void *) self->nodes->data);

  node->name = jm_scheduler_report_keep (self, name);
  g_hash_table_insert (self->places, (gpointer) node->name,
                       GUINT_TO_POINTER (place + 1));
}

void
jm_scheduler_report_complain (JmSchedulerReport *self,
                              const char *problem,
                              JmSlice text)
{
  self->n_complaints++;
  if (self->complaint == NULL)
    {
      g_autofree char *quote = g_strndup (text.text, MIN (text.length, QUOTE_MAX));
      g_autofree char *escaped = g_strescape (quote, NULL);

      self->complaint = g_strdup_printf ("%s: %s", problem, escaped);
    }
}

const JmSchedulerJob *
jm_scheduler_report_get_jobs (const JmSchedulerReport *self, guint *n_jobs)
{
  *n_jobs = self->jobs->len;

  return (const JmSchedulerJob *) (const void *) self->jobs->data;
}

const JmSchedulerNode *
jm_scheduler_report_get_nodes (const JmSchedulerReport *self, guint *n_nodes)
{
  *n_nodes = self->nodes->len;

  return (const JmSchedulerNode *) (const void *) self->nodes->data;
}

const JmSchedulerGpus *
jm_scheduler_report_get_gpus (const JmSchedulerReport *self, guint place)
{
  return &g_array_index (self->gpus, JmSchedulerGpus, place);
}

guint
jm_scheduler_report_get_n_complaints (const JmSchedulerReport *self)
{
  return self->n_complaints;
}

const char *
jm_scheduler_report_get_complaint (const JmSchedulerReport *self)
{
  return self->complaint;
}
