/* test-doctor.c: machines that ail in many ways
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/jm-examination-private.h"
#include "machine.h"

/* --- cgroups --- */

static void
test_finds_a_sound_machine_sound (Machine *self, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = machine_examine (self);

  for (guint i = 0; i < findings->len; i++)
    {
      JmFinding *finding = g_ptr_array_index (findings, i);
      const char *topic = jm_finding_get_topic (finding);

      if (g_str_equal (topic, "host.live"))
        continue;
      if (jm_finding_get_severity (finding) != JM_SEVERITY_GOOD)
        g_error ("%s: %s", topic, jm_finding_get_seen (finding));
    }
  assert_found (findings, "cgroup.version", JM_SEVERITY_GOOD, "v2 at /sys/fs/cgroup",
                NULL);
  assert_found (findings, "jobs.identity", JM_SEVERITY_GOOD, "Hooks", NULL);
}

static void
test_says_where_the_hierarchies_of_v1_are (void)
{
  g_autoptr (GPtrArray) findings = examine_fixture ("slurm-v1-steps");

  assert_found (findings, "cgroup.version", JM_SEVERITY_GOOD,
                "memory at /sys/fs/cgroup/memory", NULL);
  assert_found (findings, "cgroup.cpuacct", JM_SEVERITY_GOOD, "slurm", NULL);
  assert_found (findings, "cgroup.pids", JM_SEVERITY_NOTE, "hand", "Slurm");
  assert_found (findings, "pressure", JM_SEVERITY_NOTE, "v1", "v2");
}

static void
test_says_that_no_hierarchy_is_mounted (void)
{
  g_autoptr (GPtrArray) findings = examine_fixture ("empty");

  assert_found (findings, "cgroup.version", JM_SEVERITY_PROBLEM,
                "no hierarchy of cgroups", "mount -t cgroup2");
  g_assert_null (find_finding (findings, "cgroup.memory"));
}

static void
test_blames_the_kernel_for_a_controller_it_lacks (Machine *self, gconstpointer data)
{
  machine_put (self, CGROUP "cgroup.controllers", "cpuset cpu\n");
  machine_put (self, SCOPE "cgroup.controllers", "cpuset cpu\n");
  machine_put (self, JOB "cgroup.controllers", "cpuset cpu\n");

  assert_examined (self, "cgroup.memory", JM_SEVERITY_PROBLEM, "kernel",
                   "cgroup_disable=memory");
  assert_examined (self, "cgroup.io", JM_SEVERITY_NOTE, "kernel", "cgroup_disable=io");
}

static void
test_blames_systemd_for_a_controller_the_scheduler_lacks (Machine *self,
                                                          gconstpointer data)
{
  machine_put (self, SCOPE "cgroup.controllers", "cpu memory\n");
  machine_put (self, JOB "cgroup.controllers", "cpu memory\n");

  assert_examined (self, "cgroup.cpuset", JM_SEVERITY_PROBLEM, "reach", "Delegate=yes");
}

static void
test_blames_the_scheduler_for_a_controller_it_keeps (Machine *self, gconstpointer data)
{
  machine_put (self, JOB "cgroup.controllers", "cpuset cpu\n");

  assert_examined (self, "cgroup.memory", JM_SEVERITY_PROBLEM, "hand",
                   "ConstrainRAMSpace");
  assert_examined (self, "cgroup.pids", JM_SEVERITY_NOTE, "hand", NULL);
}

static void
test_looks_where_jobs_would_be_where_there_are_none (Machine *self, gconstpointer data)
{
  g_autofree char *job = g_build_filename (self->tree->root, JOB, NULL);
  g_autofree char *elsewhere = g_build_filename (self->tree->root, "gone", NULL);

  g_assert_cmpint (g_rename (job, elsewhere), ==, 0);
  machine_put (self, SCOPE "cgroup.subtree_control", "cpuset cpu\n");

  assert_examined (self, "cgroup.memory", JM_SEVERITY_PROBLEM, "slurmstepd.scope",
                   NULL);
  assert_examined (self, "cgroup.cpu", JM_SEVERITY_GOOD, NULL, NULL);
  assert_examined (self, "jobs.found", JM_SEVERITY_NOTE, "No jobs", "job runs");
}

