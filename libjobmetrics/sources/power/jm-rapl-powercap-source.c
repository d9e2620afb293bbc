/* jm-rapl-powercap-source.c: energy of the processors, from powercap
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-rapl-powercap-source-private.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"
#include "core/jm-power-domain-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-file-private.h"
#include "host/jm-source-private.h"
#include "sources/power/jm-cpu-model-private.h"
#include "sources/power/jm-energy-trace-private.h"
#include "sources/power/jm-power-bound-private.h"
#include "sources/power/jm-rapl-perf-source-private.h"

#define US_PER_SECOND G_GINT64_CONSTANT (1000000)
#define SHORTEST_WATCH_US (60 * US_PER_SECOND)

#define MAX_LIMITS 3
#define NAME_MAX_LENGTH 40

/* A constraint of a zone, of which Intel's have up to three: `long_term`, `short_term`,
 * `peak_power`. */
typedef struct
{
  char *name;
  JmFile file;
} Limit;

/*
 * JmRaplPowercapSource:
 *
 * Energy of the processors, as the kernel's powercap class reports it
 * (https://docs.kernel.org/power/powercap/powercap.html).
 *
 * - Shape: a counter for each zone: `package-N`, and as far as the processor has them
 *   `core-N`, `uncore-N`, `dram-N`, `psys`; of processors with several dies
 *   `package-N-die-M` and so on, with the limits of each as they are set. `core` and
 *   `uncore` are parts of `package`, all are parts of `psys`. What two interfaces
 *   report (`intel-rapl-mmio`) is reported once. Of AMD there is `package-N` alone.
 * - Units: microjoules since the source was opened. The hardware's counters go around
 *   every few minutes: where nobody reads, the source does so for itself, from a thread
 *   of its own, at most once a minute.
 * - Errors: `ABSENT` where there is no RAPL zone; `DENIED` where the counters may not
 *   be read, which the kernel allows to root alone since Linux 5.10. A counter that was
 *   reset is `MALFORMED`; the energy of that interval is not counted.
 * - Source: `/sys/class/powercap/intel-rapl:N[:M]/energy_uj`.
 *
 * Since: 0.1
 */
struct _JmRaplPowercapSource
{
  JmSource parent_instance;

  GMutex mutex;    /* guards what follows */
  GArray *zones;   /* of Zone */
  GError *problem; /* why a zone is not among them, or NULL */
  gint64 watch_us;
  guint n_watches;
  gboolean is_ending;

  GThread *watcher;
  int timer;
};

typedef struct
{
  char *domain; /* a GRefString */
  char *path;
  JmFile file;
  JmEnergyCounter counter;
  GArray *limits; /* of Limit */
  gboolean is_read;
  GError *problem; /* why it never can be */
  GError *missed;  /* the first that went wrong since the last report */
} Zone;

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmRaplPowercapSource,
                               jm_rapl_powercap_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static gboolean
zone_is_open (const Zone *self)
{
  return self->file.name != NULL;
}

static gboolean
zone_open (Zone *self, JmHost *host, GError **error)
{
  g_autofree char *real = NULL;
  int result = jm_file_open (&self->file, host, self->path, JM_FILE_KEEP);

  if (result == 0)
    return TRUE;

  real = jm_host_resolve (host, self->path);
  jm_path_error_set_errno (error, real, -result);
  return FALSE;
}

/* After ENODEV the file stays dead, and another of that name may come: all CPUs of the
 * package were taken offline, or the driver was unloaded. */
static void
zone_close (Zone *self)
{
  jm_file_close (&self->file);
  jm_energy_counter_pause (&self->counter);
}

static gboolean
zone_read_file (Zone *self, guint64 *now_uj, GError **error)
{
  char text[64];
  gssize n = jm_file_read (&self->file, text, sizeof text);

  if (n < 0)
    {
      jm_file_set_error (&self->file, n, error);
      zone_close (self);
      return FALSE;
    }
  if (!jm_parse_uint64 (text, (gsize) n, now_uj))
    {
      jm_file_set_malformed (&self->file, "not a number", text, (gsize) n, error);
      return FALSE;
    }

  return TRUE;
}

