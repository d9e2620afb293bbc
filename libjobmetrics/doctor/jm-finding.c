/* jm-finding.c: something that was found out about a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

struct _JmFinding
{
  JmSeverity severity;
  char *topic;
  char *seen;
  char *remedy; /* NULL where nothing is to be done */
};

G_DEFINE_ENUM_TYPE (JmSeverity,
                    jm_severity,
                    G_DEFINE_ENUM_VALUE (JM_SEVERITY_GOOD, "good"),
                    G_DEFINE_ENUM_VALUE (JM_SEVERITY_NOTE, "note"),
                    G_DEFINE_ENUM_VALUE (JM_SEVERITY_PROBLEM, "problem"))

G_DEFINE_BOXED_TYPE (JmFinding, jm_finding, jm_finding_ref, jm_finding_unref)

/**
 * jm_severity_get_name:
 * @severity: a severity
 *
 * Gets what a severity is called: `good`, `note` or `problem`.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_severity_get_name (JmSeverity severity)
{
  static const char *const names[JM_N_SEVERITIES] = {
    [JM_SEVERITY_GOOD] = "good",
    [JM_SEVERITY_NOTE] = "note",
    [JM_SEVERITY_PROBLEM] = "problem",
  };

  g_return_val_if_fail ((guint) severity < JM_N_SEVERITIES, NULL);

  return names[severity];
}

/* Makes a finding.
 *
 * Returns the finding. */
JmFinding *
jm_finding_new (JmSeverity severity,
                const char *topic,
                const char *seen,
                const char *remedy)
{
  JmFinding *self;

  g_return_val_if_fail ((guint) severity < JM_N_SEVERITIES, NULL);
  g_return_val_if_fail (topic != NULL && seen != NULL, NULL);

  self = g_atomic_rc_box_new0 (JmFinding);
  self->severity = severity;
  self->topic = g_strdup (topic);
  self->seen = g_utf8_make_valid (seen, -1);
  self->remedy = remedy != NULL ? g_utf8_make_valid (remedy, -1) : NULL;

  return self;
}

/**
 * jm_finding_ref:
 * @self: a finding
 *
 * Takes a reference.
 *
 * Returns: (transfer full): the same finding
 * Since: 0.1
 */
JmFinding *
jm_finding_ref (JmFinding *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
finding_clear (JmFinding *self)
{
  g_free (self->topic);
  g_free (self->seen);
  g_free (self->remedy);
}

/**
 * jm_finding_unref:
 * @self: (transfer full): a finding
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_finding_unref (JmFinding *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) finding_clear);
}

/**
 * jm_finding_get_severity:
 * @self: a finding
 *
 * Gets how much it matters.
 *
 * Returns: the severity
 * Since: 0.1
 */
JmSeverity
jm_finding_get_severity (JmFinding *self)
{
  g_return_val_if_fail (self != NULL, JM_SEVERITY_GOOD);

  return self->severity;
}

/**
 * jm_finding_get_topic:
 * @self: a finding
 *
 * Gets what it is about: a word that does not change from release to release, such as
 * `cgroup.version`. The manual's page on troubleshooting has a section of that name.
 *
 * Returns: the topic
 * Since: 0.1
 */
const char *
jm_finding_get_topic (JmFinding *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->topic;
}

/**
 * jm_finding_get_seen:
 * @self: a finding
 *
 * Gets what was seen, for people; valid UTF-8.
 *
 * Returns: a sentence
 * Since: 0.1
 */
const char *
jm_finding_get_seen (JmFinding *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->seen;
}

/**
 * jm_finding_get_remedy:
 * @self: a finding
 *
 * Gets which privilege, mount or setting mends it, for people; valid UTF-8.
 *
 * Returns: (nullable): a sentence; %NULL where nothing is to be done
 * Since: 0.1
 */
const char *
jm_finding_get_remedy (JmFinding *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->remedy;
}
