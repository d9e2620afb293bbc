/* jmc-alert.c: jobmetrics-cli alert: writes to owners of jobs what is worth a change
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail.h"

#include <string.h>

#include "archive/jmc-archive-options.h"
#include "base/jm-error.h"
#include "base/jm-moment-private.h"
#include "jmc-options.h"
#include "mail/jmc-alert-plan.h"
#include "mail/jmc-idle.h"
#include "mail/jmc-mail-address.h"
#include "mail/jmc-mail-log.h"
#include "mail/jmc-mail-transport.h"
#include "mail/jmc-webhook.h"
#include "report/jmc-report-rules.h"

/* Of more running jobs, those that began last are looked at. */
#define MAX_RUNS 10000
#define TOO_MANY_RUNS "there are more runs: the last %d count"

typedef struct
{
  GPtrArray *runs; /* of JmRun */
} List;

#define SECONDS_PER_DAY (24 * 60 * 60)

typedef struct
{
  JmcOptions options;
  JmcMailTransport transport;
  JmcWebhookSender *webhooks;
  JmArchive *archive;  /* NULL where advice is from a file */
  GPtrArray *policies; /* of JmcIdlePolicy */
  JmcIdle *idle;       /* NULL where advice is from a file */
  GPtrArray *findings; /* of JmcAlertFinding */
  JmcAlertState *state;
  GHashTable *book; /* NULL where there is none */
  gint64 now;
  char *replay; /* since when; NULL for none */
  gboolean is_dry;
  gboolean is_report;
  gboolean is_idle_alone;
} Alert;

/* --- advice --- */

/* A name that the file of the state cannot hold is nobody's. */
static gboolean
has_owner (JmRun *run)
{
  const char *user = jm_run_get_text (run, "user");

  return jm_run_get_text (run, "uuid") != NULL && user != NULL &&
         strpbrk (user, "\t\r\n") == NULL;
}

static void
on_run (JmRun *run, gpointer data)
{
  List *self = data;

  if (has_owner (run) && !jm_run_get_figure (run, "end_time").is_known)
    g_ptr_array_add (self->runs, jm_run_ref (run));
}

static gboolean
read_runs (JmArchive *archive,
           JmRunFilter *filter,
           JmRunFunc func,
           GPtrArray *runs,
           GError **error)
{
  List list = { runs };

  jm_run_filter_set_sort (filter, "-start", NULL);

  return jm_archive_read_runs (archive, filter, MAX_RUNS, func, &list, NULL, error);
}

static GPtrArray *
list_running (JmArchive *archive, GError **error)
{
  static const char *const states[] = { "RUNNING", NULL };
  g_autoptr (GPtrArray) runs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  jm_run_filter_set_states (filter, states);

  return read_runs (archive, filter, on_run, runs, error) ? g_steal_pointer (&runs)
                                                          : NULL;
}

static JmcAlertFinding *
make_finding (JmRun *run, JmRunAdvice *advice)
{
  g_autofree char *text =
    g_strdup_printf ("%s. %s %s", jm_run_advice_get_title (advice),
                     jm_run_advice_get_reason (advice),
                     jm_run_advice_get_action (advice));

  return jmc_alert_finding_new (jm_run_get_text (run, "user"),
                                jm_run_get_text (run, "jobid"),
                                jm_run_get_text (run, "cluster"),
                                jm_run_advice_get_rule (advice), text);
}

/* What is to be acted on while it runs. */
static gboolean
add_advice (Alert *self, JmRunRules *rules, JmRunReport *report, GError **error)
{
  g_autoptr (GPtrArray) advice = NULL;

  if (!jm_archive_add_siblings (self->archive, report, NULL, error))
    return FALSE;

  advice = jm_run_rules_judge (rules, report);
  for (guint i = 0; i < advice->len; i++)
    if (jm_run_advice_get_level (advice->pdata[i]) == JM_ADVICE_LEVEL_ACT)
      g_ptr_array_add (self->findings,
                       make_finding (jm_run_report_get_run (report), advice->pdata[i]));

  return TRUE;
}

/* NULL without an error, and with a line, for a run that is gone by now or cannot be
 * read: it costs itself alone. */
