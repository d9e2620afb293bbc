/* bench-exporter.c: an exporter that is watched from outside
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-exporter.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../allocations/allocations.h"
#include "bench-calls.h"
#include "bench-process.h"

#define READY_TRIES 300
#define READY_PAUSE_US 50000
#define REPLY_SECONDS 20

/* Of Prometheus 2.42. */
#define PROMETHEUS_HEADERS                                                             \
 "Accept: application/openmetrics-text;version=1.0.0,"                                 \
 "application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,"   \
 "*/*;q=0.1\r\nAccept-Encoding: gzip\r\n"

struct _BenchExporter
{
  GPid pid;
  guint16 port;
  GArray *calls; /* of int: counters */
  int counter_fd;
  volatile guint64 *n_allocations; /* shared with it */
};

/* Somebody might take it before the exporter does, which then says so. */
static guint16
find_free_port (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();

  return g_socket_listener_add_any_inet_port (listener, NULL, NULL);
}

static gboolean
share_counter (BenchExporter *self)
{
  void *shared;

  self->counter_fd = memfd_create ("allocations", 0);
  if (self->counter_fd < 0 || ftruncate (self->counter_fd, sizeof (guint64)) != 0)
    return FALSE;

  shared = mmap (NULL, sizeof (guint64), PROT_READ, MAP_SHARED, self->counter_fd, 0);
  if (shared == MAP_FAILED)
    return FALSE;

  self->n_allocations = shared;
  return TRUE;
}

static void
die_with_parent (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static char **
get_environment (BenchExporter *self)
{
  g_autofree char *path =
    g_strdup_printf ("/proc/%d/fd/%d", (int) getpid (), self->counter_fd);
  char **variables = g_get_environ ();

  variables = g_environ_setenv (variables, "LD_PRELOAD", BENCH_COUNTER, TRUE);
  return g_environ_setenv (variables, ALLOCATIONS_FILE, path, TRUE);
}

static gboolean
start (BenchExporter *self, const char *program, double interval_s, const char *option)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *address =
    g_strdup_printf ("--web.listen-address=127.0.0.1:%u", self->port);
  g_autofree char *interval = g_strdup_printf ("--sample.interval=%g", interval_s);
  g_autofree char *node = g_strconcat ("--node.name=", g_getenv ("BENCH_NODE"), NULL);
  char *arguments[] = { (char *) program,
                        (char *) "node",
                        address,
                        interval,
                        node,
                        (char *) "--log.level=warn",
                        (char *) option,
                        NULL };
  g_auto (GStrv) variables = get_environment (self);

  if (g_spawn_async (NULL, arguments, variables, G_SPAWN_DO_NOT_REAP_CHILD,
                     die_with_parent, NULL, &self->pid, &error))
    return TRUE;

  g_printerr ("%s\n", error->message);
  return FALSE;
}

static GSocketConnection *
connect_to (BenchExporter *self)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string ("127.0.0.1");
  g_autoptr (GSocketAddress) place = g_inet_socket_address_new (address, self->port);

  g_socket_client_set_timeout (client, REPLY_SECONDS);
  return g_socket_client_connect (client, G_SOCKET_CONNECTABLE (place), NULL, NULL);
}

/* Returns: the size of the whole answer, 0 where it is not a good one. */
static gsize
get (BenchExporter *self, const char *path, gboolean as_prometheus)
{
  g_autoptr (GSocketConnection) connection = connect_to (self);
  g_autofree char *request =
    g_strdup_printf ("GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                     "%s\r\n",
                     path, as_prometheus ? PROMETHEUS_HEADERS : "");
  char buffer[32 * 1024];
  gboolean is_good = FALSE;
  gsize size = 0;
  gssize n;

  if (connection == NULL ||
      !g_output_stream_write_all (g_io_stream_get_output_stream (
                                    G_IO_STREAM (connection)),
                                  request, strlen (request), NULL, NULL, NULL))
    return 0;

  while (
    (n = g_input_stream_read (g_io_stream_get_input_stream (G_IO_STREAM (connection)),
                              buffer, sizeof buffer, NULL, NULL)) > 0)
    {
      if (size == 0)
        is_good = n > 12 && strncmp (buffer + 9, "200", 3) == 0;
      size += (gsize) n;
    }

  return is_good && n == 0 ? size : 0;
}

static gboolean
wait_until_ready (BenchExporter *self)
{
  for (guint i = 0; i < READY_TRIES; i++)
    {
      if (get (self, "/-/ready", FALSE) > 0)
        return TRUE;
      if (waitpid (self->pid, NULL, WNOHANG) != 0)
        {
          self->pid = 0;
          break;
        }
      g_usleep (READY_PAUSE_US);
    }

  g_printerr ("the exporter did not become ready\n");
  return FALSE;
}

BenchExporter *
bench_exporter_new (const char *program, double interval_s, const char *option)
{
  g_autoptr (BenchExporter) self = g_new0 (BenchExporter, 1);

  self->counter_fd = -1;
  self->port = find_free_port ();
  if (!share_counter (self) || !start (self, program, interval_s, option) ||
      !wait_until_ready (self))
    return NULL;

  self->calls = bench_process_open_calls (self->pid);
  return g_steal_pointer (&self);
}

void
bench_exporter_free (BenchExporter *self)
{
  if (self->pid > 0)
    {
      kill (self->pid, SIGTERM);
      waitpid (self->pid, NULL, 0);
    }
  if (self->n_allocations != NULL)
    munmap ((void *) self->n_allocations, sizeof (guint64));
  if (self->counter_fd >= 0)
    close (self->counter_fd);
  g_clear_pointer (&self->calls, g_array_unref);
  g_free (self);
}

BenchCost
bench_exporter_get_cost (BenchExporter *self)
{
  BenchCost cost;
  double n_calls = self->calls->len > 0 ? 0 : NAN;

  for (guint i = 0; i < self->calls->len; i++)
    n_calls += (double) bench_calls_read (g_array_index (self->calls, int, i));

  cost.figures[BENCH_CPU_US] = bench_process_get_cpu_us (self->pid);
  cost.figures[BENCH_WALL_US] = (double) g_get_monotonic_time ();
  cost.figures[BENCH_CALLS] = n_calls;
  cost.figures[BENCH_ALLOCATIONS] = (double) *self->n_allocations;

  return cost;
}

guint64
bench_exporter_get_resident_kib (BenchExporter *self)
{
  return bench_process_get_resident_kib (self->pid);
}

guint64
bench_exporter_get_sleeps (BenchExporter *self)
{
  return bench_process_get_sleeps (self->pid);
}

pid_t
bench_exporter_get_pid (BenchExporter *self)
{
  return self->pid;
}

gsize
bench_exporter_scrape (BenchExporter *self, gboolean as_prometheus)
{
  return get (self, "/metrics", as_prometheus);
}
