/* jm-scheduler-report.c: what one question to a scheduler brought
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"

#define TEXT_BLOCK_BYTES (64 * 1024)
#define COMPLAINT_MAX 256
/* Different ones that are kept of a report. */
#define COMPLAINTS_MAX 16

/* Records of one kind, of one size. */
typedef enum
{
  KIND_JOB,
  KIND_NODE,
  KIND_PARTITION,
  KIND_RESERVATION,
  KIND_LICENSE,
  KIND_SHARE,
  KIND_LIMIT,
  KIND_RPC,
  KIND_GPUS,
  N_KINDS
} Kind;

static const guint sizes[N_KINDS] = {
  [KIND_JOB] = sizeof (JmSchedulerJob),
  [KIND_NODE] = sizeof (JmSchedulerNode),
  [KIND_PARTITION] = sizeof (JmSchedulerPartition),
  [KIND_RESERVATION] = sizeof (JmSchedulerReservation),
  [KIND_LICENSE] = sizeof (JmSchedulerLicense),
  [KIND_SHARE] = sizeof (JmSchedulerShare),
  [KIND_LIMIT] = sizeof (JmSchedulerLimit),
  [KIND_RPC] = sizeof (JmSchedulerRpc),
  [KIND_GPUS] = sizeof (JmSchedulerGpus),
};

static const char *const fault_names[JM_N_SCHEDULER_FAULTS] = {
  [JM_SCHEDULER_FAULT_VALUE] = "value",
  [JM_SCHEDULER_FAULT_RECORD] = "record",
};

static const char *const topic_names[JM_N_SCHEDULER_TOPICS] = {
  [JM_SCHEDULER_TOPIC_JOBS] = "jobs",
  [JM_SCHEDULER_TOPIC_NODES] = "nodes",
  [JM_SCHEDULER_TOPIC_PARTITIONS] = "partitions",
  [JM_SCHEDULER_TOPIC_RESERVATIONS] = "reservations",
  [JM_SCHEDULER_TOPIC_LICENSES] = "licenses",
  [JM_SCHEDULER_TOPIC_SHARES] = "shares",
  [JM_SCHEDULER_TOPIC_LIMITS] = "limits",
  [JM_SCHEDULER_TOPIC_DIAGNOSTICS] = "diagnostics",
};

struct _JmSchedulerReport
{
  JmSchedulerTopic topic;
  gint64 time_us;
  GArray *records[N_KINDS];
  JmSchedulerDiagnostics diagnostics;
  gboolean has_diagnostics;
  JmSchedulerNodeSums node_sums;
  gboolean has_node_sums;
  gboolean lacks_ended_jobs;
  GStringChunk *texts;
  GString *text; /* the one that is looked for, with a NUL */
  guint n_faults[JM_N_SCHEDULER_FAULTS];
  GPtrArray *complaints;       /* fit to print, each once; the first of them */
  JmSchedulerReport *repeated; /* whose texts the records have; NULL for its own */
};

G_DEFINE_BOXED_TYPE (JmSchedulerReport,
                     jm_scheduler_report,
                     jm_scheduler_report_ref,
                     jm_scheduler_report_unref)

/**
 * jm_scheduler_topic_get_name:
 * @topic: a topic
 *
 * Gets the value of the label `topic`.
 *
 * Returns: the name, such as `jobs`
 * Since: 0.1
 */
const char *
jm_scheduler_topic_get_name (JmSchedulerTopic topic)
{
  g_return_val_if_fail ((guint) topic < JM_N_SCHEDULER_TOPICS, NULL);

  return topic_names[topic];
}

/**
 * jm_scheduler_report_new:
 * @topic: what is asked for
 *
 * Makes a report without a record.
 *
 * Returns: (transfer full): the report
 * Since: 0.1
 */
JmSchedulerReport *
jm_scheduler_report_new (JmSchedulerTopic topic)
{
  JmSchedulerReport *self = g_atomic_rc_box_new0 (JmSchedulerReport);

  self->topic = topic;
  self->time_us = g_get_real_time ();
  for (guint i = 0; i < N_KINDS; i++)
    self->records[i] = g_array_new (FALSE, FALSE, sizes[i]);
  self->texts = g_string_chunk_new (TEXT_BLOCK_BYTES);
  self->text = g_string_new (NULL);
  self->complaints = g_ptr_array_new_with_free_func (g_free);

  return self;
}

