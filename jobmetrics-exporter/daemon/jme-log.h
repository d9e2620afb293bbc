/* jme-log.h: the program's own messages, structured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"

G_BEGIN_DECLS

typedef enum
{
  JME_LOG_LOGFMT,
  JME_LOG_JSON,
  JME_LOG_JOURNAL,
} JmeLogFormat;

void jme_log_add_settings (JmSettings *settings);

typedef struct _JmeLog JmeLog;

JmeLog *jme_log_install (GLogLevelFlags level, JmeLogFormat format);

void jme_log_configure (JmeLog *self, const JmSettings *settings);

void jme_log_append_line (GString *line,
                          JmeLogFormat format,
                          GLogLevelFlags level,
                          const GLogField *fields,
                          gsize n_fields,
                          gint64 real_time_us);

G_END_DECLS
