/* jm-cgroup-kernel-reader.c: cgroups that a kernel keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-kernel-reader-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "host/jm-host-private.h"
#include "sources/cgroup/jm-cgroup-balance-private.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/cgroup/jm-cgroup-slots-private.h"
#include "sources/cgroup/jm-cgroup-watch-private.h"

/* Of the file with the CPU time: a number, after a name in version 2. */
#define CPU_LINE_SIZE 40

typedef struct
{
  gpointer cgroup; /* as the class opens and frees it */
  char *path;
  int events_watch;             /* of its cgroup.events, or -1 */
  guint n_ended;                /* processes that were watched in its stead */
  JmCgroupChild *child;         /* in the one above; NULL where it is not followed */
  JmFile cpu;                   /* without a name before it was opened */
  char cpu_line[CPU_LINE_SIZE]; /* as read last; empty where it was not */
} Slot;

/*
 * JmCgroupKernelReader:
 *
 * Reads cgroups that a kernel keeps: the abstract class of the readers of both
 * versions. It lists and watches the hierarchies and numbers the opened cgroups.
 *
 * Since: 0.1
 */
typedef struct
{
  JmCgroupContext context;
  JmCgroupHierarchies hierarchies;
  GPtrArray *slots; /* of Slot */
  JmCgroupWatch *watch;
  JmCgroupBalances *balances; /* NULL where removed ones are not weighed */
} JmCgroupKernelReaderPrivate;

