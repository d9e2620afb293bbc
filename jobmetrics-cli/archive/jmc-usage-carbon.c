/* jmc-usage-carbon.c: what a statement of emissions rests on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-usage-carbon.h"

#include <string.h>

#include "base/jm-json-writer-private.h"
#include "jmc-output.h"

#define RUN_COLUMNS                                                                    \
 "cluster,raw_id,user,account,partition,start_time,end_time,cpus,gpus_allocated,"      \
 "energy_joules,emissions_grams"

static const char *const places[] = { "path.rootfs", "server",  "store",
                                      "login-file",  "ca-file", NULL };
static const char *const selection[] = { "user", "account", "partition", "cluster",
                                         NULL };
static const char *const statement[] = { "by", "carbon.file", NULL };

/* `scheme://user:password@...`, or a parameter of that name. */
static gboolean
has_password (const char *value)
{
  const char *begin = strstr (value, "://");
  const char *at = begin != NULL ? strchr (begin, '@') : NULL;

  return (at != NULL && memchr (begin + 3, ':', at - begin - 3) != NULL) ||
         strstr (value, "password") != NULL;
}

/* A place with a password in it is left to whoever runs the command. */
static void
append_options (GString *text, const JmcOptions *options, const char *const *names)
{
  for (; *names != NULL; names++)
    {
      const char *value = jmc_options_get_text (options, *names);
      g_autofree char *quoted =
        value != NULL && !has_password (value) ? g_shell_quote (value) : NULL;

      if (quoted != NULL)
        g_string_append_printf (text, " --%s=%s", *names, quoted);
    }
}

static void
append_moment (GString *text, const char *name, gint64 seconds)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (seconds);
  g_autofree char *value =
    moment != NULL ? g_date_time_format (moment, "%Y-%m-%dT%H:%M:%SZ") : NULL;

  if (seconds > 0 && value != NULL)
    g_string_append_printf (text, " --%s=%s", name, value);
}

static char *
make_command (const char *command,
              const JmcOptions *options,
              const char *const *further,
              const JmcRunQuery *query)
{
  GString *text = g_string_new ("jobmetrics-cli ");

  g_string_append (text, command);
  append_options (text, options, further);
  append_options (text, options, selection);
  append_moment (text, "since", query->since);
  append_moment (text, "until", query->until);
  append_options (text, options, places);

  return g_string_free (text, FALSE);
}

static void
print_text (char **sources, gboolean has_pue, const char *sums, const char *runs)
{
  g_autoptr (GString) text = g_string_new ("\n");

  for (guint i = 0; sources != NULL && sources[i] != NULL; i++)
    g_string_append_printf (text, "%s\n", sources[i]);
  if (!has_pue)
    g_string_append (text, "No Pue is known: energy and emissions are of the machines "
                           "alone.\n");
  g_string_append_printf (text, "Sums:  %s\nRuns:  %s\n", sums, runs);
  jmc_output_print (text->str);
}

static void
print_json (JmcArchiveForm *form, char **sources, const char *sums, const char *runs)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_begin_array (&json, "sources");
  for (guint i = 0; sources != NULL && sources[i] != NULL; i++)
    jm_json_writer_add_text (&json, NULL, sources[i]);
  jm_json_writer_end_array (&json);
  jm_json_writer_add_text (&json, "command_of_sums", sums);
  jm_json_writer_add_text (&json, "command_of_runs", runs);
  jm_json_writer_end_object (&json);
  jmc_archive_form_print_json (form, text);
}

void
jmc_usage_carbon_print_basis (JmcArchiveForm *form,
                              const JmcOptions *options,
                              const JmcRunQuery *query,
                              JmSiteCarbon *site)
{
  g_auto (GStrv) sources = site != NULL ? jm_site_carbon_list_sources (site) : NULL;
  g_autofree char *sums =
    make_command ("usage --carbon --csv", options, statement, query);
  g_autofree char *runs =
    make_command ("history --all --limit=0 --csv --columns=" RUN_COLUMNS, options,
                  statement + G_N_ELEMENTS (statement) - 1, query);
  double pue;

  if (form->kind == JMC_ARCHIVE_FORM_TABLE)
    print_text (sources, site != NULL && jm_site_carbon_get_pue (site, &pue), sums,
                runs);
  else if (form->kind != JMC_ARCHIVE_FORM_CSV)
    print_json (form, sources, sums, runs);
}
