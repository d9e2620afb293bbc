/* jm-grafana-query-private.h: what one of Grafana's data sources asks for, and what it
 * gets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/dialects/jm-question-private.h"

G_BEGIN_DECLS

typedef enum
{
  JM_GRAFANA_SERIES, /* a quantity by day */
  JM_GRAFANA_USAGE,  /* a table of sums */
  JM_GRAFANA_JOBS,   /* a table of runs */
} JmGrafanaKind;

/* JmGrafanaGroup:
 * @name: also of the runs that are filtered by it
 * @names: of the variable that lists them
 * @group: what sums are kept apart by
 * @get: gets the name of a sum */
typedef struct
{
  const char *name;
  const char *names;
  JmUsageGroups group;
  const char *(*get) (JmUsage *usage);
} JmGrafanaGroup;

#define JM_GRAFANA_N_GROUPS 4
extern const JmGrafanaGroup jm_grafana_groups[JM_GRAFANA_N_GROUPS];

/* JmGrafanaTarget:
 * @ref_id: (nullable): what Grafana calls it
 * @kind: what is wanted
 * @quantity: of a series: of what
 * @group: what is kept apart by; none for one sum
 * @top: how many of a group are listed at most, the greatest first
 * @filter: which runs, in the period of the query
 * @taken: which keys have been read
 *
 * One thing that a panel shows. */
typedef struct
{
  char *ref_id;
  JmGrafanaKind kind;
  JmUsageQuantity quantity;
  JmUsageGroups group;
  guint top;
  JmRunFilter *filter;
  guint taken;
} JmGrafanaTarget;

/* JmGrafanaQuery:
 * @since: seconds since 1970
 * @until: seconds since 1970
 * @targets: (element-type JmGrafanaTarget): what is shown
 *
 * What a panel asks for. */
typedef struct
{
  gint64 since;
  gint64 until;
  GPtrArray *targets;
} JmGrafanaQuery;

/* Of the body of `/query`, which may be any bytes.
 *
 * - Errors: `INVALID`, with what of it is invalid. */
gboolean jm_grafana_query_init (JmGrafanaQuery *self, GBytes *body, GError **error);
void jm_grafana_query_clear (JmGrafanaQuery *self);

/* Of the body of `/annotations`: @filter wants the runs in those states. */
gboolean jm_grafana_query_init_annotations (JmGrafanaQuery *self,
                                            JmRunFilter *filter,
                                            GBytes *body,
                                            GError **error);

/* Of what a choice is wanted: that of `/tag-values`, `/metric-payload-options`,
 * `/variable` or `/search`; none where it is of no names. */
gboolean
jm_grafana_query_find_choice (GBytes *body, JmUsageGroups *kind, GError **error);

/* Names of targets, up to NULL. */
const char *jm_grafana_query_get_target (guint i);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmGrafanaQuery, jm_grafana_query_clear)

/* A list of series and tables, of all targets. */
gboolean jm_grafana_data_append (JmQuestion *question,
                                 const JmGrafanaQuery *query,
                                 GError **error);

/* A list of the runs that ended in the period of the query. */
gboolean jm_grafana_data_append_annotations (JmQuestion *question,
                                             const JmGrafanaQuery *query,
                                             JmRunFilter *filter,
                                             GError **error);

G_END_DECLS
