/* jmc-import.c: jobmetrics-cli import: archives into a site's accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-import.h"

#include <glib/gstdio.h>

#include "accounts/jmc-import-format.h"
#include "jmc-options.h"

typedef struct
{
  JmcOptions options;
  char *format_text;
  const JmcImportFormat *format;
  const char *cluster;
} Import;

static void
import_clear (Import *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->format_text, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Import, import_clear)

static const JmSetting settings[] = {
  { .name = "store",
    .group = "accounts",
    .kind = JM_SETTING_TEXT,
    .argument = "URI",
    .help =
      "Where to: a file, which is made where there is none, or postgresql://..." },
  { .name = "cluster",
    .group = "accounts",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "The cluster whose accounts they are" },
};

static GOptionGroup *
make_group (Import *self)
{
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format_text,
      "sacct, pbs-log, gridengine-log, condor-history or ledger", "FORMAT" },
    { NULL },
  };
  GOptionGroup *group = jmc_options_make_group (&self->options, "color", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  g_option_group_add_entries (group, entries);

  return group;
}

static gboolean
check (Import *self, char **files)
{
  g_autoptr (GError) error = NULL;

  self->format = jmc_import_format_find (self->format_text, &error);
  self->cluster = jmc_options_get_text (&self->options, "cluster");
  if (self->format == NULL)
    jmc_output_complain ("%s", error->message);
  else if (jmc_options_get_text (&self->options, "store") == NULL)
    jmc_output_complain ("--store=URI is missing");
  else if (self->format->needs_cluster &&
           (self->cluster == NULL || *self->cluster == '\0'))
    jmc_output_complain ("--cluster=NAME is missing: the archive does not say it");
  else if (files[0] == NULL)
    jmc_output_complain ("a FILE is missing; - is the standard input");
  else
    return TRUE;

  return FALSE;
}

static guint64
get_size (const char *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 ? (guint64) status.st_size : 0;
}

static gboolean
import_file (Import *self, JmJobStore *store, const char *path)
{
  JmcImport import = { .store = store, .path = path, .cluster = self->cluster };
  g_autoptr (GError) error = NULL;
  gboolean is_read;

  jmc_import_progress_begin (&import.progress, path, get_size (path));
  is_read = self->format->read (&import, &error);
  jmc_import_progress_end (&import.progress);
  if (!is_read)
    jmc_output_complain ("%s%s%s", path, ": ", error->message);

  g_printerr ("%s: %" G_GUINT64_FORMAT " runs%s, %" G_GUINT64_FORMAT
              " bad lines, %" G_GUINT64_FORMAT " not stored\n",
              path, import.n_runs, is_read ? "" : " before it failed", import.n_bad,
              import.n_refused);

  return is_read && import.n_bad == 0 && import.n_refused == 0;
}

static int
import_all (Import *self, char **files)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJobStore) store =
    jm_job_store_open (jmc_options_get_text (&self->options, "store"), &error);
  gboolean is_well = TRUE;

  if (store == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }
  for (; *files != NULL; files++)
    is_well &= import_file (self, store, *files);

  return is_well ? JMC_EXIT_OK : JMC_EXIT_FAILURE;
}

int
jmc_import_main (int argc, char **argv)
{
  g_auto (Import) self = { 0 };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE…");

  g_option_context_set_summary (
    context,
    "Imports accounting archives into a site's accounts. A run that is there already\n"
    "is not added twice; an import that was interrupted can be repeated.");
  g_option_context_set_main_group (context, make_group (&self));
  if (!jmc_options_parse (&self.options, context, &argc, &argv) ||
      !check (&self, argv + 1))
    return JMC_EXIT_USAGE;

  return jmc_output_finish (import_all (&self, argv + 1));
}
