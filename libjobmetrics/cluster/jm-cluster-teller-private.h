/* jm-cluster-teller-private.h: figures about the parts of a cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings-private.h"
#include "core/jm-subject-private.h"
#include "schedulers/jm-scheduler-report.h"

G_BEGIN_DECLS

/* Where the figures of one cluster go. */
typedef struct
{
  JmReadings *readings;
  GArray *subjects; /* of JmSubject */
  const char *cluster;
  guint parent;    /* the cluster's own subject */
  guint max_names; /* of accounts, users and the like */
} JmClusterTeller;

/* What is added after this is about it; @names are its labels behind the cluster. */
void jm_cluster_teller_begin (const JmClusterTeller *self,
                              JmSubjectKind kind,
                              const char *const *names);

typedef enum
{
  JM_CLUSTER_FIELD_COUNT,  /* gint64, exported in the base unit; -1 for none */
  JM_CLUSTER_FIELD_MOMENT, /* gint64, seconds since 1970; 0 for none */
  JM_CLUSTER_FIELD_REAL,   /* double, exported in the base unit; NAN for none */
} JmClusterFieldKind;

/* A value of a record, and the metric that it is exported as. */
typedef struct
{
  JmMetric metric;
  JmClusterFieldKind kind;
  gsize offset;
} JmClusterField;

/* Whether there is anything to be exported. */
gboolean jm_cluster_teller_has (const JmClusterField *fields,
                                guint n_fields,
                                gconstpointer record);

/* What is not known, and what is infinite, is left out; @labels may be NULL. */
void jm_cluster_teller_tell (const JmClusterTeller *self,
                             const JmClusterField *fields,
                             guint n_fields,
                             gconstpointer record,
                             JmLabels *labels);

void jm_cluster_tell_diagnostics (const JmClusterTeller *teller,
                                  JmSchedulerReport *report);

/* About the present subject, which is the cluster. */
void jm_cluster_tell_licenses (const JmClusterTeller *teller,
                               JmSchedulerReport *report);
void jm_cluster_tell_reservations (const JmClusterTeller *teller,
                                   JmSchedulerReport *report);

/* What each quality of service allows. */
void jm_cluster_tell_qos (const JmClusterTeller *teller, JmSchedulerReport *limits);

/* About the present subject, which is that partition. */
void jm_cluster_tell_partition (const JmClusterTeller *teller,
                                const JmSchedulerPartition *partition);

/* Either report may be NULL. */
void jm_cluster_tell_associations (const JmClusterTeller *teller,
                                   JmSchedulerReport *shares,
                                   JmSchedulerReport *limits);

/* About the present subject, which is the cluster. A node is in the reservation that
 * its own record names, else in the first that has begun and has the node in its list,
 * else
 * in JM_CLUSTER_NONE. Without @reservations, and without a node that names one, nothing
 * is exported. */
void jm_cluster_tell_reserved (const JmClusterTeller *teller,
                               JmSchedulerReport *nodes,
                               JmSchedulerReport *reservations,
                               gint64 now_us);

G_END_DECLS
