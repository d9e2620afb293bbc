/* test-slurm-topics.c: small answers of Slurm, recorded and made up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <string.h>

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-output-private.h"

typedef void (*ReadFunc) (JmSchedulerReport *report, JmSlice line);

static JmSchedulerReport *
read_text (JmSchedulerTopic topic, ReadFunc func, const char *text)
{
  JmSchedulerReport *report = jm_scheduler_report_new (topic);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    func (report, line);

  return report;
}

static char *
load (const char *name)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "slurm-commands-22.05", name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

static JmSchedulerReport *
read_diagnostics (const char *text)
{
  JmSchedulerReport *report = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_DIAGNOSTICS);
  const char *cursor = text;
  JmSlurmSdiag sdiag;
  JmSlice line;

  jm_slurm_sdiag_init (&sdiag);
  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_slurm_sdiag_read (&sdiag, report, line);
  jm_slurm_sdiag_finish (&sdiag, report);

  return report;
}

static void
assert_no_complaint (JmSchedulerReport *report)
{
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==, NULL);
}

static void
test_a_recorded_sdiag_is_read (void)
{
  g_autofree char *text = load ("sdiag");
  g_autoptr (JmSchedulerReport) report = read_diagnostics (text);
  const JmSchedulerDiagnostics *told = jm_scheduler_report_get_diagnostics (report);
  const JmSchedulerRpc *rpc = jm_scheduler_report_get_rpc (report, 0);

  assert_no_complaint (report);
  g_assert_cmpint (told->read_time, ==, 1795413617);
  g_assert_cmpint (told->reset_time, ==, 1795413558);
  g_assert_cmpint (told->server_threads, ==, 3);
  g_assert_cmpint (told->jobs_submitted, ==, 11);
  g_assert_cmpint (told->cycles, ==, 14);
  g_assert_cmpfloat (told->last_cycle_seconds, ==, 35 / 1e6);
  g_assert_cmpfloat (told->mean_cycle_seconds, ==, 217 / 1e6);
  g_assert_cmpint (told->backfill_cycles, ==, 1);
  g_assert_cmpfloat (told->backfill_last_cycle_seconds, ==, 804 / 1e6);
  g_assert_cmpint (told->backfill_last_depth_try, ==, 2);
  g_assert_cmpuint (jm_scheduler_report_get_n_rpcs (report), ==, 21);
  g_assert_cmpstr (rpc->type, ==, "REQUEST_COMPLETE_PROLOG");
  g_assert_null (rpc->user);
  g_assert_cmpint (rpc->count, ==, 10);
  g_assert_cmpfloat (rpc->total_seconds, ==, 4895 / 1e6);
  g_assert_cmpstr (jm_scheduler_report_get_rpc (report, 18)->user, ==, "alice");
}

static void
test_what_sdiag_did_not_report_is_absent (void)
{
  g_autoptr (JmSchedulerReport) report = read_diagnostics (
    "Server thread count: N/A\nJobs started: 4\nMain schedule statistics (x):\n"
    "\tLast cycle: soon\n\tA new figure: 7\n");
  g_autoptr (JmSchedulerReport) nothing = read_diagnostics ("Slurm is down\n");
  const JmSchedulerDiagnostics *told = jm_scheduler_report_get_diagnostics (report);

  g_assert_cmpint (told->server_threads, ==, -1);
  g_assert_cmpint (told->jobs_started, ==, 4);
  g_assert_true (isnan (told->last_cycle_seconds));
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==,
                   "Last cycle: not understood: soon");
  g_assert_null (jm_scheduler_report_get_diagnostics (nothing));
  g_assert_nonnull (jm_scheduler_report_get_complaint (nothing));
}

static void
test_recorded_shares_are_read (void)
{
  g_autofree char *text = load ("sshare");
  g_autoptr (JmSchedulerReport) report =
    read_text (JM_SCHEDULER_TOPIC_SHARES, jm_slurm_read_share, text);
  const JmSchedulerShare *root = jm_scheduler_report_get_share (report, 0);
  const JmSchedulerShare *chemistry = jm_scheduler_report_get_share (report, 3);
  const JmSchedulerShare *debug = jm_scheduler_report_get_share (report, 6);
  const JmSchedulerShare *tada = jm_scheduler_report_get_share (report, 7);

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_shares (report), ==, 8);
  g_assert_cmpstr (root->account, ==, "root");
  g_assert_null (root->user);
  g_assert_cmpint (root->raw_shares, ==, -1);
  g_assert_true (isnan (root->level_fair_share));
  g_assert_cmpint (chemistry->raw_shares, ==, 40);
  g_assert_cmpfloat (chemistry->norm_shares, ==, 0.392157);
  g_assert_true (isnan (chemistry->fair_share));
  g_assert_cmpstr (debug->user, ==, "tada");
  g_assert_cmpstr (debug->partition, ==, "debug");
  g_assert_cmpfloat (debug->level_fair_share, ==, 0);
  g_assert_cmpstr (tada->account, ==, "physics");
  g_assert_cmpstr (tada->user, ==, "tada");
  g_assert_null (tada->partition);
  g_assert_cmpint (tada->raw_shares, ==, 1);
  g_assert_true (isinf (tada->level_fair_share));
}

static void
test_a_bad_share_costs_what_cannot_be_read (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_text (JM_SCHEDULER_TOPIC_SHARES, jm_slurm_read_share,
               "a|u||1|0.5|0|0|0|0.5|1\nb|u|1\nc|u||1|-0.5|0|0|0|0|0\n"
               "|||1|0|0|0|0|0|0\nnone|parent||parent|0|0|0|0|1|inf\n"
               "d|u||1|0|0|0|0|0|0|0\n");

  g_assert_cmpuint (jm_scheduler_report_get_n_shares (report), ==, 3);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 4);
  /* a value that cannot be read costs that value */
  g_assert_cmpstr (jm_scheduler_report_get_share (report, 1)->account, ==, "c");
  g_assert_cmpint (jm_scheduler_report_get_share (report, 1)->raw_shares, ==, 1);
  g_assert_true (isnan (jm_scheduler_report_get_share (report, 1)->norm_shares));
  g_assert_cmpstr (jm_scheduler_report_get_share (report, 2)->account, ==, "none");
  g_assert_cmpstr (jm_scheduler_report_get_share (report, 2)->user, ==, "parent");
  g_assert_cmpint (jm_scheduler_report_get_share (report, 2)->raw_shares, ==, -1);
}

