/* jm-htcondor-ad.c: the ad of a job in HTCondor's history
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/htcondor/jm-htcondor-ad-private.h"

#include <math.h>

#include "base/jm-json-private.h"
#include "core/jm-run-private.h"

#define KIB G_GINT64_CONSTANT (1024)
#define MIB (1024 * KIB)
/* A double has all whole numbers below this. */
#define NUMBER_MAX 9007199254740992.0

/* https://htcondor.readthedocs.io/en/latest/classad-attributes/job-classad-attributes.html
 */
typedef enum
{
  CLUSTER_ID,
  PROC_ID,
  OWNER,
  ACCT_GROUP,
  BATCH_NAME,
  GLOBAL_ID,
  REMOTE_HOST,
  STATUS,
  LAST_STATUS,
  UNIVERSE,
  SUBMITTED,
  STARTED,
  ENTERED,
  COMPLETED,
  LAST_WALL_CLOCK,
  SUSPENDED,
  SHADOW_STARTS,
  JOB_STARTS,
  BY_SIGNAL,
  EXIT_CODE,
  EXIT_SIGNAL,
  HOLD_CODE,
  LAST_HOLD_CODE,
  DURATION_LIMIT,
  CPUS_REQUESTED,
  CPUS_PROVISIONED,
  MEMORY_REQUESTED,
  MEMORY_PROVISIONED,
  GPUS_REQUESTED,
  GPUS_PROVISIONED,
  USER_CPU,
  SYSTEM_CPU,
  RSS,
  RSS_ROUNDED,
  N_ATTRIBUTES
} Attribute;

/* Without a unit it is text. */
static const struct
{
  const char *name;
  gint64 unit;
  int field; /* of the run, or NO_FIELD */
} attributes[N_ATTRIBUTES] = {
#define NO_FIELD -1
  [CLUSTER_ID] = { "ClusterId", 1, NO_FIELD },
  [PROC_ID] = { "ProcId", 1, NO_FIELD },
  [OWNER] = { "Owner", 0, JM_RUN_FIELD_USER },
  [ACCT_GROUP] = { "AcctGroup", 0, JM_RUN_FIELD_ACCOUNT },
  [BATCH_NAME] = { "JobBatchName", 0, JM_RUN_FIELD_NAME },
  [GLOBAL_ID] = { "GlobalJobId", 0, NO_FIELD },
  [REMOTE_HOST] = { "LastRemoteHost", 0, NO_FIELD },
  [STATUS] = { "JobStatus", 1, NO_FIELD },
  [LAST_STATUS] = { "LastJobStatus", 1, NO_FIELD },
  [UNIVERSE] = { "JobUniverse", 1, NO_FIELD },
  [SUBMITTED] = { "QDate", 1, JM_RUN_FIELD_SUBMIT_TIME },
  [STARTED] = { "JobCurrentStartDate", 1, JM_RUN_FIELD_START_TIME },
  [ENTERED] = { "EnteredCurrentStatus", 1, NO_FIELD },
  [COMPLETED] = { "CompletionDate", 1, NO_FIELD },
  [LAST_WALL_CLOCK] = { "LastRemoteWallClockTime", 1, NO_FIELD },
  [SUSPENDED] = { "CommittedSuspensionTime", 1, NO_FIELD },
  [SHADOW_STARTS] = { "NumShadowStarts", 1, NO_FIELD },
  [JOB_STARTS] = { "NumJobStarts", 1, NO_FIELD },
  [BY_SIGNAL] = { "ExitBySignal", 1, NO_FIELD },
  [EXIT_CODE] = { "ExitCode", 1, NO_FIELD },
  [EXIT_SIGNAL] = { "ExitSignal", 1, NO_FIELD },
  [HOLD_CODE] = { "HoldReasonCode", 1, NO_FIELD },
  [LAST_HOLD_CODE] = { "LastHoldReasonCode", 1, NO_FIELD },
  [DURATION_LIMIT] = { "AllowedExecuteDuration", 1, JM_RUN_FIELD_TIME_LIMIT },
  [CPUS_REQUESTED] = { "RequestCpus", 1, NO_FIELD },
  [CPUS_PROVISIONED] = { "CpusProvisioned", 1, NO_FIELD },
  [MEMORY_REQUESTED] = { "RequestMemory", MIB, JM_RUN_FIELD_MEMORY_REQUESTED },
  [MEMORY_PROVISIONED] = { "MemoryProvisioned", MIB, JM_RUN_FIELD_MEMORY_ALLOCATED },
  [GPUS_REQUESTED] = { "RequestGPUs", 1, JM_RUN_FIELD_GPUS_REQUESTED },
  [GPUS_PROVISIONED] = { "GPUsProvisioned", 1, JM_RUN_FIELD_GPUS_ALLOCATED },
  [USER_CPU] = { "RemoteUserCpu", G_USEC_PER_SEC, NO_FIELD },
  [SYSTEM_CPU] = { "RemoteSysCpu", G_USEC_PER_SEC, NO_FIELD },
  [RSS] = { "ResidentSetSize_RAW", KIB, NO_FIELD },
  [RSS_ROUNDED] = { "ResidentSetSize", KIB, NO_FIELD },
};

