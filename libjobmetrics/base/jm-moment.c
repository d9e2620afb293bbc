/* jm-moment.c: a moment as people type it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-moment-private.h"

#include <string.h>

#include "base/jm-error-private.h"

/* More than this is no moment that anybody types. */
#define MAX_LENGTH 64
/* A thousand years: what is added up stays far from the ends of the clock. */
#define MAX_SECONDS (1000.0 * 365 * 86400)

#define DATE_LENGTH 10 /* 2026-11-22 */
#define TIME_LENGTH 5  /* 10:00 */

static const struct
{
  const char *name;
  double seconds;
} units[] = {
  { "s", 1 },     { "sec", 1 },     { "second", 1 },    { "m", 60 },
  { "min", 60 },  { "minute", 60 }, { "h", 3600 },      { "hour", 3600 },
  { "d", 86400 }, { "day", 86400 }, { "w", 7 * 86400 }, { "week", 7 * 86400 },
};

/* --- how long ago --- */

static void
skip_blanks (const char **text)
{
  while (**text == ' ')
    (*text)++;
}

/* `hours` is an hour too. */
static gboolean
take_unit (const char **text, double *seconds)
{
  gsize length = strspn (*text, "abcdefghijklmnopqrstuvwxyz");

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      const gsize own = strlen (units[i].name);
      const gboolean is_plural =
        own > 1 && length == own + 1 && (*text)[length - 1] == 's';

      if ((length == own || is_plural) && strncmp (*text, units[i].name, own) == 0)
        {
          *seconds = units[i].seconds;
          *text += length;
          return TRUE;
        }
    }

  return FALSE;
}

static gboolean
take_number (const char **text, double *number)
{
  const gsize length = strspn (*text, "0123456789");

  if (length == 0)
    return FALSE;

  /* never hexadecimal: the digits alone are read */
  *number = 0;
  for (gsize i = 0; i < length; i++)
    *number = *number * 10 + (*text)[i] - '0';
  *text += length;

  return TRUE;
}

/* `1h30m`, `2 days 3 hours`: up to what is none of it. */
static gboolean
take_length (const char **text, double *seconds)
{
  double number, unit;

  *seconds = 0;
  do
    {
      if (!take_number (text, &number))
        return FALSE;
      skip_blanks (text);
      if (!take_unit (text, &unit))
        return FALSE;
      *seconds += number * unit;
      skip_blanks (text);
    }
  while (g_ascii_isdigit (**text));

  return *seconds <= MAX_SECONDS;
}

static gboolean
parse_relative (const char *text, GDateTime *now, gint64 *time_us)
{
  const gboolean is_now = g_str_has_prefix (text, "now");
  gboolean is_before;
  double seconds = 0;

  text += is_now ? strlen ("now") : 0;
  is_before = *text == '-';
  if (is_before)
    text++;
  if ((!is_now || is_before) && !take_length (&text, &seconds))
    return FALSE;
  if (!is_now && !is_before)
    {
      if (!g_str_equal (text, "ago"))
        return FALSE;
      text += strlen ("ago");
    }

  *time_us = g_date_time_to_unix (now) * G_USEC_PER_SEC +
             g_date_time_get_microsecond (now) - (gint64) (seconds * G_USEC_PER_SEC);

  return *text == '\0';
}

/* --- when --- */

static gboolean
has_form (const char *text, const char *form)
{
  for (; *form != '\0'; text++, form++)
    if (*form == '0' ? !g_ascii_isdigit (*text) : *text != *form)
      return FALSE;

  return TRUE;
}

/* @date has its form, and @time and what is behind it may be anything. */
static gboolean
parse_date_and_time (const char *date,
                     const char *time,
                     GTimeZone *zone,
                     gint64 *time_us)
{
  g_autoptr (GDateTime) moment = NULL;
  g_autofree char *whole = NULL;
  const char *rest = time + TIME_LENGTH;

  if (!has_form (time, "00:00"))
    return FALSE;

  whole = g_strdup_printf ("%.*sT%.*s%s%s", DATE_LENGTH, date, TIME_LENGTH, time,
                           *rest == ':' ? "" : ":00", rest);
  moment = g_date_time_new_from_iso8601 (whole, zone);
  if (moment == NULL)
    return FALSE;

  *time_us = g_date_time_to_unix (moment) * G_USEC_PER_SEC +
             g_date_time_get_microsecond (moment);

  return TRUE;
}

