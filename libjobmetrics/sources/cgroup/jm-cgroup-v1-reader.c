/* jm-cgroup-v1-reader.c: what a cgroup of version 1 has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-v1-reader.h"

#include "core/jm-error.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/cgroup/jm-cgroup-slots-private.h"
#include "sources/cgroup/jm-cgroup-v1-private.h"
#include "sources/cgroup/jm-cgroup-watch-private.h"

typedef struct
{
  JmCgroupV1 *cgroup;
  int events_watch; /* of its cgroup.events, or -1 */
} Slot;

/**
 * JmCgroupV1Reader:
 *
 * Reads cgroups of version 1 (https://docs.kernel.org/admin-guide/cgroup-v1/). One path
 * stands for the directories of that name in all hierarchies: each controller's figures
 * are read where it is mounted, and are of a cgroup and all below it. Figures that a
 * kernel keeps for a cgroup without its children are left out where it has some.
 *
 * On a hybrid host the hierarchy of version 2 counts as one more: pressure is read
 * there, and CPU time where a cgroup is in no hierarchy of cpuacct.
 *
 * Since: 0.1
 */
struct _JmCgroupV1Reader
{
  JmSource parent_instance;

  JmCgroupContext context;
  JmCgroupV1Layout layout;
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

G_DEFINE_FINAL_TYPE_WITH_CODE (JmCgroupV1Reader,
                               jm_cgroup_v1_reader,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_CGROUP_READER,
                                                      cgroup_reader_iface_init))

static Slot *
get_slot (JmCgroupV1Reader *self, guint number, GError **error)
{
  Slot *slot = jm_cgroup_slots_get (self->slots, number);

  if (slot == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no cgroup %u is open",
                 self->layout.mounts[0], number);

  return slot;
}

static gboolean
jm_cgroup_v1_reader_read (JmCgroupReader *reader,
                          guint number,
                          JmReadings *readings,
                          GError **error)
{
  Slot *slot = get_slot (JM_CGROUP_V1_READER (reader), number, error);

  return slot != NULL && jm_cgroup_v1_read (slot->cgroup, readings, error);
}

static gboolean
jm_cgroup_v1_reader_list_processes (JmCgroupReader *reader,
                                    guint number,
                                    JmReadings *readings,
                                    GError **error)
{
  Slot *slot = get_slot (JM_CGROUP_V1_READER (reader), number, error);

  return slot != NULL && jm_cgroup_v1_list_processes (slot->cgroup, readings, error);
}

/* Only v2 tells when a cgroup becomes empty. */
static int
watch_events (JmCgroupV1Reader *self, const char *path)
{
  g_autofree char *dir = NULL;

  if (self->layout.unified == JM_CGROUP_NOWHERE)
    return -1;

  dir = jm_cgroup_mounts_join (self->layout.mounts[self->layout.unified], path);
  return jm_cgroup_watch_add_events (self->watch, dir, path);
}

static guint
jm_cgroup_v1_reader_open_cgroup (JmCgroupReader *reader,
                                 const char *path,
                                 JmLevel level,
                                 GError **error)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (reader);
  JmCgroupV1 *cgroup =
    jm_cgroup_v1_new (&self->context, &self->layout, path, level, error);
  Slot *slot;

  if (cgroup == NULL)
    return 0;

  slot = g_new (Slot, 1);
  *slot = (Slot){ cgroup, watch_events (self, path) };
  return jm_cgroup_slots_add (self->slots, slot);
}

static void
jm_cgroup_v1_reader_close_cgroup (JmCgroupReader *reader, guint number)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (reader);
  g_autofree Slot *slot = jm_cgroup_slots_take (self->slots, number);

  if (slot == NULL)
    return;

  jm_cgroup_watch_remove (self->watch, slot->events_watch);
  jm_cgroup_v1_free (slot->cgroup);
}

static char **
jm_cgroup_v1_reader_list_children (JmCgroupReader *reader,
                                   const char *path,
                                   GError **error)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (reader);
  JmHost *host = jm_source_get_host (JM_SOURCE (reader));
  g_autoptr (GHashTable) names =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean found = FALSE;

  for (guint i = 0; i < self->layout.n_mounts; i++)
    {
      g_autofree char *dir = jm_cgroup_mounts_join (self->layout.mounts[i], path);
      g_autoptr (GError) missing = NULL;
      int result;

      jm_cgroup_watch_add_directory (self->watch, dir, path);
      result = jm_cgroup_mounts_list_children (host, dir, names);
      if (result == 0)
        {
          found = TRUE;
          continue;
        }

      jm_cgroup_mounts_set_error (host, dir, result, &missing);
      if (!g_error_matches (missing, JM_ERROR, JM_ERROR_ABSENT))
        {
          g_propagate_error (error, g_steal_pointer (&missing));
          return NULL;
        }
    }

  if (!found)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such cgroup", path);
      return NULL;
    }

  return jm_cgroup_mounts_steal_names (names);
}