enum
{
  PROP_MEMORY_STAT_INTERVAL = 1,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void cgroup_reader_iface_init (JmCgroupReaderInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (JmCgroupKernelReader,
                                  jm_cgroup_kernel_reader,
                                  JM_TYPE_SOURCE,
                                  G_ADD_PRIVATE (JmCgroupKernelReader)
                                    G_IMPLEMENT_INTERFACE (JM_TYPE_CGROUP_READER,
                                                           cgroup_reader_iface_init))

static JmCgroupKernelReaderPrivate *
get_private (gpointer self)
{
  return jm_cgroup_kernel_reader_get_instance_private (self);
}

static Slot *
get_slot (JmCgroupReader *reader, guint number, GError **error)
{
  JmCgroupKernelReaderPrivate *priv = get_private (reader);
  Slot *slot = jm_cgroup_slots_get (priv->slots, number);

  if (slot != NULL)
    return slot;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no cgroup %u is open",
               priv->hierarchies.mounts[0], number);

  return NULL;
}

static gboolean
jm_cgroup_kernel_reader_read (JmCgroupReader *reader,
                              guint number,
                              JmReadings *readings,
                              GError **error)
{
  Slot *slot = get_slot (reader, number, error);
  const JmReading *cpu;
  guint from;

  jm_readings_get_values (readings, &from);
  if (slot == NULL ||
      !JM_CGROUP_KERNEL_READER_GET_CLASS (reader)->read_record (slot->cgroup, readings,
                                                                error))
    return FALSE;

  cpu =
    slot->child != NULL ? jm_readings_find (readings, from, JM_METRIC_CPU_TOTAL) : NULL;
  if (cpu != NULL)
    jm_cgroup_child_note (slot->child, cpu->value);

  return TRUE;
}

void
jm_cgroup_kernel_reader_weigh_removed (JmCgroupReader *reader)
{
  JmCgroupKernelReaderPrivate *priv;
  const JmCgroupHierarchies *all;

  if (!JM_IS_CGROUP_KERNEL_READER (reader))
    return;

  priv = get_private (reader);
  all = &priv->hierarchies;
  if (priv->balances == NULL && priv->context.live && all->cpu_mount != NULL)
    priv->balances = jm_cgroup_balances_new (jm_source_get_host (JM_SOURCE (reader)),
                                             all->cpu_mount, all->cpu_name);
}

gboolean
jm_cgroup_kernel_reader_find_unread (JmCgroupReader *reader,
                                     guint number,
                                     guint64 *used_ns,
                                     guint64 *unread_ns,
                                     gboolean *is_all)
{
  JmCgroupKernelReaderPrivate *priv;
  Slot *slot;

  if (!JM_IS_CGROUP_KERNEL_READER (reader))
    return FALSE;

  priv = get_private (reader);
  slot = jm_cgroup_slots_get (priv->slots, number);

  return slot != NULL && slot->child != NULL &&
         jm_cgroup_balances_settle (priv->balances, slot->child, used_ns, unread_ns,
                                    is_all);
}

/* Where no cgroup.events shows that the last process went, one that ended says that it
 * may have been that. The first is the oldest and mostly outlives what it began; where
 * it did not, the next is tried. */
static void
watch_process (JmCgroupKernelReaderPrivate *priv,
               Slot *slot,
               JmReadings *readings,
               guint n)
{
  guint n_pids;
  const guint *pids = jm_readings_get_processes (readings, &n_pids);

  if (slot == NULL || slot->events_watch >= 0 || n_pids <= n ||
      jm_cgroup_watch_has_process (priv->watch, slot->path))
    return;

  jm_cgroup_watch_add_process (priv->watch, slot->path,
                               pids[n + slot->n_ended++ % (n_pids - n)]);
}

static gboolean
jm_cgroup_kernel_reader_list_processes (JmCgroupReader *reader,
                                        guint number,
                                        JmReadings *readings,
                                        GError **error)
{
  JmCgroupKernelReaderPrivate *priv = get_private (reader);
  Slot *slot = get_slot (reader, number, error);
  guint n_before;

  jm_readings_get_processes (readings, &n_before);
  if (slot == NULL ||
      !JM_CGROUP_KERNEL_READER_GET_CLASS (reader)->list_record_processes (slot->cgroup,
                                                                          readings,
                                                                          error))
    return FALSE;

  watch_process (priv, slot, readings, n_before);

  return TRUE;
}

static void
jm_cgroup_kernel_reader_note_processes (JmCgroupReader *reader,
                                        guint number,
                                        JmReadings *readings)
{
  JmCgroupKernelReaderPrivate *priv = get_private (reader);

  watch_process (priv, jm_cgroup_slots_get (priv->slots, number), readings, 0);
}

/* Reads the first line of the file with a cgroup's CPU time. */
static gboolean
read_cpu_line (JmCgroupKernelReaderPrivate *priv,
               Slot *slot,
               const JmDir *dir,
               char line[CPU_LINE_SIZE])
{
  char text[1024];
  char *end;

  if (dir == NULL || dir->path == NULL ||
      (slot->cpu.name == NULL &&
       jm_file_open_at (&slot->cpu, dir, priv->hierarchies.cpu_name, JM_FILE_KEEP) < 0))
    return FALSE;
  if (jm_file_read (&slot->cpu, text, sizeof text) < 0)
    return FALSE;

  end = strchr (text, '\n');
  if (end == NULL || end == text || !g_ascii_isdigit (end[-1]))
    return FALSE;

  *end = '\0';
  return g_strlcpy (line, text, CPU_LINE_SIZE) < CPU_LINE_SIZE;
}

gboolean
jm_cgroup_kernel_reader_has_slept (JmCgroupReader *reader, guint number)
{
  JmCgroupKernelReaderPrivate *priv;
  char line[CPU_LINE_SIZE] = "";
  gboolean is_known, is_same;
  Slot *slot;

  if (!JM_IS_CGROUP_KERNEL_READER (reader))
    return FALSE;

  priv = get_private (reader);
  slot = jm_cgroup_slots_get (priv->slots, number);
  if (slot == NULL || !priv->context.live || priv->hierarchies.cpu_name == NULL)
    return FALSE;

  is_known =
    read_cpu_line (priv, slot,
                   JM_CGROUP_KERNEL_READER_GET_CLASS (reader)->get_process_dir (
                     slot->cgroup),
                   line);
  is_same = is_known && g_str_equal (line, slot->cpu_line);
  memcpy (slot->cpu_line, line, sizeof line);

  return is_same;
}

static int
watch_events (JmCgroupKernelReaderPrivate *priv, const char *path)
{
  g_autofree char *dir = NULL;

  if (priv->hierarchies.events_mount == NULL)
    return -1;

  dir = jm_cgroup_mounts_join (priv->hierarchies.events_mount, path);

  return jm_cgroup_watch_add_events (priv->watch, dir, path);
}

gboolean
jm_cgroup_kernel_reader_read_populated (JmCgroupKernelReader *self,
                                        const char *path,
                                        gboolean *is_populated)
{
  JmCgroupKernelReaderPrivate *priv = get_private (JM_CGROUP_READER (self));
  g_autofree char *dir = NULL;
  g_autofree char *events = NULL;

  if (priv->hierarchies.events_mount == NULL)
    return FALSE;

  dir = jm_cgroup_mounts_join (priv->hierarchies.events_mount, path);
  events = g_strconcat (dir, "/cgroup.events", NULL);

  return jm_cgroup_events_read (jm_source_get_host (JM_SOURCE (self)), events,
                                is_populated);
}

gboolean
jm_cgroup_kernel_reader_read_occupied (JmCgroupKernelReader *self,
                                       const char *path,
                                       gboolean *is_occupied)
{
  JmCgroupKernelReaderPrivate *priv = get_private (JM_CGROUP_READER (self));
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  gboolean is_there = FALSE;

  *is_occupied = FALSE;
  for (guint i = 0; i < priv->hierarchies.n_mounts && !*is_occupied; i++)
    {
      g_autofree char *dir = jm_cgroup_mounts_join (priv->hierarchies.mounts[i], path);
      g_autofree char *list = g_strconcat (dir, "/cgroup.procs", NULL);
      char first[16];
      gssize length = jm_host_read (host, list, first, sizeof first, NULL);

      is_there |= length >= 0;
      *is_occupied = length > 0;
    }

  return is_there;
}

static guint
jm_cgroup_kernel_reader_open_cgroup (JmCgroupReader *reader,
                                     const char *path,
                                     JmSubjectKind level,
                                     GError **error)
{
  JmCgroupKernelReaderPrivate *priv = get_private (reader);
  gpointer cgroup =
    JM_CGROUP_KERNEL_READER_GET_CLASS (reader)->open_record (JM_CGROUP_KERNEL_READER (
                                                               reader),
                                                             path, level, error);
  Slot *slot;

  if (cgroup == NULL)
    return 0;

  slot = g_new (Slot, 1);
  *slot = (Slot){ .cgroup = cgroup,
                  .path = g_strdup (path),
                  .events_watch = watch_events (priv, path),
                  .cpu = JM_FILE_INIT };
  if (priv->balances != NULL && level == JM_SUBJECT_KIND_JOB)
    slot->child = jm_cgroup_balances_add (priv->balances, path);

  return jm_cgroup_slots_add (priv->slots, slot);
}

static void
jm_cgroup_kernel_reader_close_cgroup (JmCgroupReader *reader, guint number)
{
  JmCgroupKernelReaderPrivate *priv = get_private (reader);
  g_autofree Slot *slot = jm_cgroup_slots_take (priv->slots, number);

  if (slot == NULL)
    return;

  jm_cgroup_watch_remove (priv->watch, slot->events_watch);
  jm_cgroup_watch_remove_process (priv->watch, slot->path);
  if (slot->child != NULL)
    jm_cgroup_balances_remove (priv->balances, slot->child);
  g_free (slot->path);
  if (slot->cpu.name != NULL)
    jm_file_close (&slot->cpu);
  JM_CGROUP_KERNEL_READER_GET_CLASS (reader)->free_record (slot->cgroup);
}

/* A hierarchy may have had no such directory when what is in it now was listed in
 * another one. */
static void
expect_children (JmCgroupKernelReaderPrivate *priv, const char *path, GHashTable *names)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      g_autofree char *child = jm_cgroup_mounts_get_child (path, name);

