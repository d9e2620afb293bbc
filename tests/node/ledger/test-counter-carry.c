/* test-counter-carry.c: counters that go on where an earlier program left them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "node/ledger/jm-counter-carry-private.h"

static JmReadings *
read_job (guint64 rchar, guint64 cpu_ns, const char *executable, guint64 executable_ns)
{
  JmReadings *readings = jm_readings_new ();

  jm_readings_begin (readings, JM_COLLECTOR_CPU);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, cpu_ns);
  jm_readings_begin (readings, JM_COLLECTOR_PROCESS);
  jm_readings_add (readings, JM_METRIC_PROCESS_READ_CHARS, rchar);
  jm_readings_add (readings, JM_METRIC_PROCESS_CPU_USER, 1);
  if (executable != NULL)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (executable, NULL);

      jm_readings_add_labelled (readings, JM_METRIC_EXECUTABLE_CPU, labels,
                                executable_ns);
    }

  return readings;
}

static void
note (GArray *shown, JmReadings *readings)
{
  guint n;
  const JmReading *values = jm_readings_get_values (readings, &n);

  jm_counter_carry_note_shown (shown, values, n);
}

static JmCounterCarry *
carry_from_shown (const GArray *shown)
{
  g_autoptr (GVariant) saved = jm_counter_carry_save (shown);
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (saved);
  g_autoptr (GVariant) read = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (JM_COUNTER_CARRY_TYPE), bytes, FALSE));

  return jm_counter_carry_restore (read);
}

static JmCounterCarry *
carry_from (JmReadings *readings)
{
  g_autoptr (GArray) shown = jm_counter_carry_make_shown ();

  note (shown, readings);

  return carry_from_shown (shown);
}

static guint64
get (JmReadings *readings, JmMetric metric)
{
  const JmReading *found = jm_readings_find (readings, 0, metric);

  g_assert_nonnull (found);

  return found->value;
}

static void
test_goes_on_from_what_was_shown (void)
{
  g_autoptr (JmReadings) shown = read_job (1000, 50, NULL, 0);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = read_job (300, 60, NULL, 0);
  g_autoptr (JmReadings) second = read_job (350, 70, NULL, 0);

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_PROCESS_READ_CHARS), ==, 1000);
  g_assert_cmpuint (get (second, JM_METRIC_PROCESS_READ_CHARS), ==, 1050);
}

static void
test_leaves_what_the_kernel_keeps (void)
{
  g_autoptr (JmReadings) shown = read_job (1000, 50, NULL, 0);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = read_job (1200, 60, NULL, 0);

  jm_counter_carry_apply (carry, first, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_CPU_TOTAL), ==, 60);
  g_assert_cmpuint (get (first, JM_METRIC_PROCESS_READ_CHARS), ==, 1200);
}

/* Of cgroups of version 1 that are gone, a daemon that began later knows nothing. */
/* A file failed in the last round before the end. */
static void
test_goes_on_from_what_was_shown_before_the_last_round (void)
{
  g_autoptr (JmReadings) whole = read_job (1000, 50, "a", 40);
  g_autoptr (JmReadings) without_processes = jm_readings_new ();
  g_autoptr (GArray) shown = jm_counter_carry_make_shown ();
  g_autoptr (JmReadings) first = read_job (300, 70, "a", 10);
  g_autoptr (JmCounterCarry) carry = NULL;

  jm_readings_begin (without_processes, JM_COLLECTOR_CPU);
  jm_readings_add (without_processes, JM_METRIC_CPU_TOTAL, 60);
  note (shown, whole);
  note (shown, without_processes);
  carry = carry_from_shown (shown);
  jm_counter_carry_apply (carry, first, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_CPU_TOTAL), ==, 70);
  g_assert_cmpuint (get (first, JM_METRIC_PROCESS_READ_CHARS), ==, 1000);
  g_assert_cmpuint (get (first, JM_METRIC_EXECUTABLE_CPU), ==, 40);
}

/* The program in between was killed before it could read any process. */
static void
test_goes_on_from_what_the_program_before_the_last_showed (void)
{
  g_autoptr (JmReadings) whole = read_job (1000, 50, "a", 40);
  g_autoptr (JmCounterCarry) second = carry_from (whole);
  g_autoptr (GArray) shown = jm_counter_carry_list_shown (second);
  g_autoptr (JmCounterCarry) third = carry_from_shown (shown);
  g_autoptr (JmReadings) first = read_job (300, 60, "a", 10);

  jm_counter_carry_apply (third, first, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_PROCESS_READ_CHARS), ==, 1000);
  g_assert_cmpuint (get (first, JM_METRIC_EXECUTABLE_CPU), ==, 40);
}

