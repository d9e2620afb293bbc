/* jme-basic-auth.c: who may come in, by name and password
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-login.h"

#include <crypt.h>
#include <string.h>
#include <sys/random.h>

#define MAX_HEADER_BYTES 1024
#define MAX_WAITING 128
#define MAX_GRANTED 100
#define KEY_BYTES 32

/* bcrypt takes a tenth of a second and is meant to. So it runs in a thread, one at a
 * time, and what it granted is remembered: as an HMAC with a key that is this
 * process's alone, so that a memory image does not give the passwords away. */
struct _JmeBasicAuth
{
  GObject parent_instance;

  guint8 key[KEY_BYTES];
  GHashTable *granted; /* set of char *: HMACs */
  GQueue waiting;      /* of Check */
  char *last_peer;     /* whose turn was last; NULL before the first */
  char *last_user;
  gboolean is_busy;
};

typedef struct
{
  char *peer;
  char *user;
  GCancellable *cancellable; /* nullable */
  char *password;
  char *hash;
  char *token;
  gboolean is_known; /* the hash is the user's own, not a stand-in */
  JmeVerdictCallback callback;
  gpointer user_data;
} Check;

G_DEFINE_FINAL_TYPE (JmeBasicAuth, jme_basic_auth, G_TYPE_OBJECT)

static void
wipe (char *text)
{
  if (text != NULL)
    explicit_bzero (text, strlen (text));
  g_free (text);
}

static void
check_free (Check *check)
{
  g_free (check->peer);
  g_free (check->user);
  g_clear_object (&check->cancellable);
  wipe (check->password);
  g_free (check->hash);
  g_free (check->token);
  g_free (check);
}

static gboolean
has_password (const char *hash, const char *password)
{
  g_autofree struct crypt_data *data = g_new0 (struct crypt_data, 1);
  const char *result = crypt_rn (password, hash, data, sizeof *data);
  guint8 difference = 0;

  if (result == NULL || strlen (result) != strlen (hash))
    return FALSE;

  for (gsize i = 0; hash[i] != '\0'; i++)
    difference |= (guint8) (result[i] ^ hash[i]);
  explicit_bzero (data, sizeof *data);

  return difference == 0;
}

static void
run_check (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Check *check = task_data;
  gboolean fits = has_password (check->hash, check->password);

  g_task_return_boolean (task, fits && check->is_known);
}

/* Those who guess shall wait for each other, and hold nobody else up: after each turn
 * the rest of that peer stand behind those of others, and among them the rest of that
 * user at the end. */
static void
put_back (GQueue *waiting, const char *peer, const char *user)
{
  GQueue others = G_QUEUE_INIT;
  GQueue of_peer = G_QUEUE_INIT;
  GQueue of_user = G_QUEUE_INIT;
  Check *check;

  while ((check = g_queue_pop_head (waiting)) != NULL)
    if (g_strcmp0 (check->peer, peer) != 0)
      g_queue_push_tail (&others, check);
    else if (g_strcmp0 (check->user, user) != 0)
      g_queue_push_tail (&of_peer, check);
    else
      g_queue_push_tail (&of_user, check);

  while ((check = g_queue_pop_head (&others)) != NULL ||
         (check = g_queue_pop_head (&of_peer)) != NULL ||
         (check = g_queue_pop_head (&of_user)) != NULL)
    g_queue_push_tail (waiting, check);
}

static void
give_verdict (Check *check, JmeVerdict verdict)
{
  check->callback (verdict, check->user_data);
  check_free (check);
}

/* Those who have gone meanwhile cost no bcrypt. */
static Check *
take_next (JmeBasicAuth *self)
{
  Check *check;

  put_back (&self->waiting, self->last_peer, self->last_user);
  while ((check = g_queue_pop_head (&self->waiting)) != NULL &&
         g_cancellable_is_cancelled (check->cancellable))
    give_verdict (check, JME_VERDICT_REFUSED);

  return check;
}

/* The last of the peer of whom most wait; NULL where nobody does. */
static GList *
find_dispensable (JmeBasicAuth *self)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  GList *dispensable = NULL;
  guint most = 0;

  for (GList *l = self->waiting.head; l != NULL; l = l->next)
    {
      const Check *check = l->data;
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, check->peer)) + 1;

      g_hash_table_insert (counts, check->peer, GUINT_TO_POINTER (n));
      if (n >= most)
        {
          most = n;
          dispensable = l;
        }
    }

  return dispensable;
}

static void
make_room (JmeBasicAuth *self)
{
  GList *link;
  Check *check;

  if (g_queue_get_length (&self->waiting) <= MAX_WAITING)
    return;

  link = find_dispensable (self);
  if (link == NULL)
    return;

  check = link->data;
  g_queue_delete_link (&self->waiting, link);
  give_verdict (check, JME_VERDICT_BUSY);
}

static void on_checked (GObject *source, GAsyncResult *result, gpointer user_data);

static void
start_next (JmeBasicAuth *self)
{
  Check *check = take_next (self);
  g_autoptr (GTask) task = NULL;

  self->is_busy = check != NULL;
  if (check == NULL)
    return;
  g_free (self->last_peer);
  self->last_peer = g_strdup (check->peer);
  g_free (self->last_user);
  self->last_user = g_strdup (check->user);

  task = g_task_new (self, NULL, on_checked, NULL);
  g_task_set_task_data (task, check, (GDestroyNotify) check_free);
  g_task_run_in_thread (task, run_check);
}

