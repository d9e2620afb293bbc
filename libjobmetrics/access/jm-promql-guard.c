/* jm-promql-guard.c: whether a PromQL query reads what its author may see
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <string.h>

#include "access/jm-promql-private.h"
#include "base/jm-error.h"

/* How many jobs one selector may name as clusters times ids. */
#define MAX_JOBS 10000

/* A character of a literal; backslashes stand before what is not one by itself. */
static gboolean
take_literal (const char **at, GString *value)
{
  const char *c = *at;

  if (*c == '\\' && c[1] != '\\' && g_ascii_ispunct (c[1]))
    c++;
  else if (!g_ascii_isalnum (*c) && (*c == '\0' || strchr ("_-:", *c) == NULL))
    return FALSE;
  g_string_append_c (value, *c);
  *at = c + 1;

  return TRUE;
}

/* Of a|b or (a|b), which is how Grafana writes several values. Empty, a value would
 * stand for series that have no such label. */
static GStrv
split_alternation (const char *regex)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GString) value = g_string_new (NULL);
  gboolean is_enclosed = *regex == '(';
  const char *at = is_enclosed ? regex + 1 : regex;

  for (;;)
    {
      if (take_literal (&at, value))
        continue;
      if (value->len == 0)
        return NULL;
      g_strv_builder_add (builder, value->str);
      g_string_truncate (value, 0);
      if (*at != '|')
        break;
      at++;
    }

  return strcmp (at, is_enclosed ? ")" : "") == 0 ? g_strv_builder_end (builder) : NULL;
}

/* NULL where it is not said by name which values may be. */
static GStrv
list_values (const JmPromqlMatcher *matcher)
{
  const char *one[] = { matcher->value, NULL };

  if (matcher->match == JM_PROMQL_MATCH_REGEX)
    return split_alternation (matcher->value);
  if (matcher->match != JM_PROMQL_MATCH_EQUAL || *matcher->value == '\0')
    return NULL;

  return g_strdupv ((char **) one);
}

/* What a query reads. */
typedef struct
{
  const JmPromqlAllowed *allowed;
  double from; /* seconds since 1970 */
  double to;
} Reading;

static gboolean
allows_uuids (const Reading *self, GStrv uuids)
{
  const JmPromqlAllowed *allowed = self->allowed;

  for (guint i = 0; uuids[i] != NULL; i++)
    if (allowed->uuid == NULL || !allowed->uuid (uuids[i], allowed->user_data))
      return FALSE;

  return TRUE;
}

static gboolean
allows_jobs (const Reading *self, GStrv clusters, GStrv jobids)
{
  const JmPromqlAllowed *allowed = self->allowed;

  if ((guint64) g_strv_length (clusters) * g_strv_length (jobids) > MAX_JOBS)
    return FALSE;

  for (guint i = 0; clusters[i] != NULL; i++)
    for (guint j = 0; jobids[j] != NULL; j++)
      if (allowed->job == NULL || !allowed->job (clusters[i], jobids[j], self->from,
                                                 self->to, allowed->user_data))
        return FALSE;

  return TRUE;
}

static gboolean
is_label_of (const Reading *self, const char *label, JmJobField field)
{
  const GArray *labels = self->allowed->labels;

  for (guint i = 0; i < labels->len; i++)
    {
      const JmRunLabel *run_label = &g_array_index (labels, JmRunLabel, i);

      if (run_label->field == field && strcmp (run_label->label, label) == 0)
        return TRUE;
    }

  return FALSE;
}

/* Of the next matcher, from *@index on, that names runs by this field; NULL for
 * none. */
static GStrv
list_next_values (const Reading *self,
                  const JmPromqlSelector *selector,
                  JmJobField field,
                  guint *index)
{
  while (*index < selector->matchers->len)
    {
      const JmPromqlMatcher *matcher =
        &g_array_index (selector->matchers, JmPromqlMatcher, (*index)++);
      GStrv values =
        is_label_of (self, matcher->label, field) ? list_values (matcher) : NULL;

      if (values != NULL)
        return values;
    }

  return NULL;
}

/* A cluster that is matched twice is not worth the trouble: its first match counts. */
static GStrv
list_clusters (const Reading *self, const JmPromqlSelector *selector)
{
  const char *one[] = { self->allowed->cluster, NULL };
  guint index = 0;
  GStrv named = list_next_values (self, selector, JM_JOB_FIELD_CLUSTER, &index);

  return named == NULL && *one != NULL ? g_strdupv ((char **) one) : named;
}

/* All matchers hold, so one that confines is enough. */
static gboolean
is_confined_by (const Reading *self, const JmPromqlSelector *selector, JmJobField field)
{
  g_auto (GStrv) clusters = list_clusters (self, selector);
  gboolean is_confined = FALSE;
  guint index = 0;

  while (!is_confined)
    {
      g_auto (GStrv) values = list_next_values (self, selector, field, &index);

      if (values == NULL)
        return FALSE;
      is_confined = field == JM_JOB_FIELD_UUID
                      ? allows_uuids (self, values)
                      : clusters != NULL && allows_jobs (self, clusters, values);
    }

  return TRUE;
}

gboolean
jm_promql_is_confined (const char *query,
                       const JmPromqlAllowed *allowed,
                       GError **error)
{
  JmPromqlReach reach;
  g_autoptr (GPtrArray) selectors = jm_promql_list_selectors (query, &reach, error);
  double step = MAX (allowed->step, reach.step);
  Reading reading = { allowed,
                      MIN (allowed->from, reach.first) - reach.before -
                        step * (reach.n_calls + 1),
                      MAX (allowed->to, reach.last) + reach.after + step };

  if (selectors == NULL)
    return FALSE;

  for (guint i = 0; i < selectors->len; i++)
    {
      const JmPromqlSelector *selector = selectors->pdata[i];

      if (is_confined_by (&reading, selector, JM_JOB_FIELD_UUID) ||
          is_confined_by (&reading, selector, JM_JOB_FIELD_ID))
        continue;
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
                   "query: byte %zu: not confined to runs that you may see, by uuid or "
                   "by cluster and job id: %s",
                   selector->offset, selector->text);
      return FALSE;
    }

  return TRUE;
}

gboolean
jm_promql_is_selector (const char *text, GError **error)
{
  g_autoptr (GPtrArray) selectors = jm_promql_list_selectors (text, NULL, error);
  g_autofree char *bare = NULL;

  if (selectors == NULL)
    return FALSE;
  bare = g_strstrip (g_strdup (text));
  if (selectors->len == 1 &&
      strcmp (((const JmPromqlSelector *) selectors->pdata[0])->text, bare) == 0)
    return TRUE;
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "not one selector: %.80s", bare);

  return FALSE;
}
