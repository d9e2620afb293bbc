/* jm-gridengine-row-private.h: a line of Grid Engine's accounting file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-log-follower-private.h"

G_BEGIN_DECLS

/* A JmLogParse. */
JmLogRow jm_gridengine_parse_row (JmSlice line,
                                  const char *cluster,
                                  JmRun **run,
                                  const char **bad);

G_END_DECLS