static JmRunReport *
read_report (Alert *self, JmRun *run, GError **error)
{
  g_autoptr (GError) problem = NULL;
  JmRunReport *report =
    jm_archive_read_report (self->archive, jm_run_get_text (run, "uuid"), NULL,
                            &problem);

  if (report != NULL)
    return report;
  if (g_error_matches (problem, JM_ERROR, JM_ERROR_ABSENT) ||
      g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED))
    jmc_output_complain ("job %s: %s", jm_run_get_text (run, "jobid"),
                         problem->message);
  else
    g_propagate_error (error, g_steal_pointer (&problem));

  return NULL;
}

static gboolean
add_findings (Alert *self, JmRunRules *rules, JmRun *run, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JmRunReport) report = read_report (self, run, &problem);

  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  return report == NULL ||
         ((rules == NULL || add_advice (self, rules, report, error)) &&
          jmc_idle_apply (self->idle, report, self->findings, error));
}

static void
forget_ended (Alert *self, GPtrArray *running)
{
  g_autoptr (GHashTable) uuids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < running->len; i++)
    g_hash_table_add (uuids, (gpointer) jm_run_get_text (running->pdata[i], "uuid"));
  jmc_alert_state_forget_ended (self->state, uuids);
}

/* Finds advice and idle jobs among all running jobs that the caller may see. */
static gboolean
find_in_archive (Alert *self, GError **error)
{
  g_autoptr (JmRunRules) rules =
    self->is_idle_alone ? NULL
                        : jmc_report_rules_open (&self->options, jmc_mail_log_complain);
  g_autoptr (GPtrArray) runs = NULL;

  if (rules == NULL && !self->is_idle_alone)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "there are no rules to advise by");
      return FALSE;
    }

  runs = list_running (self->archive, error);
  if (runs == NULL)
    return FALSE;
  if (runs->len < MAX_RUNS)
    forget_ended (self, runs);
  else
    jmc_output_complain (TOO_MANY_RUNS, MAX_RUNS);
  for (guint i = 0; i < runs->len; i++)
    if (!add_findings (self, rules, runs->pdata[i], error))
      return FALSE;

  return TRUE;
}

/* --- options --- */

static void
alert_clear (Alert *self)
{
  jmc_options_clear (&self->options);
  jmc_mail_transport_clear (&self->transport);
  g_clear_pointer (&self->webhooks, jmc_webhook_sender_free);
  g_clear_object (&self->archive);
  g_clear_pointer (&self->idle, jmc_idle_free);
  g_clear_pointer (&self->policies, g_ptr_array_unref);
  g_clear_pointer (&self->replay, g_free);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->state, jmc_alert_state_free);
  g_clear_pointer (&self->book, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Alert, alert_clear)

