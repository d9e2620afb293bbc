/* list-jobs.c: list-jobs [ROOT]: the jobs of this node, or of a copied tree
 *
 * cc list-jobs.c $(pkg-config --cflags --libs jobmetrics-1.0)
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: MIT
 */

#include <jobmetrics.h>

static void
print_job (JmSnapshot *snapshot, guint subject)
{
  const JmQuantity *cpu = jm_quantity_of_subject (JM_SUBJECT_KIND_JOB, "cpu_seconds");
  JmJob *job = jm_snapshot_get_job (snapshot, subject);
  const char *user = jm_job_get_user (job);
  double seconds;

  g_print ("%s %s", jm_job_get_id (job), user != NULL ? user : "-");
  if (jm_snapshot_get_value (snapshot, subject, cpu, &seconds))
    g_print (" %.2f s", seconds);
  g_print ("\n");
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new (argc > 1 ? argv[1] : NULL);
  g_autoptr (JmNode) node = jm_node_new_full (host, &error);
  g_autoptr (JmSnapshot) snapshot = NULL;

  if (node != NULL)
    snapshot = jm_node_sample (node, NULL, &error);
  if (snapshot == NULL)
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB)
      print_job (snapshot, i);

  return 0;
}