static void
test_says_how_to_mount_a_hierarchy_of_v1 (Machine *self, gconstpointer data)
{
  machine_put (self, "proc/self/mountinfo",
               "25 1 0:22 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n");
  machine_put (self, CGROUP "cpuacct/slurm/uid_1000/job_7/cpuacct.usage", "1\n");

  assert_examined (self, "cgroup.cpuacct", JM_SEVERITY_GOOD, "slurm", NULL);
  assert_examined (self, "cgroup.memory", JM_SEVERITY_PROBLEM, "kernel",
                   "mount -t cgroup -o memory");
}

static void
test_lets_a_user_run_with_what_they_have (void)
{
  g_autoptr (GPtrArray) findings = examine_fixture ("local");

  assert_found (findings, "cgroup.memory", JM_SEVERITY_NOTE, "local",
                "jobmetrics-cli run");
}

/* --- the kernel --- */

static void
test_names_the_kernel_that_keeps_no_peak (Machine *self, gconstpointer data)
{
  machine_take_away (self, JOB "memory.peak");

  assert_examined (self, "memory.peak", JM_SEVERITY_NOTE, "6.1.0-test", "5.19");
}

static void
test_misses_swap_only_where_there_is_some (Machine *self, gconstpointer data)
{
  machine_take_away (self, JOB "memory.swap.current");
  assert_examined (self, "memory.swap", JM_SEVERITY_NOTE, "memory.swap.current",
                   "swapaccount=1");

  machine_put (self, "proc/meminfo", "MemTotal: 1000 kB\nSwapTotal: 0 kB\n");
  assert_examined (self, "memory.swap", JM_SEVERITY_GOOD, "has none", NULL);
}

static void
test_says_how_to_turn_pressure_on (Machine *self, gconstpointer data)
{
  machine_take_away (self, JOB "cpu.pressure");
  assert_examined (self, "pressure", JM_SEVERITY_NOTE, "not that of jobs",
                   "cgroup_disable=pressure");

  machine_take_away (self, "proc/pressure/cpu");
  assert_examined (self, "pressure", JM_SEVERITY_NOTE, "/proc/pressure", "psi=1");
}

static void
test_says_that_a_copy_cannot_report_all (Machine *self, gconstpointer data)
{
  static const char *const left_out[] = { "inotify",  "files.limit",  "proc.io",
                                          "proc.fd",  "proc.environ", "proc.exe",
                                          "proc.bpf", "clock",        "host.user" };
  g_autoptr (GPtrArray) findings = machine_examine (self);

  assert_found (findings, "host.live", JM_SEVERITY_NOTE, "copied tree", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (left_out); i++)
    g_assert_null (find_finding (findings, left_out[i]));
}

/* --- processes --- */

static void
test_sees_that_proc_hides_processes (Machine *self, gconstpointer data)
{
  machine_put (self, "proc/self/mountinfo",
               MOUNT_V2 "26 1 0:23 / /proc rw - proc proc rw,hidepid=invisible\n");
  assert_examined (self, "proc.hidepid", JM_SEVERITY_NOTE, "hidepid=invisible",
                   "SupplementaryGroups");

  machine_put (self, "proc/self/mountinfo",
               MOUNT_V2 "26 1 0:23 / /proc rw - proc proc rw,hidepid=0\n");
  assert_examined (self, "proc.hidepid", JM_SEVERITY_GOOD, NULL, NULL);
}

static void
test_says_that_proc_is_missing (Machine *self, gconstpointer data)
{
  machine_take_away (self, "proc/uptime");

  assert_examined (self, "proc.mount", JM_SEVERITY_PROBLEM, "proc/uptime",
                   "--path.procfs");
}

/* --- hooks --- */