static const JmSetting settings[] = {
  { .name = "advice",
    .group = "alert",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Advice from lines of JSON, instead of asking the archive" },
  { .name = "addresses",
    .group = "alert",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Lines of a user and the address",
    .preset_help = "the user at --domain" },
  { .name = "state-file",
    .group = "alert",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File that keeps who was mailed about what",
    .preset = "/var/lib/jobmetrics/alerts" },
  { .name = "decisions-file",
    .group = "alert",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "File that gets a line for each decision on idle jobs",
    .preset = "/var/lib/jobmetrics/decisions" },
  { .name = "quiet-days",
    .group = "alert",
    .kind = JM_SETTING_COUNT,
    .argument = "DAYS",
    .help = "For how long a user gets no further mail of the same kind",
    .preset = "7",
    .low = 0,
    .high = 365 },
  { .name = "work-days-only",
    .group = "alert",
    .kind = JM_SETTING_FLAG,
    .help = "Do nothing on Saturdays and Sundays" },
  { .name = "max-mails",
    .group = "alert",
    .kind = JM_SETTING_COUNT,
    .argument = "COUNT",
    .help = "Mails to send at most; the others follow the next time",
    .preset = "500",
    .low = 1,
    .high = 100000 },
  { .name = "report-to",
    .group = "alert",
    .kind = JM_SETTING_TEXT,
    .argument = "ADDRESS",
    .help = "Mail a table of all of it there, too" },
};

static GOptionGroup *
make_group (Alert *self)
{
  const GOptionEntry entries[] = {
    { "report", 0, 0, G_OPTION_ARG_NONE, &self->is_report,
      "Print a table of all findings, send no mail", NULL },
    { "dry-run", 0, 0, G_OPTION_ARG_NONE, &self->is_dry,
      "Print what would be sent to whom", NULL },
    { "idle", 0, 0, G_OPTION_ARG_NONE, &self->is_idle_alone,
      "Apply the policies on idle jobs alone, give no advice", NULL },
    { "replay", 0, 0, G_OPTION_ARG_STRING, &self->replay,
      "Print what the policies on idle jobs would have done since then", "SINCE" },
    { NULL },
  };
  GOptionGroup *group = jmc_options_make_group (&self->options, "path.rootfs", NULL);

  jmc_archive_options_add_settings (&self->options);
  jmc_mail_settings_add (&self->options, group);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  jmc_options_add_entries (group, entries);

  return group;
}

static gboolean
parse (Alert *self, int argc, char **argv)
{
  static const char *const groups[] = { "mail", "archive", "alert", NULL };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (
    context,
    "Mails the owners of running jobs what they should change, and sends no mail of\n"
    "the same kind again for some days. Run it by a timer.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse (&self->options, context, &argc, &argv) ||
      !jmc_options_check (&self->options))
    return FALSE;

  if (argc > 1)
    jmc_output_complain ("%s: not expected (see jobmetrics-cli alert --help)", argv[1]);
  else if (!jmc_mail_settings_read (&self->options, groups, &error))
    jmc_output_complain ("%s", error->message);
  else
    return jmc_archive_options_check (&self->options);

  return FALSE;
}

static const char *
get_text (Alert *self, const char *name)
{
  return jmc_options_get_text (&self->options, name);
}

static guint
get_number (Alert *self, const char *name)
{
  return jm_settings_get_number (self->options.settings, name);
}

/* --- what it starts from --- */

static gboolean
open_archive (Alert *self, GError **error)
{
  const char *path = jmc_mail_settings_find_file (&self->options);

  self->policies = jmc_idle_policies_read (path, error);
  if (self->policies != NULL)
    self->archive = jmc_archive_options_find (&self->options, error);

  return self->archive != NULL;
}

static gboolean
find (Alert *self, GError **error)
{
  const char *path = get_text (self, "advice");

  if (path != NULL)
    {
      self->findings = jmc_alert_finding_read_file (path, error);
      return self->findings != NULL;
    }
  if (!open_archive (self, error))
    return FALSE;

  self->idle =
    jmc_idle_new (&(JmcIdleSetup){ .policies = self->policies,
                                   .state = self->state,
                                   .record_file = get_text (self, "decisions-file"),
                                   .url = jm_archive_get_url (self->archive),
                                   .now = self->now,
                                   .timeout_ms = get_number (self, "timeout"),
                                   .is_dry = self->is_dry || self->is_report });
  self->findings =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_alert_finding_free);

  return find_in_archive (self, error);
}

/* A state that cannot be written is found before any mail goes out: the next time would
 * write to all of them again. */
static gboolean
open_state (Alert *self, GError **error)
{
  const char *path = get_text (self, "state-file");

  if (self->is_dry || self->is_report)
    {
      self->state = jmc_alert_state_read (path, error);
      return self->state != NULL;
    }

  self->state = jmc_alert_state_open (path, error);

  return self->state != NULL && jmc_alert_state_write (self->state, 0, error);
}

static gboolean
prepare (Alert *self, GError **error)
{
  const char *book = get_text (self, "addresses");

  self->now = g_get_real_time () / G_USEC_PER_SEC;
  if (!jmc_mail_transport_init (&self->transport, &self->options, NULL, error))
    return FALSE;
  self->webhooks = jmc_webhook_sender_new (&self->options);
  if (book != NULL)
    {
      self->book = jmc_mail_address_read_book (book, error);
      if (self->book == NULL)
        return FALSE;
    }

  return open_state (self, error) && find (self, error);
}

/* --- to whom --- */

