/* test-scheduler-claims.c: whose job a cgroup is, of all the schedulers that are known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "core/jm-place-private.h"
#include "tree.h"

typedef struct
{
  const char *scheduler;
  const char *path;
  const char *place; /* job/step/task, with a + for a helper */
} Claim;

#define UID "6d06282c-0377-4527-9a0f-9968bc9c4102"
#define UID_UNDERSCORED "6d06282c_0377_4527_9a0f_9968bc9c4102"
#define CONTAINER "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define MACHINE "/machine.slice/machine-qemu\\x2d1\\x2dinstance\\x2d00000001"
#define USERS "/user.slice/user-1000.slice/user@1000.service"
/* It stands in the place of slurm.conf, not beside it. */
#define IN_CONTAINERS "optional/slurm.conf"
#define POD "/kubepods.slice/kubepods-pod" UID_UNDERSCORED ".slice/"
#define FLUX "/user.slice/user-500.slice/user@500.service"

static const Claim claims[] = {
  { "slurm", "/slurm/uid_1000/job_5", "5" },
  { "slurm", "/slurm_n1/uid_1000/job_5/step_0/task_1", "5/0/1" },
  { "slurm", "/system.slice/slurmstepd.scope/job_5", "5" },
  { "slurm", "/system.slice/slurmstepd.scope/sEKNKTV3WPV500/step_0",
    "sEKNKTV3WPV500/0" },
  { "slurm", "/slurm/uid_1000/job_5/step_4294967290/task_0", "5/interactive/0" },
  { "slurm", "/system.slice/slurmstepd.scope/job_5/step_4294967292/user/task_0",
    "5/extern/0" },
  { "slurm", "/system.slice/slurmstepd.scope/job_5/step_4294967291/slurm", "5/batch+" },
  { "local", "/jobmetrics/job_1", "1" },
  { "local", "/user.slice/user-1000.slice/jobmetrics/job_1", "1" },
  { "pbs", "/pbs_jobs.service/jobid/1234.pbs01", "1234.pbs01" },
  { "pbs", "/pbs_jobs.service/jobid/1235[7].pbs01", "1235[7].pbs01" },
  { "pbs", "/pbs_jobs.service/jobs/1234.pbs01", "1234.pbs01" },
  { "pbs", "/pbs_jobs.service/jobs/1234", "1234" },
  { "pbs", "/pbspro/1234.pbs-1", "1234.pbs-1" },
  { "pbs", "/pbspro.slice/pbspro-1234.pbs01.slice", "1234.pbs01" },
  /* systemd-escape writes brackets and hyphens so */
  { "pbs", "/pbspro.slice/pbspro-1235\\x5b7\\x5d.pbs\\x2d1.slice", "1235[7].pbs-1" },
  { "torque", "/torque/77.head.example.org", "77.head.example.org" },
  { "torque", "/torque/78[3].head", "78[3].head" },
  { "torque", "/torque/79.head/R0.t1", "79.head/R0.t1" },
  { "lsf", "/lsf/cluster1/job.1009249.27179.1775318460", "1009249" },
  { "lsf", "/lsf/hpc_2.x/job.1009250[5].27301.1775318470", "1009250[5]" },
  { "htcondor", "/htcondor/condor_var_lib_condor_execute_slot1_1@ep1", "1_1" },
  { "htcondor", "/htcondor/condor_var_lib_condor_execute_slot1", "1" },
  { "htcondor",
    "/system.slice/htcondor/condor_var_lib_condor_execute_slot1_2@ep1.example.org",
    "1_2" },
  { "htcondor", "/system.slice/htcondor/_scratch_my_condor_slot2@ep1", "2" },
  { "htcondor", "/system.slice/condor.service/condor_scratch_slot10_11@ep-1", "10_11" },
  { "htcondor",
    "/system.slice/condor.service/htcondor/condor_var_lib_condor_execute_slot1_1@c1",
    "1_1" },
  /* of the local universe, by its starter */
  { "htcondor",
    "/system.slice/condor.service/htcondor/condor_var_lib_condor_execute_3185",
    "3185" },
  { "htcondor", "/htcondor/condor_scratch_3185", "3185" },
  { "flux", FLUX "/app.slice/imp-shell-3-fuZZybuNNy.service", "fuZZybuNNy" },
  { "flux", FLUX "/imp-shell-0-fxyzzy.service", "fxyzzy" },
  { "kubernetes", "/kubepods.slice/kubepods-pod" UID_UNDERSCORED ".slice", UID },
  { "kubernetes",
    "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_UNDERSCORED
    ".slice",
    UID },
  { "kubernetes",
    "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_UNDERSCORED
    ".slice",
    UID },
  { "kubernetes", "/kubepods/pod" UID, UID },
  { "kubernetes", "/kubepods/burstable/pod" UID, UID },
  { "kubernetes", "/kubepods/besteffort/pod" UID, UID },
  { "kubernetes",
    "/kubepods.slice/kubepods-pod" UID_UNDERSCORED ".slice/cri-containerd-" CONTAINER
    ".scope",
    UID "/" CONTAINER },
  { "kubernetes",
    "/kubepods.slice/kubepods-pod" UID_UNDERSCORED ".slice/crio-" CONTAINER ".scope",
    UID "/" CONTAINER },
  { "kubernetes",
    "/kubepods.slice/kubepods-pod" UID_UNDERSCORED ".slice/docker-" CONTAINER ".scope",
    UID "/" CONTAINER },
  { "kubernetes", "/kubepods/pod" UID "/" CONTAINER, UID "/" CONTAINER },
  { "kubernetes", "/kubepods/pod" UID "/crio-" CONTAINER, UID "/" CONTAINER },
  { "oar", "/oar/alice_1", "1" },
  { "oar", "/oar/eve_9_2", "2" },
  { "libvirt", MACHINE ".scope", "instance-00000001" },
  { "libvirt", "/machine.slice/machine-site.slice/machine-qemu\\x2d12\\x2dweb.scope",
    "web" },
  { "libvirt", "/machine/qemu-1-instance-00000001.libvirt-qemu", "instance-00000001" },
  { "podman", "/machine.slice/libpod-" CONTAINER ".scope", CONTAINER },
  { "docker", "/system.slice/docker-" CONTAINER ".scope", CONTAINER },
  { "docker", "/docker/" CONTAINER, CONTAINER },
  { "systemd", "/system.slice/render.service", "render" },
  { "systemd", "/system.slice/system-postgresql.slice/postgresql@15-main.service",
    "postgresql@15-main" },
  { "session", "/user.slice/user-1000.slice/session-6.scope", "session-6" },
  { "session", "/user.slice/user-1000.slice/session-c2.scope", "session-c2" },
};

