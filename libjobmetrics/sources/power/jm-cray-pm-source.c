/* jm-cray-pm-source.c: energy as Cray's nodes count it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-power-domain-private.h"
#include "sources/power/jm-power-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-file-private.h"
#include "host/jm-topology-private.h"
#include "sources/power/jm-energy-trace-private.h"
#include "sources/power/jm-power-bound-private.h"
#include "sources/power/jm-power-files-private.h"
#include "sources/power/jm-power-source.h"

/* `<value> J <microseconds> us`, twice over. */
#define TEXT_SIZE 128
#define UJ_PER_JOULE G_GUINT64_CONSTANT (1000000)
/* The figures change ten times a second, and reading them takes far less than that. */
#define MAX_TRIES 4
#define MAX_COUNTERS 256

typedef struct
{
  JmCrayPmName parsed;
  char *name;
  char *domain; /* a GRefString */
  JmFile file;
  JmEnergyTotal counter;
  char text[TEXT_SIZE]; /* of the reading under way */
  gssize length;        /* of @text, or a negative errno */
} Counter;

/* Whether the counters have started anew since they were last read. */
typedef enum
{
  START_NONE,
  START_LIKELY, /* if they went back */
  START_CERTAIN,
} Start;

/* A file of which only a change is of interest. Where a system has none, it never
 * changes. */
typedef struct
{
  JmFile file;
  char text[TEXT_SIZE]; /* when it was last looked at */
} Mark;

/*
 * JmCrayPmSource:
 *
 * Energy of an HPE Cray node, as its own controller counts it ten times a second.
 *
 * - Shape: `node`, accelerators included; then `package-N`, `dram-N` and `gpu-N`, as
 *   far as the node has them. Where it counts all processors or all memory of several
 *   sockets together, that is `package` and `dram`, without a number. Of the same the
 *   power of the moment, and its limit where there is one.
 * - Units: whole joules, returned as microjoules.
 * - Errors: `ABSENT` on other machines; `UNAVAILABLE` where the counters change faster
 *   than they are read; a counter that goes back, or cannot be read, is left out.
 * - Source: `/sys/cray/pm_counters`.
 *
 * Since: 0.1
 */
struct _JmCrayPmSource
{
  JmSource parent_instance;

  JmDir dir;
  GArray *counters; /* of Counter, in the order in which they are reported */
  Mark freshness;   /* counts up with every update */
  Mark startup;     /* changes when the counters start anew */
  Mark generation;  /* changes with a power limit, after which they may */
};

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmCrayPmSource,
                               jm_cray_pm_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static void
counter_clear (gpointer data)
{
  Counter *self = data;

  jm_file_close (&self->file);
  g_free (self->name);
  g_clear_pointer (&self->domain, g_ref_string_release);
}

static gboolean
counter_parse (Counter *self, guint64 *raw, GError **error)
{
  if (self->length < 0)
    jm_file_set_error (&self->file, self->length, error);
  else if (jm_cray_pm_parse_value (self->text, (gsize) self->length, self->parsed.kind,
                                   raw))
    return TRUE;
  else
    jm_file_set_malformed (&self->file,
                           self->parsed.kind == JM_CRAY_PM_ENERGY ? "not joules"
                                                                  : "not watts",
                           self->text, (gsize) self->length, error);

  return FALSE;
}

static gboolean
counter_take (Counter *self, Start start, gint64 now_us, GError **error)
{
  JmEnergyTotal *counter = &self->counter;
  g_autofree char *path = NULL;
  guint64 raw_uj;

  if (!counter_parse (self, &raw_uj, error))
    return FALSE;
  /* what a node does not have, such as accelerators, counts nothing */
  if (raw_uj == 0 && !counter->has_raw)
    return TRUE;

  if (start == START_CERTAIN || (start == START_LIKELY && raw_uj < counter->raw_uj))
    jm_energy_total_restart (counter, raw_uj, now_us);
  if (jm_energy_total_take (counter, raw_uj, now_us))
    return TRUE;

  path = jm_file_get_path (&self->file);
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
               "%s: from %" G_GUINT64_FORMAT " J to %" G_GUINT64_FORMAT
               " J, which cannot be",
               path, counter->raw_uj / UJ_PER_JOULE, raw_uj / UJ_PER_JOULE);

  return FALSE;
}

/* What a node does not have shows no watts, and one that nobody has limited no limit.
 */
static gboolean
counter_tell_power (Counter *self, JmReadings *readings, GError **error)
{
  gboolean is_limit = self->parsed.kind == JM_CRAY_PM_CAP;
  guint64 power_uw;

  if (!counter_parse (self, &power_uw, error))
    return FALSE;

  if (power_uw > 0 && jm_power_is_possible (self->domain, power_uw))
    jm_readings_add_detail (readings,
                            is_limit ? JM_METRIC_NODE_POWER_LIMIT
                                     : JM_METRIC_NODE_POWER_STATISTIC,
                            self->domain, is_limit ? "cap" : "instantaneous", power_uw);

  return TRUE;
}

