/* jm-batchjob.c: jobs in the words of the batch job stats server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-figures-private.h"
#include "archive/dialects/jm-ceems-runs-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-usage-private.h"

#define LOCAL_TIME "%Y-%m-%dT%H:%M:%S"
#define WEEK_SECONDS 604800
/* Whose jobs an administrator wants: a user's, or those of `all`. */
#define USER_HEADER "X-Dashboard-User"
#define EVERYBODY "all"

/* --- form --- */

static const char *
name_error (guint status)
{
  switch (status)
    {
    case 400:
      return "Bad request";
    case 401:
    case 403:
      return "User Error";
    default:
      return "Internal server error";
    }
}

/* All members are always there. */
static void
append_head (JmJsonWriter *json,
             const char *status,
             const char *error_type,
             const char *error)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "status", status);
  jm_json_writer_add_text (json, "errorType", error_type);
  jm_json_writer_add_text (json, "error", error);
}

static void
wrap (JmJsonWriter *json, JmCeemsAnswer *answer)
{
  append_head (json, "success", "", "");
  if (answer->warnings->len > 0)
    jm_ceems_answer_append_warnings (json, answer);
  else
    jm_json_writer_add_text (json, "warnings", NULL);
  jm_ceems_answer_append_data (json, answer);
  jm_json_writer_end_object (json);
}

static void
refuse (JmJsonWriter *json, guint status, const char *reason)
{
  append_head (json, "error", name_error (status), reason);
  jm_json_writer_add_text (json, "warnings", NULL);
  jm_json_writer_add_json (json, "data", "[]");
  jm_json_writer_end_object (json);
}

/* --- jobs --- */

static const struct
{
  const char *name;
  JmRunField field;
} fields[] = {
#include "core/jm-batchjob.inc"
};

static char *
format_length (JmRun *run)
{
  gint64 length = jm_ceems_get_length (run);

  return length >= 0 ? jm_ceems_format_length (length) : NULL;
}

static char *
format_number (JmRun *run, JmRunField field)
{
  g_autoptr (GTimeZone) here = g_time_zone_new_local ();
  gint64 number;

  if (jm_run_field_get_quantity (field)->format == JM_FORMAT_TIME)
    return jm_ceems_format_time (jm_ceems_get_number (run, field), here, LOCAL_TIME);

  return jm_run_get_number (run, field, &number)
           ? g_strdup_printf ("%" G_GINT64_FORMAT, number)
           : NULL;
}

/* NULL where it is not known. */
static char *
format_field (JmRun *run, JmRunField field)
{
  switch (field)
    {
    case JM_RUN_FIELD_JOBID:
      return g_strdup (jm_run_get_text (run, "jobid"));
    case JM_RUN_FIELD_ELAPSED:
      return format_length (run);
    case JM_RUN_FIELD_EXIT_CODE:
      return jm_ceems_format_exit (run);
    default:
      return jm_run_field_holds_text (field) ? g_strdup (jm_run_peek_text (run, field))
                                             : format_number (run, field);
    }
}

static void
add_text (JmJsonWriter *json, const char *name, const char *text)
{
  jm_json_writer_add_text (json, name, text != NULL ? text : "");
}

/* All are text, which is empty where it is not known. */
static void
append_job (JmJsonWriter *json, JmRun *run)
{
  g_autofree char *nodes = jm_ceems_expand_nodes (run);

  jm_json_writer_begin_object (json, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *text = format_field (run, fields[i].field);

      add_text (json, fields[i].name, text);
    }
  add_text (json, "nodelistexp", nodes);
  /* nobody knows the group */
  add_text (json, "group", NULL);
  add_text (json, "gid", NULL);
  jm_json_writer_end_object (json);
}

/* An administrator may look with somebody else's eyes. */
static void
choose_users (JmCeemsAnswer *self)
{
  const char *user = jm_question_get_value (self->question, USER_HEADER);

  g_clear_pointer (&self->query.users, g_strfreev);
  self->is_for_all = user != NULL && jm_viewer_sees_all (self->view.viewer);
  if (self->is_for_all && !g_str_equal (user, EVERYBODY))
    self->query.users = g_strdupv ((char *[]){ (char *) user, NULL });
}

static gboolean
append_jobs (JmCeemsAnswer *self, GError **error)
{
  JmJsonWriter json = { .out = self->text };
  g_autoptr (JmRunFilter) filter = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  choose_users (self);
  self->query.running = TRUE;
  filter = jm_ceems_answer_make_filter (self, TRUE);
  runs = jm_ceems_list_runs (self, filter, error);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    append_job (&json, runs->pdata[i]);

  return runs != NULL;
}

/* --- accounts --- */

static gboolean
append_accounts (JmCeemsAnswer *self, GError **error)
{
  JmJsonWriter json = { .out = self->text };
  g_autoptr (JmRunFilter) filter = NULL;
  g_autoptr (GPtrArray) usages = NULL;

  choose_users (self);
  filter = jm_ceems_answer_make_filter (self, TRUE);
  usages =
    jm_archive_database_list_usage (self->view.database, filter,
                                    JM_USAGE_GROUPS_ACCOUNT, self->view.viewer, error);
  for (guint i = 0; usages != NULL && i < usages->len; i++)
    {
      const char *account = jm_usage_get_account (usages->pdata[i]);

      if (account == NULL || *account == '\0')
        continue;
      jm_json_writer_begin_object (&json, NULL);
      jm_json_writer_add_text (&json, "id", account);
      jm_json_writer_end_object (&json);
    }

  return usages != NULL;
}

/* --- the dialect --- */

#define KIND(append)                                                                   \
 jm_ceems_answer, &(const JmCeemsKind) { append, FALSE, WEEK_SECONDS, wrap }

static const JmApiPath paths[] = {
  { "jobs", KIND (append_jobs) },
  { "accounts", KIND (append_accounts) },
  { NULL },
};

const JmApiDialect jm_batchjob_dialect = {
  .prefix = "/batchjob/api/",
  .paths = paths,
  .refuse = refuse,
};
