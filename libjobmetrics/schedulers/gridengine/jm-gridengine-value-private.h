/* jm-gridengine-value-private.h: the values in what Grid Engine's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "schedulers/jm-scheduler-records.h"

G_BEGIN_DECLS

/*
 * All are total. FALSE means that the text is no such value, and nothing is written.
 */

gboolean jm_gridengine_parse_real (JmSlice text, double *value);

/* A whole number, also as `4.000000`. */
gboolean jm_gridengine_parse_count (JmSlice text, gint64 *count);

/* `1.5G`, `451.1M`, `2147483648`: small letters count in thousands. */
gboolean jm_gridengine_parse_memory (JmSlice text, gint64 *bytes);

/* `2026-11-23T12:35:07`, in UTC: seconds since 1970. */
gboolean jm_gridengine_parse_time (JmSlice text, gint64 *seconds);

/* `r`, `hqw`, `Eqw`, `dRr`: each letter says something. *@flags gets bits; @other the
 * words that have none, with commas; *@reason why it waits, or NULL. */
gboolean jm_gridengine_parse_job_state (JmSlice text,
                                        JmSchedulerJobState *state,
                                        guint *flags,
                                        GString *other,
                                        const char **reason);

G_END_DECLS
