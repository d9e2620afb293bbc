/* jmc-mail-notice.c: what a scheduler wants to be told
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-notice.h"

#include <string.h>

#include "core/jm-error.h"
#include "mail/jmc-mail-input.h"

#define MAX_SUBJECT_LENGTH 512

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

/* --- text --- */

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
    self->about.is_end = jmc_mail_subject_is_end (type);
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
