/* jmc-field.c: whatever is known of a job, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-field.h"

#include <string.h>

#include "expose/jm-number.h"
#include "jmc-energy.h"
#include "jmc-snapshot.h"
#include "jmc-text.h"
#include "jmc-units.h"

#define BIT(collector) (1u << JM_COLLECTOR_##collector)

/* What follows from a snapshot besides its fields and metrics. */
typedef enum
{
  DERIVED_STATE,
  DERIVED_STEP,
  DERIVED_AGE,
  DERIVED_EFFICIENCY,
  DERIVED_END_TIME,
  DERIVED_TIME,
  N_DERIVED,
} Derived;

/* Fields are numbered: those of jobs, the derived ones, metrics. */
#define FIRST_DERIVED JM_N_JOB_FIELDS
#define FIRST_METRIC (FIRST_DERIVED + N_DERIVED)

typedef struct
{
  const char *name;
  const char *short_name;
  const char *title;
  JmcFieldKind kind;
  guint collectors;
  const char *help;
} DerivedInfo;

static const DerivedInfo derived[N_DERIVED] = {
  [DERIVED_STATE] = { "state", NULL, "STATE", JMC_FIELD_TEXT, 0, "running or ended" },
  [DERIVED_STEP] = { "step", NULL, "STEP", JMC_FIELD_TEXT, 0,
                     "Name of the step, in a line of one." },
  [DERIVED_AGE] = { "age_seconds", "age", "AGE", JMC_FIELD_SECONDS, BIT (PROCESS),
                    "Time since the job began, up to its end." },
  [DERIVED_EFFICIENCY] = { "efficiency_percent", "eff", "EFF%", JMC_FIELD_PERCENT,
                           BIT (CPU) | BIT (PROCESS),
                           "CPU time as a share of what could have been spent." },
  [DERIVED_END_TIME] = { "end_time", NULL, "ENDED", JMC_FIELD_MOMENT, 0,
                         "When the job was seen to have ended." },
  [DERIVED_TIME] = { "time", NULL, "TIME", JMC_FIELD_MOMENT, 0,
                     "When the figures were read." },
};

static const char *const job_field_helps[JM_N_JOB_FIELDS] = {
  [JM_JOB_FIELD_CLUSTER] = "Name of the cluster.",
  [JM_JOB_FIELD_SCHEDULER] = "Name of the scheduler definition.",
  [JM_JOB_FIELD_ID] = "The scheduler's job id.",
  [JM_JOB_FIELD_UUID] = "Unique for ever.",
  [JM_JOB_FIELD_SLUID] = "Slurm's own unique id.",
  [JM_JOB_FIELD_USER] = "Name of the user.",
  [JM_JOB_FIELD_UID] = "Number of the user.",
  [JM_JOB_FIELD_ACCOUNT] = "Account that is charged.",
  [JM_JOB_FIELD_PARTITION] = "Partition or queue.",
  [JM_JOB_FIELD_QOS] = "Quality of service.",
  [JM_JOB_FIELD_NAME] = "Name of the job.",
  [JM_JOB_FIELD_ARRAY_JOB_ID] = "Id of the job array.",
  [JM_JOB_FIELD_ARRAY_TASK_ID] = "Index in the job array.",
  [JM_JOB_FIELD_HET_JOB_ID] = "Id of the heterogeneous job.",
  [JM_JOB_FIELD_HET_JOB_OFFSET] = "Component of the heterogeneous job.",
  [JM_JOB_FIELD_NODES] = "How many nodes the job has.",
  [JM_JOB_FIELD_GPUS] = "Devices given to the job on this node.",
  [JM_JOB_FIELD_SUBMIT_TIME] = "When the job was submitted.",
  [JM_JOB_FIELD_START_TIME] = "When the job began.",
};

/* What the most usual metrics are called in a hurry. */
static const struct
{
  JmMetric metric;
  const char *short_name;
  const char *title;
} short_metrics[] = {
  { JM_METRIC_CPU_TOTAL, "cpu_time", "CPU-TIME" },
  { JM_METRIC_MEMORY_USED, "mem", "MEM" },
  { JM_METRIC_MEMORY_PEAK, "peak", "PEAK" },
  { JM_METRIC_MEMORY_LIMIT, "limit", "LIMIT" },
  { JM_METRIC_PROCESSES, "procs", "PROCS" },
  { JM_METRIC_ENERGY, "energy", "ENERGY" },
  { JM_METRIC_POWER, "watts", "WATTS" },
  { JM_METRIC_EMISSIONS, "co2", "CO2" },
};

