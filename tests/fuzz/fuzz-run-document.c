/* fuzz-run-document.c: any bytes as what a server reports of runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jm-archive-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-run-document-private.h"
#include "judge/jm-run-suggestion-private.h"

#define ABOUT "server"
#define GROUPS                                                                         \
 (JM_USAGE_GROUPS_CLUSTER | JM_USAGE_GROUPS_USER | JM_USAGE_GROUPS_ACCOUNT |           \
  JM_USAGE_GROUPS_PARTITION | JM_USAGE_GROUPS_DAY)

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* What is written of it is a document again. */
static void
check (GString *json)
{
  g_autoptr (JsonNode) again = jm_json_parse (json->str, json->len);

  g_assert_nonnull (again);
}

static void
read_run (JsonNode *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = jm_run_document_read (json, ABOUT, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (run == NULL)
    {
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      return;
    }
  jm_run_get_figure (run, "cpu_efficiency_percent");
  jm_run_get_figure (run, "memory_share_percent");
  jm_run_get_figure (run, "wait_seconds");
  jm_run_document_append (text, run);
  check (text);
}

static void
read_part (JsonNode *json, JmRunPartKind kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunPart) part = jm_run_document_read_part (json, kind, ABOUT, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (part == NULL)
    {
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      return;
    }
  jm_run_document_append_part (text, part);
  check (text);
}

static void
read_usage (JsonNode *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmUsage) usage = jm_run_document_read_usage (json, GROUPS, ABOUT, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (usage == NULL)
    {
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      return;
    }
  jm_run_document_append_usage (text, usage, GROUPS);
  check (text);
}

static void
read_statistics (JsonNode *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) rows =
    jm_run_statistics_read (json, GROUPS | JM_USAGE_GROUPS_STATE, ABOUT, &error);

  if (rows == NULL)
    g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  else
    g_assert_cmpuint (g_variant_n_children (rows), ==,
                      jm_json_get_length (jm_json_get (json, "statistics")));
}

static void
read_series (JsonNode *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmTsdbSeries) series = jm_run_document_read_series (json, ABOUT, &error);
  double last = -G_MAXDOUBLE;

  if (series == NULL)
    {
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      return;
    }
  for (guint i = 0; i < jm_tsdb_series_get_n_points (series); i++)
    {
      double time, value;

      jm_tsdb_series_get_point (series, i, &time, &value);
      g_assert_true (i == 0 || time > last);
      last = time;
    }
}

/* What is written of it makes the same again. */
static void
read_suggestion (JsonNode *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunSuggestion) suggestion =
    jm_run_suggestion_read_json (json, ABOUT, &error);
  g_autoptr (JmRunSuggestion) again = NULL;
  g_autoptr (JsonNode) written = NULL;
  JmJsonWriter one = { .out = g_string_new (NULL) };
  JmJsonWriter other = { .out = g_string_new (NULL) };
  g_autoptr (GString) first = one.out;
  g_autoptr (GString) second = other.out;
  g_autofree char *wait = NULL;

  if (suggestion == NULL)
    {
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      return;
    }
  wait = jm_run_suggestion_describe_wait (suggestion);
  jm_run_suggestion_append_json (suggestion, &one);
  written = jm_json_parse (first->str, first->len);
  again = jm_run_suggestion_read_json (written, ABOUT, NULL);
  g_assert_nonnull (again);
  jm_run_suggestion_append_json (again, &other);
  g_assert_cmpstr (first->str, ==, second->str);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (JsonNode) json = jm_json_parse ((const char *) data, size);

  read_run (json);
  for (guint i = 0; i < JM_N_RUN_PART_KINDS; i++)
    read_part (json, i);
  read_usage (json);
  read_statistics (json);
  read_series (json);
  read_suggestion (json);

  return 0;
}
