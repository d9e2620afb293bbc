/* jm-ledger-client.c: pages of a node's ledger, over the network
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "io/jm-ledger-client-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-slice-private.h"
#include "core/jm-figures-json-private.h"
#include "core/jm-job-private.h"
#include "core/jm-record-json-private.h"
#include "io/jm-http-private.h"

#define DEFAULT_LIMIT 200
/* A boot id and a number, or a uuid and a time. */
#define MAX_RUN_KEY 255

const char *
jm_ledger_fault_get_name (JmLedgerFault fault)
{
  static const char *const names[JM_N_LEDGER_FAULTS] = {
    "malformed", "later_format", "run_key",    "state",      "position",
    "surplus",   "mandate",      "impossible", "allocation", "refused"
  };

  return names[fault];
}

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

void
jm_ledger_page_pass_over (JmLedgerPage *page, JmLedgerFault fault, char *message)
{
  page->n_unread[fault]++;
  if (page->fault == NULL)
    page->fault = message;
  else
    g_free (message);
}

/* Nodes of before give none to a job whose cgroup was gone too soon. */
static gboolean
has_run_key (JmJobRecord *record)
{
  const char *key = jm_job_get_run_key (jm_job_record_get_job (record));

  return key != NULL && strlen (key) <= MAX_RUN_KEY;
}

/* NULL where it is passed over. */
static JmJobRecord *
read_record (JmLedgerPage *page, const JmSlice *text, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJobRecord) record =
    jm_record_json_parse (text->text, text->length, name, &error);

  if (record == NULL)
    {
      jm_ledger_page_pass_over (page,
                                jm_record_json_is_later (text->text, text->length)
                                  ? JM_LEDGER_FAULT_LATER
                                  : JM_LEDGER_FAULT_MALFORMED,
                                g_strdup (error->message));
      return NULL;
    }
  if (!has_run_key (record))
    {
      jm_ledger_page_pass_over (page, JM_LEDGER_FAULT_RUN_KEY,
                                g_strdup_printf ("%s: job %s: a record without run key",
                                                 name,
                                                 jm_job_get_id (
                                                   jm_job_record_get_job (record))));
      return NULL;
    }
  if ((jm_job_record_get_state (record) == JM_RUN_STATE_RUNNING) != page->is_running)
    {
      jm_ledger_page_pass_over (page, JM_LEDGER_FAULT_STATE,
                                g_strdup_printf ("%s: %s: a record that has %s", name,
                                                 jm_job_record_get_key (record),
                                                 page->is_running ? "ended"
                                                                  : "not ended"));
      return NULL;
    }

  return g_steal_pointer (&record);
}

/* One position that runs ahead makes all that follow it look as if they had been read
 * before, and so the longest row of rising positions is kept. Sets in @lengths that of
 * the longest row that ends with each record, 0 where its position cannot be one.
 *
 * Returns: the greatest of them */
static guint
measure_rows (const JmLedgerPage *page, guint *lengths)
{
  GPtrArray *records = page->records;
  guint longest = 0;

  for (guint i = 0; i < records->len; i++)
    {
      guint64 position = jm_job_record_get_position (records->pdata[i]);

      lengths[i] = position > 0 && position <= page->next ? 1 : 0;
      for (guint k = 0; lengths[i] > 0 && k < i; k++)
        if (lengths[k] >= lengths[i] &&
            jm_job_record_get_position (records->pdata[k]) < position)
          lengths[i] = lengths[k] + 1;
      longest = MAX (longest, lengths[i]);
    }

  return longest;
}

/* What is before the position of the page may come again: it does no harm. Without
 * positions in order it is not known what was read. */
static void
put_in_order (JmLedgerPage *page, const char *name)
{
  g_autofree guint *lengths = g_new (guint, page->records->len + 1);
  guint length = measure_rows (page, lengths);
  guint64 before = G_MAXUINT64;

  for (guint i = page->records->len; i > 0; i--)
    {
      JmJobRecord *record = page->records->pdata[i - 1];
      guint64 position = jm_job_record_get_position (record);

      if (lengths[i - 1] == length && length > 0 && position < before)
        {
          before = position;
          length--;
          continue;
        }
      jm_ledger_page_pass_over (
        page, JM_LEDGER_FAULT_POSITION,
        g_strdup_printf ("%s: %s: a record at %" G_GUINT64_FORMAT
                         ", out of order in a page to %" G_GUINT64_FORMAT,
                         name, jm_job_record_get_key (record), position, page->next));
      g_ptr_array_remove_index (page->records, i - 1);
    }
}

