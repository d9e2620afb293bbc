/* jm-dialect-family.c: one metric family of a dialect
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-dialect-family-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error-private.h"
#include "core/jm-key-file-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-subject-private.h"

#define MAX_LABELS 32

static const char *const kind_names[JM_N_SUBJECT_KINDS] = {
  [JM_SUBJECT_KIND_NODE] = "node",
  [JM_SUBJECT_KIND_SYSTEM] = "system",
  [JM_SUBJECT_KIND_IDLE] = "idle",
  [JM_SUBJECT_KIND_GRID] = "grid",
  [JM_SUBJECT_KIND_JOB] = "job",
  [JM_SUBJECT_KIND_STEP] = "step",
  [JM_SUBJECT_KIND_TASK] = "task",
  [JM_SUBJECT_KIND_GPU] = "gpu",
  [JM_SUBJECT_KIND_JOB_GPU] = "job_gpu",
  [JM_SUBJECT_KIND_LEDGER] = "ledger",
  [JM_SUBJECT_KIND_CLUSTER] = "cluster",
  [JM_SUBJECT_KIND_PARTITION] = "partition",
  [JM_SUBJECT_KIND_ACCOUNT] = "account",
  [JM_SUBJECT_KIND_USER] = "user",
  [JM_SUBJECT_KIND_CLUSTER_NODE] = "cluster_node",
  [JM_SUBJECT_KIND_SCHEDULER] = "scheduler",
  [JM_SUBJECT_KIND_ASSOCIATION] = "association",
};
static const char *const combine_names[] = { "first", "sum", "difference", "ratio",
                                             "product" };
static const char *const type_names[] = { "gauge", "counter", "untyped",
                                          "updowncounter" };
static const JmFamilyKind types[] = { JM_FAMILY_KIND_GAUGE, JM_FAMILY_KIND_COUNTER,
                                      JM_FAMILY_KIND_UNTYPED, JM_FAMILY_KIND_GAUGE };

/* Units of UCUM, and the words that names for Prometheus end in. */
static const struct
{
  const char *ucum;
  const char *word;
} units[] = {
  { "s", "seconds" }, { "By", "bytes" },    { "J", "joules" }, { "W", "watts" },
  { "g", "grams" },   { "Cel", "celsius" }, { "Hz", "hertz" }, { "1", "ratio" },
};

static void
condition_clear (gpointer condition)
{
  JmDialectCondition *self = condition;

  g_free (self->label);
  g_clear_pointer (&self->pattern, g_pattern_spec_free);
}

static void
label_clear (gpointer label)
{
  JmDialectLabel *self = label;

  g_free (self->name);
  g_free (self->attribute);
  g_clear_pointer (&self->value, jm_label_template_free);
}

static void
family_clear (gpointer data)
{
  JmDialectFamily *self = data;

  g_free (self->name);
  g_free (self->instrument);
  g_free (self->unit);
  g_free (self->help);
  for (guint i = 0; i < JM_DIALECT_MAX_SOURCES; i++)
    {
      g_clear_pointer (&self->sources[i].conditions, g_array_unref);
      g_free (self->sources[i].word);
    }
  g_array_unref (self->conditions);
  g_array_unref (self->labels);
  g_clear_pointer (&self->words, g_ptr_array_unref);
  g_clear_pointer (&self->value, jm_label_template_free);
}

void
jm_dialect_family_unref (JmDialectFamily *self)
{
  g_atomic_rc_box_release_full (self, family_clear);
}

static gboolean
find (const char *const *names, guint n, const char *name, guint *number)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (names[i], name))
      {
        *number = i;
        return TRUE;
      }

  return FALSE;
}

gboolean
jm_dialect_kind_from_name (const char *name, JmSubjectKind *kind)
{
  guint number;

  if (!find (kind_names, JM_N_SUBJECT_KINDS, name, &number))
    return FALSE;
  *kind = (JmSubjectKind) number;

  return TRUE;
}

/* --- names that Prometheus takes --- */

static gboolean
is_name (const char *text, const char *extra)
{
  if (g_ascii_isdigit (*text) || *text == '\0')
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && *text != '_' && strchr (extra, *text) == NULL)
      return FALSE;

  return TRUE;
}

