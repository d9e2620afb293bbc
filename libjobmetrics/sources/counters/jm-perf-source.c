/* jm-perf-source.c: what perf counts of cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "host/jm-host-private.h"
#include "sources/counters/jm-counter-types-private.h"

#include <errno.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-source-private.h"
#include "sources/counters/jm-perf-groups-private.h"

#define ONLINE "/sys/devices/system/cpu/online"
#define ONLINE_SIZE 4096

/* What of the counters the whole node may have: jobs come first. */
#define PART_OF_NODE 4

/* Counts events of cgroups with perf, on each CPU that they may run on
 * (perf_event_open(2), PERF_FLAG_PID_CGROUP): what their processes do and what those of
 * the cgroups below them do, from when they are opened.
 *
 * - Shape: a figure of each event that this machine knows: of the kernel's own always,
 *   of the processor's where it has counters for them.
 * - Errors: ABSENT on a copied tree and where the kernel has no perf; DENIED without
 *   CAP_PERFMON where kernel.perf_event_paranoid is more than 0; of a cgroup
 *   UNAVAILABLE where there would be too many counters. */
struct _JmPerfSource
{
  JmSource parent_instance;

  JmPerfContext context;
  char *online;       /* CPUs, as the kernel lists them */
  JmPerfCgroup *node; /* all processes; NULL before anybody asked */
};

static void counter_source_iface_init (JmCounterSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmPerfSource,
                               jm_perf_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_COUNTER_SOURCE,
                                                      counter_source_iface_init))

static gboolean
read_online (JmPerfSource *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  char text[ONLINE_SIZE];

  if (jm_host_read (host, ONLINE, text, sizeof text, error) < 0)
    return FALSE;

  text[strcspn (text, "\n")] = '\0';
  if (g_strcmp0 (text, self->online) != 0)
    {
      g_free (self->online);
      self->online = g_strdup (text);
    }

  return TRUE;
}

/* --- opening --- */

static gboolean
choose_kernel (JmPerfSource *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));

  if (self->context.kernel.calls != NULL)
    return TRUE;
  if (jm_host_is_live (host))
    {
      self->context.kernel.calls = &jm_perf_system_calls;
      return TRUE;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "%s: perf counts nothing in a copied tree", jm_host_get_root (host));

  return FALSE;
}

static gboolean
probe (JmPerfSource *self, GError **error)
{
  const char *cursor = self->online;
  guint first, last;
  int result;

  if (!jm_parse_next_cpu_range (&cursor, self->online + strlen (self->online), &first,
                                &last))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   ONLINE ": not a list of CPUs: %s", self->online);
      return FALSE;
    }

  result = jm_perf_groups_probe (&self->context.groups, &self->context.kernel, first);
  if (result == 0)
    return TRUE;

  g_set_error (error, JM_ERROR,
               result == -ENOSYS ? JM_ERROR_ABSENT
                                 : (int) jm_error_from_errno (-result),
               "perf_event_open on CPU %u: %s%s", first, g_strerror (-result),
               result == -EACCES || result == -EPERM
                 ? ": it takes CAP_PERFMON, and kernel.perf_event_paranoid of 2 at most"
                 : "");

  return FALSE;
}

static gboolean
jm_perf_source_open (JmSource *source, GError **error)
{
  JmPerfSource *self = JM_PERF_SOURCE (source);
  JmPerfContext *context = &self->context;

  context->host = jm_source_get_host (source);
  if (!choose_kernel (self, error) || !read_online (self, error) ||
      !probe (self, error))
    return FALSE;

  for (guint i = 0; i < context->groups.n_groups; i++)
    if (context->groups.groups[i].is_hardware)
      context->labels[i] = jm_labels_of (context->groups.groups[i].name, NULL);
  if (!jm_perf_groups_have_hardware (&context->groups))
    g_message ("perf: this machine shows no counters of its processors: only what the "
               "kernel counts is reported for jobs");

  return TRUE;
}

/* --- cgroups --- */

static void
jm_perf_source_begin_round (JmCounterSource *source)
{
  /* what was read before still holds as well as anything */
  read_online (JM_PERF_SOURCE (source), NULL);
}