/* Of @text; NULL, and has reported why, where nobody can be reached there. */
static GPtrArray *
take_addresses (Alert *self, const char *text)
{
  g_autoptr (GPtrArray) addresses = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) refused = g_ptr_array_new_with_free_func (g_free);

  jmc_mail_address_add (addresses, refused, text, self->transport.domain);
  if (refused->len > 0)
    jmc_output_complain ("no address: %s", (char *) refused->pdata[0]);

  return addresses->len > 0 ? g_steal_pointer (&addresses) : NULL;
}

static GPtrArray *
find_addresses (Alert *self, const char *user)
{
  const char *text = self->book != NULL ? g_hash_table_lookup (self->book, user) : NULL;

  return take_addresses (self, text != NULL ? text : user);
}

/* --- letters --- */

static void
print_letter (GPtrArray *addresses, const char *subject, const char *text)
{
  g_autofree char *to = NULL;

  g_ptr_array_add (addresses, NULL);
  to = g_strjoinv (", ", (char **) addresses->pdata);
  g_print ("To: %s\nSubject: %s\n\n%s\n", to, subject, text);
}

static gboolean
send_to (Alert *self,
         GPtrArray *addresses,
         const char *subject,
         const char *text,
         const char *html)
{
  JmcMailMessage message = { .recipients = addresses,
                             .subject = subject,
                             .text = text,
                             .html = html };
  g_autoptr (GError) error = NULL;

  if (self->is_dry)
    {
      print_letter (addresses, subject, text);
      return TRUE;
    }
  if (jmc_mail_transport_send (&self->transport, &message, &error))
    return TRUE;

  jmc_output_complain ("not delivered: '%s': %s", subject, error->message);

  return FALSE;
}

/* What was sent is on the disk before the next one is: whoever ends the program has one
 * written to twice, and no more. */
static gboolean
remember (Alert *self, JmcAlertLetter *letter)
{
  const gint64 oldest =
    self->now - (gint64) get_number (self, "quiet-days") * SECONDS_PER_DAY;
  g_autoptr (GError) error = NULL;

  if (self->is_dry)
    return TRUE;
  jmc_alert_letter_mark (letter, self->state, self->now);
  if (jmc_alert_state_write (self->state, oldest, &error))
    return TRUE;

  jmc_output_complain ("%s", error->message);

  return FALSE;
}

/* Of the notices that a letter has room for. */
static gboolean
note_notices (Alert *self, JmcAlertLetter *letter, gboolean is_over, gboolean is_sent)
{
  for (guint i = 0; i < MIN (letter->findings->len, JMC_ALERT_MAX_FINDINGS); i++)
    {
      const JmcAlertFinding *finding = letter->findings->pdata[i];
      g_autoptr (GError) error = NULL;

      if (finding->idle == NULL ||
          (is_over ? jmc_idle_end_notice (self->idle, finding->idle, is_sent, &error)
                   : jmc_idle_begin_notice (self->idle, finding->idle, &error)))
        continue;
      jmc_output_complain ("%s", error->message);
      return FALSE;
    }

  return TRUE;
}

/* By mail, and to the webhooks of the user's own. One of them is enough. */
static gboolean
send_letter (Alert *self, JmcAlertLetter *letter)
{
  const guint quiet_days = get_number (self, "quiet-days");
  g_autoptr (GPtrArray) addresses = find_addresses (self, letter->user);
  g_autofree char *subject = jmc_alert_letter_make_subject (letter);
  g_autofree char *text = jmc_alert_letter_make_text (letter, quiet_days);
  g_autofree char *html = jmc_alert_letter_make_html (letter, quiet_days);
  const JmcWebhookMessage message = { .event = JMC_WEBHOOK_ALERT,
                                      .user = letter->user,
                                      .subject = subject,
                                      .text = text };
  const gboolean is_mailed =
    addresses != NULL && send_to (self, addresses, subject, text, html);
  const gboolean is_received =
    !self->is_dry && jmc_webhook_sender_send (self->webhooks, &message);

  return is_mailed || is_received;
}

static gboolean
notify (Alert *self, JmcAlertLetter *letter)
{
  gboolean is_sent;

  if (!note_notices (self, letter, FALSE, FALSE))
    return FALSE;
  is_sent = send_letter (self, letter);

  return note_notices (self, letter, TRUE, is_sent) && is_sent;
}

