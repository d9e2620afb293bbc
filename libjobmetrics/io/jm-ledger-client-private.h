/* jm-ledger-client-private.h: pages of a node's ledger, over the network
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Why a record is passed over. */
typedef enum
{
  JM_LEDGER_FAULT_MALFORMED,  /* breaks the format */
  JM_LEDGER_FAULT_LATER,      /* is of a later format than what is read here */
  JM_LEDGER_FAULT_RUN_KEY,    /* has no run key: it may be read again as another's */
  JM_LEDGER_FAULT_STATE,      /* has ended where running ones were asked for, or not */
  JM_LEDGER_FAULT_POSITION,   /* is not behind the one before, or behind the page */
  JM_LEDGER_FAULT_SURPLUS,    /* more than a page may have */
  JM_LEDGER_FAULT_MANDATE,    /* is of another cluster or node than the target */
  JM_LEDGER_FAULT_IMPOSSIBLE, /* has a figure or a time that no job can have */
  JM_LEDGER_FAULT_ALLOCATION, /* is of a run that had other nodes */
  JM_LEDGER_FAULT_REFUSED,    /* is of no run that it may be of; said by the archive */
} JmLedgerFault;

#define JM_N_LEDGER_FAULTS (JM_LEDGER_FAULT_REFUSED + 1)

/* How nodes are asked; what is NULL or 0 has its default. */
typedef struct
{
  const char *username; /* together with the password; sent over TLS alone, or to this
                           very machine */
  const char *password;
  const char *ca_file;
  guint timeout_ms;
  guint limit; /* records of a page */
} JmLedgerClient;

typedef struct
{
  GPtrArray *records;  /* of JmJobRecord, each behind the one before */
  gboolean is_running; /* what runs now, which has no position; the rest is unset */
  guint64 next;        /* what to ask with the next time */
  gboolean has_more;
  gboolean is_anew; /* the ledger was begun anew, and this is its first page */
  guint n_unread[JM_N_LEDGER_FAULTS]; /* records that were passed over, by reason */
  char *fault; /* about the first of them; NULL where all were read */
} JmLedgerPage;

/* Asks for what is behind a position, and waits for it. @page must be zeroed. Errors
 * are those of jm_http_ask(), and MALFORMED for what no ledger says. */
gboolean jm_ledger_client_fetch (const JmLedgerClient *self,
                                 const char *url,
                                 guint64 after,
                                 JmLedgerPage *page,
                                 GCancellable *cancellable,
                                 GError **error);

/* Asks for what has not ended, as the one before. */
gboolean jm_ledger_client_fetch_running (const JmLedgerClient *self,
                                         const char *url,
                                         JmLedgerPage *page,
                                         GCancellable *cancellable,
                                         GError **error);

/* Counts a record that is passed over, and keeps the first @message, which it takes. */
void jm_ledger_page_pass_over (JmLedgerPage *page, JmLedgerFault fault, char *message);

/* As metrics have it. */
const char *jm_ledger_fault_get_name (JmLedgerFault fault);

/* What these make of an answer; @name is for messages. A record that cannot be read
 * costs itself, whatever stands in it: it is counted, and the page is read on. Each of
 * the others is kept as its node wrote it. */
gboolean jm_ledger_page_read_running (JmLedgerPage *page,
                                      const char *text,
                                      gsize length,
                                      const char *name,
                                      GError **error);
gboolean jm_ledger_page_read (JmLedgerPage *page,
                              const char *text,
                              gsize length,
                              const char *name,
                              guint64 after,
                              GError **error);

void jm_ledger_page_clear (JmLedgerPage *page);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmLedgerPage, jm_ledger_page_clear)

G_END_DECLS
