/* jm-ceems-people.c: users, projects and clusters in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-figures-private.h"
#include "archive/dialects/jm-ceems-runs-private.h"
#include "core/jm-usage-private.h"

/* What is listed, and with what: there were jobs of both. */
typedef struct
{
  gboolean is_own; /* whether the caller's jobs count alone */
  const char *(*get_name) (JmUsage *usage);
  const char *members_name;
  const char *(*get_member) (JmUsage *usage);
} Kind;

static const Kind users = { TRUE, jm_usage_get_user, "projects", jm_usage_get_account };
static const Kind projects = { FALSE, jm_usage_get_account, "users",
                               jm_usage_get_user };

/* --- users and projects --- */

static gboolean
is_same (const Kind *kind, JmUsage *one, JmUsage *other)
{
  return g_strcmp0 (jm_usage_get_cluster (one), jm_usage_get_cluster (other)) == 0 &&
         g_strcmp0 (kind->get_name (one), kind->get_name (other)) == 0;
}

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Kind *kind = data;
  JmUsage *one = *(JmUsage *const *) a;
  JmUsage *other = *(JmUsage *const *) b;
  int order = g_strcmp0 (jm_usage_get_cluster (one), jm_usage_get_cluster (other));

  if (order == 0)
    order = g_strcmp0 (kind->get_name (one), kind->get_name (other));

  return order != 0 ? order
                    : g_strcmp0 (kind->get_member (one), kind->get_member (other));
}

static gboolean
has_name (const char *name)
{
  return name != NULL && *name != '\0';
}

/* Appends one with its members, the first of which is @from; returns where the next
 * is. */
static guint
append_one (JmCeemsAnswer *self, const Kind *kind, GPtrArray *usages, guint from)
{
  JmJsonWriter json = { .out = self->text };
  JmUsage *first = usages->pdata[from];
  const char *cluster = jm_usage_get_cluster (first);
  guint i = from;

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_known_text (&json, "cluster_id", cluster);
  jm_json_writer_add_known_text (&json, "resource_manager",
                                 jm_ceems_find_manager (self->view.site, cluster));
  jm_json_writer_add_known_text (&json, "name", kind->get_name (first));
  jm_json_writer_begin_array (&json, kind->members_name);
  for (; i < usages->len && is_same (kind, first, usages->pdata[i]); i++)
    if (has_name (kind->get_member (usages->pdata[i])))
      jm_json_writer_add_known_text (&json, NULL, kind->get_member (usages->pdata[i]));
  jm_json_writer_end_array (&json);
  jm_json_writer_end_object (&json);

  return i;
}

static gboolean
append_all (JmCeemsAnswer *self, const Kind *kind, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_ceems_answer_make_filter (self, kind->is_own);
  g_autoptr (GPtrArray) usages = jm_ceems_list_sums (self, filter, FALSE, error);
  guint i = 0;

  if (usages == NULL)
    return FALSE;
  g_ptr_array_sort_with_data (usages, compare, (gpointer) kind);
  while (i < usages->len)
    if (has_name (kind->get_name (usages->pdata[i])))
      i = append_one (self, kind, usages, i);
    else
      i++;

  return TRUE;
}

gboolean
jm_ceems_append_users (JmCeemsAnswer *self, GError **error)
{
  if (!self->query.wants_administrators)
    return append_all (self, &users, error);

  jm_ceems_answer_warn (self,
                        "role=admin: the scheduler's administrators are not listed");

  return TRUE;
}

gboolean
jm_ceems_append_projects (JmCeemsAnswer *self, GError **error)
{
  return append_all (self, &projects, error);
}

/* --- clusters --- */

gboolean
jm_ceems_append_clusters (JmCeemsAnswer *self, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) usages =
    jm_archive_database_list_usage (self->view.database, filter,
                                    JM_USAGE_GROUPS_CLUSTER, self->view.viewer, error);
  JmJsonWriter json = { .out = self->text };

  for (guint i = 0; usages != NULL && i < usages->len; i++)
    {
      const char *cluster = jm_usage_get_cluster (usages->pdata[i]);

      jm_json_writer_begin_object (&json, NULL);
      jm_json_writer_add_known_text (&json, "id", cluster);
      jm_json_writer_add_known_text (&json, "manager",
                                     jm_ceems_find_manager (self->view.site, cluster));
      jm_json_writer_end_object (&json);
    }

  return usages != NULL;
}
