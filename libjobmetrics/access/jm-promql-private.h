/* jm-promql-private.h: which series a PromQL query may read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-label-private.h"

G_BEGIN_DECLS

#define JM_PROMQL_MAX_BYTES (64 * 1024)
#define JM_PROMQL_MAX_DEPTH 100
#define JM_PROMQL_MAX_MATCHERS 32

typedef enum
{
  JM_PROMQL_MATCH_EQUAL,
  JM_PROMQL_MATCH_NOT_EQUAL,
  JM_PROMQL_MATCH_REGEX,
  JM_PROMQL_MATCH_NOT_REGEX,
} JmPromqlMatch;

typedef struct
{
  JmPromqlMatch match;
  char *label;
  char *value; /* without quotes and escapes of the string */
} JmPromqlMatcher;

/**
 * JmPromqlSelector:
 * @name: (nullable): the metric's name, before the braces or quoted in them; one that
 *   `__name__` gives is among the matchers alone
 * @matchers: what is in the braces; a series must fit all of them
 * @offset: where its text begins in the query
 * @text: as it is written in the query
 *
 * One place of a query at which series are read.
 */
typedef struct
{
  char *name;
  GArray *matchers; /* of JmPromqlMatcher */
  gsize offset;
  char *text;
} JmPromqlSelector;

void jm_promql_selector_free (JmPromqlSelector *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPromqlSelector, jm_promql_selector_free)

/**
 * JmPromqlReach:
 * @before: seconds: all ranges and offsets into the past
 * @after: seconds: all offsets into the future
 * @first: the earliest `@`, seconds since 1970; infinity without one
 * @last: the latest `@`; minus infinity without one
 * @step: seconds: the longest step of a subquery
 * @n_calls: how many functions are called: some databases let each read a step back
 *   where it has no range
 *
 * How far beside its own time an expression reads at most.
 */
typedef struct
{
  double before;
  double after;
  double step;
  guint n_calls;
  double first;
  double last;
} JmPromqlReach;

/**
 * jm_promql_list_selectors:
 * @query: an expression
 * @reach: (nullable) (out): return location for how far it reads
 * @error: return location for an error
 *
 * Finds every vector selector of an expression. Types of arguments are not looked at:
 * the server refuses what is wrong there. What this does not know as PromQL is refused,
 * so that no server sees a selector where this saw none; so is `info ()`, which reads
 * series that stand in no selector.
 *
 * - Shape: in the order in which they are written; a text twice is there twice.
 * - Errors: `MALFORMED` with the byte and the text that is not understood, or for a
 *   query of more than 64 KiB or 100 levels.
 *
 * Returns: (transfer full) (element-type JmPromqlSelector): the selectors
 */
GPtrArray *
jm_promql_list_selectors (const char *query, JmPromqlReach *reach, GError **error);

/**
 * JmPromqlAllowed:
 * @uuid: whether the run of that uuid may be seen
 * @job: whether every run of that job id on that cluster may be seen that went on
 *   between two times, seconds since 1970 or infinity: ids are used again
 * @user_data: for both
 * @labels: (element-type JmRunLabel): the labels that name runs
 * @from: the first time that the query is evaluated at, seconds since 1970; minus
 *   infinity where that is unknown
 * @to: the last one; infinity where that is unknown
 * @step: seconds between two of them; infinity where that is unknown
 * @cluster: (nullable): whose the series are where a selector names no cluster; %NULL
 *   where it has to
 *
 * What somebody may see. A function that is %NULL allows nothing.
 */
typedef struct
{
  gboolean (*uuid) (const char *uuid, gpointer user_data);
  gboolean (*job) (const char *cluster,
                   const char *jobid,
                   double from,
                   double to,
                   gpointer user_data);
  gpointer user_data;
  const GArray *labels;
  double from;
  double to;
  double step;
  const char *cluster;
} JmPromqlAllowed;

/**
 * jm_promql_is_confined:
 * @query: an expression
 * @allowed: what its author may see
 * @error: return location for an error
 *
 * Whether each selector reads series of allowed runs alone: by a matcher of a label of
 * uuids, or by one of clusters and one of job ids, that names them as `=` or as an
 * alternation of literals, such as `=~"a|b"`.
 *
 * - Errors: `DENIED` with the selector that is not confined; else as
 *   jm_promql_list_selectors().
 *
 * Returns: whether it may be asked
 */
gboolean jm_promql_is_confined (const char *query,
                                const JmPromqlAllowed *allowed,
                                GError **error);

/**
 * jm_promql_parse_duration:
 * @text: a duration, such as `1h30m`
 * @seconds: (out): return location for how long it is
 *
 * Returns: whether @text is one, and nothing else
 */
gboolean jm_promql_parse_duration (const char *text, double *seconds);

/**
 * jm_promql_is_selector:
 * @text: any text
 * @error: return location for an error
 *
 * Whether it is one vector selector and nothing else, as `match[]` wants it.
 *
 * - Errors: `MALFORMED`.
 *
 * Returns: whether it is
 */
gboolean jm_promql_is_selector (const char *text, GError **error);

G_END_DECLS
