/* jm-run-evidence.c: the node, device, step or user behind an end or a delay
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-evidence-private.h"

#include "base/jm-robust-private.h"
#include "core/jm-derived.h"
#include "core/jm-figure-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"
#include "core/jm-snapshot-private.h"
#include "judge/jm-run-figures-private.h"

/* An idle time at the end that is as long says something of the end. */
#define LONG_REST_S 600
/* What shells add to the number of a signal. */
#define SHELL_SIGNAL 128
#define MAX_SIGNAL 64

/* Fewer have no median that one of them can lag behind. */
#define LEAST_MEMBERS 3
/* Lagging is below this share of the median, of members that are busy for a quarter of
 * the time in the median. */
#define LAG_RATIO 0.5
#define BUSY_PERCENT 25

/* Further devices are counted, not described. */
#define MAX_DEVICES_TOLD 3

static gboolean
has_state (const JmRunReport *report, const char *prefix)
{
  const char *state = jm_run_peek_text (report->run, JM_RUN_FIELD_STATE);

  return state != NULL && g_str_has_prefix (state, prefix);
}

/* --- the end --- */

static char *
describe_end_time (const JmRunReport *report)
{
  const gint64 end = jm_run_peek (report->run, JM_RUN_FIELD_END_TIME);
  g_autoptr (GDateTime) moment = end > 0 ? g_date_time_new_from_unix_utc (end) : NULL;

  return moment != NULL ? g_date_time_format (moment, "%Y-%m-%d %H:%M:%S UTC") : NULL;
}

static char *
describe_canceller (const JmRunReport *report)
{
  const char *by = jm_run_peek_text (report->run, JM_RUN_FIELD_CANCELLED_BY);
  const char *user = jm_run_peek_text (report->run, JM_RUN_FIELD_USER);
  const gint64 uid = jm_run_peek (report->run, JM_RUN_FIELD_UID);
  guint64 number;

  if (by == NULL)
    return g_strdup ("by a user whom the accounting does not name");
  if (g_strcmp0 (by, user) == 0)
    return g_strdup_printf ("by its own user, %s", by);
  if (!g_ascii_string_to_unsigned (by, 10, 0, G_MAXUINT32, &number, NULL))
    return g_strdup_printf ("by the user %s", by);
  if (uid >= 0 && number == (guint64) uid)
    return g_strdup_printf ("by its own user%s%s", user != NULL ? ", " : "",
                            user != NULL ? user : "");

  return number == 0 ? g_strdup ("by root")
                     : g_strdup_printf ("by the user with uid %s", by);
}