static void
test_a_recorded_reservation_is_read (void)
{
  g_autofree char *text = load ("reservations");
  g_autoptr (JmSchedulerReport) report =
    read_text (JM_SCHEDULER_TOPIC_RESERVATIONS, jm_slurm_read_reservation, text);
  const JmSchedulerReservation *told = jm_scheduler_report_get_reservation (report, 0);

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_reservations (report), ==, 1);
  g_assert_cmpstr (told->name, ==, "maint1");
  g_assert_cmpint (told->start_time, ==, 1795420816);
  g_assert_cmpint (told->end_time, ==, 1795424416);
  g_assert_cmpstr (told->node_list, ==, "n2");
  g_assert_cmpint (told->nodes, ==, 1);
  g_assert_cmpint (told->cores, ==, 8);
  g_assert_cmpstr (told->users, ==, "alice");
  g_assert_null (told->accounts);
  g_assert_null (told->partition);
  g_assert_cmpstr (told->state, ==, "INACTIVE");
}

static void
test_a_comment_does_not_replace_what_was_reported (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_text (JM_SCHEDULER_TOPIC_RESERVATIONS, jm_slurm_read_reservation,
               "ReservationName=r NodeCnt=2 State=ACTIVE Comment=so State=INACTIVE\n");

  g_assert_cmpstr (jm_scheduler_report_get_reservation (report, 0)->state, ==,
                   "ACTIVE");
}

