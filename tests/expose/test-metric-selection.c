/* test-metric-selection.c: which metrics are shown, by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-metric-private.h"
#include "core/jm-subject-private.h"
#include "expose/jm-metric-selection-private.h"
#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

#define MAX_LABELS 8

static void
add_metric (JmSnapshotBuilder *builder, JmMetric metric)
{
  guint n_labels = jm_metric_get_info (metric)->n_labels;
  const char *values[MAX_LABELS + 1] = { NULL };
  g_autoptr (JmLabels) labels = NULL;

  if (n_labels == 0)
    {
      jm_snapshot_builder_add (builder, metric, 1);
      return;
    }

  g_assert_cmpuint (n_labels, <=, MAX_LABELS);
  for (guint i = 0; i < n_labels; i++)
    values[i] = "x";
  labels = jm_labels_new (values);
  jm_snapshot_builder_add_labels (builder, metric, labels, 1);
}

/* All that can be known of the subject at hand. */
static void
add_all_metrics (JmSnapshotBuilder *builder, JmSubjectKind kind)
{
  for (JmMetric metric = 0; metric < JM_N_METRICS; metric++)
    if (jm_metric_is_about (metric, kind))
      add_metric (builder, metric);
}

static JmSnapshot *
make_snapshot (void)
{
  static const JmSubjectKind parts[] = { JM_SUBJECT_KIND_SYSTEM, JM_SUBJECT_KIND_IDLE,
                                         JM_SUBJECT_KIND_GRID };
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) job = jm_test_job_new ("1", NULL);

  add_all_metrics (builder, JM_SUBJECT_KIND_NODE);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      jm_snapshot_builder_add_part (builder, parts[i]);
      add_all_metrics (builder, parts[i]);
    }
  jm_snapshot_builder_add_job (builder, job);
  add_all_metrics (builder, JM_SUBJECT_KIND_JOB);
  jm_snapshot_builder_add_step (builder, "0");
  add_all_metrics (builder, JM_SUBJECT_KIND_STEP);
  jm_snapshot_builder_add_task (builder, "0");
  add_all_metrics (builder, JM_SUBJECT_KIND_TASK);

  return jm_snapshot_builder_end (builder);
}

/* --- the names in a document --- */

static GHashTable *
make_names (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static gboolean
is_metric (const char *name)
{
  for (JmSubjectKind kind = 0; kind < JM_N_SUBJECT_KINDS; kind++)
    {
      const char *prefix = jm_subject_kind_get_prefix (kind);
      JmMetric metric;

      if (g_str_has_prefix (name, prefix) &&
          jm_metric_from_name (name + strlen (prefix), kind, &metric))
        return TRUE;
    }

  return FALSE;
}

/* Not those that JSON has elsewhere, such as how collectors fared. */
static GHashTable *
find_names_in_text (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GHashTable *names = make_names ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (lines[i], strcspn (lines[i], "{ "));

      if (is_metric (name))
        g_hash_table_add (names, g_steal_pointer (&name));
    }

  return names;
}

static void
add_names_of (GHashTable *names,
              JsonObject *object,
              const char *member,
              JmSubjectKind kind)
{
  g_autoptr (GList) members = NULL;

  if (!json_object_has_member (object, member))
    return;

  members = json_object_get_members (json_object_get_object_member (object, member));
  for (GList *i = members; i != NULL; i = i->next)
    g_hash_table_add (names,
                      g_strconcat (jm_subject_kind_get_prefix (kind), i->data, NULL));
}

static JsonObject *
get_first (JsonObject *object, const char *list)
{
  return json_array_get_object_element (json_object_get_array_member (object, list), 0);
}

static GHashTable *
find_names_in_json (JsonNode *node)
{
  GHashTable *names = make_names ();
  JsonObject *root = json_node_get_object (node);
  JsonObject *job = get_first (root, "jobs");
  JsonObject *step = get_first (job, "steps");

  add_names_of (names, root, "node", JM_SUBJECT_KIND_NODE);
  add_names_of (names, root, "system", JM_SUBJECT_KIND_SYSTEM);
  add_names_of (names, root, "idle", JM_SUBJECT_KIND_IDLE);
  add_names_of (names, root, "grid", JM_SUBJECT_KIND_GRID);
  add_names_of (names, job, "metrics", JM_SUBJECT_KIND_JOB);
  add_names_of (names, step, "metrics", JM_SUBJECT_KIND_STEP);
  add_names_of (names, get_first (step, "tasks"), "metrics", JM_SUBJECT_KIND_TASK);

  return names;
}

static void
check_same (GHashTable *these, GHashTable *those)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, these);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (those, name))
      g_error ("%s is in one format alone", (const char *) name);

  g_assert_cmpuint (g_hash_table_size (these), ==, g_hash_table_size (those));
}

