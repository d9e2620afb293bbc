/* jmc-ledger-reader.c: the records that are meant, one after the other
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-ledger-reader.h"

/* What is under way. */
typedef struct
{
  const JmcLedgerQuery *query;
  const char *job;
  JmcRecordFunc func;
  gpointer data;
  GQueue last; /* of JmJobRecord: the last ones, where there is a limit */
} Reader;

static gboolean
matches (Reader *self, JmJobRecord *record)
{
  return jmc_ledger_query_matches (self->query, self->job, record);
}

static void
take (Reader *self, JmJobRecord *record)
{
  if (!matches (self, record))
    return;

  if (self->query->limit == 0)
    {
      self->func (record, self->data);
      return;
    }

  g_queue_push_tail (&self->last, jm_job_record_ref (record));
  if (self->last.length > self->query->limit)
    jm_job_record_unref (g_queue_pop_head (&self->last));
}

/* One that has ended meanwhile is recorded, and shown once. */
static void
forget_running (GPtrArray *running, JmJobRecord *record)
{
  for (guint i = 0; i < running->len; i++)
    if (g_str_equal (jm_job_record_get_key (running->pdata[i]),
                     jm_job_record_get_key (record)))
      {
        g_ptr_array_remove_index (running, i);
        return;
      }
}

static void
take_page (Reader *self, const JmcLedgerPage *page, GPtrArray *running)
{
  for (guint i = 0; i < page->records->len; i++)
    {
      forget_running (running, page->records->pdata[i]);
      take (self, page->records->pdata[i]);
    }
}

/* Of some only a part may be meant, and then others before them are missing. */
static gboolean
is_enough (Reader *self, const JmcLedgerPage *page)
{
  guint n_meant = 0;

  for (guint i = 0; i < page->records->len; i++)
    n_meant += matches (self, page->records->pdata[i]);

  return page->is_newest &&
         (n_meant == page->records->len || page->records->len < self->query->limit);
}

/* What does not fit one answer, or an older exporter's, is read from the first on. */
static gboolean
read_newest (Reader *self,
             JmcLedgerPeer *peer,
             GPtrArray *running,
             gboolean *is_read,
             GError **error)
{
  g_auto (JmcLedgerPage) page = { 0 };

  if (!jmc_ledger_peer_read_newest (peer, self->query, self->job, &page, error))
    return FALSE;

  *is_read = is_enough (self, &page);
  if (*is_read)
    take_page (self, &page, running);

  return TRUE;
}

static gboolean
read_pages (Reader *self, JmcLedgerPeer *peer, GPtrArray *running, GError **error)
{
  guint64 after = 0;
  gboolean has_more;

  do
    {
      g_auto (JmcLedgerPage) page = { 0 };

      if (!jmc_ledger_peer_read_recorded (peer, self->query, self->job, after, &page,
                                          error))
        return FALSE;

      take_page (self, &page, running);
      after = page.next;
      has_more = page.has_more;
    }
  while (has_more);

  return TRUE;
}

static gboolean
read_recorded (Reader *self, JmcLedgerPeer *peer, GPtrArray *running, GError **error)
{
  gboolean is_read = FALSE;

  if (self->query->limit > 0 && jmc_ledger_query_is_exact (self->query) &&
      !jmc_ledger_peer_can_read_last (peer) &&
      !read_newest (self, peer, running, &is_read, error))
    return FALSE;

  return is_read || read_pages (self, peer, running, error);
}

/* Those that run are asked for first, for one that ends between the two questions is
 * then in both answers, and not in neither. */
static gboolean
read_all (Reader *self, JmcLedgerPeer *peer, GError **error)
{
  const gboolean is_of_state = self->query->is_of_state;
  const gboolean is_running = self->query->state == JM_RUN_STATE_RUNNING;
  g_auto (JmcLedgerPage) running = { 0 };

  if (!is_of_state || is_running)
    {
      if (!jmc_ledger_peer_read_running (peer, self->query, self->job, &running, error))
        return FALSE;
    }
  else
    running.records = g_ptr_array_new ();

  if ((!is_of_state || !is_running) &&
      !read_recorded (self, peer, running.records, error))
    return FALSE;

  for (guint i = 0; i < running.records->len; i++)
    take (self, running.records->pdata[i]);

  return TRUE;
}

static gboolean
read_last (Reader *self, JmcLedgerPeer *peer, GError **error)
{
  g_auto (JmcLedgerPage) page = { 0 };

  if (!jmc_ledger_peer_read_last (peer, self->query, self->job, &page, error))
    return FALSE;

  for (guint i = 0; i < page.records->len; i++)
    take (self, page.records->pdata[i]);

  return TRUE;
}

/* Calls @func for each record that is meant, in the order in which they ended, then for
 * those that run; @job is NULL for any. */
gboolean
jmc_ledger_reader_read (JmcLedgerPeer *peer,
                        const JmcLedgerQuery *query,
                        const char *job,
                        JmcRecordFunc func,
                        gpointer data,
                        GError **error)
{
  Reader self = { query, job, func, data, G_QUEUE_INIT };
  const gboolean is_short = query->limit > 0 && jmc_ledger_query_is_exact (query) &&
                            jmc_ledger_peer_can_read_last (peer);
  const gboolean is_read =
    is_short ? read_last (&self, peer, error) : read_all (&self, peer, error);

  for (GList *i = self.last.head; is_read && i != NULL; i = i->next)
    func (i->data, data);
  g_queue_clear_full (&self.last, (GDestroyNotify) jm_job_record_unref);

  return is_read;
}
