/* jme-ledger-page.h: the ledger's records for collectors and users
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-settings-private.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* The setting that says whose are the records that a user of this machine may read. */
void jme_ledger_page_add_settings (JmSettings *settings);

/* JmeLedgerPage:
 * @path: (nullable): of the ledger
 * @readers: (nullable): who reads everybody's records, as jme_ledger_readers_have() has it
 *
 * What is told, and to whom. */
typedef struct
{
  const char *path;
  const char *readers;
} JmeLedgerPage;

/* @path outlives it. */
void jme_ledger_page_init (JmeLedgerPage *self,
                           const char *path,
                           const JmSettings *settings);

/* Answers with a page of the ledger, or says that there is none. Takes its time: it
 * reads a file, and may ask name services. May be called in any thread. */
void jme_ledger_page_answer (const JmeLedgerPage *self, JmeRequest *request);

G_END_DECLS