gboolean
jm_dialect_is_label_name (const char *text)
{
  return is_name (text, "") && !g_str_has_prefix (text, "__");
}

/* --- names of OpenTelemetry --- */

/* What Prometheus is given: anything but a letter or a digit is a low line. */
static char *
make_name (const char *text)
{
  return g_strcanon (g_strdup (text), G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS, '_');
}

static const char *
find_unit_word (const char *ucum)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (units[i].ucum, ucum))
      return units[i].word;

  return NULL;
}

static const char *
find_ucum (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_strcmp0 (units[i].word, word) == 0)
      return units[i].ucum;

  return NULL;
}

const char *
jm_dialect_find_unit_in_name (const char *name)
{
  g_auto (GStrv) words = g_strsplit (name, "_", -1);
  guint n = g_strv_length (words);
  const char *unit;

  if (n > 0 && g_str_equal (words[n - 1], "total"))
    n--;
  unit = n > 0 ? find_ucum (words[n - 1]) : NULL;

  return unit != NULL ? unit : "";
}

/* `process.cpu.time` of seconds, a counter, is `process_cpu_time_seconds_total`: see
 * https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/ */
static void
rename_for_prometheus (JmDialectFamily *self)
{
  g_autofree char *name = make_name (self->name);
  const char *word = find_unit_word (self->unit);
  gboolean is_counter = self->kind == JM_FAMILY_KIND_COUNTER;
  gboolean has_word = word != NULL && !g_str_has_suffix (name, word);

  self->instrument = self->name;
  self->name = g_strconcat (name, has_word ? "_" : "", has_word ? word : "",
                            is_counter ? "_total" : "", NULL);
}

/* --- keys --- */

static gboolean
read_type (JmDialectFamily *self, const char *value, GError **error)
{
  guint number;

  if (!find (type_names, G_N_ELEMENTS (type_names), value, &number))
    return jm_error_refuse (error, "not gauge, counter, updowncounter or untyped",
                            value);
  self->kind = types[number];
  self->is_sum = g_str_equal (value, "updowncounter");

  return TRUE;
}

static gboolean
read_combine (JmDialectFamily *self, const char *value, GError **error)
{
  guint number;

  if (!find (combine_names, G_N_ELEMENTS (combine_names), value, &number))
    return jm_error_refuse (error, "not first, sum, difference, ratio or product",
                            value);
  self->combine = (JmCombine) number;

  return TRUE;
}

static gboolean
read_each (JmDialectFamily *self, const char *value, GError **error)
{
  if (g_str_equal (value, "collector"))
    {
      self->is_of_collectors = TRUE;
      self->each = JM_SUBJECT_KIND_NODE;
      return TRUE;
    }

  return jm_dialect_kind_from_name (value, &self->each) ||
         jm_error_refuse (error, "no kind of subject", value);
}

static gboolean
read_flag (gboolean *flag, const char *value, GError **error)
{
  *flag = g_str_equal (value, "true");

  return *flag || g_str_equal (value, "false") ||
         jm_error_refuse (error, "not true or false", value);
}

static gboolean
read_number (double *number, const char *value, GError **error)
{
  char *end;

  *number = g_ascii_strtod (value, &end);

  return (end != value && *end == '\0' && isfinite (*number)) ||
         jm_error_refuse (error, "not a number", value);
}

static gboolean
read_scale (JmDialectFamily *self, const char *value, GError **error)
{
  if (!read_number (&self->scale, value, error))
    return FALSE;

  self->exponent = (int) CLAMP (round (log10 (fabs (self->scale))), -300, 300);
  self->is_power_of_ten = self->scale == pow (10, self->exponent);

  return TRUE;
}

static gboolean
find_source (const char *name, JmDialectSource *source)
{
  for (JmSubjectKind kind = 0; kind < JM_N_SUBJECT_KINDS; kind++)
    {
      const char *prefix = jm_subject_kind_get_prefix (kind);

      if (!g_str_has_prefix (name, prefix))
        continue;
      for (JmMetric metric = 0; metric < JM_N_METRICS; metric++)
        if (jm_metric_is_about (metric, kind) &&
            g_str_equal (name + strlen (prefix), jm_metric_get_name (metric)))
          {
            *source = (JmDialectSource){ .kind = kind, .metric = metric };
            return TRUE;
          }
    }

  return FALSE;
}

