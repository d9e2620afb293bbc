/* jm-pbs-record.c: a line of PBS's accounting logs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/pbs/jm-pbs-record-private.h"

#include "core/jm-run-private.h"
#include "schedulers/jm-scheduler-value-private.h"
#include "schedulers/pbs/jm-pbs-value-private.h"

/* Behind it stands the number of a signal. */
#define SIGNALLED 256
#define SIGNAL_MAX 64
#define DEFAULT_PROJECT "_pbs_project_default"

/* What its pairs say that no field has as it is. */
typedef struct
{
  JmRun *run;
  gint64 status;
  gboolean has_status;
  gboolean is_negative; /* PBS itself ended it */
  gint64 memory_bytes;  /* -1 where it is not known */
  gint64 n_hosts;
  const char *bad; /* the last key whose value cannot be read */
} Record;

typedef gboolean (*Parse) (JmSlice text, gint64 *value);

static const struct
{
  const char *key;
  JmRunField field;
} texts[] = {
  { "user", JM_RUN_FIELD_USER },
  { "account", JM_RUN_FIELD_ACCOUNT },
  { "queue", JM_RUN_FIELD_PARTITION },
  { "jobname", JM_RUN_FIELD_NAME },
};

static const struct
{
  const char *key;
  JmRunField field;
  Parse parse;
} numbers[] = {
  { "ctime", JM_RUN_FIELD_SUBMIT_TIME, jm_pbs_parse_count },
  { "etime", JM_RUN_FIELD_ELIGIBLE_TIME, jm_pbs_parse_count },
  { "start", JM_RUN_FIELD_START_TIME, jm_pbs_parse_count },
  { "end", JM_RUN_FIELD_END_TIME, jm_pbs_parse_count },
  { "Resource_List.ncpus", JM_RUN_FIELD_CPUS, jm_pbs_parse_count },
  { "Resource_List.ngpus", JM_RUN_FIELD_GPUS_REQUESTED, jm_pbs_parse_count },
  { "Resource_List.ngpus", JM_RUN_FIELD_GPUS_ALLOCATED, jm_pbs_parse_count },
  { "Resource_List.mem", JM_RUN_FIELD_MEMORY_REQUESTED, jm_pbs_parse_memory },
  { "Resource_List.mem", JM_RUN_FIELD_MEMORY_ALLOCATED, jm_pbs_parse_memory },
  { "Resource_List.walltime", JM_RUN_FIELD_TIME_LIMIT, jm_pbs_parse_duration },
  { "resources_used.walltime", JM_RUN_FIELD_ELAPSED, jm_pbs_parse_duration },
};

static void
set_text (JmRun *run, JmRunField field, JmSlice text)
{
  g_autofree char *copy = g_strndup (text.text, text.length);

  jm_run_keep_text (run, field, copy);
}

static void
take_hosts (Record *self, JmSlice text)
{
  g_autoptr (GString) hosts = g_string_new (NULL);

  self->n_hosts = jm_pbs_append_hosts (hosts, text);
  jm_run_keep_text (self->run, JM_RUN_FIELD_NODE_LIST, hosts->str);
  jm_run_keep_number (self->run, JM_RUN_FIELD_NODES,
                      self->n_hosts > 0 ? self->n_hosts : -1);
}

static gboolean
take_cpu_time (Record *self, JmSlice text)
{
  gint64 seconds;

  if (!jm_pbs_parse_duration (text, &seconds) || seconds > G_MAXINT64 / G_USEC_PER_SEC)
    return FALSE;
  jm_run_keep_number (self->run, JM_RUN_FIELD_CPU_TOTAL, seconds * G_USEC_PER_SEC);

  return TRUE;
}

static gboolean
take_status (Record *self, JmSlice text)
{
  self->is_negative = text.length > 0 && text.text[0] == '-';
  self->has_status =
    jm_pbs_parse_count ((JmSlice){ text.text + self->is_negative,
                                   text.length - (gsize) self->is_negative },
                        &self->status);

  return self->has_status;
}

static void
take_number (Record *self, JmSlice key, JmSlice text)
{
  gint64 value;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (jm_slice_equal (key, numbers[i].key))
      {
        if (numbers[i].parse (text, &value))
          jm_run_keep_number (self->run, numbers[i].field, value);
        else
          self->bad = numbers[i].key;
      }
}

/* A job's account stands before its project. */
static void
take_pair (Record *self, JmSlice key, JmSlice text)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (jm_slice_equal (key, texts[i].key) && text.length > 0)
      set_text (self->run, texts[i].field, text);

  if (jm_slice_equal (key, "project") && !jm_slice_equal (text, DEFAULT_PROJECT) &&
      jm_run_peek_text (self->run, JM_RUN_FIELD_ACCOUNT) == NULL)
    set_text (self->run, JM_RUN_FIELD_ACCOUNT, text);
  if (jm_slice_equal (key, "exec_host"))
    take_hosts (self, text);
  if (jm_slice_equal (key, "resources_used.cput") && !take_cpu_time (self, text))
    self->bad = "resources_used.cput";
  if (jm_slice_equal (key, "resources_used.mem") &&
      !jm_pbs_parse_memory (text, &self->memory_bytes))
    self->bad = "resources_used.mem";
  if (jm_slice_equal (key, "Exit_status") && !take_status (self, text))
    self->bad = "Exit_status";
  take_number (self, key, text);
}

