/* test-slurm-record.c: what Slurm's accounting has of a job or a step
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "schedulers/slurm/jm-slurm-record-private.h"

#include <string.h>

#define BEGIN 1795493257
#define NOW 1795493300
#define JOULES 12

static JmSlice
slice (const char *text)
{
  return (JmSlice){ text, strlen (text) };
}

/* Of a job on one node, with what it used so far. */
static void
begin_job (JmSlurmRecord *record)
{
  jm_slurm_record_init_job (record, "alps", slice ("7"));
  jm_slurm_record_set_text (record, JM_SLURM_RECORD_STATE, slice ("RUNNING"));
  jm_slurm_record_set_text (record, JM_SLURM_RECORD_NODE_LIST, slice ("n1"));
  jm_slurm_record_set_number (record, JM_SLURM_RECORD_START, BEGIN);
  jm_slurm_record_set_number (record, JM_SLURM_RECORD_ENERGY, JOULES);
  jm_slurm_record_set_number (record, JM_SLURM_RECORD_TIME_LIMIT, 2);
  jm_slurm_record_set_cpu_times (record, 5, 6);
}

static gint64
get_number (JmSlurmRecord *record, JmRunField field)
{
  gint64 number;

  return jm_run_get_number (record->run, field, &number) ? number : -1;
}

static void
test_a_run_that_goes_on_has_not_used_what_it_will_have (void)
{
  JmSlurmRecord record;

  begin_job (&record);
  jm_slurm_record_finish (&record, NOW);

  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_ENERGY), ==, -1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_CPU_TOTAL), ==, -1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_SEEN_TIME), ==, NOW);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_TIME_LIMIT), ==, 120);
  jm_slurm_record_clear (&record);
}

/* slurmrestd of 24.11 and later has an end of what goes on: the time of the question.
 */
static void
test_what_goes_on_has_no_end (void)
{
  JmSlurmRecord record, step;

  begin_job (&record);
  jm_slurm_record_set_number (&record, JM_SLURM_RECORD_END, NOW);
  jm_slurm_record_set_exit (&record, 0, -1);
  jm_slurm_record_finish (&record, NOW + 1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_END_TIME), ==, -1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_EXIT_CODE), ==, -1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_SEEN_TIME), ==, NOW + 1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_ENERGY), ==, -1);
  jm_slurm_record_clear (&record);

  jm_slurm_record_init_step (&step, slice ("batch"));
  jm_slurm_record_set_text (&step, JM_SLURM_RECORD_STATE, slice ("RUNNING"));
  jm_slurm_record_set_number (&step, JM_SLURM_RECORD_START, BEGIN);
  jm_slurm_record_set_number (&step, JM_SLURM_RECORD_END, NOW);
  jm_slurm_record_finish (&step, NOW + 1);
  g_assert_nonnull (step.step);
  g_assert_false (jm_run_part_peek_figure (step.step, JM_QUANTITY_END_TIME).is_known);
  jm_slurm_record_clear (&step);
}

static void
test_a_run_that_ended_has_its_figures_in_the_units_of_runs (void)
{
  JmSlurmRecord record;

  begin_job (&record);
  jm_slurm_record_set_text (&record, JM_SLURM_RECORD_STATE, slice ("COMPLETED"));
  jm_slurm_record_set_number (&record, JM_SLURM_RECORD_END, NOW);
  jm_slurm_record_set_exit (&record, 0, 9);
  jm_slurm_record_finish (&record, NOW + 1);

  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_ENERGY), ==, 12000000);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_CPU_TOTAL), ==, 11);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_EXIT_SIGNAL), ==, 9);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_SEEN_TIME), ==, -1);
  jm_slurm_record_clear (&record);
}

