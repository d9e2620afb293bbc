/* jmc-mail-subject.c: which job a scheduler's mail is about, and whether it ended
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-subject.h"

#include <string.h>

#define DIGITS "0123456789"
#define MAX_ID_LENGTH 128

/* What `12[3].server` is made of. */
#define PBS_ID G_CSET_a_2_z G_CSET_A_2_Z DIGITS ".-_[]"

/* More than PBS writes before it tells what happened. */
#define MAX_PBS_LINES 8

void
jmc_mail_subject_clear (JmcMailSubject *self)
{
  g_clear_pointer (&self->job, g_free);
}

/* Moves *@text past @word; FALSE where it does not begin with it. */
static gboolean
skip (const char **text, const char *word)
{
  if (!g_str_has_prefix (*text, word))
    return FALSE;
  *text += strlen (word);

  return TRUE;
}

/* The digits there, and moves past them; NULL where there is none. */
static char *
take_number (const char **text)
{
  const gsize length = strspn (*text, DIGITS);
  char *number;

  if (length == 0 || length > MAX_ID_LENGTH)
    return NULL;
  number = g_strndup (*text, length);
  *text += length;

  return number;
}

/* The id of an array's task where @separator and another number come next. */
static char *
take_id (const char **text, char separator)
{
  g_autofree char *job = take_number (text);
  g_autofree char *task = NULL;
  const char *rest = *text + 1;

  if (job == NULL || **text != separator)
    return g_steal_pointer (&job);

  task = take_number (&rest);
  if (task == NULL)
    return g_steal_pointer (&job);
  *text = rest;

  return g_strconcat (job, "_", task, NULL);
}

/* --- Slurm --- */

gboolean
jmc_mail_subject_is_end (const char *mail_type)
{
  return g_str_equal (mail_type, "Ended") || g_str_equal (mail_type, "Failed");
}

/* What may come behind `Ended`: nothing, or how long and how. */
static gboolean
is_rest_of_slurm (const char *text)
{
  return *text == '\0' || g_str_has_prefix (text, ", ");
}

static gboolean
has_slurm_type (const char *text, const char *type)
{
  return g_str_has_prefix (text, type) && is_rest_of_slurm (text + strlen (type));
}

/* A job's name may hold anything, such as what comes behind a name: the last word
 * counts.
 */
static gboolean
is_slurm_end (const char *text)
{
  static const char *const others[] = { "Began", "Requeued", "Reached " };
  gboolean is_end = FALSE;

  for (const char *at = strchr (text, ' '); at != NULL; at = strchr (at + 1, ' '))
    {
      if (has_slurm_type (at + 1, "Ended") || has_slurm_type (at + 1, "Failed"))
        is_end = TRUE;
      for (guint i = 0; i < G_N_ELEMENTS (others); i++)
        if (g_str_has_prefix (at + 1, others[i]))
          is_end = FALSE;
    }

  return is_end;
}

/* `Slurm Job_id=12 Name=N Ended, Run time 00:01:00, COMPLETED, ExitCode 0`; of a job
 * array `Slurm Array Task Job_id=12_3 (15) Name=...`, `Slurm Array Summary Job_id=12_*
 * (15) Name=...`. Versions before 19 write SLURM. */
static gboolean
parse_slurm (JmcMailSubject *self, const char *text)
{
  if (!skip (&text, "Slurm ") && !skip (&text, "SLURM "))
    return FALSE;

  self->is_array = skip (&text, "Array Summary ");
  if (!self->is_array)
    skip (&text, "Array Task ");
  if (!skip (&text, "Job_id="))
    return FALSE;

  self->job = take_id (&text, '_');
  text = strstr (text, " Name=");
  self->is_end = text != NULL && is_slurm_end (text + 1);

  return self->job != NULL;
}

/* --- Grid Engine --- */

/* `Job 12 (name) Complete`, `Job-array task 12.3 (name) Aborted`. */
static gboolean
parse_gridengine (JmcMailSubject *self, const char *text)
{
  if (!skip (&text, "Job ") && !skip (&text, "Job-array task "))
    return FALSE;

  self->job = take_id (&text, '.');
  self->is_end =
    g_str_has_suffix (text, ") Complete") || g_str_has_suffix (text, ") Aborted");

  return self->job != NULL && g_str_has_prefix (text, " (");
}

/* --- PBS --- */

static gboolean
is_pbs_end (const char *body)
{
  g_auto (GStrv) lines = g_strsplit (body, "\n", MAX_PBS_LINES);

  for (char **line = lines; *line != NULL; line++)
    if (g_str_equal (g_strchomp (*line), "Execution terminated") ||
        g_str_has_prefix (*line, "Aborted by PBS Server"))
      return TRUE;

  return FALSE;
}

/* `PBS JOB 12.server`; of a job array's task `PBS JOB 12[3].server`. */
static gboolean
parse_pbs (JmcMailSubject *self, const char *text, const char *body)
{
  g_autofree char *task = NULL;
  g_autofree char *number = NULL;
  const char *id;

  if (!skip (&text, "PBS JOB "))
    return FALSE;

  id = text;
  number = take_number (&text);
  if (number == NULL || strlen (id) > MAX_ID_LENGTH || id[strspn (id, PBS_ID)] != '\0')
    return FALSE;
  if (skip (&text, "["))
    task = take_number (&text);

  self->is_array = text > id + strlen (number) && task == NULL;
  self->is_end = is_pbs_end (body);
  self->job = self->is_array ? g_strdup (number)
              : task != NULL ? g_strconcat (number, "_", task, NULL)
                             : g_strdup (id);

  return TRUE;
}

void
jmc_mail_subject_parse (JmcMailSubject *self, const char *subject, const char *body)
{
  *self = (JmcMailSubject){ 0 };
  if (parse_slurm (self, subject) || parse_gridengine (self, subject) ||
      parse_pbs (self, subject, body))
    return;

  jmc_mail_subject_clear (self);
  *self = (JmcMailSubject){ 0 };
}
