/* jmc-power-reason.c: why a power source cannot be read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "power/jmc-power-reason.h"

#include <string.h>

#include "doctor/jm-doctor.h"
#include "power/jmc-power-source.h"

#define TOPICS "power."

/* What was found out about a source, by its name. */
static const char *
find_specification (const JmcOptions *options, const char *name)
{
  char **sources = options->metering.sources;

  for (guint i = 0; sources != NULL && sources[i] != NULL; i++)
    if (strcspn (sources[i], ",") == strlen (name) &&
        g_str_has_prefix (sources[i], name))
      return sources[i];

  return name;
}

/* What a sweep has to say of it. */
static char *
ask (const JmcOptions *options)
{
  g_autoptr (JmNode) node =
    jmc_options_open_node (options, JM_LEVEL_JOB, 1u << JM_COLLECTOR_POWER, NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  const JmcPowerSource *source;

  if (node == NULL)
    return NULL;

  jmc_metering_wait (node);
  snapshot = jm_node_sample (node, NULL, NULL);
  sources = jmc_power_source_list (snapshot);
  if (sources->len != 1)
    return NULL;

  source = sources->pdata[0];

  return g_strdup (source->reason);
}

/* What doctor has to say of power. */
GPtrArray *
jmc_power_reason_examine (const JmcOptions *options)
{
  g_autoptr (JmHost) host = jm_host_new_with_paths (options->root, options->procfs,
                                                    options->sysfs, options->cgroupfs);
  g_autoptr (GPtrArray) findings =
    jm_doctor_examine_full (host, (const char *const *) options->schedulers,
                            options->node_name,
                            (const char *const *) options->metering.sources, NULL);
  GPtrArray *chosen =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_finding_unref);

  for (guint i = 0; i < findings->len; i++)
    {
      JmFinding *finding = findings->pdata[i];

      if (g_str_has_prefix (jm_finding_get_topic (finding), TOPICS) &&
          jm_finding_get_severity (finding) != JM_SEVERITY_GOOD)
        g_ptr_array_add (chosen, jm_finding_ref (finding));
    }

  return chosen;
}

/* A file that is not there is no error of a sweep, yet doctor reports it. */
static char *
ask_doctor (const JmcOptions *options, const char *specification)
{
  g_autoptr (GPtrArray) findings = jmc_power_reason_examine (options);
  g_autofree char *prefix = g_strconcat (specification, ": ", NULL);

  for (guint i = 0; i < findings->len; i++)
    {
      const char *seen = jm_finding_get_seen (findings->pdata[i]);

      if (g_str_has_prefix (seen, prefix))
        return g_strdup (seen + strlen (prefix));
    }

  return NULL;
}

/* A sweep over all sources keeps one error: here a source is asked by itself. NULL
 * where nobody knows. */
char *
jmc_power_reason_find (const JmcOptions *options, const char *name)
{
  const char *specification = find_specification (options, name);
  const char *specifications[] = { specification, NULL };
  JmcOptions alone = *options;
  char *reason;

  alone.metering.sources = (char **) specifications;
  reason = ask (&alone);

  return reason != NULL ? reason : ask_doctor (&alone, specification);
}