static void
test_what_was_allocated_is_counted_from_the_list (void)
{
  JmSlurmTresList list;
  JmSlurmRecord record;

  begin_job (&record);
  jm_slurm_tres_list_init (&list);
  jm_slurm_tres_list_add (&list, "gres", "gpu:a100", 2);
  jm_slurm_tres_list_add (&list, "mem", NULL, 50);
  jm_slurm_tres_list_add (&list, "cpu", NULL, 4);
  jm_slurm_record_set_tres (&record, JM_SLURM_RECORD_ALLOCATED, &list);
  jm_slurm_record_finish (&record, NOW);

  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_CPUS), ==, 4);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_GPUS_ALLOCATED), ==, 2);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_MEMORY_ALLOCATED), ==, 52428800);
  g_assert_cmpstr (jm_run_peek_text (record.run, JM_RUN_FIELD_TRES), ==,
                   "cpu=4,gres/gpu:a100=2,mem=50M");
  g_assert_cmpuint (record.bad, ==, 0);
  jm_slurm_tres_list_clear (&list);
  jm_slurm_record_clear (&record);
}

/* `--mem=0` asks for all the memory of the nodes. */
static void
test_all_memory_is_no_amount (void)
{
  JmSlurmTresList list;
  JmSlurmRecord record;

  begin_job (&record);
  jm_slurm_record_set_cell (&record, JM_SLURM_RECORD_REQUESTED,
                            slice ("cpu=8,mem=0,node=1"));
  jm_slurm_tres_list_init (&list);
  jm_slurm_tres_list_add (&list, "cpu", NULL, 8);
  jm_slurm_tres_list_add (&list, "mem", NULL, 0);
  jm_slurm_record_set_tres (&record, JM_SLURM_RECORD_ALLOCATED, &list);
  jm_slurm_record_finish (&record, NOW);

  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_MEMORY_REQUESTED), ==, -1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_MEMORY_ALLOCATED), ==, -1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_CPUS), ==, 8);
  g_assert_cmpuint (record.bad, ==, 0);
  jm_slurm_tres_list_clear (&list);
  jm_slurm_record_clear (&record);
}

static void
test_a_count_that_none_can_be_costs_itself (void)
{
  JmSlurmTresList list;
  JmSlurmRecord record;

  begin_job (&record);
  jm_slurm_tres_list_init (&list);
  jm_slurm_tres_list_add (&list, "mem", NULL, G_MAXINT64);
  jm_slurm_tres_list_add (&list, "gres", "gpu", 1);
  jm_slurm_record_set_tres (&record, JM_SLURM_RECORD_ALLOCATED, &list);
  jm_slurm_record_finish (&record, NOW);

  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_MEMORY_ALLOCATED), ==, -1);
  g_assert_cmpint (get_number (&record, JM_RUN_FIELD_GPUS_ALLOCATED), ==, 1);
  g_assert_cmpuint (record.bad, ==, 1u << JM_SLURM_RECORD_ALLOCATED);
  jm_slurm_tres_list_clear (&list);
  jm_slurm_record_clear (&record);
}

static void
test_nothing_without_a_number_is_a_run (void)
{
  JmSlurmRecord record;

  jm_slurm_record_init_job (&record, "alps", slice ("12_3"));
  jm_slurm_record_set_number (&record, JM_SLURM_RECORD_END, NOW);
  jm_slurm_record_set_text (&record, JM_SLURM_RECORD_USER, slice ("ada"));
  jm_slurm_record_finish (&record, NOW);

  g_assert_null (record.run);
  g_assert_null (record.step);
  g_assert_cmpuint (record.bad, ==, 1u << JM_SLURM_RECORD_RAW_ID);
  jm_slurm_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/slurm-record/goes-on",
                   test_a_run_that_goes_on_has_not_used_what_it_will_have);
  g_test_add_func ("/slurm-record/no-end", test_what_goes_on_has_no_end);
  g_test_add_func ("/slurm-record/ended",
                   test_a_run_that_ended_has_its_figures_in_the_units_of_runs);
  g_test_add_func ("/slurm-record/allocated",
                   test_what_was_allocated_is_counted_from_the_list);
  g_test_add_func ("/slurm-record/all-memory-is-no-amount",
                   test_all_memory_is_no_amount);
  g_test_add_func ("/slurm-record/too-large",
                   test_a_count_that_none_can_be_costs_itself);
  g_test_add_func ("/slurm-record/no-number", test_nothing_without_a_number_is_a_run);

  return g_test_run ();
}