/* What users may make: below their own systemd's cgroups, in a container, in a job
 * whose cgroup is handed on to them; and what only looks like a job. */
static const char *const nobodys[] = {
  "/user.slice/user-1000.slice/user@1000.service/app.slice/imp-shell-3-f2Xk9Yw.service",
  "/user.slice/user-1000.slice/user@500.service/app.slice/imp-shell-3-f2Xk9Yw.service",
  "/user.slice/user-500.slice/user@500.service/app.slice/x.slice/"
  "imp-shell-3-f2Xk9Yw.service",
  "/user.slice/user-1000.slice/user@1000.service/pbs_jobs.service/jobs/1.pbs01",
  "/user.slice/user-1000.slice/user@1000.service/htcondor/condor_slot1@ep1",
  "/user.slice/user-1000.slice/user@1000.service/app.slice/htcondor/condor_slot1@ep1",
  "/user.slice/user-1000.slice/user@1000.service/kubepods/pod" UID,
  "/user.slice/user-1000.slice/user@1000.service/app.slice/slurmstepd.scope/job_5",
  "/user.slice/user-1000.slice/htcondor/condor_slot1@ep1",
  USERS "/user.slice/libpod-" CONTAINER ".scope",
  USERS "/user.slice/libpod-conmon-" CONTAINER ".scope",
  USERS "/user.slice/docker-" CONTAINER ".scope",
  USERS "/app.slice/crunch.service",
  USERS "/app.slice/6.scope",
  USERS "/session-6.scope",
  USERS "/oar/alice_1",
  USERS "/machine.slice/libpod-" CONTAINER ".scope",
  USERS "/machine.slice/machine-qemu\\x2d1\\x2dmine.scope",
  "/machine.slice/libpod-conmon-" CONTAINER ".scope",
  "/machine.slice/machine-lxc\\x2d1\\x2dmine.scope",
  "/system.slice/flux.service/imp-shell-3-f2Xk9Yw.service",
  "/kubepods.slice/kubepods-pod12345678.slice",
  "/lsf/c/job.1.2",
  "/system.slice/htcondor/x",
  "/system.slice/condor.service/leaf",
  "/system.slice/condor.service/htcondor",
  /* what schedulers run jobs in, or leave them in */
  "/system.slice/slurmd.service",
  "/system.slice/oar-node.service",
  "/system.slice/condor.service",
};

