/* jm-kfd.c: what computes on AMD's accelerators, as the kernel's driver reports it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-drm-card-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "core/jm-gpu-report-private.h"

/* What the kernel writes there: drivers/gpu/drm/amd/amdkfd/kfd_topology.c and
 * kfd_process.c. */
#define NODES_DIR "/sys/class/kfd/kfd/topology/nodes"
#define PROC_DIR "/sys/class/kfd/kfd/proc"
#define PROPERTIES_SIZE 4096
#define MAX_NODES 1024
/* Of one process on one node; the sum of all nodes cannot overflow. */
#define MAX_MEMORY (G_GUINT64_CONSTANT (1) << 50)

struct _JmKfd
{
  JmHost *host;
  GArray *nodes; /* of JmKfdNode */
  GError *denial;
};

JmKfd *
jm_kfd_ref (JmKfd *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
kfd_clear (gpointer data)
{
  JmKfd *self = data;

  g_array_unref (self->nodes);
  g_clear_error (&self->denial);
  g_object_unref (self->host);
}

void
jm_kfd_unref (JmKfd *self)
{
  g_atomic_rc_box_release_full (self, kfd_clear);
}

/* --- which nodes there are --- */

enum
{
  LOCATION,
  DOMAIN,
  SIMDS,
  SIMDS_PER_UNIT,
  N_KEYS
};

static const JmFlatKey keys[N_KEYS] = {
  [LOCATION] = JM_FLAT_KEY ("location_id"),
  [DOMAIN] = JM_FLAT_KEY ("domain"),
  [SIMDS] = JM_FLAT_KEY ("simd_count"),
  [SIMDS_PER_UNIT] = JM_FLAT_KEY ("simd_per_cu"),
};

static gboolean
has_key (guint64 found, guint key)
{
  return (found >> key & 1) != 0;
}

/* Of a location the lower 16 bits are bus, slot and function; kernels differ in where
 * they add a partition's number: to the function, or above all. */
gboolean
jm_kfd_parse_properties (const char *text, gsize length, JmKfdNode *node)
{
  guint64 values[N_KEYS] = { 0 };
  guint64 found = 0;

  if (!jm_parse_flat_keyed (text, length, keys, N_KEYS, values, &found) ||
      !has_key (found, LOCATION) || values[DOMAIN] > G_MAXUINT32)
    return FALSE;

  node->domain = (guint) values[DOMAIN];
  node->bus = (guint) (values[LOCATION] >> 8 & 0xff);
  node->slot = (guint) (values[LOCATION] >> 3 & 0x1f);
  node->function = (guint) (values[LOCATION] & 7);
  node->n_compute_units =
    values[SIMDS_PER_UNIT] > 0 ? values[SIMDS] / values[SIMDS_PER_UNIT] : 0;

  return TRUE;
}

static gboolean
read_node (JmHost *host, const char *name, JmKfdNode *node, GError **error)
{
  g_autofree char *id_path = g_build_filename (NODES_DIR, name, "gpu_id", NULL);
  g_autofree char *path = g_build_filename (NODES_DIR, name, "properties", NULL);
  char text[PROPERTIES_SIZE];
  gssize length;

  if (!jm_host_read_uint64 (host, id_path, &node->gpu_id, error) || node->gpu_id == 0)
    return FALSE;

  length = jm_host_read (host, path, text, sizeof text, error);

  return length >= 0 && jm_kfd_parse_properties (text, (gsize) length, node);
}

static void
add_node (JmKfd *self, JmKfdNode *node, const GPtrArray *cards)
{
  node->card =
    jm_drm_find_card (cards, node->domain, node->bus, node->slot, node->function);
  if (node->card != JM_NO_CARD && self->nodes->len < MAX_NODES)
    g_array_append_val (self->nodes, *node);
}

JmKfd *
jm_kfd_new (JmHost *host, const GPtrArray *cards)
{
  JmKfd *self = g_atomic_rc_box_new0 (JmKfd);
  g_auto (GStrv) names = jm_host_list_dir (host, NODES_DIR, NULL);

  self->host = g_object_ref (host);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (JmKfdNode));
  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;
      JmKfdNode node = { 0 };

      if (read_node (host, *name, &node, &error))
        add_node (self, &node, cards);
      else if (self->denial == NULL &&
               g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
        self->denial = g_steal_pointer (&error);
    }

  return self;
}

const GError *
jm_kfd_get_denial (JmKfd *self)
{
  return self->denial;
}

guint64
jm_kfd_get_compute_units (JmKfd *self, guint card)
{
  guint64 n_units = 0;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const JmKfdNode *node = &g_array_index (self->nodes, JmKfdNode, i);

      if (node->card == card)
        n_units += node->n_compute_units;
    }

  return n_units;
}

/* --- processes --- */

/* The driver has a file for every node in the folder of every process, whether it uses
 * the node or not; of a device, all that it has of its partitions. */
static guint64
read_memory (JmKfd *self, guint card, const char *name)
{
  guint64 sum = 0;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const JmKfdNode *node = &g_array_index (self->nodes, JmKfdNode, i);
      g_autofree char *path = NULL;
      guint64 memory_bytes;

      if (node->card != card)
        continue;

      path =
        g_strdup_printf (PROC_DIR "/%s/vram_%" G_GUINT64_FORMAT, name, node->gpu_id);
      if (jm_host_read_uint64 (self->host, path, &memory_bytes, NULL) &&
          memory_bytes <= MAX_MEMORY)
        sum += memory_bytes;
    }

  return sum;
}

static gboolean
has_card (JmKfd *self, guint card)
{
  for (guint i = 0; i < self->nodes->len; i++)
    if (g_array_index (self->nodes, JmKfdNode, i).card == card)
      return TRUE;

  return FALSE;
}

static gboolean
tell_process (JmKfd *self, guint card, const char *name, JmGpuReport *report)
{
  guint64 memory_bytes, pid;

  if (!jm_parse_uint64 (name, strlen (name), &pid) || pid == 0 || pid > G_MAXINT32)
    return FALSE;

  memory_bytes = read_memory (self, card, name);
  if (memory_bytes > 0)
    jm_gpu_report_add_process (report, (guint) pid, (gint64) memory_bytes, -1);

  return memory_bytes > 0;
}

void
jm_kfd_tell_processes (JmKfd *self, guint card, JmGpuReport *report)
{
  g_auto (GStrv) names =
    has_card (self, card) ? jm_host_list_dir (self->host, PROC_DIR, NULL) : NULL;
  guint n_processes = 0;

  for (char **name = names; name != NULL && *name != NULL; name++)
    if (tell_process (self, card, *name, report))
      n_processes++;

  if (names != NULL)
    jm_gpu_report_add (report, JM_METRIC_GPU_PROCESSES, n_processes);
}