static void
test_goes_on_with_what_removed_cgroups_counted (void)
{
  g_autoptr (JmReadings) shown = jm_readings_new ();
  g_autoptr (JmReadings) first = jm_readings_new ();
  g_autoptr (JmReadings) second = jm_readings_new ();
  g_autoptr (JmCounterCarry) carry = NULL;

  jm_readings_add (shown, JM_METRIC_MEMORY_OOM_KILLS, 3);
  jm_readings_add (first, JM_METRIC_MEMORY_OOM_KILLS, 1);
  jm_readings_add (second, JM_METRIC_MEMORY_OOM_KILLS, 2);
  carry = carry_from (shown);

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_MEMORY_OOM_KILLS), ==, 3);
  g_assert_cmpuint (get (second, JM_METRIC_MEMORY_OOM_KILLS), ==, 4);
}

static void
test_keeps_what_is_read_no_more (void)
{
  g_autoptr (JmReadings) shown = read_job (1, 2, "gcc", 700);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) without = read_job (1, 2, NULL, 0);
  g_autoptr (JmReadings) again = read_job (1, 2, "gcc", 5);

  jm_counter_carry_apply (carry, without, 0, FALSE);
  jm_counter_carry_apply (carry, again, 0, FALSE);

  g_assert_cmpuint (get (without, JM_METRIC_EXECUTABLE_CPU), ==, 700);
  g_assert_cmpuint (get (again, JM_METRIC_EXECUTABLE_CPU), ==, 705);
}

static void
test_waits_for_what_cannot_be_read_yet (void)
{
  g_autoptr (JmReadings) shown = read_job (1000, 50, "gcc", 700);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) nothing = jm_readings_new ();
  g_autoptr (JmReadings) second = read_job (1010, 60, "gcc", 710);
  g_autoptr (JmReadings) again = jm_readings_new ();
  guint n;

  jm_counter_carry_apply (carry, nothing, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);
  jm_counter_carry_apply (carry, again, 0, FALSE);

  /* what an earlier program read is no reading of this one's */
  jm_readings_get_values (nothing, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (get (second, JM_METRIC_CPU_TOTAL), ==, 60);
  g_assert_cmpuint (get (second, JM_METRIC_PROCESS_READ_CHARS), ==, 1010);
  g_assert_cmpuint (get (second, JM_METRIC_EXECUTABLE_CPU), ==, 710);
  /* nor is there a figure once it has been read, and for a moment cannot be */
  jm_readings_get_values (again, &n);
  g_assert_cmpuint (n, ==, 0);
}

/* --- the CPU time of a job's executables --- */

typedef struct
{
  const char *name; /* NULL behind the last */
  guint64 ns;
} Executable;

static void
add_executables (JmReadings *readings, const Executable *executables)
{
  jm_readings_begin (readings, JM_COLLECTOR_PROCESS);
  jm_readings_add (readings, JM_METRIC_PROCESS_CPU_USER, 1);
  for (; executables->name != NULL; executables++)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (executables->name, NULL);

      jm_readings_add_labelled (readings, JM_METRIC_EXECUTABLE_CPU, labels,
                                executables->ns);
    }
}

static JmReadings *
read_executables (guint64 cpu_ns, const Executable *executables)
{
  JmReadings *readings = jm_readings_new ();

  jm_readings_begin (readings, JM_COLLECTOR_CPU);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, cpu_ns);
  add_executables (readings, executables);

  return readings;
}

#define READ(cpu_ns, ...)                                                              \
 read_executables (cpu_ns, (const Executable[]){ __VA_ARGS__, { NULL, 0 } })

static void
assert_executables (JmReadings *readings, const Executable *expected)
{
  guint n, n_found = 0;
  const JmReading *values = jm_readings_get_values (readings, &n);

  for (guint i = 0; i < n; i++)
    if (values[i].metric == JM_METRIC_EXECUTABLE_CPU)
      {
        g_assert_nonnull (expected[n_found].name);
        g_assert_cmpstr (jm_labels_get_value (values[i].labels, 0), ==,
                         expected[n_found].name);
        g_assert_cmpuint (values[i].value, ==, expected[n_found].ns);
        n_found++;
      }
  g_assert_null (expected[n_found].name);
}

#define ASSERT_SHOWN(readings, ...)                                                    \
 assert_executables (readings, (const Executable[]){ __VA_ARGS__, { NULL, 0 } })

