/* test-dialect.c: figures in the words of another exporter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "expose/jm-dialect-private.h"
#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

#define HEAD "[Dialect]\nName=other\n"

static JmDialect *
read_dialect (const char *text)
{
  g_autoptr (GError) error = NULL;
  JmDialect *dialect =
    jm_dialect_new_from_text ("other.conf", text, strlen (text), &error);

  g_assert_no_error (error);

  return dialect;
}

static JmTextEncoder *
make_encoder (const char *text)
{
  g_autoptr (JmDialect) dialect = read_dialect (text);
  JmTextEncoder *encoder = jm_text_encoder_new ();

  g_object_set (encoder, "native", FALSE, "node-name", "n1", NULL);
  g_assert_true (jm_text_encoder_add_dialect (encoder, dialect, NULL));

  return encoder;
}

static void
assert_text (const char *dialect, JmSnapshot *snapshot, const char *expected)
{
  g_autoptr (JmTextEncoder) encoder = make_encoder (dialect);
  g_autofree char *first =
    jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);
  g_autofree char *again =
    jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);

  g_assert_cmpstr (first, ==, expected);
  g_assert_cmpstr (again, ==, expected);
}

/* Ada's job runs, Eve's has ended. */
static JmSnapshot *
make_snapshot (gint64 time_us, double cpu_seconds)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) ada =
    jm_test_job_new ("7", "user", "ada", "uid", "1001", "scheduler", "slurm", NULL);
  g_autoptr (JmJob) eve =
    jm_test_job_new ("8", "user", "eve", "scheduler", "pbs", NULL);

  jm_snapshot_builder_set_time (builder, time_us);
  jm_snapshot_builder_add_job (builder, ada);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, (guint64) (cpu_seconds * 1e9));
  jm_snapshot_builder_add (builder, JM_METRIC_CPUS, 4);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, 3000);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_CACHE, 1000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_THREADS, "running", 2);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_THREADS, "sleeping", 5);
  jm_snapshot_builder_add_job (builder, eve);
  jm_snapshot_builder_add (builder, JM_METRIC_CPU_TOTAL, 500000000);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, 9);
  jm_snapshot_builder_set_end_time (builder, time_us);

  return jm_snapshot_builder_end (builder);
}

static void
test_a_family_is_named_labelled_and_scaled (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 12.5);

  assert_text (HEAD "[cpu_ms_total]\n"
                    "Type=counter\n"
                    "Help=CPU time\n"
                    "Source=jobmetrics_job_cpu_seconds_total\n"
                    "Scale=1000\n"
                    "Labels=job=s{jobid};user;host={node};step=;batch=slurm\n",
               snapshot,
               "# HELP cpu_ms_total CPU time\n"
               "# TYPE cpu_ms_total counter\n"
               "cpu_ms_total{job=\"s7\",user=\"ada\",host=\"n1\",step=\"\",batch="
               "\"slurm\"} 12500\n"
               "cpu_ms_total{job=\"s8\",user=\"eve\",host=\"n1\",step=\"\",batch="
               "\"slurm\"} 500\n");
}

static void
test_values_of_labels_are_replaced_and_figures_chosen (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "[threads]\nHelp=h\nSource=jobmetrics_job_threads\n"
                    "Labels=state={state|running:R|sleeping:S}\n"
                    "[busy]\nHelp=h\nSource=jobmetrics_job_threads\n"
                    "Where=state=run*\nLabels=jobid;s={state#run}\n"
                    "[last]\nHelp=h\nSource=jobmetrics_job_threads\n"
                    "Labels=s={state##e}\n",
               snapshot,
               "# HELP threads h\n# TYPE threads gauge\n"
               "threads{state=\"R\"} 2\nthreads{state=\"S\"} 5\n"
               "# HELP busy h\n# TYPE busy gauge\n"
               "busy{jobid=\"7\",s=\"ning\"} 2\n"
               "# HELP last h\n# TYPE last gauge\n"
               "last{s=\"running\"} 2\nlast{s=\"ping\"} 5\n");
}

/* What has no labels has none that differ. */
static void
test_figures_without_labels_are_not_chosen_among (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "[used]\nHelp=h\n"
                    "Source=jobmetrics_job_memory_used_bytes;jobmetrics_job_threads\n"
                    "Where=state=run*\nLabels=jobid\n",
               snapshot, "# HELP used h\n# TYPE used gauge\nused{jobid=\"7\"} 3000\n");
}

