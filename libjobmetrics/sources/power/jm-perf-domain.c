/* jm-perf-domain.c: what one event of a PMU counts on one package
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-perf-domain-private.h"

#include <errno.h>

#include "core/jm-error.h"

static char *
get_path (const JmPerfDomain *self, JmHost *host)
{
  g_autofree char *path =
    g_strconcat (JM_PERF_POWER "/events/", self->event->name, NULL);

  return jm_host_resolve (host, path);
}

static void
set_open_error (const JmPerfDomain *self,
                JmHost *host,
                int error_number,
                GError **error)
{
  g_autofree char *path = get_path (self, host);
  gboolean is_denied = error_number == EACCES || error_number == EPERM;

  g_set_error (error, JM_ERROR, (int) jm_error_from_errno (error_number),
               "%s on CPU %u: %s%s", path, self->cpu, g_strerror (error_number),
               is_denied ? "; needs CAP_PERFMON, or kernel.perf_event_paranoid of 0"
                         : "");
}

static gboolean
open_count (JmPerfDomain *self, const JmPerfPmu *pmu, GError **error)
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

void
jm_perf_domain_close (JmPerfDomain *self, const JmPerfPmu *pmu)
{
  if (self->fd >= 0)
    pmu->calls->close (pmu->user_data, self->fd);
  self->fd = -1;
  jm_energy_counter_pause (&self->counter);
}

static gboolean
read_count (JmPerfDomain *self, const JmPerfPmu *pmu, guint64 *count, GError **error)
{
  gssize n = pmu->calls->read (pmu->user_data, self->fd, count);
  g_autofree char *path = NULL;

  if (n == sizeof *count)
    return TRUE;

  path = get_path (self, pmu->host);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s on CPU %u: %s", path,
               self->cpu, n < 0 ? g_strerror ((int) -n) : "counts no more");
  jm_perf_domain_close (self, pmu);
  return FALSE;
}

gboolean
jm_perf_domain_read (JmPerfDomain *self, const JmPerfPmu *pmu, GError **error)
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

void
jm_perf_domain_finish (JmPerfDomain *self, const JmPerfPmu *pmu)
{
  if (self->fd >= 0)
    jm_perf_domain_read (self, pmu, NULL);
  jm_perf_domain_close (self, pmu);
}

void
jm_perf_domain_clear (gpointer domain)
{
  JmPerfDomain *self = domain;

  g_clear_pointer (&self->name, g_ref_string_release);
  g_clear_error (&self->missed);
}
