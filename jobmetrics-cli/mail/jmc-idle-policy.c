/* jmc-idle-policy.c: when the owner of an idle run is informed, and what follows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-idle.h"

#include <stdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-settings-private.h"

#define GROUP "idle "
#define MS_PER_SECOND 1000
#define SECONDS_PER_MINUTE 60
#define MINUTES_PER_DAY (24 * 60)
/* For how long a run is kept at most: a replay knows of the last answer alone. */
#define MAX_KEPT (7 * 24 * 3600)
/* Quiet hours delay a command by at most this, in seconds. */
#define MAX_PUT_OFF (366 * 24 * 3600)

static const char *const series[] = { "accelerators", "cpus", NULL };

/* Which runs a key is about. A run is under a policy if it has one of the patterns of
 * each `only-` key, and exempt if it has one of an `exempt-` key. */
typedef struct
{
  const char *name;
  const char *field;
} Key;

static const Key keys[] = {
  { "only-partitions", "partition" },
  { "only-accounts", "account" },
  { "only-qos", "qos" },
  { "only-names", "name" },
  { "exempt-partitions", "partition" },
  { "exempt-accounts", "account" },
  { "exempt-qos", "qos" },
  { "exempt-names", "name" },
  { "exempt-users", "user" },
};

G_STATIC_ASSERT (G_N_ELEMENTS (keys) ==
                 G_N_ELEMENTS (((JmcIdlePolicy *) NULL)->patterns));

static const JmSetting settings[] = {
  { .name = "of",
    .kind = JM_SETTING_CHOICE,
    .help = "What is idle",
    .preset = "accelerators",
    .choices = series },
  { .name = "after",
    .kind = JM_SETTING_DURATION,
    .help = "For how long it is idle before its owner is informed",
    .preset = "7200",
    .low = 300,
    .high = 1000000 },
  { .name = "grace",
    .kind = JM_SETTING_DURATION,
    .help = "Time for an answer, in which quiet hours do not count",
    .preset = "3600",
    .low = 300,
    .high = 1000000 },
  { .name = "quiet-hours",
    .kind = JM_SETTING_TEXT,
    .help = "When no owner is informed and no command is run, as 20:00-07:00" },
  { .name = "work-days-only",
    .kind = JM_SETTING_FLAG,
    .help = "Saturdays and Sundays are quiet" },
  { .name = "command",
    .kind = JM_SETTING_TEXT,
    .help = "What the site runs; without it decisions are recorded alone" },
  { .name = "user",
    .kind = JM_SETTING_TEXT,
    .help = "Who runs the command where root calls this program",
    .preset = "nobody" },
  { .name = "max-commands",
    .kind = JM_SETTING_COUNT,
    .help = "Commands of one call at most; the others follow the next time",
    .preset = "10",
    .low = 1,
    .high = 10000 },
};

/* --- reading --- */

static void
policy_free (gpointer data)
{
  JmcIdlePolicy *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_strfreev (self->patterns[i]);
  g_strfreev (self->command);
  g_free (self->user);
  g_free (self->name);
  g_free (self);
}

static void
add_settings (JmSettings *self)
{
  jm_settings_add_rows (self, settings, G_N_ELEMENTS (settings));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const JmSetting row = { .name = keys[i].name,
                              .kind = JM_SETTING_TEXT,
                              .help = "Patterns, with commas between them" };

      jm_settings_add (self, &row);
    }
}

static gboolean
take_quiet_hours (JmcIdlePolicy *self, const char *text)
{
  guint hours[2], minutes[2];
  int length = -1;

  if (text == NULL)
    return TRUE;
  if (sscanf (text, "%2u:%2u-%2u:%2u%n", &hours[0], &minutes[0], &hours[1], &minutes[1],
              &length) != 4 ||
      length != (int) strlen (text) || MAX (hours[0], hours[1]) > 24 ||
      MAX (minutes[0], minutes[1]) > 59)
    return FALSE;
  self->quiet_begin = hours[0] * 60 + minutes[0];
  self->quiet_end = hours[1] * 60 + minutes[1];

  return self->quiet_begin != self->quiet_end &&
         MAX (self->quiet_begin, self->quiet_end) <= MINUTES_PER_DAY &&
         (self->quiet_begin + MINUTES_PER_DAY - self->quiet_end) % MINUTES_PER_DAY != 0;
}