/* Of ada in physics and of physics itself, and of two nodes. */
static JmSnapshot *
make_cluster (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmLabels) cluster = jm_labels_of ("lab", NULL);
  g_autoptr (JmLabels) user = jm_labels_of ("lab", "physics", "ada", "", NULL);
  g_autoptr (JmLabels) account = jm_labels_of ("lab", "physics", "", "", NULL);
  g_autoptr (JmLabels) idle = jm_labels_of ("A100", "idle", NULL);
  g_autoptr (JmLabels) busy = jm_labels_of ("A100", "allocated", NULL);

  jm_snapshot_builder_add_labelled_part (builder, JM_SUBJECT_KIND_CLUSTER, cluster);
  jm_snapshot_builder_add (builder, JM_METRIC_QUEUE_ALLOCATED_CPUS, 8);
  jm_snapshot_builder_add (builder, JM_METRIC_QUEUE_REQUESTED_CPUS, 5);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_QUEUE_PENDING_JOBS, "Priority",
                                    2);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_CLUSTER_GPUS, idle, 3);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_CLUSTER_GPUS, busy, 1);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_SCHEDULER_SUCCESS, "jobs", 1);
  jm_snapshot_builder_add_labelled_part (builder, JM_SUBJECT_KIND_SCHEDULER, cluster);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_SCHEDULER_RPCS, "A", 4);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_SCHEDULER_RPCS, "B", 5);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_SCHEDULER_RPC_TIME, "A",
                                    2000000);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_SCHEDULER_RPC_TIME, "B",
                                    5000000);
  jm_snapshot_builder_add_labelled_part (builder, JM_SUBJECT_KIND_ASSOCIATION, user);
  jm_snapshot_builder_add (builder, JM_METRIC_LIMIT_CPUS, 10);
  jm_snapshot_builder_add_labelled_part (builder, JM_SUBJECT_KIND_ASSOCIATION, account);
  jm_snapshot_builder_add (builder, JM_METRIC_LIMIT_CPUS, 100);

  return jm_snapshot_builder_end (builder);
}

static void
test_figures_are_chosen_by_labels_of_their_subject (void)
{
  g_autoptr (JmSnapshot) snapshot = make_cluster ();

  assert_text (HEAD "[of_users]\nHelp=h\nSource=jobmetrics_association_limit_cpus\n"
                    "Where=user=?*\nLabels=account\n"
                    "[of_accounts]\nHelp=h\nSource=jobmetrics_association_limit_cpus\n"
                    "Where=user=\nLabels=account\n"
                    "[of_others]\nHelp=h\n"
                    "Source=jobmetrics_association_limit_cpus{account=chem*}\n"
                    "Labels=account\n",
               snapshot,
               "# HELP of_users h\n# TYPE of_users gauge\n"
               "of_users{account=\"physics\"} 10\n"
               "# HELP of_accounts h\n# TYPE of_accounts gauge\n"
               "of_accounts{account=\"physics\"} 100\n");
}

static void
test_each_source_has_a_word (void)
{
  g_autoptr (JmSnapshot) snapshot = make_cluster ();

  assert_text (HEAD "[cpus]\nHelp=h\nSource=jobmetrics_cluster_allocated_cpus;"
                    "jobmetrics_cluster_suspended_cpus;"
                    "jobmetrics_cluster_requested_cpus\n"
                    "Words=RUNNING;SUSPENDED;PENDING\nLabels=cluster;state={word}\n"
                    "[gpus]\nHelp=h\nSource=jobmetrics_cluster_gpus{state=idle};"
                    "jobmetrics_cluster_gpus{state=allocated}\n"
                    "Words=free;used\nLabels=is={word};type\n"
                    "[all]\nHelp=h\nSource=jobmetrics_cluster_allocated_cpus;"
                    "jobmetrics_cluster_requested_cpus\nWords=a;b\nLabels=cluster\n",
               snapshot,
               "# HELP cpus h\n# TYPE cpus gauge\n"
               "cpus{cluster=\"lab\",state=\"RUNNING\"} 8\n"
               "cpus{cluster=\"lab\",state=\"PENDING\"} 5\n"
               "# HELP gpus h\n# TYPE gpus gauge\n"
               "gpus{is=\"free\",type=\"A100\"} 3\n"
               "gpus{is=\"used\",type=\"A100\"} 1\n"
               "# HELP all h\n# TYPE all gauge\n"
               "all{cluster=\"lab\"} 13\n");
}

