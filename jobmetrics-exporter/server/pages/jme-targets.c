/* jme-targets.c: what a site has agreed that somebody gets, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-targets.h"

#include "archive/jm-archive-database-private.h"
#include "cluster/jm-cluster-targets-private.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-page.h"

#define TARGETS_FILE "server.targets-file"
#define YEAR_SECONDS (365.0 * 86400)

struct _JmeTargets
{
  GPtrArray *targets; /* of JmClusterTarget; NULL where no file is named */
};

static const JmSetting row = {
  .name = TARGETS_FILE,
  .group = "server",
  .kind = JM_SETTING_FILE,
  .argument = "FILE",
  .help =
    "CPU and GPU years that the site has agreed on, for the page of the cluster; as "
    "the cluster role's --cluster.targets-file, read at start",
  .preset_help = "no targets",
};

void
jme_targets_add_settings (JmSettings *settings)
{
  jm_settings_add (settings, &row);
}

JmeTargets *
jme_targets_new (const JmSettings *settings, GError **error)
{
  const char *path = jm_settings_get_text (settings, TARGETS_FILE);
  g_autoptr (GError) reason = NULL;
  JmeTargets *self;
  GPtrArray *targets = NULL;

  if (path != NULL && *path != '\0')
    targets = jm_cluster_targets_read (path, &reason);
  if (reason != NULL)
    {
      jm_settings_refuse (settings, TARGETS_FILE, NULL, reason->message, error);
      return NULL;
    }

  self = g_new0 (JmeTargets, 1);
  self->targets = targets;

  return self;
}

void
jme_targets_free (JmeTargets *self)
{
  g_clear_pointer (&self->targets, g_ptr_array_unref);
  g_free (self);
}

/* --- a row --- */

static JmRunFilter *
make_filter (const JmClusterTarget *target)
{
  const char *accounts[] = { target->account, NULL };
  JmRunFilter *filter = jm_run_filter_new ();

  jm_run_filter_set_cluster (filter, target->cluster);
  if (target->account != NULL)
    jm_run_filter_set_accounts (filter, accounts);

  return filter;
}

/* 1 where somebody may see a run of it, -1 for an error. */
static int
is_seen (JmeAnswer *answer, const JmClusterTarget *target, GError **error)
{
  g_autoptr (JmRunFilter) filter = make_filter (target);
  g_autoptr (GPtrArray) list = NULL;
  gboolean has_more;

  if (jm_viewer_sees_all (answer->viewer))
    return 1;

  jm_run_filter_set_limit (filter, 1);
  list = jm_archive_database_list_names (answer->store, JM_USAGE_GROUPS_CLUSTER, filter,
                                         NULL, answer->viewer, &has_more, error);

  return list == NULL ? -1 : list->len > 0;
}

/* Years of one CPU or GPU. */
static gboolean
get_had (JmeAnswer *answer,
         const JmClusterTarget *target,
         double *years,
         GError **error)
{
  g_autoptr (JmRunFilter) filter = make_filter (target);
  g_autoptr (GPtrArray) usages = NULL;
  JmFigure had = { 0 };

  jm_run_filter_set_period (filter, target->from_s, target->to_s);
  usages = jm_archive_database_list_usage (answer->store, filter, JM_USAGE_GROUPS_NONE,
                                           answer->viewer, error);
  if (usages == NULL)
    return FALSE;
  if (usages->len > 0)
    had = jme_part_get_amount (usages->pdata[0], target->is_of_gpus
                                                   ? JM_USAGE_QUANTITY_GPUS
                                                   : JM_USAGE_QUANTITY_CPUS);
  *years = had.value / YEAR_SECONDS;

  return TRUE;
}

static double
get_due (const JmClusterTarget *target, double agreed)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  double passed = (double) (CLAMP (now, target->from_s, target->to_s) - target->from_s);

  return agreed * passed / (double) (target->to_s - target->from_s);
}

static void
append_years (GString *out, double years)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  jme_html_append_number_cell (out, g_ascii_formatd (text, sizeof text, "%.2f", years));
}

static void
append_target (GString *out, const JmClusterTarget *target, double had)
{
  double agreed = (double) target->total_us / 1e6 / YEAR_SECONDS;

  g_string_append (out, "<tr><th scope=\"row\">");
  jme_html_append_escaped (out, target->name);
  g_string_append (out, "</th>");
  jme_html_append_cell (out, target->cluster);
  g_string_append (out, "<td>");
  jme_part_append_link (out, JME_PAGE_ACCOUNT, target->account,
                        target->account != NULL ? target->account : "all");
  g_string_append (out, "</td>");
  jme_part_append_minute_cell (out, target->from_s);
  jme_part_append_minute_cell (out, target->to_s);
  jme_html_append_cell (out, target->is_of_gpus ? "GPU years" : "CPU years");
  append_years (out, agreed);
  append_years (out, get_due (target, agreed));
  append_years (out, had);
  jme_part_append_share_cell (out, jm_figure_get_share (jm_figure_known (had),
                                                        jm_figure_known (agreed)));
  g_string_append (out, "</tr>\n");
}

/* --- the table --- */

static gboolean
append_row (JmeAnswer *answer,
            GString *out,
            const JmClusterTarget *target,
            GError **error)
{
  int seen = is_seen (answer, target, error);
  double had;

  if (seen <= 0)
    return seen == 0;
  if (!get_had (answer, target, &had, error))
    return FALSE;
  append_target (out, target, had);

  return TRUE;
}

static void
append_table (GString *out, const char *rows)
{
  static const char *const titles[] = {
    "Target", "Cluster", "Account",     "From", "To",
    "Of",     "#Agreed", "#Due by now", "#Had", "#Of what is agreed",
    NULL
  };

  g_string_append (out, "<h2>Allocation targets</h2>\n");
  jme_part_begin_table (out, "targets",
                        "Targets of the site, and what runs that you may see were "
                        "allocated so far",
                        titles);
  g_string_append (out, rows);
  jme_part_end_table (out);
}

gboolean
jme_targets_append (const JmeTargets *self,
                    JmeAnswer *answer,
                    const char *cluster,
                    GError **error)
{
  g_autoptr (GString) rows = g_string_new (NULL);

  for (guint i = 0; self->targets != NULL && i < self->targets->len; i++)
    {
      const JmClusterTarget *target = self->targets->pdata[i];

      if (cluster != NULL && g_strcmp0 (target->cluster, cluster) != 0)
        continue;
      if (!append_row (answer, rows, target, error))
        return FALSE;
    }
  if (rows->len > 0)
    append_table (answer->text, rows->str);

  return TRUE;
}
