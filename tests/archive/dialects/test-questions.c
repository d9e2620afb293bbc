/* test-questions.c: questions in the words of other programs, without HTTP
 *
 * usage: test-questions MADE-CEEMS QUESTIONS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <json-glib/json-glib.h>

#include "archive/jm-archive-database-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "made-ledger.h"

typedef struct
{
  const char *uri;
  JsonNode *question;
} Case;

static JmError
find_code (const char *name)
{
  static const struct
  {
    const char *name;
    JmError code;
  } codes[] = { { "ABSENT", JM_ERROR_ABSENT },
                { "DENIED", JM_ERROR_DENIED },
                { "INVALID", JM_ERROR_INVALID } };
  guint i = 0;

  while (i < G_N_ELEMENTS (codes) && !g_str_equal (codes[i].name, name))
    i++;
  g_assert_cmpuint (i, <, G_N_ELEMENTS (codes));

  return codes[i].code;
}

static JmArchive *
open_archive (const char *uri, const char *user, const JmArchiveSite *site)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) database =
    jm_archive_database_open_for_reading (uri, NULL, &error);
  g_autoptr (JmViewer) viewer = NULL;

  g_assert_no_error (error);
  viewer = jm_archive_database_make_viewer (database, user, NULL, &error);
  g_assert_no_error (error);

  return jm_archive_new_for_view (&(JmArchiveView){ database, viewer, user, site });
}

static GBytes *
ask (JmArchive *archive, JsonNode *question, GError **error)
{
  JsonNode *parameters = jm_json_get (question, "parameters");
  JsonNode *sent = jm_json_get (question, "body");
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;
  g_autofree char *text = sent != NULL ? json_to_string (sent, FALSE) : NULL;
  g_autoptr (GBytes) body =
    text != NULL ? g_bytes_new_static (text, strlen (text)) : NULL;

  for (guint i = 0; parameters != NULL && i < jm_json_get_length (parameters); i++)
    g_strv_builder_add (builder,
                        json_node_get_string (jm_json_get_element (parameters, i)));
  list = g_strv_builder_end (builder);

  return jm_archive_ask (archive, jm_json_get_string (question, "path"),
                         (const char *const *) list, body, NULL, error);
}

/* Neither space nor the order of members counts. */
static void
check_answer (GBytes *answer, JsonNode *wanted)
{
  gsize length;
  const char *text = g_bytes_get_data (answer, &length);
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  g_autofree char *found = NULL;

  g_assert_cmpuint (length, >, 0);
  g_assert_cmpint (text[length - 1], ==, '\n');
  g_assert_nonnull (node);
  found = json_to_string (node, FALSE);
  g_test_message ("%s", found);
  g_assert_true (json_node_equal (node, wanted));
}

static void
test_question (gconstpointer data)
{
  const Case *asked = data;
  const char *code = jm_json_get_string (asked->question, "error");
  g_autoptr (GHashTable) managers = g_hash_table_new (g_str_hash, g_str_equal);
  JmArchiveSite site = { .managers = managers };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchive) archive = NULL;
  g_autoptr (GBytes) answer = NULL;

  g_hash_table_insert (managers, (gpointer) "alps", (gpointer) "slurm");
  g_hash_table_insert (managers, (gpointer) "", (gpointer) "gridengine");
  jm_json_get_boolean (asked->question, "shares_accounts", &site.shares_accounts);
  archive =
    open_archive (asked->uri, jm_json_get_string (asked->question, "user"), &site);
  answer = ask (archive, asked->question, &error);
  if (code != NULL)
    {
      g_assert_error (error, JM_ERROR, (int) find_code (code));
      g_assert_null (answer);
      return;
    }
  g_assert_no_error (error);
  check_answer (answer, jm_json_get (asked->question, "answer"));
}

/* An archive that says nothing of its site leaves the names of schedulers out. */
static void
test_needs_no_site (gconstpointer uri)
{
  static const char *const parameters[] = { "uuid", "100", "field", "resource_manager",
                                            NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchive) archive = open_archive (uri, "daemon", NULL);
  g_autoptr (GBytes) answer =
    jm_archive_ask (archive, "/ceems/api/v1/units", parameters, NULL, NULL, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (answer, NULL), g_bytes_get_size (answer));
  g_assert_cmpstr (text, ==,
                   "{\"status\":\"success\",\"data\":[{\"uuid\":\"100\"}]}\n");
}

/* Each dialect has its own words for what has no answer; Grafana has none. */
static void
test_words_a_refusal (gconstpointer data)
{
  static const char *const words[][2] = {
    { "/ceems/api/v1/units",
      "{\"status\":\"error\",\"data\":null,\"errorType\":\"unauthorized\","
      "\"error\":\"who?\"}\n" },
    { "/batchjob/api/jobs",
      "{\"status\":\"error\",\"errorType\":\"User Error\",\"error\":\"who?\","
      "\"warnings\":null,\"data\":[]}\n" },
    { "/grafana/query", NULL },
    { "/api/v1/jobs", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GBytes) body = jm_archive_word_refusal (words[i][0], 401, "who?");

      if (words[i][1] == NULL)
        g_assert_null (body);
      else
        g_assert_cmpmem (g_bytes_get_data (body, NULL), g_bytes_get_size (body),
                         words[i][1], strlen (words[i][1]));
    }
}

static void
test_refuses_a_question_without_an_end (gconstpointer uri)
{
  g_autofree char *name = g_strnfill (1024 * 1024, 'x');
  const char *const parameters[] = { "uuid", name, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchive) archive = open_archive (uri, "daemon", NULL);
  g_autoptr (GBytes) answer =
    jm_archive_ask (archive, "/ceems/api/v1/units", parameters, NULL, NULL, &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_null (answer);
}

static JsonNode *
read_questions (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  JsonNode *questions;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  questions = json_from_string (text, &error);
  g_assert_no_error (error);

  return questions;
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = g_dir_make_tmp ("jm-questions-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "jobs.db", NULL);
  g_autofree char *uri = g_strconcat ("sqlite:", path, NULL);
  char *make[] = { argv[1], uri, NULL };
  g_autoptr (JsonNode) questions = NULL;
  g_autofree Case *cases = NULL;
  int status, result;

  g_test_init (&argc, &argv, NULL);
  questions = read_questions (argv[2]);
  g_assert_true (
    g_spawn_sync (NULL, make, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  cases = g_new0 (Case, jm_json_get_length (questions));
  for (guint i = 0; i < jm_json_get_length (questions); i++)
    {
      JsonNode *question = jm_json_get_element (questions, i);
      g_autofree char *name =
        g_strconcat ("/questions/", jm_json_get_string (question, "title"), NULL);

      cases[i] = (Case){ uri, question };
      g_test_add_data_func (name, &cases[i], test_question);
    }
  g_test_add_data_func ("/questions/need no site", uri, test_needs_no_site);
  g_test_add_data_func ("/questions/have an end", uri,
                        test_refuses_a_question_without_an_end);
  g_test_add_data_func ("/refusals/have words of their own", NULL,
                        test_words_a_refusal);
  result = g_test_run ();
  made_directory_remove (directory);

  return result;
}
