/* jmc-ledger-peer.c: a ledger, its file or the exporter that keeps it, read in pages
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-ledger-peer.h"

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-slice-private.h"
#include "core/jm-job-record.h"
#include "io/jm-http-private.h"
#include "node/ledger/jm-ledger.h"

/* So many records at once take a few MiB. */
#define PAGE_RECORDS 500
/* A record with its profile has some KiB; the exporter bounds its pages too. */
#define MAX_ANSWER_BYTES (64 * 1024 * 1024)

#define READ_THE_FILE "root can read its ledger without it: --ledger.file=FILE"
#define ASK_THE_EXPORTER                                                               \
 "the exporter's setting ledger.file names it; without --ledger.file the exporter is " \
 "asked"

struct _JmcLedgerPeer
{
  JmLedger *ledger; /* NULL where the exporter is asked */
  char *socket;
  gboolean has_complained; /* of a record that cannot be read */
};

void
jmc_ledger_page_clear (JmcLedgerPage *page)
{
  g_clear_pointer (&page->records, g_ptr_array_unref);
}

static JmcLedgerPeer *
peer_new (void)
{
  return g_new0 (JmcLedgerPeer, 1);
}

/* Opens a ledger's file, to read it alone. */
JmcLedgerPeer *
jmc_ledger_peer_of_file (const char *path, GError **error)
{
  g_autoptr (GError) reason = NULL;
  JmLedger *ledger = jm_ledger_open (path, &reason);
  JmcLedgerPeer *self;

  if (ledger == NULL)
    {
      g_set_error (error, reason->domain, reason->code, "%s (" ASK_THE_EXPORTER ")",
                   reason->message);
      return NULL;
    }

  self = peer_new ();
  self->ledger = ledger;

  return self;
}

/* Nobody is asked yet. */
JmcLedgerPeer *
jmc_ledger_peer_of_socket (const char *path)
{
  JmcLedgerPeer *self = peer_new ();

  self->socket = g_strdup (path);

  return self;
}

/* The ledger in @file, else the exporter that listens at @socket; each is NULL where it
 * was not named, and then the exporter is asked at the usual place. */
JmcLedgerPeer *
jmc_ledger_peer_open (const JmcOptions *options,
                      const char *file,
                      const char *socket,
                      GError **error)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autofree char *usual = jm_host_resolve (host, JMC_USUAL_SOCKET);

  if (file != NULL)
    return jmc_ledger_peer_of_file (file, error);

  return jmc_ledger_peer_of_socket (socket != NULL ? socket : usual);
}

void
jmc_ledger_peer_free (JmcLedgerPeer *self)
{
  g_clear_object (&self->ledger);
  g_free (self->socket);
  g_free (self);
}

/* --- the file --- */

static gboolean
list (JmcLedgerPeer *self, JmLedgerFilter *filter, JmcLedgerPage *page, GError **error)
{
  page->records = jm_ledger_list (self->ledger, filter, NULL, error);
  if (page->records == NULL)
    return FALSE;

  if (page->records->len > 0)
    page->next =
      jm_job_record_get_position (page->records->pdata[page->records->len - 1]);
  /* A page is shorter where one of its records is broken, not at the end alone. */
  page->has_more = page->records->len > 0;

  return TRUE;
}

/* --- the exporter --- */

/* What is to be done about it. */
static void
explain (JmcLedgerPeer *self, guint status, GError *reason, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GError) owned = reason;
  const char *what = reason->message;
  const char *advice = "the exporter's log says more";

  if (status == 0)
    advice = "is jobmetrics-exporter running on this node? " READ_THE_FILE;
  else if (g_error_matches (reason, JM_ERROR, JM_ERROR_ABSENT))
    advice = "the exporter keeps no ledger: its setting ledger.file names one";
  else if (g_error_matches (reason, JM_ERROR, JM_ERROR_DENIED))
    advice = "the exporter gives this user no records; " READ_THE_FILE;

  g_set_error (error, reason->domain, reason->code, "%s (%s)", what, advice);
}

/* One that cannot be read costs itself alone, as in a file. */
static void
take_record (JmcLedgerPeer *self, const JmSlice *text, JmcLedgerPage *page)
{
  g_autoptr (GError) error = NULL;
  JmJobRecord *record =
    jm_record_json_parse (text->text, text->length, self->socket, &error);

  if (record != NULL)
    g_ptr_array_add (page->records, record);
  else if (!self->has_complained)
    {
      g_warning ("%s; this record is left out, and others like it", error->message);
      self->has_complained = TRUE;
    }
}

/* The page without its records, which are read as their node wrote them. */
static JsonNode *
take_records (JmcLedgerPeer *self, GString *body, JmcLedgerPage *page, GError **error)
{
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (JmSlice));
  g_autoptr (GString) rest = g_string_new (NULL);
  JsonNode *json = NULL;

  if (jm_json_cut_array (body->str, body->len, "records", texts, rest))
    json = jm_json_parse (rest->str, rest->len);
  if (json == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: the answer has no records",
                 self->socket);

  for (guint i = 0; i < texts->len && json != NULL; i++)
    take_record (self, &g_array_index (texts, JmSlice, i), page);

  return json;
}

