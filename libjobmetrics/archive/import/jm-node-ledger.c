/* jm-node-ledger.c: how far a node's ledger is read, and which records may be true
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "archive/import/jm-node-ledger-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-job-record.h"
#include "core/jm-record-json-private.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-snapshot-private.h"
#include "sources/power/jm-power-bound-private.h"

#define FIRST_DELAY_US (60 * G_GINT64_CONSTANT (1000000))
#define MAX_DELAY_US (3600 * G_GINT64_CONSTANT (1000000))
#define SLACK_US G_TIME_SPAN_DAY
/* As many as Linux can be built for, where the record does not have the number of the
 * node's. A job may use more CPUs than it was given. */
#define MAX_CPUS 8192
#define NS_PER_US 1000
/* Of 52 bits, the longest physical address of x86-64 and of arm64. */
#define MAX_MEMORY_BYTES (G_GUINT64_CONSTANT (1) << 52)

/* What a job on the node of a record can use at most. */
typedef struct
{
  double elapsed_us;
  double cpus;
  double memory_bytes;
} Bounds;

char *
jm_node_ledger_make_source (const char *cluster, const char *node)
{
  return g_strdup_printf ("ledger/%s/%s", cluster, node);
}

JmNodeLedger *
jm_node_ledger_new (const char *cluster, const char *node)
{
  JmNodeLedger *self = g_new0 (JmNodeLedger, 1);

  self->cluster = g_strdup (cluster);
  self->node = g_strdup (node);
  self->source = jm_node_ledger_make_source (cluster, node);
  self->held_source = g_strdup_printf ("ledger-held/%s/%s", cluster, node);
  self->later_source = g_strdup_printf ("ledger-later/%s/%s", cluster, node);
  self->later = -1;

  return self;
}

void
jm_node_ledger_free (JmNodeLedger *self)
{
  g_free (self->cluster);
  g_free (self->node);
  g_free (self->problem);
  g_free (self->fault);
  g_free (self->url);
  g_free (self->host);
  g_free (self->source);
  g_free (self->held_source);
  g_free (self->later_source);
  g_free (self);
}

/* --- what the store has --- */

static gboolean
load_number (JmArchiveDatabase *store,
             const char *source,
             gint64 *number,
             GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = jm_archive_database_get_position (store, source, &problem);

  *number = 0;
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (text != NULL && !g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, number, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: not a position: %s",
                   source, text);
      return FALSE;
    }

  return TRUE;
}

/* `POSITION FORMAT`. What cannot be read is read as if there were none. */
static gboolean
load_later (JmNodeLedger *self, JmArchiveDatabase *store, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text =
    jm_archive_database_get_position (store, self->later_source, &problem);
  g_auto (GStrv) words = NULL;
  gint64 format;

  self->later = -1;
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  self->is_later_stored = text != NULL;
  words = g_strsplit (text != NULL ? text : "", " ", 2);
  if (g_strv_length (words) != 2 ||
      !g_ascii_string_to_signed (words[1], 10, 0, G_MAXINT64, &format, NULL) ||
      !g_ascii_string_to_signed (words[0], 10, 0, G_MAXINT64, &self->later, NULL) ||
      format == JM_RECORD_JSON_VERSION)
    return TRUE;

  self->position = MIN (self->position, (guint64) self->later);
  self->later = -1;

  return TRUE;
}

gboolean
jm_node_ledger_load (JmNodeLedger *self, JmArchiveDatabase *store, GError **error)
{
  gint64 position;

  if (!load_number (store, self->source, &position, error) ||
      !load_number (store, self->held_source, &self->held_since, error))
    return FALSE;
  self->position = (guint64) position;
  if (!load_later (self, store, error))
    return FALSE;
  self->read_to = self->position;
  self->held = 0;
  self->is_known = TRUE;

  return TRUE;
}

static guint64
find_position (const JmNodeLedger *self)
{
  return self->held != 0 ? self->held - 1 : self->read_to;
}

