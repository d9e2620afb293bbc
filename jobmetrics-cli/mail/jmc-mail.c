/* jmc-mail.c: jobmetrics-cli mail: a scheduler's mails, with reports of the jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail.h"

#include <stdio.h>
#include <unistd.h>

#include "archive/jmc-archive-options.h"
#include "mail/jmc-mail-address.h"
#include "mail/jmc-mail-input.h"
#include "mail/jmc-mail-log.h"
#include "mail/jmc-mail-parts.h"
#include "mail/jmc-mail-transport.h"
#include "mail/jmc-webhook.h"

/* So many of the recipients that were refused are named. */
#define MAX_NAMED 5

typedef struct
{
  JmcOptions options;
  JmcMailNotice notice;
  gboolean is_dry;
  gboolean is_stuck; /* somebody still waits for the archive */
} Mail;

static void
mail_clear (Mail *self)
{
  jmc_options_clear (&self->options);
  jmc_mail_notice_clear (&self->notice);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Mail, mail_clear)

/* --- options --- */

static const JmSetting settings[] = {
  { .name = "wait",
    .group = "report",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time to wait until the archive has the job's end",
    .preset = "30",
    .low = 0,
    .high = 3600 },
  { .name = "pdf",
    .group = "report",
    .kind = JM_SETTING_FLAG,
    .help = "Attach the report as PDF too" },
};