static char *
describe_scheduler (const JmRunReport *report)
{
  static const struct
  {
    const char *state;
    const char *words;
  } ends[] = {
    { "PREEMPTED", "The scheduler preempted the run" },
    { "DEADLINE", "The deadline of the run passed" },
    { "BOOT_FAIL", "The nodes of the run did not boot" },
    { "REQUEUE", "The scheduler took the run back into the queue" },
    { "REVOKED", "Another cluster of the federation took the run over" },
    { "SPECIAL_EXIT", "The program ended with an exit code that the scheduler holds" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (has_state (report, ends[i].state))
      return g_strdup (ends[i].words);

  return NULL;
}

/* Where nothing was done for long before the end, the run may have hung. */
static char *
describe_rest (const JmRunReport *report)
{
  static const struct
  {
    JmQuantityId quantity;
    const char *words;
  } rests[] = {
    { JM_QUANTITY_GPU_IDLE_AT_END, "GPUs" },
    { JM_QUANTITY_IDLE_AT_END, "CPUs" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rests); i++)
    {
      const JmFigure rest = jm_figures_get (report->figures, rests[i].quantity);
      g_autofree char *text = jm_figure_format (rest, JM_FORMAT_DURATION);

      if (rest.is_known && rest.value >= LONG_REST_S)
        return g_strdup_printf ("its %s had been idle for %s", rests[i].words, text);
    }

  return NULL;
}

/* --- nodes that failed --- */

/* The one node without an end, where all others have one; NULL where there are more. */
static const char *
find_open_node (const JmRunReport *report)
{
  const JmFigure nodes = jm_figures_get (report->figures, JM_QUANTITY_NODES);
  const char *name = NULL;

  if (!nodes.is_known || nodes.value != (double) report->nodes->len ||
      report->nodes->len < 2)
    return NULL;
  for (guint i = 0; i < report->nodes->len; i++)
    if (!jm_run_report_peek_node (report, i)->has_ended)
      {
        if (name != NULL)
          return NULL;
        name = jm_run_report_peek_node (report, i)->name;
      }

  return name;
}

/* The only node of a run, by its records or by the accounting. */
static const char *
find_only_node (const JmRunReport *report)
{
  const JmFigure nodes = jm_figures_get (report->figures, JM_QUANTITY_NODES);

  if (!nodes.is_known || nodes.value != 1)
    return NULL;
  if (report->nodes->len == 1)
    return jm_run_report_peek_node (report, 0)->name;

  return jm_run_peek_text (report->run, JM_RUN_FIELD_NODE_LIST);
}

static char *
describe_failed_node (const JmRunReport *report)
{
  const char *named = jm_run_peek_text (report->run, JM_RUN_FIELD_FAILED_NODE);
  const char *only = find_only_node (report);
  const char *open = find_open_node (report);

  if (named != NULL)
    return g_strdup_printf ("Node %s failed, as the scheduler reports", named);
  if (only != NULL)
    return g_strdup_printf ("Node %s failed, the only one of the run", only);
  if (open != NULL)
    return g_strdup_printf ("A node of the run failed; %s alone has recorded no end of "
                            "the run",
                            open);

  return g_strdup ("A node of the run failed; the scheduler does not name it");
}

/* --- exit codes --- */

static char *
describe_signal_number (gint64 number)
{
  static const struct
  {
    int number;
    const char *name;
  } signals[] = {
    { 1, "SIGHUP" },   { 2, "SIGINT" },   { 3, "SIGQUIT" },  { 4, "SIGILL" },
    { 6, "SIGABRT" },  { 7, "SIGBUS" },   { 8, "SIGFPE" },   { 9, "SIGKILL" },
    { 10, "SIGUSR1" }, { 11, "SIGSEGV" }, { 12, "SIGUSR2" }, { 13, "SIGPIPE" },
    { 15, "SIGTERM" }, { 24, "SIGXCPU" }, { 25, "SIGXFSZ" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    if (signals[i].number == number)
      return g_strdup_printf ("signal %d (%s)", signals[i].number, signals[i].name);

  return g_strdup_printf ("signal %" G_GINT64_FORMAT, number);
}

static char *
describe_code (gint64 code)
{
  g_autofree char *killer = code > SHELL_SIGNAL && code <= SHELL_SIGNAL + MAX_SIGNAL
                              ? describe_signal_number (code - SHELL_SIGNAL)
                              : NULL;

  return killer != NULL ? g_strdup_printf ("exit code %" G_GINT64_FORMAT
                                           ", by which shells report %s",
                                           code, killer)
                        : g_strdup_printf ("exit code %" G_GINT64_FORMAT, code);
}

static char *
describe_exit (const JmRunReport *report)
{
  const JmFigure code = jm_figures_get (report->figures, JM_QUANTITY_EXIT_CODE);

  return code.is_known && code.value > 0 ? describe_code ((gint64) code.value) : NULL;
}

static char *
describe_signal (const JmRunReport *report)
{
  const JmFigure figure = jm_figures_get (report->figures, JM_QUANTITY_EXIT_SIGNAL);

  return figure.is_known && figure.value > 0
           ? describe_signal_number ((gint64) figure.value)
           : NULL;
}

/* What a batch script calls is of more use than the script. */
static gboolean
is_of_program (const JmRunPart *step)
{
  const char *name = jm_run_part_peek_text (step, JM_QUANTITY_NAME);

  return name != NULL && !g_str_equal (name, "batch") && !g_str_equal (name, "extern");
}

static gboolean
has_failed (const JmRunPart *step)
{
  const char *state = jm_run_part_peek_text (step, JM_QUANTITY_STATE);

  return (state != NULL && g_str_has_prefix (state, "FAILED")) ||
         jm_run_part_peek (step, JM_QUANTITY_EXIT_CODE) > 0 ||
         jm_run_part_peek (step, JM_QUANTITY_EXIT_SIGNAL) > 0;
}

static char *
describe_step (const JmRunPart *step)
{
  const char *name = jm_run_part_peek_text (step, JM_QUANTITY_NAME);
  const gint64 signal = jm_run_part_peek (step, JM_QUANTITY_EXIT_SIGNAL);
  const gint64 code = jm_run_part_peek (step, JM_QUANTITY_EXIT_CODE);
  g_autofree char *how = signal > 0 ? describe_signal_number (signal)
                         : code > 0 ? describe_code (code)
                                    : NULL;

  return g_strdup_printf ("step %s%s%s", name, how != NULL ? ", with " : "",
                          how != NULL ? how : "");
}

/* The step that failed before all others. */
static char *
describe_failed_step (const JmRunReport *report)
{
  const GPtrArray *steps = jm_run_get_parts (report->run, JM_RUN_PART_KIND_STEP);
  const JmRunPart *first = NULL;
  gint64 first_end = G_MAXINT64;

  for (guint i = 0; i < steps->len; i++)
    {
      const JmRunPart *step = steps->pdata[i];
      const gint64 end = jm_run_part_peek (step, JM_QUANTITY_END_TIME);

      if (is_of_program (step) && has_failed (step) && end > 0 && end < first_end)
        {
          first = step;
          first_end = end;
        }
    }

  return first != NULL ? describe_step (first) : NULL;
}

/* --- the OOM killer --- */

/* The part of the run that all of @kills were in: a task, else a step; NULL for
 * none. */
static char *
find_killed_part (JmJobRecord *record, double kills)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (record);
  char *part = NULL;

  for (guint i = JM_RECORD_SUBJECT + 1; i < jm_snapshot_get_n_subjects (snapshot); i++)
    {
      const JmFigure own =
        jm_figure_of_metric (snapshot, i, JM_METRIC_MEMORY_OOM_KILLS);
      const JmSubjectKind kind = jm_snapshot_get_kind (snapshot, i);

      if (!own.is_known || own.value != kills)
        continue;
      /* tasks come behind their steps */
      if (kind == JM_SUBJECT_KIND_STEP || kind == JM_SUBJECT_KIND_TASK)
        {
          g_free (part);
          part = kind == JM_SUBJECT_KIND_STEP
                   ? g_strdup_printf ("step %s", jm_snapshot_get_step (snapshot, i))
                   : g_strdup_printf ("task %s of step %s",
                                      jm_snapshot_get_task (snapshot, i),
                                      jm_snapshot_get_step (snapshot, i));
        }
    }

  return part;
}

/* `, whose memory peak was 7.9GiB of 8.0GiB`. */
static char *
describe_room (const JmFigures *figures)
{
  g_autofree char *peak =
    jm_figure_format (jm_figures_get (figures, JM_QUANTITY_MEMORY_PEAK),
                      JM_FORMAT_BYTES);
  g_autofree char *given =
    jm_figure_format (jm_figures_get (figures, JM_QUANTITY_MEMORY_ALLOCATED),
                      JM_FORMAT_BYTES);

  return peak != NULL && given != NULL
           ? g_strdup_printf (", where the memory peak was %s of %s", peak, given)
           : g_strdup ("");
}

/* Nothing of a node that has no name: the one on which a report is made without a
 * ledger. */
static char *
describe_place (const JmRunReportNode *node)
{
  return node->name != NULL && node->name[0] != '\0'
           ? g_strconcat (" on node ", node->name, NULL)
           : g_strdup ("");
}

static char *
describe_victims_of (const JmRunReportNode *node, double kills)
{
  g_autofree char *part =
    node->record != NULL ? find_killed_part (node->record, kills) : NULL;
  g_autofree char *place = describe_place (node);
  g_autofree char *room = describe_room (node->figures);

  return g_strdup_printf ("%.0f process%s%s%s%s%s", kills, kills == 1 ? "" : "es",
                          part != NULL ? " of " : "", part != NULL ? part : "", place,
                          room);
}

/* What the scheduler knows of it where no node counted. */
static char *
describe_accounted_victims (const JmRunReport *report)
{
  const GPtrArray *steps = jm_run_get_parts (report->run, JM_RUN_PART_KIND_STEP);
  const char *node = find_only_node (report);
  const char *step = NULL;

  if (!has_state (report, "OUT_OF_ME"))
    return NULL;
  for (guint i = 0; i < steps->len && step == NULL; i++)
    {
      const JmRunPart *part = steps->pdata[i];
      const char *state = jm_run_part_peek_text (part, JM_QUANTITY_STATE);

      if (state != NULL && g_str_has_prefix (state, "OUT_OF_ME"))
        step = jm_run_part_peek_text (part, JM_QUANTITY_NAME);
    }

  return g_strdup_printf ("processes of %s%s%s%s", step != NULL ? "step " : "the run",
                          step != NULL ? step : "", node != NULL ? " on node " : "",
                          node != NULL ? node : "");
}

static char *
describe_victims (const JmRunReport *report)
{
  const JmFigure all = jm_figures_get (report->figures, JM_QUANTITY_MEMORY_OOM_KILLS);
  const JmRunReportNode *node = NULL;
  guint n_nodes = 0;
  double kills = 0;

  for (guint i = 0; i < report->nodes->len; i++)
    {
      const JmFigure own = jm_figures_get (jm_run_report_peek_node_figures (report, i),
                                           JM_QUANTITY_MEMORY_OOM_KILLS);

      if (own.value > 0)
        {
          kills += own.value;
          node = jm_run_report_peek_node (report, i);
          n_nodes++;
        }
    }
  if (n_nodes == 1)
    return describe_victims_of (node, kills);
  if (n_nodes > 1)
    return g_strdup_printf ("%.0f processes on %u of its nodes, %s among them", kills,
                            n_nodes, node->name);
  if (all.value > 0)
    return g_strdup_printf ("%.0f process%s of the run", all.value,
                            all.value == 1 ? "" : "es");

  return describe_accounted_victims (report);
}

/* The OOM killer is the cause of an end that the scheduler does not explain in another
 * way. */
static char *
describe_death_by_oom (const JmRunReport *report)
{
  static const char *const others[] = { "TIMEOUT",   "CANCELLED", "NODE_FAIL",
                                        "PREEMPTED", "DEADLINE",  "REQUEUE",
                                        "BOOT_FAIL", "REVOKED" };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (has_state (report, others[i]))
      return NULL;

  return describe_victims (report);
}

/* --- one that lags the others --- */

typedef struct
{
  guint n_members;
  guint n_lagging;
  guint last; /* of those that lag */
  double median;
} Lag;

/* FALSE where one of them is unknown, or did nothing at all, or there are too few. */
static gboolean
find_lag (const JmRunReport *report,
          guint n,
          JmRunReportPeek peek,
          JmQuantityId use,
          Lag *lag)
{
  g_autofree double *values = g_new (double, MAX (n, 1));
  JmRobust robust;

  *lag = (Lag){ .n_members = n };
  if (n < LEAST_MEMBERS)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const JmFigure figure = jm_figures_get (peek (report, i), use);

      if (!figure.is_known || figure.value < JM_RUN_UNUSED_PERCENT)
        return FALSE;
      values[i] = figure.value;
    }

  robust = jm_robust_of (values, n);
  lag->median = robust.median;
  for (guint i = 0; i < n && lag->median >= BUSY_PERCENT; i++)
    if (values[i] < LAG_RATIO * lag->median &&
        lag->median - values[i] > JM_ROBUST_UNUSUAL * robust.deviation)
      {
        lag->last = i;
        lag->n_lagging++;
      }

  return TRUE;
}

static gboolean
find_node_lag (const JmRunReport *report, Lag *lag)
{
  return jm_run_report_is_whole ((JmRunReport *) report) &&
         find_lag (report, report->nodes->len, jm_run_report_peek_node_figures,
                   JM_QUANTITY_CPU_EFFICIENCY, lag);
}

static gboolean
find_gpu_lag (const JmRunReport *report, Lag *lag)
{
  return jm_run_report_is_whole ((JmRunReport *) report) &&
         find_lag (report, report->gpus->len, jm_run_report_peek_gpu_figures,
                   JM_QUANTITY_GPU_UTILIZATION_SHARE, lag);
}

JmFigure
jm_run_evidence_count_lagging_nodes (const JmRunReport *report)
{
  Lag lag;

  return find_node_lag (report, &lag) ? jm_figure_known (lag.n_lagging)
                                      : (JmFigure){ 0 };
}

JmFigure
jm_run_evidence_count_lagging_gpus (const JmRunReport *report)
{
  Lag lag;

  return find_gpu_lag (report, &lag) ? jm_figure_known (lag.n_lagging)
                                     : (JmFigure){ 0 };
}

/* `, and its CPU quota stopped it for 10m00s`. */
static char *
describe_throttling (JmJobRecord *record)
{
  const JmFigure stopped =
    record != NULL ? jm_figure_of_metric (jm_job_record_get_snapshot (record),
                                          JM_RECORD_SUBJECT, JM_METRIC_CPU_THROTTLED)
                   : (JmFigure){ 0 };
  g_autofree char *text = jm_figure_format (stopped, JM_FORMAT_DURATION);

  return stopped.value >= 1
           ? g_strdup_printf (", and its CPU quota stopped it for %s", text)
           : g_strdup ("");
}

static char *
describe_lagging_node (const JmRunReport *report)
{
  const JmRunReportNode *node;
  g_autofree char *throttling = NULL;
  Lag lag;

  if (!find_node_lag (report, &lag) || lag.n_lagging != 1)
    return NULL;
  node = jm_run_report_peek_node (report, lag.last);
  throttling = describe_throttling (node->record);

  return g_strdup_printf (
    "Node %s used %.1f%% of its CPU time, while the median of the %u nodes is "
    "%.1f%%%s",
    node->name, jm_figures_get (node->figures, JM_QUANTITY_CPU_EFFICIENCY).value,
    lag.n_members, lag.median, throttling);
}

static char *
describe_lagging_gpu (const JmRunReport *report)
{
  g_autofree char *place = NULL;
  const JmRunReportGpu *gpu;
  Lag lag;

  if (!find_gpu_lag (report, &lag) || lag.n_lagging != 1)
    return NULL;
  gpu = jm_run_report_peek_gpu (report, lag.last);
  place = describe_place (jm_run_report_peek_node (report, gpu->node));

  return g_strdup_printf (
    "GPU %s%s was busy for %.1f%% of the time, while the median of the %u GPUs is "
    "%.1f%%",
    gpu->name, place,
    jm_figures_get (gpu->figures, JM_QUANTITY_GPU_UTILIZATION_SHARE).value,
    lag.n_members, lag.median);
}

/* --- devices that reported errors --- */

/* As https://docs.nvidia.com/deploy/xid-errors/ has them. */
static const struct
{
  const char *xid;
  const char *words;
} xids[] = {
  { "13", "an exception in the program's kernel" },
  { "31", "a memory page fault of the program" },
  { "43", "the program's kernel was stopped" },
  { "45", "the program's work was removed after an earlier error" },
  { "48", "an uncorrectable memory error" },
  { "62", "the device's controller stopped" },
  { "63", "a part of the memory is to be replaced" },
  { "64", "a part of the memory could not be replaced" },
  { "74", "an error of NVLink" },
  { "79", "the device is no longer on the bus" },
  { "92", "many corrected memory errors" },
  { "94", "a memory error that was contained" },
  { "95", "a memory error that was not contained" },
  { "119", "the device's processor did not answer" },
  { "120", "an error of the device's processor" },
};

/* Errors that a device corrects by itself are not reported. */
static gboolean
is_error (const JmReading *reading)
{
  return reading->value > 0 && reading->labels != NULL &&
         (reading->metric == JM_METRIC_GPU_XID_ERRORS ||
          (reading->metric == JM_METRIC_GPU_ECC_ERRORS &&
           g_str_equal (jm_labels_get_value (reading->labels, 0), "uncorrected")));
}

static void
append_error (GString *text, const JmReading *reading)
{
  const char *label = jm_labels_get_value (reading->labels, 0);
  guint64 n = reading->value;

  if (reading->metric == JM_METRIC_GPU_ECC_ERRORS)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " uncorrected memory error%s", n,
                            n > 1 ? "s" : "");
  else
    g_string_append_printf (text, "Xid %s", label);
  for (guint i = 0; i < G_N_ELEMENTS (xids); i++)
    if (reading->metric == JM_METRIC_GPU_XID_ERRORS && g_str_equal (xids[i].xid, label))
      g_string_append_printf (text, " (%s)", xids[i].words);
  if (reading->metric == JM_METRIC_GPU_XID_ERRORS && n > 1)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT " times", n);
}

