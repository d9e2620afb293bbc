/* jm-promql-guard.c: whether a PromQL query reads what its author may see
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <string.h>

#include "core/jm-error.h"
#include "sources/jm-promql-private.h"

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

static GStrv
list_values_of (const JmPromqlSelector *selector, guint index, const char *label)
{
  const JmPromqlMatcher *matcher =
    &g_array_index (selector->matchers, JmPromqlMatcher, index);

  return strcmp (matcher->label, label) == 0 ? list_values (matcher) : NULL;
}

static gboolean
allows_uuids (const JmPromqlAllowed *allowed, GStrv uuids)
{
  for (guint i = 0; uuids[i] != NULL; i++)
    if (allowed->uuid == NULL || !allowed->uuid (uuids[i], allowed->user_data))
      return FALSE;

  return TRUE;
}

static gboolean
allows_jobs (const JmPromqlAllowed *allowed, GStrv clusters, GStrv jobids)
{
  if ((guint64) g_strv_length (clusters) * g_strv_length (jobids) > MAX_JOBS)
    return FALSE;

  for (guint i = 0; clusters[i] != NULL; i++)
    for (guint j = 0; jobids[j] != NULL; j++)
      if (allowed->job == NULL ||
          !allowed->job (clusters[i], jobids[j], allowed->user_data))
        return FALSE;

  return TRUE;
}

/* All matchers hold, so one that confines is enough. */
static gboolean
is_confined_by_uuid (const JmPromqlSelector *selector, const JmPromqlAllowed *allowed)
{
  for (guint i = 0; i < selector->matchers->len; i++)
    {
      g_auto (GStrv) uuids = list_values_of (selector, i, "uuid");

      if (uuids != NULL && allows_uuids (allowed, uuids))
        return TRUE;
    }

  return FALSE;
}

/* A label that is matched twice is not worth the trouble: its first match counts. */
static GStrv
list_first_values (const JmPromqlSelector *selector, const char *label)
{
  for (guint i = 0; i < selector->matchers->len; i++)
    {
      GStrv values = list_values_of (selector, i, label);

      if (values != NULL)
        return values;
    }

  return NULL;
}

static GStrv
list_clusters (const JmPromqlSelector *selector, const JmPromqlAllowed *allowed)
{
  const char *one[] = { allowed->cluster, NULL };
  GStrv named = list_first_values (selector, "cluster");

  return named == NULL && allowed->cluster != NULL ? g_strdupv ((char **) one) : named;
}

static gboolean
is_confined_by_job (const JmPromqlSelector *selector, const JmPromqlAllowed *allowed)
{
  g_auto (GStrv) clusters = list_clusters (selector, allowed);
  g_auto (GStrv) jobids = list_first_values (selector, "jobid");

  return clusters != NULL && jobids != NULL && allows_jobs (allowed, clusters, jobids);
}

gboolean
jm_promql_is_confined (const char *query,
                       const JmPromqlAllowed *allowed,
                       GError **error)
{
  g_autoptr (GPtrArray) selectors = jm_promql_list_selectors (query, error);

  if (selectors == NULL)
    return FALSE;

  for (guint i = 0; i < selectors->len; i++)
    {
      const JmPromqlSelector *selector = selectors->pdata[i];

      if (is_confined_by_uuid (selector, allowed) ||
          is_confined_by_job (selector, allowed))
        continue;
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
                   "query: byte %zu: not confined to runs that you may see, by uuid or "
                   "by cluster and jobid: %s",
                   selector->offset, selector->text);
      return FALSE;
    }

  return TRUE;
}

gboolean
jm_promql_is_selector (const char *text, GError **error)
{
  g_autoptr (GPtrArray) selectors = jm_promql_list_selectors (text, error);
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
