/* jmc-steps.c: a job's steps and tasks as a tree
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-job-tables.h"

#include <string.h>

#include "core/jm-figure.h"
#include "core/jm-format.h"

static const JmTextColumn columns[] = {
  { "STEP", JM_TEXT_ALIGN_LEFT },   { "CPU-TIME", JM_TEXT_ALIGN_RIGHT },
  { "MEM", JM_TEXT_ALIGN_RIGHT },   { "PEAK", JM_TEXT_ALIGN_RIGHT },
  { "PROCS", JM_TEXT_ALIGN_RIGHT },
};

/* The drawing before a name: of one with siblings after it, of the last one, and what
 * runs past the children of either. */
typedef struct
{
  const char *fork;
  const char *last;
  const char *past_fork;
  const char *past_last;
} Branches;

static const Branches *
get_branches (void)
{
  static const Branches drawn = { "├─ ", "└─ ", "│  ", "   " };
  static const Branches ascii = { "|- ", "`- ", "|  ", "   " };

  return g_get_charset (NULL) ? &drawn : &ascii;
}

/* Words such as batch before numbers, those as people count. */
static int
compare_names (const char *a, const char *b)
{
  gboolean is_number_a = g_ascii_isdigit (*a);
  gboolean is_number_b = g_ascii_isdigit (*b);
  guint64 number_a = g_ascii_strtoull (a, NULL, 10);
  guint64 number_b = g_ascii_strtoull (b, NULL, 10);

  if (is_number_a != is_number_b)
    return is_number_a ? 1 : -1;
  if (number_a != number_b)
    return number_a < number_b ? -1 : 1;

  return strcmp (a, b);
}

static const char *
get_name (JmSnapshot *snapshot, guint subject)
{
  return jm_snapshot_get_kind (snapshot, subject) == JM_SUBJECT_KIND_STEP
           ? jm_snapshot_get_step (snapshot, subject)
           : jm_snapshot_get_task (snapshot, subject);
}

static int
compare_subjects (gconstpointer a, gconstpointer b, gpointer snapshot)
{
  return compare_names (get_name (snapshot, *(const guint *) a),
                        get_name (snapshot, *(const guint *) b));
}

/* The subjects (guint) of a job's steps, or of a step's tasks. */
GArray *
jmc_steps_list (JmSnapshot *snapshot, guint parent)
{
  GArray *children = g_array_new (FALSE, FALSE, sizeof (guint));
  JmSubjectKind level = jm_snapshot_get_kind (snapshot, parent);

  for (guint i = parent + 1; i < jm_snapshot_get_n_subjects (snapshot) &&
                             jm_snapshot_get_kind (snapshot, i) > level;
       i++)
    if (jm_snapshot_get_kind (snapshot, i) == level + 1)
      g_array_append_val (children, i);
  g_array_sort_with_data (children, compare_subjects, snapshot);

  return children;
}

static void
add_row (JmTextTable *table, JmSnapshot *snapshot, guint subject, char *name)
{
  static const struct
  {
    const char *name;
    JmFormat format;
  } figures[] = {
    { "cpu_seconds", JM_FORMAT_DURATION },
    { "memory_used_bytes", JM_FORMAT_BYTES },
    { "memory_peak_bytes", JM_FORMAT_BYTES },
    { "processes", JM_FORMAT_COUNT },
  };

  jm_text_table_take (table, name);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    jm_text_table_take (table, jm_figure_format (jm_figure_of_name (snapshot, subject,
                                                                    figures[i].name),
                                                 figures[i].format));
}

static void
add_children (JmTextTable *table,
              JmSnapshot *snapshot,
              guint parent,
              const char *margin)
{
  const Branches *branches = get_branches ();
  g_autoptr (GArray) children = jmc_steps_list (snapshot, parent);

  for (guint i = 0; i < children->len; i++)
    {
      guint child = g_array_index (children, guint, i);
      gboolean is_last = i + 1 == children->len;
      gboolean is_task = jm_snapshot_get_kind (snapshot, child) == JM_SUBJECT_KIND_TASK;
      g_autofree char *below =
        g_strconcat (margin, is_last ? branches->past_last : branches->past_fork, NULL);

      add_row (table, snapshot, child,
               g_strconcat (margin, is_last ? branches->last : branches->fork,
                            is_task ? "task " : "", get_name (snapshot, child), NULL));
      if (!is_task)
        add_children (table, snapshot, child, below);
    }
}

/* One row for each step of @job and each of their tasks; none where it has none. */
JmTextTable *
jmc_steps_make_table (JmSnapshot *snapshot, guint job)
{
  JmTextTable *table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  add_children (table, snapshot, job, "");

  return table;
}