/* Appends what one device of a node reported. Whether it was recorded at all is
 * @is_known. */
static gboolean
append_device (const JmRunReportNode *node,
               guint subject,
               gboolean *is_known,
               GString *text)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (node->record);
  guint n_readings, n_subjects;
  const JmReading *readings =
    jm_snapshot_get_readings_of (snapshot, subject, &n_readings);
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n_subjects);
  g_autofree char *place = describe_place (node);
  gboolean has_error = FALSE;

  if (subjects[subject].kind != JM_SUBJECT_KIND_JOB_GPU)
    return FALSE;
  for (guint i = 0; i < n_readings; i++)
    {
      *is_known |= readings[i].metric == JM_METRIC_GPU_XID_ERRORS ||
                   readings[i].metric == JM_METRIC_GPU_ECC_ERRORS;
      if (!is_error (&readings[i]))
        continue;
      if (has_error)
        g_string_append (text, ", ");
      else
        g_string_append_printf (text, "%sGPU %s%s reported ", text->len > 0 ? "; " : "",
                                jm_labels_get_value (subjects[subject].labels, 0),
                                place);
      append_error (text, &readings[i]);
      has_error = TRUE;
    }

  return has_error;
}

/* Returns how many devices reported some; the first of them are in @text. */
static guint
append_gpu_errors (const JmRunReport *report, gboolean *is_known, GString *text)
{
  guint n_devices = 0;

  *is_known = FALSE;
  for (guint i = 0; i < report->nodes->len; i++)
    {
      const JmRunReportNode *node = jm_run_report_peek_node (report, i);
      guint n_subjects = 0;

      if (node->record != NULL)
        n_subjects =
          jm_snapshot_get_n_subjects (jm_job_record_get_snapshot (node->record));
      for (guint k = 0; k < n_subjects; k++)
        {
          const gsize length = text->len;

          if (append_device (node, k, is_known, text) && ++n_devices > MAX_DEVICES_TOLD)
            g_string_truncate (text, length);
        }
    }

  return n_devices;
}