static gboolean
zone_read (Zone *self, JmHost *host, GError **error)
{
  guint64 before = self->counter.raw;
  guint64 now_uj;
  JmEnergyStep step;
  g_autofree char *path = NULL;

  if (self->problem != NULL)
    {
      g_propagate_error (error, g_error_copy (self->problem));
      return FALSE;
    }
  if (!zone_is_open (self) && !zone_open (self, host, error))
    return FALSE;
  if (!zone_read_file (self, &now_uj, error))
    return FALSE;

  step = jm_energy_counter_step (&self->counter, now_uj, g_get_monotonic_time ());
  if (step == JM_ENERGY_STEP_COUNTED)
    return TRUE;

  path = jm_file_get_path (&self->file);
  jm_energy_step_set_error (step, path, before, now_uj, error);
  return FALSE;
}

static void
limit_clear (gpointer data)
{
  Limit *self = data;

  jm_file_close (&self->file);
  g_free (self->name);
}

/* Whether it may stand in a label as it is. */
static gboolean
is_name (const char *name)
{
  gsize length = strlen (name);

  return length > 0 && length <= NAME_MAX_LENGTH &&
         strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

static void
add_limit (GArray *limits, JmHost *host, const char *dir, guint i)
{
  g_autofree char *name_path = g_strdup_printf ("%s/constraint_%u_name", dir, i);
  g_autofree char *path = g_strdup_printf ("%s/constraint_%u_power_limit_uw", dir, i);
  Limit limit = { NULL, JM_FILE_INIT };
  char name[NAME_MAX_LENGTH + 2];

  if (jm_host_read (host, name_path, name, sizeof name, NULL) < 0 ||
      !is_name (g_strstrip (name)) ||
      jm_file_open (&limit.file, host, path, JM_FILE_KEEP) != 0)
    return;

  limit.name = g_strdup (name);
  g_array_append_val (limits, limit);
}

/* @counter is the path of the zone's counter, beside which they are. */
static GArray *
open_limits (JmHost *host, const char *counter)
{
  GArray *limits = g_array_new (FALSE, FALSE, sizeof (Limit));
  g_autofree char *dir = g_path_get_dirname (counter);

  g_array_set_clear_func (limits, limit_clear);
  for (guint i = 0; i < MAX_LIMITS; i++)
    add_limit (limits, host, dir, i);

  return limits;
}

/* One that cannot be read is not missed: nothing is reckoned from it. */
static void
tell_limits (GArray *limits, const char *domain, JmReadings *readings)
{
  for (guint i = 0; i < limits->len; i++)
    {
      Limit *limit = &g_array_index (limits, Limit, i);
      char text[64];
      gssize n = jm_file_read (&limit->file, text, sizeof text);
      guint64 power_uw;

      if (n >= 0 && jm_parse_uint64 (text, (gsize) n, &power_uw) && power_uw > 0 &&
          jm_power_is_possible (domain, power_uw))
        jm_readings_add_detail (readings, JM_METRIC_NODE_POWER_LIMIT, domain,
                                limit->name, power_uw);
    }
}

static void
zone_clear (gpointer zone)
{
  Zone *self = zone;

  jm_file_close (&self->file);
  g_clear_pointer (&self->domain, g_ref_string_release);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->limits, g_array_unref);
  g_clear_error (&self->problem);
  g_clear_error (&self->missed);
}

static Zone *
get_zone (JmRaplPowercapSource *self, guint i)
{
  return &g_array_index (self->zones, Zone, i);
}

/* With the mutex locked. */
static void
read_zones (JmRaplPowercapSource *self)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));

  for (guint i = 0; i < self->zones->len; i++)
    {
      Zone *zone = get_zone (self, i);

      zone->is_read =
        zone_read (zone, host, zone->missed == NULL ? &zone->missed : NULL);
      /* readings pass over what is absent, but this was there */
      if (g_error_matches (zone->missed, JM_ERROR, JM_ERROR_ABSENT))
        zone->missed->code = JM_ERROR_UNAVAILABLE;
    }
}

