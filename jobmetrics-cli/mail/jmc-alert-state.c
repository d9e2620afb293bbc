/* jmc-alert-state.c: who had which notice, and when
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-alert-plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"

#define MAX_FILE_BYTES (64 * 1024 * 1024)
#define HEADER                                                                         \
 "# Users mailed by jobmetrics-cli alert, kind of alert, seconds since 1970\n"
#define BETWEEN "\t"
/* Kinds of steps of policies on idle runs, and for how long they are kept: no run may
 * lose its notice while it goes on. */
#define IDLE BETWEEN "idle-"
#define IDLE_SECONDS (400 * 24 * 60 * 60)

struct _JmcAlertState
{
  char *path;
  int lock;          /* -1 of one that is only read */
  GHashTable *times; /* of `user TAB kind` to gint64 */
};

void
jmc_alert_state_free (JmcAlertState *self)
{
  if (self->lock >= 0)
    close (self->lock);
  g_hash_table_unref (self->times);
  g_free (self->path);
  g_free (self);
}

/* --- reading --- */

static char *
make_key (const char *user, const char *kind)
{
  return g_strconcat (user, BETWEEN, kind, NULL);
}

static gboolean
read_line (JmcAlertState *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, BETWEEN, -1);
  gint64 time;

  if (*line == '\0' || *line == '#')
    return TRUE;
  if (g_strv_length (words) != 3 || *words[1] == '\0' || *words[2] == '\0' ||
      !g_ascii_string_to_signed (words[0], 10, 1, G_MAXINT64, &time, NULL))
    return FALSE;
  jmc_alert_state_set (self, words[1], words[2], time);

  return TRUE;
}

static gboolean
read_text (JmcAlertState *self, GBytes *bytes, GError **error)
{
  g_autofree char *text =
    g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (!read_line (self, lines[i]))
      {
        g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                     "%s: line %u: not a time, a user and a kind", self->path, i + 1);
        return FALSE;
      }

  return TRUE;
}

JmcAlertState *
jmc_alert_state_read (const char *path, GError **error)
{
  g_autoptr (JmcAlertState) self = g_new0 (JmcAlertState, 1);
  g_autoptr (GBytes) bytes = NULL;

  self->path = g_strdup (path);
  self->lock = -1;
  self->times = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&self);

  bytes = jm_bounded_read_file (path, MAX_FILE_BYTES, error);
  if (bytes == NULL || !read_text (self, bytes, error))
    return NULL;

  return g_steal_pointer (&self);
}

/* The lock is a file of its own: the other is replaced. */
static int
take_lock (const char *path, GError **error)
{
  g_autofree char *name = g_strconcat (path, ".lock", NULL);
  const int fd = open (name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (fd < 0)
    g_set_error (error, JM_ERROR, jm_error_from_errno (errno), "%s: %s", name,
                 g_strerror (errno));
  else if (flock (fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  else
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: somebody else alerts at the moment", name);
      close (fd);
    }

  return -1;
}

JmcAlertState *
jmc_alert_state_open (const char *path, GError **error)
{
  const int lock = take_lock (path, error);
  JmcAlertState *self = lock >= 0 ? jmc_alert_state_read (path, error) : NULL;

  if (self != NULL)
    self->lock = lock;
  else if (lock >= 0)
    close (lock);

  return self;
}

/* --- what it knows --- */

gint64
jmc_alert_state_get (JmcAlertState *self, const char *user, const char *kind)
{
  g_autofree char *key = make_key (user, kind);
  const gint64 *time = g_hash_table_lookup (self->times, key);

  return time != NULL ? *time : 0;
}

void
jmc_alert_state_set (JmcAlertState *self,
                     const char *user,
                     const char *kind,
                     gint64 time)
{
  g_hash_table_replace (self->times, make_key (user, kind),
                        g_memdup2 (&time, sizeof time));
}

static gboolean
has_ended (gpointer key, gpointer time, gpointer uuids)
{
  const char *uuid = strstr (key, IDLE) != NULL ? strrchr (key, ':') : NULL;

  return uuid != NULL && !g_hash_table_contains (uuids, uuid + 1);
}

void
jmc_alert_state_forget_ended (JmcAlertState *self, GHashTable *uuids)
{
  g_hash_table_foreach_remove (self->times, has_ended, uuids);
}

/* --- writing --- */

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
is_needed (const char *key, gint64 time, gint64 oldest)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  return time > 0 &&
         (strstr (key, IDLE) != NULL ? time >= now - IDLE_SECONDS : time >= oldest);
}

gboolean
jmc_alert_state_write (JmcAlertState *self, gint64 oldest, GError **error)
{
  g_autofree char **keys = (char **) g_hash_table_get_keys_as_array (self->times, NULL);
  g_autoptr (GString) text = g_string_new (HEADER);

  g_return_val_if_fail (self->lock >= 0, FALSE);

  qsort (keys, g_hash_table_size (self->times), sizeof *keys, compare);
  for (char **key = keys; *key != NULL; key++)
    {
      const gint64 *time = g_hash_table_lookup (self->times, *key);

      if (is_needed (*key, *time, oldest))
        g_string_append_printf (text, "%" G_GINT64_FORMAT BETWEEN "%s\n", *time, *key);
    }

  return g_file_set_contents_full (self->path, text->str, (gssize) text->len,
                                   G_FILE_SET_CONTENTS_CONSISTENT |
                                     G_FILE_SET_CONTENTS_DURABLE,
                                   0600, error);
}
