/* jmc-idle.c: policies on idle runs, step by step
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-idle.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-text-table-private.h"
#include "core/jm-format.h"
#include "jmc-output.h"
#include "jmc-write.h"
#include "mail/jmc-mail-transport.h"

/* How often a replay applies the policies, in seconds. */
#define REPLAY_STEP 300
/* Characters of what a command is given. */
#define OF_VALUES G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-.+@[]:"

struct _JmcIdle
{
  JmcIdleSetup setup;
  GPtrArray *decisions; /* of JmcIdleDecision: what findings and commands rest on */
};

/* In the order of JmcIdleStep: kinds of the state, and the decision in records. */
static const char *const kinds[JMC_N_IDLE_STEPS] = {
  NULL, "idle-exempt", "idle-kept", "idle-begun", "idle-notice", "idle-act",
};
static const char *const words[JMC_N_IDLE_STEPS] = {
  NULL, "exempt", "kept", "wait", "notice", "command",
};

void
jmc_idle_decision_free (JmcIdleDecision *self)
{
  jm_run_report_unref (self->report);
  g_free (self);
}

static JmcIdleDecision *
decision_copy (const JmcIdleDecision *decision)
{
  JmcIdleDecision *self = g_memdup2 (decision, sizeof *decision);

  jm_run_report_ref (self->report);

  return self;
}

JmcIdle *
jmc_idle_new (const JmcIdleSetup *setup)
{
  JmcIdle *self = g_new0 (JmcIdle, 1);

  self->setup = *setup;
  self->decisions =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_idle_decision_free);

  return self;
}

void
jmc_idle_free (JmcIdle *self)
{
  g_ptr_array_unref (self->decisions);
  g_free (self);
}

static const char *
get_text (const JmcIdleDecision *decision, const char *field)
{
  return jm_run_get_text (jm_run_report_get_run (decision->report), field);
}

static const char *
get_word (const JmcIdleDecision *self)
{
  return self->step == JMC_IDLE_ACT && self->policy->command == NULL
           ? "record"
           : words[self->step];
}

/* --- what was done before --- */

static char *
make_kind (const JmcIdleDecision *decision, JmcIdleStep step)
{
  return g_strconcat (kinds[step], ":", decision->policy->name, ":",
                      get_text (decision, "uuid"), NULL);
}

static gint64
get_past (JmcIdle *self, const JmcIdleDecision *decision, JmcIdleStep step)
{
  g_autofree char *kind = make_kind (decision, step);

  return jmc_alert_state_get (self->setup.state, get_text (decision, "user"), kind);
}

static void
set_past (JmcIdle *self, const JmcIdleDecision *decision, JmcIdleStep step, gint64 time)
{
  g_autofree char *kind = make_kind (decision, step);

  jmc_alert_state_set (self->setup.state, get_text (decision, "user"), kind, time);
}

static JmcIdleDecision
decide (JmcIdle *self, const JmcIdlePolicy *policy, JmRunReport *report, gint64 now)
{
  const JmcIdleDecision of_run = { .policy = policy, .report = report };
  JmcIdlePast past = { 0 };

  for (guint i = 1; i < JMC_N_IDLE_STEPS; i++)
    past[i] = get_past (self, &of_run, (JmcIdleStep) i);

  return jmc_idle_policy_decide (policy, report, now, past);
}

/* --- records of decisions --- */

static void
append_evidence (JmJsonWriter *json, const JmcIdleDecision *decision)
{
  const JmcIdlePolicy *policy = decision->policy;
  const JmFigure nodes =
    jm_run_get_figure (jm_run_report_get_run (decision->report), "nodes");

  jm_json_writer_add_text (json, "idle",
                           policy->series == JM_PROFILE_SERIES_CPU ? "cpus"
                                                                   : "accelerators");
  jm_json_writer_add_int (json, "idle_since", decision->since);
  if (nodes.is_known)
    jm_json_writer_add_int (json, "nodes", (gint64) nodes.value);
  jm_json_writer_add_int (json, "after", policy->after);
  jm_json_writer_add_int (json, "grace", policy->grace);
  if (decision->due != 0)
    jm_json_writer_add_int (json, "due", decision->due);
  if (decision->kept != 0)
    jm_json_writer_add_int (json, "kept_until", decision->kept);
}

static void
append_command (JmJsonWriter *json, const char *const *command)
{
  if (command == NULL)
    return;

  jm_json_writer_begin_array (json, "command");
  for (; *command != NULL; command++)
    jm_json_writer_add_text (json, NULL, *command);
  jm_json_writer_end_array (json);
}