static void
test_figures_with_labels_are_combined_by_these (void)
{
  g_autoptr (JmSnapshot) snapshot = make_cluster ();

  assert_text (HEAD "[mean]\nHelp=h\nSource=jobmetrics_scheduler_rpc_seconds_total;"
                    "jobmetrics_scheduler_rpcs_total\nCombine=ratio\nLabels=type\n"
                    "[used]\nHelp=h\nSource=jobmetrics_cluster_gpus{state=allocated};"
                    "jobmetrics_cluster_gpus\nCombine=ratio\nLabels=cluster\n"
                    "[product]\nHelp=h\nSource=jobmetrics_cluster_allocated_cpus;"
                    "jobmetrics_cluster_requested_cpus\nCombine=product\nLabels=\n",
               snapshot,
               "# HELP mean h\n# TYPE mean gauge\n"
               "mean{type=\"A\"} 0.5\nmean{type=\"B\"} 1\n"
               "# HELP used h\n# TYPE used gauge\nused{cluster=\"lab\"} 0.25\n"
               "# HELP product h\n# TYPE product gauge\nproduct 40\n");
}

/* Somebody who reports jobs reports that none waits for another. */
static void
test_zero_is_of_what_is_known_not_to_be_there (void)
{
  g_autoptr (JmSnapshot) snapshot = make_cluster ();

  assert_text (HEAD "[waiting]\nHelp=h\nSource=jobmetrics_cluster_pending_jobs\n"
                    "Where=reason=Dependency\nAbsent=0\nLabels=cluster\n"
                    "[licenses]\nHelp=h\nSource=jobmetrics_cluster_licenses\n"
                    "Absent=0\nLabels=cluster\n",
               snapshot,
               "# HELP waiting h\n# TYPE waiting gauge\nwaiting{cluster=\"lab\"} 0\n");
}

/* A job's part of a device of which the driver has no number. */
static void
test_what_a_driver_does_not_report_is_written_of_its_devices (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  const char *const fields[] = { "GPU-1", "A100", "nvidia", "", "", "", "", NULL };
  g_autoptr (JmJob) job = jm_test_job_new ("7", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;

  jm_snapshot_builder_add_gpu (builder, "0", fields);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add_job_gpu (builder, "0", "hook", 100);
  snapshot = jm_snapshot_builder_end (builder);

  assert_text (HEAD "[sm]\nHelp=h\nSource=jobmetrics_job_gpu_multiprocessors\n"
                    "Absent=1\nLabels=jobid;gpu\n",
               snapshot, "# HELP sm h\n# TYPE sm gauge\nsm{jobid=\"7\",gpu=\"0\"} 1\n");
}

static void
test_labels_of_another_figure_may_be_named (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmLabels) node = jm_labels_of ("lab", "n1", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;

  jm_snapshot_builder_add_labelled_part (builder, JM_SUBJECT_KIND_CLUSTER_NODE, node);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_CLUSTER_CPUS, "idle", 6);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_CLUSTER_CPUS, "other", 2);
  jm_snapshot_builder_add_labelled (builder, JM_METRIC_CLUSTER_NODE_SINFO_STATE,
                                    "mixed", 1);
  snapshot = jm_snapshot_builder_end (builder);

  assert_text (HEAD "[idle]\nHelp=h\nSource=jobmetrics_cluster_node_cpus{state=idle}\n"
                    "Info=jobmetrics_cluster_node_sinfo_state\n"
                    "Labels=node;status={info.state};state\n"
                    "[all]\nHelp=h\nSource=jobmetrics_cluster_node_cpus\n"
                    "Info=jobmetrics_cluster_node_sinfo_state\nLabels=s={info.state}\n",
               snapshot,
               "# HELP idle h\n# TYPE idle gauge\n"
               "idle{node=\"n1\",status=\"mixed\",state=\"idle\"} 6\n"
               "# HELP all h\n# TYPE all gauge\nall{s=\"mixed\"} 8\n");
}