void
jm_node_ledger_set_positions (const JmNodeLedger *self, JmRunBatch *batch)
{
  g_autofree char *position =
    g_strdup_printf ("%" G_GUINT64_FORMAT, find_position (self));
  g_autofree char *since = g_strdup_printf ("%" G_GINT64_FORMAT, self->held_since);

  jm_run_batch_set_position (batch, self->source, position);
  jm_run_batch_set_position (batch, self->held_source, since);
  if (self->later >= 0 || self->is_later_stored)
    {
      g_autofree char *later = g_strdup_printf ("%" G_GINT64_FORMAT " %d", self->later,
                                                JM_RECORD_JSON_VERSION);

      jm_run_batch_set_position (batch, self->later_source, later);
    }
}

void
jm_node_ledger_note_stored (JmNodeLedger *self,
                            const JmLedgerPage *page,
                            gint64 asked_us)
{
  GPtrArray *records = page->records;

  self->position = find_position (self);
  if (!page->has_more)
    self->complete_us = asked_us;
  else if (records->len > 0)
    self->complete_us = jm_job_record_get_end_time (records->pdata[records->len - 1]);
}

static const char *
get_text (JmJobRecord *record, JmJobField field)
{
  const char *text = jm_job_get_field (jm_job_record_get_job (record), field);

  return text != NULL ? text : "";
}

/* --- what a node may speak about --- */

void
jm_node_ledger_set_url (JmNodeLedger *self, const char *url)
{
  g_free (self->url);
  self->url = g_strdup (url);
  g_clear_pointer (&self->host, g_free);
  g_uri_split_network (url, G_URI_FLAGS_NONE, NULL, &self->host, NULL, NULL);
}

/* With a domain or without. */
static gboolean
is_same_host (const char *one, const char *other)
{
  gsize length = strcspn (one, ".");

  if (g_hostname_is_ip_address (one) || g_hostname_is_ip_address (other) ||
      (one[length] != '\0' && other[strcspn (other, ".")] != '\0'))
    return g_ascii_strcasecmp (one, other) == 0;

  return length == strcspn (other, ".") &&
         g_ascii_strncasecmp (one, other, length) == 0;
}

static gboolean
may_be_named (const JmNodeLedger *self, GHashTable *others, const char *name)
{
  g_autofree char *source = NULL;

  if (is_same_host (self->node, name) ||
      (self->host != NULL && is_same_host (self->host, name)))
    return TRUE;
  if (!g_hostname_is_ip_address (self->node))
    return FALSE;
  source = jm_node_ledger_make_source (self->cluster, name);

  return !g_hash_table_contains (others, source);
}

/* NULL where the node may speak about it. */
static char *
find_trespass (const JmNodeLedger *self, GHashTable *others, JmJobRecord *record)
{
  const char *cluster = get_text (record, JM_JOB_FIELD_CLUSTER);
  const char *node = jm_job_record_get_node (record);

  if (*cluster != '\0' && !g_str_equal (cluster, self->cluster))
    return g_strdup_printf ("%s: it is of cluster %s, the node of %s",
                            jm_job_record_get_key (record), cluster, self->cluster);
  if (node != NULL && !may_be_named (self, others, node))
    return g_strdup_printf ("%s: it is of node %s, and was read on %s",
                            jm_job_record_get_key (record), node, self->node);

  return NULL;
}

static double
get_elapsed_us (JmJobRecord *record)
{
  gint64 end_us = jm_job_record_get_state (record) == JM_RUN_STATE_RUNNING
                    ? jm_job_record_get_seen_time (record)
                    : jm_job_record_get_end_time (record);

  return (double) end_us - (double) jm_job_record_get_begin_time (record);
}

static double
get_size (JmSnapshot *snapshot, JmMetric metric, double unknown)
{
  double size;

  return jm_snapshot_get_metric (snapshot, JM_NODE_SUBJECT, metric, &size) && size > 0
           ? size
           : unknown;
}

static Bounds
get_bounds (JmSnapshot *snapshot, double elapsed_us)
{
  return (Bounds){
    .elapsed_us = elapsed_us,
    .cpus = MIN (get_size (snapshot, JM_METRIC_NODE_CPUS, MAX_CPUS), MAX_CPUS),
    .memory_bytes =
      MIN (get_size (snapshot, JM_METRIC_NODE_MEMORY_SIZE, (double) MAX_MEMORY_BYTES) +
             get_size (snapshot, JM_METRIC_NODE_SWAP_SIZE, 0),
           (double) MAX_MEMORY_BYTES),
  };
}

/* The record splits a counter of a node by labels, such as energy by domain: each part
 * of it has the bound of the whole. */