static void
remember (JmeBasicAuth *self, const char *token)
{
  if (g_hash_table_size (self->granted) >= MAX_GRANTED)
    g_hash_table_remove_all (self->granted);
  g_hash_table_add (self->granted, g_strdup (token));
}

static void
on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  JmeBasicAuth *self = JME_BASIC_AUTH (source);
  Check *check = g_task_get_task_data (G_TASK (result));
  gboolean is_granted = g_task_propagate_boolean (G_TASK (result), NULL);

  if (is_granted)
    remember (self, check->token);
  start_next (self);
  check->callback (is_granted ? JME_VERDICT_GRANTED : JME_VERDICT_REFUSED,
                   check->user_data);
}

gboolean
jme_basic_auth_parse_header (const char *header, char **user, char **password)
{
  const char *base64;
  g_autofree guchar *decoded = NULL;
  gsize length = 0;
  const char *colon;

  if (header == NULL || strlen (header) > MAX_HEADER_BYTES ||
      g_ascii_strncasecmp (header, "Basic ", 6) != 0)
    return FALSE;

  base64 = header + 6 + strspn (header + 6, " ");
  decoded = g_base64_decode (base64, &length);
  if (decoded == NULL || length == 0 || memchr (decoded, '\0', length) != NULL)
    return FALSE;

  colon = memchr (decoded, ':', length);
  if (colon != NULL)
    {
      *user = g_strndup ((char *) decoded, (gsize) (colon - (char *) decoded));
      *password = g_strndup (colon + 1, length - strlen (*user) - 1);
    }
  explicit_bzero (decoded, length);

  return colon != NULL;
}

/* An unknown user costs as much time as one that is known. */
static const char *
costliest_hash (GHashTable *users)
{
  const char *costliest = "";
  GHashTableIter iter;
  gpointer hash;

  g_hash_table_iter_init (&iter, users);
  while (g_hash_table_iter_next (&iter, NULL, &hash))
    if (*costliest == '\0' || strncmp ((char *) hash + 4, costliest + 4, 2) > 0)
      costliest = hash;

  return costliest;
}

static char *
make_token (JmeBasicAuth *self,
            const char *user,
            const char *hash,
            const char *password)
{
  g_autoptr (GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA256, self->key, KEY_BYTES);

  /* With their final NULs, so that no two triples give one text. */
  g_hmac_update (hmac, (const guchar *) user, (gssize) strlen (user) + 1);
  g_hmac_update (hmac, (const guchar *) hash, (gssize) strlen (hash) + 1);
  g_hmac_update (hmac, (const guchar *) password, (gssize) strlen (password) + 1);

  return g_strdup (g_hmac_get_string (hmac));
}

static void
jme_basic_auth_finalize (GObject *object)
{
  JmeBasicAuth *self = JME_BASIC_AUTH (object);

  explicit_bzero (self->key, KEY_BYTES);
  g_hash_table_unref (self->granted);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) check_free);
  g_free (self->last_peer);
  g_free (self->last_user);

  G_OBJECT_CLASS (jme_basic_auth_parent_class)->finalize (object);
}

static void
jme_basic_auth_class_init (JmeBasicAuthClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jme_basic_auth_finalize;
}

static void
jme_basic_auth_init (JmeBasicAuth *self)
{
  if (getrandom (self->key, KEY_BYTES, 0) != KEY_BYTES)
    g_error ("the kernel gives no random bytes");

  self->granted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_queue_init (&self->waiting);
}

JmeBasicAuth *
jme_basic_auth_new (void)
{
  return g_object_new (JME_TYPE_BASIC_AUTH, NULL);
}

/**
 * jme_basic_auth_check:
 * @self: the doorkeeper
 * @users: (element-type utf8 utf8): bcrypt hash by user, not empty
 * @applicant: who wants to come in
 * @callback: (scope async): called with the verdict where it is not known at once
 * @user_data: for @callback
 *
 * A wrong password costs a bcrypt; a right one only the first time, and again when
 * the user's hash has changed. At most 128 wait; peers take turns, and so do the users
 * whom a peer names.
 *
 * Returns: the verdict; only for `JME_VERDICT_PENDING` is @callback called
 */
JmeVerdict
jme_basic_auth_check (JmeBasicAuth *self,
                      GHashTable *users,
                      const JmeApplicant *applicant,
                      JmeVerdictCallback callback,
                      gpointer user_data)
{
  g_autofree char *user = NULL;
  char *password = NULL;
  const char *own_hash;
  const char *hash;
  Check *check;

  g_return_val_if_fail (g_hash_table_size (users) > 0, JME_VERDICT_REFUSED);

  if (!jme_basic_auth_parse_header (applicant->authorization, &user, &password))
    return JME_VERDICT_REFUSED;

  own_hash = g_hash_table_lookup (users, user);
  hash = own_hash != NULL ? own_hash : costliest_hash (users);

  check = g_new0 (Check, 1);
  check->peer = g_strdup (applicant->peer);
  check->user = g_strdup (user);
  g_set_object (&check->cancellable, applicant->cancellable);
  check->password = password;
  check->is_known = own_hash != NULL;
  check->hash = g_strdup (hash);
  check->token = make_token (self, user, hash, password);
  check->callback = callback;
  check->user_data = user_data;

  if (check->is_known && g_hash_table_contains (self->granted, check->token))
    {
      check_free (check);
      return JME_VERDICT_GRANTED;
    }

  g_queue_push_tail (&self->waiting, check);
  if (self->is_busy)
    make_room (self);
  else
    start_next (self);

  return JME_VERDICT_PENDING;
}