      jm_cgroup_watch_expect (priv->watch, child);
    }
}

/* Returns 0, or a negative `errno`, with @error. */
static int
list_in_hierarchy (JmCgroupKernelReaderPrivate *priv,
                   JmHost *host,
                   const char *mount,
                   const char *path,
                   GHashTable *names,
                   GError **error)
{
  g_autofree char *dir = jm_cgroup_mounts_join (mount, path);
  gboolean is_new = jm_cgroup_watch_add_directory (priv->watch, mount, path);
  int result = jm_cgroup_mounts_list_children (host, dir, priv->context.live, names);

  if (result < 0)
    jm_cgroup_mounts_set_error (host, dir, result, error);
  else if (is_new)
    expect_children (priv, path, names);

  return result;
}

static char **
jm_cgroup_kernel_reader_list_children (JmCgroupReader *reader,
                                       const char *path,
                                       GError **error)
{
  JmCgroupKernelReaderPrivate *priv = get_private (reader);
  JmHost *host = jm_source_get_host (JM_SOURCE (reader));
  g_autoptr (GHashTable) names =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) missing = NULL;
  gboolean found = FALSE;

  for (guint i = 0; i < priv->hierarchies.n_mounts; i++)
    {
      g_clear_error (&missing);
      if (list_in_hierarchy (priv, host, priv->hierarchies.mounts[i], path, names,
                             &missing) == 0)
        {
          found = TRUE;
          continue;
        }
      if (g_error_matches (missing, JM_ERROR, JM_ERROR_ABSENT))
        continue;

      g_propagate_error (error, g_steal_pointer (&missing));
      return NULL;
    }

  /* a path need not be in every hierarchy */
  if (found)
    return jm_cgroup_mounts_steal_names (names);

  g_propagate_error (error, g_steal_pointer (&missing));

  return NULL;
}