static void
test_says_that_no_hook_is_installed (Machine *self, gconstpointer data)
{
  machine_take_away (self, HOOKS "7");
  machine_take_away (self, HOOKS);

  assert_examined (self, "hooks.directory", JM_SEVERITY_NOTE, "/run/jobmetrics/jobs",
                   "jobmetrics-prolog");
}

static void
test_distrusts_a_directory_that_all_may_write (Machine *self, gconstpointer data)
{
  g_autofree char *directory = g_build_filename (self->tree->root, HOOKS, NULL);

  g_assert_cmpint (g_chmod (directory, 0777), ==, 0);

  assert_examined (self, "hooks.directory", JM_SEVERITY_PROBLEM, "0777", "0755");
}

static void
test_distrusts_a_file_that_all_may_write (Machine *self, gconstpointer data)
{
  g_autofree char *file = g_build_filename (self->tree->root, HOOKS "7", NULL);

  g_assert_cmpint (g_chmod (file, 0666), ==, 0);

  assert_examined (self, "hooks.files", JM_SEVERITY_PROBLEM, "0666", "0644");
}

static void
test_quotes_a_file_that_does_not_parse (Machine *self, gconstpointer data)
{
  machine_put (self, HOOKS "7", "nonsense\n");

  assert_examined (self, "hooks.files", JM_SEVERITY_PROBLEM, "nonsense", NULL);
}

static void
test_names_the_jobs_that_no_hook_reported (Machine *self, gconstpointer data)
{
  machine_put_job (self, SCOPE "job_8/");

  assert_examined (self, "hooks.prolog", JM_SEVERITY_NOTE,
                   "no file in /run/jobmetrics/jobs for 1 of 2 jobs: "
                   "/system.slice/slurmstepd.scope/job_8",
                   "Prolog=");
}

static void
test_names_the_files_that_no_job_has (Machine *self, gconstpointer data)
{
  machine_put (self, HOOKS "5", "SLURM_JOB_ID=5\n");
  machine_put (self, HOOKS ".new.abc", "half a li");

  assert_examined (self, "hooks.epilog", JM_SEVERITY_NOTE, "nothing here: 5",
                   "Epilog=");
  assert_examined (self, "hooks.files", JM_SEVERITY_GOOD, NULL, NULL);
}

#define ACTIVE "var/spool/gridengine/execd/n1/active_jobs"

static void
test_says_whether_a_spool_can_be_trusted (Machine *self, gconstpointer data)
{
  g_autofree char *spool =
    g_build_filename (self->tree->root, "var/spool/gridengine/execd", NULL);

  machine_put (self, ACTIVE "/7.1/addgrpid", "65400\n");
  assert_examined (self, "spool.directory", JM_SEVERITY_GOOD, "/" ACTIVE, NULL);

  g_assert_cmpint (g_chmod (spool, 0777), ==, 0);
  assert_examined (self, "spool.directory", JM_SEVERITY_PROBLEM,
                   "/var/spool/gridengine/execd: not trusted", "write it");
}

static void
test_knows_the_second_file_of_a_job_with_a_sluid (Machine *self, gconstpointer data)
{
  machine_put (self, HOOKS "7", PROPERTIES "SLURM_JOB_SLUID=sEKNKTV3WQ2G00\n");
  machine_put (self, HOOKS "sEKNKTV3WQ2G00", PROPERTIES);

  assert_examined (self, "hooks.epilog", JM_SEVERITY_GOOD, NULL, NULL);
}

/* --- schedulers and jobs --- */

#define SITE "etc/jobmetrics/schedulers/"
#define DEFINITION(name, job)                                                          \
 "[Scheduler]\nName=" name "\n[Cgroup]\nJob=" job "\n[Environment]\njobid=ID\n"

