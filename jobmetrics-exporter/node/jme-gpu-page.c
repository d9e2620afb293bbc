/* jme-gpu-page.c: accelerators of the node, and of its jobs, on the node's page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-gpu-page.h"

#include "report/jm-derived-gpus.h"
#include "report/jm-gpu-columns-private.h"
#include "report/jm-job-id.h"
#include "web/jme-html.h"

static void
append_titles (GString *out, JmSubjectKind kind)
{
  guint n;
  const JmGpuColumn *columns = jm_gpu_columns_get (kind, &n);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (out, "<th scope=\"col\"%s title=\"",
                              columns[i].is_figure ? " class=\"number\"" : "");
      jme_html_append_escaped (out, columns[i].help);
      g_string_append (out, "\">");
      jme_html_append_escaped (out, columns[i].title);
      g_string_append (out, "</th>");
    }
  g_string_append (out, "</tr>\n");
}

static void
append_cells (GString *out, JmSnapshot *snapshot, JmSubjectKind kind, guint subject)
{
  guint n;
  const JmGpuColumn *columns = jm_gpu_columns_get (kind, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = columns[i].format (snapshot, subject);

      if (columns[i].is_figure)
        jme_html_append_number_cell (out, text);
      else
        jme_html_append_cell (out, text);
    }
  g_string_append (out, "</tr>\n");
}

static void
append_devices (GString *out, JmSnapshot *snapshot, GArray *gpus)
{
  g_string_append (out, "<h2>Accelerators</h2>\n");
  jme_html_begin_table (out, "accelerators", "Accelerators of this node");
  g_string_append (out, "<tr>");
  append_titles (out, JM_SUBJECT_KIND_GPU);
  for (guint i = 0; i < gpus->len; i++)
    {
      g_string_append (out, "<tr>");
      append_cells (out, snapshot, JM_SUBJECT_KIND_GPU, g_array_index (gpus, guint, i));
    }
  jme_html_end_table (out);
}

static void
append_part (GString *out, JmSnapshot *snapshot, guint part)
{
  guint job = jm_snapshot_get_parent (snapshot, part);
  g_autofree char *id = jm_job_format_id (jm_snapshot_get_job (snapshot, part));

  g_string_append (out, jm_snapshot_get_end_time (snapshot, job) != 0
                          ? "<tr class=\"ended\">"
                          : "<tr>");
  jme_html_append_cell (out, id);
  append_cells (out, snapshot, JM_SUBJECT_KIND_JOB_GPU, part);
}

static void
append_parts (GString *out, JmSnapshot *snapshot)
{
  guint part;

  if (!jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_JOB_GPU, &part))
    return;

  g_string_append (out, "<h2>What jobs have of them</h2>\n");
  jme_html_begin_table (out, "shares", "Jobs and their accelerators");
  g_string_append (out, "<tr><th scope=\"col\" title=\"The scheduler's job "
                        "id.\">JOBID</th>");
  append_titles (out, JM_SUBJECT_KIND_JOB_GPU);
  for (; part < jm_snapshot_get_n_subjects (snapshot); part++)
    if (jm_snapshot_get_kind (snapshot, part) == JM_SUBJECT_KIND_JOB_GPU)
      append_part (out, snapshot, part);
  jme_html_end_table (out);
}

/* Nothing of a node that has none. */
void
jme_gpu_page_append (GString *out, JmSnapshot *snapshot)
{
  g_autoptr (GArray) gpus = jm_derived_list_gpu_tree (snapshot);

  if (gpus->len > 0)
    append_devices (out, snapshot, gpus);
  append_parts (out, snapshot);
}