/* `LABEL=PATTERN` */
static gboolean
add_condition (GArray *conditions, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  JmDialectCondition condition;

  if (equals == NULL)
    return jm_error_refuse (error, "not LABEL=PATTERN", text);
  condition.label = g_strndup (text, equals - text);
  condition.pattern = g_pattern_spec_new (equals + 1);
  g_array_append_val (conditions, condition);

  return TRUE;
}

static gboolean
read_conditions (GArray *conditions, char *const *texts, GError **error)
{
  for (guint i = 0; texts[i] != NULL; i++)
    if (!add_condition (conditions, texts[i], error))
      return FALSE;

  return TRUE;
}

static GArray *
conditions_new (void)
{
  GArray *conditions = g_array_new (FALSE, FALSE, sizeof (JmDialectCondition));

  g_array_set_clear_func (conditions, condition_clear);

  return conditions;
}

/* `NAME`, or `NAME{LABEL=PATTERN,...}` */
static gboolean
read_source (JmDialectSource *self, const char *text, GError **error)
{
  g_auto (GStrv) halves = g_strsplit (text, "{", 2);
  g_auto (GStrv) texts = NULL;

  if (halves[0] == NULL || !find_source (halves[0], self))
    return jm_error_refuse (error, "no metric of jobmetrics", text);
  if (halves[1] == NULL)
    return TRUE;
  if (!g_str_has_suffix (halves[1], "}"))
    return jm_error_refuse (error, "a brace without its other", text);

  halves[1][strlen (halves[1]) - 1] = '\0';
  texts = g_strsplit (halves[1], ",", -1);
  self->conditions = conditions_new ();

  return read_conditions (self->conditions, texts, error);
}

static gboolean
read_sources (JmDialectFamily *self, char *const *texts, GError **error)
{
  guint n = g_strv_length ((char **) texts);

  if (n > JM_DIALECT_MAX_SOURCES)
    return jm_error_refuse (error, "too many metrics, from here",
                            texts[JM_DIALECT_MAX_SOURCES]);

  for (self->n_sources = 0; self->n_sources < n; self->n_sources++)
    if (!read_source (&self->sources[self->n_sources], texts[self->n_sources], error))
      return FALSE;

  return n > 0 || jm_error_refuse (error, "an empty list", "");
}

static gboolean
read_metric (JmMetric *metric, const char *name, GError **error)
{
  JmDialectSource source = { 0 };

  if (!find_source (name, &source))
    return jm_error_refuse (error, "no metric of jobmetrics", name);
  *metric = source.metric;

  return TRUE;
}

static gboolean
read_words (JmDialectFamily *self, char *const *words, GError **error)
{
  self->words = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_labels_unref);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (words[i], NULL);

      if (g_ptr_array_find (self->words, labels, NULL))
        return jm_error_refuse (error, "a word twice", words[i]);
      g_ptr_array_add (self->words, g_steal_pointer (&labels));
    }

  return self->words->len > 0 || jm_error_refuse (error, "an empty list", "");
}

