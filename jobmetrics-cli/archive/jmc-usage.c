/* jmc-usage.c: jobmetrics-cli usage and waste: what users and accounts had
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include "archive/jmc-archive-form.h"
#include "archive/jmc-archive-options.h"
#include "archive/jmc-run-query.h"
#include "archive/jmc-usage-carbon.h"
#include "archive/jmc-usage-focus.h"
#include "archive/jmc-usage-totals.h"
#include "base/jm-error.h"

#define WASTE_SECONDS (7 * 86400)

typedef struct
{
  JmcOptions options;
  JmcArchiveForm form;
  JmcRunQuery query;
  JmUsageGroups groups;
  gboolean is_waste; /* the command is `waste` */
  gboolean wants_waste;
  gboolean wants_now;
  gboolean wants_cost;
  gboolean wants_goodput;
  gboolean wants_budgets;
  gboolean wants_focus;
  gboolean wants_carbon;
  JmcUsageKind kind;
} Usage;

static void
usage_clear (Usage *self)
{
  jmc_options_clear (&self->options);
  jmc_archive_form_clear (&self->form);
  jmc_run_query_clear (&self->query);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Usage, usage_clear)

/* --- options --- */

static const JmSetting waste_setting = {
  .name = "by",
  .group = "selection",
  .kind = JM_SETTING_TEXT,
  .argument = "NAME,...",
  .help =
    "Group the sums by: cluster, user, account, partition, name (the jobs' name), "
    "node, month, day (day not with --now)",
  .preset = "user",
};

static const JmSetting settings[] = {
  { .name = "by",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME,...",
    .help = "Group the sums by: cluster, user, account, partition, day (not --now, "
            "--focus); with --waste, --now, --goodput, --cost and --carbon also month, "
            "name (the jobs' name) and node (not --carbon)",
    .preset = "user" },
  { .name = "prices.file",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "FILE",
    .help = "File with the prices of --cost",
    .preset = JM_PRICE_LIST_FILE },
  { .name = "carbon.file",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "FILE",
    .help = "File with the site's factors and devices for --carbon",
    .preset = JM_SITE_CARBON_FILE },
};