static char **
jm_cgroup_v1_reader_take_changes (JmCgroupReader *reader)
{
  return jm_cgroup_watch_take (JM_CGROUP_V1_READER (reader)->watch);
}

static int
jm_cgroup_v1_reader_get_event_fd (JmCgroupReader *reader)
{
  return jm_cgroup_watch_get_fd (JM_CGROUP_V1_READER (reader)->watch);
}

static void
cgroup_reader_iface_init (JmCgroupReaderInterface *iface)
{
  iface->list_children = jm_cgroup_v1_reader_list_children;
  iface->take_changes = jm_cgroup_v1_reader_take_changes;
  iface->get_event_fd = jm_cgroup_v1_reader_get_event_fd;
  iface->open_cgroup = jm_cgroup_v1_reader_open_cgroup;
  iface->read = jm_cgroup_v1_reader_read;
  iface->list_processes = jm_cgroup_v1_reader_list_processes;
  iface->close_cgroup = jm_cgroup_v1_reader_close_cgroup;
}

static gboolean
jm_cgroup_v1_reader_open (JmSource *source, GError **error)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (source);
  JmHost *host = jm_source_get_host (source);
  g_autoptr (JmCgroupMounts) mounts = jm_cgroup_mounts_new (host);

  gboolean live = FALSE;

  if (!jm_cgroup_mounts_have_v1 (mounts))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "%s: no hierarchy of cgroup v1 is mounted",
                   jm_host_get_cgroupfs (host));
      return FALSE;
    }

  jm_cgroup_v1_layout_init (&self->layout, host, mounts);
  for (guint i = 0; i < self->layout.n_mounts; i++)
    live = live || jm_cgroup_mounts_are_live (host, self->layout.mounts[i]);

  jm_cgroup_context_open (&self->context, host, &jm_cgroup_v1_hugetlb_names, live);
  self->watch = jm_cgroup_watch_new (host, self->context.live);

  return TRUE;
}

static void
jm_cgroup_v1_reader_get_property (GObject *object,
                                  guint id,
                                  GValue *value,
                                  GParamSpec *pspec)
{
  if (id == PROP_MEMORY_STAT_INTERVAL)
    g_value_set_uint (value,
                      JM_CGROUP_V1_READER (object)->context.memory_stat_interval_ms);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
jm_cgroup_v1_reader_set_property (GObject *object,
                                  guint id,
                                  const GValue *value,
                                  GParamSpec *pspec)
{
  if (id == PROP_MEMORY_STAT_INTERVAL)
    JM_CGROUP_V1_READER (object)->context.memory_stat_interval_ms =
      g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
jm_cgroup_v1_reader_finalize (GObject *object)
{
  JmCgroupV1Reader *self = JM_CGROUP_V1_READER (object);

  for (guint i = 1; i <= self->slots->len; i++)
    jm_cgroup_v1_reader_close_cgroup (JM_CGROUP_READER (self), i);

  g_ptr_array_unref (self->slots);
  g_clear_pointer (&self->watch, jm_cgroup_watch_free);
  jm_cgroup_context_close (&self->context);
  jm_cgroup_v1_layout_clear (&self->layout);

  G_OBJECT_CLASS (jm_cgroup_v1_reader_parent_class)->finalize (object);
}

static void
jm_cgroup_v1_reader_class_init (JmCgroupV1ReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = jm_cgroup_v1_reader_get_property;
  object_class->set_property = jm_cgroup_v1_reader_set_property;
  object_class->finalize = jm_cgroup_v1_reader_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_cgroup_v1_reader_open;

  /**
   * JmCgroupV1Reader:memory-stat-interval:
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
jm_cgroup_v1_reader_init (JmCgroupV1Reader *self)
{
  self->slots = g_ptr_array_new ();
}

/**
 * jm_cgroup_v1_reader_new:
 * @host: the host
 * @error: return location for an error
 *
 * Opens the hierarchies of cgroup version 1, whatever else is mounted.
 *
 * - Errors: `ABSENT` where none is mounted.
 *
 * Returns: (transfer full): the reader
 * Since: 0.1
 */
JmCgroupV1Reader *
jm_cgroup_v1_reader_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_CGROUP_V1_READER, NULL, error, "host", host, NULL);
}
