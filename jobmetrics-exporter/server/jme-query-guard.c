/* jme-query-guard.c: a time series database, of which users see their own runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include <math.h>
#include <string.h>

#include "access/jm-promql-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "server/jme-answer.h"
#include "server/jme-query-upstream.h"
#include "web/jme-identity.h"
#include "web/jme-workers.h"

#define CLUSTER "server.prometheus-cluster"

#define PREFIX "/prometheus"
#define API PREFIX "/api/v1/"
#define LABEL "label/"
#define VALUES "/values"

/* A query and as much again in escapes, and what stands beside it. */
#define MAX_BODY_BYTES (256 * 1024)
#define MAX_LABEL_BYTES 256
#define MAX_JOBS 1000
/* In 2038. Some databases take larger numbers for milliseconds. */
#define MAX_TIME 2147483648.0
/* In 1973. Some databases take 2026 for a year, and what is below 0 for a time before
 * now. */
#define MIN_TIME 1e8
/* A figure of a job may be read so long after its end: Prometheus' look-back window,
 * and the time for which nodes go on to show it. As much before its start is for
 * clocks. */
#define SLACK_SECONDS 600

struct _JmeQueryGuard
{
  JmeArchive *accounts;
  JmeQueryUpstream *upstream;
  char *cluster;      /* whose the series are that name none; NULL for nobody's */
  GArray *run_labels; /* of JmRunLabel */
  JmeWorkers *workers;
  JmeDestination work;
  GCancellable *closing;
};

/* What of a question says which series are read. */
typedef enum
{
  READS_QUERY,
  READS_MATCHES,
  READS_NOTHING,
} Reads;

typedef struct
{
  const char *name; /* behind the version of the API */
  Reads reads;
  gboolean is_posted;
  const char *const *keys;
} Endpoint;

#define OF_ALL "timeout", "dedup", "partial_response"

#define TIME "time"
#define START "start"
#define END "end"
#define STEP "step"
#define LOOKBACK "lookback_delta"

static const char *const query_keys[] = {
  JME_QUERY_FORM_QUERY, TIME, JME_QUERY_FORM_LIMIT, LOOKBACK, OF_ALL, NULL
};
static const char *const range_keys[] = {
  JME_QUERY_FORM_QUERY, START, END, STEP, JME_QUERY_FORM_LIMIT, LOOKBACK, OF_ALL, NULL
};
static const char *const match_keys[] = { JME_QUERY_FORM_MATCH, START,  END,
                                          JME_QUERY_FORM_LIMIT, OF_ALL, NULL };
static const char *const metadata_keys[] = { "metric", JME_QUERY_FORM_LIMIT,
                                             "limit_per_metric", NULL };
static const char *const no_keys[] = { NULL };

/* query_exemplars is not among them: traces' names are nobody's business here. */
static const Endpoint endpoints[] = {
  { "query", READS_QUERY, TRUE, query_keys },
  { "query_range", READS_QUERY, TRUE, range_keys },
  { "series", READS_MATCHES, TRUE, match_keys },
  { "labels", READS_MATCHES, TRUE, match_keys },
  { LABEL, READS_MATCHES, FALSE, match_keys },
  { "metadata", READS_NOTHING, FALSE, metadata_keys },
  { "status/buildinfo", READS_NOTHING, FALSE, no_keys },
};

static const JmSetting cluster_row = {
  .name = CLUSTER,
  .group = "server",
  .kind = JM_SETTING_TEXT,
  .argument = "NAME",
  .help = "Cluster of all series of --server.prometheus; else each query must "
          "name its cluster",
  .preset_help = "none",
};

/* One question. */
typedef struct
{
  JmeQueryGuard *guard;
  JmeAnswer answer;
  const Endpoint *endpoint;
  JmeQueryForm *form;
  guint n_jobs;  /* that the archive was asked for */
  GError *error; /* why they could not be */
} Question;

static void
question_clear (Question *self)
{
  g_clear_pointer (&self->form, jme_query_form_free);
  g_clear_error (&self->error);
  jme_answer_clear (&self->answer);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Question, question_clear)

/* --- refusing, as those who ask Prometheus read it --- */

