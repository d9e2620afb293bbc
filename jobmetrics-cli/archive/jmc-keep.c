/* jmc-keep.c: jobmetrics-cli keep: an owner's answer to a notice that a job is idle
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include "archive/jmc-archive-options.h"
#include "archive/jmc-run-choice.h"
#include "base/jm-moment-private.h"

#define MAX_SECONDS 604800

typedef struct
{
  JmcOptions options;
  const char *job;
  guint seconds;
} Keep;

static void
keep_clear (Keep *self)
{
  jmc_options_clear (&self->options);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Keep, keep_clear)

static const JmSetting settings[] = {
  { .name = "cluster",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "CLUSTER",
    .help = "Only a job of this cluster" },
  { .name = "for",
    .group = "keep",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "For how long from now, such as 90m or 2days; 7 days at most",
    .preset = "4h" },
};

/* A length of time is the way from then to now. */
static gboolean
parse_time (Keep *self)
{
  const char *text = jmc_options_get_text (&self->options, "for");
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *before = g_strconcat ("-", text, NULL);
  gint64 seconds = -1;
  gint64 time_us;

  if (jm_moment_parse (before, now, &time_us, NULL))
    seconds = g_date_time_to_unix (now) - time_us / G_USEC_PER_SEC;
  if (seconds < 0 || seconds > MAX_SECONDS)
    {
      jmc_output_complain ("--for=%s: not a time such as 90m, 4h or 2days, of at most "
                           "7 days",
                           text);
      return FALSE;
    }
  self->seconds = (guint) seconds;

  return TRUE;
}

static gboolean
parse (Keep *self, int argc, char **argv)
{
  GOptionGroup *group = jmc_options_make_group (&self->options, "path.rootfs", NULL);
  g_autoptr (GOptionContext) context = g_option_context_new ("JOB");

  jmc_archive_options_add_settings (&self->options);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  g_option_context_set_summary (
    context,
    "Answers a notice that one of your running jobs is idle: until the time is over\n"
    "the site's policies leave it alone. JOB is an id such as 12345, 123_4 or 12+1.");
  g_option_context_set_main_group (context, group);
  if (!jmc_options_parse (&self->options, context, &argc, &argv) ||
      !jmc_options_check (&self->options) ||
      !jmc_archive_options_check (&self->options))
    return FALSE;
  if (argc != 2)
    {
      jmc_output_complain ("one JOB (see jobmetrics-cli keep --help)");
      return FALSE;
    }
  self->job = argv[1];

  return parse_time (self);
}

int
jmc_keep_main (int argc, char **argv)
{
  g_auto (Keep) self = { 0 };
  g_autoptr (JmArchive) archive = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *uuid = NULL;
  int status;

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;
  archive = jmc_archive_options_open (&self.options, &status);
  if (archive == NULL)
    return status;

  uuid = jmc_run_choice_find (archive, self.job,
                              jmc_options_get_text (&self.options, "cluster"), &error);
  if (uuid == NULL || !jm_archive_keep_run (archive, uuid, self.seconds, NULL, &error))
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }
  g_print ("Job %s is kept for %s.\n", self.job,
           jmc_options_get_text (&self.options, "for"));

  return jmc_output_finish (JMC_EXIT_OK);
}