static void
test_a_cluster_without_any_has_none (void)
{
  g_autoptr (JmSchedulerReport) reservations =
    read_text (JM_SCHEDULER_TOPIC_RESERVATIONS, jm_slurm_read_reservation,
               "No reservations in the system\n");
  g_autoptr (JmSchedulerReport) licenses =
    read_text (JM_SCHEDULER_TOPIC_LICENSES, jm_slurm_read_license,
               "No licenses configured in Slurm.\n");

  assert_no_complaint (reservations);
  assert_no_complaint (licenses);
  g_assert_cmpuint (jm_scheduler_report_get_n_reservations (reservations), ==, 0);
  g_assert_cmpuint (jm_scheduler_report_get_n_licenses (licenses), ==, 0);
}

static void
test_a_recorded_licence_is_read (void)
{
  g_autofree char *text = load ("licenses");
  g_autoptr (JmSchedulerReport) report =
    read_text (JM_SCHEDULER_TOPIC_LICENSES, jm_slurm_read_license, text);
  const JmSchedulerLicense *told = jm_scheduler_report_get_license (report, 0);

  assert_no_complaint (report);
  g_assert_cmpstr (told->name, ==, "matlab@flex");
  g_assert_cmpint (told->total, ==, 5);
  g_assert_cmpint (told->used, ==, 0);
  g_assert_cmpint (told->free, ==, 5);
  g_assert_cmpint (told->reserved, ==, 0);
  g_assert_cmpint (told->is_remote, ==, 1);
}

static void
test_a_bad_record_costs_what_cannot_be_read (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_text (JM_SCHEDULER_TOPIC_LICENSES, jm_slurm_read_license,
               "LicenseName=a Total=x\nslurm_load_licenses error\n"
               "LicenseName=b Total=4294967294 Remote=no\nLicenseName=\xff Total=1\n");

  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 2);
  g_assert_cmpstr (jm_scheduler_report_get_complaint (report), ==,
                   "Total: not understood: x");
  g_assert_cmpuint (jm_scheduler_report_get_n_licenses (report), ==, 3);
  g_assert_cmpstr (jm_scheduler_report_get_license (report, 0)->name, ==, "a");
  g_assert_cmpint (jm_scheduler_report_get_license (report, 0)->total, ==, -1);
  g_assert_cmpint (jm_scheduler_report_get_license (report, 1)->total, ==, -1);
  g_assert_cmpint (jm_scheduler_report_get_license (report, 1)->is_remote, ==, 0);
  g_assert_cmpstr (jm_scheduler_report_get_license (report, 2)->name, ==,
                   "\357\277\275");
}

static void
test_recorded_partitions_are_read (void)
{
  g_autofree char *text = load ("partitions");
  g_autoptr (JmSchedulerReport) report =
    read_text (JM_SCHEDULER_TOPIC_PARTITIONS, jm_slurm_read_partition, text);
  const JmSchedulerPartition *batch = jm_scheduler_report_get_partition (report, 0);
  const JmSchedulerPartition *debug = jm_scheduler_report_get_partition (report, 1);

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_partitions (report), ==, 2);
  g_assert_cmpstr (batch->name, ==, "batch");
  g_assert_cmpstr (batch->state, ==, "UP");
  g_assert_cmpstr (batch->node_list, ==, "rec[1-4]");
  g_assert_null (batch->qos);
  g_assert_cmpint (batch->is_default, ==, 1);
  g_assert_cmpint (batch->nodes, ==, 4);
  g_assert_cmpint (batch->cpus, ==, 32);
  g_assert_cmpint (batch->memory_bytes, ==, G_GINT64_CONSTANT (21692) << 20);
  g_assert_cmpint (batch->gpus, ==, 8);
  g_assert_cmpint (batch->max_nodes, ==, -1);
  g_assert_cmpint (batch->max_time_seconds, ==, 86400);
  g_assert_cmpint (batch->default_time_seconds, ==, -1);
  g_assert_cmpint (batch->priority_tier, ==, 1);
  g_assert_cmpstr (debug->state, ==, "DRAIN");
  g_assert_cmpint (debug->is_default, ==, 0);
  g_assert_cmpint (debug->max_nodes, ==, 2);
  g_assert_cmpint (debug->max_time_seconds, ==, 600);
  g_assert_cmpint (debug->default_time_seconds, ==, 300);
  g_assert_cmpint (debug->priority_tier, ==, 10);
}