/* JobStatus. */
enum
{
  RUNNING = 2,
  REMOVED = 3,
  DONE = 4,
  HELD = 5,
  TRANSFERRING = 6,
  SUSPENDED_NOW = 7,
};

/* JobUniverse of jobs that the schedd itself starts, on its own machine. */
enum
{
  SCHEDULER_UNIVERSE = 7,
  PARALLEL_UNIVERSE = 11,
  LOCAL_UNIVERSE = 12,
};

/* HoldReasonCode of jobs that used too much. */
enum
{
  OUT_OF_RESOURCES = 34,
  DURATION_EXCEEDED = 46,
  EXECUTE_DURATION_EXCEEDED = 47,
};

typedef struct
{
  gint64 numbers[N_ATTRIBUTES];    /* in the attribute's unit times its number; or -1 */
  const char *texts[N_ATTRIBUTES]; /* or NULL */
  const char *bad;
} Ad;

char *
jm_htcondor_list_attributes (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < N_ATTRIBUTES; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? "," : "", attributes[i].name);

  return g_string_free (list, FALSE);
}

/* --- values --- */

/* What depends on other attributes, such as the default of RequestMemory, stands there
 * as its expression and is unknown. */
static gboolean
is_unknown (JsonNode *node)
{
  return JSON_NODE_HOLDS_NULL (node) ||
         (json_node_get_value_type (node) == G_TYPE_STRING &&
          g_str_has_prefix (json_node_get_string (node), "/Expr("));
}

static gboolean
take_number (JsonNode *node, gint64 unit, gint64 *number)
{
  GType type = json_node_get_value_type (node);
  double value = 0;

  if (type == G_TYPE_BOOLEAN)
    value = json_node_get_boolean (node);
  else if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
    value = json_node_get_double (node);
  else
    return FALSE;
  if (!isfinite (value) || value < 0 || value * (double) unit >= NUMBER_MAX)
    return FALSE;
  *number = (gint64) (value * (double) unit + 0.5);

  return TRUE;
}

static void
take_value (Ad *self, Attribute attribute, JsonNode *node)
{
  gboolean is_text = attributes[attribute].unit == 0;

  if (is_unknown (node))
    return;
  if (is_text && json_node_get_value_type (node) == G_TYPE_STRING)
    self->texts[attribute] = json_node_get_string (node);
  else if (is_text ||
           !take_number (node, attributes[attribute].unit, &self->numbers[attribute]))
    self->bad = attributes[attribute].name;
}

/* Names of attributes are the same in capital letters and in small ones. */
static void
on_member (G_GNUC_UNUSED JsonObject *object,
           const char *name,
           JsonNode *node,
           gpointer data)
{
  for (Attribute i = 0; i < N_ATTRIBUTES; i++)
    if (g_ascii_strcasecmp (attributes[i].name, name) == 0)
      take_value (data, i, node);
}

static void
read_ad (Ad *self, JsonObject *object)
{
  for (guint i = 0; i < N_ATTRIBUTES; i++)
    self->numbers[i] = -1;
  json_object_foreach_member (object, on_member, self);
}

/* --- runs --- */

static void
set_fields (JmRun *run, const Ad *ad)
{
  for (guint i = 0; i < N_ATTRIBUTES; i++)
    if (attributes[i].field != NO_FIELD && attributes[i].unit > 0)
      jm_run_keep_number (run, (JmRunField) attributes[i].field, ad->numbers[i]);
    else if (attributes[i].field != NO_FIELD && ad->texts[i] != NULL)
      jm_run_keep_text (run, (JmRunField) attributes[i].field, ad->texts[i]);
}

/* A job that was removed while it was held or waited has ended before. */
static gint64
find_end (const Ad *ad)
{
  const gint64 *numbers = ad->numbers;

  if (numbers[STATUS] == DONE && numbers[COMPLETED] > 0)
    return numbers[COMPLETED];
  if (numbers[STATUS] == REMOVED && numbers[STARTED] > 0 &&
      numbers[LAST_WALL_CLOCK] >= 0 && numbers[LAST_STATUS] >= 0 &&
      numbers[LAST_STATUS] != RUNNING && numbers[LAST_STATUS] != TRANSFERRING &&
      numbers[LAST_STATUS] != SUSPENDED_NOW)
    return numbers[STARTED] + numbers[LAST_WALL_CLOCK];

  return numbers[ENTERED];
}

static void
set_times (JmRun *run, const Ad *ad)
{
  gint64 end = find_end (ad);
  gint64 elapsed = end - ad->numbers[STARTED];

  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, end);
  if (ad->numbers[STARTED] > 0 && elapsed >= 0)
    jm_run_keep_number (run, JM_RUN_FIELD_ELAPSED,
                        MAX (elapsed - MAX (ad->numbers[SUSPENDED], 0), 0));
}