static gboolean
read_key (JmDialectFamily *self, GKeyFile *file, const char *key, GError **error)
{
  g_autofree char *value = g_key_file_get_string (file, self->name, key, error);
  g_auto (GStrv) list = NULL;

  if (value == NULL)
    return FALSE;
  if (g_str_equal (key, "Type"))
    return read_type (self, value, error);
  if (g_str_equal (key, "Combine"))
    return read_combine (self, value, error);
  if (g_str_equal (key, "Info"))
    return read_metric (&self->info, value, error);
  if (g_str_equal (key, "Each"))
    return read_each (self, value, error);
  if (g_str_equal (key, "Rate"))
    return read_flag (&self->is_rate, value, error);
  if (g_str_equal (key, "Scale"))
    return read_scale (self, value, error);
  if (g_str_equal (key, "AtMost"))
    {
      self->has_most = TRUE;
      return read_number (&self->most, value, error);
    }
  if (g_str_equal (key, "Absent"))
    {
      self->has_absent = TRUE;
      return read_number (&self->absent, value, error);
    }
  if (g_str_equal (key, "AbsentIf"))
    return read_metric (&self->absent_if, value, error);
  if (g_str_equal (key, "Help"))
    {
      self->help = g_steal_pointer (&value);
      return TRUE;
    }
  if (g_str_equal (key, "Unit"))
    {
      self->unit = g_steal_pointer (&value);
      return *self->unit == '{' || find_unit_word (self->unit) != NULL ||
             jm_error_refuse (error, "no unit", self->unit);
    }
  /* for people, and below */
  if (g_str_equal (key, "Differs") || g_str_equal (key, "Labels") ||
      g_str_equal (key, "Value") || g_str_equal (key, "Words"))
    return TRUE;

  list = g_key_file_get_string_list (file, self->name, key, NULL, error);
  if (list == NULL)
    return FALSE;
  if (g_str_equal (key, "Source"))
    return read_sources (self, list, error);
  if (g_str_equal (key, "Where"))
    return read_conditions (self->conditions, list, error);
  if (g_str_equal (key, "Enum"))
    return read_words (self, list, error);

  return jm_error_refuse (error, "unknown key", key);
}

/* --- labels, which are understood once it is known what they are about --- */

static JmTemplateScope
get_scope (const JmDialectFamily *self)
{
  gboolean has_metric = self->n_sources > 0 && self->sources[0].kind == self->each;

  return (JmTemplateScope){
    .kind = self->each,
    .metric = has_metric ? self->sources[0].metric : JM_N_METRICS,
    .info = self->info,
    .has_word = self->is_split,
    .has_collector = self->is_of_collectors,
  };
}

static gboolean
has_label (const JmDialectFamily *self, const char *name)
{
  for (guint i = 0; i < self->labels->len; i++)
    if (g_str_equal (g_array_index (self->labels, JmDialectLabel, i).name, name))
      return TRUE;

  return FALSE;
}

/* `NAME=TEMPLATE`, or a name alone of the field that is called so. */
static gboolean
add_label (JmDialectFamily *self, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *attribute =
    equals != NULL ? g_strndup (text, equals - text) : g_strdup (text);
  g_autofree char *name =
    strchr (attribute, '.') != NULL ? make_name (attribute) : g_strdup (attribute);
  g_autofree char *template =
    equals != NULL ? g_strdup (equals + 1) : g_strdup_printf ("{%s}", name);
  JmDialectLabel label = { 0 };

  if (!jm_dialect_is_label_name (name))
    return jm_error_refuse (error, "not the name of a label", name);
  if (has_label (self, name))
    return jm_error_refuse (error, "a label twice", name);
  if (self->labels->len == MAX_LABELS)
    return jm_error_refuse (error, "too many labels, from here", name);
  label.value = jm_label_template_new (template, get_scope (self), error);
  if (label.value == NULL)
    return FALSE;

  if (!g_str_equal (attribute, name))
    label.attribute = g_steal_pointer (&attribute);
  label.name = g_steal_pointer (&name);
  self->has_own_label |= jm_label_template_has_own_label (label.value);
  g_array_append_val (self->labels, label);

  return TRUE;
}

static gboolean
read_labels (JmDialectFamily *self,
             GKeyFile *file,
             char *const labels[JM_N_SUBJECT_KINDS],
             GError **error)
{
  g_auto (GStrv) texts = NULL;

  if (g_key_file_has_key (file, self->name, "Labels", NULL))
    texts = g_key_file_get_string_list (file, self->name, "Labels", NULL, error);
  else
    texts = g_strsplit (labels[self->each] != NULL ? labels[self->each] : "", ";", -1);
  if (texts == NULL)
    return FALSE;

  for (guint i = 0; texts[i] != NULL; i++)
    if (*texts[i] != '\0' && !add_label (self, texts[i], error))
      {
        g_prefix_error (error, "Labels: ");
        return FALSE;
      }

  return TRUE;
}