static void
read_records (JmLedgerPage *page, GArray *texts, const char *name)
{
  page->records = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);
  for (guint i = 0; i < texts->len; i++)
    {
      JmJobRecord *record;

      if (i >= JM_LEDGER_PAGE_RECORDS)
        {
          page->n_unread[JM_LEDGER_FAULT_SURPLUS] += texts->len - i - 1;
          jm_ledger_page_pass_over (page, JM_LEDGER_FAULT_SURPLUS,
                                    g_strdup_printf ("%s: more records than a page has",
                                                     name));
          break;
        }
      record = read_record (page, &g_array_index (texts, JmSlice, i), name);
      if (record != NULL)
        g_ptr_array_add (page->records, record);
    }
  if (!page->is_running)
    put_in_order (page, name);
}

/* The page but for its records, which are cut out. */
static JsonNode *
open_page (const char *text,
           gsize length,
           GArray *records,
           const char *name,
           GError **error)
{
  g_autoptr (GString) rest = g_string_new (NULL);
  JsonNode *node;

  if (!jm_json_cut_array (text, length, "records", records, rest))
    {
      refuse (name, "no records", error);
      return NULL;
    }
  node = jm_json_parse (rest->str, rest->len);
  if (node == NULL)
    refuse (name, "not JSON", error);

  return node;
}

gboolean
jm_ledger_page_read (JmLedgerPage *page,
                     const char *text,
                     gsize length,
                     const char *name,
                     guint64 after,
                     GError **error)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (JmSlice));
  g_autoptr (JsonNode) node = open_page (text, length, records, name, error);

  if (node == NULL)
    return FALSE;
  if (!read_position (jm_json_get (node, "next"), &page->next))
    return refuse (name, "no next", error);
  if (!jm_json_get_boolean (node, "more", &page->has_more))
    return refuse (name, "no more", error);
  if (page->has_more && page->next == after)
    return refuse (name, "more of it at the same place", error);

  page->is_anew = page->next < after;
  read_records (page, records, name);

  return TRUE;
}

gboolean
jm_ledger_page_read_running (JmLedgerPage *page,
                             const char *text,
                             gsize length,
                             const char *name,
                             GError **error)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (JmSlice));
  g_autoptr (JsonNode) node = open_page (text, length, records, name, error);

  if (node == NULL)
    return FALSE;
  page->is_running = TRUE;
  read_records (page, records, name);

  return TRUE;
}

static gboolean
ask (const JmLedgerClient *self,
     const char *url,
     const char *query,
     GString *body,
     GCancellable *cancellable,
     GError **error)
{
  g_autofree char *asked = g_strdup_printf ("%s?%s", url, query);
  g_auto (JmHttpAnswer) answer = { 0 };
  JmHttpRequest request = { .url = asked,
                            .username = self->username,
                            .password = self->password,
                            .ca_file = self->ca_file,
                            .timeout_ms = self->timeout_ms,
                            .max_bytes = JM_LEDGER_PAGE_MAX_BYTES,
                            .take = jm_http_take_text,
                            .take_data = body };

  if (self->password != NULL && !jm_http_check_url (url, error))
    return FALSE;

  return jm_http_ask (&request, &answer, cancellable, error);
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
  g_autoptr (GString) body = g_string_new (NULL);

  return ask (self, url, query, body, cancellable, error) &&
         jm_ledger_page_read (page, body->str, body->len, shown, after, error);
}

gboolean
jm_ledger_client_fetch_running (const JmLedgerClient *self,
                                const char *url,
                                JmLedgerPage *page,
                                GCancellable *cancellable,
                                GError **error)
{
  g_autofree char *shown = jm_http_get_shown_url (url);
  g_autoptr (GString) body = g_string_new (NULL);

  return ask (self, url, "state=running", body, cancellable, error) &&
         jm_ledger_page_read_running (page, body->str, body->len, shown, error);
}

void
jm_ledger_page_clear (JmLedgerPage *page)
{
  g_clear_pointer (&page->records, g_ptr_array_unref);
  g_clear_pointer (&page->fault, g_free);
}