/* Those who cannot be reached keep it from nobody; a state that cannot be kept does. */
static gboolean
notify_all (Alert *self)
{
  const gint64 since =
    self->now - (gint64) get_number (self, "quiet-days") * SECONDS_PER_DAY;
  g_autoptr (GPtrArray) letters =
    jmc_alert_plan_make (self->findings, self->state, since);
  const guint n = MIN (letters->len, get_number (self, "max-mails"));
  gboolean are_sent = TRUE;

  for (guint i = 0; i < n; i++)
    if (!notify (self, letters->pdata[i]))
      are_sent = FALSE;
    else if (!remember (self, letters->pdata[i]))
      return FALSE;
  if (n < letters->len)
    jmc_output_complain ("%u more get their mail the next time (--max-mails=%u)",
                         letters->len - n, n);

  return are_sent;
}

/* --- administrators --- */

static gboolean
send_report (Alert *self)
{
  const char *to = get_text (self, "report-to");
  g_autoptr (GPtrArray) addresses = NULL;
  g_autofree char *report = NULL;
  g_autofree char *subject = NULL;

  if (to == NULL || self->findings->len == 0)
    return TRUE;

  addresses = take_addresses (self, to);
  report = jmc_alert_plan_make_report (self->findings, self->state);
  subject =
    g_strdup_printf ("Advice for owners of running jobs: %u", self->findings->len);

  return addresses != NULL && send_to (self, addresses, subject, report, NULL);
}

static int
run (Alert *self)
{
  g_autoptr (GError) error = NULL;
  gboolean are_sent;

  if (!prepare (self, &error))
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }
  if (self->is_report)
    {
      g_autofree char *report =
        jmc_alert_plan_make_report (self->findings, self->state);

      jmc_output_print (report);
      return JMC_EXIT_OK;
    }

  are_sent = notify_all (self);
  if (self->idle != NULL && !jmc_idle_act (self->idle, self->archive))
    are_sent = FALSE;

  return send_report (self) && are_sent ? JMC_EXIT_OK : JMC_EXIT_FAILURE;
}

/* --- what policies would have done --- */

static void
on_any_run (JmRun *run, gpointer data)
{
  if (has_owner (run))
    g_ptr_array_add (((List *) data)->runs, jm_run_ref (run));
}

static gboolean
replay_runs (Alert *self, gint64 since, GPtrArray *decisions, GError **error)
{
  g_autoptr (GPtrArray) runs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();

  jm_run_filter_set_period (filter, since, self->now);
  if (!read_runs (self->archive, filter, on_any_run, runs, error))
    return FALSE;
  if (runs->len == MAX_RUNS)
    jmc_output_complain (TOO_MANY_RUNS, MAX_RUNS);
  for (guint i = 0; i < runs->len; i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (JmRunReport) report = read_report (self, runs->pdata[i], &problem);

      if (problem != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      if (report != NULL)
        jmc_idle_replay (self->policies, report, since, self->now, decisions);
    }

  return TRUE;
}

static int
replay (Alert *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GPtrArray) decisions =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_idle_decision_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *table = NULL;
  gint64 since_us;

  self->now = g_date_time_to_unix (now);
  if (!jm_moment_parse (self->replay, now, &since_us, &error))
    {
      jmc_output_complain ("--replay: %s", error->message);
      return JMC_EXIT_USAGE;
    }
  if (!open_archive (self, &error) ||
      !replay_runs (self, MAX (since_us / G_USEC_PER_SEC, 1), decisions, &error))
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }
  table = jmc_idle_make_table (decisions);
  jmc_output_print (table);

  return JMC_EXIT_OK;
}

static gboolean
is_day_off (Alert *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  return jm_settings_get_flag (self->options.settings, "work-days-only") &&
         g_date_time_get_day_of_week (now) >= G_DATE_SATURDAY;
}

int
jmc_alert_main (int argc, char **argv)
{
  g_auto (Alert) self = { 0 };

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;
  if (self.replay != NULL)
    return jmc_output_finish (replay (&self));
  if (is_day_off (&self) && !self.is_dry && !self.is_report)
    return JMC_EXIT_OK;

  return jmc_output_finish (run (&self));
}