static gboolean
is_metric (JmcField field)
{
  return field >= FIRST_METRIC;
}

static gboolean
is_derived (JmcField field)
{
  return field >= FIRST_DERIVED && field < FIRST_METRIC;
}

static const JmMetricInfo *
get_metric_info (JmcField field)
{
  return jm_metric_get_info (field - FIRST_METRIC);
}

static const DerivedInfo *
get_derived_info (JmcField field)
{
  return &derived[field - FIRST_DERIVED];
}

/* How many numbers there are; those of the node's own metrics are not used. */
guint
jmc_field_get_n (void)
{
  return FIRST_METRIC + JM_N_METRICS;
}

gboolean
jmc_field_is_of_job (JmcField field)
{
  return !is_metric (field) || !jm_metric_is_of_node (field - FIRST_METRIC);
}

/* As on /metrics, less the level's prefix. */
const char *
jmc_field_get_name (JmcField field)
{
  if (is_metric (field))
    return get_metric_info (field)->name;

  return is_derived (field) ? get_derived_info (field)->name
                            : jm_job_field_get_name (field);
}

/* NULL where the name is short enough. */
const char *
jmc_field_get_short_name (JmcField field)
{
  for (guint i = 0; i < G_N_ELEMENTS (short_metrics); i++)
    if (field == FIRST_METRIC + short_metrics[i].metric)
      return short_metrics[i].short_name;

  return is_derived (field) ? get_derived_info (field)->short_name : NULL;
}

const char *
jmc_field_get_help (JmcField field)
{
  if (is_metric (field))
    return get_metric_info (field)->help;

  return is_derived (field) ? get_derived_info (field)->help : job_field_helps[field];
}

char *
jmc_field_make_title (JmcField field)
{
  for (guint i = 0; i < G_N_ELEMENTS (short_metrics); i++)
    if (field == FIRST_METRIC + short_metrics[i].metric)
      return g_strdup (short_metrics[i].title);

  if (is_derived (field))
    return g_strdup (get_derived_info (field)->title);

  return g_ascii_strup (jmc_field_get_name (field), -1);
}

/* A title, such as CPU-TIME or EFF%, means its field too. */
static gboolean
is_same_name (const char *name, const char *typed)
{
  for (; *name != '\0' && *typed != '\0'; name++, typed++)
    if (*name != (*typed == '-' ? '_' : g_ascii_tolower (*typed)))
      return FALSE;

  return *name == '\0' && (*typed == '\0' || g_str_equal (typed, "%"));
}

static gboolean
is_called (JmcField field, const char *typed)
{
  const char *short_name = jmc_field_get_short_name (field);

  return is_same_name (jmc_field_get_name (field), typed) ||
         (short_name != NULL && is_same_name (short_name, typed));
}

gboolean
jmc_field_from_name (const char *name, JmcField *field)
{
  for (JmcField i = 0; i < jmc_field_get_n (); i++)
    if (jmc_field_is_of_job (i) && is_called (i, name))
      {
        *field = i;
        return TRUE;
      }

  return FALSE;
}

static JmcFieldKind
get_metric_kind (const JmMetricInfo *info)
{
  if (info->metric == JM_METRIC_PROCESS_FIRST_START)
    return JMC_FIELD_MOMENT;

  switch (info->unit)
    {
    case JM_UNIT_BYTES:
      return JMC_FIELD_BYTES;
    case JM_UNIT_NANOSECONDS:
    case JM_UNIT_MICROSECONDS:
      return JMC_FIELD_SECONDS;
    case JM_UNIT_MICROJOULES:
      return JMC_FIELD_JOULES;
    case JM_UNIT_MICROWATTS:
      return JMC_FIELD_WATTS;
    case JM_UNIT_MICROGRAMS:
      return JMC_FIELD_GRAMS;
    case JM_UNIT_MICROGRAMS_PER_KWH:
    case JM_UNIT_COUNT:
    default:
      return JMC_FIELD_COUNT;
    }
}

JmcFieldKind
jmc_field_get_kind (JmcField field)
{
  if (is_metric (field))
    return get_metric_kind (get_metric_info (field));

  if (is_derived (field))
    return get_derived_info (field)->kind;

  return field == JM_JOB_FIELD_START_TIME || field == JM_JOB_FIELD_SUBMIT_TIME
           ? JMC_FIELD_MOMENT
           : JMC_FIELD_TEXT;
}