static GOptionGroup *
make_group (Usage *self)
{
  const GOptionEntry shared[] = {
    { "now", 0, 0, G_OPTION_ARG_NONE, &self->wants_now,
      "What running jobs hold and have not used, and what would fit into it", NULL },
    { NULL },
  };
  const GOptionEntry entries[] = {
    { "waste", 0, 0, G_OPTION_ARG_NONE, &self->wants_waste,
      "What runs were given and did not use; the last 7 days", NULL },
    { "goodput", 0, 0, G_OPTION_ARG_NONE, &self->wants_goodput,
      "Productive, idle, prolog and epilog, lost and unobserved time", NULL },
    { "cost", 0, 0, G_OPTION_ARG_NONE, &self->wants_cost,
      "Costs of runs by the site's prices", NULL },
    { "budgets", 0, 0, G_OPTION_ARG_NONE, &self->wants_budgets,
      "Budgets of accounts, spent so far, and forecast", NULL },
    { "focus", 0, 0, G_OPTION_ARG_NONE, &self->wants_focus,
      "Costs of runs by month, as CSV with the columns of FOCUS 1.2", NULL },
    { "carbon", 0, 0, G_OPTION_ARG_NONE, &self->wants_carbon,
      "What runs emitted, and how much of it was measured", NULL },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "path.rootfs", NULL);

  jmc_archive_options_add_settings (&self->options);
  jmc_options_add_setting (&self->options,
                           self->is_waste ? &waste_setting : &settings[0], group);
  jmc_run_query_add_settings (&self->options, group);
  for (guint i = 1; !self->is_waste && i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  if (!self->is_waste)
    jmc_options_add_entries (group, entries);
  jmc_options_add_entries (group, shared);
  jmc_archive_form_add_entries (&self->form, group);

  return group;
}

/* Groupings that a kind of sums does not support. */
static const struct
{
  JmUsageGroups groups;
  const char *names;
} refused[] = {
  [JMC_USAGE_DAYS] = { JM_USAGE_GROUPS_MONTH | JM_USAGE_GROUPS_NODE |
                         JM_USAGE_GROUPS_NAME,
                       "month, node and name need --waste, --now, --goodput or --cost "
                       "(month "
                       "and name also --carbon)" },
  [JMC_USAGE_NOW] = { JM_USAGE_GROUPS_DAY, "--now cannot be grouped by day" },
  [JMC_USAGE_FOCUS] = { JM_USAGE_GROUPS_DAY | JM_USAGE_GROUPS_NODE |
                          JM_USAGE_GROUPS_NAME,
                        "--focus cannot be grouped by day, node or name" },
  [JMC_USAGE_CARBON] = { JM_USAGE_GROUPS_NODE, "--carbon cannot be grouped by node" },
};

static gboolean
parse_groups (Usage *self)
{
  g_autoptr (GError) error = NULL;

  if (!jm_usage_groups_parse (jmc_options_get_text (&self->options, "by"),
                              &self->groups, &error))
    jmc_output_complain ("--by: %s", error->message);
  else if ((self->groups & refused[self->kind].groups) != 0)
    jmc_output_complain ("--by: %s", refused[self->kind].names);
  else
    {
      if (self->kind == JMC_USAGE_FOCUS)
        self->groups |= JM_USAGE_GROUPS_MONTH | JM_USAGE_GROUPS_ACCOUNT;
      return TRUE;
    }

  return FALSE;
}

static gboolean
parse_kind (Usage *self)
{
  const struct
  {
    gboolean is_wanted;
    JmcUsageKind kind;
  } kinds[] = {
    { self->wants_waste, JMC_USAGE_WASTE },
    { self->wants_now, JMC_USAGE_NOW },
    { self->wants_goodput, JMC_USAGE_GOODPUT },
    { self->wants_cost, JMC_USAGE_COST },
    { self->wants_focus, JMC_USAGE_FOCUS },
    { self->wants_budgets, JMC_USAGE_BUDGETS },
    { self->wants_carbon, JMC_USAGE_CARBON },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (!kinds[i].is_wanted)
        continue;
      if (self->kind != JMC_USAGE_DAYS)
        {
          jmc_output_complain (
            "--waste, --now, --goodput, --cost, --focus, --budgets and --carbon cannot "
            "be combined");
          return FALSE;
        }
      self->kind = kinds[i].kind;
    }

  return TRUE;
}

/* A budget has its own period, and is of all runs of an account. */
static gboolean
check_budgets (Usage *self)
{
  static const char *const names[] = { "since", "until", "user", "partition",
                                       "cluster" };

  for (guint i = 0; self->kind == JMC_USAGE_BUDGETS && i < G_N_ELEMENTS (names); i++)
    if (jmc_options_get_text (&self->options, names[i]) != NULL)
      {
        jmc_output_complain ("--budgets: without --%s", names[i]);
        return FALSE;
      }

  return TRUE;
}

static gboolean
check_form (Usage *self)
{
  if (self->kind != JMC_USAGE_FOCUS || self->form.kind == JMC_ARCHIVE_FORM_TABLE ||
      self->form.kind == JMC_ARCHIVE_FORM_CSV)
    return TRUE;
  jmc_output_complain ("--focus: CSV alone");

  return FALSE;
}

/* Where the options say nothing of it: a week of waste, the time until now of what runs
 * now, else this month. */
static void
set_usual_period (Usage *self, GDateTime *now)
{
  static const char *const running[] = { "RUNNING", NULL };
  g_autoptr (GDateTime) month =
    g_date_time_new_utc (g_date_time_get_year (now), g_date_time_get_month (now), 1, 0,
                         0, 0);

  if (self->kind == JMC_USAGE_NOW)
    jm_run_filter_set_states (self->query.filter, running);
  else if (self->kind == JMC_USAGE_WASTE)
    jmc_run_query_set_period (&self->query, g_date_time_to_unix (now) - WASTE_SECONDS,
                              0);
  else
    jmc_run_query_set_period (&self->query, g_date_time_to_unix (month), 0);
}

/* Sums are of days by UTC, and so is what is asked for: a date of another zone would
 * take in the day before. */
static gboolean
parse_query (Usage *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  if (!jmc_run_query_parse (&self->query, &self->options, now))
    return FALSE;
  if (jmc_options_get_text (&self->options, "since") == NULL &&
      jmc_options_get_text (&self->options, "until") == NULL)
    set_usual_period (self, now);
  else if (self->kind == JMC_USAGE_NOW)
    {
      jmc_output_complain ("--now: without --since and --until");
      return FALSE;
    }
  /* so that the same statement can be made again */
  if ((self->kind == JMC_USAGE_CARBON || self->kind == JMC_USAGE_FOCUS ||
       (jmc_archive_form_is_document (&self->form) && self->kind != JMC_USAGE_NOW)) &&
      self->query.until == 0)
    jmc_run_query_set_period (&self->query, self->query.since,
                              g_date_time_to_unix (now));

  return TRUE;
}

static const char waste_summary[] =
  "Shows what runs were given and did not use, from a site's archive: of the last\n"
  "7 days, where neither --since nor --until is given. All of these runs are read.";

static gboolean
parse (Usage *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (
    context,
    self->is_waste
      ? waste_summary
      : "Shows what users, accounts and others had and used together, from a\n"
        "site's archive: this month, where neither --since nor --until is given.\n"
        "Sums are of whole days, by UTC. With --waste, --now, --goodput, --cost and\n"
        "--carbon they are of the runs themselves, and all of these are read.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse (&self->options, context, &argc, &argv))
    return FALSE;
  if (argc > 1)
    {
      jmc_output_complain ("%s: too much (see jobmetrics-cli %s --help)", argv[1],
                           self->is_waste ? "waste" : "usage");
      return FALSE;
    }
  self->wants_waste = self->wants_waste || (self->is_waste && !self->wants_now);

  return jmc_options_check (&self->options) &&
         jmc_archive_form_parse (&self->form, &self->options) && parse_kind (self) &&
         check_form (self) && check_budgets (self) && parse_groups (self) &&
         parse_query (self);
}

/* --- output --- */

static gboolean
print_sums (Usage *self, GPtrArray *sums, JmSiteCarbon *site)
{
  jmc_usage_carbon_set_document (&self->form, self->kind, &self->options, &self->query,
                                 site);

  return jmc_usage_totals_print (&self->form, self->kind, self->groups, sums);
}

static gboolean
print_days (Usage *self, JmArchive *archive, GError **error)
{
  g_autoptr (GPtrArray) usages =
    jm_archive_list_usage (archive, self->query.filter, self->groups, NULL, error);

  if (usages == NULL || !print_sums (self, usages, NULL))
    return FALSE;
  jmc_archive_form_end_json (&self->form);

  return TRUE;
}

/* --- sums of runs --- */

/* The name of a file of @host. A relative one is in the folder that one works in, or,
 * of a copied tree, in its root. */
static char *
find_file (Usage *self, JmHost *host, const char *name)
{
  const char *path = jmc_options_get_text (&self->options, name);

  return g_str_equal (jm_host_get_root (host), "/")
           ? g_canonicalize_filename (path, NULL)
           : g_strdup (path);
}

/* NULL without an error where no costs are asked for. */
static JmPriceList *
open_prices (Usage *self, GError **error)
{
  g_autoptr (JmHost) host = NULL;
  g_autofree char *path = NULL;
  JmPriceList *prices;
  g_auto (GStrv) problems = NULL;

  if (self->kind == JMC_USAGE_WASTE || self->kind == JMC_USAGE_NOW ||
      self->kind == JMC_USAGE_GOODPUT)
    return NULL;
  host = jmc_options_make_host (&self->options);
  path = find_file (self, host, "prices.file");
  prices = jm_price_list_new (host, path, error);
  if (prices == NULL)
    return NULL;

  problems = jm_price_list_list_problems (prices);
  for (guint i = 0; problems[i] != NULL; i++)
    jmc_output_complain ("%s", problems[i]);

  return prices;
}

static gboolean
print_fitting (Usage *self, JmArchive *archive, GError **error)
{
  guint n_waiting;
  g_autoptr (GPtrArray) fitting = NULL;

  if (self->kind != JMC_USAGE_NOW)
    return TRUE;
  fitting =
    jm_archive_list_fitting (archive, self->query.filter, &n_waiting, NULL, error);
  if (fitting != NULL)
    jmc_usage_totals_print_fitting (&self->form, fitting, n_waiting);

  return fitting != NULL;
}

/* NULL without an error where there is no such file, unless it was asked for. */
static JmSiteCarbon *
open_carbon (Usage *self, GError **error)
{
  g_autoptr (JmHost) host = jmc_options_make_host (&self->options);
  g_autofree char *path = find_file (self, host, "carbon.file");
  g_autoptr (GError) problem = NULL;
  JmSiteCarbon *site = jm_site_carbon_new (host, path, &problem);
  g_auto (GStrv) problems = site != NULL ? jm_site_carbon_list_problems (site) : NULL;

  for (guint i = 0; problems != NULL && problems[i] != NULL; i++)
    jmc_output_complain ("%s", problems[i]);
  if (problem != NULL && !(g_error_matches (problem, JM_ERROR, JM_ERROR_ABSENT) &&
                           g_str_equal (path, JM_SITE_CARBON_FILE)))
    g_propagate_error (error, g_steal_pointer (&problem));

  return site;
}

static gboolean
print_carbon (Usage *self, JmArchive *archive, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JmSiteCarbon) site = open_carbon (self, &problem);
  g_autoptr (GPtrArray) totals = NULL;

  if (problem == NULL)
    totals = jm_archive_list_carbon (archive, self->query.filter, self->groups, site,
                                     NULL, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (!print_sums (self, totals, site))
    return FALSE;
  jmc_usage_carbon_print_basis (&self->form, &self->options, &self->query, site);
  jmc_archive_form_end_json (&self->form);

  return TRUE;
}

static gboolean
print_focus (Usage *self, GPtrArray *totals, JmPriceList *prices, GError **error)
{
  const char *currency = jm_price_list_get_currency (prices);

  if (currency == NULL || *currency == '\0')
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s: Currency is missing, which FOCUS needs",
                   jmc_options_get_text (&self->options, "prices.file"));
      return FALSE;
    }
  jmc_usage_focus_print (totals, currency, self->query.since, self->query.until);

  return TRUE;
}

