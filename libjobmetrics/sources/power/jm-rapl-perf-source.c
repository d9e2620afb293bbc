/* jm-rapl-perf-source.c: energy of the processors, from perf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-rapl-perf-source-private.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "core/jm-power-domain-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-file-private.h"
#include "host/jm-host-private.h"
#include "host/jm-source-private.h"
#include "host/jm-topology-private.h"
#include "sources/power/jm-cpu-maker-private.h"
#include "sources/power/jm-cpu-model-private.h"
#include "sources/power/jm-energy-counter-private.h"
#include "sources/power/jm-rapl-powercap-source-private.h"

#define CPUMASK_SIZE 4096

/* How its counts are asked for. */
typedef struct
{
  JmHost *host;             /* the source's */
  const JmPerfCalls *calls; /* NULL for those of the system */
  gpointer user_data;
  guint32 type;
} Pmu;

typedef struct
{
  char *name; /* a GRefString */
  const JmPerfEvent *event;
  guint cpu;
  gboolean is_wanted; /* whether its package has a CPU online */
  int fd;
  JmEnergyCounter counter;
  gboolean is_read;
  GError *missed; /* of the last reading */
} Domain;

/*
 * JmRaplPerfSource:
 *
 * Energy of the processors, as perf's `power` PMU counts it
 * (https://docs.kernel.org/admin-guide/perf-security.html explains the rights).
 *
 * - Shape: a counter for each event of the PMU and package: `package-N`, and as far as
 *   the processor has them `core-N`, `uncore-N`, `dram-N`, and `psys` once it has
 *   counted at all; of processors with several dies `package-N-die-M` and so on. `core`
 *   and `uncore` are parts of `package`, all are parts of `psys`. Of AMD there is
 *   `package-N` alone.
 * - Units: microjoules since the source was opened. The kernel looks after the
 *   hardware's counters, whether anybody reads or not.
 * - Errors: `ABSENT` where there is no such PMU, and on a copied tree; `DENIED` without
 *   `CAP_PERFMON` where `kernel.perf_event_paranoid` is more than 0.
 * - Source: `/sys/bus/event_source/devices/power`, perf_event_open(2).
 *
 * Since: 0.1
 */
struct _JmRaplPerfSource
{
  JmSource parent_instance;

  Pmu pmu;
  GArray *events;  /* of JmPerfEvent */
  GError *problem; /* why an event is not among them, or NULL */
  JmFile cpumask;
  char *cpumask_text; /* for which the domains were found */
  gboolean is_by_package;
  GArray *domains; /* of Domain */
};

/* A CPU of the mask, and where it is. */
typedef struct
{
  guint cpu;
  JmCpuSeat seat;
} Stand;

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmRaplPerfSource,
                               jm_rapl_perf_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static int
system_open (gpointer user_data, guint32 type, guint64 config, guint cpu)
{
  struct perf_event_attr attr = { .type = type, .size = sizeof attr, .config = config };
  long fd =
    syscall (SYS_perf_event_open, &attr, -1, (int) cpu, -1, PERF_FLAG_FD_CLOEXEC);

  return fd >= 0 ? (int) fd : -errno;
}

static gssize
system_read (gpointer user_data, int fd, guint64 *count)
{
  gssize n = TEMP_FAILURE_RETRY (read (fd, count, sizeof *count));

  return n >= 0 ? n : -errno;
}

static void
system_close (gpointer user_data, int fd)
{
  close (fd);
}

static const JmPerfCalls system_calls = { system_open, system_read, system_close };

static Domain *
get_domain (JmRaplPerfSource *self, guint i)
{
  return &g_array_index (self->domains, Domain, i);
}

static Domain *
find_domain (JmRaplPerfSource *self, const char *name)
{
  for (guint i = 0; i < self->domains->len; i++)
    if (g_str_equal (get_domain (self, i)->name, name))
      return get_domain (self, i);

  return NULL;
}

static void
add_domain (JmRaplPerfSource *self, const JmPerfEvent *event, char *name, guint cpu)
{
  Domain domain = { .name = g_ref_string_acquire (name),
                    .event = event,
                    .cpu = cpu,
                    .is_wanted = TRUE,
                    .fd = -1,
                    .counter = { .max = G_MAXUINT64,
                                 .factor = event->factor,
                                 .shift = event->shift,
                                 .ceiling_uw =
                                   jm_energy_get_ceiling_uw (event->domain) } };

  g_array_append_val (self->domains, domain);
}

static char *
get_path (const Domain *self, JmHost *host)
{
  g_autofree char *path =
    g_strconcat (JM_PERF_POWER "/events/", self->event->name, NULL);

  return jm_host_resolve (host, path);
}

