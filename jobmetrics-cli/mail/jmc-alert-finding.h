/* jmc-alert-finding.h: what the owner of a job is to be told
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
 * @text: the advice, in words */
typedef struct
{
  char *user;
  char *job;
  char *cluster;
  char *kind;
  char *text;
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

G_END_DECLS
