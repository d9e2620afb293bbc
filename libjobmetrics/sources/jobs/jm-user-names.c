/* jm-user-names.c: what users are called
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "sources/jobs/jm-user-names-private.h"

#include <errno.h>
#include <pwd.h>

#include "host/jm-host-private.h"
#include "io/jm-call-thread-private.h"

#define PASSWD_MAX_BYTES (16 * 1024 * 1024)
#define ENTRY_MAX_BYTES (1024 * 1024)
/* For how long the name service is waited for. */
#define PATIENCE_US (1 * G_USEC_PER_SEC)

typedef struct
{
  char *name; /* NULL: there is none */
  gint64 expiry_us;
} Entry;

typedef struct
{
  guint uid;
  char *name; /* the answer; NULL for none */
} Question;

struct _JmUserNames
{
  JmHost *host;
  GHashTable *entries;  /* uid -> Entry */
  JmCallThread *thread; /* asks the name service */
  JmCall *late;         /* of a Question that is not answered yet; or NULL */
  gboolean is_warned;   /* of that, since the last answer in time */
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
  self->thread = jm_call_thread_new ("user-names");

  return self;
}

/**
 * jm_user_names_free: (skip)
 * @self: (transfer full): a store of names
 */
void
jm_user_names_free (JmUserNames *self)
{
  g_clear_pointer (&self->late, jm_call_unref);
  jm_call_thread_free (self->thread);
  g_hash_table_unref (self->entries);
  g_object_unref (self->host);
  g_free (self);
}

/* --- asking --- */

static void
question_free (gpointer data)
{
  Question *self = data;

  g_free (self->name);
  g_free (self);
}

/* A directory server that does not answer may hold this up for minutes. */
static void
ask_name_service (gpointer data)
{
  Question *self = data;
  g_autofree char *buffer = NULL;
  struct passwd entry;
  struct passwd *found = NULL;
  int result = ERANGE;

  for (gsize size = 1024; result == ERANGE && size <= ENTRY_MAX_BYTES; size *= 2)
    {
      g_free (buffer);
      buffer = g_malloc (size);
      result = getpwuid_r (self->uid, &entry, buffer, size, &found);
    }

  self->name = found != NULL ? g_strdup (found->pw_name) : NULL;
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

/* --- what is known --- */

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

/* Takes the name. */
static const char *
keep (JmUserNames *self, guint uid, char *name, gint64 now_us)
{
  Entry *entry = g_new0 (Entry, 1);

  make_room (self, now_us);
  entry->name = name;
  entry->expiry_us =
    now_us + (name != NULL ? JM_USER_NAMES_KEEP_US : JM_USER_NAMES_KEEP_NONE_US);
  g_hash_table_replace (self->entries, GUINT_TO_POINTER (uid), entry);

  return name;
}

static const char *
take_answer (JmUserNames *self, JmCall *call, gint64 now_us)
{
  Question *question = jm_call_get_data (call);

  return keep (self, question->uid, g_steal_pointer (&question->name), now_us);
}

/* As long as one question is not answered no other one is asked. */
static gboolean
is_waiting (JmUserNames *self, gint64 now_us)
{
  if (self->late != NULL && jm_call_is_over (self->late))
    {
      take_answer (self, self->late, now_us);
      g_clear_pointer (&self->late, jm_call_unref);
    }

  return self->late != NULL;
}

static const char *
ask_within_patience (JmUserNames *self, guint uid, const char *last, gint64 now_us)
{
  Question *question = g_new0 (Question, 1);
  g_autoptr (JmCall) call = NULL;

  question->uid = uid;
  call = jm_call_new (ask_name_service, question, question_free);
  if (jm_call_thread_run (self->thread, call, PATIENCE_US, NULL))
    {
      self->is_warned = FALSE;
      return take_answer (self, call, now_us);
    }

  self->late = g_steal_pointer (&call);
  if (!self->is_warned)
    g_warning ("the name service has not answered within a second for the user id %u: "
               "jobs that begin meanwhile may lack their users' names",
               uid);
  self->is_warned = TRUE;

  return last;
}

/**
 * jm_user_names_get_at: (skip)
 * @self: a store of names
 * @uid: a user id
 * @is_late: (out) (optional): whether there may be a name that is not known yet, as the
 *   name service does not answer
 * @now_us: what the monotonic clock says
 *
 * As jm_user_names_get(), at a given time.
 *
 * Returns: (nullable): the name
 */
const char *
jm_user_names_get_at (JmUserNames *self, guint uid, gboolean *is_late, gint64 now_us)
{
  gboolean is_live = jm_host_is_live (self->host);
  gboolean is_held = is_live && is_waiting (self, now_us);
  const Entry *entry = g_hash_table_lookup (self->entries, GUINT_TO_POINTER (uid));
  const char *name = entry != NULL ? entry->name : NULL;

  if (entry == NULL || entry->expiry_us <= now_us)
    {
      char *local = read_passwd (self->host, uid);

      if (local != NULL || !is_live)
        name = keep (self, uid, local, now_us);
      else if (!is_held)
        name = ask_within_patience (self, uid, name, now_us);
    }
  if (is_late != NULL)
    *is_late = name == NULL && self->late != NULL;

  return name;
}

/**
 * jm_user_names_get: (skip)
 * @self: a store of names
 * @uid: a user id
 * @is_late: (out) (optional): whether there may be a name that is not known yet, as the
 *   name service does not answer
 *
 * Says what a user is called. The name service is waited for a second at most.
 *
 * Returns: (nullable): the name, until the next question; %NULL if the user has none
 */
const char *
jm_user_names_get (JmUserNames *self, guint uid, gboolean *is_late)
{
  return jm_user_names_get_at (self, uid, is_late, g_get_monotonic_time ());
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
