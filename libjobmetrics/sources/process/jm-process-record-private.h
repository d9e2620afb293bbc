/* jm-process-record-private.h: one process, read once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-place.h"
#include "core/jm-process.h"
#include "host/jm-host.h"
#include "sources/process/jm-process-rules-private.h"

G_BEGIN_DECLS

/* @boot_ns is when the host began, since 1970, or 0. NULL where the process has ended or
 * does not count. */
JmProcess *jm_process_record_read (JmHost *host,
                                   guint pid,
                                   JmPlace *place,
                                   guint64 boot_ns,
                                   const JmProcessRules *rules);

G_END_DECLS