/* Of the accounts that are chosen, or of all. */
static void
keep_accounts (Usage *self, GPtrArray *totals)
{
  const char *text = jmc_options_get_text (&self->options, "account");
  g_auto (GStrv) accounts = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = totals->len; text != NULL && i > 0; i--)
    if (!g_strv_contains ((const char *const *) accounts,
                          jm_run_totals_get_name (totals->pdata[i - 1],
                                                  JM_USAGE_GROUPS_ACCOUNT)))
      g_ptr_array_remove_index (totals, i - 1);
}

static gboolean
print_budgets (Usage *self, JmArchive *archive, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JmPriceList) prices = open_prices (self, &problem);
  g_autoptr (GPtrArray) totals = NULL;

  if (problem == NULL)
    totals =
      jm_archive_list_budgets (archive, prices, g_get_real_time () / G_USEC_PER_SEC,
                               NULL, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  keep_accounts (self, totals);
  self->groups = JM_USAGE_GROUPS_ACCOUNT;
  if (!print_sums (self, totals, NULL))
    return FALSE;
  if (self->form.kind == JMC_ARCHIVE_FORM_TABLE)
    jmc_output_print (
      "\nCOST is of the runs that you may see. FORECAST is for the end of "
      "the period, by the\nmean of the DAYS so far.\n");
  jmc_archive_form_end_json (&self->form);

  return TRUE;
}