static GString *
make_line (const JmcIdleDecision *decision,
           const char *word,
           const char *const *command,
           const char *problem)
{
  GString *line = g_string_new (NULL);
  JmJsonWriter json = { .out = line, .layout = JM_JSON_SPACED };
  JmRun *run = jm_run_report_get_run (decision->report);

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_int (&json, "time", g_get_real_time () / G_USEC_PER_SEC);
  jm_json_writer_add_text (&json, "decision", word);
  jm_json_writer_add_text (&json, "policy", decision->policy->name);
  jm_json_writer_add_text (&json, "user", get_text (decision, "user"));
  jm_json_writer_add_text (&json, "cluster", jm_run_get_text (run, "cluster"));
  jm_json_writer_add_text (&json, "job", jm_run_get_text (run, "jobid"));
  jm_json_writer_add_text (&json, "uuid", get_text (decision, "uuid"));
  append_evidence (&json, decision);
  append_command (&json, command);
  jm_json_writer_add_known_text (&json, "problem", problem);
  jm_json_writer_end_object (&json);
  g_string_append_c (line, '\n');

  return line;
}

static gboolean
write_line (const char *path, const GString *line, GError **error)
{
  const int fd =
    open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  const gboolean is_written =
    fd >= 0 && jmc_write_all (fd, line->str, line->len) && fsync (fd) == 0;

  if (!is_written)
    g_set_error (error, JM_ERROR, jm_error_from_errno (errno), "%s: %s", path,
                 g_strerror (errno));
  if (fd >= 0)
    close (fd);

  return is_written;
}

static gboolean
record (JmcIdle *self,
        const JmcIdleDecision *decision,
        const char *word,
        const char *const *command,
        const char *problem,
        GError **error)
{
  g_autoptr (GString) line = make_line (decision, word, command, problem);

  return self->setup.is_dry || write_line (self->setup.record_file, line, error);
}

/* The state is not needed after its oldest time, but none of the steps of a run that
 * goes on is forgotten. */
static gboolean
keep_state (JmcIdle *self, GError **error)
{
  return self->setup.is_dry || jmc_alert_state_write (self->setup.state, 0, error);
}

/* --- notices --- */

static char *
make_text (JmcIdle *self, const JmcIdleDecision *decision)
{
  const JmcIdlePolicy *policy = decision->policy;
  const char *what = policy->series == JM_PROFILE_SERIES_CPU ? "CPUs" : "accelerators";
  g_autofree char *since = jm_format_to_string (JM_FORMAT_TIME, decision->since);
  g_autofree char *due = jm_format_to_string (JM_FORMAT_TIME, decision->due);
  g_autofree char *lasted =
    jm_format_to_string (JM_FORMAT_DURATION, decision->time - decision->since);
  g_autofree char *page = self->setup.url != NULL
                            ? g_strconcat (" or on the page ", self->setup.url, "/job/",
                                           get_text (decision, "uuid"), NULL)
                            : g_strdup ("");

  return g_strdup_printf (
    "The job has not used its %s since %s, for %s.\n"
    "Use them, end the job, or keep it: jobmetrics-cli keep %s --for 4h%s.\n"
    "Otherwise the site %s at %s (policy %s).",
    what, since, lasted,
    jm_run_get_text (jm_run_report_get_run (decision->report), "jobid"), page,
    policy->command != NULL ? "runs its command for idle jobs"
                            : "records the job as idle",
    due, policy->name);
}

static void
add_notice (JmcIdle *self, const JmcIdleDecision *decision, GPtrArray *findings)
{
  JmRun *run = jm_run_report_get_run (decision->report);
  g_autofree char *text = make_text (self, decision);
  g_autofree char *kind = g_strconcat ("idle-", decision->policy->name, NULL);
  JmcAlertFinding *finding =
    jmc_alert_finding_new (get_text (decision, "user"), jm_run_get_text (run, "jobid"),
                           jm_run_get_text (run, "cluster"), kind, text);

  finding->idle = decision;
  g_ptr_array_add (findings, finding);
}

gboolean
jmc_idle_begin_notice (JmcIdle *self, const JmcIdleDecision *decision, GError **error)
{
  set_past (self, decision, JMC_IDLE_WAIT, self->setup.now);

  return record (self, decision, "notice", NULL, NULL, error) &&
         keep_state (self, error);
}

gboolean
jmc_idle_end_notice (JmcIdle *self,
                     const JmcIdleDecision *decision,
                     gboolean is_sent,
                     GError **error)
{
  set_past (self, decision, JMC_IDLE_WAIT, 0);
  if (is_sent)
    set_past (self, decision, JMC_IDLE_NOTICE, self->setup.now);

  return keep_state (self, error) &&
         record (self, decision, is_sent ? "informed" : "not-informed", NULL, NULL,
                 error);
}