static void
test_names_of_opentelemetry_are_renamed_for_scrapers (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "[a.uid]\nType=counter\nUnit=s\nHelp=h\nValue={uid}\n"
                    "Labels=job.id={jobid};user\n"
                    "[a.size_bytes]\nType=updowncounter\nUnit=By\nHelp=h\nValue=1\n"
                    "[a.job_count]\nUnit={job}\nHelp=h\nValue=1\n",
               snapshot,
               "# HELP a_uid_seconds_total h\n# TYPE a_uid_seconds_total counter\n"
               "a_uid_seconds_total{job_id=\"7\",user=\"ada\"} 1001\n"
               "# HELP a_size_bytes h\n# TYPE a_size_bytes gauge\na_size_bytes 1\n"
               "# HELP a_job_count h\n# TYPE a_job_count gauge\na_job_count 1\n");
}

static void
test_a_dialect_has_families_of_another (void)
{
  g_autoptr (JmSnapshot) snapshot = make_cluster ();
  g_autoptr (JmDialect) base = read_dialect (
    "[Dialect]\nName=base\nRun=jobid\n"
    "[a]\nHelp=h\nSource=jobmetrics_cluster_allocated_cpus\nLabels=cluster\n"
    "[b]\nHelp=h\nSource=jobmetrics_cluster_allocated_cpus\n"
    "[c]\nHelp=h\nSource=jobmetrics_cluster_allocated_cpus\n");
  g_autoptr (JmDialect) like =
    read_dialect ("[Dialect]\nName=like\nLike=base\nWithout=b\n"
                  "[c]\nHelp=h\nSource=jobmetrics_cluster_requested_cpus\n");
  g_autoptr (JmDialect) unknown =
    read_dialect ("[Dialect]\nName=other\nLike=base\nWithout=z\n");
  g_autoptr (JmDialect) chain = read_dialect ("[Dialect]\nName=more\nLike=like\n");
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) of_chain = NULL;
  g_autofree char *text = NULL;

  g_assert_cmpstr (jm_dialect_get_base (like), ==, "base");
  g_assert_null (jm_dialect_get_base (base));
  g_assert_true (jm_dialect_extend (like, base, NULL));
  g_assert_cmpuint (jm_dialect_get_run_labels (like)->len, ==, 1);
  g_object_set (encoder, "native", FALSE, NULL);
  g_assert_true (jm_text_encoder_add_dialect (encoder, like, NULL));
  text = jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_PROMETHEUS);
  g_assert_cmpstr (text, ==,
                   "# HELP a h\n# TYPE a gauge\na{cluster=\"lab\"} 8\n"
                   "# HELP c h\n# TYPE c gauge\nc 5\n");

  g_assert_false (jm_dialect_extend (unknown, base, &error));
  g_assert_cmpstr (error->message, ==,
                   "other.conf: Dialect: Without: no family of that dialect: z");
  g_assert_false (jm_dialect_extend (chain, like, &of_chain));
  g_assert_cmpstr (of_chain->message, ==,
                   "other.conf: Dialect: Like: a dialect that has one itself: like");
}

static void
test_what_is_not_known_is_replaced_too (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "[uid]\nHelp=h\nEach=job\nValue={uid|:0}\n"
                    "Labels=account={account|:none};user={user|:none}\n",
               snapshot,
               "# HELP uid h\n# TYPE uid gauge\n"
               "uid{account=\"none\",user=\"ada\"} 1001\n");
}

/* A label that is left out makes one series of several. */
static void
test_figures_of_the_same_labels_are_added (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "[threads]\nHelp=h\nSource=jobmetrics_job_threads\nLabels=jobid\n"
                    "[all]\nType=counter\nHelp=h\n"
                    "Source=jobmetrics_job_cpu_seconds_total\nLabels=kind=any\n",
               snapshot,
               "# HELP threads h\n# TYPE threads gauge\nthreads{jobid=\"7\"} 7\n"
               "# HELP all h\n# TYPE all counter\nall{kind=\"any\"} 1.5\n");
}