JmFigure
jm_run_evidence_count_failing_gpus (const JmRunReport *report)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_known;
  const guint n = append_gpu_errors (report, &is_known, text);

  return is_known ? jm_figure_known (n) : (JmFigure){ 0 };
}

static char *
describe_gpu_errors (const JmRunReport *report)
{
  GString *text = g_string_new (NULL);
  gboolean is_known;
  const guint n = append_gpu_errors (report, &is_known, text);

  if (n > MAX_DEVICES_TOLD)
    g_string_append_printf (text, "; %u more GPUs reported errors",
                            n - MAX_DEVICES_TOLD);

  return g_string_free (text, n == 0);
}

/* --- devices that were slowed down --- */

/* The device whose clocks were held back for the largest part of its observed time. */
typedef struct
{
  const JmRunReportNode *node;
  const char *gpu; /* NULL where nothing is known */
  double throttled_us;
  double percent;
} Slow;

static void
compare_device (const JmRunReportNode *node, guint subject, Slow *slow)
{
  JmSnapshot *snapshot = jm_job_record_get_snapshot (node->record);
  guint n_subjects, n_readings;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n_subjects);
  const JmReading *readings =
    jm_snapshot_get_readings_of (snapshot, subject, &n_readings);
  double throttled_us = -1, observed_us = 0, percent;

  if (subjects[subject].kind != JM_SUBJECT_KIND_JOB_GPU)
    return;
  for (guint i = 0; i < n_readings; i++)
    if (readings[i].metric == JM_METRIC_GPU_THROTTLED)
      throttled_us = (double) readings[i].value;
    else if (readings[i].metric == JM_METRIC_GPU_OBSERVED)
      observed_us = (double) readings[i].value;
  if (throttled_us < 0 || observed_us <= 0)
    return;

  percent = MIN (100 * throttled_us / observed_us, 100);
  if (slow->gpu == NULL || percent > slow->percent)
    *slow = (Slow){ node, jm_labels_get_value (subjects[subject].labels, 0),
                    throttled_us, percent };
}

