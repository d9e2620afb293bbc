/* ledger-pull-bench.c: how fast the ledgers of many nodes get into a site's archive
 *
 * One made server on the loopback plays all nodes, each by a path of its own; it is a
 * process of its own, so that its memory does not count. It takes time of the CPUs,
 * too: real nodes have their own, and on a busy machine it may not answer in time.
 *
 * usage: ledger-pull-bench [--nodes=N] [--records=N]
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <libsoup/soup.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive/import/jm-ledger-pull-private.h"
#include "bench-process.h"
#include "core/jm-collector-set.h"
#include "core/jm-job-draft-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-job-record.h"
#include "core/jm-snapshot-private.h"
#include "made-ledger.h"

#define START_S G_GINT64_CONSTANT (1700000000)
#define AT_ONCE 64

/* --- the nodes --- */

static JmJob *
make_job (guint node, guint number)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autofree char *id = g_strdup_printf ("%u", node * 1000 + number);
  g_autofree char *key = g_strdup_printf ("boot-%u/%u", node, number);
  g_autofree char *user = g_strdup_printf ("user%03u", (node + number) % 500);
  g_autofree char *start =
    g_strdup_printf ("%" G_GINT64_FORMAT, START_S + 600 * (gint64) number);

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, id, -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_USER, JM_ORIGIN_HOOK, user, -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_NODES, JM_ORIGIN_HOOK, "1", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_START_TIME, JM_ORIGIN_HOOK, start, -1);
  jm_job_draft_set_run_key (draft, key);

  return jm_job_draft_to_job (draft);
}

static char *
make_record (guint node, guint number)
{
  g_autoptr (JmJob) job = make_job (node, number);
  g_autoptr (JmReadings) readings = jm_readings_new ();
  gint64 begin_us = (START_S + 600 * (gint64) number) * G_USEC_PER_SEC;
  gint64 end_us = begin_us + 500 * G_USEC_PER_SEC;
  JmSubject subjects[] = { { JM_SUBJECT_KIND_NODE },
                           { JM_SUBJECT_KIND_JOB, JM_NODE_SUBJECT, job, NULL,
                             end_us } };
  g_autofree char *name = g_strdup_printf ("n%u", node);
  JmJobRecordContent content = { .job = job,
                                 .node = name,
                                 .state = JM_RUN_STATE_ENDED,
                                 .begin_us = begin_us,
                                 .end_us = end_us,
                                 .seen_us = end_us };
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autoptr (JmJobRecord) plain = NULL;
  g_autoptr (JmJobRecord) record = NULL;

  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_readings_set_subject (readings, JM_RECORD_SUBJECT);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, 1000000000u + number);
  jm_readings_add (readings, JM_METRIC_MEMORY_PEAK, 1u << 30);
  snapshot = jm_snapshot_new (end_us, 0, jm_collector_set_get_all (), subjects,
                              G_N_ELEMENTS (subjects), readings);
  content.snapshot = snapshot;
  plain = jm_job_record_new (&content);
  record = jm_job_record_at (plain, number + 1);

  return jm_record_json_format (record);
}

/* Without a parameter of that name it is 0, so that no job is running. */
static guint64
get_parameter (GHashTable *query, const char *name)
{
  const char *text = g_hash_table_lookup (query, name);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : 0;
}

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer n_records)
{
  guint node = (guint) g_ascii_strtoull (path + strlen ("/n"), NULL, 10);
  guint64 after = get_parameter (query, "after");
  guint64 limit = get_parameter (query, "limit");
  guint64 last = *(const guint *) n_records;
  g_autoptr (GString) text = g_string_new ("{\"records\": [");
  guint64 at = MIN (after, last);

  for (; at < last && at - after < limit; at++)
    {
      g_autofree char *record = make_record (node, (guint) at);

      g_string_append_printf (text, "%s%s", at > after ? "," : "", record);
    }
  g_string_append_printf (text, "], \"next\": %" G_GUINT64_FORMAT ", \"more\": %s}", at,
                          at < last ? "true" : "false");
  soup_server_message_set_status (message, 200, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY,
                                    text->str, text->len);
}

