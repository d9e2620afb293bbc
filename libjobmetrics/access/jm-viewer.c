/* jm-viewer.c: who asks, and what of a site's runs is shown to them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "access/jm-viewer-private.h"

#include "core/jm-run-private.h"

typedef struct
{
  char *cluster; /* NULL for any */
  char *account; /* NULL where it is a user */
  guint uid;
} Grant;

struct _JmViewer
{
  gboolean sees_all;
  gboolean shares_accounts;
  GArray *grants;      /* of Grant */
  GPtrArray *held;     /* of text: clusters with an accounting */
  GPtrArray *clusters; /* of text: those of which all is seen */
};

G_DEFINE_BOXED_TYPE (JmViewer, jm_viewer, jm_viewer_copy, jm_viewer_free)

static void
clear_grant (gpointer data)
{
  Grant *grant = data;

  g_free (grant->cluster);
  g_free (grant->account);
}

/* Creates a viewer who may see nothing.
 *
 * Returns the viewer. */
JmViewer *
jm_viewer_new (void)
{
  JmViewer *self = g_new0 (JmViewer, 1);

  self->grants = g_array_new (FALSE, FALSE, sizeof (Grant));
  g_array_set_clear_func (self->grants, clear_grant);
  self->held = g_ptr_array_new_with_free_func (g_free);
  self->clusters = g_ptr_array_new_with_free_func (g_free);

  return self;
}

/* Creates a viewer who may see everything, as an administrator may.
 *
 * Returns the viewer. */
JmViewer *
jm_viewer_new_for_all (void)
{
  JmViewer *self = jm_viewer_new ();

  self->sees_all = TRUE;

  return self;
}

/* A database takes no other text than UTF-8; what is none is nobody's name. */
static char *
make_valid (const char *text)
{
  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

static void
add (JmViewer *self, const char *cluster, const char *account, guint uid)
{
  Grant grant = { make_valid (cluster), make_valid (account), uid };

  g_array_append_val (self->grants, grant);
}

/* Copies a viewer.
 *
 * Returns the copy. */
JmViewer *
jm_viewer_copy (JmViewer *self)
{
  JmViewer *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = jm_viewer_new ();
  copy->sees_all = self->sees_all;
  copy->shares_accounts = self->shares_accounts;
  for (guint i = 0; i < self->grants->len; i++)
    {
      const Grant *grant = &g_array_index (self->grants, Grant, i);

      add (copy, grant->cluster, grant->account, grant->uid);
    }
  for (guint i = 0; i < self->held->len; i++)
    g_ptr_array_add (copy->held, g_strdup (self->held->pdata[i]));
  for (guint i = 0; i < self->clusters->len; i++)
    g_ptr_array_add (copy->clusters, g_strdup (self->clusters->pdata[i]));

  return copy;
}

/* Frees a viewer. */
void
jm_viewer_free (JmViewer *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->grants);
  g_ptr_array_unref (self->held);
  g_ptr_array_unref (self->clusters);
  g_free (self);
}

/* Lets them see the runs of one user. A run of which the number is not known is
 * nobody's. */
void
jm_viewer_let_own (JmViewer *self, const char *cluster, guint uid)
{
  g_return_if_fail (self != NULL);

  add (self, cluster, NULL, uid);
}

/* Lets them see all runs of an account, as its coordinators may. */
void
jm_viewer_let_account (JmViewer *self, const char *cluster, const char *account)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (account != NULL && *account != '\0');

  add (self, cluster, account, 0);
}

/* Lets them see all runs of a cluster, as its administrators may. */
void
jm_viewer_let_cluster (JmViewer *self, const char *cluster)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cluster != NULL);

  g_ptr_array_add (self->clusters, make_valid (cluster));
}

guint
jm_viewer_count_clusters (JmViewer *self)
{
  return self->clusters->len;
}

/* Hides from them the runs on a cluster that its accounting does not have, as nodes
 * alone say whose these are. Whoever may see everything, or all of that cluster, sees
 * them. */
void
jm_viewer_hold_to_accounting (JmViewer *self, const char *cluster)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cluster != NULL);

  g_ptr_array_add (self->held, make_valid (cluster));
}

