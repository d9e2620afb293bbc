/* jm-doctor.c: what is readable on a node, what is missing, and what mends it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-doctor.h"

#include <unistd.h>

#include "doctor/jm-examination-private.h"

char **
jm_doctor_list_topics (void)
{
  g_autoptr (GStrvBuilder) topics = g_strv_builder_new ();

  for (guint i = 0; i < JM_N_TOPICS; i++)
    g_strv_builder_add (topics, jm_topic_get_name (i));

  return g_strv_builder_end (topics);
}

static void
tell_who_looks (JmExamination *self)
{
  if (!self->is_kernels_own)
    {
      jm_examination_add (self, JM_TOPIC_HOST_LIVE, JM_SEVERITY_NOTE, NULL,
                          "%s is a copied tree: what only a running kernel shows is "
                          "left out "
                          "(inotify, open files, other users' processes, the clock)",
                          jm_host_get_root (self->host));
      return;
    }

  jm_examination_add (self, JM_TOPIC_HOST_LIVE, JM_SEVERITY_GOOD, NULL,
                      "%s is a running machine", jm_host_get_root (self->host));
  if (geteuid () == 0)
    jm_examination_add (
      self, JM_TOPIC_HOST_USER, JM_SEVERITY_NOTE,
      "To see what a daemon without privileges sees: setpriv --reuid=nobody "
      "--regid=nogroup --clear-groups --inh-caps=-all jobmetrics-cli doctor",
      "root looks, and root may read what the daemon may not");
  else
    jm_examination_add (self, JM_TOPIC_HOST_USER, JM_SEVERITY_GOOD, NULL,
                        "user id %u looks", geteuid ());
}

/**
 * jm_doctor_examine:
 * @host: the host
 * @schedulers: (nullable) (array zero-terminated=1) (element-type filename):
 *   directories of scheduler definitions, as #JmNode:schedulers
 * @node_name: (nullable): the scheduler's name of the node, as #JmNode:node-name
 * @power_sources: (nullable) (array zero-terminated=1): as #JmNode:power-sources
 * @gpu_sources: (nullable) (array zero-terminated=1): as #JmNode:gpu-sources
 * @emission_providers: (nullable) (array zero-terminated=1): as
 *   #JmNode:emission-providers
 *
 * Examines a node: what this process can read there, what is missing, and which
 * privilege, mount or setting mends it. It reads only, and samples the node once. It
 * asks no machine over the network, and runs no program: of a source or provider that
 * does, it examines what is on this host.
 *
 * - Shape: at least one finding; several of one topic where several schedulers or files
 *   have the same trouble. In the order of the topics roughly, good ones among them.
 * - Errors: none: what cannot be read is what is found.
 * - Source: what the sources read, and files about the kernel's settings. In a copied
 *   tree what needs the running kernel is left out, and a finding says so.
 *
 * Returns: (transfer container) (element-type JmFinding): the findings
 * Since: 0.1
 */
GPtrArray *
jm_doctor_examine (JmHost *host,
                   const char *const *schedulers,
                   const char *node_name,
                   const char *const *power_sources,
                   const char *const *gpu_sources,
                   const char *const *emission_providers)
{
  g_autoptr (JmExamination) examination = NULL;

  g_return_val_if_fail (JM_IS_HOST (host), NULL);

  examination = jm_examination_new (host, schedulers, node_name);
  tell_who_looks (examination);
  jm_examine_cgroups (examination);
  jm_examine_kernel (examination);
  jm_examine_processes (examination);
  jm_examine_hooks (examination);
  jm_examine_spools (examination);
  jm_examine_jobs (examination);
  jm_examine_power (examination);
  if (power_sources != NULL)
    jm_examine_power_sources (examination, power_sources);
  jm_examine_gpus (examination);
  if (gpu_sources != NULL)
    jm_examine_gpu_sources (examination, gpu_sources);
  jm_examine_emission_providers (examination, emission_providers);
  jm_examine_tables (examination);

  return g_steal_pointer (&examination->findings);
}
