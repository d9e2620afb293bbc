/* jme-grafana-query.h: what one of Grafana's data sources asks for, and what it gets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-run-filter.h"
#include "core/jm-usage.h"
#include "server/jme-answer.h"

G_BEGIN_DECLS

/* What a panel may send: it repeats the variables of its dashboard. */
#define JME_GRAFANA_MAX_BYTES (256 * 1024)

typedef enum
{
  JME_GRAFANA_SERIES, /* a quantity by day */
  JME_GRAFANA_USAGE,  /* a table of sums */
  JME_GRAFANA_JOBS,   /* a table of runs */
} JmeGrafanaKind;

/* JmeGrafanaTarget:
 * @ref_id: (nullable): what Grafana calls it
 * @kind: what is wanted
 * @quantity: of a series: of what
 * @group: what is kept apart by; none for one sum
 * @top: how many of a group are told at most, the greatest first
 * @filter: which runs, in the period of the query
 * @taken: which keys have been read
 *
 * One thing that a panel shows. */
typedef struct
{
  char *ref_id;
  JmeGrafanaKind kind;
  JmUsageQuantity quantity;
  JmUsageGroups group;
  guint top;
  JmRunFilter *filter;
  guint taken;
} JmeGrafanaTarget;

/* JmeGrafanaQuery:
 * @since: seconds since 1970
 * @until: seconds since 1970
 * @targets: (element-type JmeGrafanaTarget): what is shown
 *
 * What a panel asks for. */
typedef struct
{
  gint64 since;
  gint64 until;
  GPtrArray *targets;
} JmeGrafanaQuery;

/* Of the body of `/query`, which may be any bytes.
 *
 * - Errors: `INVALID`, with what of it cannot be meant. */
gboolean jme_grafana_query_init (JmeGrafanaQuery *self, GBytes *body, GError **error);
void jme_grafana_query_clear (JmeGrafanaQuery *self);

/* Of the body of `/annotations`: @filter wants the runs in those states. */
gboolean jme_grafana_query_init_annotations (JmeGrafanaQuery *self,
                                             JmRunFilter *filter,
                                             GBytes *body,
                                             GError **error);

/* Of what a choice is wanted: that of `/tag-values`, `/metric-payload-options`,
 * `/variable` or `/search`; none where it is of no names. */
gboolean
jme_grafana_query_find_choice (GBytes *body, JmUsageGroups *kind, GError **error);

/* Names of targets and of groups, which runs are also filtered by, up to NULL. */
const char *jme_grafana_query_get_target (guint i);
const char *jme_grafana_query_get_group (guint i);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeGrafanaQuery, jme_grafana_query_clear)

/* A list of series and tables, of all targets. */
gboolean jme_grafana_data_append (JmeAnswer *answer,
                                  const JmeGrafanaQuery *query,
                                  GError **error);

/* A list of the runs that ended in the period of the query. */
gboolean jme_grafana_data_append_annotations (JmeAnswer *answer,
                                              const JmeGrafanaQuery *query,
                                              JmRunFilter *filter,
                                              GError **error);

G_END_DECLS
