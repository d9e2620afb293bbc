/* jmc-affinity.c: which CPUs a command may use
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-affinity.h"

#include <string.h>

#include "base/jm-parse-private.h"

#define MAX_TEXT (1 << 20)
#define KEY "Cpus_allowed_list:"

/* The CPUs in the text of /proc/PID/status, as the kernel lists them, and how many
 * these are; NULL where it does not say. */
char *
jmc_affinity_parse (const char *status, guint *n_cpus)
{
  const char *line = strstr (status, "\n" KEY);
  g_autofree char *list = NULL;

  if (line == NULL)
    return NULL;

  line += strlen ("\n" KEY);
  list = g_strstrip (g_strndup (line, strcspn (line, "\n")));
  if (!jm_parse_cpu_count (list, strlen (list), n_cpus) || *n_cpus == 0)
    return NULL;

  return g_steal_pointer (&list);
}

/* Ours, which the command has from us. */
char *
jmc_affinity_read (JmHost *host, guint *n_cpus)
{
  gsize length;
  g_autofree char *text =
    jm_host_read_all (host, "/proc/self/status", MAX_TEXT, &length, NULL);

  return text != NULL ? jmc_affinity_parse (text, n_cpus) : NULL;
}