static void
test_names_a_broken_definition (Machine *self, gconstpointer data)
{
  self->definitions = "definitions";
  machine_put (self, "definitions/broken.conf", "[Scheduler]\nColour=red\n");

  assert_examined (self, "schedulers.files", JM_SEVERITY_PROBLEM, NULL, NULL);
  machine_put (self, "definitions/sound.conf", DEFINITION ("sound", "**/job_%j"));
  assert_examined (self, "schedulers.files", JM_SEVERITY_PROBLEM, "broken.conf",
                   "Mend");
}

static void
test_says_which_definitions_count (Machine *self, gconstpointer data)
{
  g_autofree char *site = g_build_filename (self->tree->root, SITE "slurm.conf", NULL);

  assert_examined (self, "schedulers.files", JM_SEVERITY_GOOD, "local.conf (built in)",
                   NULL);
  assert_examined (self, "schedulers.files", JM_SEVERITY_GOOD, "slurm.conf (built in)",
                   NULL);
  machine_put (self, SITE "slurm.conf", DEFINITION ("slurm", "**/job_%j"));
  assert_examined (self, "schedulers.files", JM_SEVERITY_GOOD, site, NULL);
}

static void
test_says_which_tables_count (Machine *self, gconstpointer data)
{
  g_autofree char *site =
    g_build_filename (self->tree->root, "etc/jobmetrics/emissions/owid.csv", NULL);

  assert_examined (self, "data.tables", JM_SEVERITY_GOOD, "(built in)", NULL);
  machine_put (self, "etc/jobmetrics/emissions/owid.csv", "FRA,FR,France,2025,12\n");
  assert_examined (self, "data.tables", JM_SEVERITY_GOOD, site, NULL);
  machine_put (self, "etc/jobmetrics/emissions/owid.csv", "");
  assert_examined (self, "data.tables", JM_SEVERITY_NOTE, "hides", "Remove");
}

static void
test_says_that_there_are_no_definitions (Machine *self, gconstpointer data)
{
  g_autofree char *folder =
    g_test_build_filename (G_TEST_DIST, "..", "data", "schedulers", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_strconcat (SITE, name, NULL);

      machine_put (self, path, "");
    }

  assert_examined (self, "schedulers.files", JM_SEVERITY_PROBLEM, "no scheduler",
                   "--schedulers");
}

#define FARM DEFINITION ("farm", "**/slurmstepd.scope/job_%j")

static void
test_says_what_a_sites_own_definition_advises (Machine *self, gconstpointer data)
{
  machine_put (self, SITE "slurm.conf", FARM);
  machine_put (self, JOB "cgroup.controllers", "cpuset cpu\n");
  assert_examined (self, "cgroup.memory", JM_SEVERITY_PROBLEM, "farm", "its manual");

  machine_put (self, SITE "slurm.conf",
               FARM "[Advice]\ncgroup.memory=Tell farmd to count\n");
  assert_examined (self, "cgroup.memory", JM_SEVERITY_PROBLEM, "farm",
                   "Tell farmd to count");
}

static void
test_sees_two_definitions_claim_one_job (Machine *self, gconstpointer data)
{
  self->definitions = "definitions";
  machine_put (self, "definitions/one.conf",
               DEFINITION ("one", "**/slurmstepd.scope/job_%j"));
  machine_put (self, "definitions/two.conf", DEFINITION ("two", "**/job_%j"));

  assert_examined (self, "schedulers.overlap", JM_SEVERITY_PROBLEM,
                   "/system.slice/slurmstepd.scope/job_7 is a job of both one and two",
                   "Exclude=");
}

#define CONTAINED CGROUP "system.slice/docker-1.scope/system.slice/slurmstepd.scope/"

