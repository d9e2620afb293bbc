/* jm-cgroup-parse.c: what only cgroups' files look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-parse-private.h"

#include <string.h>

#define HUGEPAGES_PREFIX "hugepages-"
#define DEVICE_NAME_PREFIX "DEVNAME="

/* The CPUs of a list such as `0-3,8`, one after the other. */
typedef struct
{
  const char *cursor;
  const char *end;
  guint next;
  guint last;
} CpuWalk;

/* An empty list stands for every CPU that there can be. */
static CpuWalk
cpu_walk_begin (JmSlice list)
{
  if (list.length == 0)
    return (CpuWalk){ NULL, NULL, 0, JM_CPUS_MAX - 1 };

  return (CpuWalk){ list.text, list.text + list.length, 1, 0 };
}

static gboolean
cpu_walk_next (CpuWalk *self, guint *cpu)
{
  if (self->next > self->last)
    {
      guint first, last;

      if (self->cursor == NULL ||
          !jm_parse_next_cpu_range (&self->cursor, self->end, &first, &last))
        return FALSE;

      self->next = first;
      self->last = last;
    }

  *cpu = self->next++;
  return TRUE;
}

static gboolean
take_last_number (const char *cursor, const char *end, guint64 *value)
{
  return jm_parse_next_uint64 (&cursor, end, value) && cursor == end;
}

static JmCgroupBlkioOp
blkio_op (JmSlice word)
{
  if (jm_slice_equal (word, "Read"))
    return JM_CGROUP_BLKIO_READ;
  if (jm_slice_equal (word, "Write"))
    return JM_CGROUP_BLKIO_WRITE;

  return JM_CGROUP_BLKIO_OTHER;
}

/**
 * jm_cgroup_parse_blkio: (skip)
 * @line: one line, without its newline
 * @length: of @line
 * @entry: (out): what it says
 *
 * Reads a line of blkio.throttle.io_service_bytes or io_serviced, such as
 * `8:0 Read 4096`; the last line is the sum over all devices, `Total 4096`
 * (https://docs.kernel.org/admin-guide/cgroup-v1/blkio-controller.html).
 *
 * Returns: whether it was one
 */
gboolean
jm_cgroup_parse_blkio (const char *line, gsize length, JmCgroupBlkio *entry)
{
  const char *cursor = line;
  const char *end = line + length;
  JmCgroupBlkio found = { JM_CGROUP_BLKIO_OTHER };
  JmSlice word;

  if (!jm_parse_next_word (&cursor, end, &word))
    return FALSE;

  if (!jm_slice_equal (word, "Total"))
    {
      if (!jm_parse_device (word.text, word.length, &found.major, &found.minor) ||
          !jm_parse_next_word (&cursor, end, &word))
        return FALSE;

      found.op = blkio_op (word);
    }

  if (!take_last_number (cursor, end, &found.value))
    return FALSE;

  *entry = found;
  return TRUE;
}

/**
 * jm_cgroup_parse_pid: (skip)
 * @line: one line, without its newline
 * @length: of @line
 * @pid: (out): the process id; 0 for a process of another pid name space
 *
 * Reads a line of cgroup.procs.
 *
 * Returns: whether it was a process id
 */
gboolean
jm_cgroup_parse_pid (const char *line, gsize length, guint *pid)
{
  guint64 number;

  if (!jm_parse_uint64 (line, length, &number) || number > G_MAXINT32)
    return FALSE;

  *pid = (guint) number;
  return TRUE;
}

/**
 * jm_cgroup_parse_page_size: (skip)
 * @name: an entry of `/sys/kernel/mm/hugepages`, such as `hugepages-2048kB`
 * @label: (out caller-allocates): the size as names of hugetlb files have it: `2MB`
 *
 * Formats a size of huge pages
 * (https://docs.kernel.org/admin-guide/cgroup-v1/hugetlb.html).
 *
 * Returns: whether @name was one
 */
gboolean
jm_cgroup_parse_page_size (const char *name, char label[JM_CGROUP_PAGE_SIZE_MAX])
{
  const char *size, *end;
  guint64 kib;

  if (!g_str_has_prefix (name, HUGEPAGES_PREFIX))
    return FALSE;

  size = name + strlen (HUGEPAGES_PREFIX);
  if (!g_str_has_suffix (size, "kB"))
    return FALSE;

  end = size + strlen (size) - strlen ("kB");
  if (!take_last_number (size, end, &kib) || kib == 0)
    return FALSE;

  if (kib >= 1024 * 1024)
    g_snprintf (label, JM_CGROUP_PAGE_SIZE_MAX, "%" G_GUINT64_FORMAT "GB",
                kib / (1024 * 1024));
  else if (kib >= 1024)
    g_snprintf (label, JM_CGROUP_PAGE_SIZE_MAX, "%" G_GUINT64_FORMAT "MB", kib / 1024);
  else
    g_snprintf (label, JM_CGROUP_PAGE_SIZE_MAX, "%" G_GUINT64_FORMAT "KB", kib);

  return TRUE;
}

/**
 * jm_cgroup_parse_device_name: (skip)
 * @text: of `/sys/dev/block/MAJOR:MINOR/uevent`
 * @length: of @text
 * @name: (out): the device's name below `/dev`
 *
 * Finds the name of a block device.
 *
 * Returns: whether it has one
 */
gboolean
jm_cgroup_parse_device_name (const char *text, gsize length, JmSlice *name)
{
  const gsize skip = strlen (DEVICE_NAME_PREFIX);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + length, &line))
    if (line.length > skip && memcmp (line.text, DEVICE_NAME_PREFIX, skip) == 0)
      {
        *name = (JmSlice){ line.text + skip, line.length - skip };
        return TRUE;
      }

  return FALSE;
}

static gboolean
is_blank_to_end (const char *cursor, const char *end)
{
  while (cursor < end && (*cursor == ' ' || *cursor == '\n'))
    cursor++;

  return cursor == end;
}

/**
 * jm_cgroup_parse_percpu: (skip)
 * @text: the whole text
 * @length: of @text
 * @possible: the list of possible CPUs; empty where it is not known
 * @wanted: the list of CPUs to report in any case; empty for all
 * @func: called for each of these, and for each other one that was used
 * @user_data: for @func
 *
 * Reads cpuacct.usage_percpu: one number for each possible CPU, in their order
 * (https://docs.kernel.org/admin-guide/cgroup-v1/cpuacct.html). A number at the very
 * end may have been cut short, and is not taken.
 *
 * Returns: whether the text was sound; what was reported before is right in any case
 */
gboolean
jm_cgroup_parse_percpu (const char *text,
                        gsize length,
                        JmSlice possible,
                        JmSlice wanted,
                        JmCgroupPercpuFunc func,
                        gpointer user_data)
{
  CpuWalk possible_walk = cpu_walk_begin (possible);
  CpuWalk wanted_walk = cpu_walk_begin (wanted);
  const char *cursor = text;
  const char *end = text + length;
  guint64 value_ns;
  guint cpu, wanted_cpu;
  gboolean more = cpu_walk_next (&wanted_walk, &wanted_cpu);

  while (jm_parse_next_uint64 (&cursor, end, &value_ns) && cursor < end)
    {
      if (!cpu_walk_next (&possible_walk, &cpu))
        return FALSE;

      while (more && wanted_cpu < cpu)
        more = cpu_walk_next (&wanted_walk, &wanted_cpu);
      if (value_ns > 0 || (more && wanted_cpu == cpu))
        func (cpu, value_ns, user_data);
    }

  return cursor > text && is_blank_to_end (cursor, end);
}