static void
test_counts_a_process_that_has_executed_another_program_once (void)
{
  g_autoptr (JmReadings) shown = READ (175, { "bash", 150 }, { "other", 25 });
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = READ (180, { "sleep", 170 }, { "other", 10 });
  g_autoptr (JmReadings) second = READ (190, { "sleep", 180 }, { "other", 10 });

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  ASSERT_SHOWN (first, { "sleep", 5 }, { "other", 25 }, { "bash", 150 });
  ASSERT_SHOWN (second, { "sleep", 15 }, { "other", 25 }, { "bash", 150 });
}

static void
test_counts_it_once_after_each_of_several_kills (void)
{
  g_autoptr (JmReadings) shown = READ (100, { "prologue", 100 });
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) solver = READ (300, { "solver", 300 });
  g_autoptr (JmCounterCarry) again = NULL;
  g_autoptr (JmReadings) plotter = READ (350, { "plotter", 350 });
  g_autoptr (JmCounterCarry) third = NULL;
  g_autoptr (JmReadings) prologue = READ (360, { "prologue", 360 });

  jm_counter_carry_apply (carry, solver, 0, FALSE);
  again = carry_from (solver);
  jm_counter_carry_apply (again, plotter, 0, FALSE);
  third = carry_from (plotter);
  jm_counter_carry_apply (third, prologue, 0, FALSE);

  ASSERT_SHOWN (solver, { "solver", 200 }, { "prologue", 100 });
  ASSERT_SHOWN (plotter, { "plotter", 50 }, { "solver", 200 }, { "prologue", 100 });
  ASSERT_SHOWN (prologue, { "prologue", 110 }, { "plotter", 50 }, { "solver", 200 });
}

static void
test_takes_from_what_was_shown_before_last_of_all (void)
{
  g_autoptr (JmReadings) shown = READ (100, { "bash", 40 }, { "python", 60 });
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = READ (130, { "python", 75 }, { "gcc", 55 });
  g_autoptr (JmCounterCarry) other_carry = carry_from (shown);
  g_autoptr (JmReadings) later = READ (104, { "python", 104 });

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (other_carry, later, 0, FALSE);

  ASSERT_SHOWN (first, { "python", 75 }, { "gcc", 15 }, { "bash", 40 });
  ASSERT_SHOWN (later, { "python", 64 }, { "bash", 40 });
}

/* What it used is nobody's then, and the job's still. */
static void
test_counts_a_process_that_has_ended_since_once (void)
{
  g_autoptr (JmReadings) shown = READ (100, { "bash", 10 }, { "solver", 90 });
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = READ (120, { "bash", 10 }, { "other", 110 });
  g_autoptr (JmReadings) second = READ (150, { "bash", 30 }, { "other", 120 });

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  ASSERT_SHOWN (first, { "bash", 10 }, { "other", 20 }, { "solver", 90 });
  ASSERT_SHOWN (second, { "bash", 30 }, { "other", 30 }, { "solver", 90 });
}

/* Only its processes know what it used, and some are gone. */
static void
test_goes_on_where_the_sum_has_become_less (void)
{
  g_autoptr (JmReadings) shown = READ (100, { "bash", 10 }, { "solver", 90 });
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = READ (12, { "bash", 12 });
  g_autoptr (JmReadings) second = READ (52, { "bash", 13 }, { "plotter", 39 });

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  ASSERT_SHOWN (first, { "bash", 10 }, { "solver", 90 });
  ASSERT_SHOWN (second, { "bash", 11 }, { "plotter", 39 }, { "solver", 90 });
}

/* Of the job's CPU time, which is not read at first, other is the rest. */
static void
test_waits_for_the_cpu_time_of_the_job (void)
{
  g_autoptr (JmReadings) shown = READ (100, { "bash", 60 }, { "other", 40 });
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) without = jm_readings_new ();
  g_autoptr (JmReadings) with = READ (130, { "sleep", 80 }, { "other", 50 });

  add_executables (without, (const Executable[]){ { "sleep", 70 }, { NULL, 0 } });
  jm_counter_carry_apply (carry, without, 0, FALSE);
  jm_counter_carry_apply (carry, with, 0, FALSE);

  ASSERT_SHOWN (without, { "sleep", 0 }, { "bash", 60 }, { "other", 40 });
  ASSERT_SHOWN (with, { "sleep", 20 }, { "other", 50 }, { "bash", 60 });
}

