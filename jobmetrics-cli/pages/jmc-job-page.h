/* jmc-job-page.h: all that a snapshot says of one job, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

char *jmc_job_page_render (JmSnapshot *snapshot,
                           guint subject,
                           JmSubjectKind depth,
                           gboolean color);
void jmc_job_page_append_figures (GString *text,
                                  JmSnapshot *snapshot,
                                  guint subject,
                                  JmSubjectKind depth,
                                  gboolean color);
void jmc_job_page_append_title (GString *text, const char *title, gboolean color);

G_END_DECLS
