/* jm-scheduler-advice.c: how a scheduler is brought to mend what is wanting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-scheduler-advice-private.h"

#include <string.h>

#include "core/jm-error.h"

#define TEXT_MAX_BYTES 512

/* What the doctor may find wanting, where schedulers have remedies of their own. */
static const char *const topics[] = {
  "cgroup.cpuacct", "cgroup.cpu",    "cgroup.cpuset",     "cgroup.memory",
  "cgroup.io",      "cgroup.pids",   "cgroup.delegation", "hooks.prolog",
  "jobs.found",     "jobs.identity", "jobs.contained",
};

struct _JmSchedulerAdvice
{
  char *texts[G_N_ELEMENTS (topics)]; /* NULL where there is none */
};

JmSchedulerAdvice *
jm_scheduler_advice_new (void)
{
  return g_new0 (JmSchedulerAdvice, 1);
}

void
jm_scheduler_advice_free (JmSchedulerAdvice *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    g_free (self->texts[i]);
  g_free (self);
}

static int
find_topic (const char *topic)
{
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    if (g_str_equal (topics[i], topic))
      return (int) i;

  return -1;
}

/* It is written to terminals as it is. */
static gboolean
is_line (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return FALSE;

  return text[0] != '\0' && strlen (text) <= TEXT_MAX_BYTES;
}

gboolean
jm_scheduler_advice_add (JmSchedulerAdvice *self,
                         const char *topic,
                         const char *text,
                         GError **error)
{
  int i = find_topic (topic);

  if (i < 0 || !is_line (text))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   i < 0 ? "unknown key: %s" : "not one line of at most 512 bytes: %s",
                   i < 0 ? topic : text);
      return FALSE;
    }

  g_free (self->texts[i]);
  self->texts[i] = g_strdup (text);

  return TRUE;
}

const char *
jm_scheduler_advice_get (const JmSchedulerAdvice *self, const char *topic)
{
  int i = find_topic (topic);

  return i >= 0 ? self->texts[i] : NULL;
}