static JmSchedulerReport *
read_limits (const char *text)
{
  JmSchedulerReport *report = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_LIMITS);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_slurm_read_limit (report, "recorded", line);

  return report;
}

static void
test_recorded_limits_are_those_of_the_cluster (void)
{
  g_autofree char *text = load ("limits");
  g_autoptr (JmSchedulerReport) report = read_limits (text);
  const JmSchedulerLimit *root = jm_scheduler_report_get_limit (report, 0);
  const JmSchedulerLimit *physics = jm_scheduler_report_get_limit (report, 5);
  const JmSchedulerLimit *debug = jm_scheduler_report_get_limit (report, 6);
  const JmSchedulerLimit *tada = jm_scheduler_report_get_limit (report, 7);

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_limits (report), ==, 8);
  g_assert_cmpstr (root->account, ==, "root");
  g_assert_cmpint (root->group_cpus, ==, -1);
  g_assert_cmpint (root->max_wall_seconds, ==, -1);
  g_assert_cmpstr (physics->account, ==, "physics");
  g_assert_null (physics->user);
  g_assert_cmpint (physics->group_cpus, ==, 64);
  g_assert_cmpint (physics->group_memory_bytes, ==, G_GINT64_CONSTANT (100) << 30);
  g_assert_cmpint (physics->group_nodes, ==, 8);
  g_assert_cmpint (physics->group_gpus, ==, 4);
  g_assert_cmpint (physics->group_jobs, ==, 20);
  g_assert_cmpint (physics->group_submit, ==, 100);
  g_assert_cmpint (physics->group_wall_seconds, ==, 172800);
  g_assert_cmpstr (debug->partition, ==, "debug");
  g_assert_cmpint (debug->group_cpus, ==, 4);
  g_assert_cmpint (debug->group_gpus, ==, -1);
  g_assert_cmpstr (tada->user, ==, "tada");
  g_assert_null (tada->partition);
  g_assert_cmpint (tada->max_jobs, ==, 5);
  g_assert_cmpint (tada->max_submit, ==, 50);
  g_assert_cmpint (tada->max_wall_seconds, ==, 43200);
}

static void
test_a_bad_limit_costs_what_cannot_be_read (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_limits ("recorded|a||||x|||||\nrecorded|b\nsacctmgr: error: no answer\n"
                 "recorded|||||1|||||\nRecorded|c|u||gres/gpu:a100=2|0|||||\n"
                 "recorded|d|||cpu||||||\nother|d|||cpu|||||||\n");
  const JmSchedulerLimit *told = jm_scheduler_report_get_limit (report, 1);

  g_assert_cmpuint (jm_scheduler_report_get_n_limits (report), ==, 3);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 5);
  g_assert_cmpint (jm_scheduler_report_get_limit (report, 0)->group_jobs, ==, -1);
  g_assert_cmpint (jm_scheduler_report_get_limit (report, 2)->group_cpus, ==, -1);
  g_assert_cmpstr (told->account, ==, "c");
  g_assert_cmpint (told->group_gpus, ==, 2);
  g_assert_cmpint (told->group_jobs, ==, 0);
}

static JmSchedulerReport *
read_qos (const char *text)
{
  JmSchedulerReport *report = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_LIMITS);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_slurm_read_qos (report, line);

  return report;
}