/* What looks like a job and is inside of one, which has it. */
static const Claim insides[] = {
  { "slurm", "/system.slice/slurmstepd.scope/job_5/step_0/user/task_0/libpod-1.scope",
    "5" },
  { "slurm", "/slurm/uid_1000/job_5/step_0/docker/" CONTAINER, "5" },
  { "libvirt", MACHINE ".scope/libvirt/vcpu0", "instance-00000001" },
  { "docker", "/system.slice/docker-" CONTAINER ".scope/htcondor/condor_slot1@ep1",
    CONTAINER },
  { "docker", "/system.slice/docker-" CONTAINER ".scope/kubepods/pod" UID, CONTAINER },
  { "docker", "/system.slice/docker-" CONTAINER ".scope/torque/77.head", CONTAINER },
  { "docker", "/system.slice/docker-" CONTAINER ".scope/lsf/c/job.1.2.3", CONTAINER },
  { "podman", "/machine.slice/libpod-" CONTAINER ".scope/container/oar/alice_1",
    CONTAINER },
  { "systemd", "/system.slice/x.service/slurmstepd.scope/job_5", "x" },
  { "session", "/user.slice/user-1000.slice/session-6.scope/slurm/uid_0/job_5",
    "session-6" },
};

static void
add_sources_of (GPtrArray *sources, JmHost *host, const char *below)
{
  g_autofree char *folder =
    g_test_build_filename (G_TEST_DIST, "..", "data", "schedulers", below, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (below, name, NULL);

      if (g_str_has_suffix (name, ".conf") && !g_str_equal (path, IN_CONTAINERS))
        g_ptr_array_add (sources, source_for (host, path));
    }
}

/* Every definition that is shipped, whoever made it, those not built in too. */
static GPtrArray *
all_sources (JmHost *host)
{
  GPtrArray *sources = g_ptr_array_new_with_free_func (g_object_unref);

  add_sources_of (sources, host, "");
  add_sources_of (sources, host, "optional");

  return sources;
}

static const char *
name_of (JmJobSource *source)
{
  return jm_scheduler_definition_get_name (
    jm_cgroup_job_source_get_definition (JM_CGROUP_JOB_SOURCE (source)));
}

static char *
describe (JmPlace *place)
{
  const char *step = jm_place_get_step (place);
  const char *task = jm_place_get_task (place);

  return g_strconcat (jm_place_get_job (place), step != NULL ? "/" : "",
                      step != NULL ? step : "", task != NULL ? "/" : "",
                      task != NULL ? task : "", jm_place_is_helper (place) ? "+" : "",
                      NULL);
}

/* SCHEDULER PLACE of each that has it, with a comma between two */
static char *
claimants_of (GPtrArray *sources, const char *path)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < sources->len; i++)
    {
      JmJobSource *source = sources->pdata[i];
      g_autoptr (JmPlace) place = jm_job_source_match (source, path);
      g_autofree char *description = place != NULL ? describe (place) : NULL;

      if (description != NULL)
        g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "",
                                name_of (source), description);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static Tree *
tree_of_a_node_with_flux (void)
{
  Tree *tree = tree_new ();

  tree_put (tree, "etc/passwd",
            "root:x:0:0::/root:/bin/sh\nflux:x:500:500::/:/bin/false\n"
            "alice:x:1000:1000::/home/alice:/bin/sh\n");

  return tree;
}

static void
assert_claimed (GPtrArray *sources, const Claim *claim)
{
  g_autofree char *expected = g_strconcat (claim->scheduler, " ", claim->place, NULL);
  g_autofree char *found = claimants_of (sources, claim->path);

  if (!g_str_equal (found, expected))
    g_error ("%s: \"%s\", not \"%s\"", claim->path, found, expected);
}

static void
test_each_job_is_one_schedulers (void)
{
  g_autoptr (Tree) tree = tree_of_a_node_with_flux ();
  g_autoptr (GPtrArray) sources = all_sources (tree->host);

  for (guint i = 0; i < G_N_ELEMENTS (claims); i++)
    assert_claimed (sources, &claims[i]);
}

/* Of directories inside of each other the outermost is the job. */
static char *
owner_of (GPtrArray *sources, const char *path)
{
  for (const char *end = path; *end != '\0';)
    {
      g_autofree char *above = NULL;
      g_autofree char *found = NULL;

      end += 1 + strcspn (end + 1, "/");
      above = g_strndup (path, (gsize) (end - path));
      found = claimants_of (sources, above);
      if (found[0] != '\0')
        return g_steal_pointer (&found);
    }

  return g_strdup ("");
}