static gboolean
parse_date (const char *text, GTimeZone *zone, gint64 *time_us)
{
  const char *rest = text + DATE_LENGTH;

  if (!has_form (text, "0000-00-00"))
    return FALSE;

  if (*rest == '\0')
    return parse_date_and_time (text, "00:00", zone, time_us);

  return (*rest == ' ' || *rest == 'T') &&
         parse_date_and_time (text, rest + 1, zone, time_us);
}

static gboolean
parse_day (const char *text, GDateTime *now, gint64 *time_us)
{
  const gboolean is_yesterday = g_str_has_prefix (text, "yesterday");
  const gboolean is_named = is_yesterday || g_str_has_prefix (text, "today");
  g_autoptr (GDateTime) day = g_date_time_add_days (now, is_yesterday ? -1 : 0);
  g_autofree char *date = g_date_time_format (day, "%Y-%m-%d");

  if (is_named)
    text += strlen (is_yesterday ? "yesterday" : "today");
  if (is_named && *text == '\0')
    text = "00:00";
  else if (is_named && *text++ != ' ')
    return FALSE;

  return parse_date_and_time (date, text, g_date_time_get_timezone (now), time_us);
}

/* The first moment of a week, which begins on Monday, or of a month. */
static gboolean
parse_period (const char *text, GDateTime *now, gint64 *time_us)
{
  const gboolean is_last = g_str_has_prefix (text, "last ");
  const char *name = is_last || g_str_has_prefix (text, "this ") ? text + 5 : "";
  g_autoptr (GDateTime) day = NULL;
  g_autofree char *date = NULL;

  if (g_str_equal (name, "week"))
    day = g_date_time_add_days (now, 1 - g_date_time_get_day_of_week (now) -
                                       (is_last ? 7 : 0));
  else if (g_str_equal (name, "month"))
    {
      g_autoptr (GDateTime) first =
        g_date_time_add_days (now, 1 - g_date_time_get_day_of_month (now));

      day = g_date_time_add_months (first, is_last ? -1 : 0);
    }
  if (day == NULL)
    return FALSE;
  date = g_date_time_format (day, "%Y-%m-%d");

  return parse_date_and_time (date, "00:00", g_date_time_get_timezone (now), time_us);
}

static gboolean
parse_seconds (const char *text, gint64 *time_us)
{
  gint64 seconds;

  if (*text != '@' ||
      !g_ascii_string_to_signed (text + 1, 10, 0, (gint64) MAX_SECONDS, &seconds, NULL))
    return FALSE;

  *time_us = seconds * G_USEC_PER_SEC;

  return TRUE;
}

gboolean
jm_moment_parse (const char *text, GDateTime *now, gint64 *time_us, GError **error)
{
  if (strlen (text) <= MAX_LENGTH &&
      (parse_date (text, g_date_time_get_timezone (now), time_us) ||
       parse_day (text, now, time_us) || parse_period (text, now, time_us) ||
       parse_relative (text, now, time_us) || parse_seconds (text, time_us)))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "'%s' is not a time, such as " JM_MOMENT_EXAMPLES, text);

  return FALSE;
}

gboolean
jm_moment_take_day (gint64 *seconds, const char *value, GError **error)
{
  g_autofree char *whole = strchr (value, 'T') != NULL
                             ? g_strdup (value)
                             : g_strconcat (value, "T00:00:00Z", NULL);
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (whole, NULL);

  if (time == NULL || g_date_time_to_unix (time) <= 0)
    return jm_error_refuse (error, "not YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ", value);
  *seconds = g_date_time_to_unix (time);

  return TRUE;
}