static void
arm (JmRaplPowercapSource *self, gint64 delay_us)
{
  struct itimerspec when = { .it_value = { delay_us / US_PER_SECOND,
                                           delay_us % US_PER_SECOND * 1000 } };

  if (self->timer >= 0)
    timerfd_settime (self->timer, 0, &when, NULL);
}

static gboolean
watch_once (JmRaplPowercapSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->is_ending)
    return FALSE;

  self->n_watches++;
  read_zones (self);
  arm (self, self->watch_us);

  return TRUE;
}

/* Every reading puts the timer off: the thread sleeps for as long as somebody reads. */
static gpointer
watch (gpointer user_data)
{
  JmRaplPowercapSource *self = user_data;
  guint64 n_expirations;

  while (TEMP_FAILURE_RETRY (read (self->timer, &n_expirations, sizeof n_expirations)) >
         0)
    if (!watch_once (self))
      break;

  return NULL;
}

/* Twice in the time of the shortest way around. */
static gint64
find_watch_us (JmRaplPowercapSource *self)
{
  gint64 shortest_us = G_MAXINT64;

  for (guint i = 0; i < self->zones->len; i++)
    if (get_zone (self, i)->problem == NULL)
      shortest_us =
        MIN (shortest_us, jm_energy_counter_get_wrap_us (&get_zone (self, i)->counter));

  return MAX (shortest_us / 2, SHORTEST_WATCH_US);
}

static gboolean
start_watching (JmRaplPowercapSource *self, GError **error)
{
  self->watch_us = find_watch_us (self);
  self->timer = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC);
  if (self->timer < 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "timerfd: %s",
                   g_strerror (errno));
      return FALSE;
    }

  arm (self, self->watch_us);
  self->watcher = g_thread_try_new ("jm-rapl", watch, self, error);
  return self->watcher != NULL;
}

static void
stop_watching (JmRaplPowercapSource *self)
{
  if (self->watcher != NULL)
    {
      g_mutex_lock (&self->mutex);
      self->is_ending = TRUE;
      arm (self, 1);
      g_mutex_unlock (&self->mutex);
      g_thread_join (g_steal_pointer (&self->watcher));
    }

  if (self->timer >= 0)
    close (self->timer);
  self->timer = -1;
}

/* With the mutex locked. */
static guint
count_read (JmRaplPowercapSource *self)
{
  guint n_read = 0;

  for (guint i = 0; i < self->zones->len; i++)
    n_read += get_zone (self, i)->is_read ? 1 : 0;

  return n_read;
}

static void
take_first_missed (JmRaplPowercapSource *self, GError **error)
{
  for (guint i = 0; i < self->zones->len; i++)
    if (get_zone (self, i)->missed != NULL)
      {
        g_propagate_error (error, g_steal_pointer (&get_zone (self, i)->missed));
        return;
      }
}

static void
add_zones (JmRaplPowercapSource *self, GArray *found)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));

  for (guint i = 0; i < found->len; i++)
    {
      JmPowercapZone *one = &g_array_index (found, JmPowercapZone, i);
      Zone zone = {
        .domain = g_steal_pointer (&one->domain),
        .path = g_steal_pointer (&one->path),
        .file = JM_FILE_INIT,
        .problem = g_steal_pointer (&one->problem),
        .counter = { .max = one->max_uj, .factor = 1, .ceiling_uw = one->ceiling_uw }
      };

      zone.limits = open_limits (host, zone.path);
      g_array_append_val (self->zones, zone);
    }
}

static gboolean
jm_rapl_powercap_source_open (JmSource *source, GError **error)
{
  JmRaplPowercapSource *self = JM_RAPL_POWERCAP_SOURCE (source);
  g_autoptr (GArray) found = NULL;

  g_array_set_size (self->zones, 0);
  g_clear_error (&self->problem);
  found = jm_powercap_find_zones (jm_source_get_host (source), &self->problem, error);
  if (found == NULL)
    return FALSE;

  add_zones (self, found);
  read_zones (self);
  if (count_read (self) == 0)
    {
      take_first_missed (self, error);
      return FALSE;
    }

  if (start_watching (self, error))
    return TRUE;

  stop_watching (self);
  return FALSE;
}

