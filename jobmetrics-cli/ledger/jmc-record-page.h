/* jmc-record-page.h: all that a record says of a job, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job-record.h"

G_BEGIN_DECLS

/* JmcRecordStyle:
 * @width: of the terminal, 0 for none
 * @is_ascii: whether the plots have to do without UTF-8
 * @depth: how far down figures are told: of the job, its steps or their tasks */
typedef struct
{
  guint width;
  gboolean color;
  gboolean is_ascii;
  JmSubjectKind depth;
} JmcRecordStyle;

char *jmc_record_page_render (JmJobRecord *record, const JmcRecordStyle *style);

G_END_DECLS