static gboolean
take_command (JmcIdlePolicy *self, const char *text)
{
  return text == NULL || (g_shell_parse_argv (text, NULL, &self->command, NULL) &&
                          g_path_is_absolute (self->command[0]));
}

static void
take_patterns (JmcIdlePolicy *self, const JmSettings *values)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *text = jm_settings_get_text (values, keys[i].name);

      self->patterns[i] = text != NULL ? g_strsplit (text, ",", -1) : NULL;
      for (guint j = 0; text != NULL && self->patterns[i][j] != NULL; j++)
        g_strstrip (self->patterns[i][j]);
    }
}

static gboolean
take (JmcIdlePolicy *self, const JmSettings *values, GError **error)
{
  const char *hours = jm_settings_get_text (values, "quiet-hours");
  const char *command = jm_settings_get_text (values, "command");

  self->series = jm_settings_get_number (values, "of") == 0
                   ? JM_PROFILE_SERIES_GPU_UTILIZATION
                   : JM_PROFILE_SERIES_CPU;
  self->after = jm_settings_get_number (values, "after") / MS_PER_SECOND;
  self->grace = jm_settings_get_number (values, "grace") / MS_PER_SECOND;
  self->is_quiet_on_weekends = jm_settings_get_flag (values, "work-days-only");
  self->user = g_strdup (jm_settings_get_text (values, "user"));
  self->max_commands = jm_settings_get_number (values, "max-commands");
  take_patterns (self, values);
  if (!take_quiet_hours (self, hours))
    return jm_settings_refuse (values, "quiet-hours", hours,
                               "not two times of a day, such as 20:00-07:00", error);
  if (!take_command (self, command))
    return jm_settings_refuse (values, "command", command,
                               "not a program with its full path", error);

  return TRUE;
}

/* As keys of the state have it. */
static gboolean
is_name (const char *text)
{
  return *text != '\0' &&
         strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_") == strlen (text);
}

static gboolean
add_policy (GPtrArray *policies, const char *path, const char *group, GError **error)
{
  g_autoptr (JmSettings) values = jm_settings_new ();
  JmcIdlePolicy *self = g_new0 (JmcIdlePolicy, 1);

  g_ptr_array_add (policies, self);
  self->name = g_strdup (group + strlen (GROUP));
  add_settings (values);
  if (is_name (self->name))
    return jm_settings_read_file (values, path, group, error) &&
           take (self, values, error);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s: [%s]: a policy's name has letters, digits, - and _ alone", path,
               group);

  return FALSE;
}

GPtrArray *
jmc_idle_policies_read (const char *path, GError **error)
{
  g_autoptr (GPtrArray) policies = g_ptr_array_new_with_free_func (policy_free);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;

  if (path == NULL)
    return g_steal_pointer (&policies);
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, error))
    return NULL;

  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    if (g_str_has_prefix (groups[i], GROUP) &&
        !add_policy (policies, path, groups[i], error))
      return NULL;

  return g_steal_pointer (&policies);
}

/* --- which runs --- */

static gboolean
has_pattern (const JmcIdlePolicy *self, guint key, const char *text)
{
  for (char **pattern = self->patterns[key]; *pattern != NULL; pattern++)
    if (g_pattern_match_simple (*pattern, text))
      return TRUE;

  return FALSE;
}

/* Whether a run has one of the patterns of a key, or @is_unknown where nobody knows. */
static gboolean
has (const JmcIdlePolicy *self, guint key, JmRun *run, gboolean is_unknown)
{
  const char *text = jm_run_get_text (run, keys[key].field);

  return text != NULL ? has_pattern (self, key, text) : is_unknown;
}

