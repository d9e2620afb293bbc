/* jm-process-report-private.h: what could not be read, said once a round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-file-private.h"
#include "sources/process/jm-process-groups-private.h"

G_BEGIN_DECLS

/**
 * JmProcessReport:
 * @readings: where errors go
 * @reported: which parts and kinds of errors were reported already
 *
 * Reports the first failure of each part and kind in a round. The rest are a job's many
 * processes that fail alike: a thousand errors would say no more than one.
 */
typedef struct
{
  JmReadings *readings;
  guint32 reported;
} JmProcessReport;

void jm_process_report_begin (JmProcessReport *self, JmReadings *readings);
void jm_process_report_file (JmProcessReport *self,
                             JmProcessPart part,
                             const JmFile *file,
                             gssize result);
void jm_process_report_path (JmProcessReport *self,
                             JmProcessPart part,
                             const JmDir *dir,
                             const char *name,
                             gssize result);
void
jm_process_report_pid (JmProcessReport *self, JmHost *host, guint pid, gssize result);
void jm_process_report_text (JmProcessReport *self,
                             JmProcessPart part,
                             const JmFile *file,
                             const char *text,
                             gsize length);

G_END_DECLS
