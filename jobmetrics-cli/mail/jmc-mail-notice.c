/* jmc-mail-notice.c: what a scheduler's mail says, and which job it is about
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-parts.h"

#include <string.h>

#include "base/jm-error.h"
#include "mail/jmc-mail-input.h"

#define DIGITS "0123456789"
#define MAX_ID_LENGTH 128

/* What `12[3].server` is made of. */
#define PBS_ID G_CSET_a_2_z G_CSET_A_2_Z DIGITS ".-_[]"

/* More than PBS writes before the line that says what happened. */
#define MAX_PBS_LINES 8

#define MAX_SUBJECT_LENGTH 512

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

/* Whether this is what Slurm calls the end of a job. */
static gboolean
is_end_type (const char *mail_type)
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

/* --- the mail --- */

void
jmc_mail_notice_clear (JmcMailNotice *self)
{
  g_clear_pointer (&self->sender, g_free);
  g_clear_pointer (&self->recipients, g_ptr_array_unref);
  g_clear_pointer (&self->subject, g_free);
  g_clear_pointer (&self->body, g_free);
  jmc_mail_subject_clear (&self->about);
  g_clear_pointer (&self->cluster, g_free);
  g_clear_pointer (&self->user, g_free);
}

/* Text of before UTF-8 was that of Europe's west. */
static char *
to_utf8 (const char *text, gsize length)
{
  char *converted;

  if (g_utf8_validate (text, (gssize) length, NULL))
    return g_strndup (text, length);

  converted =
    g_convert (text, (gssize) length, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);

  return converted != NULL ? converted : g_utf8_make_valid (text, (gssize) length);
}

/* One line, whatever a job's name holds. */
static char *
make_subject (const char *text)
{
  g_autofree char *subject = to_utf8 (text, strlen (text));

  for (char *c = subject; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  if (g_utf8_strlen (subject, -1) > MAX_SUBJECT_LENGTH)
    *g_utf8_offset_to_pointer (subject, MAX_SUBJECT_LENGTH) = '\0';

  return g_strdup (g_strstrip (subject));
}

/* No byte of it ends it early. */
static char *
make_body (const char *text, gsize length)
{
  g_autofree char *whole = g_memdup2 (text, length + 1);

  for (gsize i = 0; i < length; i++)
    if (whole[i] == '\0')
      whole[i] = ' ';
  whole[length] = '\0';

  return to_utf8 (whole, length);
}

/* --- as sendmail is called --- */

/* The value of a header that PBS writes on one line. */
static char *
find_header (const char *head, gsize length, const char *name)
{
  g_autofree char *text = g_strndup (head, length);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (g_ascii_strncasecmp (*line, name, strlen (name)) == 0)
      return make_subject (*line + strlen (name));

  return g_strdup ("");
}

static void
take_message (JmcMailNotice *self, const char *text)
{
  const char *end = strstr (text, "\n\n");
  const gsize length = end != NULL ? (gsize) (end - text) : strlen (text);

  self->subject = find_header (text, length, "Subject:");
  self->body = g_strdup (end != NULL ? end + strlen ("\n\n") : "");
}

/* --- what Slurm's environment adds --- */

static char *
copy_variable (const char *name)
{
  const char *value = g_getenv (name);

  return value != NULL && *value != '\0' && g_utf8_validate (value, -1, NULL)
           ? g_strdup (value)
           : NULL;
}

static void
take_environment (JmcMailNotice *self)
{
  const char *type = g_getenv ("SLURM_JOB_MAIL_TYPE");
  const char *start = g_getenv ("SLURM_JOB_START_TIME");

  /* a name in the subject can look like anything */
  if (type != NULL)
    self->about.is_end = is_end_type (type);
  self->cluster = copy_variable ("SLURM_CLUSTER_NAME");
  self->user = copy_variable ("SLURM_JOB_USER");
  if (start != NULL)
    self->start_time = g_ascii_strtoll (start, NULL, 10);
}

/* --- the call --- */

static gboolean
is_form (const char *argument)
{
  return g_str_equal (argument, "-s") || g_str_equal (argument, "-f");
}

guint
jmc_mail_notice_count_options (int argc, char **argv)
{
  guint n = 1;

  while (n < (guint) argc && !is_form (argv[n]))
    n++;

  return n;
}

static GPtrArray *
take_recipients (char **arguments)
{
  GPtrArray *recipients = g_ptr_array_new_with_free_func (g_free);

  for (char **argument = arguments; *argument != NULL; argument++)
    g_ptr_array_add (recipients, g_strdup (*argument));

  return recipients;
}

gboolean
jmc_mail_notice_take (JmcMailNotice *self, char **arguments, int fd, GError **error)
{
  g_autoptr (GString) input = NULL;
  g_autofree char *text = NULL;
  const guint n = g_strv_length (arguments);

  if (n < 3 || !is_form (arguments[0]))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "neither -s SUBJECT RECIPIENT nor "
                   "-f SENDER RECIPIENT");
      return FALSE;
    }

  self->recipients = take_recipients (arguments + 2);
  input = jmc_mail_input_read (fd);
  text = make_body (input->str, input->len);
  if (g_str_equal (arguments[0], "-f"))
    {
      self->sender = g_strdup (arguments[1]);
      take_message (self, text);
    }
  else
    {
      self->subject = make_subject (arguments[1]);
      self->body = g_steal_pointer (&text);
    }

  jmc_mail_subject_parse (&self->about, self->subject, self->body);
  if (g_str_equal (arguments[0], "-s"))
    take_environment (self);

  return TRUE;
}
