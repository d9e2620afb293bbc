/* jm-network-traffic.c: what the sockets of a cgroup send and receive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-network-traffic-private.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "host/jm-bpf-private.h"
#include "sources/counters/jm-network-traffic.bpf.h"
#include "sources/counters/jm-network-traffic.skel.h"

#define WHAT                                                                           \
 "a program that counts what jobs send and receive (it takes CAP_BPF and "             \
 "CAP_NET_ADMIN)"

struct _JmNetworkTraffic
{
  struct jm_network_traffic *program;
};

struct _JmNetworkCount
{
  int map; /* the program's */
  char *dir;
  guint64 id;
  struct bpf_link *received;
  struct bpf_link *sent;
};

JmNetworkTraffic *
jm_network_traffic_new (JmHost *host, GError **error)
{
  JmNetworkTraffic *self;
  struct jm_network_traffic *program;

  if (!jm_bpf_prepare (host, error))
    return NULL;

  program = jm_network_traffic__open_and_load ();
  if (program == NULL)
    {
      jm_bpf_set_error (error, WHAT, -errno);
      return NULL;
    }

  self = g_new0 (JmNetworkTraffic, 1);
  self->program = program;

  return self;
}

void
jm_network_traffic_free (JmNetworkTraffic *self)
{
  jm_network_traffic__destroy (self->program);
  g_free (self);
}

/* --- one cgroup --- */

static gboolean
set_attach_error (const char *dir, GError **error)
{
  int code = (int) jm_error_from_errno (errno);

  /* the directory is open: it is the program that is not wanted */
  g_set_error (error, JM_ERROR, code == JM_ERROR_ABSENT ? JM_ERROR_UNAVAILABLE : code,
               "%s: BPF: " WHAT ": %s", dir, g_strerror (errno));

  return FALSE;
}

/* The number of a cgroup's directory is how the kernel knows it. */
static gboolean
attach (JmNetworkCount *self, JmNetworkTraffic *traffic, int fd, GError **error)
{
  struct stat status;

  if (fstat (fd, &status) != 0)
    {
      jm_path_error_set_errno (error, self->dir, errno);
      return FALSE;
    }
  self->id = status.st_ino;

  self->received = bpf_program__attach_cgroup (traffic->program->progs.on_received, fd);
  if (self->received == NULL)
    return set_attach_error (self->dir, error);

  self->sent = bpf_program__attach_cgroup (traffic->program->progs.on_sent, fd);

  return self->sent != NULL || set_attach_error (self->dir, error);
}

JmNetworkCount *
jm_network_count_new (JmNetworkTraffic *traffic, const char *dir, GError **error)
{
  g_autoptr (JmNetworkCount) self = NULL;
  int fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gboolean is_attached;

  if (fd < 0)
    {
      jm_path_error_set_errno (error, dir, errno);
      return NULL;
    }

  self = g_new0 (JmNetworkCount, 1);
  self->map = bpf_map__fd (traffic->program->maps.traffic);
  self->dir = g_strdup (dir);
  is_attached = attach (self, traffic, fd, error);
  close (fd);

  return is_attached ? g_steal_pointer (&self) : NULL;
}

void
jm_network_count_free (JmNetworkCount *self)
{
  bpf_link__destroy (self->received);
  bpf_link__destroy (self->sent);
  g_free (self->dir);
  g_free (self);
}

static gboolean
read_sum (JmNetworkCount *self,
          enum bpf_attach_type direction,
          JmNetworkSum *sum,
          GError **error)
{
  const struct bpf_cgroup_storage_key key = { self->id, direction };
  struct jm_bpf_traffic traffic;

  if (bpf_map_lookup_elem (self->map, &key, &traffic) != 0)
    {
      jm_path_error_set_errno (error, self->dir, errno);
      return FALSE;
    }

  *sum = (JmNetworkSum){ traffic.packets, traffic.bytes };

  return TRUE;
}

gboolean
jm_network_count_read (JmNetworkCount *self,
                       JmNetworkSum *received,
                       JmNetworkSum *sent,
                       GError **error)
{
  return read_sum (self, BPF_CGROUP_INET_INGRESS, received, error) &&
         read_sum (self, BPF_CGROUP_INET_EGRESS, sent, error);
}