static void
test_sources_are_combined (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 6);

  assert_text (
    HEAD "[Labels]\njob=jobid\n"
         "[sum]\nHelp=h\nCombine=sum\n"
         "Source=jobmetrics_job_memory_used_bytes;jobmetrics_job_memory_cache_bytes\n"
         "[rest]\nHelp=h\nCombine=difference\n"
         "Source=jobmetrics_job_memory_used_bytes;jobmetrics_job_memory_cache_bytes\n"
         "[ratio]\nHelp=h\nCombine=ratio\n"
         "Source=jobmetrics_job_cpu_seconds_total;jobmetrics_job_cpus\n"
         "[first]\nHelp=h\n"
         "Source=jobmetrics_job_memory_rss_bytes;jobmetrics_job_cpus\n"
         "[unknown]\nHelp=h\nCombine=sum\n"
         "Source=jobmetrics_job_memory_rss_bytes;jobmetrics_job_cpus\n",
    snapshot,
    "# HELP sum h\n# TYPE sum gauge\nsum{jobid=\"7\"} 4000\n"
    "# HELP rest h\n# TYPE rest gauge\nrest{jobid=\"7\"} 2000\n"
    "# HELP ratio h\n# TYPE ratio gauge\nratio{jobid=\"7\"} 1.5\n"
    "# HELP first h\n# TYPE first gauge\nfirst{jobid=\"7\"} 4\n");
}

static void
test_what_the_original_prints_for_no_limit_is_printed (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "[limit]\nHelp=h\nSource=jobmetrics_job_memory_limit_bytes\n"
                    "Absent=-1\nLabels=jobid\n",
               snapshot, "# HELP limit h\n# TYPE limit gauge\nlimit{jobid=\"7\"} -1\n");
}

/* That a job has other figures of memory does not say that it has no limit. */
static void
test_a_limit_that_could_not_be_read_is_not_called_none (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  g_autoptr (JmJob) read = jm_test_job_new ("7", NULL);
  g_autoptr (JmJob) unread = jm_test_job_new ("8", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;

  jm_snapshot_builder_add_job (builder, read);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, 1);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_UNLIMITED, 1);
  jm_snapshot_builder_add_job (builder, unread);
  jm_snapshot_builder_add (builder, JM_METRIC_MEMORY_USED, 1);
  snapshot = jm_snapshot_builder_end (builder);

  assert_text (HEAD "[limit]\nHelp=h\nSource=jobmetrics_job_memory_limit_bytes\n"
                    "Absent=-1\nAbsentIf=jobmetrics_job_memory_unlimited\n"
                    "Labels=jobid\n",
               snapshot, "# HELP limit h\n# TYPE limit gauge\nlimit{jobid=\"7\"} -1\n");
}

static void
test_an_enumeration_has_each_of_its_words (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "[is]\nHelp=h\nSource=jobmetrics_job_threads\n"
                    "Where=state=running\nLabels=jobid;is={state}\n"
                    "Enum=stopped;running\n",
               snapshot,
               "# HELP is h\n# TYPE is gauge\nis{jobid=\"7\",is=\"stopped\"} 0\n"
               "is{jobid=\"7\",is=\"running\"} 1\n");
  assert_text (HEAD "[is]\nHelp=h\nSource=jobmetrics_job_threads\n"
                    "Where=state=running\nLabels=is={state}\nEnum=stopped\n",
               snapshot,
               "# HELP is h\n# TYPE is gauge\nis{is=\"running\"} 1\n"
               "is{is=\"stopped\"} 0\n");
}

static void
test_fields_are_figures (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "[uid]\nHelp=h\nValue={uid}\nLabels=jobid\n"
                    "[info]\nType=untyped\nHelp=h\nValue=1\nLabels=user\n",
               snapshot,
               "# HELP uid h\n# TYPE uid gauge\nuid{jobid=\"7\"} 1001\n"
               "# HELP info h\n# TYPE info untyped\ninfo{user=\"ada\"} 1\n");
}

static void
test_only_jobs_of_its_schedulers_are_shown (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);

  assert_text (HEAD "Schedulers=pbs\n"
                    "[cpu]\nHelp=h\nSource=jobmetrics_job_cpu_seconds_total\n"
                    "Labels=jobid\n",
               snapshot, "# HELP cpu h\n# TYPE cpu gauge\ncpu{jobid=\"8\"} 0.5\n");
}