static char **
jm_cgroup_kernel_reader_take_changes (JmCgroupReader *reader)
{
  return jm_cgroup_watch_take (get_private (reader)->watch);
}

void
jm_cgroup_kernel_reader_find_times (JmCgroupReader *reader,
                                    const char *path,
                                    gint64 *born_us,
                                    gint64 *died_us)
{
  *born_us = *died_us = 0;
  if (JM_IS_CGROUP_KERNEL_READER (reader))
    jm_cgroup_watch_find_times (get_private (reader)->watch, path, born_us, died_us);
}

static int
jm_cgroup_kernel_reader_get_event_fd (JmCgroupReader *reader)
{
  return jm_cgroup_watch_get_fd (get_private (reader)->watch);
}

static guint64
jm_cgroup_kernel_reader_get_inode (JmCgroupReader *reader,
                                   const char *path,
                                   guint hierarchy)
{
  JmCgroupKernelReaderPrivate *priv = get_private (reader);

  if (hierarchy >= priv->hierarchies.n_mounts)
    return 0;

  return jm_cgroup_mounts_get_inode (jm_source_get_host (JM_SOURCE (reader)),
                                     priv->hierarchies.mounts[hierarchy], path);
}

/* Who owns the files of a copied tree says nothing of the machine. */
static guint
jm_cgroup_kernel_reader_get_owner (JmCgroupReader *reader, const char *path)
{
  JmCgroupKernelReaderPrivate *priv = get_private (reader);
  JmHost *host = jm_source_get_host (JM_SOURCE (reader));
  guint uid = 0;

  if (!jm_cgroup_watch_is_live (priv->watch))
    return 0;

  for (guint i = 0; i < priv->hierarchies.n_mounts && uid == 0; i++)
    {
      g_autofree char *dir = jm_cgroup_mounts_join (priv->hierarchies.mounts[i], path);

      jm_host_get_owner (host, dir, &uid, NULL);
    }

  return uid;
}