JmSchedulerReport *
jm_scheduler_report_ref (JmSchedulerReport *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
report_clear (gpointer data)
{
  JmSchedulerReport *self = data;

  for (guint i = 0; i < N_KINDS; i++)
    g_array_unref (self->records[i]);
  g_string_chunk_free (self->texts);
  g_string_free (self->text, TRUE);
  g_ptr_array_unref (self->complaints);
  g_clear_pointer (&self->repeated, jm_scheduler_report_unref);
}

/**
 * jm_scheduler_report_unref:
 * @self: (transfer full): a report
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_unref (JmSchedulerReport *self)
{
  g_atomic_rc_box_release_full (self, report_clear);
}

/* Gets what was asked for.
 *
 * Returns the topic. */
JmSchedulerTopic
jm_scheduler_report_get_topic (JmSchedulerReport *self)
{
  return self->topic;
}

/* Gets when the answer was true; at first, when the report was made.
 *
 * Returns microseconds since 1970. */
gint64
jm_scheduler_report_get_time (JmSchedulerReport *self)
{
  return self->time_us;
}

/**
 * jm_scheduler_report_set_time:
 * @self: a report that was not handed on yet
 * @time_us: microseconds since 1970
 *
 * Says when the answer was true.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_set_time (JmSchedulerReport *self, gint64 time_us)
{
  self->time_us = time_us;
}

/* Keeps a text as long as the report, once however often it comes.
 *
 * Returns the text, or NULL of an empty one. */
const char *
jm_scheduler_report_keep (JmSchedulerReport *self, const char *text)
{
  return text != NULL && text[0] != '\0'
           ? g_string_chunk_insert_const (self->texts, text)
           : NULL;
}

const char *
jm_scheduler_report_keep_slice (JmSchedulerReport *self, JmSlice text)
{
  g_autofree char *valid = NULL;

  g_string_truncate (self->text, 0);
  g_string_append_len (self->text, text.text, (gssize) text.length);
  if (g_utf8_validate_len (self->text->str, self->text->len, NULL))
    return jm_scheduler_report_keep (self, self->text->str);

  valid = g_utf8_make_valid (text.text, (gssize) text.length);

  return jm_scheduler_report_keep (self, valid);
}

const char *
jm_scheduler_report_keep_once (JmSchedulerReport *self, JmSlice text)
{
  return text.length > 0
           ? g_string_chunk_insert_len (self->texts, text.text, (gssize) text.length)
           : NULL;
}

static void
keep_complaint (JmSchedulerReport *self, const char *complaint)
{
  g_autofree char *start = g_strndup (complaint, COMPLAINT_MAX);
  g_autofree char *printed = g_strescape (start, "\"");

  if (!g_ptr_array_find_with_equal_func (self->complaints, printed, g_str_equal, NULL))
    g_ptr_array_add (self->complaints, g_steal_pointer (&printed));
}

static void
count_fault (JmSchedulerReport *self, JmSchedulerFault fault, const char *complaint)
{
  self->n_faults[fault]++;
  if (self->complaints->len < COMPLAINTS_MAX)
    keep_complaint (self, complaint);
}

/**
 * jm_scheduler_report_complain:
 * @self: a report that was not handed on yet
 * @complaint: what could not be read, and why
 *
 * Counts a value that could not be read. The first complaints are kept.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_complain (JmSchedulerReport *self, const char *complaint)
{
  count_fault (self, JM_SCHEDULER_FAULT_VALUE, complaint);
}

void
jm_scheduler_report_pass_over (JmSchedulerReport *self, const char *complaint)
{
  count_fault (self, JM_SCHEDULER_FAULT_RECORD, complaint);
}

const char *
jm_scheduler_fault_get_name (JmSchedulerFault fault)
{
  return fault_names[fault];
}

guint
jm_scheduler_report_get_n_faults (JmSchedulerReport *self, JmSchedulerFault fault)
{
  return self->n_faults[fault];
}

/* Gets how many values and records could not be read.
 *
 * Returns the number. */
guint
jm_scheduler_report_get_n_complaints (JmSchedulerReport *self)
{
  guint n = 0;

  for (JmSchedulerFault fault = 0; fault < JM_N_SCHEDULER_FAULTS; fault++)
    n += self->n_faults[fault];

  return n;
}

/* Gets what was wrong with the first of them.
 *
 * Returns the complaint, fit to print; NULL where all could be read. */
const char *
jm_scheduler_report_get_complaint (JmSchedulerReport *self)
{
  return self->complaints->len > 0 ? self->complaints->pdata[0] : NULL;
}

/**
 * jm_scheduler_report_list_complaints:
 * @self: a report
 *
 * Lists what could not be read, and why, fit to print: each text once, and the first
 * sixteen of them.
 *
 * Returns: (transfer full) (array zero-terminated=1): the complaints
 * Since: 0.1
 */
char **
jm_scheduler_report_list_complaints (JmSchedulerReport *self)
{
  GStrvBuilder *complaints = g_strv_builder_new ();
  char **list;

  for (guint i = 0; i < self->complaints->len; i++)
    g_strv_builder_add (complaints, self->complaints->pdata[i]);
  list = g_strv_builder_end (complaints);
  g_strv_builder_unref (complaints);

  return list;
}

void
jm_scheduler_report_repeat (JmSchedulerReport *self, JmSchedulerReport *other)
{
  JmSchedulerReport *owner = other->repeated != NULL ? other->repeated : other;

  for (guint i = 0; i < N_KINDS; i++)
    {
      g_array_unref (self->records[i]);
      self->records[i] = g_array_ref (other->records[i]);
    }
  self->diagnostics = other->diagnostics;
  self->has_diagnostics = other->has_diagnostics;
  self->lacks_ended_jobs = other->lacks_ended_jobs;
  self->node_sums = other->node_sums;
  self->has_node_sums = other->has_node_sums;
  memcpy (self->n_faults, other->n_faults, sizeof self->n_faults);
  g_ptr_array_set_size (self->complaints, 0);
  for (guint i = 0; i < other->complaints->len; i++)
    g_ptr_array_add (self->complaints, g_strdup (other->complaints->pdata[i]));
  g_clear_pointer (&self->repeated, jm_scheduler_report_unref);
  self->repeated = jm_scheduler_report_ref (owner);
}

void
jm_scheduler_report_set_lacks_ended_jobs (JmSchedulerReport *self)
{
  self->lacks_ended_jobs = TRUE;
}

void
jm_scheduler_report_set_node_sums (JmSchedulerReport *self,
                                   const JmSchedulerNodeSums *sums)
{
  self->node_sums = *sums;
  self->has_node_sums = TRUE;
}

const JmSchedulerNodeSums *
jm_scheduler_report_get_node_sums (JmSchedulerReport *self)
{
  return self->has_node_sums ? &self->node_sums : NULL;
}

gboolean
jm_scheduler_report_lacks_ended_jobs (JmSchedulerReport *self)
{
  return self->lacks_ended_jobs;
}

JmSchedulerJob *
jm_scheduler_report_append_job (JmSchedulerReport *self)
{
  GArray *records = self->records[KIND_JOB];
  JmSchedulerJob *record;

  g_array_set_size (records, records->len + 1);
  record = &g_array_index (records, JmSchedulerJob, records->len - 1);
  jm_scheduler_job_init (record);

  return record;
}

void
jm_scheduler_report_drop_job (JmSchedulerReport *self)
{
  g_array_set_size (self->records[KIND_JOB], self->records[KIND_JOB]->len - 1);
}

JmSchedulerNode *
jm_scheduler_report_append_node (JmSchedulerReport *self)
{
  GArray *records = self->records[KIND_NODE];
  JmSchedulerNode *record;

  g_array_set_size (records, records->len + 1);
  record = &g_array_index (records, JmSchedulerNode, records->len - 1);
  jm_scheduler_node_init (record);

  return record;
}

JmSchedulerNode *
jm_scheduler_report_edit_node (JmSchedulerReport *self, guint i)
{
  return &g_array_index (self->records[KIND_NODE], JmSchedulerNode, i);
}

void
jm_scheduler_report_drop_node (JmSchedulerReport *self)
{
  g_array_set_size (self->records[KIND_NODE], self->records[KIND_NODE]->len - 1);
}

/**
 * jm_scheduler_report_add_job:
 * @self: a report that was not handed on yet
 * @job: a job
 *
 * Adds a copy of a record and of its texts.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_add_job (JmSchedulerReport *self, const JmSchedulerJob *job)
{
  JmSchedulerJob kept = *job;

  kept.id = jm_scheduler_report_keep (self, kept.id);
  kept.sluid = jm_scheduler_report_keep (self, kept.sluid);
  kept.user = jm_scheduler_report_keep (self, kept.user);
  kept.account = jm_scheduler_report_keep (self, kept.account);
  kept.partitions = jm_scheduler_report_keep (self, kept.partitions);
  kept.qos = jm_scheduler_report_keep (self, kept.qos);
  kept.name = jm_scheduler_report_keep (self, kept.name);
  kept.reason = jm_scheduler_report_keep (self, kept.reason);
  kept.reservation = jm_scheduler_report_keep (self, kept.reservation);
  kept.features = jm_scheduler_report_keep (self, kept.features);
  kept.licenses = jm_scheduler_report_keep (self, kept.licenses);
  kept.node_list = jm_scheduler_report_keep (self, kept.node_list);
  kept.other_flags = jm_scheduler_report_keep (self, kept.other_flags);
  g_array_append_val (self->records[KIND_JOB], kept);
}

/**
 * jm_scheduler_report_get_n_jobs:
 * @self: a report
 *
 * Gets how many there are.
 *
 * Returns: the number of records
 * Since: 0.1
 */
guint
jm_scheduler_report_get_n_jobs (JmSchedulerReport *self)
{
  return self->records[KIND_JOB]->len;
}

/**
 * jm_scheduler_report_get_job:
 * @self: a report
 * @i: which, counted from 0
 *
 * Gets a record; the next ones follow it in memory.
 *
 * Returns: (transfer none): the record, which is the report's
 * Since: 0.1
 */
const JmSchedulerJob *
jm_scheduler_report_get_job (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_JOB]->len, NULL);

  return &g_array_index (self->records[KIND_JOB], JmSchedulerJob, i);
}

