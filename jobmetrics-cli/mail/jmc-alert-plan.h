/* jmc-alert-plan.h: notices for owners of running jobs, and who gets one today
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcAlertFinding:
 * @cluster: NULL where it is not known
 * @kind: of advice, such as a rule's name
 * @text: the advice, in words
 * @idle: (nullable): the decision that it gives notice of, which outlives it */
typedef struct
{
  char *user;
  char *job;
  char *cluster;
  char *kind;
  char *text;
  const struct _JmcIdleDecision *idle;
} JmcAlertFinding;

JmcAlertFinding *jmc_alert_finding_new (const char *user,
                                        const char *job,
                                        const char *cluster,
                                        const char *kind,
                                        const char *text);
void jmc_alert_finding_free (JmcAlertFinding *self);

/* Those of a file with a line of JSON each: an object with the texts user, job, kind,
 * text, and perhaps cluster. `MALFORMED` names the line. */
GPtrArray *jmc_alert_finding_read_file (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcAlertFinding, jmc_alert_finding_free)

/* Findings that one letter has room for. */
#define JMC_ALERT_MAX_FINDINGS 50

typedef struct _JmcAlertState JmcAlertState;

/* What a file says, which may not be there yet. It is locked for as long as this
 * lives: of two who alert at once, the second one gets `UNAVAILABLE`. `MALFORMED` where
 * the file has nothing that can be meant: no notice is then sent a second time. */
JmcAlertState *jmc_alert_state_open (const char *path, GError **error);

/* The same to look at alone, without a lock; it cannot be written. */
JmcAlertState *jmc_alert_state_read (const char *path, GError **error);
void jmc_alert_state_free (JmcAlertState *self);

/* When @user last had a notice of @kind, seconds since 1970; 0 if never. */
gint64 jmc_alert_state_get (JmcAlertState *self, const char *user, const char *kind);
void jmc_alert_state_set (JmcAlertState *self,
                          const char *user,
                          const char *kind,
                          gint64 time);

/* Forgets the steps of policies on idle runs that go on no more; @uuids are of those
 * that do. */
void jmc_alert_state_forget_ended (JmcAlertState *self, GHashTable *uuids);

/* Forgets what is older than @oldest, and brings the rest to the disk, all of it or
 * nothing. */
gboolean jmc_alert_state_write (JmcAlertState *self, gint64 oldest, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcAlertState, jmc_alert_state_free)

/* JmcAlertLetter:
 * @findings: of JmcAlertFinding, which are those of the plan, in the order of jobs
 *
 * The notices to one user. */
typedef struct
{
  const char *user;
  GPtrArray *findings;
} JmcAlertLetter;

/* Letters by user, of those @findings whose like had no notice after @since. */
GPtrArray *
jmc_alert_plan_make (GPtrArray *findings, JmcAlertState *state, gint64 since);

/* Notes in @state that a letter was sent. */
void jmc_alert_letter_mark (JmcAlertLetter *self, JmcAlertState *state, gint64 time);

char *jmc_alert_letter_make_subject (const JmcAlertLetter *self);
char *jmc_alert_letter_make_text (const JmcAlertLetter *self, guint quiet_days);
char *jmc_alert_letter_make_html (const JmcAlertLetter *self, guint quiet_days);

/* All of @findings as a table for administrators, with when its user had a notice. */
char *jmc_alert_plan_make_report (GPtrArray *findings, JmcAlertState *state);

G_END_DECLS
