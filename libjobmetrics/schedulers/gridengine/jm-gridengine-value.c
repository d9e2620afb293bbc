/* jm-gridengine-value.c: the values in what Grid Engine's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/gridengine/jm-gridengine-value-private.h"

#include <math.h>

#define NUMBER_MAX 64
/* A double distinguishes all whole numbers below this. */
#define COUNT_MAX 9007199254740992.0

#define LETTERS_MAX 16
#define BIT(flag) (1U << JM_SCHEDULER_JOB_FLAG_##flag)

/* The number that a text begins with, of digits; *@rest is what stands behind. */
static gboolean
take_real (JmSlice text, double *value, JmSlice *rest)
{
  char buffer[NUMBER_MAX];
  char *end;
  double number;

  if (text.length == 0 || text.length >= sizeof buffer ||
      !g_ascii_isdigit (text.text[0]) || memchr (text.text, '\0', text.length) != NULL)
    return FALSE;
  memcpy (buffer, text.text, text.length);
  buffer[text.length] = '\0';

  number = g_ascii_strtod (buffer, &end);
  if (!isfinite (number))
    return FALSE;

  *value = number;
  *rest = (JmSlice){ text.text + (end - buffer), text.length - (gsize) (end - buffer) };

  return TRUE;
}

gboolean
jm_gridengine_parse_real (JmSlice text, double *value)
{
  double number;
  JmSlice rest;

  if (!take_real (text, &number, &rest) || rest.length > 0)
    return FALSE;

  *value = number;

  return TRUE;
}

static gboolean
take_whole (double number, gint64 *count)
{
  if (number >= COUNT_MAX)
    return FALSE;

  *count = (gint64) number;

  return TRUE;
}

gboolean
jm_gridengine_parse_count (JmSlice text, gint64 *count)
{
  double number;

  return jm_gridengine_parse_real (text, &number) && number == floor (number) &&
         take_whole (number, count);
}

gboolean
jm_gridengine_parse_memory (JmSlice text, gint64 *bytes)
{
  static const char letters[] = "kmgtpKMGTP";
  const char *letter;
  double number;
  JmSlice rest;

  if (!take_real (text, &number, &rest) || rest.length > 1)
    return FALSE;
  if (rest.length == 0)
    return take_whole (number, bytes);

  letter = memchr (letters, rest.text[0], sizeof letters - 1);
  if (letter == NULL)
    return FALSE;

  return take_whole (number * pow (letter - letters < 5 ? 1000 : 1024,
                                   (double) ((letter - letters) % 5 + 1)),
                     bytes);
}

gboolean
jm_gridengine_parse_time (JmSlice text, gint64 *seconds)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *string = NULL;

  if (text.length == 0 || text.length >= NUMBER_MAX || !g_ascii_isdigit (text.text[0]))
    return FALSE;

  string = g_strndup (text.text, text.length);
  time = g_date_time_new_from_iso8601 (string, utc);
  if (time == NULL || g_date_time_to_unix (time) <= 0)
    return FALSE;

  *seconds = g_date_time_to_unix (time);

  return TRUE;
}

/* --- states of jobs --- */

static const struct
{
  char letter;
  JmSchedulerJobState state; /* the highest of them counts */
  guint flags;
  const char *reason;
  const char *word;
} job_letters[] = {
  { 'q', JM_SCHEDULER_JOB_STATE_PENDING, 0, NULL, NULL },
  { 'w', JM_SCHEDULER_JOB_STATE_PENDING, 0, NULL, NULL },
  { 'h', JM_SCHEDULER_JOB_STATE_UNKNOWN, 0, "hold", NULL },
  { 'E', JM_SCHEDULER_JOB_STATE_UNKNOWN, BIT (LAUNCH_FAILED), "error", NULL },
  { 't', JM_SCHEDULER_JOB_STATE_RUNNING, BIT (CONFIGURING), NULL, NULL },
  { 'r', JM_SCHEDULER_JOB_STATE_RUNNING, 0, NULL, NULL },
  { 'R', JM_SCHEDULER_JOB_STATE_UNKNOWN, 0, NULL, "restarted" },
  { 's', JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, NULL, NULL },
  { 'S', JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, NULL, "queue_suspended" },
  { 'T', JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, NULL, "threshold" },
  { 'P', JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, NULL, "preempted" },
  { 'N', JM_SCHEDULER_JOB_STATE_SUSPENDED, 0, NULL, "preempted" },
  { 'd', JM_SCHEDULER_JOB_STATE_UNKNOWN, BIT (COMPLETING), NULL, NULL },
  { 'z', JM_SCHEDULER_JOB_STATE_COMPLETED, 0, NULL, NULL },
};

static gboolean
find_letter (char letter, guint *place)
{
  for (guint i = 0; i < G_N_ELEMENTS (job_letters); i++)
    if (job_letters[i].letter == letter)
      {
        *place = i;
        return TRUE;
      }

  return FALSE;
}

gboolean
jm_gridengine_parse_job_state (JmSlice text,
                               JmSchedulerJobState *state,
                               guint *flags,
                               GString *other,
                               const char **reason)
{
  *state = JM_SCHEDULER_JOB_STATE_UNKNOWN;
  *reason = NULL;
  if (text.length == 0 || text.length > LETTERS_MAX)
    return FALSE;

  for (gsize i = 0; i < text.length; i++)
    {
      guint place;

      if (!find_letter (text.text[i], &place))
        return FALSE;
      *state = MAX (*state, job_letters[place].state);
      *flags |= job_letters[place].flags;
      if (job_letters[place].reason != NULL)
        *reason = job_letters[place].reason;
      if (job_letters[place].word != NULL)
        g_string_append_printf (other, "%s%s", other->len > 0 ? "," : "",
                                job_letters[place].word);
    }

  return TRUE;
}