/* Once for each time without an interruption; what is kept, once for each answer. */
static gboolean
note (JmcIdle *self, const JmcIdleDecision *decision, GError **error)
{
  const gboolean is_kept = decision->step == JMC_IDLE_KEPT;
  const gint64 past = get_past (self, decision, decision->step);

  if (is_kept ? past == decision->kept : past >= decision->since)
    return TRUE;
  set_past (self, decision, decision->step, is_kept ? decision->kept : decision->time);

  return record (self, decision, words[decision->step], NULL, NULL, error) &&
         keep_state (self, error);
}

gboolean
jmc_idle_apply (JmcIdle *self, JmRunReport *report, GPtrArray *findings, GError **error)
{
  for (guint i = 0; i < self->setup.policies->len; i++)
    {
      JmcIdleDecision decision =
        decide (self, self->setup.policies->pdata[i], report, self->setup.now);
      JmcIdleDecision *kept;

      if (decision.step == JMC_IDLE_EXEMPT || decision.step == JMC_IDLE_KEPT)
        {
          if (!note (self, &decision, error))
            return FALSE;
          continue;
        }
      if (decision.step != JMC_IDLE_NOTICE && decision.step != JMC_IDLE_ACT)
        continue;
      kept = decision_copy (&decision);
      g_ptr_array_add (self->decisions, kept);
      if (kept->step == JMC_IDLE_NOTICE)
        add_notice (self, kept, findings);
    }

  return TRUE;
}

/* --- the site's command --- */

static gboolean
is_value (const char *text)
{
  return text != NULL && (g_ascii_isalnum (*text) || *text == '_') &&
         strspn (text, OF_VALUES) == strlen (text);
}

/* The command about the run; NULL where an identity could be taken for another word. */
static GStrv
make_command (const JmcIdleDecision *decision, GError **error)
{
  JmRun *run = jm_run_report_get_run (decision->report);
  const char *const values[][2] = {
    { "{job}", jm_run_get_text (run, "jobid") },
    { "{cluster}", jm_run_get_text (run, "cluster") },
    { "{user}", get_text (decision, "user") },
    { "{uuid}", get_text (decision, "uuid") },
  };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (char **word = decision->policy->command; *word != NULL; word++)
    {
      g_autoptr (GString) text = g_string_new (*word);

      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        {
          if (strstr (*word, values[i][0]) == NULL)
            continue;
          if (!is_value (values[i][1]))
            {
              g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not for a command",
                           values[i][0]);
              return NULL;
            }
          g_string_replace (text, values[i][0], values[i][1], 0);
        }
      g_strv_builder_add (builder, text->str);
    }

  return g_strv_builder_end (builder);
}

static gboolean
finish (JmcIdle *self,
        const JmcIdleDecision *decision,
        const char *const *command,
        const char *problem,
        GError **error)
{
  if (problem != NULL)
    set_past (self, decision, JMC_IDLE_ACT, 0);

  return record (self, decision, problem == NULL ? "done" : "failed", command, problem,
                 error) &&
         (problem == NULL || keep_state (self, error));
}

/* Recorded before it is run: what ends this program in between ends no run twice, and
 * none without a record. */
static gboolean
run_command (JmcIdle *self, const JmcIdleDecision *decision, GError **error)
{
  const char *const *command;
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) made = NULL;

  if (decision->policy->command != NULL)
    {
      made = make_command (decision, error);
      if (made == NULL)
        return FALSE;
    }
  command = (const char *const *) made;
  set_past (self, decision, JMC_IDLE_ACT, self->setup.now);
  if (!record (self, decision, get_word (decision), command, NULL, error) ||
      !keep_state (self, error))
    return FALSE;
  if (command == NULL || self->setup.is_dry)
    return TRUE;

  jmc_mail_run (command, decision->policy->user, NULL, self->setup.timeout_ms,
                &problem);
  if (!finish (self, decision, command, problem != NULL ? problem->message : NULL,
               error))
    return FALSE;
  if (problem == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));

  return FALSE;
}

/* Its owner may have answered, or used it, since it was read first. */
static gboolean
act (JmcIdle *self, const JmcIdleDecision *old, JmArchive *archive, GError **error)
{
  g_autoptr (JmRunReport) report =
    jm_archive_read_report (archive, get_text (old, "uuid"), NULL, error);
  JmcIdleDecision decision;

  if (report == NULL)
    return FALSE;
  if (!jm_run_report_is_running (report))
    return TRUE;
  decision = decide (self, old->policy, report, g_get_real_time () / G_USEC_PER_SEC);

  return decision.step != JMC_IDLE_ACT || run_command (self, &decision, error);
}

/* Whether the policy may have one more command, which is then counted in @counts. */
static gboolean
take_turn (GHashTable *counts, const JmcIdlePolicy *policy)
{
  const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, policy));

  if (policy->command != NULL && n >= policy->max_commands)
    return FALSE;
  g_hash_table_insert (counts, (gpointer) policy, GUINT_TO_POINTER (n + 1));

  return TRUE;
}

