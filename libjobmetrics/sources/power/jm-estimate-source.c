/* jm-estimate-source.c: energy by a model, where there is no meter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include "base/jm-error.h"
#include "base/jm-parse-proc-private.h"
#include "base/jm-path-error-private.h"
#include "core/jm-power-domain-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-data-private.h"
#include "host/jm-file-private.h"
#include "host/jm-node-cpu-private.h"
#include "host/jm-source-private.h"
#include "sources/power/jm-estimate-parts-private.h"
#include "sources/power/jm-power-source.h"

#define TABLE_PATH "power/estimates.ini"
#define PROC_STAT "/proc/stat"
#define PROC_MEMINFO "/proc/meminfo"
#define MEMINFO_MAX (64 * 1024)

#define KIB_PER_GIB (1024.0 * 1024.0)
#define UJ_PER_JOULE 1e6
#define MAX_MEMORY_KIB (G_GUINT64_CONSTANT (1) << 50)

/* A setting that nobody has set: the table's figure counts. */
#define UNSET (-1.0)

/*
 * JmEstimateSource:
 *
 * Reckons what a machine without any meter takes: watts for each core, idle and busy,
 * and for each GiB of memory. It serves only where it is asked for.
 *
 * - Shape: `package-N` for each socket, then `dram-N` for the memory of each. A machine
 *   that does not list its sockets has one, `package-0`.
 * - Units: microjoules since the source was opened, to the moment of each reading.
 * - Errors: `INVALID` for invalid settings or an invalid table; as the system says.
 * - Source: `/proc/stat`, `/proc/cpuinfo`, `/proc/meminfo`, `/sys/devices/system/cpu`
 *   and `/sys/devices/system/node`, and the table that is built in, or
 *   `/etc/jobmetrics/power/estimates.ini`.
 *
 * Since: 0.1
 */
struct _JmEstimateSource
{
  JmSource parent_instance;

  double idle_watts;
  double busy_watts;
  double gib_watts;
  char *cpu;

  JmFile stat;
  GString *text;
  GArray *busy_ticks;
  JmEstimateModel *model;
  GArray *sockets;   /* of Socket, the model's packages */
  double dram_watts; /* 0 where memory is not reckoned */
};

typedef struct
{
  char *package; /* a GRefString */
  char *dram;    /* likewise */
  double memory; /* the part of all that is its */
} Socket;

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmEstimateSource,
                               jm_estimate_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static const Socket *
get_socket (JmEstimateSource *self, guint i)
{
  return &g_array_index (self->sockets, Socket, i);
}

static void
socket_clear (gpointer data)
{
  Socket *self = data;

  g_ref_string_release (self->package);
  g_ref_string_release (self->dram);
}

static gboolean
read_busy_ticks (JmEstimateSource *self, GError **error)
{
  gssize length = jm_file_read_all (&self->stat, self->text, JM_PROC_STAT_MAX);

  if (length < 0)
    {
      jm_file_set_error (&self->stat, length, error);
      return FALSE;
    }
  if (!jm_parse_cpu_times (self->text->str, self->text->len, self->busy_ticks))
    {
      jm_file_set_malformed (&self->stat, "no times of CPUs", self->text->str,
                             self->text->len, error);
      return FALSE;
    }

  return TRUE;
}

static gboolean
jm_estimate_source_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  JmEstimateSource *self = JM_ESTIMATE_SOURCE (source);

  if (!read_busy_ticks (self, error))
    return FALSE;

  jm_estimate_model_step (self->model, self->busy_ticks, g_get_monotonic_time ());
  for (guint i = 0; i < self->sockets->len; i++)
    jm_readings_add_energy (readings, get_socket (self, i)->package,
                            jm_estimate_model_get_energy_uj (self->model, i));
  for (guint i = 0; i < self->sockets->len && self->dram_watts > 0; i++)
    jm_readings_add_energy (readings, get_socket (self, i)->dram,
                            (guint64) (self->dram_watts * get_socket (self, i)->memory *
                                       jm_estimate_model_get_seconds (self->model) *
                                       UJ_PER_JOULE));

  return TRUE;
}