static double
get_bound (JmMetric metric, const Bounds *bounds)
{
  const double seconds = bounds->elapsed_us / G_USEC_PER_SEC;

  switch (metric)
    {
    case JM_METRIC_CPU_TOTAL:
    case JM_METRIC_CPU_USER:
    case JM_METRIC_CPU_SYSTEM:
      return bounds->elapsed_us * NS_PER_US * bounds->cpus;
    case JM_METRIC_MEMORY_PEAK:
    case JM_METRIC_MEMORY_RESIDENT_PEAK:
    case JM_METRIC_MEMORY_USED:
      return bounds->memory_bytes;
    case JM_METRIC_ENERGY:
      return seconds * (double) jm_power_get_bound_uw (JM_POWER_DOMAIN_NODE);
    case JM_METRIC_GPU_ENERGY:
      return seconds * (double) jm_power_get_bound_uw (JM_POWER_DOMAIN_GPU);
    default:
      return G_MAXDOUBLE;
    }
}

static char *
find_figure (JmJobRecord *record, double elapsed_us)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (record);
  const Bounds bounds = get_bounds (snapshot, elapsed_us);
  guint n_subjects;

  jm_snapshot_get_subjects (snapshot, &n_subjects);
  for (guint subject = 0; subject < n_subjects; subject++)
    {
      guint n_readings;
      const JmReading *readings =
        jm_snapshot_get_readings_of (snapshot, subject, &n_readings);

      for (guint i = 0; i < n_readings; i++)
        if ((double) readings[i].value > get_bound (readings[i].metric, &bounds))
          return g_strdup_printf ("%s is beyond what a node can have in %.0f s",
                                  jm_metric_get_info (readings[i].metric)->name,
                                  (elapsed_us - SLACK_US) / G_USEC_PER_SEC);
    }

  return NULL;
}

static char *
find_future (JmJobRecord *record, gint64 now_us)
{
  static const JmJobField fields[] = { JM_JOB_FIELD_SUBMIT_TIME,
                                       JM_JOB_FIELD_START_TIME };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *text = jm_job_get_field (jm_job_record_get_job (record), fields[i]);
      gint64 seconds;

      if (text != NULL &&
          g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &seconds, NULL) &&
          seconds > (now_us + SLACK_US) / G_USEC_PER_SEC)
        return g_strdup_printf ("%s %s is in the future",
                                jm_job_field_get_name (fields[i]), text);
    }

  return NULL;
}

/* Names the first figure or time of a record that no job on any node can have. A day is
 * allowed for clocks that were set meanwhile, and for jobs that began before their node
 * was watched. Whether a node's clock is right makes no difference: only the times that
 * the scheduler gave it are compared with @now_us.
 *
 * Returns: (nullable): what is impossible; NULL where nothing is */
static char *
record_bounds_find_fault (JmJobRecord *record, gint64 now_us)
{
  double elapsed_us = get_elapsed_us (record) + SLACK_US;
  char *fault;

  if (elapsed_us < 0)
    return g_strdup ("it ends before it begins");
  fault = find_future (record, now_us);

  return fault != NULL ? fault : find_figure (record, elapsed_us);
}

static char *
find_impossible (JmJobRecord *record, gint64 now_us)
{
  g_autofree char *fault = record_bounds_find_fault (record, now_us);

  return fault != NULL
           ? g_strdup_printf ("%s: %s", jm_job_record_get_key (record), fault)
           : NULL;
}

void
jm_node_ledger_hold_to_mandate (const JmNodeLedger *self,
                                GHashTable *others,
                                gint64 now_us,
                                JmLedgerPage *page)
{
  guint i = 0;

  while (i < page->records->len)
    {
      JmJobRecord *record = page->records->pdata[i];
      JmLedgerFault fault = JM_LEDGER_FAULT_MANDATE;
      char *message = find_trespass (self, others, record);

      if (message == NULL)
        {
          fault = JM_LEDGER_FAULT_IMPOSSIBLE;
          message = find_impossible (record, now_us);
        }
      if (message == NULL)
        {
          i++;
          continue;
        }
      jm_ledger_page_pass_over (page, fault, message);
      g_ptr_array_remove_index (page->records, i);
    }
}

/* --- records that wait for their run --- */