static gboolean
read_value (JmDialectFamily *self, GKeyFile *file, GError **error)
{
  g_autofree char *text = NULL;

  if (!g_key_file_has_key (file, self->name, "Value", NULL))
    return self->n_sources > 0 ||
           jm_error_refuse (error, "neither Source nor Value in", self->name);

  text = g_key_file_get_string (file, self->name, "Value", error);
  if (text == NULL)
    return FALSE;
  if (self->n_sources > 0)
    return jm_error_refuse (error, "both Source and Value in", self->name);

  self->value = jm_label_template_new (text, get_scope (self), error);
  if (self->value == NULL)
    g_prefix_error (error, "Value: ");

  return self->value != NULL;
}

gboolean
jm_dialect_source_has_labels_of (const JmDialectSource *self,
                                 const JmDialectSource *other)
{
  const JmMetricInfo *one = jm_metric_get_info (self->metric);
  const JmMetricInfo *two = jm_metric_get_info (other->metric);

  return g_strv_equal (one->labels, two->labels);
}

/* A word for each source, all of which have the same labels. */
static gboolean
read_source_words (JmDialectFamily *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) words = NULL;

  if (!g_key_file_has_key (file, self->name, "Words", NULL))
    return TRUE;
  words = g_key_file_get_string_list (file, self->name, "Words", NULL, error);
  if (words == NULL)
    return FALSE;
  if (g_strv_length (words) != self->n_sources || self->n_sources == 0)
    return jm_error_refuse (error, "Words: not one for each source", self->name);
  if (self->combine != JM_COMBINE_FIRST)
    return jm_error_refuse (error, "both Words and Combine in", self->name);

  self->is_split = TRUE;
  for (guint i = 0; i < self->n_sources; i++)
    {
      if (!jm_dialect_source_has_labels_of (&self->sources[i], &self->sources[0]) ||
          self->sources[i].kind != self->sources[0].kind)
        return jm_error_refuse (error, "Words: sources of different labels",
                                self->name);
      self->sources[i].word = g_strdup (words[i]);
    }

  return TRUE;
}

/* The word that stands in the only label of the only source. */
static gboolean
check_words (const JmDialectFamily *self, GError **error)
{
  gboolean has_word = self->n_sources == 1 && self->has_own_label &&
                      jm_metric_get_info (self->sources[0].metric)->n_labels == 1;

  return self->words == NULL || has_word ||
         jm_error_refuse (error,
                          "Enum: not of one source with one label that Labels has",
                          self->name);
}

/* --- the whole --- */

/* The node stands behind all, a job behind what is part of it, a device behind what a
 * job has of it. */
static gboolean
is_within_reach (JmSubjectKind each, JmSubjectKind kind)
{
  gboolean is_part = each == JM_SUBJECT_KIND_STEP || each == JM_SUBJECT_KIND_TASK ||
                     each == JM_SUBJECT_KIND_JOB_GPU;

  return kind == each || kind == JM_SUBJECT_KIND_NODE ||
         (kind == JM_SUBJECT_KIND_JOB && is_part) ||
         (kind == JM_SUBJECT_KIND_GPU && each == JM_SUBJECT_KIND_JOB_GPU);
}

static gboolean
check_sources (JmDialectFamily *self, GError **error)
{
  for (guint i = 0; i < self->n_sources; i++)
    if (!is_within_reach (self->each, self->sources[i].kind))
      return jm_error_refuse (error, "Source: of another kind than Each",
                              kind_names[self->sources[i].kind]);
  if (self->has_absent && self->n_sources == 0)
    return jm_error_refuse (error, "Absent: without a Source in", self->name);
  if (self->absent_if != JM_N_METRICS &&
      (!self->has_absent || !jm_metric_is_about (self->absent_if, self->each)))
    return jm_error_refuse (error, "AbsentIf: without Absent, or of another kind",
                            self->name);
  if (self->info != JM_N_METRICS && !jm_metric_is_about (self->info, self->each))
    return jm_error_refuse (error, "Info: of another kind than Each",
                            jm_metric_get_name (self->info));

  return TRUE;
}

static gboolean
source_has_label (const JmDialectSource *self, const char *label)
{
  return g_strv_contains (jm_metric_get_info (self->metric)->labels, label) ||
         g_strv_contains (jm_subject_kind_get_label_names (self->kind), label);
}

/* Each label of a condition has to be that of a figure or of its subject: of others it
 * would do nothing. */
