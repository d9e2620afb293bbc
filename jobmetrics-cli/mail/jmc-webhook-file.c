/* jmc-webhook-file.c: a user's own file of webhooks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-webhook.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "base/jm-settings-private.h"
#include "jmc-write.h"

#define MAX_FILE_BYTES (16 * 1024)
#define MAX_WEBHOOKS 4
#define MAX_VALUE_BYTES 2000
/* A home directory that does not answer holds up nobody for longer. */
#define MAX_READ_MS 5000

/* --- the file, read by a process of its own --- */

typedef enum
{
  FAULT_NONE,
  FAULT_SYSTEM,
  FAULT_KIND,
  FAULT_OWNER,
  FAULT_MODE,
  FAULT_LENGTH,
} Fault;

/* In the order of Fault. */
static const char *const faults[] = {
  NULL,
  NULL,
  "not an ordinary file",
  "its owner is another user",
  "others may change it",
  "longer than 16 KiB",
};

/* Answer:
 * @code: of the system, errno
 * @n: how much of @text is filled */
typedef struct
{
  Fault fault;
  int code;
  gsize n;
  char text[MAX_FILE_BYTES];
} Answer;

typedef struct
{
  const char *path;
  uid_t uid;
  gid_t gid;
  gboolean is_root;
} Reading;

static Fault
check (const struct stat *st, uid_t uid)
{
  if (!S_ISREG (st->st_mode))
    return FAULT_KIND;
  if (st->st_uid != uid)
    return FAULT_OWNER;
  if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return FAULT_MODE;

  return st->st_size > MAX_FILE_BYTES ? FAULT_LENGTH : FAULT_NONE;
}

static gboolean
fill (Answer *answer, int fd)
{
  gssize n;

  do
    {
      n = read (fd, answer->text + answer->n, MAX_FILE_BYTES - answer->n);
      if (n > 0)
        answer->n += (gsize) n;
    }
  while (n > 0 || (n < 0 && errno == EINTR));

  return n == 0;
}

/* In the child, which has nothing but system calls. */
static void
read_as_user (const Reading *self, Answer *answer)
{
  struct stat st;
  int fd;

  answer->fault = FAULT_SYSTEM;
  if (self->is_root &&
      (setgroups (0, NULL) != 0 || setgid (self->gid) != 0 || setuid (self->uid) != 0))
    {
      answer->code = errno;
      return;
    }
  fd = open (self->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, &st) != 0)
    {
      answer->code = errno;
      if (answer->code == ELOOP)
        answer->fault = FAULT_KIND;
      return;
    }
  answer->fault = check (&st, self->uid);
  if (answer->fault != FAULT_NONE || fill (answer, fd))
    return;
  answer->fault = FAULT_SYSTEM;
  answer->code = errno;
}

/* All of an answer, as long as there is time. */
static gboolean
receive (int fd, Answer *answer)
{
  const gint64 deadline_us = g_get_monotonic_time () + MAX_READ_MS * (gint64) 1000;
  gsize n = 0;

  while (n < sizeof *answer)
    {
      const gint64 left_ms = (deadline_us - g_get_monotonic_time ()) / 1000;
      struct pollfd waiting = { .fd = fd, .events = POLLIN };
      gssize step;

      if (left_ms <= 0 || (poll (&waiting, 1, (int) left_ms) < 0 && errno != EINTR))
        return FALSE;
      if (waiting.revents == 0)
        continue;
      step = read (fd, (char *) answer + n, sizeof *answer - n);
      if (step <= 0)
        return FALSE;
      n += (gsize) step;
    }

  return TRUE;
}

/* Returns 0, or an errno. */
static int
ask (const Reading *self, Answer *answer)
{
  int ends[2];
  int code;
  pid_t child;

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return errno;
  child = fork ();
  code = child < 0 ? errno : 0;
  if (child == 0)
    {
      read_as_user (self, answer);
      _exit (jmc_write_all (ends[1], (const char *) answer, sizeof *answer) ? 0 : 1);
    }

  close (ends[1]);
  if (child > 0 && !receive (ends[0], answer))
    code = ETIMEDOUT;
  close (ends[0]);
  if (child > 0)
    {
      kill (child, SIGKILL);
      /* one that waits for a file system is left behind */
      waitpid (child, NULL, code == 0 ? 0 : WNOHANG);
    }

  return code;
}

static gboolean
read_text (const Reading *self, Answer *answer, GError **error)
{
  const int code = ask (self, answer);

  if (code != 0)
    jm_path_error_set_errno (error, self->path, code);
  else if (answer->fault == FAULT_SYSTEM)
    jm_path_error_set_errno (error, self->path, answer->code);
  else if (answer->fault != FAULT_NONE)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", self->path,
                 faults[answer->fault]);
  else
    return TRUE;

  return FALSE;
}

