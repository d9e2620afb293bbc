/* jm-run-suggestion-text.c: what the next run should ask for, as people and programs
 * read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-private.h"
#include "judge/jm-run-suggestion-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error-private.h"
#include "base/jm-number-private.h"
#include "base/jm-safe-text-private.h"
#include "judge/jm-run-hint-private.h"
#include "judge/jm-run-report-private.h"

/* Of a document that is read. */
#define MAX_COUNT 1000000.0
#define MAX_FIGURE 1e18
#define MAX_ITEMS 16u

static const struct
{
  const char *name;
  const char *title;
  const char *phrase;
  const char *unit;
  const char *saved;
  JmFormat format;
} kinds[JM_N_REQUEST_KINDS] = {
  [JM_REQUEST_KIND_MEMORY] = { "memory_per_node", "memory/node", "of memory per node",
                               "bytes", "saved_byte_hours", JM_FORMAT_BYTES },
  [JM_REQUEST_KIND_TIME_LIMIT] = { "time_limit", "time limit", "of time", "seconds",
                                   "saved_hours", JM_FORMAT_DURATION },
  [JM_REQUEST_KIND_CPUS] = { "cpus", "CPUs", "CPU", "cpus", "saved_cpu_hours",
                             JM_FORMAT_COUNT },
  [JM_REQUEST_KIND_GPUS] = { "gpus", "GPUs", "GPU", "gpus", "saved_gpu_hours",
                             JM_FORMAT_COUNT },
};

static const char *const policies[JM_N_REQUEST_POLICIES] = {
  [JM_REQUEST_POLICY_SUGGESTION] = "suggestion",
  [JM_REQUEST_POLICY_KEEP] = "keep",
  [JM_REQUEST_POLICY_LAST] = "last",
  [JM_REQUEST_POLICY_MOST] = "most",
};

G_DEFINE_ENUM_TYPE (JmRequestKind,
                    jm_request_kind,
                    G_DEFINE_ENUM_VALUE (JM_REQUEST_KIND_MEMORY, "memory"),
                    G_DEFINE_ENUM_VALUE (JM_REQUEST_KIND_TIME_LIMIT, "time-limit"),
                    G_DEFINE_ENUM_VALUE (JM_REQUEST_KIND_CPUS, "cpus"),
                    G_DEFINE_ENUM_VALUE (JM_REQUEST_KIND_GPUS, "gpus"))

G_DEFINE_ENUM_TYPE (JmRequestPolicy,
                    jm_request_policy,
                    G_DEFINE_ENUM_VALUE (JM_REQUEST_POLICY_SUGGESTION, "suggestion"),
                    G_DEFINE_ENUM_VALUE (JM_REQUEST_POLICY_KEEP, "keep"),
                    G_DEFINE_ENUM_VALUE (JM_REQUEST_POLICY_LAST, "last"),
                    G_DEFINE_ENUM_VALUE (JM_REQUEST_POLICY_MOST, "most"))

const char *
jm_request_kind_get_title (JmRequestKind kind)
{
  return kinds[kind].title;
}

gboolean
jm_run_suggestion_parse_confidence (const char *text,
                                    double *confidence,
                                    GError **error)
{
  char *end;
  double value = g_ascii_strtod (text, &end);

  if (end != text && g_str_equal (end, "%"))
    value /= 100;
  else if (end == text || *end != '\0')
    value = NAN;
  if (!(value >= JM_RUN_SUGGESTION_LEAST_CONFIDENCE &&
        value <= JM_RUN_SUGGESTION_MOST_CONFIDENCE))
    return jm_error_refuse (error, "not from 0.5 to 0.99, or 50% to 99%", text);
  *confidence = value;

  return TRUE;
}

/* --- figures --- */

/* Of CPUs one is busy in part. */
char *
jm_request_kind_format (JmRequestKind kind, JmFigure figure)
{
  if (figure.is_known && kinds[kind].format == JM_FORMAT_COUNT &&
      figure.value != floor (figure.value))
    return g_strdup_printf ("%.1f", figure.value);

  return jm_figure_format (figure, kinds[kind].format);
}

