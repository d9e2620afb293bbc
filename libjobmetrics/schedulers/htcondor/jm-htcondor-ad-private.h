/* jm-htcondor-ad-private.h: the ad of a job in HTCondor's history
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-log-follower-private.h"

G_BEGIN_DECLS

/* The attributes that are read, for `-attributes`. */
char *jm_htcondor_list_attributes (void);

/* A JmLogParse: an ad as `condor_history -jsonl` prints it. */
JmLogRow
jm_htcondor_parse_ad (JmSlice line, const char *cluster, JmRun **run, const char **bad);

G_END_DECLS
