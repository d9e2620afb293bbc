/* fuzz-tsdb-answer.c: any bytes as what a time series database answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "archive/tsdb/jm-tsdb-private.h"
#include "base/jm-error.h"

#define MAX_SERIES 20
#define MAX_POINTS 100

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check (GPtrArray *all)
{
  guint n_points = 0;

  g_assert_cmpuint (all->len, <=, MAX_SERIES);
  for (guint i = 0; i < all->len; i++)
    {
      g_auto (GStrv) labels = jm_tsdb_series_list_labels (all->pdata[i]);
      double before = 0, time, value;

      for (guint k = 0; labels[k] != NULL; k++)
        g_assert_true (
          g_utf8_validate (jm_tsdb_series_get_label (all->pdata[i], labels[k]), -1,
                           NULL));
      for (guint k = 0; k < jm_tsdb_series_get_n_points (all->pdata[i]); k++)
        {
          jm_tsdb_series_get_point (all->pdata[i], k, &time, &value);
          g_assert_true (k == 0 || time > before);
          before = time;
          n_points++;
        }
    }
  g_assert_cmpuint (n_points, <=, MAX_POINTS);
}

/* Cut anywhere it is the same. */
static gboolean
read_answer (const char *text, gsize size, gsize chunk)
{
  const JmTsdbLimits limits = { .series = MAX_SERIES, .points = MAX_POINTS };
  g_autoptr (JmTsdbAnswer) answer = jm_tsdb_answer_new (limits);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = NULL;

  for (gsize at = 0; at < size; at += chunk)
    if (!jm_tsdb_answer_feed (answer, text + at, MIN (chunk, size - at)))
      break;
  all = jm_tsdb_answer_finish (answer, "tsdb", &error);
  if (all != NULL)
    check (all);
  else
    g_assert_nonnull (error);

  return all != NULL;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const char format[] = "{\"status\":\"success\",\"data\":{\"resultType\":"
                               "\"matrix\",\"result\":[%s]}}";
  g_autofree char *part = g_strndup ((const char *) data, size);
  g_autofree char *framed = g_strdup_printf (format, part);

  g_assert_cmpint (read_answer ((const char *) data, size, 7), ==,
                   read_answer ((const char *) data, size, size + 1));
  read_answer (framed, strlen (framed), 64);

  return 0;
}