static GOptionGroup *
make_group (Mail *self)
{
  const GOptionEntry entries[] = {
    { "dry-run", 0, 0, G_OPTION_ARG_NONE, &self->is_dry,
      "Print the mail instead of sending it", NULL },
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

/* Parses @n of the arguments; the others were written by a job's user. */
static gboolean
parse (Mail *self, guint n, char **argv)
{
  g_autoptr (GOptionContext) context =
    g_option_context_new ("-s SUBJECT RECIPIENT… | -f SENDER RECIPIENT…");
  g_auto (GStrv) own = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    own[i] = g_strdup (argv[i]);
  g_option_context_set_summary (
    context,
    "Forwards a scheduler's mail, and adds a report to that of a job's end. Called\n"
    "as Slurm and Grid Engine call mail, with the text at the standard input, or as\n"
    "PBS calls sendmail, with all of the message there. Options come first.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse_strv (&self->options, context, &own) ||
      !jmc_options_check (&self->options))
    return FALSE;
  if (g_strv_length (own) == 1)
    return TRUE;

  jmc_output_complain (
    "%s: not expected before -s or -f (see jobmetrics-cli mail --help)", own[1]);

  return FALSE;
}

/* A mail is not lost for what is wrong in a file. */
static void
read_settings (Mail *self)
{
  static const char *const groups[] = { "mail", "report", "archive", NULL };
  g_autoptr (GError) error = NULL;

  if (!jmc_mail_settings_read (&self->options, groups, &error))
    jmc_mail_log_complain ("%s", error->message);
}

/* --- the report --- */

/* An array's tasks have reports of their own. */
static gboolean
has_report (const JmcMailNotice *notice)
{
  return notice->about.job != NULL && notice->about.is_end && !notice->about.is_array;
}

static char *
make_remark (const JmcMailNotice *notice, const GError *error)
{
  const char *gap = *notice->body != '\0' ? "\n" : "";

  if (error != NULL)
    return g_strdup_printf ("%sThere is no report of this job: %s\n", gap,
                            error->message);
  if (notice->about.is_end && notice->about.is_array)
    return g_strdup_printf ("%sThe tasks of this job array: jobmetrics-cli history "
                            "--job=%s\n",
                            gap, notice->about.job);

  return g_strdup ("");
}

/* The mail as it came, and in one line why there is no more. */
static void
make_plain (Mail *self, JmcMailReport *report, const GError *error)
{
  g_autofree char *remark = make_remark (&self->notice, error);

  report->text = g_strconcat (self->notice.body, remark, NULL);
}

static void
make_report (Mail *self, JmcMailReport *report)
{
  const JmcMailNotice *notice = &self->notice;
  const JmcMailRun wanted = { notice->about.job, notice->cluster, notice->user,
                              notice->start_time,
                              jm_settings_get_flag (self->options.settings, "pdf") };
  g_autoptr (GError) error = NULL;
  g_autofree char *introduction = NULL;

  if (!has_report (notice))
    {
      make_plain (self, report, NULL);
      return;
    }
  if (!jmc_mail_wait_for_report (&self->options, &wanted,
                                 jm_settings_get_number (self->options.settings,
                                                         "wait"),
                                 report, &self->is_stuck, &error))
    {
      jmc_mail_log_complain ("no report: %s", error->message);
      make_plain (self, report, error);
      return;
    }
  if (*notice->body == '\0')
    return;

  introduction = g_strconcat (notice->body, "\n", NULL);
  jmc_mail_report_prepend (report, introduction);
}

/* --- sending --- */

/* FALSE where somebody cannot be sent anything. */
static gboolean
take_recipients (Mail *self, const char *domain, GPtrArray *recipients)
{
  g_autoptr (GPtrArray) refused = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->notice.recipients->len; i++)
    jmc_mail_address_add (recipients, refused, self->notice.recipients->pdata[i],
                          domain);
  for (guint i = 0; i < MIN (refused->len, MAX_NAMED); i++)
    jmc_mail_log_complain ("no address: %s", (char *) refused->pdata[i]);
  if (refused->len == 0 && recipients->len == 0)
    jmc_mail_log_complain ("no address: no recipient is named");

  return refused->len == 0 && recipients->len > 0;
}

static int
print (JmcMailTransport *transport, JmcMailMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = jmc_mail_transport_make (transport, message, &error);
  gsize length;
  const char *text;

  if (bytes == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }
  text = g_bytes_get_data (bytes, &length);
  fwrite (text, 1, length, stdout);

  return JMC_EXIT_OK;
}

/* A refused mail is one line: who did not get which mail. */
static char *
make_subject (Mail *self, const JmcMailReport *report)
{
  return report->verdict != NULL
           ? g_strdup_printf ("%s, %s", self->notice.subject, report->verdict)
           : g_strdup (self->notice.subject);
}

/* Only Slurm names the owner of the job. */
static void
send_to_webhooks (Mail *self, const JmcMailMessage *message)
{
  const JmcMailNotice *notice = &self->notice;
  const JmcWebhookMessage end = { .event = JMC_WEBHOOK_END,
                                  .user = notice->user,
                                  .cluster = notice->cluster,
                                  .job = notice->about.job,
                                  .subject = message->subject,
                                  .text = message->text };
  g_autoptr (JmcWebhookSender) webhooks = jmc_webhook_sender_new (&self->options);

  if (notice->about.is_end)
    jmc_webhook_sender_send (webhooks, &end);
}

/* A mail that is refused is logged in one line, with its recipients and its job. */
static int
deliver (Mail *self, JmcMailTransport *transport, GPtrArray *recipients)
{
  g_auto (JmcMailReport) report = { 0 };
  g_autofree char *subject = NULL;
  g_autoptr (GError) error = NULL;
  JmcMailMessage message = { .recipients = recipients, .job = self->notice.about.job };

  make_report (self, &report);
  subject = make_subject (self, &report);
  message.subject = subject;
  message.text = report.text;
  message.html = report.html;
  message.pictures = report.pictures;
  message.pdf = report.pdf;
  if (self->is_dry)
    return print (transport, &message);
  if (!jmc_mail_transport_send (transport, &message, &error))
    jmc_mail_log_complain ("not delivered: '%s': %s", message.subject, error->message);
  send_to_webhooks (self, &message);

  return error == NULL ? JMC_EXIT_OK : JMC_EXIT_FAILURE;
}

static int
send_mail (Mail *self)
{
  g_autoptr (GPtrArray) recipients = g_ptr_array_new_with_free_func (g_free);
  g_auto (JmcMailTransport) transport = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean is_known;
  int status;

  if (!jmc_mail_transport_init (&transport, &self->options, self->notice.sender,
                                &error))
    {
      jmc_mail_log_complain ("not delivered: '%s': %s", self->notice.subject,
                             error->message);
      return JMC_EXIT_FAILURE;
    }

  is_known = take_recipients (self, transport.domain, recipients);
  if (recipients->len == 0)
    return JMC_EXIT_FAILURE;
  status = deliver (self, &transport, recipients);

  return is_known ? status : JMC_EXIT_FAILURE;
}

static int
run (guint n_options, int argc, char **argv)
{
  g_auto (Mail) self = { 0 };
  g_autoptr (GError) error = NULL;
  int status;

  jmc_mail_input_open_standard_files ();
  if (!parse (&self, n_options, argv))
    return JMC_EXIT_USAGE;
  if (!jmc_mail_notice_take (&self.notice, argv + n_options, STDIN_FILENO, &error))
    {
      jmc_mail_log_complain ("%s (see jobmetrics-cli mail --help)", error->message);
      return JMC_EXIT_USAGE;
    }

  read_settings (&self);
  status = jmc_output_finish (send_mail (&self));
  if (self.is_stuck)
    _exit (status);

  return status;
}

int
jmc_mail_main (int argc, char **argv)
{
  return run (jmc_mail_notice_count_options (argc, argv), argc, argv);
}

int
jmc_mail_main_of_scheduler (int argc, char **argv)
{
  return run (1, argc, argv);
}