/* It counts only where the site says so, and the doctor names the file that does. */
static void
test_sees_jobs_of_slurm_in_a_container (Machine *self, gconstpointer data)
{
  g_autofree char *definition =
    g_test_build_filename (G_TEST_DIST, "..", "data", "schedulers", "optional",
                           "slurm.conf", NULL);
  g_autofree char *text = NULL;

  machine_put (self, CONTAINED "job_9/step_0/cgroup.procs", "");
  machine_put (self, JOB "step_0/slurmstepd.scope/job_3/cgroup.procs", "");
  machine_put (self,
               CGROUP "user.slice/user-1000.slice/slurmstepd.scope/job_4/cgroup.procs",
               "");
  assert_examined (self, "jobs.found", JM_SEVERITY_NOTE,
                   "do not count as jobs: "
                   "/system.slice/docker-1.scope/system.slice/slurmstepd.scope/job_9",
                   "optional/slurm.conf");

  g_assert_true (g_file_get_contents (definition, &text, NULL, NULL));
  machine_put (self, SITE "slurm.conf", text);
  assert_examined (self, "jobs.found", JM_SEVERITY_GOOD, "2 jobs", NULL);
}

/* In this one a user has started a unit under the name of a job of Flux. */
static void
test_takes_what_a_user_made_for_no_job (void)
{
  g_autoptr (GPtrArray) findings = examine_fixture ("flux");

  assert_found (findings, "hooks.prolog", JM_SEVERITY_NOTE,
                "flux: no file in /run/jobmetrics/jobs for 1 of 2 jobs",
                "jobmetrics-flux-prolog");
}

static void
test_advises_for_the_schedulers_whose_jobs_are_here (void)
{
  g_autoptr (GPtrArray) here = examine_fixture ("htcondor-v2");
  const char *advice = jm_finding_get_remedy (find_finding (here, "hooks.directory"));

  g_assert_nonnull (strstr (advice, "HTCondor"));
  g_assert_null (strstr (advice, "Slurm"));
}

static void
test_sees_two_definitions_of_one_name (Machine *self, gconstpointer data)
{
  self->definitions = "definitions";
  machine_put (self, "definitions/one.conf", DEFINITION ("same", "/a/job_%j"));
  machine_put (self, "definitions/two.conf", DEFINITION ("same", "/b/job_%j"));

  assert_examined (self, "schedulers.overlap", JM_SEVERITY_PROBLEM, "same", NULL);
}

static void
test_finds_a_job_known_by_its_path_alone_a_problem (Machine *self, gconstpointer data)
{
  machine_take_away (self, HOOKS "7");

  assert_examined (self, "jobs.identity", JM_SEVERITY_PROBLEM, "path alone",
                   "proc.environ");
}

static void
test_forgives_a_job_that_is_about_to_end (Machine *self, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = NULL;

  machine_take_away (self, HOOKS "7");
  machine_put (self, JOB "cgroup.procs", "");
  findings = machine_examine (self);

  g_assert_null (find_finding (findings, "jobs.identity"));
  assert_found (findings, "jobs.found", JM_SEVERITY_GOOD, "1 by the path", NULL);
}

static void
test_warns_of_what_users_can_forge (Machine *self, gconstpointer data)
{
  const char *const environment[] = { "SLURM_JOB_ID=7", "SLURM_JOB_ACCOUNT=rich",
                                      NULL };

  machine_take_away (self, HOOKS "7");
  machine_put_process (self, environment);

  assert_examined (self, "jobs.identity", JM_SEVERITY_NOTE, "forge: 1 of 1 job: 7",
                   "hooks");
}

static void
test_misses_a_job_without_an_id (Machine *self, gconstpointer data)
{
  machine_put_job (self, SCOPE "sEKNKTV3WQ2G00/");

  assert_examined (self, "jobs.identity", JM_SEVERITY_PROBLEM, "sEKNKTV3WQ2G00",
                   "CgroupJobIdPaths");
}

static void
test_quotes_what_collectors_could_not_read (Machine *self, gconstpointer data)
{
  machine_put (self, JOB "memory.current", "12garbage\n");

  assert_examined (self, "collectors", JM_SEVERITY_PROBLEM, "12garbage", NULL);
}

/* --- this very machine --- */

static GPtrArray *
examine_this_machine (void)
{
  const char *const no_schedulers[] = { NULL };
  g_autoptr (JmHost) host = jm_host_new (NULL);

  return jm_doctor_examine (host, no_schedulers, NULL, NULL, NULL, NULL);
}

