/* jme-trace-door.c: who may tell of processes, and of whose
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "trace/jme-trace-door.h"

#include <string.h>

#include "web/jme-user.h"
#include "web/jme-web-client.h"

#define BEARER "Bearer "
#define BASIC "Basic "
#define CHALLENGE "Bearer realm=\"jobmetrics\""
/* Names that are remembered. */
#define MAX_USERS 4096

struct _JmeTraceDoor
{
  char *token; /* NULL where there is none */
  gboolean is_open;
  GHashTable *users; /* names by uid: asking for one may take its time */
};

JmeTraceDoor *
jme_trace_door_new (char *token, gboolean is_open)
{
  JmeTraceDoor *self = g_new0 (JmeTraceDoor, 1);

  self->token = token;
  self->is_open = is_open;
  self->users = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  return self;
}

void
jme_trace_door_free (JmeTraceDoor *self)
{
  g_hash_table_unref (self->users);
  g_free (self->token);
  g_free (self);
}

/* --- who --- */

/* As long as the token whatever is right of it. */
static gboolean
is_token (const char *token, const char *word)
{
  gsize length = strlen (token);
  gsize word_length = strlen (word);
  guint difference = length != word_length;

  for (gsize i = 0; i < length; i++)
    difference |= (guint) (token[i] ^ (i < word_length ? word[i] : 0));

  return difference == 0;
}

static gboolean
has_scheme (const char *authorization, const char *scheme)
{
  return authorization != NULL &&
         g_ascii_strncasecmp (authorization, scheme, strlen (scheme)) == 0;
}

/* Whether the token decides: not of who is on this machine, nor of who comes with a
 * password, at which the server looks. */
static gboolean
is_for_token (const JmeTraceDoor *self, JmeRequest *request)
{
  return self->token != NULL && !self->is_open &&
         !jme_request_get_peer (request, NULL, NULL) &&
         !has_scheme (jme_request_get_header (request, "Authorization"), BASIC);
}

JmeAccess
jme_trace_door_choose_access (JmeTraceDoor *self, JmeRequest *request)
{
  return self->is_open || is_for_token (self, request) ? JME_ACCESS_OPEN
                                                       : JME_ACCESS_KNOWN;
}

gboolean
jme_trace_door_admit (JmeTraceDoor *self, JmeRequest *request)
{
  const char *authorization = jme_request_get_header (request, "Authorization");

  if (!is_for_token (self, request) ||
      (has_scheme (authorization, BEARER) &&
       is_token (self->token, authorization + strlen (BEARER))))
    return TRUE;

  jme_request_set_header (request, "WWW-Authenticate", CHALLENGE);
  jme_request_reply_text (request, 401, "401: the token is missing, or another one\n");

  return FALSE;
}

/* --- of whom --- */

static char *
look_up_user (guint uid)
{
  char *name = jme_user_find_name (uid, NULL);

  return name != NULL ? name : g_strdup_printf ("%u", uid);
}

static const char *
find_user (JmeTraceDoor *self, guint uid)
{
  char *name = g_hash_table_lookup (self->users, GUINT_TO_POINTER (uid));

  if (name != NULL)
    return name;

  if (g_hash_table_size (self->users) >= MAX_USERS)
    g_hash_table_remove_all (self->users);
  name = look_up_user (uid);
  g_hash_table_insert (self->users, GUINT_TO_POINTER (uid), name);

  return name;
}

gboolean
jme_trace_door_admit_record (JmeTraceDoor *self,
                             JmeRequest *request,
                             const JmTraceRecord *record)
{
  JmePeer peer = { 0 };

  if (self->is_open || !jme_request_get_peer (request, &peer.uid, &peer.pid) ||
      jme_peer_is_trusted (&peer) ||
      g_str_equal (find_user (self, peer.uid), record->user))
    return TRUE;

  jme_request_reply_text (request, 403, "403: username: not yours\n");

  return FALSE;
}

char *
jme_trace_door_name_sender (JmeTraceDoor *self, JmeRequest *request)
{
  guint uid;

  return jme_request_get_peer (request, &uid, NULL)
           ? g_strdup_printf ("uid %u", uid)
           : jme_request_describe_peer (request);
}
