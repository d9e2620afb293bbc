/* jm-scheduler-value.c: the values in what Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-value-private.h"

#include <math.h>

#define SECONDS_OF_DAY 86400
/* Beyond the year 9999 it is no moment of a job's. */
#define TIME_MAX G_GUINT64_CONSTANT (253402300800)
#define DAYS_MAX 1000000
/* MaxArraySize is a 32 bit number. */
#define TASKS_MAX G_MAXUINT32

/* Of no value, and of no limit, in 32 and 64 bits, as commands print them that know
 * of neither. */
static const guint64 no_values[] = { 4294967294, 4294967295, G_MAXUINT64 - 1,
                                     G_MAXUINT64 };

static gboolean
is (JmSlice text, const char *word)
{
  return text.length == strlen (word) &&
         g_ascii_strncasecmp (text.text, word, text.length) == 0;
}

gboolean
jm_scheduler_is_no_name (JmSlice text)
{
  return text.length == 0 || is (text, "N/A") || is (text, "(null)");
}

gboolean
jm_scheduler_is_absent (JmSlice text)
{
  static const char *const words[] = { "",         "N/A",       "(null)",  "NONE",
                                       "Unknown",  "UNLIMITED", "INVALID", "NOT_SET",
                                       "INFINITE", "INFINITY",  "inf",     "-inf",
                                       "nan",      "-nan",      "NO_VAL" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (is (text, words[i]))
      return TRUE;

  return FALSE;
}

/* Digits and nothing else. */
static gboolean
parse_digits (JmSlice text, guint64 *value)
{
  guint64 sum = 0;

  if (text.length == 0)
    return FALSE;

  for (gsize i = 0; i < text.length; i++)
    {
      guint digit = (guint) (text.text[i] - '0');

      if (digit > 9 || sum > (G_MAXUINT64 - digit) / 10)
        return FALSE;
      sum = sum * 10 + digit;
    }
  *value = sum;

  return TRUE;
}

static gboolean
is_no_value (guint64 value)
{
  for (guint i = 0; i < G_N_ELEMENTS (no_values); i++)
    if (value == no_values[i])
      return TRUE;

  return FALSE;
}

gboolean
jm_scheduler_is_no_real (double value)
{
  for (guint i = 0; i < G_N_ELEMENTS (no_values); i++)
    if (value >= (double) no_values[i] && value <= (double) no_values[i])
      return TRUE;

  return isnan (value);
}

/* JSON may have a whole number as `4294967294.0`. */
static JmSlice
strip_fraction (JmSlice text)
{
  gsize length = text.length;

  while (length > 0 && text.text[length - 1] == '0')
    length--;
  if (length > 0 && length < text.length && text.text[length - 1] == '.')
    text.length = length - 1;

  return text;
}

gboolean
jm_scheduler_parse_count (JmSlice text, guint64 *count, gboolean *has)
{
  guint64 value;

  *has = FALSE;
  if (jm_scheduler_is_absent (text))
    return TRUE;
  if (!parse_digits (strip_fraction (text), &value))
    return FALSE;

  *has = !is_no_value (value);
  if (*has)
    *count = value;

  return TRUE;
}

static guint64
scale_of (char letter)
{
  static const char letters[] = "KMGTPE";
  const char *found =
    letter != '\0' ? strchr (letters, g_ascii_toupper (letter)) : NULL;

  return found != NULL ? G_GUINT64_CONSTANT (1) << 10 * (found - letters + 1) : 0;
}

/* A fraction is shown of what Slurm has rounded: to two places. */
static gboolean
scale (JmSlice number, guint64 factor, guint64 *value, gboolean *has)
{
  JmSlice whole, part;
  guint64 n, hundredths = 0;
  guint64 divisor = 1;

  if (!jm_slice_take_word (&number, '.', &whole) || !parse_digits (whole, &n))
    return FALSE;
  if (number.text != NULL)
    {
      part = number;
      if (part.length == 0 || part.length > 2 || !parse_digits (part, &hundredths))
        return FALSE;
      divisor = part.length == 1 ? 10 : 100;
    }
  if (is_no_value (n))
    return TRUE;
  if (n > (G_MAXUINT64 - (factor - 1)) / factor)
    return FALSE;

  *value = n * factor + hundredths * (factor / divisor) +
           hundredths * (factor % divisor) / divisor;
  *has = TRUE;

  return TRUE;
}

/* @factor is that of a number without a letter. */
static gboolean
parse_scaled (JmSlice text, guint64 factor, guint64 *value, gboolean *has)
{
  *has = FALSE;
  if (jm_scheduler_is_absent (text))
    return TRUE;

  if (scale_of (text.text[text.length - 1]) != 0)
    {
      factor = scale_of (text.text[text.length - 1]);
      text.length--;
    }

  return scale (text, factor, value, has);
}

gboolean
jm_scheduler_parse_memory (JmSlice text, guint64 *bytes, gboolean *has)
{
  return parse_scaled (text, JM_SLURM_MEGABYTE, bytes, has);
}

gboolean
jm_scheduler_parse_amount (JmSlice text, guint64 *amount, gboolean *has)
{
  return parse_scaled (text, 1, amount, has);
}

gboolean
jm_scheduler_parse_time (JmSlice text, guint64 *seconds, gboolean *has)
{
  guint64 value;

  if (!jm_scheduler_parse_count (text, &value, has))
    return FALSE;

  /* 0 is no moment at which anything of a job was */
  *has = *has && value != 0;
  if (*has && value >= TIME_MAX)
    {
      *has = FALSE;
      return FALSE;
    }
  if (*has)
    *seconds = value;

  return TRUE;
}

gboolean
jm_scheduler_parse_duration (JmSlice text, guint64 *seconds, gboolean *has)
{
  guint64 parts[3];
  guint n_parts = 0;
  guint64 days = 0;
  guint64 sum = 0;
  gboolean has_days;
  JmSlice word;

  *has = FALSE;
  if (jm_scheduler_is_absent (text))
    return TRUE;

  has_days = memchr (text.text, '-', text.length) != NULL;
  if (has_days && (!jm_slice_take_word (&text, '-', &word) ||
                   !parse_digits (word, &days) || days > DAYS_MAX))
    return FALSE;

  while (jm_slice_take_word (&text, ':', &word))
    if (n_parts == G_N_ELEMENTS (parts) || !parse_digits (word, &parts[n_parts]) ||
        parts[n_parts++] > DAYS_MAX * 24)
      return FALSE;

  /* without days the last is for seconds, with them the first is for hours */
  for (guint i = 0; i < n_parts; i++)
    sum = sum * 60 + parts[i];
  for (guint i = n_parts; has_days && i < G_N_ELEMENTS (parts); i++)
    sum *= 60;

  *seconds = days * SECONDS_OF_DAY + sum;
  *has = TRUE;

  return TRUE;
}

static gboolean
count_range (JmSlice range, guint64 *n)
{
  guint64 first, last;
  guint64 step = 1;
  JmSlice bounds, word;

  if (!jm_slice_take_word (&range, ':', &bounds) ||
      (range.text != NULL && (!parse_digits (range, &step) || step == 0)))
    return FALSE;
  if (!jm_slice_take_word (&bounds, '-', &word) || !parse_digits (word, &first))
    return FALSE;

  last = first;
  if (bounds.text != NULL && !parse_digits (bounds, &last))
    return FALSE;
  if (last < first || last > TASKS_MAX)
    return FALSE;

  *n = (last - first) / step + 1;

  return TRUE;
}

gboolean
jm_scheduler_count_tasks (JmSlice text, guint64 *n_tasks, gboolean *has)
{
  JmSlice list, range;
  guint64 sum = 0;
  guint64 n;

  *has = FALSE;
  /* how many of them may run at once stands behind */
  if (jm_scheduler_is_absent (text) || !jm_slice_take_word (&text, '%', &list))
    return TRUE;

  while (jm_slice_take_word (&list, ',', &range))
    {
      if (!count_range (range, &n) || sum + n > TASKS_MAX)
        return FALSE;
      sum += n;
    }

  *n_tasks = sum;
  *has = TRUE;

  return TRUE;
}

gboolean
jm_scheduler_take_value (JmSlice text, JmSchedulerParse parse, gint64 *field)
{
  guint64 value;
  gboolean has;

  if (!parse (text, &value, &has) || (has && value > G_MAXINT64))
    return FALSE;
  if (has)
    *field = (gint64) value;

  return TRUE;
}