static gboolean
jm_estimate_source_is_estimate (JmPowerSource *source)
{
  return TRUE;
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = jm_estimate_source_read;
  iface->is_estimate = jm_estimate_source_is_estimate;
}

/* 0 where the machine does not say. */
static double
read_memory_gib (JmHost *host)
{
  static const JmFlatKey keys[] = { JM_FLAT_KEY ("MemTotal:") };
  g_autofree char *text = NULL;
  guint64 found;
  guint64 kib;
  gsize length;

  text = jm_host_read_all (host, PROC_MEMINFO, MEMINFO_MAX, &length, NULL);
  if (text == NULL)
    return 0;

  jm_parse_flat_keyed (text, length, keys, G_N_ELEMENTS (keys), &kib, &found);

  return found != 0 && kib <= MAX_MEMORY_KIB ? (double) kib / KIB_PER_GIB : 0;
}

static gboolean
is_set (double watts)
{
  return watts >= 0;
}

static double
choose (double setting, double otherwise)
{
  return is_set (setting) ? setting : otherwise;
}

/* What the table says of the machine's processor, where it is asked at all. */
static gboolean
read_row (JmEstimateSource *self,
          const JmCpuModel *cpu,
          JmEstimateRow *row,
          GError **error)
{
  g_autoptr (JmDataFile) file = NULL;

  *row = (JmEstimateRow){ .threads_per_core = 1 };
  if (self->cpu == NULL && is_set (self->idle_watts) && is_set (self->busy_watts) &&
      is_set (self->gib_watts))
    return TRUE;

  file = jm_data_find (jm_source_get_host (JM_SOURCE (self)), TABLE_PATH, error);

  return file != NULL && jm_estimate_table_find (file, self->cpu, cpu, row, error);
}

/* The CPUs of most virtual machines are threads, whatever they show. */
static void
share_among_threads (JmEstimateSource *self,
                     JmEstimateRow *row,
                     gboolean is_virtual,
                     gboolean has_seats)
{
  if (jm_estimate_model_shows_threads (self->model) || (has_seats && !is_virtual))
    return;

  row->idle_watts_per_core /= row->threads_per_core;
  row->busy_watts_per_core /= row->threads_per_core;
}

static gboolean
apply_row (JmEstimateSource *self, const JmEstimateRow *row, GError **error)
{
  double idle = choose (self->idle_watts, row->idle_watts_per_core);
  double busy = choose (self->busy_watts, row->busy_watts_per_core);
  JmHost *host = jm_source_get_host (JM_SOURCE (self));

  if (busy < idle)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "estimate: a core that is busy takes %g W, less than the %g W of an "
                   "idle one",
                   busy, idle);
      return FALSE;
    }

  jm_estimate_model_set_watts (self->model, idle, busy);
  self->dram_watts =
    choose (self->gib_watts, row->watts_per_gib) * read_memory_gib (host);

  return TRUE;
}

static char *
name_domain (JmPowerDomain domain, guint64 number)
{
  g_autofree char *name = g_strdup_printf ("%s-%" G_GUINT64_FORMAT,
                                           jm_power_domain_get_name (domain), number);

  return g_ref_string_new (name);
}

static void
make_sockets (JmEstimateSource *self, const GArray *seats)
{
  guint n = jm_estimate_model_count_packages (self->model);
  g_autofree guint64 *packages = g_new (guint64, n);
  g_autofree double *shares = g_new (double, n);

  for (guint i = 0; i < n; i++)
    packages[i] = jm_estimate_model_get_package (self->model, i);
  jm_memory_share_read (jm_source_get_host (JM_SOURCE (self)), seats, packages, n,
                        shares);
  for (guint i = 0; i < n; i++)
    {
      Socket socket = { name_domain (JM_POWER_DOMAIN_PACKAGE, packages[i]),
                        name_domain (JM_POWER_DOMAIN_DRAM, packages[i]), shares[i] };

      g_array_append_val (self->sockets, socket);
    }
}