static gboolean
counter_tell_energy (Counter *self,
                     Start start,
                     gint64 now_us,
                     JmReadings *readings,
                     GError **error)
{
  if (!counter_take (self, start, now_us, error))
    return FALSE;

  if (self->counter.has_raw)
    jm_readings_add_energy (readings, self->domain, self->counter.total_uj);

  return TRUE;
}

static void
mark_open (Mark *self, const JmDir *dir, const char *name)
{
  jm_file_open_at (&self->file, dir, name, JM_FILE_KEEP);
}

/* Looks at the file again. Returns a negative errno where that is not possible. */
static gssize
mark_look (Mark *self, gboolean *has_changed)
{
  char text[TEXT_SIZE];
  gssize length;

  *has_changed = FALSE;
  if (self->file.name == NULL)
    return 0;

  length = jm_file_read (&self->file, text, sizeof text);
  if (length < 0)
    return length;

  *has_changed = strcmp (self->text, text) != 0;
  memcpy (self->text, text, (gsize) length + 1);

  return length;
}

static void
read_counters (JmCrayPmSource *self)
{
  for (guint i = 0; i < self->counters->len; i++)
    {
      Counter *counter = &g_array_index (self->counters, Counter, i);

      counter->length =
        jm_file_read (&counter->file, counter->text, sizeof counter->text);
    }
}

/* Reads all counters as of one update. */
static gboolean
read_together (JmCrayPmSource *self, GError **error)
{
  g_autofree char *path = NULL;
  gboolean has_changed;
  gssize result = mark_look (&self->freshness, &has_changed);

  for (guint i = 0; i < MAX_TRIES && result >= 0; i++)
    {
      read_counters (self);
      result = mark_look (&self->freshness, &has_changed);
      if (result >= 0 && !has_changed)
        return TRUE;
    }

  if (result < 0)
    {
      jm_file_set_error (&self->freshness.file, result, error);
      return FALSE;
    }

  path = jm_file_get_path (&self->freshness.file);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: changes faster than the counters are read", path);

  return FALSE;
}

static Start
look_for_start (JmCrayPmSource *self)
{
  gboolean has_started;
  gboolean has_limit;

  mark_look (&self->startup, &has_started);
  mark_look (&self->generation, &has_limit);
  if (has_started)
    return START_CERTAIN;

  return has_limit ? START_LIKELY : START_NONE;
}

static gboolean
jm_cray_pm_source_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  JmCrayPmSource *self = JM_CRAY_PM_SOURCE (source);
  gint64 now_us = g_get_monotonic_time ();
  gboolean is_there = FALSE;
  Start start;

  if (!read_together (self, error))
    return FALSE;

  start = look_for_start (self);
  for (guint i = 0; i < self->counters->len; i++)
    {
      Counter *counter = &g_array_index (self->counters, Counter, i);
      g_autoptr (GError) problem = NULL;

      if (counter->parsed.kind != JM_CRAY_PM_ENERGY
            ? !counter_tell_power (counter, readings, &problem)
            : !counter_tell_energy (counter, start, now_us, readings, &problem))
        jm_readings_add_error (readings, problem);
      is_there |= counter->length >= 0;
    }

  if (!is_there)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: went away", self->dir.path);

  return is_there;
}

/* Counters that have started anew are known by their mark. */
static gboolean
jm_cray_pm_source_trace (gpointer source, const char *domain, gpointer trace)
{
  JmCrayPmSource *self = JM_CRAY_PM_SOURCE (source);

  for (guint i = 0; i < self->counters->len; i++)
    {
      const Counter *counter = &g_array_index (self->counters, Counter, i);

      if (counter->parsed.kind != JM_CRAY_PM_ENERGY ||
          !g_str_equal (counter->domain, domain))
        continue;
      if (!jm_energy_total_trace (&counter->counter, trace))
        return FALSE;

      ((JmEnergyTrace *) trace)->identity =
        jm_energy_trace_identify (self->startup.text);

      return TRUE;
    }

  return FALSE;
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_cray_pm_source_read;
  iface->trace = jm_cray_pm_source_trace;
}

static void
add_counter (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  GArray *counters = user_data;
  Counter counter = { .file = JM_FILE_INIT };

  if (counters->len >= MAX_COUNTERS || !jm_cray_pm_parse_name (name, &counter.parsed))
    return;

  counter.name = g_strdup (name);
  g_array_append_val (counters, counter);
}

static int
compare_counters (gconstpointer a, gconstpointer b)
{
  const JmCrayPmName *one = &((const Counter *) a)->parsed;
  const JmCrayPmName *other = &((const Counter *) b)->parsed;

  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;
  if (one->domain != other->domain)
    return one->domain < other->domain ? -1 : 1;
  if (one->has_number != other->has_number)
    return one->has_number ? -1 : 1;

  return (one->number > other->number) - (one->number < other->number);
}

