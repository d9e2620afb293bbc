/* jm-cgroup-v2-reader.c: what a cgroup of version 2 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-v2-reader.h"

#include "core/jm-error.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/cgroup/jm-cgroup-slots-private.h"
#include "sources/cgroup/jm-cgroup-v2-private.h"
#include "sources/cgroup/jm-cgroup-watch-private.h"

typedef struct
{
  JmCgroupV2 *cgroup;
  int events_watch; /* of its cgroup.events, or -1 */
} Slot;

/**
 * JmCgroupV2Reader:
 *
 * Reads cgroups of version 2
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html). Its figures are of a cgroup and
 * all below it, as the kernel keeps them.
 *
 * Since: 0.1
 */
struct _JmCgroupV2Reader
{
  JmSource parent_instance;

  JmCgroupContext context;
  char *mount;      /* logical path */
  GPtrArray *slots; /* of Slot */
  JmCgroupWatch *watch;
};

enum
{
  PROP_MEMORY_STAT_INTERVAL = 1,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void cgroup_reader_iface_init (JmCgroupReaderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmCgroupV2Reader,
                               jm_cgroup_v2_reader,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_CGROUP_READER,
                                                      cgroup_reader_iface_init))

static Slot *
get_slot (JmCgroupV2Reader *self, guint number, GError **error)
{
  Slot *slot = jm_cgroup_slots_get (self->slots, number);

  if (slot == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no cgroup %u is open",
                 self->mount, number);

  return slot;
}

static gboolean
jm_cgroup_v2_reader_read (JmCgroupReader *reader,
                          guint number,
                          JmReadings *readings,
                          GError **error)
{
  Slot *slot = get_slot (JM_CGROUP_V2_READER (reader), number, error);

  return slot != NULL && jm_cgroup_v2_read (slot->cgroup, readings, error);
}

static gboolean
jm_cgroup_v2_reader_list_processes (JmCgroupReader *reader,
                                    guint number,
                                    JmReadings *readings,
                                    GError **error)
{
  Slot *slot = get_slot (JM_CGROUP_V2_READER (reader), number, error);

  return slot != NULL && jm_cgroup_v2_list_processes (slot->cgroup, readings, error);
}

static guint
jm_cgroup_v2_reader_open_cgroup (JmCgroupReader *reader,
                                 const char *path,
                                 JmLevel level,
                                 GError **error)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (reader);
  g_autofree char *dir = jm_cgroup_mounts_join (self->mount, path);
  JmCgroupV2 *cgroup = jm_cgroup_v2_new (&self->context, dir, level, error);
  Slot *slot;

  if (cgroup == NULL)
    return 0;

  slot = g_new (Slot, 1);
  *slot = (Slot){ cgroup, jm_cgroup_watch_add_events (self->watch, dir, path) };
  return jm_cgroup_slots_add (self->slots, slot);
}

static void
jm_cgroup_v2_reader_close_cgroup (JmCgroupReader *reader, guint number)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (reader);
  g_autofree Slot *slot = jm_cgroup_slots_take (self->slots, number);

  if (slot == NULL)
    return;

  jm_cgroup_watch_remove (self->watch, slot->events_watch);
  jm_cgroup_v2_free (slot->cgroup);
}

static char **
jm_cgroup_v2_reader_list_children (JmCgroupReader *reader,
                                   const char *path,
                                   GError **error)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (reader);
  JmHost *host = jm_source_get_host (JM_SOURCE (reader));
  g_autofree char *dir = jm_cgroup_mounts_join (self->mount, path);
  g_autoptr (GHashTable) names =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int result;

  jm_cgroup_watch_add_directory (self->watch, dir, path);
  result = jm_cgroup_mounts_list_children (host, dir, names);
  if (result < 0)
    {
      jm_cgroup_mounts_set_error (host, dir, result, error);
      return NULL;
    }

  return jm_cgroup_mounts_steal_names (names);
}

static char **
jm_cgroup_v2_reader_take_changes (JmCgroupReader *reader)
{
  return jm_cgroup_watch_take (JM_CGROUP_V2_READER (reader)->watch);
}