static void
test_recorded_qualities_of_service_are_read (void)
{
  g_autofree char *text = load ("qos");
  g_autoptr (JmSchedulerReport) report = read_qos (text);
  const JmSchedulerLimit *normal = jm_scheduler_report_get_limit (report, 0);
  const JmSchedulerLimit *high = jm_scheduler_report_get_limit (report, 1);
  const JmSchedulerLimit *debug = jm_scheduler_report_get_limit (report, 2);

  assert_no_complaint (report);
  g_assert_cmpuint (jm_scheduler_report_get_n_limits (report), ==, 3);
  g_assert_cmpstr (normal->qos, ==, "normal");
  g_assert_null (normal->account);
  g_assert_cmpint (normal->group_cpus, ==, 64);
  g_assert_cmpint (normal->group_memory_bytes, ==, G_GINT64_CONSTANT (100) << 30);
  g_assert_cmpint (normal->group_nodes, ==, 8);
  g_assert_cmpint (normal->group_gpus, ==, 4);
  g_assert_cmpint (normal->group_jobs, ==, 20);
  g_assert_cmpint (normal->group_submit, ==, 100);
  g_assert_cmpint (normal->group_wall_seconds, ==, 172800);
  g_assert_cmpint (normal->user_cpus, ==, -1);
  g_assert_cmpint (normal->max_wall_seconds, ==, -1);
  g_assert_cmpstr (high->qos, ==, "high");
  g_assert_cmpint (high->group_cpus, ==, -1);
  g_assert_cmpint (high->user_cpus, ==, 16);
  g_assert_cmpint (high->user_memory_bytes, ==, G_GINT64_CONSTANT (2000) << 20);
  g_assert_cmpint (high->user_nodes, ==, 2);
  g_assert_cmpint (high->user_gpus, ==, 1);
  g_assert_cmpint (high->max_jobs, ==, 5);
  g_assert_cmpint (high->max_submit, ==, 50);
  g_assert_cmpint (high->max_wall_seconds, ==, 43200);
  g_assert_cmpint (debug->max_wall_seconds, ==, 600);
}

static void
test_a_bad_qos_costs_what_cannot_be_read (void)
{
  g_autoptr (JmSchedulerReport) report =
    read_qos ("a|cpu|||||||\nb\n\n|||||||||\nsacctmgr: error: no answer\n"
              "c||||||0||\nd||||||x||\n||||||||\n");

  g_assert_cmpuint (jm_scheduler_report_get_n_limits (report), ==, 3);
  g_assert_cmpuint (jm_scheduler_report_get_n_complaints (report), ==, 6);
  g_assert_cmpstr (jm_scheduler_report_get_limit (report, 0)->qos, ==, "a");
  g_assert_cmpint (jm_scheduler_report_get_limit (report, 0)->group_cpus, ==, -1);
  g_assert_cmpstr (jm_scheduler_report_get_limit (report, 1)->qos, ==, "c");
  g_assert_cmpint (jm_scheduler_report_get_limit (report, 1)->max_jobs, ==, 0);
  g_assert_cmpint (jm_scheduler_report_get_limit (report, 2)->max_jobs, ==, -1);
}

#define ADD(name, func) g_test_add_func ("/slurm-topics/" name, func)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("a-recorded-sdiag-is-read", test_a_recorded_sdiag_is_read);
  ADD ("what-sdiag-did-not-report-is-absent", test_what_sdiag_did_not_report_is_absent);
  ADD ("recorded-shares-are-read", test_recorded_shares_are_read);
  ADD ("a-bad-share-costs-what-cannot-be-read",
       test_a_bad_share_costs_what_cannot_be_read);
  ADD ("a-recorded-reservation-is-read", test_a_recorded_reservation_is_read);
  ADD ("a-comment-does-not-replace-what-was-reported",
       test_a_comment_does_not_replace_what_was_reported);
  ADD ("a-cluster-without-any-has-none", test_a_cluster_without_any_has_none);
  ADD ("a-recorded-licence-is-read", test_a_recorded_licence_is_read);
  ADD ("recorded-partitions-are-read", test_recorded_partitions_are_read);
  ADD ("recorded-limits-are-those-of-the-cluster",
       test_recorded_limits_are_those_of_the_cluster);
  ADD ("a-bad-limit-costs-what-cannot-be-read",
       test_a_bad_limit_costs_what_cannot_be_read);
  ADD ("recorded-qualities-of-service-are-read",
       test_recorded_qualities_of_service_are_read);
  ADD ("a-bad-qos-costs-what-cannot-be-read", test_a_bad_qos_costs_what_cannot_be_read);
  ADD ("a-bad-record-costs-what-cannot-be-read",
       test_a_bad_record_costs_what_cannot_be_read);

  return g_test_run ();
}