static void
set_open_error (const Domain *self, JmHost *host, int error_number, GError **error)
{
  g_autofree char *path = get_path (self, host);
  gboolean is_denied = error_number == EACCES || error_number == EPERM;

  g_set_error (error, JM_ERROR, (int) jm_error_from_errno (error_number),
               "%s on CPU %u: %s%s", path, self->cpu, g_strerror (error_number),
               is_denied ? "; needs CAP_PERFMON, or kernel.perf_event_paranoid of 0"
                         : "");
}

static gboolean
open_count (Domain *self, const Pmu *pmu, GError **error)
{
  int fd = pmu->calls->open (pmu->user_data, pmu->type, self->event->config, self->cpu);

  if (fd < 0)
    {
      set_open_error (self, pmu->host, -fd, error);
      return FALSE;
    }

  self->fd = fd;
  return TRUE;
}

static void
domain_close (Domain *self, const Pmu *pmu)
{
  if (self->fd >= 0)
    pmu->calls->close (pmu->user_data, self->fd);
  self->fd = -1;
  jm_energy_counter_pause (&self->counter);
}

static gboolean
read_count (Domain *self, const Pmu *pmu, guint64 *count, GError **error)
{
  gssize n = pmu->calls->read (pmu->user_data, self->fd, count);
  g_autofree char *path = NULL;

  if (n == sizeof *count)
    return TRUE;

  path = get_path (self, pmu->host);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s on CPU %u: %s", path,
               self->cpu, n < 0 ? g_strerror ((int) -n) : "counts no more");
  domain_close (self, pmu);
  return FALSE;
}

/* Opens it where it is not. FALSE, with @error, where nothing is known of since it was
 * read last. */
static gboolean
domain_read (Domain *self, const Pmu *pmu, GError **error)
{
  guint64 before = self->counter.raw;
  guint64 count;
  JmEnergyStep step;
  g_autofree char *path = NULL;

  if (self->fd < 0 && !open_count (self, pmu, error))
    return FALSE;
  if (!read_count (self, pmu, &count, error))
    return FALSE;

  step = jm_energy_counter_step (&self->counter, count, g_get_monotonic_time ());
  if (step == JM_ENERGY_STEP_COUNTED)
    return TRUE;

  path = get_path (self, pmu->host);
  jm_energy_step_set_error (step, path, before, count, error);
  return FALSE;
}

/* Reads it for the last time: what it has counted up to now is kept. */
static void
domain_finish (Domain *self, const Pmu *pmu)
{
  if (self->fd >= 0)
    domain_read (self, pmu, NULL);
  domain_close (self, pmu);
}

/* For an array of them; it must have been closed. */
static void
domain_clear (gpointer domain)
{
  Domain *self = domain;

  g_clear_pointer (&self->name, g_ref_string_release);
  g_clear_error (&self->missed);
}

/* The first CPU of the mask that stands for a domain is taken: processors of AMD have
 * one counter for each package, though Linux 6.9 to 6.11 name a CPU of each die. */
static void
want_domain (JmRaplPerfSource *self, const JmPerfEvent *event, char *name, guint cpu)
{
  Domain *domain = find_domain (self, name);

  if (domain == NULL)
    {
      add_domain (self, event, name, cpu);
      return;
    }
  if (domain->is_wanted)
    return;

  domain->is_wanted = TRUE;
  if (domain->cpu != cpu)
    domain_finish (domain, &self->pmu);
  domain->cpu = cpu;
}

static gboolean
has_several_dies (GArray *stands, guint64 package)
{
  const Stand *first = NULL;

  for (guint i = 0; i < stands->len; i++)
    {
      const Stand *stand = &g_array_index (stands, Stand, i);

      if (stand->seat.package != package)
        continue;
      if (first != NULL && first->seat.die != stand->seat.die)
        return TRUE;
      first = stand;
    }

  return FALSE;
}

static void
want_domains_of (JmRaplPerfSource *self, GArray *stands, const Stand *stand)
{
  gint64 die = -1;

  if (!self->is_by_package && has_several_dies (stands, stand->seat.package))
    die = (gint64) stand->seat.die;

  for (guint i = 0; i < self->events->len; i++)
    {
      const JmPerfEvent *event = &g_array_index (self->events, JmPerfEvent, i);
      char *name = jm_perf_event_name_domain (event, stand->seat.package, die);

      want_domain (self, event, name, stand->cpu);
      g_ref_string_release (name);
    }
}