static const char *
get_error_type (guint status)
{
  switch (status)
    {
    case 400:
    case 404:
      return "bad_data";
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    default:
      return "unavailable";
    }
}

static void
refuse (JmeRequest *request, guint status, const char *reason)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();
  g_autoptr (GBytes) body = NULL;
  char *text;

  json_object_set_string_member (object, "status", "error");
  json_object_set_string_member (object, "errorType", get_error_type (status));
  jm_json_add_text (object, "error", reason);
  json_node_take_object (node, object);
  text = jm_json_format (node, FALSE);
  body = g_bytes_new_take (text, strlen (text));
  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply (request, status, "application/json", body);
}

static void
refuse_asker (const JmeAnswer *answer, guint status, const char *reason)
{
  refuse (answer->request, status, reason);
}

static void
refuse_for (Question *self, guint status, const GError *error)
{
  refuse (self->answer.request, status, error->message);
}

/* --- what may be read --- */

static gboolean
may_ask (Question *self)
{
  if (self->error != NULL)
    return FALSE;
  if (self->n_jobs == MAX_JOBS)
    g_set_error (&self->error, JM_ERROR, JM_ERROR_INVALID, "more than %d jobs",
                 MAX_JOBS);
  self->n_jobs++;

  return self->error == NULL;
}

static gboolean
sees_uuid (const char *uuid, gpointer user_data)
{
  Question *self = user_data;
  gboolean is_seen = FALSE;

  return may_ask (self) &&
         jm_archive_database_check_uuid (self->answer.store, uuid, self->answer.viewer,
                                         &is_seen, &self->error) &&
         is_seen;
}

/* A time that is not known is open. */
static gint64
get_bound (double seconds)
{
  return isfinite (seconds) && seconds < MAX_TIME ? (gint64) MAX (seconds, 1) : 0;
}

/* Seconds since 1970 as a number, or a time by RFC 3339. Databases may read other texts
 * in ways of their own. */
static gboolean
read_time (const char *text, double *seconds)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (text, NULL);
  char *rest;

  if (date != NULL)
    {
      *seconds = (double) g_date_time_to_unix (date);
      return TRUE;
    }
  *seconds = g_ascii_strtod (text, &rest);

  return rest != text && *rest == '\0' && isfinite (*seconds);
}

static double
get_time (Question *self, const char *key, double otherwise)
{
  const char *text = jme_query_form_get (self->form, key);
  double seconds;

  return text != NULL && read_time (text, &seconds) && seconds >= MIN_TIME &&
             seconds < MAX_TIME
           ? seconds
           : otherwise;
}

/* 0 without one, infinity for one that cannot be read. */
static double
get_length (Question *self, const char *key)
{
  const char *text = jme_query_form_get (self->form, key);
  double seconds = 0;

  if (text != NULL && !read_time (text, &seconds) &&
      !jm_promql_parse_duration (text, &seconds))
    return INFINITY;

  return MAX (seconds, 0);
}

static gboolean
sees_job (const char *cluster,
          const char *jobid,
          double from,
          double to,
          gpointer user_data)
{
  Question *self = user_data;
  double since = from - SLACK_SECONDS - get_length (self, LOOKBACK);
  double until = to + SLACK_SECONDS;
  gboolean is_seen = FALSE;

  return may_ask (self) &&
         jm_archive_database_check_job (self->answer.store, cluster, jobid,
                                        get_bound (since), get_bound (until),
                                        self->answer.viewer, &is_seen, &self->error) &&
         is_seen;
}

static gboolean
is_confined (Question *self, const char *promql, GError **error)
{
  JmPromqlAllowed allowed = {
    .uuid = sees_uuid,
    .job = sees_job,
    .user_data = self,
    .labels = self->guard->run_labels,
    .from = get_time (self, START, -INFINITY),
    .to = get_time (self, END, INFINITY),
    .step = get_length (self, STEP),
    .cluster = self->guard->cluster,
  };

  if (self->endpoint->reads == READS_MATCHES)
    {
      /* Prometheus answers with the series of whole blocks, whatever the period is */
      allowed.from = -INFINITY;
      allowed.to = INFINITY;
    }
  else if (jme_query_form_get (self->form, TIME) != NULL)
    {
      allowed.from = get_time (self, TIME, -INFINITY);
      allowed.to = get_time (self, TIME, INFINITY);
    }
  else if (self->endpoint->keys == query_keys)
    allowed.from = allowed.to = (double) g_get_real_time () / G_USEC_PER_SEC;

  return jm_promql_is_confined (promql, &allowed, error);
}