char *
jm_request_kind_format_saved (JmRequestKind kind, double amount)
{
  const char *sign = amount < 0 ? "-" : "";
  g_autofree char *text = NULL;

  if (kind == JM_REQUEST_KIND_TIME_LIMIT)
    return g_strdup_printf ("%.0f h", amount);
  if (kind != JM_REQUEST_KIND_MEMORY)
    return g_strdup_printf ("%.0f %s h", amount,
                            kind == JM_REQUEST_KIND_CPUS ? "CPU" : "GPU");
  text = jm_format_to_string (JM_FORMAT_BYTE_SECONDS, fabs (amount) * 3600);

  return g_strconcat (sign, text, NULL);
}

/* --- a sentence --- */

static gboolean
is_change (const JmRequestAdvice *request)
{
  return request->suggested.is_known &&
         !(request->asked.is_known && request->asked.value == request->suggested.value);
}

static char *
describe (const JmRunSuggestion *self, JmRequestKind kind)
{
  const JmRequestAdvice *request = &self->requests[kind];
  g_autofree char *suggested = jm_request_kind_format (kind, request->suggested);
  g_autofree char *asked = jm_request_kind_format (kind, request->asked);

  return g_strdup_printf ("%s%s %s%s%s%s", request->is_at_least ? "at least " : "",
                          suggested, kinds[kind].phrase,
                          kinds[kind].format != JM_FORMAT_COUNT ||
                              request->suggested.value == 1
                            ? ""
                            : "s",
                          asked != NULL ? " instead of " : "",
                          asked != NULL ? asked : "");
}

static GPtrArray *
list_changes (const JmRunSuggestion *self)
{
  GPtrArray *changes = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    if (is_change (&self->requests[i]))
      g_ptr_array_add (changes, describe (self, i));

  return changes;
}

static gboolean
has_any (const JmRunSuggestion *self)
{
  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    if (self->requests[i].suggested.is_known)
      return TRUE;

  return FALSE;
}

/* Of what is to be changed, if anything is. */
static gboolean
is_any_at_least (const JmRunSuggestion *self, gboolean has_changes)
{
  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    if (self->requests[i].is_at_least &&
        (!has_changes || is_change (&self->requests[i])))
      return TRUE;

  return FALSE;
}

/* Of which job; a name may have line ends. */
static char *
describe_job (const JmRunSuggestion *self)
{
  const char *name =
    self->last != NULL ? jm_run_peek_text (self->last, JM_RUN_FIELD_NAME) : NULL;
  g_autofree char *safe = name != NULL ? jm_safe_text_make (name) : NULL;

  return safe != NULL ? g_strconcat (" of ", safe, NULL) : g_strdup ("");
}

/* On which each part of the suggestion rests. */
static guint
count_runs (const JmRunSuggestion *self)
{
  guint n = self->n_runs;

  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    if (self->requests[i].suggested.is_known)
      n = MIN (n, self->requests[i].n_known);

  return n;
}

static char *
explain_nothing (const JmRunSuggestion *self)
{
  g_autofree char *job = describe_job (self);
  g_autofree char *runs = jm_number_count (self->n_runs, "run");

  if (self->n_runs >= JM_RUN_SUGGESTION_MIN_RUNS)
    return g_strdup_printf ("No suggestion: %s%s have ended, and too few of them have "
                            "known figures.",
                            runs, job);

  return g_strdup_printf ("No suggestion: %s%s %s ended, and at least %d are needed.",
                          runs, job, self->n_runs == 1 ? "has" : "have",
                          JM_RUN_SUGGESTION_MIN_RUNS);
}

static void
append_changes (GString *text, GPtrArray *changes)
{
  g_string_append (text, changes->len > 0 ? "Ask for " : "Ask for the same again");
  for (guint i = 0; i < changes->len; i++)
    g_string_append_printf (text, "%s%s",
                            i == 0                 ? ""
                            : i + 1 < changes->len ? ", "
                                                   : " and ",
                            (char *) changes->pdata[i]);
}