static void
cgroup_reader_iface_init (JmCgroupReaderInterface *iface)
{
  iface->list_children = jm_cgroup_kernel_reader_list_children;
  iface->take_changes = jm_cgroup_kernel_reader_take_changes;
  iface->get_event_fd = jm_cgroup_kernel_reader_get_event_fd;
  iface->get_inode = jm_cgroup_kernel_reader_get_inode;
  iface->get_owner = jm_cgroup_kernel_reader_get_owner;
  iface->open_cgroup = jm_cgroup_kernel_reader_open_cgroup;
  iface->read = jm_cgroup_kernel_reader_read;
  iface->list_processes = jm_cgroup_kernel_reader_list_processes;
  iface->note_processes = jm_cgroup_kernel_reader_note_processes;
  iface->close_cgroup = jm_cgroup_kernel_reader_close_cgroup;
}

static void
jm_cgroup_kernel_reader_get_property (GObject *object,
                                      guint id,
                                      GValue *value,
                                      GParamSpec *pspec)
{
  if (id == PROP_MEMORY_STAT_INTERVAL)
    g_value_set_uint (value, get_private (object)->context.memory_stat_interval_ms);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
jm_cgroup_kernel_reader_set_property (GObject *object,
                                      guint id,
                                      const GValue *value,
                                      GParamSpec *pspec)
{
  if (id == PROP_MEMORY_STAT_INTERVAL)
    get_private (object)->context.memory_stat_interval_ms = g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* Before a subclass finalizes what its cgroups still use. */
static void
jm_cgroup_kernel_reader_dispose (GObject *object)
{
  JmCgroupKernelReaderPrivate *priv = get_private (object);

  for (guint i = 1; i <= priv->slots->len; i++)
    jm_cgroup_kernel_reader_close_cgroup (JM_CGROUP_READER (object), i);

  G_OBJECT_CLASS (jm_cgroup_kernel_reader_parent_class)->dispose (object);
}

static void
jm_cgroup_kernel_reader_finalize (GObject *object)
{
  JmCgroupKernelReaderPrivate *priv = get_private (object);

  g_ptr_array_unref (priv->slots);
  g_clear_pointer (&priv->balances, jm_cgroup_balances_free);
  g_clear_pointer (&priv->watch, jm_cgroup_watch_free);
  jm_cgroup_context_close (&priv->context);

  G_OBJECT_CLASS (jm_cgroup_kernel_reader_parent_class)->finalize (object);
}

static void
jm_cgroup_kernel_reader_class_init (JmCgroupKernelReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = jm_cgroup_kernel_reader_get_property;
  object_class->set_property = jm_cgroup_kernel_reader_set_property;
  object_class->dispose = jm_cgroup_kernel_reader_dispose;
  object_class->finalize = jm_cgroup_kernel_reader_finalize;

  /*
   * JmCgroupKernelReader:memory-stat-interval:
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
jm_cgroup_kernel_reader_init (JmCgroupKernelReader *self)
{
  get_private (self)->slots = g_ptr_array_new ();
}

void
jm_cgroup_kernel_reader_start (JmCgroupKernelReader *self,
                               const JmCgroupHierarchies *hierarchies)
{
  JmCgroupKernelReaderPrivate *priv = get_private (self);
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  gboolean live = FALSE;

  for (guint i = 0; i < hierarchies->n_mounts; i++)
    live = live || jm_cgroup_mounts_are_live (host, hierarchies->mounts[i]);

  priv->hierarchies = *hierarchies;
  jm_cgroup_context_open (&priv->context, host, hierarchies->hugetlb_names, live);
  priv->watch = jm_cgroup_watch_new (host, live);
}

JmCgroupContext *
jm_cgroup_kernel_reader_get_context (JmCgroupKernelReader *self)
{
  return &get_private (self)->context;
}