static void
test_does_not_wait_for_cpu_time_that_nobody_wants (void)
{
  const JmCollectorSet *collectors = JM_COLLECTOR_SET (JM_COLLECTOR_PROCESS);
  g_autoptr (JmReadings) shown = READ (100, { "bash", 60 }, { "other", 40 });
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = jm_readings_new ();
  g_autoptr (JmReadings) second = jm_readings_new ();

  jm_readings_reset (first, collectors);
  jm_readings_reset (second, collectors);
  add_executables (first, (const Executable[]){ { "bash", 20 }, { NULL, 0 } });
  add_executables (second, (const Executable[]){ { "bash", 25 }, { NULL, 0 } });
  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  ASSERT_SHOWN (first, { "bash", 60 }, { "other", 40 });
  ASSERT_SHOWN (second, { "bash", 65 }, { "other", 40 });
}

static void
test_decides_nothing_between_two_rounds (void)
{
  g_autoptr (JmReadings) shown = READ (100, { "bash", 100 });
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) late = READ (110, { "bash", 5 });
  g_autoptr (JmReadings) first = READ (120, { "bash", 5 }, { "sleep", 115 });
  g_autoptr (JmReadings) second = READ (130, { "bash", 5 }, { "sleep", 125 });

  jm_counter_carry_apply (carry, late, 0, TRUE);
  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  ASSERT_SHOWN (late, { "bash", 100 });
  ASSERT_SHOWN (first, { "bash", 100 }, { "sleep", 20 });
  ASSERT_SHOWN (second, { "bash", 100 }, { "sleep", 30 });
}

/* Processes that execute one program after the other, and end, beside an exporter that
 * is killed again and again: it reads all that a process has used as what its program
 * of now has. */
#define N_PROCESSES 4
#define N_NAMES 6
#define OTHER (N_NAMES - 1)

typedef struct
{
  guint64 used_ns[N_PROCESSES];
  guint names[N_PROCESSES];
  guint64 read_ns[N_NAMES]; /* as the exporter of now counts */
  guint64 total_ns;
  guint64 shown_ns[N_NAMES];
} Machine;

static const char *const names[N_NAMES] = { "bash", "python", "gcc",
                                            "ld",   "sleep",  "other" };

static void
run_machine (Machine *self, gboolean is_watched)
{
  for (guint p = 0; p < N_PROCESSES; p++)
    {
      guint64 ns = (guint64) g_test_rand_int_range (0, 100);

      self->used_ns[p] += ns;
      self->total_ns += ns;
      if (is_watched)
        self->read_ns[self->names[p]] += ns;
      if (g_test_rand_int_range (0, 4) == 0)
        self->names[p] = (guint) g_test_rand_int_range (0, OTHER);
      if (g_test_rand_int_range (0, 16) == 0)
        self->used_ns[p] = 0;
    }
}

static void
begin_to_read (Machine *self)
{
  guint64 of_living_ns = 0;

  memset (self->read_ns, 0, sizeof self->read_ns);
  for (guint p = 0; p < N_PROCESSES; p++)
    {
      self->read_ns[self->names[p]] += self->used_ns[p];
      of_living_ns += self->used_ns[p];
    }
  self->read_ns[OTHER] = self->total_ns - of_living_ns;
}

static JmReadings *
read_machine (const Machine *self)
{
  Executable executables[N_NAMES + 1] = { 0 };
  guint n = 0;

  for (guint i = 0; i < N_NAMES; i++)
    if (self->read_ns[i] > 0)
      executables[n++] = (Executable){ names[i], self->read_ns[i] };

  return read_executables (self->total_ns, executables);
}

static void
assert_shown (Machine *self, JmReadings *readings)
{
  guint64 sum_ns = 0;

  for (guint i = 0; i < N_NAMES; i++)
    {
      g_autoptr (JmLabels) labels = jm_labels_of (names[i], NULL);
      guint64 now_ns = 0;
      guint n;
      const JmReading *values = jm_readings_get_values (readings, &n);

      for (guint v = 0; v < n; v++)
        if (values[v].labels == labels)
          now_ns = values[v].value;
      g_assert_cmpuint (now_ns, >=, self->shown_ns[i]);
      self->shown_ns[i] = now_ns;
      sum_ns += now_ns;
    }
  g_assert_cmpuint (sum_ns, ==, self->total_ns);
}

static void
test_adds_up_after_any_number_of_kills (void)
{
  Machine machine = { 0 };
  g_autoptr (JmReadings) shown = NULL;

  run_machine (&machine, TRUE);
  shown = read_machine (&machine);
  for (guint k = 0; k < 200; k++)
    {
      g_autoptr (JmCounterCarry) carry = carry_from (shown);

      run_machine (&machine, FALSE);
      begin_to_read (&machine);
      for (guint i = 0; i < 3; i++)
        {
          g_clear_pointer (&shown, jm_readings_unref);
          shown = read_machine (&machine);
          jm_counter_carry_apply (carry, shown, 0, FALSE);
          assert_shown (&machine, shown);
          run_machine (&machine, TRUE);
        }
    }
}