/**
 * jm_run_suggestion_to_string:
 * @self: a suggestion
 *
 * Describes in one or two sentences what the next run should ask for, or why there is
 * no suggestion.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_run_suggestion_to_string (JmRunSuggestion *self)
{
  g_autoptr (GPtrArray) changes = NULL;
  g_autofree char *job = NULL;
  GString *text;

  g_return_val_if_fail (self != NULL, NULL);

  if (!has_any (self))
    return explain_nothing (self);

  changes = list_changes (self);
  job = describe_job (self);
  text = g_string_new (NULL);
  append_changes (text, changes);
  if (is_any_at_least (self, changes->len > 0))
    g_string_append_printf (text,
                            ": so many of the last %u runs%s ended early that more may "
                            "be needed.",
                            count_runs (self), job);
  else
    g_string_append_printf (text, ": enough for at least %g%% of the last %u runs%s.",
                            100 * self->confidence, count_runs (self), job);

  return g_string_free (text, FALSE);
}

static void
append_start (GString *text, JmFigure start)
{
  g_autoptr (GDateTime) moment = NULL;
  g_autofree char *shown = NULL;

  if (start.is_known)
    moment = g_date_time_new_from_unix_local ((gint64) start.value);
  if (moment == NULL)
    return;
  shown = g_date_time_format (moment, "%Y-%m-%d %H:%M %Z");
  g_string_append_printf (text, " Submitted now, it would start at about %s.", shown);
}

/**
 * jm_run_suggestion_describe_wait:
 * @self: a suggestion
 *
 * Describes how long the next run would wait if it were submitted now, when it would
 * start, and how far off such estimates were. It is known of what
 * jm_archive_suggest() has made.
 *
 * Returns: (transfer full) (nullable): sentences; %NULL where too few runs began in its
 *   partition lately
 * Since: 0.1
 */
char *
jm_run_suggestion_describe_wait (JmRunSuggestion *self)
{
  g_autoptr (GString) text = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->waits == NULL ||
      !jm_figures_get (self->waits, JM_QUANTITY_COMPARED_WAITS).is_known)
    return NULL;

  text = g_string_new (NULL);
  jm_run_waits_append (text, self->waits, "Expected wait if submitted now: of", NULL);
  append_start (text, jm_figures_get (self->waits, JM_QUANTITY_EXPECTED_START_TIME));

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- options --- */

gboolean
jm_run_suggestion_is_of_slurm (const JmRunSuggestion *self)
{
  const char *scheduler = self->last != NULL ? jm_run_get_scheduler (self->last) : NULL;

  return scheduler == NULL || g_str_equal (scheduler, "slurm");
}

static void
add_option (GStrvBuilder *options, const char *name, char *value)
{
  g_autofree char *taken = value;
  g_autofree char *option = taken != NULL ? g_strconcat (name, taken, NULL) : NULL;

  if (option != NULL)
    g_strv_builder_add (options, option);
}

/**
 * jm_run_suggestion_list_options:
 * @self: a suggestion
 *
 * Lists the options of Slurm's sbatch that ask for what is suggested: `--mem` and
 * `--time`. CPUs are not among them, for a script may ask for them in several ways.
 *
 * Returns: (transfer full) (array zero-terminated=1): the options, such as `--mem=4G`;
 *   none for a run of another scheduler
 * Since: 0.1
 */
char **
jm_run_suggestion_list_options (JmRunSuggestion *self)
{
  g_autoptr (GStrvBuilder) options = g_strv_builder_new ();
  JmFigure memory, time;

  g_return_val_if_fail (self != NULL, NULL);

  memory = self->requests[JM_REQUEST_KIND_MEMORY].suggested;
  time = self->requests[JM_REQUEST_KIND_TIME_LIMIT].suggested;
  if (memory.is_known && jm_run_suggestion_is_of_slurm (self))
    add_option (options, "--mem=", jm_run_hint_format_memory (memory.value));
  if (time.is_known && jm_run_suggestion_is_of_slurm (self))
    add_option (options, "--time=", jm_run_hint_format_time (time.value));

  return g_strv_builder_end (options);
}

/* --- JSON --- */

static void
add_figure (JmJsonWriter *json, const char *name, const char *unit, JmFigure figure)
{
  g_autofree char *member = g_strconcat (name, "_", unit, NULL);

  if (figure.is_known)
    jm_json_writer_add_double (json, member, figure.value);
}