static void
test_a_rate_is_of_the_last_sample (void)
{
  g_autoptr (JmTextEncoder) encoder =
    make_encoder (HEAD "[percent]\nHelp=h\nSource=jobmetrics_job_cpu_seconds_total\n"
                       "Rate=true\nScale=100\nLabels=jobid\n");
  g_autoptr (JmSnapshot) first = make_snapshot (10 * G_USEC_PER_SEC, 3);
  g_autoptr (JmSnapshot) second = make_snapshot (14 * G_USEC_PER_SEC, 5);
  g_autofree char *before =
    jm_text_encoder_to_string (encoder, first, JM_TEXT_FORMAT_PROMETHEUS);
  g_autofree char *after =
    jm_text_encoder_to_string (encoder, second, JM_TEXT_FORMAT_PROMETHEUS);
  g_autofree char *again =
    jm_text_encoder_to_string (encoder, second, JM_TEXT_FORMAT_PROMETHEUS);

  g_assert_cmpstr (before, ==, "");
  g_assert_cmpstr (after, ==,
                   "# HELP percent h\n# TYPE percent gauge\npercent{jobid=\"7\"} 50\n");
  g_assert_cmpstr (again, ==, after);
}

/* The job has its part of a device, and the device has the job. */
static void
test_devices_and_jobs_know_each_other (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  const char *const fields[] = { "GPU-1", "A100", "nvidia", "", "", "", "", NULL };
  g_autoptr (JmJob) job = jm_test_job_new ("7", "user", "ada", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;

  jm_snapshot_builder_add_gpu (builder, "0", fields);
  jm_snapshot_builder_add (builder, JM_METRIC_GPU_MEMORY_SIZE, 4096);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add_job_gpu (builder, "0", "hook", 100);
  snapshot = jm_snapshot_builder_end (builder);

  assert_text (HEAD "[of_job]\nHelp=h\nEach=job_gpu\n"
                    "Source=jobmetrics_node_gpu_memory_size_bytes\n"
                    "Labels=jobid;gpu;type={gpu.model}\n"
                    "[of_gpu]\nHelp=h\nSource=jobmetrics_node_gpu_memory_size_bytes\n"
                    "Labels=uuid={gpu.uuid};user\n",
               snapshot,
               "# HELP of_job h\n# TYPE of_job gauge\n"
               "of_job{jobid=\"7\",gpu=\"0\",type=\"A100\"} 4096\n"
               "# HELP of_gpu h\n# TYPE of_gpu gauge\n"
               "of_gpu{uuid=\"GPU-1\",user=\"ada\"} 4096\n");
}

/* DCGM's exporter has the device's uuid and the instance's number, never its own uuid.
 */
static void
test_an_instance_has_the_uuid_of_its_device_and_its_number (void)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());
  const char *const whole[] = { "GPU-1", "A100", "nvidia", "", "", "", "", NULL };
  const char *const part[] = {
    "MIG-2", "A100", "nvidia", "", "0", "3g.40gb", "", NULL
  };
  const char *const lost[] = {
    "MIG-3", "A100", "nvidia", "", "9", "3g.40gb", "", NULL
  };
  g_autoptr (JmJob) job = jm_test_job_new ("7", NULL);
  g_autoptr (JmSnapshot) snapshot = NULL;

  jm_snapshot_builder_add_gpu (builder, "0", whole);
  jm_snapshot_builder_add_gpu (builder, "0.11", part);
  jm_snapshot_builder_add_gpu (builder, "9.1", lost);
  jm_snapshot_builder_add_job (builder, job);
  jm_snapshot_builder_add_job_gpu (builder, "0", "hook", 100);
  jm_snapshot_builder_add_job_gpu (builder, "0.11", "hook", 100);
  jm_snapshot_builder_add_job_gpu (builder, "9.1", "hook", 100);
  snapshot = jm_snapshot_builder_end (builder);

  assert_text (HEAD
               "[given]\nHelp=h\nEach=job_gpu\nValue=1\n"
               "Labels=gpu;of={gpu.device};uuid={gpu.device_uuid};iid={gpu.instance}\n",
               snapshot,
               "# HELP given h\n# TYPE given gauge\n"
               "given{gpu=\"0\",of=\"0\",uuid=\"GPU-1\",iid=\"\"} 1\n"
               "given{gpu=\"0.11\",of=\"0\",uuid=\"GPU-1\",iid=\"11\"} 1\n"
               "given{gpu=\"9.1\",of=\"9\",uuid=\"\",iid=\"1\"} 1\n");
}

