/* jm-cluster-grants.c: what a scheduler grants, and to whom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-teller-private.h"

#include "cluster/jm-cluster-tally-private.h"
#include "schedulers/jm-scheduler-report-private.h"

/* More than any reservation has. */
#define FLAGS_MAX 16

#define FIELD(id, kind, type, member)                                                  \
 {                                                                                     \
  JM_METRIC_##id, JM_CLUSTER_FIELD_##kind, G_STRUCT_OFFSET (type, member)              \
 }
#define TELL(teller, fields, record, labels)                                           \
 jm_cluster_teller_tell (teller, fields, G_N_ELEMENTS (fields), record, labels)

static const char *
or_nothing (const char *word)
{
  return word != NULL ? word : "";
}

/* Whether there is a place for it: two series of one name would spoil all. */
static gboolean
take_place (const JmClusterTeller *teller, GHashTable *names, const char *name)
{
  return name != NULL && g_hash_table_size (names) < teller->max_names &&
         g_hash_table_add (names, (gpointer) name);
}

/* --- licences --- */

void
jm_cluster_tell_licenses (const JmClusterTeller *teller, JmSchedulerReport *report)
{
  static const JmClusterField fields[] = {
    FIELD (CLUSTER_LICENSES, COUNT, JmSchedulerLicense, total),
    FIELD (CLUSTER_LICENSES_USED, COUNT, JmSchedulerLicense, used),
    FIELD (CLUSTER_LICENSES_FREE, COUNT, JmSchedulerLicense, free),
    FIELD (CLUSTER_LICENSES_RESERVED, COUNT, JmSchedulerLicense, reserved),
    FIELD (CLUSTER_LICENSES_LAST_CONSUMED, COUNT, JmSchedulerLicense, last_consumed),
    FIELD (CLUSTER_LICENSES_LAST_DEFICIT, COUNT, JmSchedulerLicense, last_deficit),
  };
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = jm_scheduler_report_get_n_licenses (report);

  jm_readings_begin (teller->readings, JM_COLLECTOR_GRANTS);
  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerLicense *license = jm_scheduler_report_get_license (report, i);

      if (take_place (teller, names, license->name))
        {
          g_autoptr (JmLabels) labels = jm_labels_of (license->name, NULL);

          TELL (teller, fields, license, labels);
        }
    }
}

/* --- reservations --- */

static void
tell_flags (const JmClusterTeller *teller, const JmSchedulerReservation *reservation)
{
  g_autoptr (GHashTable) seen =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *rest = reservation->flags;
  const char *word;
  gsize length;

  while (g_hash_table_size (seen) < FLAGS_MAX &&
         jm_cluster_take_word (&rest, &word, &length))
    {
      g_autofree char *flag = g_ascii_strdown (word, (gssize) length);
      g_autoptr (JmLabels) labels = NULL;

      /* `PURGE_COMP=00:05:00` */
      g_strdelimit (flag, "=", '\0');
      if (flag[0] == '\0' || g_hash_table_contains (seen, flag))
        continue;
      labels = jm_labels_of (reservation->name, flag, NULL);
      jm_readings_add_labelled (teller->readings, JM_METRIC_CLUSTER_RESERVATION_FLAG,
                                labels, 1);
      g_hash_table_add (seen, g_steal_pointer (&flag));
    }
}

static void
tell_reservation (const JmClusterTeller *teller,
                  const JmSchedulerReservation *reservation)
{
  static const JmClusterField fields[] = {
    FIELD (CLUSTER_RESERVATION_START, MOMENT, JmSchedulerReservation, start_time),
    FIELD (CLUSTER_RESERVATION_END, MOMENT, JmSchedulerReservation, end_time),
    FIELD (CLUSTER_RESERVATION_NODES, COUNT, JmSchedulerReservation, nodes),
    FIELD (CLUSTER_RESERVATION_CORES, COUNT, JmSchedulerReservation, cores),
    FIELD (CLUSTER_RESERVATION_CPUS, COUNT, JmSchedulerReservation, cpus),
  };
  g_autofree char *state = g_ascii_strdown (or_nothing (reservation->state), -1);
  g_autoptr (JmLabels) labels = jm_labels_of (reservation->name, NULL);
  g_autoptr (JmLabels) info =
    jm_labels_of (reservation->name, state, or_nothing (reservation->partition), NULL);

  jm_readings_add_labelled (teller->readings, JM_METRIC_CLUSTER_RESERVATION_INFO, info,
                            1);
  tell_flags (teller, reservation);
  TELL (teller, fields, reservation, labels);
}

void
jm_cluster_tell_reservations (const JmClusterTeller *teller, JmSchedulerReport *report)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = jm_scheduler_report_get_n_reservations (report);

  jm_readings_begin (teller->readings, JM_COLLECTOR_GRANTS);
  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerReservation *reservation =
        jm_scheduler_report_get_reservation (report, i);

      if (take_place (teller, names, reservation->name))
        tell_reservation (teller, reservation);
    }
}