static void
add_policy (JmRunSuggestion *self,
            JmRequestKind kind,
            JmRequestPolicy policy,
            JmJsonWriter *json)
{
  const JmRequestTrial *trial = &self->requests[kind].trials[policy];
  double amount, percent;

  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "name", policies[policy]);
  jm_json_writer_add_int (json, "judged", trial->n_judged);
  jm_json_writer_add_int (json, "failed", trial->n_failed);
  if (jm_run_suggestion_get_saved (self, kind, policy, &amount, &percent))
    {
      jm_json_writer_add_double (json, kinds[kind].saved, amount);
      jm_json_writer_add_double (json, "saved_percent", percent);
    }
  jm_json_writer_end_object (json);
}

static void
add_request (JmRunSuggestion *self, JmRequestKind kind, JmJsonWriter *json)
{
  const JmRequestAdvice *request = &self->requests[kind];

  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "name", kinds[kind].name);
  jm_json_writer_add_int (json, "runs", request->n_known);
  add_figure (json, "asked", kinds[kind].unit, request->asked);
  add_figure (json, "median", kinds[kind].unit, request->median);
  add_figure (json, "most", kinds[kind].unit, request->most);
  add_figure (json, "suggested", kinds[kind].unit, request->suggested);
  if (request->suggested.is_known)
    jm_json_writer_add_boolean (json, "at_least", request->is_at_least);
  jm_json_writer_begin_array (json, "policies");
  for (guint i = 0; i < JM_N_REQUEST_POLICIES; i++)
    if (request->trials[i].n_judged > 0)
      add_policy (self, kind, i, json);
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
}

static const JmQuantityId wait_figures[] = {
  JM_QUANTITY_COMPARED_WAITS, JM_QUANTITY_USUAL_WAIT,
  JM_QUANTITY_LONG_WAIT,      JM_QUANTITY_EXPECTED_START_TIME,
  JM_QUANTITY_WAIT_ERROR,     JM_QUANTITY_SCHEDULER_START_ERROR
};

static void
add_waits (JmRunSuggestion *self, JmJsonWriter *json)
{
  for (guint i = 0; self->waits != NULL && i < G_N_ELEMENTS (wait_figures); i++)
    {
      const JmFigure figure = jm_figures_get (self->waits, wait_figures[i]);

      if (figure.is_known)
        jm_json_writer_add_double (json, jm_quantity_get (wait_figures[i])->name,
                                   figure.value);
    }
}

static void
add_last (JmRunSuggestion *self, JmJsonWriter *json)
{
  if (self->last == NULL)
    return;
  jm_json_writer_add_text (json, "cluster", jm_run_get_cluster (self->last));
  jm_json_writer_add_known_text (json, "scheduler", jm_run_get_scheduler (self->last));
  jm_json_writer_add_known_text (json, "user",
                                 jm_run_peek_text (self->last, JM_RUN_FIELD_USER));
  jm_json_writer_add_known_text (json, "name",
                                 jm_run_peek_text (self->last, JM_RUN_FIELD_NAME));
}

void
jm_run_suggestion_add_json (JmRunSuggestion *self, JmJsonWriter *json)
{
  g_autofree char *sentence = jm_run_suggestion_to_string (self);
  g_auto (GStrv) options = jm_run_suggestion_list_options (self);

  add_last (self, json);
  jm_json_writer_add_double (json, "confidence", self->confidence);
  jm_json_writer_add_int (json, "runs", self->n_runs);
  jm_json_writer_add_text (json, "sentence", sentence);
  jm_json_writer_begin_array (json, "options");
  for (guint i = 0; options != NULL && options[i] != NULL; i++)
    jm_json_writer_add_text (json, NULL, options[i]);
  jm_json_writer_end_array (json);
  add_waits (self, json);
  jm_json_writer_begin_array (json, "requests");
  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    if (self->requests[i].asked.is_known || self->requests[i].n_known > 0)
      add_request (self, i, json);
  jm_json_writer_end_array (json);
}

void
jm_run_suggestion_append_json (JmRunSuggestion *self, JmJsonWriter *json)
{
  jm_json_writer_begin_object (json, NULL);
  jm_run_suggestion_add_json (self, json);
  jm_json_writer_end_object (json);
}