static gpointer
jm_perf_source_open_cgroup (JmCounterSource *source, const char *dir, GError **error)
{
  return jm_perf_cgroup_new (&JM_PERF_SOURCE (source)->context, dir, error);
}

static gboolean
jm_perf_source_read (JmCounterSource *source,
                     gpointer cgroup,
                     JmReadings *readings,
                     GError **error)
{
  JmPerfSource *self = JM_PERF_SOURCE (source);

  return jm_perf_cgroup_arrange (cgroup, jm_readings_get_cpus (readings)->str,
                                 self->online, error) &&
         jm_perf_cgroup_read (cgroup, readings, error);
}

static void
jm_perf_source_close_cgroup (JmCounterSource *source, gpointer cgroup)
{
  jm_perf_cgroup_free (cgroup);
}

static gboolean
jm_perf_source_read_node (JmCounterSource *source, JmReadings *readings, GError **error)
{
  static const JmMetric metrics[] = { JM_METRIC_PERF_CYCLES,
                                      JM_METRIC_PERF_INSTRUCTIONS,
                                      JM_METRIC_PERF_CACHE_MISSES };
  JmPerfSource *self = JM_PERF_SOURCE (source);

  if (self->node == NULL)
    self->node =
      jm_perf_cgroup_new_for_node (&self->context, metrics, G_N_ELEMENTS (metrics),
                                   self->context.max_open / PART_OF_NODE);

  return jm_perf_cgroup_arrange (self->node, "", self->online, error) &&
         jm_perf_cgroup_read (self->node, readings, error);
}

static void
counter_source_iface_init (JmCounterSourceInterface *iface)
{
  iface->collector = JM_COLLECTOR_PERF;
  iface->controller = "perf_event";
  iface->begin_round = jm_perf_source_begin_round;
  iface->open_cgroup = jm_perf_source_open_cgroup;
  iface->read = jm_perf_source_read;
  iface->close_cgroup = jm_perf_source_close_cgroup;
  iface->read_node = jm_perf_source_read_node;
}

/* --- GObject --- */

static void
jm_perf_source_finalize (GObject *object)
{
  JmPerfSource *self = JM_PERF_SOURCE (object);

  g_clear_pointer (&self->node, jm_perf_cgroup_free);
  for (guint i = 0; i < JM_PERF_MAX_GROUPS; i++)
    g_clear_pointer (&self->context.labels[i], jm_labels_unref);
  g_free (self->online);

  G_OBJECT_CLASS (jm_perf_source_parent_class)->finalize (object);
}

static void
jm_perf_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice,
                   "CAP_PERFMON, and kernel.perf_event_paranoid of 2 at most, where "
                   "Debian has 3",
                   "perf.conf");
}

static void
jm_perf_source_class_init (JmPerfSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_perf_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_perf_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_perf_source_advise;

  /* How many counters may be open at once: each is a file, and there is one for each
   * event, cgroup and CPU that the cgroup may run on. */
  jm_source_class_add_uint (object_class, "max-counters",
                            G_STRUCT_OFFSET (JmPerfSource, context.max_open), 1,
                            G_MAXINT, JM_PERF_MAX_COUNTERS);
}

static void
jm_perf_source_init (JmPerfSource *self)
{
}

JmPerfSource *
jm_perf_source_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_PERF_SOURCE, NULL, error, "host", host, NULL);
}

JmPerfSource *
jm_perf_source_new_with_kernel (JmHost *host,
                                guint max_counters,
                                const JmPerfKernel *kernel,
                                GError **error)
{
  g_autoptr (JmPerfSource) self = g_object_new (JM_TYPE_PERF_SOURCE, "host", host,
                                                "max-counters", max_counters, NULL);

  self->context.kernel = *kernel;
  if (!g_initable_init (G_INITABLE (self), NULL, error))
    return NULL;

  return g_steal_pointer (&self);
}

guint
jm_perf_source_get_n_open (JmPerfSource *self)
{
  return self->context.n_open;
}

gboolean
jm_perf_source_has_hardware (JmPerfSource *self)
{
  return jm_perf_groups_have_hardware (&self->context.groups);
}