/* --- qualities of service --- */

void
jm_cluster_tell_qos (const JmClusterTeller *teller, JmSchedulerReport *limits)
{
  static const JmClusterField fields[] = {
    FIELD (QOS_LIMIT_CPUS, COUNT, JmSchedulerLimit, group_cpus),
    FIELD (QOS_LIMIT_MEMORY, COUNT, JmSchedulerLimit, group_memory_bytes),
    FIELD (QOS_LIMIT_NODES, COUNT, JmSchedulerLimit, group_nodes),
    FIELD (QOS_LIMIT_GPUS, COUNT, JmSchedulerLimit, group_gpus),
    FIELD (QOS_LIMIT_JOBS, COUNT, JmSchedulerLimit, group_jobs),
    FIELD (QOS_LIMIT_SUBMITTED_JOBS, COUNT, JmSchedulerLimit, group_submit),
    FIELD (QOS_LIMIT_WALL, COUNT, JmSchedulerLimit, group_wall_seconds),
    FIELD (QOS_USER_CPUS, COUNT, JmSchedulerLimit, user_cpus),
    FIELD (QOS_USER_MEMORY, COUNT, JmSchedulerLimit, user_memory_bytes),
    FIELD (QOS_USER_NODES, COUNT, JmSchedulerLimit, user_nodes),
    FIELD (QOS_USER_GPUS, COUNT, JmSchedulerLimit, user_gpus),
    FIELD (QOS_USER_JOBS, COUNT, JmSchedulerLimit, max_jobs),
    FIELD (QOS_USER_SUBMITTED_JOBS, COUNT, JmSchedulerLimit, max_submit),
    FIELD (QOS_JOB_TIME, COUNT, JmSchedulerLimit, max_wall_seconds),
  };
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = jm_scheduler_report_get_n_limits (limits);

  jm_readings_begin (teller->readings, JM_COLLECTOR_GRANTS);
  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerLimit *limit = jm_scheduler_report_get_limit (limits, i);

      if (take_place (teller, names, limit->qos))
        {
          g_autoptr (JmLabels) labels = jm_labels_of (limit->qos, NULL);

          TELL (teller, fields, limit, labels);
        }
    }
}

/* --- partitions --- */

void
jm_cluster_tell_partition (const JmClusterTeller *teller,
                           const JmSchedulerPartition *partition)
{
  static const JmClusterField fields[] = {
    FIELD (PARTITION_NODES, COUNT, JmSchedulerPartition, nodes),
    FIELD (PARTITION_CPUS, COUNT, JmSchedulerPartition, cpus),
    FIELD (PARTITION_MEMORY, COUNT, JmSchedulerPartition, memory_bytes),
    FIELD (PARTITION_GPUS, COUNT, JmSchedulerPartition, gpus),
    FIELD (PARTITION_MAX_TIME, COUNT, JmSchedulerPartition, max_time_seconds),
    FIELD (PARTITION_DEFAULT_TIME, COUNT, JmSchedulerPartition, default_time_seconds),
    FIELD (PARTITION_MAX_NODES, COUNT, JmSchedulerPartition, max_nodes),
    FIELD (PARTITION_PRIORITY_TIER, COUNT, JmSchedulerPartition, priority_tier),
  };
  static const char *const words[] = { "", "no", "yes" };
  g_autofree char *state = g_ascii_strdown (or_nothing (partition->state), -1);
  g_autoptr (JmLabels) info =
    jm_labels_of (state, words[CLAMP (partition->is_default, -1, 1) + 1], NULL);

  jm_readings_begin (teller->readings, JM_COLLECTOR_GRANTS);
  jm_readings_add_labelled (teller->readings, JM_METRIC_PARTITION_INFO, info, 1);
  TELL (teller, fields, partition, NULL);
}

/* --- shares and limits --- */

