/* ledger-server.c: a server of a ledger alone, for test-ledger-page.py
 *
 * It fills a ledger with records of some users in turn, or serves one.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib-unix.h>
#include <stdio.h>
#include <string.h>

#include "daemon/jme-log.h"
#include "made-ledger.h"
#include "node/jme-node-answers.h"
#include "node/ledger/jm-ledger-private.h"
#include "web/jme-web-server.h"

typedef struct
{
  char *config;
  char *local;
  char *readers;
  char **uids; /* whose the records are, in turn */
  int fill;    /* how many records are added */
} Options;

static JmJobRecord *
make_record (const Options *options, guint number)
{
  g_autofree char *key = g_strdup_printf ("boot.%u", number);
  g_autofree char *id = g_strdup_printf ("%u", number);
  guint n_uids = g_strv_length (options->uids);
  const char *uid = options->uids[number % n_uids];
  g_autofree char *user = g_strconcat ("user", uid, NULL);
  gint64 end_us = BEGIN_US + number * SECOND_US;

  return made_record_new (&(MadeRun){
    .key = key,
    .id = id,
    .user = user,
    .uid = uid,
    .account = number % 2 == 0 ? "even" : "odd",
    .scheduler = "slurm",
    .cluster = "lab",
    .state = number % 10 == 0 ? JM_RUN_STATE_LOST : JM_RUN_STATE_ENDED,
    .begin_us = end_us - SECOND_US,
    .end_us = end_us,
    .cpu_ns = number,
  });
}

/* Its records go on from the last number that the ledger has. */
static int
fill (const Options *options, const char *path)
{
  const JmLedgerPlan plan = { .path = path };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) ledger = jm_ledger_open_for_writing (&plan, &error);
  g_autoptr (GPtrArray) before = NULL;
  JmLedgerBatch *batch = jm_ledger_batch_new ();

  g_assert_no_error (error);
  before = jm_ledger_list (ledger, NULL, NULL, &error);
  g_assert_no_error (error);
  for (int i = 1; i <= options->fill; i++)
    {
      g_autoptr (JmJobRecord) record = make_record (options, before->len + (guint) i);

      jm_ledger_batch_append (batch, record);
    }
  g_assert_true (jm_ledger_await (ledger, jm_ledger_submit (ledger, batch), LONG_US));
  jm_ledger_close_within (ledger, LONG_US);

  return 0;
}

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

static gboolean
on_terminate (gpointer loop)
{
  g_main_loop_quit (loop);

  return G_SOURCE_CONTINUE;
}

static int
serve (const Options *options, const char *path)
{
  JmeLedgerPage page = { path, options->readers };
  g_autoptr (GError) error = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (JmeWebServer) server = jme_web_server_new (options->config, &error);
  g_auto (GStrv) addresses = NULL;

  g_assert_no_error (error);
  jme_web_server_add_routes (server, routes, &page);
  jme_web_server_listen (server, "127.0.0.1:0", &error);
  g_assert_no_error (error);
  addresses = jme_web_server_list_addresses (server);
  jme_web_server_listen_locally (server, options->local, &error);
  g_assert_no_error (error);
  g_unix_signal_add (SIGTERM, on_terminate, loop);
  g_print ("listening %s\nready\n", addresses[0]);
  fflush (stdout);
  g_main_loop_run (loop);

  jme_web_server_finish_work (server);
  jme_web_server_close (server);
  while (g_main_context_iteration (NULL, FALSE))
    ;

  return 0;
}

int
main (int argc, char **argv)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &options.config, NULL, NULL },
    { "local", 0, 0, G_OPTION_ARG_FILENAME, &options.local, NULL, NULL },
    { "readers", 0, 0, G_OPTION_ARG_STRING, &options.readers, NULL, NULL },
    { "fill", 0, 0, G_OPTION_ARG_INT, &options.fill, NULL, NULL },
    { "uid", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.uids, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[LEDGER]");
  g_autoptr (GError) error = NULL;
  int status;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  jme_log_install (G_LOG_LEVEL_INFO, JME_LOG_LOGFMT);
  status = options.fill > 0 ? fill (&options, argv[1]) : serve (&options, argv[1]);

  g_free (options.config);
  g_free (options.local);
  g_free (options.readers);
  g_strfreev (options.uids);

  return status;
}
