/* jme-trace.c: what users' wrappers report of their commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "trace/jme-trace.h"

#include <string.h>

#include "base/jm-secret-private.h"
#include "base/jm-trace-store-private.h"
#include "trace/jme-trace-figures.h"
#include "web/jme-html.h"
#include "web/jme-user.h"
#include "web/jme-web-client.h"

#define BEARER "Bearer "
#define BASIC "Basic "
#define CHALLENGE "Bearer realm=\"jobmetrics\""
/* Names that are remembered. */
#define MAX_USERS 4096

typedef struct
{
  char *token; /* NULL where there is none */
  gboolean is_open;
  GHashTable *users; /* names by uid: asking for one may take its time */
} Door;

#define ENABLED "trace.enabled"
#define MAX_AGE "trace.max-age"
#define TOKEN_FILE "trace.token-file"
#define OPEN "trace.open"

#define JSON "application/json"

/* A node of 256 tasks that each report every two seconds, and a cluster of
 * several thousand processes. */
static const JmTraceLimits limits = { .max_records = 100000,
                                      .max_per_job = 4096,
                                      .rate = 128,
                                      .burst = 1024 };

struct _JmeTrace
{
  JmTraceStore *store; /* NULL where it is not wanted */
  Door *door;
  JmeTraceCounters counters;
};

static const JmSetting rows[] = {
  { .name = ENABLED,
    .group = "trace",
    .kind = JM_SETTING_FLAG,
    .help = "Accept reports of jobmetrics-cli trace about users' commands, at /trace" },
  { .name = MAX_AGE,
    .group = "trace",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "How long a command is shown after its last report",
    .preset = "30",
    .low = 1,
    .high = 3600 },
  { .name = TOKEN_FILE,
    .group = "trace",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "One line with the token that reports over the network must carry",
    .preset_help = "who has a password or a certificate of web.yml may" },
  { .name = OPEN,
    .group = "trace",
    .kind = JM_SETTING_FLAG,
    .help = "Accept reports about any user from everybody, without a token" },
};

/* @token is taken over; NULL for none. With @is_open, everybody may report anything. */
static Door *
door_new (char *token, gboolean is_open)
{
  Door *self = g_new0 (Door, 1);

  self->token = token;
  self->is_open = is_open;
  self->users = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  return self;
}

static void
door_free (Door *self)
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
is_for_token (const Door *self, JmeRequest *request)
{
  return self->token != NULL && !self->is_open &&
         !jme_request_get_peer (request, NULL, NULL) &&
         !has_scheme (jme_request_get_header (request, "Authorization"), BASIC);
}

/* What the server is to ask of who reports: nothing, where this asks itself. */
static JmeAccess
door_choose_access (Door *self, JmeRequest *request)
{
  return self->is_open || is_for_token (self, request) ? JME_ACCESS_OPEN
                                                       : JME_ACCESS_KNOWN;
}

/* Whether one whom the server let in may report anything; answers with 401 where not.
 */
static gboolean
door_admit (Door *self, JmeRequest *request)
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
find_user (Door *self, guint uid)
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

/* Whether he may report this: a user of this machine reports himself alone, root of
 * everybody. Answers with 403 where not. */
static gboolean
door_admit_record (Door *self, JmeRequest *request, const JmTraceRecord *record)
{
  JmePeer peer = { 0 };

  if (self->is_open || !jme_request_get_peer (request, &peer.uid, &peer.pid) ||
      jme_peer_is_trusted (&peer) ||
      g_str_equal (find_user (self, peer.uid), record->user))
    return TRUE;

  jme_request_reply_text (request, 403, "403: username: not yours\n");

  return FALSE;
}

/* As whom he is counted. */
static char *
door_name_sender (Door *self, JmeRequest *request)
{
  guint uid;

  return jme_request_get_peer (request, &uid, NULL)
           ? g_strdup_printf ("uid %u", uid)
           : jme_request_describe_peer (request);
}

/* --- making it --- */

void
jme_trace_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

static gboolean
read_token (const JmSettings *settings, char **token, GError **error)
{
  const char *path = jm_settings_get_text (settings, TOKEN_FILE);
  g_autoptr (GError) reason = NULL;

  if (path == NULL)
    return TRUE;

  *token = jm_secret_read_token (path, &reason);

  return *token != NULL ||
         jm_settings_refuse (settings, TOKEN_FILE, NULL, reason->message, error);
}

static void
open_store (JmeTrace *self, const JmSettings *settings, char *token)
{
  JmTraceLimits ours = limits;

  ours.max_age_ms = jm_settings_get_number (settings, MAX_AGE);
  self->store = jm_trace_store_new (&ours);
  self->door = door_new (token, jm_settings_get_flag (settings, OPEN));
}

