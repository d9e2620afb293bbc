/* node-farm.c: many nodes in one process, each with a ledger, a clock and a server
 *
 * The ledgers are written and served by the code that a node runs. A line on standard
 * input says what happens, and is answered by a line once that is stored.
 *
 * `open NODE SECONDS HOST` opens the ledger of a node whose clock is so far ahead, or
 * makes one, and listens on a port of that address; the answer is `NODE ADDRESS`.
 *
 * `running NODE RECORD` and `append NODE RECORD` are runs that go on, and have ended.
 *
 * `empty NODE SECONDS` has the node come back with a new ledger.
 *
 * usage: node-farm WEB-CONFIG FOLDER
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/jm-job-record.h"
#include "daemon/jme-log.h"
#include "made-ledger.h"
#include "node/jme-node-answers.h"
#include "web/jme-web-server.h"

typedef struct
{
  char *path;
  JmLedger *ledger;
  JmeLedgerPage page;
  JmeWebServer *server;
} Node;

typedef struct
{
  const char *config;
  const char *folder;
  GHashTable *nodes; /* of Node, by name */
} Farm;

/* --- clocks --- */

gint64 __real_g_get_real_time (void);
gint64 __wrap_g_get_real_time (void);

/* Of the node that is dealt with: all of its clock that a ledger keeps is when it was
 * made. */
static gint64 seconds_ahead;

gint64
__wrap_g_get_real_time (void)
{
  return __real_g_get_real_time () + seconds_ahead * G_USEC_PER_SEC;
}

/* --- nodes --- */

static void
on_ledger (JmeRequest *request, gpointer user_data)
{
  jme_ledger_page_answer (user_data, request);
}

static const JmeRoute routes[] = {
  { .path = "/ledger",
    .access = JME_ACCESS_KNOWN,
    .is_slow = TRUE,
    .handler = on_ledger },
  { NULL },
};

static void
node_open_ledger (Node *self, const char *ahead)
{
  const JmLedgerPlan plan = { .path = self->path };
  g_autoptr (GError) error = NULL;

  seconds_ahead = g_ascii_strtoll (ahead, NULL, 10);
  self->ledger = jm_ledger_open_for_writing (&plan, &error);
  g_assert_no_error (error);
  seconds_ahead = 0;
}

static void
node_close_ledger (Node *self)
{
  jm_ledger_close_within (self->ledger, LONG_US);
  g_clear_object (&self->ledger);
}

static void
node_free (gpointer data)
{
  Node *self = data;

  jme_web_server_finish_work (self->server);
  jme_web_server_close (self->server);
  g_object_unref (self->server);
  node_close_ledger (self);
  g_free (self->path);
  g_free (self);
}

static void
farm_open (Farm *self, const char *name, const char *ahead, const char *host)
{
  Node *node = g_new0 (Node, 1);
  g_autofree char *listened = g_strconcat (host, ":0", NULL);
  g_autofree char *file = g_strconcat (name, ".db", NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) addresses = NULL;

  node->path = g_build_filename (self->folder, file, NULL);
  node->page.path = node->path;
  node_open_ledger (node, ahead);
  node->server = jme_web_server_new (self->config, &error);
  g_assert_no_error (error);
  jme_web_server_add_routes (node->server, routes, &node->page);
  jme_web_server_listen (node->server, listened, &error);
  g_assert_no_error (error);
  addresses = jme_web_server_list_addresses (node->server);
  g_hash_table_insert (self->nodes, g_strdup (name), node);
  g_print ("%s %s\n", name, addresses[0]);
}

static void
node_empty (Node *self, const char *ahead)
{
  static const char *const endings[] = { "", "-wal", "-shm" };

  node_close_ledger (self);
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *path = g_strconcat (self->path, endings[i], NULL);

      g_unlink (path);
    }
  node_open_ledger (self, ahead);
}

static void
node_record (Node *self, const char *text, gboolean is_running)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmJobRecord) record =
    jm_record_json_parse (text, strlen (text), self->path, &error);
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  g_assert_no_error (error);
  if (is_running)
    jm_ledger_batch_set_running (batch, record);
  else
    jm_ledger_batch_append (batch, record);
  made_ledger_finish (self->ledger, jm_ledger_submit (self->ledger, batch));
}

/* --- what happens --- */

static void
farm_open_by (Farm *self, const char *name, const char *rest)
{
  g_auto (GStrv) words = g_strsplit (rest, " ", 2);

  g_assert_cmpuint (g_strv_length (words), ==, 2);
  farm_open (self, name, words[0], words[1]);
}

static void
farm_change (Farm *self, const char *what, const char *name, const char *rest)
{
  Node *node = g_hash_table_lookup (self->nodes, name);

  g_assert_nonnull (node);
  if (g_str_equal (what, "empty"))
    node_empty (node, rest);
  else
    node_record (node, rest, g_str_equal (what, "running"));
  g_print ("%s\n", name);
}

static void
farm_take (Farm *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 3);

  g_assert_cmpuint (g_strv_length (words), ==, 3);
  if (g_str_equal (words[0], "open"))
    farm_open_by (self, words[1], words[2]);
  else
    farm_change (self, words[0], words[1], words[2]);
}

typedef struct
{
  Farm farm;
  GDataInputStream *input;
  GMainLoop *loop;
} Driver;

static void
on_line (GObject *input, GAsyncResult *result, gpointer user_data)
{
  Driver *self = user_data;
  g_autofree char *line =
    g_data_input_stream_read_line_finish (self->input, result, NULL, NULL);

  if (line == NULL)
    {
      g_main_loop_quit (self->loop);
      return;
    }

  farm_take (&self->farm, line);
  fflush (stdout);
  g_data_input_stream_read_line_async (self->input, G_PRIORITY_DEFAULT, NULL, on_line,
                                       self);
}

int
main (int argc, char **argv)
{
  g_autoptr (GInputStream) standard = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GDataInputStream) input = g_data_input_stream_new (standard);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GHashTable) nodes =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, node_free);
  Driver driver = { { argv[1], argv[2], nodes }, input, loop };

  g_assert_cmpint (argc, ==, 3);
  jme_log_install (G_LOG_LEVEL_MESSAGE, JME_LOG_LOGFMT);
  g_data_input_stream_read_line_async (input, G_PRIORITY_DEFAULT, NULL, on_line,
                                       &driver);
  g_main_loop_run (loop);

  return 0;
}