static gboolean
are_confined (Question *self, GError **error)
{
  g_auto (GStrv) matches = jme_query_form_list (self->form, JME_QUERY_FORM_MATCH);

  if (matches[0] == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_DENIED,
                           JME_QUERY_FORM_MATCH
                           ": has to name your runs, by uuid or by cluster and job id");
      return FALSE;
    }
  for (guint i = 0; matches[i] != NULL; i++)
    if (!jm_promql_is_selector (matches[i], error) ||
        !is_confined (self, matches[i], error))
      return FALSE;

  return TRUE;
}

/* Whether who asks may see what is read; else that is answered. */
static gboolean
is_allowed (Question *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_good = TRUE;

  if (jm_viewer_sees_all (self->answer.viewer) ||
      self->endpoint->reads == READS_NOTHING)
    return TRUE;
  if (self->endpoint->reads == READS_MATCHES)
    is_good = are_confined (self, &error);
  else
    is_good =
      is_confined (self, jme_query_form_get (self->form, JME_QUERY_FORM_QUERY), &error);
  if (self->error != NULL)
    jme_answer_fail (&self->answer, self->error);
  else if (!is_good)
    refuse_for (self, g_error_matches (error, JM_ERROR, JM_ERROR_DENIED) ? 403 : 400,
                error);

  return is_good && self->error == NULL;
}

/* --- asking for somebody --- */

static void
hand_on (Question *self, const JmeQueryReply *reply)
{
  JmeRequest *request = self->answer.request;

  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_set_header (request, "X-Content-Type-Options", "nosniff");
  jme_request_reply (request, reply->status,
                     reply->content_type != NULL ? reply->content_type
                                                 : "application/octet-stream",
                     reply->body);
}

static void
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

/* Until who asks has gone, or the guard does. */
static gboolean
ask_upstream (Question *self, JmeQueryReply *reply, GError **error)
{
  GCancellable *gone = jme_request_get_cancellable (self->answer.request);
  g_autoptr (GCancellable) either = g_cancellable_new ();
  g_autofree char *form = jme_query_form_encode (self->form);
  const char *path = jme_request_get_path (self->answer.request) + strlen (PREFIX);
  gulong on_gone =
    g_cancellable_connect (gone, G_CALLBACK (on_cancelled), either, NULL);
  gulong on_closing = g_cancellable_connect (self->guard->closing,
                                             G_CALLBACK (on_cancelled), either, NULL);
  gboolean is_answered =
    jme_query_upstream_ask (self->guard->upstream, path, form,
                            self->endpoint->is_posted, reply, either, error);

  g_cancellable_disconnect (self->guard->closing, on_closing);
  g_cancellable_disconnect (gone, on_gone);

  return is_answered;
}

static void
ask (Question *self)
{
  g_auto (JmeQueryReply) reply = { 0 };
  g_autoptr (GError) error = NULL;

  if (ask_upstream (self, &reply, &error))
    {
      hand_on (self, &reply);
      return;
    }
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_warning ("the time series cannot be asked for: %s", error->message);
  refuse (self->answer.request, 502, "the time series database gives no answer now");
}

/* --- the question --- */

/* The name stands in the path; anything else there would lead elsewhere. */
static gboolean
is_label_path (const char *rest)
{
  gsize length = 0;

  while (g_ascii_isalnum (rest[length]) || rest[length] == '_')
    length++;

  return length > 0 && length <= MAX_LABEL_BYTES && !g_ascii_isdigit (*rest) &&
         strcmp (rest + length, VALUES) == 0;
}

static const Endpoint *
find_endpoint (const char *path)
{
  const char *name = path + strlen (API);

  for (guint i = 0; i < G_N_ELEMENTS (endpoints); i++)
    if (strcmp (endpoints[i].name, LABEL) == 0
          ? g_str_has_prefix (name, LABEL) && is_label_path (name + strlen (LABEL))
          : strcmp (endpoints[i].name, name) == 0)
      return &endpoints[i];

  return NULL;
}

