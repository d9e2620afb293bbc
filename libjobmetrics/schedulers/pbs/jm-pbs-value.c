/* jm-pbs-value.c: the values in what PBS's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/pbs/jm-pbs-value-private.h"

#include "schedulers/jm-scheduler-value-private.h"

#define WORD_BYTES 8

gboolean
jm_pbs_parse_count (JmSlice text, gint64 *count)
{
  guint64 value;

  if (!jm_parse_uint64 (text.text, text.length, &value) || value > G_MAXINT64)
    return FALSE;

  *count = (gint64) value;

  return TRUE;
}

gboolean
jm_pbs_parse_memory (JmSlice text, gint64 *bytes)
{
  static const char letters[] = "kmgtp";
  JmSlice number = text;
  guint64 value, unit = 1;

  if (number.length > 0 && memchr ("bw", number.text[number.length - 1], 2) != NULL)
    {
      unit = number.text[--number.length] == 'w' ? WORD_BYTES : 1;
      if (number.length > 0)
        {
          const char *letter =
            memchr (letters, number.text[number.length - 1], sizeof letters - 1);

          if (letter != NULL)
            {
              number.length--;
              unit <<= 10 * (letter - letters + 1);
            }
        }
    }

  if (!jm_parse_uint64 (number.text, number.length, &value) ||
      value > G_MAXINT64 / unit)
    return FALSE;

  *bytes = (gint64) (value * unit);

  return TRUE;
}

static gboolean
parse_month (JmSlice word, int *month)
{
  static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

  for (int i = 0; i < 12 && word.length == 3; i++)
    if (memcmp (names + 3 * i, word.text, 3) == 0)
      {
        *month = i + 1;
        return TRUE;
      }

  return FALSE;
}

gboolean
jm_pbs_parse_time (JmSlice text, gint64 *seconds)
{
  const char *cursor = text.text;
  const char *end = text.text + text.length;
  g_autoptr (GDateTime) date = NULL;
  JmSlice words[5];
  gint64 day, clock, year;
  int month;

  if (jm_pbs_parse_count (text, seconds))
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (!jm_parse_next_word (&cursor, end, &words[i]))
      return FALSE;
  if (!parse_month (words[1], &month) || !jm_pbs_parse_count (words[2], &day) ||
      !jm_pbs_parse_duration (words[3], &clock) ||
      !jm_pbs_parse_count (words[4], &year) || day < 1 || day > 31 || year < 1970 ||
      year > 9999 || clock >= 24 * 60 * 60)
    return FALSE;

  date = g_date_time_new_utc ((int) year, month, (int) day, 0, 0, 0);
  if (date == NULL)
    return FALSE;

  *seconds = g_date_time_to_unix (date) + clock;

  return TRUE;
}

gboolean
jm_pbs_parse_duration (JmSlice text, gint64 *seconds)
{
  gint64 value = -1;

  if (text.length == 0 || memchr (text.text, '-', text.length) != NULL ||
      !jm_scheduler_take_value (text, jm_scheduler_parse_duration, &value) || value < 0)
    return FALSE;

  *seconds = value;

  return TRUE;
}

gboolean
jm_pbs_parse_state_count (JmSlice text, const char *state, gint64 *count)
{
  const char *cursor = text.text;
  const gsize length = strlen (state);
  JmSlice word;

  while (jm_parse_next_word (&cursor, text.text + text.length, &word))
    if (word.length > length && word.text[length] == ':' &&
        memcmp (word.text, state, length) == 0)
      return jm_pbs_parse_count ((JmSlice){ word.text + length + 1,
                                            word.length - length - 1 },
                                 count);

  return FALSE;
}

guint
jm_pbs_append_hosts (GString *hosts, JmSlice text)
{
  g_autoptr (GHashTable) seen =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  JmSlice entry;

  while (jm_slice_take_word (&text, '+', &entry))
    {
      const char *slash = memchr (entry.text, '/', entry.length);
      gsize length = slash != NULL ? (gsize) (slash - entry.text) : entry.length;

      if (length == 0 || !g_hash_table_add (seen, g_strndup (entry.text, length)))
        continue;
      g_string_append (hosts, hosts->len > 0 ? "," : "");
      g_string_append_len (hosts, entry.text, (gssize) length);
    }

  return g_hash_table_size (seen);
}
