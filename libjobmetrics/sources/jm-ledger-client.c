/* jm-ledger-client.c: pages of a node's ledger, over the network
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jm-ledger-client-private.h"

#include "core/jm-error.h"
#include "core/jm-figures-json-private.h"
#include "core/jm-job-private.h"
#include "core/jm-json-private.h"
#include "sources/jm-http-private.h"
#include "store/jm-record-json-private.h"

#define DEFAULT_LIMIT 200

static gboolean
refuse (const char *name, const char *what, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: no page of a ledger: %s", name,
               what);

  return FALSE;
}

static gboolean
read_position (JsonNode *node, guint64 *position)
{
  return node != NULL && jm_figures_json_decode_value (JM_UNIT_COUNT, node, position) &&
         *position <= G_MAXINT64;
}

/* Without a boot id a record told again may be another's. */
static const char *
find_fault (JmJobRecord *record, gboolean is_running)
{
  if (jm_job_get_run_key (jm_job_record_get_job (record)) == NULL)
    return "a record without boot id";
  if ((jm_job_record_get_state (record) == JM_RUN_STATE_RUNNING) != is_running)
    return is_running ? "a record that has ended" : "a record that has not ended";

  return NULL;
}

static gboolean
read_records (JmLedgerPage *page, JsonNode *node, const char *name, GError **error)
{
  JsonNode *array = jm_json_get (node, "records");

  if (array == NULL || !JSON_NODE_HOLDS_ARRAY (array))
    return refuse (name, "no records", error);
  if (jm_json_get_length (array) > JM_LEDGER_PAGE_MAX_RECORDS)
    return refuse (name, "too many records", error);

  page->records = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
  for (guint i = 0; i < jm_json_get_length (array); i++)
    {
      JsonNode *element = jm_json_get_element (array, i);
      JmJobRecord *record;
      const char *fault;

      if (!JSON_NODE_HOLDS_OBJECT (element))
        return refuse (name, "a record that is no object", error);
      record = jm_record_json_read (element, name, error);
      if (record == NULL)
        return FALSE;
      g_ptr_array_add (page->records, record);
      fault = find_fault (record, page->is_running);
      if (fault != NULL)
        return refuse (name, fault, error);
    }

  return TRUE;
}

/* What is before the position may be told again: it does no harm. */
static gboolean
check_positions (const JmLedgerPage *page, const char *name, GError **error)
{
  guint64 last = 0;

  for (guint i = 0; i < page->records->len; i++)
    {
      const guint64 position = jm_job_record_get_position (page->records->pdata[i]);

      if (position <= last)
        return refuse (name, "a record that is not behind the one before", error);
      last = position;
    }

  return last <= page->next || page->records->len == 0 ||
         refuse (name, "a record behind the next page", error);
}

gboolean
jm_ledger_page_read (JmLedgerPage *page,
                     JsonNode *node,
                     const char *name,
                     guint64 after,
                     GError **error)
{
  if (!read_records (page, node, name, error))
    return FALSE;
  if (!read_position (jm_json_get (node, "next"), &page->next))
    return refuse (name, "no next", error);
  if (!jm_json_get_boolean (node, "more", &page->has_more))
    return refuse (name, "no more", error);
  if (page->has_more && page->next == after)
    return refuse (name, "more of it at the same place", error);

  page->is_anew = page->next < after;

  return check_positions (page, name, error);
}

gboolean
jm_ledger_page_read_running (JmLedgerPage *page,
                             JsonNode *node,
                             const char *name,
                             GError **error)
{
  page->is_running = TRUE;

  return read_records (page, node, name, error);
}

static gboolean
ask (const JmLedgerClient *self,
     const char *url,
     const char *query,
     JmHttpAnswer *answer,
     GCancellable *cancellable,
     GError **error)
{
  g_autofree char *asked = g_strdup_printf ("%s?%s", url, query);
  JmHttpRequest request = { .url = asked,
                            .username = self->username,
                            .password = self->password,
                            .ca_file = self->ca_file,
                            .timeout_ms = self->timeout_ms,
                            .max_bytes = JM_LEDGER_PAGE_MAX_BYTES };

  if (self->password != NULL && !jm_http_check_url (url, error))
    return FALSE;
  if (!jm_http_ask (&request, answer, cancellable, error))
    return FALSE;
  if (answer->json == NULL)
    {
      g_autofree char *shown = jm_http_get_shown_url (url);

      return refuse (shown, "an empty answer", error);
    }

  return TRUE;
}

gboolean
jm_ledger_client_fetch (const JmLedgerClient *self,
                        const char *url,
                        guint64 after,
                        JmLedgerPage *page,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autofree char *shown = jm_http_get_shown_url (url);
  g_autofree char *query =
    g_strdup_printf ("after=%" G_GUINT64_FORMAT "&limit=%u", after,
                     self->limit > 0 ? self->limit : DEFAULT_LIMIT);
  g_auto (JmHttpAnswer) answer = { 0 };

  return ask (self, url, query, &answer, cancellable, error) &&
         jm_ledger_page_read (page, answer.json, shown, after, error);
}

gboolean
jm_ledger_client_fetch_running (const JmLedgerClient *self,
                                const char *url,
                                JmLedgerPage *page,
                                GCancellable *cancellable,
                                GError **error)
{
  g_autofree char *shown = jm_http_get_shown_url (url);
  g_auto (JmHttpAnswer) answer = { 0 };

  return ask (self, url, "state=running", &answer, cancellable, error) &&
         jm_ledger_page_read_running (page, answer.json, shown, error);
}

void
jm_ledger_page_clear (JmLedgerPage *page)
{
  g_clear_pointer (&page->records, g_ptr_array_unref);
}