static gboolean
read_form (Question *self, GError **error)
{
  const char *query;

  self->form = jme_query_form_new (self->answer.request, self->endpoint->keys, error);
  if (self->form == NULL)
    return FALSE;
  query = jme_query_form_get (self->form, JME_QUERY_FORM_QUERY);
  if (self->endpoint->reads != READS_QUERY || (query != NULL && *query != '\0'))
    return TRUE;
  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "query: missing");

  return FALSE;
}

static void
answer (JmeRequest *request, gpointer user_data)
{
  g_auto (Question) question = { .guard = user_data };
  g_autoptr (GError) error = NULL;

  question.endpoint = find_endpoint (jme_request_get_path (request));
  if (question.endpoint == NULL)
    {
      refuse (request, 404, "label: not a label's name");
      return;
    }
  if (!jme_answer_begin_with (&question.answer, question.guard->accounts, request,
                              refuse_asker))
    return;
  jm_archive_site_share_accounts (jme_archive_get_site (question.guard->accounts),
                                  question.answer.viewer);
  if (!read_form (&question, &error))
    refuse_for (&question, 400, error);
  else if (is_allowed (&question))
    ask (&question);
}

static const JmeRoute worker = { .handler = answer };

static void
refuse_for_now (JmeRequest *request)
{
  jme_request_set_header (request, "Retry-After", "1");
  refuse (request, 503, "too much is asked at once");
}

static void
on_question (JmeRequest *request, gpointer user_data)
{
  JmeQueryGuard *self = user_data;

  jme_workers_push (self->workers, &self->work, request);
}

#define GUARDED .choose_access = jme_answer_choose_access, .handler = on_question
#define POSTED                                                                         \
 .methods = JME_METHOD_GET | JME_METHOD_POST, .max_body_bytes = MAX_BODY_BYTES, GUARDED

const JmeRoute jme_query_guard_routes[] = {
  { .path = API "query", POSTED },
  { .path = API "query_range", POSTED },
  { .path = API "series", POSTED },
  { .path = API "labels", POSTED },
  { .path = API LABEL, .is_prefix = TRUE, GUARDED },
  { .path = API "metadata", GUARDED },
  { .path = API "status/buildinfo", GUARDED },
  { NULL },
};

/* --- the guard --- */

void
jme_query_guard_add_settings (JmSettings *settings)
{
  jme_query_upstream_add_settings (settings);
  jm_settings_add (settings, &cluster_row);
}

JmeQueryGuard *
jme_query_guard_new (const JmSettings *settings,
                     JmeArchive *accounts,
                     JmeDialects *dialects,
                     GError **error)
{
  const JmeWorkersPlan plan = {
    .max_threads = JME_WORKERS_MAX_THREADS,
    .max_of_user = JME_WORKERS_MAX_OF_USER,
    .budget_ms = JME_WORKERS_BUDGET_MS,
    .identity = jme_archive_get_identity (accounts),
    .refuse = refuse_for_now,
  };
  JmeQueryUpstream *upstream;
  JmeQueryGuard *self;

  if (!jme_query_upstream_is_set (settings))
    return NULL;
  upstream = jme_query_upstream_new (settings, error);
  if (upstream == NULL)
    return NULL;

  self = g_new0 (JmeQueryGuard, 1);
  self->accounts = accounts;
  self->upstream = upstream;
  self->cluster = g_strdup (jm_settings_get_text (settings, CLUSTER));
  self->run_labels = jme_dialects_list_run_labels (dialects);
  self->workers = jme_workers_new (&plan);
  self->work = (JmeDestination){ &worker, self };
  self->closing = g_cancellable_new ();

  return self;
}

void
jme_query_guard_free (JmeQueryGuard *self)
{
  g_cancellable_cancel (self->closing);
  jme_workers_free (self->workers);
  g_object_unref (self->closing);
  jme_query_upstream_free (self->upstream);
  g_array_unref (self->run_labels);
  g_free (self->cluster);
  g_free (self);
}