/* The total of what @counters have one by one, which come first. */
static gboolean
is_told_by_parts (GArray *counters, const JmCrayPmName *name)
{
  for (guint i = 0; i < counters->len && !name->has_number; i++)
    {
      const JmCrayPmName *other = &g_array_index (counters, Counter, i).parsed;

      if (other->kind == name->kind && other->domain == name->domain &&
          other->has_number)
        return TRUE;
    }

  return FALSE;
}

static char *
make_domain (const JmCrayPmName *name, guint n_sockets)
{
  const char *kind = jm_power_domain_get_name (name->domain);
  g_autofree char *domain = NULL;

  if (name->domain == JM_POWER_DOMAIN_NODE ||
      (!name->has_number && name->domain != JM_POWER_DOMAIN_GPU && n_sockets > 1))
    return g_ref_string_new (kind);

  domain = g_strdup_printf ("%s-%u", kind, name->number);

  return g_ref_string_new (domain);
}

static guint
count_sockets (JmHost *host)
{
  JmTopology topology = { 0 };
  guint n_sockets;

  /* where it is not known, a node has one */
  jm_topology_read_online (&topology, host, NULL);
  n_sockets = MAX (topology.n_sockets, 1);
  jm_topology_clear (&topology);

  return n_sockets;
}

static gboolean
open_counters (JmCrayPmSource *self, GArray *found, GError **error)
{
  guint n_sockets = count_sockets (jm_source_get_host (JM_SOURCE (self)));

  g_array_sort (found, compare_counters);
  for (guint i = 0; i < found->len; i++)
    {
      Counter *counter = &g_array_index (found, Counter, i);
      int result;

      if (is_told_by_parts (self->counters, &counter->parsed))
        continue;

      result =
        jm_file_open_at (&counter->file, &self->dir, counter->name, JM_FILE_KEEP);
      if (result < 0)
        {
          g_autofree char *path = jm_dir_get_child_path (&self->dir, counter->name);

          jm_path_error_set_errno (error, path, -result);
          return FALSE;
        }

      counter->domain = make_domain (&counter->parsed, n_sockets);
      g_array_append_val (self->counters, *counter);
      *counter = (Counter){ .file = JM_FILE_INIT };
    }

  /* those of energy come first */
  if (self->counters->len > 0 &&
      g_array_index (self->counters, Counter, 0).parsed.kind == JM_CRAY_PM_ENERGY)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no counter of energy",
               self->dir.path);
  return FALSE;
}

static gboolean
open_dir (JmCrayPmSource *self, GArray *found, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  gssize result = jm_dir_open (&self->dir, host, JM_CRAY_PM_DIR);

  if (result == 0)
    result = jm_dir_foreach (&self->dir, add_counter, found);
  if (result < 0)
    {
      g_autofree char *path = jm_host_resolve (host, JM_CRAY_PM_DIR);

      jm_path_error_set_errno (error, path, (int) -result);
    }

  return result >= 0;
}

static void
close_all (JmCrayPmSource *self)
{
  g_array_set_size (self->counters, 0);
  jm_file_close (&self->freshness.file);
  jm_file_close (&self->startup.file);
  jm_file_close (&self->generation.file);
  jm_dir_close (&self->dir);
}

static gboolean
jm_cray_pm_source_open (JmSource *source, GError **error)
{
  JmCrayPmSource *self = JM_CRAY_PM_SOURCE (source);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Counter));
  gboolean has_changed;

  g_array_set_clear_func (found, counter_clear);
  close_all (self);
  if (!open_dir (self, found, error) || !open_counters (self, found, error))
    {
      close_all (self);
      return FALSE;
    }

  mark_open (&self->freshness, &self->dir, "freshness");
  mark_open (&self->startup, &self->dir, "startup");
  mark_open (&self->generation, &self->dir, "generation");
  mark_look (&self->startup, &has_changed);
  mark_look (&self->generation, &has_changed);

  return TRUE;
}

static void
jm_cray_pm_source_finalize (GObject *object)
{
  JmCrayPmSource *self = JM_CRAY_PM_SOURCE (object);

  close_all (self);
  g_array_unref (self->counters);

  G_OBJECT_CLASS (jm_cray_pm_source_parent_class)->finalize (object);
}

static void
jm_cray_pm_source_class_init (JmCrayPmSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_cray_pm_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_cray_pm_source_open;
}

static void
jm_cray_pm_source_init (JmCrayPmSource *self)
{
  jm_dir_init (&self->dir);
  jm_file_init (&self->freshness.file);
  jm_file_init (&self->startup.file);
  jm_file_init (&self->generation.file);
  self->counters = g_array_new (FALSE, FALSE, sizeof (Counter));
  g_array_set_clear_func (self->counters, counter_clear);
}
