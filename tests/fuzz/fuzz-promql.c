/* fuzz-promql.c: any bytes as a query, and a second look at those that are let through
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "access/jm-promql-private.h"
#include "base/jm-error.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static gboolean
is_run (const char *uuid, gpointer user_data)
{
  return strcmp (uuid, "u1") == 0;
}

/* Removes comments, and what strings hold, into a text of the same meaning. */
static char *
strip (const char *query)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (const char *c = query; *c != '\0'; c++)
    {
      const char quote = *c;

      if (quote == '#')
        {
          while (c[1] != '\0' && c[1] != '\n')
            c++;
          continue;
        }
      g_string_append_c (out, quote);
      if (strchr ("\"'`", quote) == NULL)
        continue;
      for (c++; *c != quote; c++)
        if (*c == '\\' && quote != '`')
          c++;
      g_string_append_c (out, quote);
    }

  return g_string_free (g_steal_pointer (&out), FALSE);
}

static guint
count (const char *text, char wanted)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == wanted;

  return n;
}

/* Each pair of braces is one selector's, and none is let through without them. */
static void
look_again (const char *query)
{
  g_autoptr (GPtrArray) selectors = jm_promql_list_selectors (query, NULL, NULL);
  g_autofree char *stripped = strip (query);

  g_assert_nonnull (selectors);
  g_assert_cmpuint (count (stripped, '{'), ==, selectors->len);
  g_assert_cmpuint (count (stripped, '}'), ==, selectors->len);
  for (guint i = 0; i < selectors->len; i++)
    {
      const JmPromqlSelector *selector = selectors->pdata[i];

      g_assert_nonnull (strstr (selector->text, "{"));
      g_assert_true (g_str_has_prefix (query + selector->offset, selector->text));
    }
}

/* What match[] takes is one selector, whatever is around it. */
static void
look_at_selector (const char *query)
{
  g_autofree char *twice = g_strconcat (query, " or ", query, NULL);
  g_autoptr (GPtrArray) selectors = NULL;

  if (!jm_promql_is_selector (query, NULL))
    return;
  selectors = jm_promql_list_selectors (query, NULL, NULL);
  g_assert_nonnull (selectors);
  g_assert_cmpuint (selectors->len, ==, 1);
  g_assert_false (jm_promql_is_selector (twice, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const JmRunLabel label = { "uuid", JM_JOB_FIELD_UUID };
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof label);
  const JmPromqlAllowed allowed = { .uuid = is_run, .labels = labels };
  g_autofree char *query = g_strndup ((const char *) data, size);
  g_autofree char *confined = g_strconcat ("a{uuid=\"u1\"} or ", query, NULL);
  const char *const queries[] = { query, confined };

  g_array_append_val (labels, label);
  look_at_selector (query);

  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_autoptr (GError) error = NULL;

      if (jm_promql_is_confined (queries[i], &allowed, &error))
        look_again (queries[i]);
      else
        g_assert_true (g_error_matches (error, JM_ERROR, JM_ERROR_MALFORMED) ||
                       g_error_matches (error, JM_ERROR, JM_ERROR_DENIED));
    }

  return 0;
}
