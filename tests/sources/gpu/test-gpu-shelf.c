/* test-gpu-shelf.c: what a library keeps of each of its devices
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-gpu-private.h"
#include "sources/gpu/jm-gpu-shelf-private.h"

typedef struct
{
  JmGpu *gpu;
  guint *n_freed;
} Record;

static void
record_free (gpointer data)
{
  Record *self = data;

  (*self->n_freed)++;
  jm_gpu_unref (self->gpu);
  g_free (self);
}

static GPtrArray *
make_records (JmGpu *gpu, guint *n_freed)
{
  GPtrArray *records = g_ptr_array_new_with_free_func (record_free);
  Record *record = g_new0 (Record, 1);

  record->gpu = jm_gpu_ref (gpu);
  record->n_freed = n_freed;
  g_ptr_array_add (records, record);

  return records;
}

static void
test_an_empty_one_has_no_record (void)
{
  g_autoptr (JmGpu) gpu = jm_gpu_new ("amd0", 0);
  g_autoptr (GPtrArray) hold = NULL;
  JmGpuShelf shelf;

  jm_gpu_shelf_init (&shelf);
  g_assert_null (jm_gpu_shelf_find (&shelf, gpu, &hold));
  jm_gpu_shelf_clear (&shelf);
}

static void
test_a_device_is_found_by_itself (void)
{
  guint n_freed = 0; /* outlives what counts in it */
  g_autoptr (JmGpu) gpu = jm_gpu_new ("amd0", 0);
  g_autoptr (JmGpu) namesake = jm_gpu_new ("amd0", 0);
  g_autoptr (GPtrArray) hold = NULL;
  g_autoptr (GPtrArray) other = NULL;
  Record *found;
  JmGpuShelf shelf;

  jm_gpu_shelf_init (&shelf);
  jm_gpu_shelf_put (&shelf, make_records (gpu, &n_freed));
  found = jm_gpu_shelf_find (&shelf, gpu, &hold);
  g_assert_true (found->gpu == gpu);
  g_assert_null (jm_gpu_shelf_find (&shelf, namesake, &other));
  jm_gpu_shelf_clear (&shelf);
}

static void
test_what_is_held_outlives_its_place (void)
{
  guint n_freed = 0, n_next_freed = 0;
  g_autoptr (JmGpu) gpu = jm_gpu_new ("amd0", 0);
  g_autoptr (JmGpu) next = jm_gpu_new ("amd0", 0);
  GPtrArray *hold = NULL;
  g_autoptr (GPtrArray) other = NULL;
  JmGpuShelf shelf;

  jm_gpu_shelf_init (&shelf);
  jm_gpu_shelf_put (&shelf, make_records (gpu, &n_freed));
  g_assert_nonnull (jm_gpu_shelf_find (&shelf, gpu, &hold));
  jm_gpu_shelf_put (&shelf, make_records (next, &n_next_freed));
  g_assert_cmpuint (n_freed, ==, 0);
  g_assert_null (jm_gpu_shelf_find (&shelf, gpu, &other));

  g_ptr_array_unref (hold);
  g_assert_cmpuint (n_freed, ==, 1);
  g_assert_cmpuint (n_next_freed, ==, 0);
  g_clear_pointer (&other, g_ptr_array_unref);
  jm_gpu_shelf_clear (&shelf);
  g_assert_cmpuint (n_next_freed, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/gpu-shelf/an empty one has no record",
                   test_an_empty_one_has_no_record);
  g_test_add_func ("/gpu-shelf/a device is found by itself",
                   test_a_device_is_found_by_itself);
  g_test_add_func ("/gpu-shelf/what is held outlives its place",
                   test_what_is_held_outlives_its_place);

  return g_test_run ();
}