static GArray *
read_stands (JmRaplPerfSource *self, const char *text, gsize length, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autoptr (GArray) stands = g_array_new (FALSE, FALSE, sizeof (Stand));
  const char *cursor = text;
  guint first, last;

  while (jm_parse_next_cpu_range (&cursor, text + length, &first, &last))
    for (guint cpu = first; cpu <= last; cpu++)
      {
        Stand stand = { .cpu = cpu };

        if (!jm_cpu_seat_read (&stand.seat, host, cpu, error))
          return NULL;
        g_array_append_val (stands, stand);
      }

  return g_steal_pointer (&stands);
}

static void
arrange_domains (JmRaplPerfSource *self, GArray *stands)
{
  for (guint i = 0; i < self->domains->len; i++)
    get_domain (self, i)->is_wanted = FALSE;
  for (guint i = 0; i < stands->len; i++)
    want_domains_of (self, stands, &g_array_index (stands, Stand, i));
  for (guint i = 0; i < self->domains->len; i++)
    if (!get_domain (self, i)->is_wanted)
      domain_finish (get_domain (self, i), &self->pmu);
}

/* CPUs come and go, and the PMU names others for their packages then. */
static gboolean
follow_cpumask (JmRaplPerfSource *self, GError **error)
{
  char text[CPUMASK_SIZE];
  gssize n = jm_file_read (&self->cpumask, text, sizeof text);
  g_autoptr (GArray) stands = NULL;
  guint n_cpus;

  if (n < 0)
    {
      jm_file_set_error (&self->cpumask, n, error);
      return FALSE;
    }
  if (g_strcmp0 (text, self->cpumask_text) == 0)
    return TRUE;
  if (!jm_parse_cpu_count (text, (gsize) n, &n_cpus) || n_cpus == 0)
    {
      jm_file_set_malformed (&self->cpumask, "not a list of CPUs", text, (gsize) n,
                             error);
      return FALSE;
    }

  stands = read_stands (self, text, (gsize) n, error);
  if (stands == NULL)
    return FALSE;

  arrange_domains (self, stands);
  g_free (self->cpumask_text);
  self->cpumask_text = g_strdup (text);
  return TRUE;
}

static guint
read_domains (JmRaplPerfSource *self)
{
  guint n_read = 0;

  for (guint i = 0; i < self->domains->len; i++)
    {
      Domain *domain = get_domain (self, i);

      g_clear_error (&domain->missed);
      domain->is_read =
        domain->is_wanted && domain_read (domain, &self->pmu, &domain->missed);
      n_read += domain->is_read ? 1 : 0;
    }

  return n_read;
}

static void
take_first_missed (JmRaplPerfSource *self, GError **error)
{
  for (guint i = 0; i < self->domains->len; i++)
    if (get_domain (self, i)->missed != NULL)
      {
        g_propagate_error (error, g_steal_pointer (&get_domain (self, i)->missed));
        return;
      }
}

/* psys: only one package of several has it, and the others read 0
 * (drivers/powercap/intel_rapl_common.c). */
static gboolean
is_told (const Domain *domain)
{
  return domain->is_read &&
         (domain->event->domain != JM_POWER_DOMAIN_PSYS || domain->counter.total > 0);
}

static void
tell (JmRaplPerfSource *self, JmReadings *readings)
{
  for (guint i = 0; i < self->domains->len; i++)
    {
      Domain *domain = get_domain (self, i);

      if (is_told (domain))
        jm_readings_add_energy (readings, domain->name,
                                jm_energy_counter_get_uj (&domain->counter));
      else if (domain->is_wanted && !domain->is_read)
        jm_readings_add_for_domain (readings, JM_METRIC_NODE_POWER_DOMAIN_UP,
                                    domain->name, FALSE);
      if (domain->missed != NULL)
        jm_readings_add_error (readings, domain->missed);
    }
}

static gboolean
jm_rapl_perf_source_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  JmRaplPerfSource *self = JM_RAPL_PERF_SOURCE (source);
  g_autoptr (GError) lost = NULL;

  if (!follow_cpumask (self, &lost))
    jm_readings_add_error (readings, lost);
  if (self->problem != NULL)
    jm_readings_add_error (readings, self->problem);

  if (read_domains (self) == 0)
    {
      take_first_missed (self, error);
      return FALSE;
    }

  tell (self, readings);
  return TRUE;
}