JmeTrace *
jme_trace_open (const JmSettings *settings, GError **error)
{
  JmeTrace *self;
  char *token = NULL;

  if (jm_settings_get_flag (settings, ENABLED) && !read_token (settings, &token, error))
    return NULL;

  self = g_new0 (JmeTrace, 1);
  if (jm_settings_get_flag (settings, ENABLED))
    open_store (self, settings, token);

  return self;
}

void
jme_trace_free (JmeTrace *self)
{
  g_clear_pointer (&self->store, jm_trace_store_free);
  g_clear_pointer (&self->door, door_free);
  g_free (self);
}

gboolean
jme_trace_is_wanted (const JmeTrace *self)
{
  return self->store != NULL;
}

/* --- what is reported --- */

static void
refuse (JmeTrace *self, JmeRequest *request, guint status, const char *reason)
{
  g_autofree char *text = g_strdup_printf ("%u: %s\n", status, reason);

  if (status == 429)
    jme_request_set_header (request, "Retry-After", "1");
  jme_request_reply_text (request, status, text);
}

static gboolean
has_turn (JmeTrace *self, JmeRequest *request)
{
  g_autofree char *sender = door_name_sender (self->door, request);

  return jm_trace_store_take_turn (self->store, sender, g_get_monotonic_time ());
}

/* What clients of rivosinc's exporter wait for. */
static void
reply_taken (JmeTrace *self, JmeRequest *request)
{
  self->counters.n_taken++;
  jme_request_reply_text (request, 200, "");
}

static void
keep (JmeTrace *self, JmeRequest *request, JmTraceRecord *record)
{
  switch (jm_trace_store_add (self->store, record, g_get_monotonic_time ()))
    {
    case JM_TRACE_TAKEN:
      reply_taken (self, request);
      return;
    case JM_TRACE_JOB_FULL:
      refuse (self, request, 429, "the job has too many processes that are traced");
      break;
    case JM_TRACE_FULL:
    default:
      refuse (self, request, 503, "too many processes are traced");
      break;
    }
  self->counters.n_refused[JME_TRACE_FULL]++;
}

static void
take (JmeTrace *self, JmeRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmTraceRecord) record = NULL;
  gsize length;
  const char *body = g_bytes_get_data (jme_request_get_body (request), &length);

  if (!door_admit (self->door, request))
    {
      self->counters.n_refused[JME_TRACE_DENIED]++;
      return;
    }
  if (!has_turn (self, request))
    {
      self->counters.n_refused[JME_TRACE_TOO_OFTEN]++;
      refuse (self, request, 429, "too many records");
      return;
    }

  record = jm_trace_record_parse (body, length, &error);
  if (record == NULL)
    {
      self->counters.n_refused[JME_TRACE_MALFORMED]++;
      refuse (self, request, 400, error->message);
    }
  else if (!door_admit_record (self->door, request, record))
    {
      self->counters.n_refused[JME_TRACE_DENIED]++;
    }
  else
    {
      keep (self, request, g_steal_pointer (&record));
    }
}

/* --- what is shown --- */

static gboolean
wants_html (JmeRequest *request)
{
  g_auto (GStrv) formats = jme_request_get_values (request, "format");

  if (formats[0] != NULL)
    return g_str_equal (formats[0], "html");

  return jme_trace_page_wants_html (jme_request_get_header (request, "Accept"));
}

static void
show (JmeTrace *self, JmeRequest *request)
{
  gint64 now_us = g_get_monotonic_time ();
  gboolean is_html = wants_html (request);
  g_autoptr (GPtrArray) records = jm_trace_store_list (self->store, now_us);
  g_autoptr (GBytes) body = is_html ? jme_trace_page_render (records, now_us)
                                    : jme_trace_page_render_json (records);

  jme_request_set_header (request, "Vary", "Accept");
  if (is_html)
    jme_html_reply (request, 200, body);
  else
    jme_request_reply (request, 200, JSON, body);
}

static gboolean
is_post (JmeRequest *request)
{
  return g_str_equal (jme_request_get_method (request), "POST");
}

/* Who may read what is scraped may read this. */
JmeAccess
jme_trace_choose_access (JmeTrace *self, JmeRequest *request)
{
  return self->store != NULL && is_post (request)
           ? door_choose_access (self->door, request)
           : JME_ACCESS_USERS;
}

void
jme_trace_answer (JmeTrace *self, JmeRequest *request)
{
  if (self->store == NULL)
    jme_request_reply_text (request, 404, "404: nothing is traced (--trace.enabled)\n");
  else if (is_post (request))
    take (self, request);
  else
    show (self, request);
}

void
jme_trace_append_figures (JmMetricSelection *selection,
                          JmTextWriter *writer,
                          gpointer user_data)
{
  JmeTrace *self = user_data;
  g_autoptr (GPtrArray) records = NULL;

  if (self->store == NULL)
    return;

  records = jm_trace_store_list (self->store, g_get_monotonic_time ());
  jme_trace_figures_append (records, &self->counters, selection, writer);
}