static gboolean
is_about (const JmcIdlePolicy *self, JmRun *run)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (self->patterns[i] != NULL && g_str_has_prefix (keys[i].name, "only-") &&
        !has (self, i, run, FALSE))
      return FALSE;

  return TRUE;
}

/* A run of which nobody knows whether it is exempt is left alone. */
static gboolean
is_exempt (const JmcIdlePolicy *self, JmRun *run)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (self->patterns[i] != NULL && g_str_has_prefix (keys[i].name, "exempt-") &&
        has (self, i, run, TRUE))
      return TRUE;

  return FALSE;
}

/* --- when --- */

static gboolean
is_quiet (const JmcIdlePolicy *self, gint64 time)
{
  const guint begin = self->quiet_begin;
  const guint end = self->quiet_end;
  g_autoptr (GDateTime) local = NULL;
  guint minute;

  if (begin == end && !self->is_quiet_on_weekends)
    return FALSE;

  local = g_date_time_new_from_unix_local (time);
  minute = (guint) (g_date_time_get_hour (local) * 60 + g_date_time_get_minute (local));
  if (self->is_quiet_on_weekends &&
      g_date_time_get_day_of_week (local) >= G_DATE_SATURDAY)
    return TRUE;

  return begin < end ? minute >= begin && minute < end
                     : begin > end && (minute >= begin || minute < end);
}

/* When the grace that began at @time is over: quiet time does not count. */
static gint64
find_due (const JmcIdlePolicy *self, gint64 time)
{
  const gint64 last = time + self->grace + MAX_PUT_OFF;
  gint64 left = self->grace;

  for (; time < last; time += SECONDS_PER_MINUTE)
    {
      const gboolean counts = !is_quiet (self, time);

      if (left <= 0 && counts)
        break;
      left -= counts ? SECONDS_PER_MINUTE : 0;
    }

  return time + MIN (left, 0);
}

/* Of a run that is idle for long enough. A notice counts for the time without an
 * interruption in which it was sent, and after the end of what the owner kept. */
static JmcIdleStep
choose (const JmcIdlePolicy *self,
        JmcIdleDecision *decision,
        const JmcIdlePast past,
        gint64 now)
{
  const gint64 from = MAX (decision->since, decision->kept);

  if (is_quiet (self, now))
    return JMC_IDLE_WAIT;
  if (past[JMC_IDLE_NOTICE] >= from)
    {
      if (past[JMC_IDLE_ACT] >= past[JMC_IDLE_NOTICE])
        return JMC_IDLE_NONE;
      decision->due = find_due (self, past[JMC_IDLE_NOTICE]);
      return now < decision->due ? JMC_IDLE_WAIT : JMC_IDLE_ACT;
    }

  /* A notice that was begun may have been sent: it is no ground for a command, and its
   * like is not sent within the grace. */
  if (past[JMC_IDLE_WAIT] >= from && now < find_due (self, past[JMC_IDLE_WAIT]))
    return JMC_IDLE_WAIT;
  decision->due = find_due (self, now);

  return JMC_IDLE_NOTICE;
}

JmcIdleDecision
jmc_idle_policy_decide (const JmcIdlePolicy *self,
                        JmRunReport *report,
                        gint64 now,
                        const JmcIdlePast past)
{
  JmRun *run = jm_run_report_get_run (report);
  JmcIdleDecision decision = { .policy = self, .report = report, .time = now };

  if (!is_about (self, run) ||
      !jm_run_report_find_idle (report, self->series, now, &decision.since) ||
      now - decision.since < self->after)
    return decision;

  decision.kept = (gint64) jm_run_get_figure (run, "kept_until_time").value;
  if (is_exempt (self, run))
    decision.step = JMC_IDLE_EXEMPT;
  else if (decision.kept > now && decision.kept - now <= MAX_KEPT)
    decision.step = JMC_IDLE_KEPT;
  else
    decision.step = choose (self, &decision, past, now);

  return decision;
}
