/* jm-memory-share.c: how much of a machine's memory is each socket's
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-estimate-parts-private.h"

#include "base/jm-parse-private.h"
#include "host/jm-topology-private.h"

#define NODE_DIR "/sys/devices/system/node"
#define TEXT_MAX (64 * 1024)

/* More than any machine has, and sums of it are still numbers. */
#define MAX_KIB (G_GUINT64_CONSTANT (1) << 50)

/* `Node 0 MemTotal:       65536000 kB` */
gboolean
jm_memory_share_parse (const char *text, gsize length, guint64 *kib)
{
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + length, &line))
    {
      const char *word_cursor = line.text;
      const char *end = line.text + line.length;
      JmSlice node, key;
      guint64 number;

      if (jm_parse_next_word (&word_cursor, end, &node) &&
          jm_slice_equal (node, "Node") &&
          jm_parse_next_uint64 (&word_cursor, end, &number) &&
          jm_parse_next_word (&word_cursor, end, &key) &&
          jm_slice_equal (key, "MemTotal:"))
        return jm_parse_next_uint64 (&word_cursor, end, kib) && *kib <= MAX_KIB;
    }

  return FALSE;
}

static char *
read_file (JmHost *host, const char *node, const char *name, gsize *length)
{
  g_autofree char *path = g_build_filename (NODE_DIR, node, name, NULL);

  return jm_host_read_all (host, path, TEXT_MAX, length, NULL);
}

static gboolean
find_package (const GArray *seats, guint cpu, guint64 *package)
{
  for (guint i = 0; i < seats->len; i++)
    if (g_array_index (seats, JmCpuSeat, i).cpu == cpu)
      {
        *package = g_array_index (seats, JmCpuSeat, i).package;
        return TRUE;
      }

  return FALSE;
}

/* A node's CPUs are all of one package. */
static gboolean
read_package (JmHost *host, const char *node, const GArray *seats, guint64 *package)
{
  gsize length;
  g_autofree char *text = read_file (host, node, "cpulist", &length);
  const char *cursor = text;
  guint first, last;

  return text != NULL &&
         jm_parse_next_cpu_range (&cursor, text + length, &first, &last) &&
         find_package (seats, first, package);
}

/* FALSE where a node does not say how much it has: then no part is known. */
static gboolean
add_node (JmHost *host,
          const char *node,
          const GArray *seats,
          const guint64 *packages,
          guint n_packages,
          double *shares)
{
  gsize length;
  g_autofree char *text = read_file (host, node, "meminfo", &length);
  guint64 kib, package;

  if (text == NULL || !jm_memory_share_parse (text, length, &kib))
    return FALSE;
  if (!read_package (host, node, seats, &package))
    return TRUE;

  for (guint i = 0; i < n_packages; i++)
    if (packages[i] == package)
      shares[i] += (double) kib;

  return TRUE;
}

static gboolean
is_node (const char *name)
{
  return g_str_has_prefix (name, "node") && g_ascii_isdigit (name[strlen ("node")]);
}

static void
make_parts (double *shares, guint n, gboolean is_known)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += shares[i];
  for (guint i = 0; i < n; i++)
    shares[i] = is_known && sum > 0 ? shares[i] / sum : 1.0 / n;
}

void
jm_memory_share_read (JmHost *host,
                      const GArray *seats,
                      const guint64 *packages,
                      guint n_packages,
                      double *shares)
{
  g_auto (GStrv) names = jm_host_list_dir (host, NODE_DIR, NULL);
  gboolean is_known = TRUE;

  for (guint i = 0; i < n_packages; i++)
    shares[i] = 0;
  for (char **name = names; name != NULL && *name != NULL; name++)
    if (is_node (*name))
      is_known =
        add_node (host, *name, seats, packages, n_packages, shares) && is_known;
  make_parts (shares, n_packages, is_known);
}