/* Never returns. */
static void
serve (guint n_records, int port_fd)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (SoupServer) server = soup_server_new (NULL, NULL);
  GSList *uris;
  int port;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  soup_server_add_handler (server, NULL, on_request, &n_records, NULL);
  g_assert_true (
    soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, NULL));
  uris = soup_server_get_uris (server);
  port = g_uri_get_port (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  g_assert_cmpint (write (port_fd, &port, sizeof port), ==, sizeof port);
  g_main_loop_run (loop);
  _exit (0);
}

static pid_t
start_nodes (guint n_records, int *port)
{
  int fds[2];
  pid_t pid;

  g_assert_cmpint (pipe (fds), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    serve (n_records, fds[1]);
  g_assert_cmpint (read (fds[0], port, sizeof *port), ==, sizeof *port);
  close (fds[0]);
  close (fds[1]);

  return pid;
}

/* --- the pull --- */

static void
set_targets (JmLedgerPull *pull, guint n_nodes, int port)
{
  for (guint i = 0; i < n_nodes; i++)
    {
      g_autofree char *name = g_strdup_printf ("n%u", i);
      g_autofree char *url = g_strdup_printf ("http://127.0.0.1:%d/n%u", port, i);

      g_assert_true (jm_ledger_pull_set_target (pull, "alps", name, url, NULL));
    }
}

static double
get_greatest_lag (JmLedgerPull *pull, guint n_nodes)
{
  double greatest = 0;

  for (guint i = 0; i < n_nodes; i++)
    {
      g_autofree char *name = g_strdup_printf ("n%u", i);
      double seconds;

      if (jm_ledger_pull_get_lag (pull, "alps", name, &seconds))
        greatest = MAX (greatest, seconds);
    }

  return greatest;
}

static void
run_round (JmLedgerPull *pull, guint n_nodes, const char *title)
{
  guint64 before = jm_ledger_pull_get_n_records (pull);
  double cpu_us = bench_process_get_cpu_us (getpid ());
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  double seconds;
  guint64 n;

  jm_ledger_pull_run_round (pull, NULL, &error);
  g_assert_no_error (error);
  seconds = (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC;
  n = jm_ledger_pull_get_n_records (pull) - before;
  g_print ("%-12s %7.1f s  %8.0f nodes/s  %8.0f records/s  %5.1f s of CPU"
           "  greatest lag %5.1f s  peak %" G_GUINT64_FORMAT " MiB  %u failed\n",
           title, seconds, n_nodes / seconds, (double) n / seconds,
           (bench_process_get_cpu_us (getpid ()) - cpu_us) / 1e6,
           get_greatest_lag (pull, n_nodes),
           bench_process_get_peak_kib (getpid ()) >> 10,
           jm_ledger_pull_get_n_failed (pull));
}

static void
bench (guint n_nodes, guint n_records)
{
  Place place;
  int port;
  pid_t pid = start_nodes (n_records, &port);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store = NULL;
  g_autoptr (JmLedgerPull) pull = NULL;

  place_set_up (&place, NULL);
  store = jm_archive_database_open (place.path, &error);
  g_assert_no_error (error);
  pull = jm_ledger_pull_new (store);
  jm_ledger_pull_set_max_at_once (pull, AT_ONCE);
  set_targets (pull, n_nodes, port);
  g_print ("%u nodes with %u records each\n", n_nodes, n_records);
  run_round (pull, n_nodes, "first round");
  run_round (pull, n_nodes, "nothing new");

  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  jm_archive_database_close (store);
  place_tear_down (&place, NULL);
}

int
main (int argc, char *argv[])
{
  int n_nodes = 1000;
  int n_records = 20;
  const GOptionEntry entries[] = { { "nodes", 0, 0, G_OPTION_ARG_INT, &n_nodes,
                                     "How many nodes there are", "N" },
                                   { "records", 0, 0, G_OPTION_ARG_INT, &n_records,
                                     "What each has to tell, of 1000 at most", "N" },
                                   { NULL } };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || n_nodes < 1 ||
      n_records < 1 || n_records > 1000)
    {
      g_printerr ("%s\n", error != NULL ? error->message
                                        : "1 to 1000 records, of 1 node or more");
      return 2;
    }
  bench ((guint) n_nodes, (guint) n_records);

  return 0;
}