static const JmClusterField share_fields[] = {
  FIELD (SHARES, COUNT, JmSchedulerShare, raw_shares),
  FIELD (SHARES_NORM, REAL, JmSchedulerShare, norm_shares),
  FIELD (USAGE, REAL, JmSchedulerShare, raw_usage),
  FIELD (USAGE_NORM, REAL, JmSchedulerShare, norm_usage),
  FIELD (USAGE_EFFECTIVE, REAL, JmSchedulerShare, effective_usage),
  FIELD (FAIRSHARE, REAL, JmSchedulerShare, fair_share),
  FIELD (FAIRSHARE_LEVEL, REAL, JmSchedulerShare, level_fair_share),
};
static const JmClusterField limit_fields[] = {
  FIELD (LIMIT_CPUS, COUNT, JmSchedulerLimit, group_cpus),
  FIELD (LIMIT_MEMORY, COUNT, JmSchedulerLimit, group_memory_bytes),
  FIELD (LIMIT_NODES, COUNT, JmSchedulerLimit, group_nodes),
  FIELD (LIMIT_GPUS, COUNT, JmSchedulerLimit, group_gpus),
  FIELD (LIMIT_JOBS, COUNT, JmSchedulerLimit, group_jobs),
  FIELD (LIMIT_SUBMITTED_JOBS, COUNT, JmSchedulerLimit, group_submit),
  FIELD (LIMIT_WALL, COUNT, JmSchedulerLimit, group_wall_seconds),
  FIELD (MAX_RUNNING_JOBS, COUNT, JmSchedulerLimit, max_jobs),
  FIELD (MAX_SUBMITTED_JOBS, COUNT, JmSchedulerLimit, max_submit),
  FIELD (MAX_JOB_TIME, COUNT, JmSchedulerLimit, max_wall_seconds),
};

/* One record of either kind. */
typedef struct
{
  const char *names[4]; /* account, user and partition; no user is nothing */
  const JmClusterField *fields;
  guint n_fields;
  gconstpointer record;
} Grant;

static void
add_grant (GArray *grants,
           const char *const names[3],
           const JmClusterField *fields,
           guint n_fields,
           gconstpointer record)
{
  const Grant grant = {
    { names[0], or_nothing (names[1]), or_nothing (names[2]), NULL },
    fields,
    n_fields,
    record,
  };

  /* that of a quality of service is nobody's */
  if (names[0] != NULL && jm_cluster_teller_has (fields, n_fields, record))
    g_array_append_val (grants, grant);
}

static GArray *
list_grants (JmSchedulerReport *shares, JmSchedulerReport *limits)
{
  GArray *grants = g_array_new (FALSE, FALSE, sizeof (Grant));
  guint n_shares = shares != NULL ? jm_scheduler_report_get_n_shares (shares) : 0;
  guint n_limits = limits != NULL ? jm_scheduler_report_get_n_limits (limits) : 0;

  for (guint i = 0; i < n_shares; i++)
    {
      const JmSchedulerShare *it = jm_scheduler_report_get_share (shares, i);

      add_grant (grants, (const char *const[]){ it->account, it->user, it->partition },
                 share_fields, G_N_ELEMENTS (share_fields), it);
    }
  for (guint i = 0; i < n_limits; i++)
    {
      const JmSchedulerLimit *it = jm_scheduler_report_get_limit (limits, i);

      add_grant (grants, (const char *const[]){ it->account, it->user, it->partition },
                 limit_fields, G_N_ELEMENTS (limit_fields), it);
    }

  return grants;
}

static int
compare_names (const Grant *a, const Grant *b)
{
  int order = 0;

  for (guint i = 0; order == 0 && i < 3; i++)
    order = g_strcmp0 (a->names[i], b->names[i]);

  return order;
}

/* Of one association and of one kind beside each other, as they came. */
static int
compare (gconstpointer a, gconstpointer b)
{
  const Grant *first = a;
  const Grant *second = b;
  int order = compare_names (first, second);

  if (order == 0)
    order = (first->fields > second->fields) - (first->fields < second->fields);

  return order != 0
           ? order
           : (first->record > second->record) - (first->record < second->record);
}

void
jm_cluster_tell_associations (const JmClusterTeller *teller,
                              JmSchedulerReport *shares,
                              JmSchedulerReport *limits)
{
  g_autoptr (GArray) grants = list_grants (shares, limits);
  const Grant *before = NULL;
  guint n_told[2] = { 0, 0 }; /* of accounts, of users */
  guint n_untold = 0;
  gboolean is_told = FALSE;

  g_array_sort (grants, compare);
  for (guint i = 0; i < grants->len; before = &g_array_index (grants, Grant, i++))
    {
      const Grant *grant = &g_array_index (grants, Grant, i);
      gboolean is_new = before == NULL || compare_names (before, grant) != 0;
      guint *n = &n_told[grant->names[1][0] != '\0'];

      if (is_new)
        is_told = *n < teller->max_names;
      if (is_new && is_told)
        {
          jm_cluster_teller_begin (teller, JM_SUBJECT_KIND_ASSOCIATION, grant->names);
          jm_readings_begin (teller->readings, JM_COLLECTOR_GRANTS);
          (*n)++;
        }
      n_untold += is_new && !is_told;
      if (is_told && (is_new || before->fields != grant->fields))
        jm_cluster_teller_tell (teller, grant->fields, grant->n_fields, grant->record,
                                NULL);
    }

  jm_readings_set_subject (teller->readings, teller->parent);
  jm_readings_begin (teller->readings, JM_COLLECTOR_GRANTS);
  jm_readings_add (teller->readings, JM_METRIC_ASSOCIATIONS_UNTOLD, n_untold);
}