/* Which collectors must run for the field to be known: a mask by JmCollector. */
guint
jmc_field_get_collectors (JmcField field)
{
  if (is_derived (field))
    return get_derived_info (field)->collectors;

  /* Where the scheduler does not tell, the oldest process does. */
  if (!is_metric (field))
    return field == JM_JOB_FIELD_START_TIME ? BIT (PROCESS) : 0;

  /* Jobs that have no cgroup have their CPU time summed over processes. */
  if (field == FIRST_METRIC + JM_METRIC_CPU_TOTAL)
    return BIT (CPU) | BIT (PROCESS);

  return 1u << get_metric_info (field)->collector;
}

static JmcFigure
figure_of_moment (gint64 time_us)
{
  return time_us > 0 ? jmc_figure_known ((double) time_us / 1e6)
                     : (JmcFigure){ FALSE, 0 };
}

static JmcFigure
get_derived_figure (Derived which, JmSnapshot *snapshot, guint subject)
{
  switch (which)
    {
    case DERIVED_AGE:
      return jmc_figure_get_age (snapshot, subject);
    case DERIVED_EFFICIENCY:
      return jmc_figure_get_efficiency (snapshot, subject);
    case DERIVED_END_TIME:
      return figure_of_moment (jm_snapshot_get_end_time (snapshot, subject));
    case DERIVED_TIME:
      return figure_of_moment (jm_snapshot_get_time (snapshot));
    case DERIVED_STATE:
    case DERIVED_STEP:
    case N_DERIVED:
    default:
      return (JmcFigure){ FALSE, 0 };
    }
}

static JmcFigure
get_job_figure (JmJobField field, JmSnapshot *snapshot, guint subject)
{
  const char *text;
  guint64 seconds;

  if (field == JM_JOB_FIELD_START_TIME)
    return figure_of_moment (jm_snapshot_get_start_time (snapshot, subject));

  text = jm_job_get_field (jm_snapshot_get_job (snapshot, subject), field);
  if (text == NULL ||
      !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &seconds, NULL))
    return (JmcFigure){ FALSE, 0 };

  return jmc_figure_known ((double) seconds);
}

/* Where a metric has a figure for each device or the like, these are added up. */
static JmcFigure
get_metric_figure (const JmMetricInfo *info, JmSnapshot *snapshot, guint subject)
{
  if (info->metric == JM_METRIC_ENERGY_COVERED)
    return jmc_energy_get_covered (snapshot, subject);

  if (info->n_labels == 0)
    return jmc_figure_get (snapshot, subject, info->metric);

  return jmc_figure_sum (snapshot, subject, info->metric);
}

/* The figure in base units; unknown for what is text. */
JmcFigure
jmc_field_get_figure (JmcField field, JmSnapshot *snapshot, guint subject)
{
  if (jmc_field_get_kind (field) == JMC_FIELD_TEXT)
    return (JmcFigure){ FALSE, 0 };

  if (is_metric (field))
    return get_metric_figure (get_metric_info (field), snapshot, subject);

  return is_derived (field)
           ? get_derived_figure (field - FIRST_DERIVED, snapshot, subject)
           : get_job_figure (field, snapshot, subject);
}

static char *
get_derived_text (Derived which, JmSnapshot *snapshot, guint subject)
{
  if (which == DERIVED_STEP)
    return g_strdup (jm_snapshot_get_step (snapshot, subject));

  return g_strdup (jm_snapshot_get_end_time (snapshot, subject) > 0 ? "ended"
                                                                    : "running");
}

/* NULL for what is not known, and for figures. */
char *
jmc_field_get_text (JmcField field, JmSnapshot *snapshot, guint subject)
{
  if (jmc_field_get_kind (field) != JMC_FIELD_TEXT)
    return NULL;

  if (is_derived (field))
    return get_derived_text (field - FIRST_DERIVED, snapshot, subject);

  return g_strdup (jm_job_get_field (jm_snapshot_get_job (snapshot, subject), field));
}

static char *
format_bare_percent (double percent)
{
  return g_strdup_printf ("%.1f", percent);
}

static char *
format_moment (double seconds)
{
  return jmc_units_format_time ((gint64) seconds);
}