/**
 * jm_scheduler_report_add_node:
 * @self: a report that was not handed on yet
 * @node: a node
 *
 * Adds a copy of a record and of its texts.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_add_node (JmSchedulerReport *self, const JmSchedulerNode *node)
{
  JmSchedulerNode kept = *node;

  kept.name = jm_scheduler_report_keep (self, kept.name);
  kept.partitions = jm_scheduler_report_keep (self, kept.partitions);
  kept.features = jm_scheduler_report_keep (self, kept.features);
  kept.reservation = jm_scheduler_report_keep (self, kept.reservation);
  kept.version = jm_scheduler_report_keep (self, kept.version);
  kept.reason = jm_scheduler_report_keep (self, kept.reason);
  kept.reason_user = jm_scheduler_report_keep (self, kept.reason_user);
  kept.other_flags = jm_scheduler_report_keep (self, kept.other_flags);
  g_array_append_val (self->records[KIND_NODE], kept);
}

/**
 * jm_scheduler_report_get_n_nodes:
 * @self: a report
 *
 * Gets how many there are.
 *
 * Returns: the number of records
 * Since: 0.1
 */
guint
jm_scheduler_report_get_n_nodes (JmSchedulerReport *self)
{
  return self->records[KIND_NODE]->len;
}

/**
 * jm_scheduler_report_get_node:
 * @self: a report
 * @i: which, counted from 0
 *
 * Gets a record; the next ones follow it in memory.
 *
 * Returns: (transfer none): the record, which is the report's
 * Since: 0.1
 */
