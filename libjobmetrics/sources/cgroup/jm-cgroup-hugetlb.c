/* jm-cgroup-hugetlb.c: the hugetlb controller's files, by page size
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-context-private.h"

#include "sources/cgroup/jm-cgroup-parse-private.h"

/* One file of one page size. */
typedef struct
{
  char *name;
  JmLabels *labels; /* the page size; not owned */
  JmMetric metric;
  void (*add) (JmCgroupFile *file,
               JmCgroupSweep *sweep,
               JmMetric metric,
               JmLabels *labels);
} Entry;

struct _JmCgroupHugetlb
{
  GPtrArray *page_sizes; /* of JmLabels */
  GArray *entries;       /* of Entry */
};

static void
entry_clear (gpointer entry)
{
  g_free (((Entry *) entry)->name);
}

static void
add_events (JmCgroupFile *file, JmCgroupSweep *sweep, JmMetric metric, JmLabels *labels)
{
  static const JmFlatKey keys[] = { JM_FLAT_KEY ("max") };
  const JmCgroupFigure figures[] = { { metric, 1 } };

  jm_cgroup_file_add_keys (file, sweep, keys, figures, G_N_ELEMENTS (keys), labels);
}

static void
add_page_size (JmCgroupHugetlb *self,
               const char *size,
               const JmCgroupHugetlbNames *names)
{
  const struct
  {
    const char *suffix;
    Entry entry;
  } kinds[] = {
    { names->used,
      { .metric = JM_METRIC_HUGETLB_USED, .add = jm_cgroup_file_add_number } },
    { names->peak,
      { .metric = JM_METRIC_HUGETLB_PEAK, .add = jm_cgroup_file_add_number } },
    { names->limit,
      { .metric = JM_METRIC_HUGETLB_LIMIT, .add = jm_cgroup_file_add_limit } },
    { names->events, { .metric = JM_METRIC_HUGETLB_FAILURES, .add = add_events } },
  };

  JmLabels *labels = jm_labels_of (size, NULL);

  g_ptr_array_add (self->page_sizes, labels);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      Entry entry = kinds[i].entry;

      if (kinds[i].suffix == NULL)
        continue;

      entry.name = g_strdup_printf ("hugetlb.%s.%s", size, kinds[i].suffix);
      entry.labels = labels;
      g_array_append_val (self->entries, entry);
    }
}

/* A host without huge pages has no page sizes, and that is no error. */
JmCgroupHugetlb *
jm_cgroup_hugetlb_new (JmHost *host, const JmCgroupHugetlbNames *names)
{
  JmCgroupHugetlb *self = g_new0 (JmCgroupHugetlb, 1);
  g_auto (GStrv) folders = jm_host_list_dir (host, "/sys/kernel/mm/hugepages", NULL);
  char size[JM_CGROUP_PAGE_SIZE_MAX];

  self->page_sizes = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_labels_unref);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, entry_clear);

  for (guint i = 0; folders != NULL && folders[i] != NULL; i++)
    if (jm_cgroup_parse_page_size (folders[i], size))
      add_page_size (self, size, names);

  return self;
}

void
jm_cgroup_hugetlb_free (JmCgroupHugetlb *self)
{
  g_array_unref (self->entries);
  g_ptr_array_unref (self->page_sizes);
  g_free (self);
}

JmLabels *
jm_cgroup_hugetlb_get_page_size (JmCgroupHugetlb *self, guint i)
{
  return i < self->page_sizes->len ? g_ptr_array_index (self->page_sizes, i) : NULL;
}

/* How many files a cgroup has. */
guint
jm_cgroup_hugetlb_get_n_files (JmCgroupHugetlb *self)
{
  return self->entries->len;
}

/* Adds the figures of a cgroup. */
void
jm_cgroup_hugetlb_read (JmCgroupHugetlb *self,
                        JmCgroupFile *files,
                        const JmDir *dir,
                        JmCgroupSweep *sweep)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      if (jm_cgroup_file_open (&files[i], sweep, dir, entry->name))
        entry->add (&files[i], sweep, entry->metric, entry->labels);
    }
}
