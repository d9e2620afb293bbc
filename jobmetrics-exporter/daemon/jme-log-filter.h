/* jme-log-filter.h: which messages were logged already
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _JmeLogFilter JmeLogFilter;

JmeLogFilter *jme_log_filter_new (void);

void jme_log_filter_free (JmeLogFilter *self);

gboolean
jme_log_filter_is_new (JmeLogFilter *self, const char *topic, const char *message);

void jme_log_filter_forget (JmeLogFilter *self, const char *topic);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeLogFilter, jme_log_filter_free)

G_END_DECLS