static char *
format_text (JmcField field, JmSnapshot *snapshot, guint subject)
{
  char *text;

  if (field == JM_JOB_FIELD_ID)
    return jmc_snapshot_format_job_id (snapshot, subject);

  text = jmc_field_get_text (field, snapshot, subject);
  if (text == NULL && field == JM_JOB_FIELD_USER)
    return jmc_field_get_text (JM_JOB_FIELD_UID, snapshot, subject);

  return text;
}

/* Whether the figure stems from an estimate, in whole or in part. */
gboolean
jmc_field_is_estimated (JmcField field, JmSnapshot *snapshot, guint subject)
{
  switch (jmc_field_get_kind (field))
    {
    case JMC_FIELD_JOULES:
    case JMC_FIELD_WATTS:
    case JMC_FIELD_GRAMS:
      return jmc_energy_is_estimated (snapshot, subject, field - FIRST_METRIC);
    default:
      return FALSE;
    }
}

/* Whether there is anything to show. */
gboolean
jmc_field_is_known (JmcField field, JmSnapshot *snapshot, guint subject)
{
  g_autofree char *text = NULL;

  if (jmc_field_get_kind (field) != JMC_FIELD_TEXT)
    return jmc_field_get_figure (field, snapshot, subject).is_known;

  text = format_text (field, snapshot, subject);

  return text != NULL;
}

static char *
mark_estimate (char *text)
{
  g_autofree char *plain = text;

  return plain != NULL ? g_strconcat (JMC_ENERGY_MARK, plain, NULL) : NULL;
}

/* For people, what is estimated marked; NULL for what is not known. */
char *
jmc_field_format (JmcField field, JmSnapshot *snapshot, guint subject)
{
  static char *(*const formats[]) (double value) = {
    [JMC_FIELD_TEXT] = NULL,
    [JMC_FIELD_COUNT] = jmc_units_format_count,
    [JMC_FIELD_BYTES] = jmc_units_format_bytes,
    [JMC_FIELD_SECONDS] = jmc_units_format_duration,
    [JMC_FIELD_PERCENT] = format_bare_percent,
    [JMC_FIELD_JOULES] = jmc_units_format_joules,
    [JMC_FIELD_WATTS] = jmc_units_format_watts,
    [JMC_FIELD_GRAMS] = jmc_units_format_grams,
    [JMC_FIELD_MOMENT] = format_moment,
  };
  JmcFieldKind kind = jmc_field_get_kind (field);
  char *text;

  if (kind == JMC_FIELD_TEXT)
    return format_text (field, snapshot, subject);

  text =
    jmc_figure_format (jmc_field_get_figure (field, snapshot, subject), formats[kind]);

  return jmc_field_is_estimated (field, snapshot, subject) ? mark_estimate (text)
                                                           : text;
}

/* For programs: base units, in no locale; NULL for what is not known. */
char *
jmc_field_format_plain (JmcField field, JmSnapshot *snapshot, guint subject)
{
  if (jmc_field_get_kind (field) == JMC_FIELD_TEXT)
    return jmc_field_get_text (field, snapshot, subject);

  return jmc_figure_format (jmc_field_get_figure (field, snapshot, subject),
                            jm_number_to_string);
}

static int
compare_texts (const char *a, const char *b, gboolean descending)
{
  if (a == NULL || b == NULL)
    return (a == NULL) - (b == NULL);

  return descending ? jmc_text_compare (b, a) : jmc_text_compare (a, b);
}

static int
compare_figures (JmcFigure a, JmcFigure b, gboolean descending)
{
  int order = (a.value > b.value) - (a.value < b.value);

  if (!a.is_known || !b.is_known)
    return b.is_known - a.is_known;

  return descending ? -order : order;
}

/* Which of two jobs comes first: below, at or above 0. What is not known comes last. */
int
jmc_field_compare (JmcField field,
                   JmSnapshot *snapshot,
                   guint a,
                   guint b,
                   gboolean descending)
{
  g_autofree char *text_a = NULL;
  g_autofree char *text_b = NULL;

  if (jmc_field_get_kind (field) != JMC_FIELD_TEXT)
    return compare_figures (jmc_field_get_figure (field, snapshot, a),
                            jmc_field_get_figure (field, snapshot, b), descending);

  text_a = format_text (field, snapshot, a);
  text_b = format_text (field, snapshot, b);

  return compare_texts (text_a, text_b, descending);
}
