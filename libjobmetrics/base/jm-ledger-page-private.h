/* jm-ledger-page-private.h: how long records and pages of a ledger may be
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* More than any record can need: a job of many steps has some hundred KiB. */
#define JM_RECORD_JSON_MAX_BYTES (16 * 1024 * 1024)

/* A page of a ledger ends behind the record that passes this size, or this number. So
 * its reader has to take one record more. */
#define JM_LEDGER_PAGE_BYTES (4 * 1024 * 1024)
#define JM_LEDGER_PAGE_RECORDS 1000
#define JM_LEDGER_PAGE_MAX_BYTES (JM_LEDGER_PAGE_BYTES + JM_RECORD_JSON_MAX_BYTES)