static int
jm_cgroup_v2_reader_get_event_fd (JmCgroupReader *reader)
{
  return jm_cgroup_watch_get_fd (JM_CGROUP_V2_READER (reader)->watch);
}

static void
cgroup_reader_iface_init (JmCgroupReaderInterface *iface)
{
  iface->list_children = jm_cgroup_v2_reader_list_children;
  iface->take_changes = jm_cgroup_v2_reader_take_changes;
  iface->get_event_fd = jm_cgroup_v2_reader_get_event_fd;
  iface->open_cgroup = jm_cgroup_v2_reader_open_cgroup;
  iface->read = jm_cgroup_v2_reader_read;
  iface->list_processes = jm_cgroup_v2_reader_list_processes;
  iface->close_cgroup = jm_cgroup_v2_reader_close_cgroup;
}

static gboolean
jm_cgroup_v2_reader_open (JmSource *source, GError **error)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (source);
  JmHost *host = jm_source_get_host (source);
  g_autoptr (JmCgroupMounts) mounts = jm_cgroup_mounts_new (host);

  if (mounts->unified == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: no hierarchy of cgroup v2 is mounted",
                   jm_host_get_cgroupfs (host));
      return FALSE;
    }

  self->mount = g_steal_pointer (&mounts->unified);
  jm_cgroup_context_open (&self->context, host, &jm_cgroup_v2_hugetlb_names,
                          jm_cgroup_mounts_are_live (host, self->mount));
  self->watch = jm_cgroup_watch_new (host, self->context.live);

  return TRUE;
}

static void
jm_cgroup_v2_reader_get_property (GObject *object,
                                  guint id,
                                  GValue *value,
                                  GParamSpec *pspec)
{
  if (id == PROP_MEMORY_STAT_INTERVAL)
    g_value_set_uint (value,
                      JM_CGROUP_V2_READER (object)->context.memory_stat_interval_ms);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
jm_cgroup_v2_reader_set_property (GObject *object,
                                  guint id,
                                  const GValue *value,
                                  GParamSpec *pspec)
{
  if (id == PROP_MEMORY_STAT_INTERVAL)
    JM_CGROUP_V2_READER (object)->context.memory_stat_interval_ms =
      g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
jm_cgroup_v2_reader_finalize (GObject *object)
{
  JmCgroupV2Reader *self = JM_CGROUP_V2_READER (object);

  for (guint i = 1; i <= self->slots->len; i++)
    jm_cgroup_v2_reader_close_cgroup (JM_CGROUP_READER (self), i);

  g_ptr_array_unref (self->slots);
  g_clear_pointer (&self->watch, jm_cgroup_watch_free);
  jm_cgroup_context_close (&self->context);
  g_free (self->mount);

  G_OBJECT_CLASS (jm_cgroup_v2_reader_parent_class)->finalize (object);
}

static void
jm_cgroup_v2_reader_class_init (JmCgroupV2ReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = jm_cgroup_v2_reader_get_property;
  object_class->set_property = jm_cgroup_v2_reader_set_property;
  object_class->finalize = jm_cgroup_v2_reader_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_cgroup_v2_reader_open;

  /**
   * JmCgroupV2Reader:memory-stat-interval:
   *
   * For how many milliseconds the figures of a memory.stat are good enough: reading it
   * makes the kernel flush its statistics under a lock. 0 reads it in every round.
   *
   * Since: 0.1
   */
  properties[PROP_MEMORY_STAT_INTERVAL] =
    g_param_spec_uint ("memory-stat-interval", NULL, NULL, 0, G_MAXUINT, 0,
                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_cgroup_v2_reader_init (JmCgroupV2Reader *self)
{
  self->slots = g_ptr_array_new ();
}

/**
 * jm_cgroup_v2_reader_new:
 * @host: the host
 * @error: return location for an error
 *
 * Opens the hierarchy of cgroup version 2, whatever else is mounted.
 *
 * - Errors: `ABSENT` where none is mounted.
 *
 * Returns: (transfer full): the reader
 * Since: 0.1
 */
JmCgroupV2Reader *
jm_cgroup_v2_reader_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_CGROUP_V2_READER, NULL, error, "host", host, NULL);
}