static gboolean
read_type (JmRaplPerfSource *self, GError **error)
{
  guint64 type;

  if (!jm_host_read_uint64 (jm_source_get_host (JM_SOURCE (self)),
                            JM_PERF_POWER "/type", &type, error))
    return FALSE;
  if (type > G_MAXUINT32)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   JM_PERF_POWER "/type: not a type: %" G_GUINT64_FORMAT, type);
      return FALSE;
    }

  self->pmu.type = (guint32) type;
  return TRUE;
}

static gboolean
open_cpumask (JmRaplPerfSource *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autofree char *real = jm_host_resolve (host, JM_PERF_POWER "/cpumask");
  int result =
    jm_file_open (&self->cpumask, host, JM_PERF_POWER "/cpumask", JM_FILE_KEEP);

  if (result == 0)
    return follow_cpumask (self, error);

  g_set_error (error, JM_ERROR, (int) jm_error_from_errno (-result), "%s: %s", real,
               g_strerror (-result));
  return FALSE;
}

static gboolean
choose_calls (JmRaplPerfSource *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autofree char *real = NULL;

  if (self->pmu.calls != NULL)
    return TRUE;
  if (jm_host_is_live (host))
    {
      self->pmu.calls = &system_calls;
      return TRUE;
    }

  real = jm_host_resolve (host, JM_PERF_POWER);
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: nothing counts in a copied tree",
               real);
  return FALSE;
}

static void
forget (JmRaplPerfSource *self)
{
  for (guint i = 0; i < self->domains->len; i++)
    domain_close (get_domain (self, i), &self->pmu);
  g_array_set_size (self->domains, 0);
  g_clear_pointer (&self->events, g_array_unref);
  g_clear_pointer (&self->cpumask_text, g_free);
  g_clear_error (&self->problem);
  jm_file_close (&self->cpumask);
}

static gboolean
jm_rapl_perf_source_open (JmSource *source, GError **error)
{
  JmRaplPerfSource *self = JM_RAPL_PERF_SOURCE (source);
  JmHost *host = jm_source_get_host (source);

  forget (self);
  self->pmu.host = host;
  if (!choose_calls (self, error) || !read_type (self, error))
    return FALSE;

  self->events = jm_perf_find_events (host, &self->problem, error);
  self->is_by_package = jm_cpu_counts_by_package (host);
  if (self->events == NULL || !open_cpumask (self, error))
    return FALSE;

  if (read_domains (self) == 0)
    {
      take_first_missed (self, error);
      return FALSE;
    }

  return TRUE;
}

static void
jm_rapl_perf_source_finalize (GObject *object)
{
  JmRaplPerfSource *self = JM_RAPL_PERF_SOURCE (object);

  forget (self);
  g_array_unref (self->domains);

  G_OBJECT_CLASS (jm_rapl_perf_source_parent_class)->finalize (object);
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_rapl_perf_source_read;
}

/* The same counters of the kernel's. */
static gboolean
jm_rapl_perf_source_is_superseded_by (JmSource *source, JmSource *other)
{
  return JM_IS_RAPL_POWERCAP_SOURCE (other);
}

static void
jm_rapl_perf_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice,
                   "CAP_PERFMON, and kernel.perf_event_paranoid of 2 at most, where "
                   "Debian has 3",
                   "power-perf.conf");
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) &&
           jm_cpu_may_have_rapl (jm_source_get_host (source)) &&
           jm_host_is_live (jm_source_get_host (source)))
    jm_advice_add (advice, "modprobe rapl (intel_rapl_perf before Linux 5.8)", NULL);
  else
    return;

  jm_advice_set_gain (advice, "package");
}

static void
jm_rapl_perf_source_class_init (JmRaplPerfSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_rapl_perf_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_rapl_perf_source_open;
  JM_SOURCE_CLASS (klass)->is_superseded_by = jm_rapl_perf_source_is_superseded_by;
  JM_SOURCE_CLASS (klass)->advise = jm_rapl_perf_source_advise;
}

static void
jm_rapl_perf_source_init (JmRaplPerfSource *self)
{
  jm_file_init (&self->cpumask);
  self->domains = g_array_new (FALSE, FALSE, sizeof (Domain));
  g_array_set_clear_func (self->domains, domain_clear);
}

JmRaplPerfSource *
jm_rapl_perf_source_new_with_calls (JmHost *host,
                                    const JmPerfCalls *calls,
                                    gpointer user_data,
                                    GError **error)
{
  g_autoptr (JmRaplPerfSource) self =
    g_object_new (JM_TYPE_RAPL_PERF_SOURCE, "host", host, NULL);

  self->pmu.calls = calls;
  self->pmu.user_data = user_data;
  if (!g_initable_init (G_INITABLE (self), NULL, error))
    return NULL;

  return g_steal_pointer (&self);
}