static void
tell (JmRaplPowercapSource *self, JmReadings *readings)
{
  for (guint i = 0; i < self->zones->len; i++)
    {
      Zone *zone = get_zone (self, i);

      if (zone->is_read)
        jm_readings_add_energy (readings, zone->domain,
                                jm_energy_counter_get_uj (&zone->counter));
      else
        jm_readings_add_for_domain (readings, JM_METRIC_NODE_POWER_DOMAIN_UP,
                                    zone->domain, FALSE);
      tell_limits (zone->limits, zone->domain, readings);
      if (zone->missed != NULL)
        jm_readings_add_error (readings, zone->missed);
      g_clear_error (&zone->missed);
    }
}

static gboolean
jm_rapl_powercap_source_read (JmPowerSource *source,
                              JmReadings *readings,
                              GError **error)
{
  JmRaplPowercapSource *self = JM_RAPL_POWERCAP_SOURCE (source);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  read_zones (self);
  arm (self, self->watch_us);
  if (count_read (self) == 0)
    {
      take_first_missed (self, error);
      return FALSE;
    }

  tell (self, readings);
  if (self->problem != NULL)
    jm_readings_add_error (readings, self->problem);

  return TRUE;
}

static gboolean
jm_rapl_powercap_source_trace (gpointer source, const char *domain, gpointer trace)
{
  JmRaplPowercapSource *self = JM_RAPL_POWERCAP_SOURCE (source);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  for (guint i = 0; i < self->zones->len; i++)
    if (g_str_equal (get_zone (self, i)->domain, domain))
      return jm_energy_counter_trace (&get_zone (self, i)->counter, trace);

  return FALSE;
}

static void
jm_rapl_powercap_source_finalize (GObject *object)
{
  JmRaplPowercapSource *self = JM_RAPL_POWERCAP_SOURCE (object);

  stop_watching (self);
  g_array_unref (self->zones);
  g_clear_error (&self->problem);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (jm_rapl_powercap_source_parent_class)->finalize (object);
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_rapl_powercap_source_read;
  iface->trace = jm_rapl_powercap_source_trace;
}

/* The same counters of the kernel's. */
static gboolean
jm_rapl_powercap_source_is_superseded_by (JmSource *source, JmSource *other)
{
  return JM_IS_RAPL_PERF_SOURCE (other);
}

static void
jm_rapl_powercap_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    {
      jm_advice_add (advice, "Best perf's counters (modprobe rapl), with CAP_PERFMON",
                     "power-perf.conf");
      jm_advice_add (advice, "CAP_DAC_READ_SEARCH", "power-powercap.conf");
    }
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    jm_advice_add (advice, "modprobe intel_rapl_msr", NULL);
  else
    return;

  if (jm_cpu_may_have_rapl (jm_source_get_host (source)))
    jm_advice_set_gain (advice, "package");
}

static void
jm_rapl_powercap_source_class_init (JmRaplPowercapSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_rapl_powercap_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_rapl_powercap_source_open;
  JM_SOURCE_CLASS (klass)->is_superseded_by = jm_rapl_powercap_source_is_superseded_by;
  JM_SOURCE_CLASS (klass)->advise = jm_rapl_powercap_source_advise;
}

static void
jm_rapl_powercap_source_init (JmRaplPowercapSource *self)
{
  g_mutex_init (&self->mutex);
  self->zones = g_array_new (FALSE, FALSE, sizeof (Zone));
  g_array_set_clear_func (self->zones, zone_clear);
  self->timer = -1;
}

gint64
jm_rapl_powercap_source_get_watch_us (JmRaplPowercapSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->watch_us;
}

guint
jm_rapl_powercap_source_get_n_watches (JmRaplPowercapSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->n_watches;
}

void
jm_rapl_powercap_source_set_watch_us (JmRaplPowercapSource *self, gint64 watch_us)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->watch_us = watch_us;
  arm (self, watch_us);
}
