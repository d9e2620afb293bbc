/* jmc-alert-plan.h: who is to be told of what today
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "mail/jmc-alert-finding.h"
#include "mail/jmc-alert-state.h"

G_BEGIN_DECLS

/* JmcAlertLetter:
 * @findings: of JmcAlertFinding, which are those of the plan, in the order of jobs
 *
 * What one user is told. */
typedef struct
{
  const char *user;
  GPtrArray *findings;
} JmcAlertLetter;

/* Letters by user, of @findings that nobody was told the like of after @since. */
GPtrArray *
jmc_alert_plan_make (GPtrArray *findings, JmcAlertState *state, gint64 since);

/* Tells @state that a letter was sent. */
void jmc_alert_letter_mark (JmcAlertLetter *self, JmcAlertState *state, gint64 time);

char *jmc_alert_letter_make_subject (const JmcAlertLetter *self);
char *jmc_alert_letter_make_text (const JmcAlertLetter *self, guint quiet_days);
char *jmc_alert_letter_make_html (const JmcAlertLetter *self, guint quiet_days);

/* All of @findings as a table for administrators, with when its user was last told. */
char *jmc_alert_plan_make_report (GPtrArray *findings, JmcAlertState *state);

G_END_DECLS