/* Whether they may see everything.
 *
 * Returns whether they may. */
gboolean
jm_viewer_sees_all (JmViewer *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->sees_all;
}

static void
append_clusters (const GPtrArray *names, JmSqlQuery *query)
{
  jm_sql_query_append (query, "(SELECT id FROM cluster WHERE name IN (");
  for (guint i = 0; i < names->len; i++)
    {
      jm_sql_query_append (query, i > 0 ? ", " : "");
      jm_sql_query_append_text (query, names->pdata[i]);
    }
  jm_sql_query_append (query, "))");
}

static void
append_grant (const Grant *grant, JmSqlQuery *query)
{
  if (grant->account != NULL)
    {
      jm_sql_query_append (query, "(account = ");
      jm_sql_query_append_text (query, grant->account);
    }
  else
    {
      jm_sql_query_append (query, "(uid = ");
      jm_sql_query_append_number (query, grant->uid);
    }
  if (grant->cluster != NULL)
    {
      jm_sql_query_append (query, " AND cluster_id IN (SELECT id FROM cluster"
                                  " WHERE name = ");
      jm_sql_query_append_text (query, grant->cluster);
      jm_sql_query_append (query, ")");
    }
  jm_sql_query_append (query, ")");
}

/* Nothing but what can be looked up stands between the alternatives: databases would
 * read every row else. */
void
jm_viewer_append_condition (JmViewer *self, JmSqlQuery *query)
{
  if (self->sees_all || self->grants->len + self->clusters->len == 0)
    {
      jm_sql_query_append (query, self->sees_all ? " (TRUE)" : " (FALSE)");
      return;
    }

  jm_sql_query_append (query, " (");
  for (guint i = 0; i < self->grants->len; i++)
    {
      jm_sql_query_append (query, i > 0 ? " OR " : "");
      append_grant (&g_array_index (self->grants, Grant, i), query);
    }
  if (self->clusters->len > 0)
    {
      jm_sql_query_append (query, self->grants->len > 0 ? " OR " : "");
      jm_sql_query_append (query, "cluster_id IN ");
      append_clusters (self->clusters, query);
    }
  jm_sql_query_append (query, ")");
}

void
jm_viewer_append_accounted (JmViewer *self, JmSqlQuery *query)
{
  if (self->sees_all || self->held->len == 0)
    {
      jm_sql_query_append (query, " (TRUE)");
      return;
    }

  jm_sql_query_append (query, " (");
  jm_run_append_is_accounted (query->text);
  jm_sql_query_append (query, " OR cluster_id NOT IN ");
  append_clusters (self->held, query);
  if (self->clusters->len > 0)
    {
      jm_sql_query_append (query, " OR cluster_id IN ");
      append_clusters (self->clusters, query);
    }
  jm_sql_query_append (query, ")");
}

void
jm_viewer_share_accounts (JmViewer *self)
{
  self->shares_accounts = TRUE;
}

/* A run that nodes alone know makes no member, and neither does one that only waits: it
 * may be held for ever. */
static void
append_members (JmViewer *self, JmSqlQuery *query)
{
  for (guint i = 0; self->shares_accounts && i < self->grants->len; i++)
    {
      const Grant *grant = &g_array_index (self->grants, Grant, i);

      if (grant->account != NULL)
        continue;
      jm_sql_query_append (query,
                           " OR EXISTS (SELECT 1 FROM run AS own"
                           " WHERE own.cluster_id = run.cluster_id AND own.account ="
                           " run.account AND own.account <> '' AND own.start_time > 0"
                           " AND ");
      append_grant (grant, query);
      jm_sql_query_append (query, " AND ");
      jm_run_append_is_accounted (query->text);
      jm_sql_query_append (query, ")");
    }
}

void
jm_viewer_append_run_condition (JmViewer *self, JmSqlQuery *query)
{
  jm_sql_query_append (query, " ((");
  jm_viewer_append_condition (self, query);
  append_members (self, query);
  jm_sql_query_append (query, ") AND");
  jm_viewer_append_accounted (self, query);
  jm_sql_query_append (query, ")");
}