static Slow
find_slowest (const JmRunReport *report)
{
  Slow slow = { 0 };

  for (guint i = 0; i < report->nodes->len; i++)
    {
      const JmRunReportNode *node = jm_run_report_peek_node (report, i);
      const guint n =
        node->record != NULL
          ? jm_snapshot_get_n_subjects (jm_job_record_get_snapshot (node->record))
          : 0;

      for (guint k = 0; k < n; k++)
        compare_device (node, k, &slow);
    }

  return slow;
}

JmFigure
jm_run_evidence_get_gpu_throttled (const JmRunReport *report)
{
  const Slow slow = find_slowest (report);

  return slow.gpu != NULL ? jm_figure_known (slow.percent) : (JmFigure){ 0 };
}

static char *
describe_throttled_gpu (const JmRunReport *report)
{
  const Slow slow = find_slowest (report);
  g_autofree char *lasted = NULL;
  g_autofree char *place = NULL;

  if (slow.gpu == NULL || slow.throttled_us <= 0)
    return NULL;
  lasted = jm_format_to_string (JM_FORMAT_DURATION, slow.throttled_us / G_USEC_PER_SEC);
  place = describe_place (slow.node);

  return g_strdup_printf ("GPU %s%s had its clocks held back by heat or by the "
                          "hardware for %s, %.1f%% of the time",
                          slow.gpu, place, lasted, slow.percent);
}