static void
test_what_a_job_makes_stays_the_jobs (void)
{
  g_autoptr (Tree) tree = tree_of_a_node_with_flux ();
  g_autoptr (GPtrArray) sources = all_sources (tree->host);

  for (guint i = 0; i < G_N_ELEMENTS (insides); i++)
    {
      g_autofree char *expected =
        g_strconcat (insides[i].scheduler, " ", insides[i].place, NULL);
      g_autofree char *found = owner_of (sources, insides[i].path);

      if (!g_str_equal (found, expected))
        g_error ("%s: \"%s\", not \"%s\"", insides[i].path, found, expected);
    }
}

static void
test_no_job_is_swallowed_by_what_it_runs_in (void)
{
  g_autoptr (Tree) tree = tree_of_a_node_with_flux ();
  g_autoptr (GPtrArray) sources = all_sources (tree->host);

  for (guint i = 0; i < G_N_ELEMENTS (claims); i++)
    {
      g_autofree char *expected = g_strconcat (claims[i].scheduler, " ", NULL);
      g_autofree char *found = owner_of (sources, claims[i].path);

      if (!g_str_has_prefix (found, expected))
        g_error ("%s: \"%s\", not of %s", claims[i].path, found, expected);
    }
}

static void
test_what_users_make_is_no_job (void)
{
  g_autoptr (Tree) tree = tree_of_a_node_with_flux ();
  g_autoptr (GPtrArray) sources = all_sources (tree->host);

  for (guint i = 0; i < G_N_ELEMENTS (nobodys); i++)
    {
      g_autofree char *found = claimants_of (sources, nobodys[i]);

      if (found[0] != '\0')
        g_error ("%s: \"%s\"", nobodys[i], found);
    }
}

/* Where a site says so: slurmd in pods and containers, and on the node itself. */
static void
test_jobs_of_slurm_in_containers (void)
{
  static const Claim contained[] = {
    { "slurm",
      POD "cri-containerd-" CONTAINER
          ".scope/system.slice/slurmstepd.scope/job_5/step_0",
      "5/0" },
    { "slurm", POD "crio-" CONTAINER ".scope/container/slurmstepd.scope/job_5", "5" },
    { "slurm",
      "/kubepods/burstable/pod" UID "/" CONTAINER
      "/system.slice/n1_slurmstepd.scope/job_5/step_extern",
      "5/extern" },
    { "slurm",
      "/system.slice/docker-" CONTAINER ".scope/system.slice/slurmstepd.scope/job_5",
      "5" },
    { "slurm", "/docker/" CONTAINER "/system.slice/slurmstepd.scope/sEKNKTV3WPV500",
      "sEKNKTV3WPV500" },
    { "slurm",
      "/machine.slice/libpod-" CONTAINER
      ".scope/container/system.slice/slurmstepd.scope/job_5/step_0/user/task_1",
      "5/0/1" },
    { "slurm", "/system.slice/slurmstepd.scope/job_5/step_interactive",
      "5/interactive" },
    { "slurm", "/slurm/uid_1000/job_5", "5" },
  };
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) built_in = all_sources (tree->host);
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *found = NULL;

  g_ptr_array_add (sources, source_for (tree->host, IN_CONTAINERS));
  for (guint i = 0; i < G_N_ELEMENTS (contained); i++)
    assert_claimed (sources, &contained[i]);
  for (guint i = 0; i + 2 < G_N_ELEMENTS (contained); i++)
    {
      g_autofree char *claimants = claimants_of (built_in, contained[i].path);

      g_assert_null (strstr (claimants, "slurm"));
    }

  found = claimants_of (sources, USERS "/user.slice/libpod-" CONTAINER
                                       ".scope/container/slurmstepd.scope/job_5");
  g_assert_cmpstr (found, ==, "");
}

static void
test_without_a_user_flux_there_are_no_jobs_of_flux (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GPtrArray) sources = NULL;
  g_autofree char *found = NULL;

  tree_put (tree, "etc/passwd", "root:x:0:0::/root:/bin/sh\n");
  sources = all_sources (tree->host);
  found = claimants_of (sources, FLUX "/app.slice/imp-shell-3-fuZZybuNNy.service");

  g_assert_cmpstr (found, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scheduler-claims/one", test_each_job_is_one_schedulers);
  g_test_add_func ("/scheduler-claims/inside", test_what_a_job_makes_stays_the_jobs);
  g_test_add_func ("/scheduler-claims/outermost",
                   test_no_job_is_swallowed_by_what_it_runs_in);
  g_test_add_func ("/scheduler-claims/nobodys", test_what_users_make_is_no_job);
  g_test_add_func ("/scheduler-claims/contained", test_jobs_of_slurm_in_containers);
  g_test_add_func ("/scheduler-claims/no-flux",
                   test_without_a_user_flux_there_are_no_jobs_of_flux);

  return g_test_run ();
}