/* Where the value that begins here ends: one with blanks has quotes. */
static gsize
find_end (JmSlice rest, gsize begin)
{
  char quote = begin < rest.length ? rest.text[begin] : '\0';
  const char *end = NULL;

  if (quote == '"' || quote == '\'')
    end = memchr (rest.text + begin + 1, quote, rest.length - begin - 1);
  if (end != NULL)
    begin = (gsize) (end - rest.text);
  end = memchr (rest.text + begin, ' ', rest.length - begin);

  return end != NULL ? (gsize) (end - rest.text) : rest.length;
}

static JmSlice
unquote (JmSlice text)
{
  if (text.length >= 2 && (text.text[0] == '"' || text.text[0] == '\'') &&
      text.text[text.length - 1] == text.text[0])
    return (JmSlice){ text.text + 1, text.length - 2 };

  return text;
}

static void
take_pairs (Record *self, JmSlice rest)
{
  while ((rest = jm_slice_trim (rest)).length > 0)
    {
      const char *equals = memchr (rest.text, '=', rest.length);
      gsize begin = equals != NULL ? (gsize) (equals - rest.text) + 1 : rest.length;
      gsize end = find_end (rest, begin);

      if (equals != NULL)
        take_pair (self, (JmSlice){ rest.text, begin - 1 },
                   unquote ((JmSlice){ rest.text + begin, end - begin }));
      rest = (JmSlice){ rest.text + end, rest.length - end };
    }
}

/* `12.server`, or `12[3].server` of an array's task; NULL where it is none, and
 * *@is_array of the array itself, which is no run. */
static JmRun *
make_run (JmSlice id, const char *cluster, gboolean *is_array)
{
  g_autofree char *raw_id = g_strndup (id.text, id.length);
  gsize digits = strspn (raw_id, "0123456789");
  gsize task = raw_id[digits] == '[' ? strspn (raw_id + digits + 1, "0123456789") : 0;
  JmRun *run;

  *is_array = g_str_has_prefix (raw_id + digits, "[]");
  if (digits == 0 || *is_array)
    return NULL;
  run = jm_run_new (cluster, raw_id);
  jm_run_set_scheduler (run, "pbs");
  if (task > 0 && raw_id[digits + 1 + task] == ']')
    {
      g_autofree char *job_id = g_strdup_printf ("%.*s_%.*s", (int) digits, raw_id,
                                                 (int) task, raw_id + digits + 1);

      set_text (run, JM_RUN_FIELD_ARRAY_JOBID, (JmSlice){ raw_id, digits });
      set_text (run, JM_RUN_FIELD_ARRAY_TASKID, (JmSlice){ raw_id + digits + 1, task });
      jm_run_keep_text (run, JM_RUN_FIELD_JOBID, job_id);
    }

  return run;
}

static void
set_end (Record *self, gboolean is_rerun)
{
  gboolean is_signal = self->has_status && !self->is_negative &&
                       self->status > SIGNALLED &&
                       self->status <= SIGNALLED + SIGNAL_MAX;

  if (is_rerun)
    jm_run_keep_text (self->run, JM_RUN_FIELD_STATE, "REQUEUED");
  else if (self->has_status)
    jm_run_keep_text (self->run, JM_RUN_FIELD_STATE,
                      self->status == 0 ? "COMPLETED" : "FAILED");
  if (is_signal)
    jm_run_keep_number (self->run, JM_RUN_FIELD_EXIT_SIGNAL, self->status - SIGNALLED);
  if (self->has_status && !self->is_negative)
    jm_run_keep_number (self->run, JM_RUN_FIELD_EXIT_CODE, self->status);
  /* it is that of all its hosts */
  if (self->n_hosts == 1)
    jm_run_keep_number (self->run, JM_RUN_FIELD_MEMORY_PEAK, self->memory_bytes);
}

/* `11/24/2026 01:02:03;E;12.server;pairs`: a run has ended with E and R alone. */
JmLogRow
jm_pbs_parse_record (JmSlice line, const char *cluster, JmRun **run, const char **bad)
{
  JmSlice words[3];
  gint64 start;
  gboolean is_array, is_rerun;
  g_autoptr (JmRun) made = NULL;
  Record record = { .memory_bytes = -1 };

  if (line.length == 0)
    return JM_LOG_ROW_COMMENT;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (!jm_slice_take_word (&line, ';', &words[i]))
      return JM_LOG_ROW_BAD;
  is_rerun = jm_slice_equal (words[1], "R");
  if (!is_rerun && !jm_slice_equal (words[1], "E"))
    return JM_LOG_ROW_READ;

  record.run = made = make_run (words[2], cluster, &is_array);
  if (made == NULL)
    return is_array ? JM_LOG_ROW_READ : JM_LOG_ROW_BAD;
  if (line.text == NULL)
    return JM_LOG_ROW_BAD;
  take_pairs (&record, line);
  /* one that never began is no run; nor is it known how long one was without an end */
  if (!jm_run_get_number (made, JM_RUN_FIELD_START_TIME, &start) ||
      !jm_run_get_number (made, JM_RUN_FIELD_END_TIME, &start))
    return record.bad != NULL ? JM_LOG_ROW_BAD : JM_LOG_ROW_READ;
  if (record.bad != NULL)
    *bad = record.bad;
  set_end (&record, is_rerun);
  *run = g_steal_pointer (&made);

  return JM_LOG_ROW_READ;
}
