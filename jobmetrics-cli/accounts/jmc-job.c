/* jmc-job.c: jobmetrics-cli job: all that is known of one run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-job.h"

#include <stdio.h>
#include <unistd.h>

#include "accounts/jmc-accounts-place.h"
#include "accounts/jmc-run-choice.h"
#include "accounts/jmc-run-page.h"

typedef struct
{
  JmcOptions options;
  char *job; /* an id, or NULL */
} Job;

static void
job_clear (Job *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->job, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* --- options --- */

static const JmSetting settings[] = {
  { .name = "cluster",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only what was on this cluster" },
  { .name = "uuid",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "UUID",
    .help = "The run of this uuid, instead of a job id" },
};

static GOptionGroup *
make_group (Job *self)
{
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "path.rootfs", NULL);

  jmc_accounts_place_add_settings (&self->options, group);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);

  return group;
}

static gboolean
parse (Job *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[JOB]");
  const char *uuid;

  g_option_context_set_summary (
    context,
    "Shows all that a site's accounts know of a run: the newest of JOB, which is\n"
    "an id such as 12345, 123_4 or 12+1, or that of a uuid. What runs on this\n"
    "node is shown by jobmetrics-cli show.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse (&self->options, context, &argc, &argv) ||
      !jmc_options_check (&self->options))
    return FALSE;

  uuid = jmc_options_get_text (&self->options, "uuid");
  if ((argc > 1) + (uuid != NULL) != 1 || argc > 2)
    jmc_output_complain ("one JOB, or --uuid=UUID (see jobmetrics-cli job --help)");
  else if (uuid != NULL && !g_uuid_string_is_valid (uuid))
    jmc_output_complain ("--uuid=%s: not a uuid", uuid);
  else
    {
      self->job = g_strdup (argv[1]);
      return TRUE;
    }

  return FALSE;
}

/* The uuid of the run that is meant; NULL with an error where there is none. */
static char *
choose (Job *self, JmcAccountsSource *source, GError **error)
{
  const char *uuid = jmc_options_get_text (&self->options, "uuid");

  if (uuid != NULL)
    return g_strdup (uuid);

  return jmc_run_choice_find (source, self->job,
                              jmc_options_get_text (&self->options, "cluster"), error);
}

/* --- output --- */

static void
print (Job *self, JmcRunDetails *details)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_autofree char *page = NULL;

  if (self->options.json)
    {
      jmc_run_details_append_json (details, json);
      fputs (json->str, stdout);
      return;
    }

  page = jmc_run_page_render (details, jmc_output_has_color (self->options.color,
                                                             STDOUT_FILENO));
  jmc_output_print (page);
}

static int
show (Job *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmcRunDetails) details = NULL;
  g_autofree char *uuid = NULL;
  int status;
  g_autoptr (JmcAccountsSource) source =
    jmc_accounts_place_open (&self->options, &status);

  if (source == NULL)
    return status;

  uuid = choose (self, source, &error);
  if (uuid != NULL)
    details = jmc_accounts_source_find_run (source, uuid, &error);
  if (details == NULL)
    {
      jmc_output_complain ("%s", error != NULL ? error->message : "no such job");
      return JMC_EXIT_FAILURE;
    }
  print (self, details);

  return JMC_EXIT_OK;
}

int
jmc_job_main (int argc, char **argv)
{
  g_auto (Job) self = { 0 };

  return parse (&self, argc, argv) ? jmc_output_finish (show (&self)) : JMC_EXIT_USAGE;
}
