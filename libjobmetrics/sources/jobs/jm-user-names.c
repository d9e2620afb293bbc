/* jm-user-names.c: what users are called
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-user-names-private.h"

#include <errno.h>
#include <pwd.h>

#include "host/jm-host-private.h"

#define PASSWD_MAX_BYTES (16 * 1024 * 1024)
#define ENTRY_MAX_BYTES (1024 * 1024)

typedef struct
{
  char *name; /* NULL: there is none */
  gint64 expiry_us;
} Entry;

struct _JmUserNames
{
  JmHost *host;
  GHashTable *entries; /* uid -> Entry */
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->name);
  g_free (entry);
}

/**
 * jm_user_names_new: (skip)
 * @host: whose users they are
 *
 * Returns: (transfer full): an empty store of names
 */
JmUserNames *
jm_user_names_new (JmHost *host)
{
  JmUserNames *self = g_new0 (JmUserNames, 1);

  self->host = g_object_ref (host);
  self->entries = g_hash_table_new_full (NULL, NULL, NULL, entry_free);

  return self;
}

/**
 * jm_user_names_free: (skip)
 * @self: (transfer full): a store of names
 */
void
jm_user_names_free (JmUserNames *self)
{
  g_hash_table_unref (self->entries);
  g_object_unref (self->host);
  g_free (self);
}

static char *
ask_name_service (guint uid)
{
  g_autofree char *buffer = NULL;
  struct passwd entry;
  struct passwd *found = NULL;
  int result = ERANGE;

  for (gsize size = 1024; result == ERANGE && size <= ENTRY_MAX_BYTES; size *= 2)
    {
      g_free (buffer);
      buffer = g_malloc (size);
      result = getpwuid_r (uid, &entry, buffer, size, &found);
    }

  return found != NULL ? g_strdup (found->pw_name) : NULL;
}

static gboolean
take_until (JmSlice *rest, char separator, JmSlice *part)
{
  const char *end;

  if (rest->length == 0)
    return FALSE;

  end = memchr (rest->text, separator, rest->length);
  if (end == NULL)
    end = rest->text + rest->length;

  *part = (JmSlice){ rest->text, (gsize) (end - rest->text) };
  rest->length -= MIN (part->length + 1, rest->length);
  rest->text = end + (rest->length > 0 ? 1 : 0);

  return TRUE;
}

/**
 * jm_passwd_find: (skip)
 * @text: a text as passwd(5) has it
 * @length: of @text
 * @uid: a user id
 * @name: (out): the name, a part of @text
 *
 * Finds the first line of a user id.
 *
 * Returns: whether there is one
 */
gboolean
jm_passwd_find (const char *text, gsize length, guint uid, JmSlice *name)
{
  JmSlice rest = { text, length };
  JmSlice line;

  while (take_until (&rest, '\n', &line))
    {
      JmSlice password;
      JmSlice number;
      guint64 value;

      if (take_until (&line, ':', name) && take_until (&line, ':', &password) &&
          take_until (&line, ':', &number) && name->length > 0 &&
          jm_parse_uint64 (number.text, number.length, &value) && value == uid)
        return TRUE;
    }

  return FALSE;
}

static char *
read_passwd (JmHost *host, guint uid)
{
  gsize length;
  g_autofree char *text =
    jm_host_read_all (host, "/etc/passwd", PASSWD_MAX_BYTES, &length, NULL);
  JmSlice name;

  if (text == NULL || !jm_passwd_find (text, length, uid, &name))
    return NULL;

  return g_strndup (name.text, name.length);
}

static gboolean
is_expired (gpointer key, gpointer value, gpointer user_data)
{
  const Entry *entry = value;
  const gint64 *now_us = user_data;

  return entry->expiry_us <= *now_us;
}

static void
make_room (JmUserNames *self, gint64 now_us)
{
  if (g_hash_table_size (self->entries) < JM_USER_NAMES_MAX)
    return;

  g_hash_table_foreach_remove (self->entries, is_expired, &now_us);
  if (g_hash_table_size (self->entries) >= JM_USER_NAMES_MAX)
    g_hash_table_remove_all (self->entries);
}

/**
 * jm_user_names_get_at: (skip)
 * @self: a store of names
 * @uid: a user id
 * @now_us: what the monotonic clock says
 *
 * As jm_user_names_get(), at a given time.
 *
 * Returns: (nullable): the name
 */
const char *
jm_user_names_get_at (JmUserNames *self, guint uid, gint64 now_us)
{
  Entry *entry = g_hash_table_lookup (self->entries, GUINT_TO_POINTER (uid));

  if (entry != NULL && entry->expiry_us > now_us)
    return entry->name;

  make_room (self, now_us);
  entry = g_new0 (Entry, 1);
  entry->name = jm_host_is_live (self->host) ? ask_name_service (uid)
                                             : read_passwd (self->host, uid);
  entry->expiry_us =
    now_us + (entry->name != NULL ? JM_USER_NAMES_KEEP_US : JM_USER_NAMES_KEEP_NONE_US);
  g_hash_table_replace (self->entries, GUINT_TO_POINTER (uid), entry);

  return entry->name;
}

/**
 * jm_user_names_get: (skip)
 * @self: a store of names
 * @uid: a user id
 *
 * Says what a user is called.
 *
 * Returns: (nullable): the name, until the next question; %NULL if the user has none
 */
const char *
jm_user_names_get (JmUserNames *self, guint uid)
{
  return jm_user_names_get_at (self, uid, g_get_monotonic_time ());
}

/**
 * jm_user_names_get_size: (skip)
 * @self: a store of names
 *
 * Returns: how many user ids it remembers
 */
guint
jm_user_names_get_size (const JmUserNames *self)
{
  return g_hash_table_size (self->entries);
}
