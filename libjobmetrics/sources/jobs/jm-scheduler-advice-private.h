/* jm-scheduler-advice-private.h: how a scheduler is brought to mend what is wanting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sentences for the doctor's remedies, by what a finding is about. */
typedef struct _JmSchedulerAdvice JmSchedulerAdvice;

JmSchedulerAdvice *jm_scheduler_advice_new (void);
void jm_scheduler_advice_free (JmSchedulerAdvice *self);

/* Errors: `INVALID` for a topic that is not known, and a text that is no line. */
gboolean jm_scheduler_advice_add (JmSchedulerAdvice *self,
                                  const char *topic,
                                  const char *text,
                                  GError **error);

/* NULL where there is none. */
const char *jm_scheduler_advice_get (const JmSchedulerAdvice *self, const char *topic);

G_END_DECLS
