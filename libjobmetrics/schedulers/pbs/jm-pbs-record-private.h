/* jm-pbs-record-private.h: a line of PBS's accounting logs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-log-follower-private.h"

G_BEGIN_DECLS

/* A JmLogParse. */
JmLogRow
jm_pbs_parse_record (JmSlice line, const char *cluster, JmRun **run, const char **bad);

G_END_DECLS
