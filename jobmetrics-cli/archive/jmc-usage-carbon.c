/* jmc-usage-carbon.c: what a statement of emissions rests on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-usage-carbon.h"

#include <string.h>

#include "base/jm-json-writer-private.h"
#include "jmc-output.h"

#define DAY_SECONDS 86400

#define RUN_COLUMNS                                                                    \
 "cluster,raw_id,user,account,partition,start_time,end_time,cpus,gpus_allocated,"      \
 "energy_joules,emissions_grams"

static const char *const places[] = { "path.rootfs", "server",  "store",
                                      "login-file",  "ca-file", NULL };
static const char *const selection[] = { "user", "account", "partition", "cluster",
                                         NULL };

/* What a document is called, the option that makes it, and the site's file of it. */
static const struct
{
  const char *title;
  const char *option;
  const char *file;
} documents[] = {
  [JMC_USAGE_DAYS] = { "Use", "" },
  [JMC_USAGE_WASTE] = { "What runs were given and did not use", " --waste" },
  [JMC_USAGE_NOW] = { "What running jobs hold", " --now" },
  [JMC_USAGE_GOODPUT] = { "Productive, idle and lost time", " --goodput" },
  [JMC_USAGE_COST] = { "Costs", " --cost", "prices.file" },
  [JMC_USAGE_FOCUS] = { "Costs", " --focus", "prices.file" },
  [JMC_USAGE_BUDGETS] = { "Budgets", " --budgets", "prices.file" },
  [JMC_USAGE_CARBON] = { "Energy and emissions", " --carbon", "carbon.file" },
};

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

/* Nothing for 0, which is open. */
static void
append_moment (GString *text, const char *before, gint64 seconds)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (seconds);
  g_autofree char *value =
    moment != NULL ? g_date_time_format (moment, "%Y-%m-%dT%H:%M:%SZ") : NULL;

  if (seconds > 0 && value != NULL)
    g_string_append_printf (text, "%s%s", before, value);
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
  append_moment (text, " --since=", query->since);
  append_moment (text, " --until=", query->until);
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
    g_string_append (text,
                     "The PUE is not known for the whole period: lines without it "
                     "count the machines\nalone.\n");
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

static char *
make_command_of_sums (JmcUsageKind kind,
                      const JmcOptions *options,
                      const JmcRunQuery *query)
{
  const char *const further[] = { "by", documents[kind].file, NULL };
  g_autofree char *usage = g_strdup_printf ("usage%s --csv", documents[kind].option);

  return make_command (usage, options, further, query);
}

static char *
make_command_of_runs (const JmcOptions *options, const JmcRunQuery *query)
{
  static const char *const none[] = { NULL };

  return make_command ("history --all --limit=0 --csv --columns=" RUN_COLUMNS, options,
                       none, query);
}

/* As people read it: the day alone where it begins then. */
static void
append_day (GString *text, const char *before, gint64 seconds)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (seconds);
  g_autofree char *value =
    moment != NULL
      ? g_date_time_format (moment, seconds % DAY_SECONDS == 0 ? "%Y-%m-%d"
                                                               : "%Y-%m-%d %H:%M UTC")
      : NULL;

  if (seconds > 0 && value != NULL)
    g_string_append_printf (text, "%s%s", before, value);
}

void
jmc_usage_carbon_set_document (JmcArchiveForm *form,
                               JmcUsageKind kind,
                               const JmcOptions *options,
                               const JmcRunQuery *query,
                               JmSiteCarbon *site)
{
  static const JmcRunQuery of_any_time = { 0 };
  const JmcRunQuery *period = kind == JMC_USAGE_BUDGETS ? &of_any_time : query;
  g_autoptr (GStrvBuilder) notes = g_strv_builder_new ();
  g_auto (GStrv) sources = site != NULL ? jm_site_carbon_list_sources (site) : NULL;
  g_autofree char *sums = make_command_of_sums (kind, options, period);
  g_autofree char *runs = make_command_of_runs (options, period);
  g_autofree char *sums_note = g_strconcat ("Sums: ", sums, NULL);
  g_autofree char *runs_note = g_strconcat ("Runs: ", runs, NULL);
  g_autoptr (GString) title = g_string_new (documents[kind].title);

  if (!jmc_archive_form_is_document (form))
    return;
  append_day (title, ": from ", period->since);
  append_day (title, " until ", period->until);
  if (sources != NULL)
    g_strv_builder_addv (notes, (const char **) sources);
  g_strv_builder_add (notes, sums_note);
  g_strv_builder_add (notes, runs_note);
  form->title = g_strdup (title->str);
  form->notes = g_strv_builder_end (notes);
}

void
jmc_usage_carbon_print_basis (JmcArchiveForm *form,
                              const JmcOptions *options,
                              const JmcRunQuery *query,
                              JmSiteCarbon *site)
{
  g_auto (GStrv) sources = site != NULL ? jm_site_carbon_list_sources (site) : NULL;
  g_autofree char *sums = make_command_of_sums (JMC_USAGE_CARBON, options, query);
  g_autofree char *runs = make_command_of_runs (options, query);
  double pue;

  if (form->kind == JMC_ARCHIVE_FORM_TABLE)
    print_text (sources,
                site != NULL &&
                  jm_site_carbon_get_pue (site, query->since, query->until, &pue),
                sums, runs);
  else if (!jmc_archive_form_is_document (form) && form->kind != JMC_ARCHIVE_FORM_CSV)
    print_json (form, sources, sums, runs);
}
