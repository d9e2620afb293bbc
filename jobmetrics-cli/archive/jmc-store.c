/* jmc-store.c: jobmetrics-cli store: upkeep of a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include "archive/jm-archive-database-private.h"
#include "archive/jmc-archive-options.h"
#include "base/jm-error.h"
#include "base/jm-moment-private.h"

#define HELP                                                                           \
 "Actions:\n"                                                                          \
 "  check          read all of it, and report whether it is whole\n"                   \
 "  backup FILE    copy a file that is in use; pg_dump copies a PostgreSQL\n"          \
 "  vacuum         give back the space of what was deleted\n"                          \
 "  forget TIME    drop runs that ended before that, such as -1095d; sums of days "    \
 "stay"

typedef struct
{
  const char *name;
  const char *argument; /* what is wanted behind it, or NULL */
  gboolean writes;
  gboolean (*run) (JmArchiveDatabase *store, const char *argument, GError **error);
} Action;

static gboolean
check (JmArchiveDatabase *store, const char *unused, GError **error)
{
  if (!jm_archive_database_check (store, error))
    return FALSE;
  jmc_output_print ("whole, and the sums of days are what the runs add up to\n");

  return TRUE;
}

static gboolean
back_up (JmArchiveDatabase *store, const char *path, GError **error)
{
  return jm_archive_database_back_up (store, path, error);
}

static gboolean
vacuum (JmArchiveDatabase *store, const char *unused, GError **error)
{
  return jm_archive_database_vacuum (store, error);
}

static gboolean
forget (JmArchiveDatabase *store, const char *text, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *line = NULL;
  gint64 time_us, n;

  if (!jm_moment_parse (text, now, &time_us, error))
    return FALSE;
  if (time_us > g_date_time_to_unix (now) * G_USEC_PER_SEC)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not in the past", text);
      return FALSE;
    }
  n = jm_archive_database_forget (store, time_us / G_USEC_PER_SEC, error);
  if (n < 0)
    return FALSE;
  line = g_strdup_printf ("%" G_GINT64_FORMAT " runs are dropped\n", n);
  jmc_output_print (line);

  return TRUE;
}

static const Action actions[] = {
  { "check", NULL, FALSE, check },
  { "backup", "FILE", FALSE, back_up },
  { "vacuum", NULL, TRUE, vacuum },
  { "forget", "TIME", TRUE, forget },
};

static const JmSetting store_setting = {
  .name = "store",
  .group = "archive",
  .kind = JM_SETTING_TEXT,
  .argument = "URI",
  .help = "Which database: a file, or postgresql://...",
  .preset = JMC_USUAL_STORE,
};

static const Action *
find_action (char **words)
{
  if (words[0] == NULL)
    {
      jmc_output_complain ("an action is missing: check, backup, vacuum or forget");
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_str_equal (actions[i].name, words[0]))
      {
        const guint n_wanted = actions[i].argument != NULL ? 2 : 1;

        if (g_strv_length (words) == n_wanted)
          return &actions[i];
        jmc_output_complain ("store %s: %s is wanted behind it", words[0],
                             n_wanted == 2 ? actions[i].argument : "nothing");
        return NULL;
      }

  jmc_output_complain ("%s: none of check, backup, vacuum and forget", words[0]);

  return NULL;
}

/* Upkeep of what is not there would make an empty one. */
static JmArchiveDatabase *
open_store (const Action *action, const char *uri, GError **error)
{
  g_autoptr (JmArchiveDatabase) store =
    jm_archive_database_open_for_reading (uri, NULL, error);

  if (store == NULL || !action->writes)
    return g_steal_pointer (&store);

  return jm_archive_database_open (uri, error);
}

static int
run (const Action *action, const char *uri, const char *argument)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = open_store (action, uri, &error);

  if (store != NULL && action->run (store, argument, &error))
    return JMC_EXIT_OK;
  jmc_output_complain ("store %s: %s", action->name, error->message);

  return JMC_EXIT_FAILURE;
}

int
jmc_store_main (int argc, char **argv)
{
  g_auto (JmcOptions) options = { 0 };
  g_autoptr (GOptionContext) context =
    g_option_context_new ("check|backup FILE|vacuum|forget TIME");
  GOptionGroup *group = jmc_options_make_group (&options, "color", NULL);
  const Action *action;

  jmc_options_add_setting (&options, &store_setting, group);
  g_option_context_set_summary (context, "Maintains the database of a site's archive, "
                                         "also while a server uses it.");
  g_option_context_set_description (context, HELP);
  g_option_context_set_main_group (context, group);
  if (!jmc_options_parse (&options, context, &argc, &argv))
    return JMC_EXIT_USAGE;
  action = find_action (argv + 1);
  if (action == NULL)
    return JMC_EXIT_USAGE;

  return jmc_output_finish (
    run (action, jmc_options_get_text (&options, "store"), argc > 2 ? argv[2] : NULL));
}