static gboolean
print_totals (Usage *self, JmArchive *archive, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JmPriceList) prices = open_prices (self, &problem);
  g_autoptr (GPtrArray) totals = NULL;

  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  totals = jm_archive_list_totals (archive, self->query.filter, self->groups, prices,
                                   NULL, error);
  if (totals == NULL)
    return FALSE;

  if (self->kind == JMC_USAGE_FOCUS)
    return print_focus (self, totals, prices, error);
  if (!print_sums (self, totals, NULL) || !print_fitting (self, archive, error))
    return FALSE;
  jmc_archive_form_end_json (&self->form);

  return TRUE;
}

typedef gboolean (*PrintFunc) (Usage *self, JmArchive *archive, GError **error);

static const PrintFunc prints[] = {
  [JMC_USAGE_DAYS] = print_days,       [JMC_USAGE_WASTE] = print_totals,
  [JMC_USAGE_NOW] = print_totals,      [JMC_USAGE_GOODPUT] = print_totals,
  [JMC_USAGE_COST] = print_totals,     [JMC_USAGE_FOCUS] = print_totals,
  [JMC_USAGE_BUDGETS] = print_budgets, [JMC_USAGE_CARBON] = print_carbon,
};

static int
print_usage (Usage *self)
{
  g_autoptr (GError) error = NULL;
  int status;
  g_autoptr (JmArchive) archive = jmc_archive_options_open (&self->options, &status);

  if (archive == NULL)
    return status;
  if (prints[self->kind](self, archive, &error))
    return JMC_EXIT_OK;

  if (error != NULL)
    jmc_output_complain ("%s", error->message);

  return JMC_EXIT_FAILURE;
}

static int
run (gboolean is_waste, int argc, char **argv)
{
  g_auto (Usage) self = { .form.has_documents = TRUE, .is_waste = is_waste };

  return parse (&self, argc, argv) ? jmc_output_finish (print_usage (&self))
                                   : JMC_EXIT_USAGE;
}

int
jmc_usage_main (int argc, char **argv)
{
  return run (FALSE, argc, argv);
}

int
jmc_waste_main (int argc, char **argv)
{
  return run (TRUE, argc, argv);
}