gboolean
jm_node_ledger_may_wait (JmJobRecord *record)
{
  return *get_text (record, JM_JOB_FIELD_START_TIME) == '\0' &&
         *get_text (record, JM_JOB_FIELD_SUBMIT_TIME) == '\0' &&
         *get_text (record, JM_JOB_FIELD_ID) != '\0';
}

/* Whether the store refused it for now: the accounting may report its run, or whose it
 * is. */
static gboolean
has_to_wait (const JmNodeLedger *self, const char *const *refused, JmJobRecord *record)
{
  const char *own = get_text (record, JM_JOB_FIELD_CLUSTER);
  const char *node = jm_job_record_get_node (record);
  g_autofree char *start =
    g_strdup_printf ("%s/%s: ", *own != '\0' ? own : self->cluster,
                     get_text (record, JM_JOB_FIELD_ID));
  g_autofree char *disputed =
    g_strconcat (start, JM_RUN_DISPUTED ", by ", node != NULL ? node : "", NULL);
  g_autofree char *unknown = g_strconcat (start, JM_RUN_UNKNOWN_YET, NULL);
  gboolean may_wait = jm_node_ledger_may_wait (record);

  for (guint i = 0; refused[i] != NULL; i++)
    if ((may_wait && g_str_has_prefix (refused[i], unknown)) ||
        g_str_equal (refused[i], disputed))
      return TRUE;

  return FALSE;
}

static gboolean
has_waited_enough (const JmNodeLedger *self,
                   JmJobRecord *record,
                   gint64 now_us,
                   gint64 hold_us)
{
  return self->held_since != 0 &&
         now_us - self->held_since * G_USEC_PER_SEC > hold_us &&
         now_us - jm_job_record_get_end_time (record) > hold_us;
}

guint
jm_node_ledger_take_page (JmNodeLedger *self,
                          const JmLedgerPage *page,
                          const char *const *refused,
                          gint64 now_us,
                          gint64 hold_us)
{
  guint n_given_up = 0;

  if (page->is_anew)
    {
      self->held = 0;
      self->later = -1;
    }
  if (page->n_unread[JM_LEDGER_FAULT_LATER] > 0 && self->later < 0)
    self->later = page->is_anew ? 0 : (gint64) self->read_to;
  self->read_to = page->next;
  for (guint i = 0; i < page->records->len && self->held == 0; i++)
    {
      JmJobRecord *record = page->records->pdata[i];

      if (!has_to_wait (self, refused, record))
        continue;
      if (has_waited_enough (self, record, now_us, hold_us))
        n_given_up++;
      else
        self->held = jm_job_record_get_position (record);
    }
  if (self->held != 0 && self->held_since == 0)
    self->held_since = now_us / G_USEC_PER_SEC;
  if (self->held == 0 && !page->has_more)
    self->held_since = 0;

  return n_given_up;
}

void
jm_node_ledger_retry (JmNodeLedger *self, gint64 now_us, gint64 pause_us)
{
  if (self->held == 0 || now_us < self->retry_us)
    return;
  self->read_to = self->position;
  self->held = 0;
  self->retry_us = now_us + pause_us;
}

/* --- a node that fails --- */

void
jm_node_ledger_note_fault (JmNodeLedger *self, const char *fault)
{
  if (g_strcmp0 (self->fault, fault) == 0)
    return;
  g_warning ("%s: a record is passed over: %s", self->source, fault);
  g_free (self->fault);
  self->fault = g_strdup (fault);
}

/* Nodes that failed together are not asked together again. */
void
jm_node_ledger_note_end (JmNodeLedger *self, const GError *problem, gint64 now_us)
{
  gint64 delay_us = MIN (FIRST_DELAY_US << MIN (self->n_failures, 6), MAX_DELAY_US);

  g_clear_pointer (&self->problem, g_free);
  if (problem == NULL)
    {
      if (self->n_failures > 0)
        g_info ("%s: is read again", self->source);
      self->n_failures = 0;
      self->due_us = 0;
      return;
    }

  if (self->n_failures == 0)
    {
      g_warning ("%s: cannot be read: %s", self->source, problem->message);
      self->failed_us = now_us;
    }
  else
    g_debug ("%s: %s", self->source, problem->message);
  self->problem = g_strdup (problem->message);
  self->n_failures++;
  self->due_us =
    now_us + (gint64) ((double) delay_us * g_random_double_range (0.5, 1.5));
}
