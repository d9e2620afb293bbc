/* machine.c: a made-up machine that the doctor finds sound
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "machine.h"

#include <glib/gstdio.h>
#include <string.h>

void
machine_put (Machine *self, const char *path, const char *text)
{
  tree_put (self->tree, path, text);
}

void
machine_take_away (Machine *self, const char *path)
{
  g_autofree char *real = g_build_filename (self->tree->root, path, NULL);

  g_assert_cmpint (g_remove (real), ==, 0);
}

void
machine_put_job (Machine *self, const char *directory)
{
  static const struct
  {
    const char *name;
    const char *text;
  } files[] = {
    { "cgroup.controllers", ALL },
    { "cgroup.procs", "71\n" },
    { "cpu.stat", "usage_usec 1\nuser_usec 1\nsystem_usec 0\n" },
    { "cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n" },
    { "memory.current", "1\n" },
    { "memory.peak", "1\n" },
    { "memory.swap.current", "0\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strconcat (directory, files[i].name, NULL);

      machine_put (self, path, files[i].text);
    }
}

void
machine_put_process (Machine *self, const char *const *environment)
{
  tree_add_process (self->tree, 71, 1000, "/system.slice/slurmstepd.scope/job_7",
                    environment);
  machine_put (self, "proc/71/stat",
               "71 (load) R 1 71 71 0 -1 4194560 25 0 0 0 1 1 0 0 20 0 1 0 100 0 10\n");
}

void
machine_set_up (Machine *self, gconstpointer data)
{
  self->tree = tree_new ();
  self->definitions = NULL;
  self->source = NULL;
  self->gpus = NULL;
  self->provider = "fixed,factor=12";
  machine_put (self, "proc/self/mountinfo", MOUNT_V2);
  machine_put (self, "proc/uptime", "100.00 200.00\n");
  machine_put (self, "proc/stat",
               "cpu  1 1 1 1 1 1 1 1 1 1\ncpu0 1 1 1 1 1 1 1 1 1 1\nbtime "
               "1700000000\n");
  machine_put (self, "proc/meminfo", "MemTotal: 1000 kB\nSwapTotal: 500 kB\n");
  machine_put (self, "proc/pressure/cpu",
               "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
  machine_put (self, "proc/sys/kernel/osrelease", "6.1.0-test\n");
  machine_put (self, CGROUP "cgroup.controllers", ALL);
  machine_put (self, SCOPE "cgroup.controllers", ALL);
  machine_put (self, SCOPE "cgroup.subtree_control", ALL);
  machine_put_job (self, JOB);
  machine_put_process (self, NULL);
  machine_put (self, HOOKS "7", PROPERTIES);
  machine_put (self, HWMON "name", "power_meter\n");
  machine_put (self, HWMON "power1_average", "312000000\n");
}

void
machine_tear_down (Machine *self, gconstpointer data)
{
  tree_free (self->tree);
}

GPtrArray *
machine_examine (Machine *self)
{
  g_autofree char *directory =
    self->definitions != NULL
      ? g_build_filename (self->tree->root, self->definitions, NULL)
      : NULL;
  const char *const directories[] = { directory, NULL };
  const char *const sources[] = { self->source, NULL };
  const char *const gpus[] = { self->gpus, NULL };
  const char *const providers[] = { self->provider, self->fallback, NULL };

  return jm_doctor_examine (self->tree->host, directory != NULL ? directories : NULL,
                            NULL, self->source != NULL ? sources : NULL,
                            self->gpus != NULL ? gpus : NULL,
                            self->provider != NULL ? providers : NULL);
}

GPtrArray *
examine_fixture (const char *name)
{
  g_autofree char *root = g_test_build_filename (G_TEST_BUILT, "fixtures", name, NULL);
  g_autoptr (JmHost) host = jm_host_new (root);

  return jm_doctor_examine (host, NULL, NULL, NULL, NULL, NULL);
}

JmFinding *
find_finding (GPtrArray *findings, const char *topic)
{
  JmFinding *worst = NULL;

  for (guint i = 0; i < findings->len; i++)
    {
      JmFinding *finding = g_ptr_array_index (findings, i);

      if (g_str_equal (jm_finding_get_topic (finding), topic) &&
          (worst == NULL ||
           jm_finding_get_severity (finding) > jm_finding_get_severity (worst)))
        worst = finding;
    }

  return worst;
}

void
assert_says (const char *text, const char *words)
{
  g_assert_nonnull (text);
  if (strstr (text, words) == NULL)
    g_error ("\"%s\" does not say: %s", text, words);
}

void
assert_found (GPtrArray *findings,
              const char *topic,
              JmSeverity severity,
              const char *seen,
              const char *remedy)
{
  JmFinding *finding = find_finding (findings, topic);

  if (finding == NULL)
    g_error ("nothing was found about %s", topic);
  if (jm_finding_get_severity (finding) != severity)
    g_error ("%s: %s", topic, jm_finding_get_seen (finding));
  if (seen != NULL)
    assert_says (jm_finding_get_seen (finding), seen);
  if (remedy != NULL)
    assert_says (jm_finding_get_remedy (finding), remedy);
}

void
assert_examined (Machine *self,
                 const char *topic,
                 JmSeverity severity,
                 const char *seen,
                 const char *remedy)
{
  g_autoptr (GPtrArray) findings = machine_examine (self);

  assert_found (findings, topic, severity, seen, remedy);
}