/* The code of a held job that is removed goes to LastHoldReasonCode. */
static const char *
get_state (const Ad *ad)
{
  gint64 code = ad->numbers[LAST_STATUS] == HELD && ad->numbers[HOLD_CODE] < 0
                  ? ad->numbers[LAST_HOLD_CODE]
                  : ad->numbers[HOLD_CODE];

  if (ad->numbers[STATUS] == DONE)
    return ad->numbers[BY_SIGNAL] == 1 || ad->numbers[EXIT_CODE] > 0 ? "FAILED"
                                                                     : "COMPLETED";
  if (ad->numbers[STATUS] != REMOVED)
    return NULL;

  switch (code)
    {
    case OUT_OF_RESOURCES:
      return "OUT_OF_MEMORY";
    case DURATION_EXCEEDED:
    case EXECUTE_DURATION_EXCEEDED:
      return "TIMEOUT";
    default:
      return "CANCELLED";
    }
}

static void
set_end (JmRun *run, const Ad *ad)
{
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, get_state (ad));
  if (ad->numbers[BY_SIGNAL] == 1)
    jm_run_keep_number (run, JM_RUN_FIELD_EXIT_SIGNAL, ad->numbers[EXIT_SIGNAL]);
  else if (ad->numbers[STATUS] == DONE)
    jm_run_keep_number (run, JM_RUN_FIELD_EXIT_CODE, ad->numbers[EXIT_CODE]);
}

/* `slot1_3@c1`, or `c1#10.0#1795825975` where the schedd itself started it. Of a job on
 * several machines only the first is there. */
static void
set_host (JmRun *run, const Ad *ad)
{
  gint64 universe = ad->numbers[UNIVERSE];
  gboolean is_local = universe == LOCAL_UNIVERSE || universe == SCHEDULER_UNIVERSE;
  const char *text = ad->texts[is_local ? GLOBAL_ID : REMOTE_HOST];
  g_autofree char *host = NULL;
  const char *at;

  if (text == NULL || universe == PARALLEL_UNIVERSE || ad->numbers[STARTED] <= 0)
    return;
  host = g_strndup (text, is_local ? strcspn (text, "#") : strlen (text));
  at = strrchr (host, '@');
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, at != NULL ? at + 1 : host);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);
}

static void
set_cpu_time (JmRun *run, gint64 user_us, gint64 system_us)
{
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_USER, user_us);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_SYSTEM, system_us);
  if (user_us >= 0 && system_us >= 0)
    jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, user_us + system_us);
}

/* RemoteUserCpu and RemoteSysCpu are those of the last execution; ResidentSetSize is
 * the most of all. All are 0 where the starter has not measured the job. */
static void
set_use (JmRun *run, const Ad *ad)
{
  const gint64 *numbers = ad->numbers;
  gint64 rss = numbers[RSS] >= 0 ? numbers[RSS] : numbers[RSS_ROUNDED];

  if (numbers[CPUS_PROVISIONED] >= 0)
    jm_run_keep_number (run, JM_RUN_FIELD_CPUS, numbers[CPUS_PROVISIONED]);
  else if (numbers[STARTED] > 0)
    jm_run_keep_number (run, JM_RUN_FIELD_CPUS, numbers[CPUS_REQUESTED]);
  if (rss > 0 || numbers[USER_CPU] > 0 || numbers[SYSTEM_CPU] > 0)
    set_cpu_time (run, numbers[USER_CPU], numbers[SYSTEM_CPU]);
  if (rss > 0 && MAX (numbers[SHADOW_STARTS], numbers[JOB_STARTS]) == 1)
    jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_PEAK, rss);
}

static JmRun *
make_run (const Ad *ad, const char *cluster)
{
  g_autofree char *raw_id = NULL;
  JmRun *run;

  if (ad->numbers[CLUSTER_ID] <= 0 || ad->numbers[PROC_ID] < 0)
    return NULL;
  raw_id = g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT,
                            ad->numbers[CLUSTER_ID], ad->numbers[PROC_ID]);
  run = jm_run_new (cluster, raw_id);
  jm_run_set_scheduler (run, "htcondor");
  set_fields (run, ad);
  set_times (run, ad);
  set_end (run, ad);
  set_host (run, ad);
  set_use (run, ad);

  return run;
}

/* Users may write any bytes into names. */
static JsonNode *
parse (JmSlice line)
{
  g_autofree char *valid = g_utf8_make_valid (line.text, (gssize) line.length);

  return jm_json_parse (valid, strlen (valid));
}

JmLogRow
jm_htcondor_parse_ad (JmSlice line, const char *cluster, JmRun **run, const char **bad)
{
  g_autoptr (JsonNode) node = NULL;
  Ad ad = { 0 };

  if (line.length == 0)
    return JM_LOG_ROW_COMMENT;
  node = parse (line);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return JM_LOG_ROW_BAD;

  read_ad (&ad, json_node_get_object (node));
  *run = make_run (&ad, cluster);
  if (*run == NULL)
    return JM_LOG_ROW_BAD;
  if (ad.bad != NULL)
    *bad = ad.bad;

  return JM_LOG_ROW_READ;
}