const JmSchedulerNode *
jm_scheduler_report_get_node (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_NODE]->len, NULL);

  return &g_array_index (self->records[KIND_NODE], JmSchedulerNode, i);
}

/**
 * jm_scheduler_report_add_partition:
 * @self: a report that was not handed on yet
 * @partition: a partition
 *
 * Adds a copy of a record and of its texts.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_add_partition (JmSchedulerReport *self,
                                   const JmSchedulerPartition *partition)
{
  JmSchedulerPartition kept = *partition;

  kept.name = jm_scheduler_report_keep (self, kept.name);
  kept.state = jm_scheduler_report_keep (self, kept.state);
  kept.node_list = jm_scheduler_report_keep (self, kept.node_list);
  kept.qos = jm_scheduler_report_keep (self, kept.qos);
  g_array_append_val (self->records[KIND_PARTITION], kept);
}

/**
 * jm_scheduler_report_get_n_partitions:
 * @self: a report
 *
 * Gets how many there are.
 *
 * Returns: the number of records
 * Since: 0.1
 */
guint
jm_scheduler_report_get_n_partitions (JmSchedulerReport *self)
{
  return self->records[KIND_PARTITION]->len;
}

/**
 * jm_scheduler_report_get_partition:
 * @self: a report
 * @i: which, counted from 0
 *
 * Gets a record; the next ones follow it in memory.
 *
 * Returns: (transfer none): the record, which is the report's
 * Since: 0.1
 */
