/* two-sockets.c: a machine of two sockets whose CPUs do what a test says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "two-sockets.h"

#include "core/jm-readings-private.h"

#define CPU_DIR "sys/devices/system/cpu/"

/* In place: the machine keeps the file open. */
static void
write_stat (TwoSockets *self)
{
  g_autoptr (GString) text = g_string_new ("cpu  0 0 0 0 0 0 0 0 0 0\n");

  for (guint i = 0; i < TWO_SOCKETS_CPUS; i++)
    g_string_append_printf (text, "cpu%u %" G_GUINT64_FORMAT " 0 0 0 0 0 0 0 0 0\n", i,
                            self->busy_ticks[i]);
  g_string_append (text, "btime 1700000000\n");

  tree_rewrite (self->tree, "proc/stat", text->str);
}

static void
write_number (Tree *tree, guint cpu, const char *name, guint number)
{
  g_autofree char *path = g_strdup_printf (CPU_DIR "cpu%u/topology/%s", cpu, name);
  g_autofree char *text = g_strdup_printf ("%u\n", number);

  tree_write (tree, path, text);
}

static void
read_topology (JmMachine *machine)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();

  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_machine_read (machine, readings);
}

TwoSockets *
two_sockets_new (void)
{
  g_autoptr (GError) error = NULL;
  TwoSockets *self = g_new0 (TwoSockets, 1);

  self->tree = tree_new ();
  tree_write (self->tree, "proc/stat", "");
  tree_write (self->tree, CPU_DIR "online", "0-3\n");
  for (guint i = 0; i < TWO_SOCKETS_CPUS; i++)
    {
      write_number (self->tree, i, "physical_package_id", i / 2);
      write_number (self->tree, i, "die_id", 0);
      write_number (self->tree, i, "core_id", i % 2);
    }
  write_stat (self);

  self->host = jm_host_new (self->tree->root);
  self->machine =
    g_initable_new (JM_TYPE_MACHINE, NULL, &error, "host", self->host, NULL);
  g_assert_no_error (error);
  read_topology (self->machine);

  return self;
}

void
two_sockets_free (TwoSockets *self)
{
  g_object_unref (self->machine);
  g_object_unref (self->host);
  tree_free (self->tree);
  g_free (self);
}

void
two_sockets_run (TwoSockets *self, guint cpu0, guint cpu1, guint cpu2, guint cpu3)
{
  const guint ticks[TWO_SOCKETS_CPUS] = { cpu0, cpu1, cpu2, cpu3 };

  for (guint i = 0; i < TWO_SOCKETS_CPUS; i++)
    self->busy_ticks[i] += ticks[i];
  write_stat (self);
}