static void
test_reports_all_of_a_running_machine (void)
{
  static const char *const told[] = { "inotify",  "files.limit",  "proc.io",
                                      "proc.fd",  "proc.environ", "proc.exe",
                                      "proc.bpf", "proc.mount",   "clock",
                                      "host.user" };
  g_autoptr (GPtrArray) findings = examine_this_machine ();

  assert_found (findings, "host.live", JM_SEVERITY_GOOD, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_assert_nonnull (find_finding (findings, told[i]));
}

/* What the child has become may read nothing more than its findings need. */
static void
examine_as_nobody (void)
{
  const uid_t nobody = 65534;
  g_autoptr (GPtrArray) findings = NULL;

  if (setgroups (0, NULL) != 0 || setresgid (nobody, nobody, nobody) != 0 ||
      setresuid (nobody, nobody, nobody) != 0)
    _exit (99);

  findings = examine_this_machine ();
  assert_found (findings, "host.user", JM_SEVERITY_GOOD, "65534", NULL);
  assert_found (findings, "proc.io", JM_SEVERITY_NOTE, "Permission denied",
                "process-details.conf");
  assert_found (findings, "proc.environ", JM_SEVERITY_NOTE, "Permission denied",
                "CAP_DAC_READ_SEARCH");
  assert_found (findings, "proc.bpf", JM_SEVERITY_NOTE, "BPF", NULL);
  _exit (0);
}

static void
test_names_the_privileges_that_a_user_lacks (void)
{
  int status;
  pid_t pid;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can become another user");
      return;
    }

  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    examine_as_nobody ();

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

/* --- all of them --- */

static void
test_finds_no_topic_but_those_listed (void)
{
  g_autofree char *fixtures = g_test_build_filename (G_TEST_BUILT, "fixtures", NULL);
  g_autoptr (GDir) dir = g_dir_open (fixtures, 0, NULL);
  g_auto (GStrv) topics = jm_doctor_list_topics ();
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autoptr (GPtrArray) findings = examine_fixture (name);

      g_assert_cmpuint (findings->len, >, 0);
      for (guint i = 0; i < findings->len; i++)
        g_assert_true (
          g_strv_contains ((const char *const *) topics,
                           jm_finding_get_topic (g_ptr_array_index (findings, i))));
    }
}

static char *
read_troubleshooting (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "doc", "reference",
                                                 "troubleshooting.md", NULL);
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

static void
test_has_a_section_in_the_manual_for_each_topic (void)
{
  g_autofree char *page = read_troubleshooting ();
  g_auto (GStrv) topics = jm_doctor_list_topics ();

  for (char **topic = topics; *topic != NULL; topic++)
    {
      g_autofree char *title = g_strdup_printf ("\n### %s\n", *topic);

      assert_says (page, title);
    }
}

static void
test_has_a_topic_for_each_section_in_the_manual (void)
{
  g_autofree char *page = read_troubleshooting ();
  g_auto (GStrv) lines = g_strsplit (page, "\n", -1);
  g_auto (GStrv) topics = jm_doctor_list_topics ();

  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix (*line, "### "))
      g_assert_true (
        g_strv_contains ((const char *const *) topics, *line + strlen ("### ")));
}