/* --- its sections --- */

/* In the order of JmcWebhookFormat. */
static const char *const formats[] = {
  "json", "slack", "teams", "mattermost", "matrix", NULL,
};

static const JmSetting settings[] = {
  { .name = "format",
    .kind = JM_SETTING_CHOICE,
    .help = "What the receiver expects",
    .preset = "json",
    .choices = formats },
  { .name = "url", .kind = JM_SETTING_TEXT, .help = "Address of the receiver" },
  { .name = "token", .kind = JM_SETTING_TEXT, .help = "Secret for the receiver" },
  { .name = "room", .kind = JM_SETTING_TEXT, .help = "Room of Matrix" },
  { .name = "events",
    .kind = JM_SETTING_TEXT,
    .help = "What is sent",
    .preset = "end, alert" },
};

static void
webhook_free (gpointer data)
{
  JmcWebhook *self = data;

  g_free (self->name);
  g_free (self->url);
  g_free (self->token);
  g_free (self->room);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcWebhook, webhook_free)

static gboolean
is_plain (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isgraph (*c))
      return FALSE;

  return *text != '\0' && strlen (text) <= MAX_VALUE_BYTES;
}

static gboolean
take_events (JmcWebhook *self, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, ", ", -1);

  for (char **word = words; *word != NULL; word++)
    if (g_str_equal (*word, "end"))
      self->events |= JMC_WEBHOOK_END;
    else if (g_str_equal (*word, "alert"))
      self->events |= JMC_WEBHOOK_ALERT;
    else if (**word != '\0')
      return FALSE;

  return TRUE;
}

/* What is wrong, without a value: URLs are secrets here. */
static const char *
take (JmcWebhook *self, const JmSettings *values)
{
  self->format = (JmcWebhookFormat) jm_settings_get_number (values, "format");
  self->url = g_strdup (jm_settings_get_text (values, "url"));
  self->token = g_strdup (jm_settings_get_text (values, "token"));
  self->room = g_strdup (jm_settings_get_text (values, "room"));
  if (self->url == NULL || !is_plain (self->url))
    return "url: not an address";
  if (self->token != NULL && !is_plain (self->token))
    return "token: empty, too long or with spaces";
  if (self->format == JMC_WEBHOOK_MATRIX &&
      (self->token == NULL || self->room == NULL || !is_plain (self->room)))
    return "Matrix needs a token and a room";
  if (!take_events (self, jm_settings_get_text (values, "events")))
    return "events: not end or alert";

  return NULL;
}

static void
add_webhook (GPtrArray *webhooks,
             GPtrArray *refused,
             const char *path,
             GKeyFile *file,
             const char *group)
{
  g_autoptr (JmSettings) values = jm_settings_new ();
  g_autoptr (JmcWebhook) self = g_new0 (JmcWebhook, 1);
  g_autoptr (GError) error = NULL;
  const char *fault = NULL;

  jm_settings_add_rows (values, settings, G_N_ELEMENTS (settings));
  self->name = g_strdup (group);
  if (jm_settings_read_keys (values, path, file, group, &error))
    fault = take (self, values);

  if (error != NULL)
    g_ptr_array_add (refused, g_strdup (error->message));
  else if (fault != NULL)
    g_ptr_array_add (refused, g_strdup_printf ("%s: [%s]: %s", path, group, fault));
  else
    g_ptr_array_add (webhooks, g_steal_pointer (&self));
}

GPtrArray *
jmc_webhook_read_file (const char *path,
                       uid_t uid,
                       gid_t gid,
                       GPtrArray *refused,
                       GError **error)
{
  const Reading reading = { path, uid, gid, geteuid () == 0 };
  g_autofree Answer *answer = g_new0 (Answer, 1);
  g_autoptr (GPtrArray) webhooks = g_ptr_array_new_with_free_func (webhook_free);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;
  guint n_groups;

  if (!read_text (&reading, answer, error))
    return NULL;
  if (answer->n > 0 &&
      !g_key_file_load_from_data (file, answer->text, answer->n, G_KEY_FILE_NONE, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: not an INI file", path);
      return NULL;
    }

  groups = g_key_file_get_groups (file, NULL);
  n_groups = g_strv_length (groups);
  for (guint i = 0; i < MIN (n_groups, MAX_WEBHOOKS); i++)
    add_webhook (webhooks, refused, path, file, groups[i]);
  if (n_groups > MAX_WEBHOOKS)
    g_ptr_array_add (refused, g_strdup_printf ("%s: %u sections, of which the first %u "
                                               "count",
                                               path, n_groups, MAX_WEBHOOKS));

  return g_steal_pointer (&webhooks);
}