/* --- by name --- */

static const struct
{
  const char *name;
  char *(*describe) (const JmRunReport *report);
} evidences[] = {
  { "canceller", describe_canceller },
  { "ended_at", describe_end_time },
  { "ended_by_oom", describe_death_by_oom },
  { "ended_by_scheduler", describe_scheduler },
  { "exit_words", describe_exit },
  { "failed_node_words", describe_failed_node },
  { "failed_step", describe_failed_step },
  { "gpu_errors", describe_gpu_errors },
  { "idle_before_end", describe_rest },
  { "lagging_gpu", describe_lagging_gpu },
  { "lagging_node", describe_lagging_node },
  { "oom_victims", describe_victims },
  { "signal_words", describe_signal },
  { "throttled_gpu", describe_throttled_gpu },
};

gboolean
jm_run_evidence_from_name (const char *name, guint *evidence)
{
  for (guint i = 0; i < G_N_ELEMENTS (evidences); i++)
    if (g_str_equal (name, evidences[i].name))
      {
        *evidence = i;
        return TRUE;
      }

  return FALSE;
}

const char *
jm_run_evidence_get_name (guint evidence)
{
  return evidences[evidence].name;
}

char *
jm_run_evidence_describe (JmRunReport *report, guint evidence)
{
  return evidences[evidence].describe (report);
}