/* Returns how many metrics each format has. */
static guint
check_formats_agree (const char *include, const char *exclude)
{
  const char *const includes[] = { include, NULL };
  const char *const excludes[] = { exclude, NULL };
  g_autoptr (JmMetricSelection) selection =
    jm_metric_selection_new (includes, excludes);
  g_autoptr (JmSnapshot) snapshot = make_snapshot ();
  g_autoptr (JsonNode) json = jm_json_encode_snapshot (snapshot, selection);
  g_autoptr (GHashTable) names = find_names_in_json (json);
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();

  jm_text_encoder_set_selection (encoder, selection);
  for (JmTextFormat i = JM_TEXT_FORMAT_PROMETHEUS; i <= JM_TEXT_FORMAT_OPENMETRICS; i++)
    {
      g_autofree char *text = jm_text_encoder_to_string (encoder, snapshot, i);
      g_autoptr (GHashTable) shown = find_names_in_text (text);

      check_same (shown, names);
    }

  return g_hash_table_size (names);
}

/* --- situations --- */

static void
test_text_and_json_show_the_same (void)
{
  guint all = check_formats_agree (NULL, NULL);
  guint of_jobs = check_formats_agree ("jobmetrics_job_*", NULL);
  guint others = check_formats_agree (NULL, "jobmetrics_job_*");

  g_assert_cmpuint (of_jobs, >, 0);
  g_assert_cmpuint (of_jobs + others, ==, all);
  g_assert_cmpuint (check_formats_agree ("*_energy_joules_total", "*_idle_*"), >, 0);
  g_assert_cmpuint (check_formats_agree ("*_emission_factor_*", NULL), >, 0);
  g_assert_cmpuint (check_formats_agree ("jobmetrics_job_cpus", NULL), ==, 1);
  g_assert_cmpuint (check_formats_agree ("jobmetrics_job_info", NULL), ==, 0);
}

static void
test_what_is_excluded_is_so_whatever_includes_it (void)
{
  const char *const include[] = { "jobmetrics_job_*", NULL };
  const char *const exclude[] = { "*_memory_*", NULL };
  g_autoptr (JmMetricSelection) selection = jm_metric_selection_new (include, exclude);

  g_assert_true (
    jm_metric_selection_has_metric (selection, JM_SUBJECT_KIND_JOB, JM_METRIC_CPUS));
  g_assert_false (jm_metric_selection_has_metric (selection, JM_SUBJECT_KIND_JOB,
                                                  JM_METRIC_MEMORY_USED));
  g_assert_false (jm_metric_selection_has_metric (selection, JM_SUBJECT_KIND_STEP,
                                                  JM_METRIC_CPU_TOTAL));
}

static void
test_a_metric_is_never_selected_of_what_it_is_not_about (void)
{
  g_autoptr (JmMetricSelection) selection = jm_metric_selection_new (NULL, NULL);

  g_assert_true (jm_metric_selection_has_metric (selection, JM_SUBJECT_KIND_NODE,
                                                 JM_METRIC_NODE_CPUS));
  g_assert_false (jm_metric_selection_has_metric (selection, JM_SUBJECT_KIND_JOB,
                                                  JM_METRIC_NODE_CPUS));
}

static void
test_names_of_others_pass_as_patterns_say (void)
{
  const char *const include[] = { "jobmetrics_job_*", "process_*", NULL };
  g_autoptr (JmMetricSelection) selection = jm_metric_selection_new (include, NULL);

  g_assert_true (jm_metric_selection_has_name (selection, "jobmetrics_job_energy"));
  g_assert_true (jm_metric_selection_has_name (selection, "process_cpu_seconds_total"));
  g_assert_false (jm_metric_selection_has_name (selection, "jobmetrics_build_info"));
}

static void
test_patterns_that_match_nothing_are_found_out (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_metric_selection_check_pattern ("*", NULL));
  g_assert_true (jm_metric_selection_check_pattern ("jobmetrics_job_info", NULL));
  g_assert_true (jm_metric_selection_check_pattern ("jobmetrics_task_cpu_*", NULL));
  g_assert_false (jm_metric_selection_check_pattern ("jobmetrics_jbo_*", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "jobmetrics_jbo_*"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/metric-selection/text-and-json-show-the-same",
                   test_text_and_json_show_the_same);
  g_test_add_func ("/metric-selection/what-is-excluded-is-so-whatever-includes-it",
                   test_what_is_excluded_is_so_whatever_includes_it);
  g_test_add_func ("/metric-selection/"
                   "a-metric-is-never-selected-of-what-it-is-not-about",
                   test_a_metric_is_never_selected_of_what_it_is_not_about);
  g_test_add_func ("/metric-selection/names-of-others-pass-as-patterns-say",
                   test_names_of_others_pass_as_patterns_say);
  g_test_add_func ("/metric-selection/patterns-that-match-nothing-are-found-out",
                   test_patterns_that_match_nothing_are_found_out);

  return g_test_run ();
}