const JmSchedulerPartition *
jm_scheduler_report_get_partition (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_PARTITION]->len, NULL);

  return &g_array_index (self->records[KIND_PARTITION], JmSchedulerPartition, i);
}

/**
 * jm_scheduler_report_add_reservation:
 * @self: a report that was not handed on yet
 * @reservation: a reservation
 *
 * Adds a copy of a record and of its texts.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_add_reservation (JmSchedulerReport *self,
                                     const JmSchedulerReservation *reservation)
{
  JmSchedulerReservation kept = *reservation;

  kept.name = jm_scheduler_report_keep (self, kept.name);
  kept.state = jm_scheduler_report_keep (self, kept.state);
  kept.partition = jm_scheduler_report_keep (self, kept.partition);
  kept.node_list = jm_scheduler_report_keep (self, kept.node_list);
  kept.users = jm_scheduler_report_keep (self, kept.users);
  kept.accounts = jm_scheduler_report_keep (self, kept.accounts);
  kept.flags = jm_scheduler_report_keep (self, kept.flags);
  g_array_append_val (self->records[KIND_RESERVATION], kept);
}

/**
 * jm_scheduler_report_get_n_reservations:
 * @self: a report
 *
 * Gets how many there are.
 *
 * Returns: the number of records
 * Since: 0.1
 */
guint
jm_scheduler_report_get_n_reservations (JmSchedulerReport *self)
{
  return self->records[KIND_RESERVATION]->len;
}

/**
 * jm_scheduler_report_get_reservation:
 * @self: a report
 * @i: which, counted from 0
 *
 * Gets a record; the next ones follow it in memory.
 *
 * Returns: (transfer none): the record, which is the report's
 * Since: 0.1
 */
const JmSchedulerReservation *
jm_scheduler_report_get_reservation (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_RESERVATION]->len, NULL);

  return &g_array_index (self->records[KIND_RESERVATION], JmSchedulerReservation, i);
}

/**
 * jm_scheduler_report_add_license:
 * @self: a report that was not handed on yet
 * @license: a licence
 *
 * Adds a copy of a record and of its texts.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_add_license (JmSchedulerReport *self,
                                 const JmSchedulerLicense *license)
{
  JmSchedulerLicense kept = *license;

  kept.name = jm_scheduler_report_keep (self, kept.name);
  g_array_append_val (self->records[KIND_LICENSE], kept);
}

/* Gets how many there are.
 *
 * Returns the number of records. */
guint
jm_scheduler_report_get_n_licenses (JmSchedulerReport *self)
{
  return self->records[KIND_LICENSE]->len;
}

/* Gets a record; the next ones follow it in memory.
 *
 * Returns the record, which is the report's. */
const JmSchedulerLicense *
jm_scheduler_report_get_license (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_LICENSE]->len, NULL);

  return &g_array_index (self->records[KIND_LICENSE], JmSchedulerLicense, i);
}

/**
 * jm_scheduler_report_add_share:
 * @self: a report that was not handed on yet
 * @share: a share
 *
 * Adds a copy of a record and of its texts.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_add_share (JmSchedulerReport *self, const JmSchedulerShare *share)
{
  JmSchedulerShare kept = *share;

  kept.account = jm_scheduler_report_keep (self, kept.account);
  kept.user = jm_scheduler_report_keep (self, kept.user);
  kept.partition = jm_scheduler_report_keep (self, kept.partition);
  g_array_append_val (self->records[KIND_SHARE], kept);
}

/**
 * jm_scheduler_report_get_n_shares:
 * @self: a report
 *
 * Gets how many there are.
 *
 * Returns: the number of records
 * Since: 0.1
 */
guint
jm_scheduler_report_get_n_shares (JmSchedulerReport *self)
{
  return self->records[KIND_SHARE]->len;
}

/**
 * jm_scheduler_report_get_share:
 * @self: a report
 * @i: which, counted from 0
 *
 * Gets a record; the next ones follow it in memory.
 *
 * Returns: (transfer none): the record, which is the report's
 * Since: 0.1
 */