/* OpenMetrics takes no counter whose name does not end in _total. */
static void
test_a_counter_of_another_name_is_unknown_to_openmetrics (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000000, 1);
  g_autoptr (JmTextEncoder) encoder =
    make_encoder (HEAD "[cpu]\nType=counter\nHelp=h\n"
                       "Source=jobmetrics_job_cpu_seconds_total\nLabels=user\n");
  g_autofree char *text =
    jm_text_encoder_to_string (encoder, snapshot, JM_TEXT_FORMAT_OPENMETRICS);

  g_assert_cmpstr (text, ==,
                   "# HELP cpu h\n# TYPE cpu unknown\ncpu{user=\"ada\"} 1\n"
                   "cpu{user=\"eve\"} 0.5\n# EOF\n");
}

static void
test_a_wrong_file_is_refused_with_group_and_key (void)
{
  static const struct
  {
    const char *text, *message;
  } cases[] = {
    { "", "other.conf: Dialect: Name: missing" },
    { HEAD "Nome=x\n", "other.conf: Dialect: Nome: unknown key: Nome" },
    { HEAD "Run=id={user}\n",
      "other.conf: Dialect: Run: not LABEL={jobid}, {uuid} or {cluster}: id={user}" },
    { HEAD "Run=id\n",
      "other.conf: Dialect: Run: not LABEL={jobid}, {uuid} or {cluster}: id" },
    { HEAD "Run=jobid;a-b={uuid}\n",
      "other.conf: Dialect: Run: not the name of a label: a-b" },
    { HEAD "[a]\nHelp=h\nSorce=x\n", "other.conf: a: Sorce: unknown key: Sorce" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_nope\n",
      "other.conf: a: Source: no metric of jobmetrics: jobmetrics_job_nope" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_cpus\nType=histogram\n",
      "other.conf: a: Type: not gauge, counter, updowncounter or untyped: histogram" },
    { HEAD "[a.b]\nHelp=h\nValue=1\n", "other.conf: a.b: Unit: missing" },
    { HEAD "[a]\nHelp=h\nValue=1\nUnit=s\n", "other.conf: a: Unit: of no such name" },
    { HEAD "[a.b]\nHelp=h\nValue=1\nUnit=parsec\n",
      "other.conf: a.b: Unit: no unit: parsec" },
    { HEAD "[a.b]\nHelp=h\nValue=1\nUnit=s\n[a_b_seconds]\nHelp=h\nValue=1\n",
      "other.conf: a_b_seconds: a family twice" },
    { HEAD "[a-b]\nHelp=h\nValue=1\n",
      "other.conf: a-b: no name that Prometheus takes: a-b" },
    { HEAD "[a]\nHelp=h\nValue=1\nLabels=__name__=x\n",
      "other.conf: a: Labels: not the name of a label: __name__" },
    { HEAD "[a]\nHelp=h\nValue=1\nLabels=user;user\n",
      "other.conf: a: Labels: a label twice: user" },
    { HEAD "[a]\nHelp=h\nValue=1\nLabels=x={colour}\n",
      "other.conf: a: Labels: no field or label of these figures: colour" },
    { HEAD "[a]\nHelp=h\nValue=1\nLabels=x={user\n",
      "other.conf: a: Labels: a brace without its other: {user" },
    { HEAD "[a]\nHelp=h\n", "other.conf: a: neither Source nor Value in: a" },
    { HEAD "[a]\nHelp=h\nValue=1\nScale=big\n",
      "other.conf: a: Scale: not a number: big" },
    { HEAD "[a]\nHelp=h\nValue=1\n[a]\nHelp=h\nValue=2\n",
      "other.conf: a group twice: [a]" },
    { HEAD "[a]\nHelp=h\nHelp=g\nValue=1\n", "other.conf: a: a key twice: Help" },
    { HEAD "[a]\nHelp=h\nEach=node\nSource=jobmetrics_job_cpus\n",
      "other.conf: a: Source: of another kind than Each: job" },
    { HEAD "[a]\nValue=1\n", "other.conf: a: Help: missing" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_cpus\nWhere=user=?*\n",
      "other.conf: a: Where: no label of these figures: user" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_cpus{user=?*}\n",
      "other.conf: a: Source: no label of these figures: user" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_threads{state=run\n",
      "other.conf: a: Source: a brace without its other: "
      "jobmetrics_job_threads{state=run" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_threads{state}\n",
      "other.conf: a: Source: not LABEL=PATTERN: state" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_cpus\nWords=a;b\n",
      "other.conf: a: Words: not one for each source: a" },
    { HEAD
      "[a]\nHelp=h\nSource=jobmetrics_job_cpus;jobmetrics_job_threads\nWords=a;b\n",
      "other.conf: a: Words: sources of different labels: a" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_cpus\nLabels=x={word}\n",
      "other.conf: a: Labels: no field or label of these figures: word" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_cpus\n"
           "Info=jobmetrics_cluster_node_state\n",
      "other.conf: a: Info: of another kind than Each: state" },
    { HEAD "[a]\nHelp=h\nValue=1\nAbsent=0\n",
      "other.conf: a: Absent: without a Source in: a" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_memory_limit_bytes\n"
           "AbsentIf=jobmetrics_job_memory_unlimited\n",
      "other.conf: a: AbsentIf: without Absent, or of another kind: a" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_threads\nLabels=state\nEnum=a;a\n",
      "other.conf: a: Enum: a word twice: a" },
    { HEAD "[a]\nHelp=h\nSource=jobmetrics_job_threads\nLabels=jobid\nEnum=a\n",
      "other.conf: a: Enum: not of one source with one label that Labels has: a" },
    { HEAD "[a]\nHelp=h\nValue=1\nEnum=a\n",
      "other.conf: a: Enum: not of one source with one label that Labels has: a" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (jm_dialect_new_from_text ("other.conf", cases[i].text,
                                               strlen (cases[i].text), &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_two_dialects_have_no_family_together (void)
{
  const char *text = HEAD "[a]\nHelp=h\nValue=1\n";
  g_autoptr (JmTextEncoder) encoder = make_encoder (text);
  g_autoptr (JmDialect) same = read_dialect (text);
  g_autoptr (GError) error = NULL;

  g_assert_false (jm_text_encoder_add_dialect (encoder, same, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "other and other both have a");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add_func ("/dialect/" path, function)
  ADD ("family", test_a_family_is_named_labelled_and_scaled);
  ADD ("values", test_values_of_labels_are_replaced_and_figures_chosen);
  ADD ("without-labels", test_figures_without_labels_are_not_chosen_among);
  ADD ("unknown", test_what_is_not_known_is_replaced_too);
  ADD ("same-labels", test_figures_of_the_same_labels_are_added);
  ADD ("combine", test_sources_are_combined);
  ADD ("absent-if", test_a_limit_that_could_not_be_read_is_not_called_none);
  ADD ("absent", test_what_the_original_prints_for_no_limit_is_printed);
  ADD ("enumeration", test_an_enumeration_has_each_of_its_words);
  ADD ("fields", test_fields_are_figures);
  ADD ("schedulers", test_only_jobs_of_its_schedulers_are_shown);
  ADD ("rate", test_a_rate_is_of_the_last_sample);
  ADD ("devices", test_devices_and_jobs_know_each_other);
  ADD ("device-of-instance",
       test_an_instance_has_the_uuid_of_its_device_and_its_number);
  ADD ("openmetrics", test_a_counter_of_another_name_is_unknown_to_openmetrics);
  ADD ("subject-label", test_figures_are_chosen_by_labels_of_their_subject);
  ADD ("words", test_each_source_has_a_word);
  ADD ("combine-labels", test_figures_with_labels_are_combined_by_these);
  ADD ("absent-known", test_zero_is_of_what_is_known_not_to_be_there);
  ADD ("absent-device", test_what_a_driver_does_not_report_is_written_of_its_devices);
  ADD ("info", test_labels_of_another_figure_may_be_named);
  ADD ("like", test_a_dialect_has_families_of_another);
  ADD ("opentelemetry", test_names_of_opentelemetry_are_renamed_for_scrapers);
  ADD ("wrong", test_a_wrong_file_is_refused_with_group_and_key);
  ADD ("together", test_two_dialects_have_no_family_together);
#undef ADD

  return g_test_run ();
}