/* --- by mode --- */

static JmReadings *
read_modes (guint64 user_ns, guint64 system_ns)
{
  JmReadings *readings = jm_readings_new ();

  jm_readings_begin (readings, JM_COLLECTOR_CPU);
  jm_readings_add (readings, JM_METRIC_CPU_USER, user_ns);
  jm_readings_add (readings, JM_METRIC_CPU_SYSTEM, system_ns);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, user_ns + system_ns);

  return readings;
}

static void
test_adds_up_by_mode (void)
{
  g_autoptr (JmReadings) shown = read_modes (100, 20);
  g_autoptr (JmCounterCarry) carry = carry_from (shown);
  g_autoptr (JmReadings) first = read_modes (60, 25);
  g_autoptr (JmReadings) second = read_modes (70, 30);

  jm_counter_carry_apply (carry, first, 0, FALSE);
  jm_counter_carry_apply (carry, second, 0, FALSE);

  g_assert_cmpuint (get (first, JM_METRIC_CPU_USER), ==, 100);
  g_assert_cmpuint (get (first, JM_METRIC_CPU_SYSTEM), ==, 20);
  g_assert_cmpuint (get (first, JM_METRIC_CPU_TOTAL), ==, 120);
  g_assert_cmpuint (get (second, JM_METRIC_CPU_USER), ==, 110);
  g_assert_cmpuint (get (second, JM_METRIC_CPU_SYSTEM), ==, 25);
  g_assert_cmpuint (get (second, JM_METRIC_CPU_TOTAL), ==, 135);
}

static void
test_is_none_of_what_cannot_be_one (void)
{
  g_autoptr (GBytes) noise = g_bytes_new_static ("\xff\x01nonsense\0\0", 12);
  g_autoptr (GVariant) broken = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (JM_COUNTER_CARRY_TYPE), noise, FALSE));
  g_autoptr (GVariant) unknown = g_variant_ref_sink (
    g_variant_new_parsed ("[('warp_seconds_total', @as [], uint64 7), "
                          "('cpu_seconds_total', ['a', 'b'], 8)]"));

  g_assert_null (jm_counter_carry_restore (broken));
  g_assert_null (jm_counter_carry_restore (unknown));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/counter-carry/goes-on", test_goes_on_from_what_was_shown);
  g_test_add_func ("/counter-carry/kernel", test_leaves_what_the_kernel_keeps);
  g_test_add_func ("/counter-carry/unread-at-last",
                   test_goes_on_from_what_was_shown_before_the_last_round);
  g_test_add_func ("/counter-carry/never-read",
                   test_goes_on_from_what_the_program_before_the_last_showed);
  g_test_add_func ("/counter-carry/removed",
                   test_goes_on_with_what_removed_cgroups_counted);
  g_test_add_func ("/counter-carry/gone", test_keeps_what_is_read_no_more);
  g_test_add_func ("/counter-carry/unread", test_waits_for_what_cannot_be_read_yet);
  g_test_add_func ("/counter-carry/executed",
                   test_counts_a_process_that_has_executed_another_program_once);
  g_test_add_func ("/counter-carry/kills",
                   test_counts_it_once_after_each_of_several_kills);
  g_test_add_func ("/counter-carry/shown-before",
                   test_takes_from_what_was_shown_before_last_of_all);
  g_test_add_func ("/counter-carry/ended",
                   test_counts_a_process_that_has_ended_since_once);
  g_test_add_func ("/counter-carry/less", test_goes_on_where_the_sum_has_become_less);
  g_test_add_func ("/counter-carry/no-cpu", test_waits_for_the_cpu_time_of_the_job);
  g_test_add_func ("/counter-carry/unwanted-cpu",
                   test_does_not_wait_for_cpu_time_that_nobody_wants);
  g_test_add_func ("/counter-carry/late", test_decides_nothing_between_two_rounds);
  g_test_add_func ("/counter-carry/any-number-of-kills",
                   test_adds_up_after_any_number_of_kills);
  g_test_add_func ("/counter-carry/modes", test_adds_up_by_mode);
  g_test_add_func ("/counter-carry/broken", test_is_none_of_what_cannot_be_one);

  return g_test_run ();
}