static gboolean
check_labels (const GArray *conditions,
              const JmDialectSource *sources,
              guint n_sources,
              GError **error)
{
  for (guint i = 0; conditions != NULL && i < conditions->len; i++)
    {
      const char *label = g_array_index (conditions, JmDialectCondition, i).label;
      gboolean is_known = FALSE;

      for (guint j = 0; j < n_sources; j++)
        is_known |= source_has_label (&sources[j], label);
      if (!is_known)
        return jm_error_refuse (error, "no label of these figures", label);
    }

  return TRUE;
}

static gboolean
check_conditions (const JmDialectFamily *self, GError **error)
{
  for (guint i = 0; i < self->n_sources; i++)
    if (!check_labels (self->sources[i].conditions, &self->sources[i], 1, error))
      {
        g_prefix_error (error, "Source: ");
        return FALSE;
      }
  if (!check_labels (self->conditions, self->sources, self->n_sources, error))
    {
      g_prefix_error (error, "Where: ");
      return FALSE;
    }

  return TRUE;
}

static gboolean
read_keys (JmDialectFamily *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) keys = jm_key_file_list_keys (file, self->name, error);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!read_key (self, file, keys[i], error))
      {
        g_prefix_error (error, "%s: ", keys[i]);
        return FALSE;
      }

  return keys != NULL;
}

static gboolean
read_group (JmDialectFamily *self,
            GKeyFile *file,
            char *const labels[JM_N_SUBJECT_KINDS],
            GError **error)
{
  gboolean is_dotted = strchr (self->name, '.') != NULL;

  if (!is_name (self->name, is_dotted ? "." : ":"))
    return jm_error_refuse (error, "no name that Prometheus takes", self->name);
  if (!read_keys (self, file, error))
    return FALSE;
  if (self->n_sources > 0 && !g_key_file_has_key (file, self->name, "Each", NULL))
    self->each = self->sources[0].kind;
  if (self->help == NULL)
    return jm_error_refuse (error, "Help", "missing");

  if (is_dotted != (self->unit != NULL))
    return jm_error_refuse (error, "Unit", is_dotted ? "missing" : "of no such name");
  if (!check_sources (self, error) || !check_conditions (self, error) ||
      !read_source_words (self, file, error) || !read_value (self, file, error) ||
      !read_labels (self, file, labels, error) || !check_words (self, error))
    return FALSE;
  if (is_dotted)
    rename_for_prometheus (self);

  return TRUE;
}

static JmDialectFamily *
family_new (const char *name)
{
  JmDialectFamily *self = g_atomic_rc_box_new0 (JmDialectFamily);

  self->name = g_strdup (name);
  self->each = JM_SUBJECT_KIND_JOB;
  self->scale = 1;
  self->is_power_of_ten = TRUE;
  self->info = JM_N_METRICS;
  self->absent_if = JM_N_METRICS;
  self->conditions = conditions_new ();
  self->labels = g_array_new (FALSE, FALSE, sizeof (JmDialectLabel));
  g_array_set_clear_func (self->labels, label_clear);

  return self;
}

JmDialectFamily *
jm_dialect_family_new_native (const char *name, JmSubjectKind kind, JmMetric metric)
{
  JmDialectFamily *self = family_new (name);
  const JmMetricInfo *info = jm_metric_get_info (metric);

  self->is_native = TRUE;
  self->help = g_strdup (info->help);
  self->unit = g_strdup (find_ucum (jm_unit_get_info (info->unit)->base));
  self->kind = info->kind == JM_METRIC_KIND_COUNTER ? JM_FAMILY_KIND_COUNTER
                                                    : JM_FAMILY_KIND_GAUGE;
  self->each = kind;
  self->sources[0] = (JmDialectSource){ .kind = kind, .metric = metric };
  self->n_sources = 1;
  self->has_own_label = info->n_labels > 0;

  return self;
}

JmDialectFamily *
jm_dialect_family_new (GKeyFile *file,
                       const char *name,
                       char *const labels[JM_N_SUBJECT_KINDS],
                       GError **error)
{
  g_autoptr (JmDialectFamily) self = family_new (name);

  if (read_group (self, file, labels, error))
    return g_steal_pointer (&self);

  g_prefix_error (error, "%s: ", name);

  return NULL;
}