const JmSchedulerShare *
jm_scheduler_report_get_share (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_SHARE]->len, NULL);

  return &g_array_index (self->records[KIND_SHARE], JmSchedulerShare, i);
}

/**
 * jm_scheduler_report_add_limit:
 * @self: a report that was not handed on yet
 * @limit: a limit
 *
 * Adds a copy of a record and of its texts.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_add_limit (JmSchedulerReport *self, const JmSchedulerLimit *limit)
{
  JmSchedulerLimit kept = *limit;

  kept.account = jm_scheduler_report_keep (self, kept.account);
  kept.user = jm_scheduler_report_keep (self, kept.user);
  kept.partition = jm_scheduler_report_keep (self, kept.partition);
  kept.qos = jm_scheduler_report_keep (self, kept.qos);
  g_array_append_val (self->records[KIND_LIMIT], kept);
}

/* Gets how many there are.
 *
 * Returns the number of records. */
guint
jm_scheduler_report_get_n_limits (JmSchedulerReport *self)
{
  return self->records[KIND_LIMIT]->len;
}

/* Gets a record; the next ones follow it in memory.
 *
 * Returns the record, which is the report's. */
const JmSchedulerLimit *
jm_scheduler_report_get_limit (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_LIMIT]->len, NULL);

  return &g_array_index (self->records[KIND_LIMIT], JmSchedulerLimit, i);
}

/**
 * jm_scheduler_report_add_rpc:
 * @self: a report that was not handed on yet
 * @rpc: what was asked
 *
 * Adds a copy of a record and of its texts.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_add_rpc (JmSchedulerReport *self, const JmSchedulerRpc *rpc)
{
  JmSchedulerRpc kept = *rpc;

  kept.type = jm_scheduler_report_keep (self, kept.type);
  kept.user = jm_scheduler_report_keep (self, kept.user);
  g_array_append_val (self->records[KIND_RPC], kept);
}

/* Gets how many there are.
 *
 * Returns the number of records. */
guint
jm_scheduler_report_get_n_rpcs (JmSchedulerReport *self)
{
  return self->records[KIND_RPC]->len;
}

/* Gets a record; the next ones follow it in memory.
 *
 * Returns the record, which is the report's. */
const JmSchedulerRpc *
jm_scheduler_report_get_rpc (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_RPC]->len, NULL);

  return &g_array_index (self->records[KIND_RPC], JmSchedulerRpc, i);
}

/**
 * jm_scheduler_report_add_gpus:
 * @self: a report that was not handed on yet
 * @gpus: GPUs of one kind
 *
 * Adds a copy of a record and of its texts.
 *
 * Returns: its place in the report
 * Since: 0.1
 */
guint
jm_scheduler_report_add_gpus (JmSchedulerReport *self, const JmSchedulerGpus *gpus)
{
  JmSchedulerGpus kept = *gpus;

  kept.gres = jm_scheduler_report_keep (self, kept.gres);
  kept.type = jm_scheduler_report_keep (self, kept.type);
  g_array_append_val (self->records[KIND_GPUS], kept);

  return self->records[KIND_GPUS]->len - 1;
}

/* Gets how many there are.
 *
 * Returns the number of records. */
guint
jm_scheduler_report_get_n_gpus (JmSchedulerReport *self)
{
  return self->records[KIND_GPUS]->len;
}

/* Gets a record; the next ones follow it in memory.
 *
 * Returns the record, which is the report's. */
const JmSchedulerGpus *
jm_scheduler_report_get_gpus (JmSchedulerReport *self, guint i)
{
  g_return_val_if_fail (i < self->records[KIND_GPUS]->len, NULL);

  return &g_array_index (self->records[KIND_GPUS], JmSchedulerGpus, i);
}

/**
 * jm_scheduler_report_set_diagnostics:
 * @self: a report that was not handed on yet
 * @diagnostics: how the controller is doing
 *
 * Takes a copy of the report.
 *
 * Since: 0.1
 */
void
jm_scheduler_report_set_diagnostics (JmSchedulerReport *self,
                                     const JmSchedulerDiagnostics *diagnostics)
{
  self->diagnostics = *diagnostics;
  self->has_diagnostics = TRUE;
}

/* Gets how the controller is doing.
 *
 * Returns what was reported, or NULL. */
const JmSchedulerDiagnostics *
jm_scheduler_report_get_diagnostics (JmSchedulerReport *self)
{
  return self->has_diagnostics ? &self->diagnostics : NULL;
}