static gboolean
make_model (JmEstimateSource *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (JmCpuSeat));
  JmCpuModel cpu;
  JmTopology topology = { 0 };
  JmEstimateRow row;
  gboolean has_seats;

  jm_cpu_model_read (&cpu, host);

  /* a machine that does not say where its CPUs are is reckoned as a whole */
  jm_topology_read_online (&topology, host, NULL);
  has_seats = topology.seats != NULL && topology.seats->len > 0;
  self->model =
    jm_estimate_model_new (has_seats ? topology.seats : none, self->busy_ticks->len);
  make_sockets (self, has_seats ? topology.seats : none);
  jm_topology_clear (&topology);

  if (!read_row (self, &cpu, &row, error))
    return FALSE;

  share_among_threads (self, &row, cpu.is_virtual, has_seats);

  return apply_row (self, &row, error);
}

static void
forget (JmEstimateSource *self)
{
  jm_file_close (&self->stat);
  g_clear_pointer (&self->model, jm_estimate_model_free);
  g_array_set_size (self->sockets, 0);
}

static gboolean
jm_estimate_source_open (JmSource *source, GError **error)
{
  JmEstimateSource *self = JM_ESTIMATE_SOURCE (source);
  JmHost *host = jm_source_get_host (source);
  int result;

  forget (self);
  result = jm_file_open (&self->stat, host, PROC_STAT, JM_FILE_KEEP);
  if (result < 0)
    {
      g_autofree char *path = jm_host_resolve (host, PROC_STAT);

      jm_path_error_set_errno (error, path, -result);
      return FALSE;
    }

  if (!read_busy_ticks (self, error) || !make_model (self, error))
    {
      forget (self);
      return FALSE;
    }

  jm_estimate_model_step (self->model, self->busy_ticks, g_get_monotonic_time ());

  return TRUE;
}

static void
jm_estimate_source_finalize (GObject *object)
{
  JmEstimateSource *self = JM_ESTIMATE_SOURCE (object);

  forget (self);
  g_string_free (self->text, TRUE);
  g_array_unref (self->busy_ticks);
  g_array_unref (self->sockets);

  G_OBJECT_CLASS (jm_estimate_source_parent_class)->finalize (object);
}

static void
add_watts (GObjectClass *object_class, const char *name, gsize offset)
{
  jm_source_class_add_double (object_class, name, offset, UNSET, JM_ESTIMATE_MAX_WATTS,
                              UNSET);
}

static void
jm_estimate_source_class_init (JmEstimateSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_estimate_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_estimate_source_open;

  /*
   * JmEstimateSource:idle-watts-per-core:
   *
   * What a physical core takes that does nothing, with its share of all that is not a
   * core. Below 0 the table's figure for the machine's processor counts.
   *
   * Since: 0.1
   */
  add_watts (object_class, "idle-watts-per-core",
             G_STRUCT_OFFSET (JmEstimateSource, idle_watts));

  /*
   * JmEstimateSource:busy-watts-per-core:
   *
   * What a physical core takes with all its threads at work. Below 0 the table's figure
   * for the machine's processor counts.
   *
   * Since: 0.1
   */
  add_watts (object_class, "busy-watts-per-core",
             G_STRUCT_OFFSET (JmEstimateSource, busy_watts));

  /*
   * JmEstimateSource:watts-per-gib:
   *
   * What a GiB of memory takes, used or not. With 0 memory is left out; below 0 the
   * table's figure counts.
   *
   * Since: 0.1
   */
  add_watts (object_class, "watts-per-gib",
             G_STRUCT_OFFSET (JmEstimateSource, gib_watts));

  /*
   * JmEstimateSource:cpu:
   *
   * Which of the table's processors the machine has, where that cannot be read from
   * `/proc/cpuinfo`.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "cpu",
                            G_STRUCT_OFFSET (JmEstimateSource, cpu), NULL);
}

static void
jm_estimate_source_init (JmEstimateSource *self)
{
  jm_file_init (&self->stat);
  self->text = g_string_new (NULL);
  self->busy_ticks = g_array_new (FALSE, TRUE, sizeof (guint64));
  self->sockets = g_array_new (FALSE, FALSE, sizeof (Socket));
  g_array_set_clear_func (self->sockets, socket_clear);
}