gboolean
jmc_idle_act (JmcIdle *self, JmArchive *archive)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  const guint n = self->decisions->len;
  const guint first = n > 0 ? (guint) g_random_int_range (0, (gint32) n) : 0;
  gboolean is_well = TRUE;

  if (self->setup.is_dry && n > 0)
    {
      g_autofree char *table = jmc_idle_make_table (self->decisions);

      jmc_output_print (table);
      return TRUE;
    }

  /* it begins with another one each time: commands that fail hold up no others for ever
   */
  for (guint i = 0; i < n; i++)
    {
      const JmcIdleDecision *decision = self->decisions->pdata[(first + i) % n];
      g_autoptr (GError) error = NULL;

      if (decision->step != JMC_IDLE_ACT || !take_turn (counts, decision->policy) ||
          act (self, decision, archive, &error))
        continue;
      jmc_output_complain ("policy %s, job %s: %s", decision->policy->name,
                           jm_run_get_text (jm_run_report_get_run (decision->report),
                                            "jobid"),
                           error->message);
      is_well = FALSE;
    }

  return is_well;
}

/* --- what would have been done --- */

static void
replay_step (JmcIdlePast past, const JmcIdleDecision *decision, GPtrArray *decisions)
{
  const JmcIdleStep step = decision->step;
  const gboolean is_kept = step == JMC_IDLE_KEPT;

  if (step == JMC_IDLE_NONE || step == JMC_IDLE_WAIT ||
      (is_kept && past[step] == decision->kept) ||
      (step == JMC_IDLE_EXEMPT && past[step] >= decision->since))
    return;
  past[step] = is_kept ? decision->kept : decision->time;
  g_ptr_array_add (decisions, decision_copy (decision));
}

static void
replay_policy (const JmcIdlePolicy *policy,
               JmRunReport *report,
               gint64 begin,
               gint64 end,
               GPtrArray *decisions)
{
  JmcIdlePast past = { 0 };

  for (gint64 now = begin; now <= end; now += REPLAY_STEP)
    {
      const JmcIdleDecision decision =
        jmc_idle_policy_decide (policy, report, now, past);

      replay_step (past, &decision, decisions);
      if (decision.step == JMC_IDLE_ACT && policy->command != NULL)
        return;
    }
}

void
jmc_idle_replay (GPtrArray *policies,
                 JmRunReport *report,
                 gint64 since,
                 gint64 until,
                 GPtrArray *decisions)
{
  JmRun *run = jm_run_report_get_run (report);
  const gint64 start = (gint64) jm_run_get_figure (run, "start_time").value;
  const JmFigure end = jm_run_get_figure (run, "end_time");

  if (start <= 0)
    return;

  for (guint i = 0; i < policies->len; i++)
    replay_policy (policies->pdata[i], report,
                   (MAX (start, since) + REPLAY_STEP - 1) / REPLAY_STEP * REPLAY_STEP,
                   end.is_known ? MIN ((gint64) end.value, until) : until, decisions);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const JmcIdleDecision *left = *(const JmcIdleDecision *const *) a;
  const JmcIdleDecision *right = *(const JmcIdleDecision *const *) b;

  return (left->time > right->time) - (left->time < right->time);
}

char *
jmc_idle_make_table (GPtrArray *decisions)
{
  static const JmTextColumn columns[] = {
    { "TIME", JM_TEXT_ALIGN_LEFT },       { "USER", JM_TEXT_ALIGN_LEFT },
    { "CLUSTER", JM_TEXT_ALIGN_LEFT },    { "JOB", JM_TEXT_ALIGN_LEFT },
    { "POLICY", JM_TEXT_ALIGN_LEFT },     { "DECISION", JM_TEXT_ALIGN_LEFT },
    { "IDLE-SINCE", JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  g_ptr_array_sort (decisions, compare_times);
  for (guint i = 0; i < decisions->len; i++)
    {
      const JmcIdleDecision *decision = decisions->pdata[i];
      JmRun *run = jm_run_report_get_run (decision->report);

      jm_text_table_take (table, jm_format_to_string (JM_FORMAT_TIME, decision->time));
      jm_text_table_add (table, get_text (decision, "user"));
      jm_text_table_add (table, jm_run_get_text (run, "cluster"));
      jm_text_table_add (table, jm_run_get_text (run, "jobid"));
      jm_text_table_add (table, decision->policy->name);
      jm_text_table_add (table, get_word (decision));
      jm_text_table_take (table, jm_format_to_string (JM_FORMAT_TIME, decision->since));
    }

  return jm_text_table_render (table, 0, FALSE);
}