static void
test_keeps_a_finding_that_outlives_its_array (void)
{
  g_autoptr (GPtrArray) findings = examine_fixture ("empty");
  g_autoptr (JmFinding) finding = jm_finding_ref (g_ptr_array_index (findings, 0));

  g_clear_pointer (&findings, g_ptr_array_unref);

  g_assert_cmpstr (jm_finding_get_topic (finding), ==, "host.live");
  g_assert_cmpstr (jm_severity_get_name (jm_finding_get_severity (finding)), ==,
                   "note");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* hooks' files that are not believed are warned of, too */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);

#define ADD(path, test) g_test_add_func ("/doctor/" path, test)
#define ADD_MACHINE(path, test)                                                        \
 g_test_add ("/doctor/" path, Machine, NULL, machine_set_up, test, machine_tear_down)

  ADD_MACHINE ("sound", test_finds_a_sound_machine_sound);
  ADD ("v1", test_says_where_the_hierarchies_of_v1_are);
  ADD ("no-cgroups", test_says_that_no_hierarchy_is_mounted);
  ADD_MACHINE ("kernel-lacks", test_blames_the_kernel_for_a_controller_it_lacks);
  ADD_MACHINE ("systemd-keeps",
               test_blames_systemd_for_a_controller_the_scheduler_lacks);
  ADD_MACHINE ("scheduler-keeps", test_blames_the_scheduler_for_a_controller_it_keeps);
  ADD_MACHINE ("hall", test_looks_where_jobs_would_be_where_there_are_none);
  ADD_MACHINE ("v1-mount", test_says_how_to_mount_a_hierarchy_of_v1);
  ADD ("local", test_lets_a_user_run_with_what_they_have);
  ADD_MACHINE ("peak", test_names_the_kernel_that_keeps_no_peak);
  ADD_MACHINE ("swap", test_misses_swap_only_where_there_is_some);
  ADD_MACHINE ("pressure", test_says_how_to_turn_pressure_on);
  ADD_MACHINE ("copy", test_says_that_a_copy_cannot_report_all);
  ADD_MACHINE ("hidepid", test_sees_that_proc_hides_processes);
  ADD_MACHINE ("no-proc", test_says_that_proc_is_missing);
  ADD_MACHINE ("no-hooks", test_says_that_no_hook_is_installed);
  ADD_MACHINE ("open-directory", test_distrusts_a_directory_that_all_may_write);
  ADD_MACHINE ("open-file", test_distrusts_a_file_that_all_may_write);
  ADD_MACHINE ("nonsense", test_quotes_a_file_that_does_not_parse);
  ADD_MACHINE ("no-prolog", test_names_the_jobs_that_no_hook_reported);
  ADD_MACHINE ("no-epilog", test_names_the_files_that_no_job_has);
  ADD_MACHINE ("spool", test_says_whether_a_spool_can_be_trusted);
  ADD_MACHINE ("sluid-file", test_knows_the_second_file_of_a_job_with_a_sluid);
  ADD_MACHINE ("broken-definition", test_names_a_broken_definition);
  ADD_MACHINE ("definitions", test_says_which_definitions_count);
  ADD_MACHINE ("tables", test_says_which_tables_count);
  ADD_MACHINE ("no-definition", test_says_that_there_are_no_definitions);
  ADD_MACHINE ("contained", test_sees_jobs_of_slurm_in_a_container);
  ADD_MACHINE ("advice", test_says_what_a_sites_own_definition_advises);
  ADD ("made-by-a-user", test_takes_what_a_user_made_for_no_job);
  ADD ("advice-of-those-here", test_advises_for_the_schedulers_whose_jobs_are_here);
  ADD_MACHINE ("overlap", test_sees_two_definitions_claim_one_job);
  ADD_MACHINE ("same-name", test_sees_two_definitions_of_one_name);
  ADD_MACHINE ("by-path", test_finds_a_job_known_by_its_path_alone_a_problem);
  ADD_MACHINE ("ending", test_forgives_a_job_that_is_about_to_end);
  ADD_MACHINE ("by-environment", test_warns_of_what_users_can_forge);
  ADD_MACHINE ("nameless", test_misses_a_job_without_an_id);
  ADD_MACHINE ("collectors", test_quotes_what_collectors_could_not_read);
  ADD ("live", test_reports_all_of_a_running_machine);
  ADD ("unprivileged", test_names_the_privileges_that_a_user_lacks);
  ADD ("topics", test_finds_no_topic_but_those_listed);
  ADD ("manual", test_has_a_section_in_the_manual_for_each_topic);
  ADD ("manual-back", test_has_a_topic_for_each_section_in_the_manual);
  ADD ("reference", test_keeps_a_finding_that_outlives_its_array);

  return g_test_run ();
}