/* 0 of what is no number of things. */
static guint
read_count (JsonNode *json, const char *name)
{
  double value;

  return jm_json_get_number (json, name, &value) && value >= 0 && value <= MAX_COUNT
           ? (guint) value
           : 0;
}

static JmFigure
read_number (JsonNode *json, const char *name, double least)
{
  double value;

  return jm_json_get_number (json, name, &value) && value >= least &&
             value <= MAX_FIGURE
           ? jm_figure_known (value)
           : (JmFigure){ 0 };
}

static JmFigure
read_figure (JsonNode *json, const char *name, const char *unit)
{
  g_autofree char *member = g_strconcat (name, "_", unit, NULL);

  return read_number (json, member, 0);
}

static void
read_policy (JmRequestAdvice *request, JmRequestKind kind, JsonNode *json)
{
  const char *name = jm_json_get_string (json, "name");

  for (guint i = 0; i < JM_N_REQUEST_POLICIES; i++)
    {
      JmRequestTrial *trial = &request->trials[i];
      JmFigure saved;

      if (g_strcmp0 (name, policies[i]) != 0)
        continue;
      saved = read_number (json, kinds[kind].saved, -MAX_FIGURE);
      trial->n_judged = read_count (json, "judged");
      trial->n_failed = MIN (read_count (json, "failed"), trial->n_judged);
      trial->saved = saved.value;
      if (saved.is_known)
        trial->saved_percent = read_number (json, "saved_percent", -MAX_FIGURE);
    }
}

static void
read_request (JmRunSuggestion *self, JsonNode *json)
{
  const char *name = jm_json_get_string (json, "name");
  JsonNode *tried = jm_json_get (json, "policies");

  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    {
      JmRequestAdvice *request = &self->requests[i];

      if (g_strcmp0 (name, kinds[i].name) != 0)
        continue;
      request->n_known = read_count (json, "runs");
      request->asked = read_figure (json, "asked", kinds[i].unit);
      request->median = read_figure (json, "median", kinds[i].unit);
      request->most = read_figure (json, "most", kinds[i].unit);
      request->suggested = read_figure (json, "suggested", kinds[i].unit);
      jm_json_get_boolean (json, "at_least", &request->is_at_least);
      for (guint k = 0; k < MIN (jm_json_get_length (tried), MAX_ITEMS); k++)
        read_policy (request, i, jm_json_get_element (tried, k));
    }
}

/* No more of the last run than whose it was. */
static JmRun *
read_last (JsonNode *json)
{
  const char *cluster = jm_json_get_string (json, "cluster");
  JmRun *last;

  if (cluster == NULL)
    return NULL;
  last = jm_run_new (cluster, "");
  jm_run_set_scheduler (last, jm_json_get_string (json, "scheduler"));
  jm_run_keep_text (last, JM_RUN_FIELD_USER, jm_json_get_string (json, "user"));
  jm_run_keep_text (last, JM_RUN_FIELD_NAME, jm_json_get_string (json, "name"));

  return last;
}

static JmFigures *
read_waits (JsonNode *json)
{
  JmFigures *waits = jm_figures_new ();

  for (guint i = 0; i < G_N_ELEMENTS (wait_figures); i++)
    jm_figures_set (waits, wait_figures[i],
                    read_number (json, jm_quantity_get (wait_figures[i])->name, 0));

  return waits;
}

JmRunSuggestion *
jm_run_suggestion_read_json (JsonNode *json, const char *about, GError **error)
{
  JsonNode *requests = jm_json_get (json, "requests");
  double confidence;
  JmRunSuggestion *self;

  if (requests == NULL || !JSON_NODE_HOLDS_ARRAY (requests) ||
      !jm_json_get_number (json, "confidence", &confidence) || confidence <= 0 ||
      confidence >= 1)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "%s: the answer is no suggestion", about);
      return NULL;
    }

  self = g_atomic_rc_box_new0 (JmRunSuggestion);
  self->confidence = confidence;
  self->n_runs = read_count (json, "runs");
  self->last = read_last (json);
  self->waits = read_waits (json);
  for (guint i = 0; i < MIN (jm_json_get_length (requests), MAX_ITEMS); i++)
    read_request (self, jm_json_get_element (requests, i));

  return self;
}