/* A page must lead on, lest the same is asked for without an end. */
static gboolean
take_page (JmcLedgerPeer *self,
           GString *body,
           guint64 after,
           JmcLedgerPage *page,
           GError **error)
{
  g_autoptr (JsonNode) json = NULL;
  JsonNode *next;
  gboolean is_cut = TRUE;

  page->records = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
  json = take_records (self, body, page, error);
  if (json == NULL)
    return FALSE;

  page->next = after;
  next = jm_json_get (json, "next");
  if (next != NULL && JSON_NODE_HOLDS_VALUE (next))
    page->next = (guint64) MAX (json_node_get_int (next), 0);
  jm_json_get_boolean (json, "more", &page->has_more);
  jm_json_get_boolean (json, "cut", &is_cut);
  page->is_newest = jm_json_get (json, "newest") != NULL && !is_cut;
  if (!page->has_more || page->next > after)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
               "%s: the page behind position %" G_GUINT64_FORMAT " leads nowhere",
               self->socket, after);

  return FALSE;
}

static gboolean
ask (JmcLedgerPeer *self,
     const char *parameters,
     guint64 after,
     JmcLedgerPage *page,
     GError **error)
{
  g_autofree char *url = g_strconcat ("http://localhost/ledger?", parameters, NULL);
  g_autoptr (GString) body = g_string_new (NULL);
  g_auto (JmHttpAnswer) answer = { 0 };
  const JmHttpRequest request = { .url = url,
                                  .socket = self->socket,
                                  .max_bytes = MAX_ANSWER_BYTES,
                                  .take = jm_http_take_text,
                                  .take_data = body };
  GError *reason = NULL;

  if (jm_http_ask (&request, &answer, NULL, &reason))
    return take_page (self, body, after, page, error);

  explain (self, answer.status, reason, error);

  return FALSE;
}

/* --- both --- */

/* Reads those that go on; @page must be zeroed. */
gboolean
jmc_ledger_peer_read_running (JmcLedgerPeer *self,
                              const JmcLedgerQuery *query,
                              const char *job,
                              JmcLedgerPage *page,
                              GError **error)
{
  if (self->ledger != NULL)
    {
      g_autoptr (JmLedgerFilter) filter = jmc_ledger_query_make_filter (query, job);

      jm_ledger_filter_set_state (filter, JM_RUN_STATE_RUNNING);

      return list (self, filter, page, error);
    }
  else
    {
      g_autofree char *wanted = jmc_ledger_query_make_parameters (query, job);
      g_autofree char *parameters = g_strconcat ("state=running", wanted, NULL);

      return ask (self, parameters, 0, page, error);
    }
}

/* Reads some of those that have ended, behind @after; @page must be zeroed. */
gboolean
jmc_ledger_peer_read_recorded (JmcLedgerPeer *self,
                               const JmcLedgerQuery *query,
                               const char *job,
                               guint64 after,
                               JmcLedgerPage *page,
                               GError **error)
{
  if (self->ledger != NULL)
    {
      g_autoptr (JmLedgerFilter) filter = jmc_ledger_query_make_filter (query, job);

      jm_ledger_filter_set_after (filter, after);
      jm_ledger_filter_set_limit (filter, PAGE_RECORDS);

      return list (self, filter, page, error);
    }
  else
    {
      g_autofree char *wanted = jmc_ledger_query_make_parameters (query, job);
      g_autofree char *parameters =
        g_strdup_printf ("after=%" G_GUINT64_FORMAT "&limit=%d%s", after, PAGE_RECORDS,
                         wanted);

      return ask (self, parameters, after, page, error);
    }
}

/* Asks an exporter for as many of those that have ended as the query's limit says, the
 * last; an older one sends a page of the first. @page must be zeroed. */
gboolean
jmc_ledger_peer_read_newest (JmcLedgerPeer *self,
                             const JmcLedgerQuery *query,
                             const char *job,
                             JmcLedgerPage *page,
                             GError **error)
{
  g_autofree char *wanted = jmc_ledger_query_make_parameters (query, job);
  const char *state = query->is_of_state ? jm_run_state_get_name (query->state) : NULL;
  g_autofree char *parameters =
    g_strdup_printf ("newest=%u%s%s%s", query->limit, state != NULL ? "&state=" : "",
                     state != NULL ? state : "", wanted);

  return ask (self, parameters, 0, page, error);
}

/* Whether the last records can be had without those before them: an exporter has a
 * bound of its own for what it sends at once. */
gboolean
jmc_ledger_peer_can_read_last (JmcLedgerPeer *self)
{
  return self->ledger != NULL;
}

/* Reads as many as the query's limit says, those that go on among them. */
gboolean
jmc_ledger_peer_read_last (JmcLedgerPeer *self,
                           const JmcLedgerQuery *query,
                           const char *job,
                           JmcLedgerPage *page,
                           GError **error)
{
  g_autoptr (JmLedgerFilter) filter = jmc_ledger_query_make_filter (query, job);

  jm_ledger_filter_set_limit (filter, query->limit);

  return list (self, filter, page, error);
}
