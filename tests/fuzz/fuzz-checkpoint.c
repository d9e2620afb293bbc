/* fuzz-checkpoint.c: memory that an earlier program left, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <unistd.h>

#include "node/ledger/jm-checkpoint-memory-private.h"
#include "node/ledger/jm-checkpoint-private.h"

#define NODE "node"
#define HALVES_OFFSET 512
#define HALVES_BYTES 48
#define CONTENT_OFFSET 4096

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Behind a header that is right, and around it. */
static void
check_memory (const guint8 *data, gsize size)
{
  g_autoptr (JmCheckpointMemory) memory = jm_checkpoint_memory_new (NODE, NULL);
  g_autoptr (JmCheckpointMemory) next = NULL;
  g_autoptr (GBytes) content = NULL;
  gsize n_heads = MIN (size, HALVES_BYTES);
  int fd;

  g_assert_nonnull (memory);
  fd = jm_checkpoint_memory_share (memory, NULL);
  g_assert_cmpint (pwrite (fd, data, n_heads, HALVES_OFFSET), ==, (gssize) n_heads);
  g_assert_cmpint (pwrite (fd, data + n_heads, size - n_heads, CONTENT_OFFSET), ==,
                   (gssize) (size - n_heads));
  content = jm_checkpoint_memory_read (memory);
  next = jm_checkpoint_memory_open (dup (fd), NODE, NULL);
  g_assert_nonnull (next);

  g_assert_cmpint (pwrite (fd, data, size, 0), ==, (gssize) size);
  g_clear_pointer (&next, jm_checkpoint_memory_free);
  next = jm_checkpoint_memory_open (fd, NODE, NULL);
}

static void
check_content (GBytes *bytes)
{
  g_autoptr (GVariant) saved = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (JM_PENDING_VALUES_TYPE), bytes, FALSE));
  g_autoptr (JmPendingValues) values = jm_pending_values_restore (saved);
  g_autoptr (JmPendingValues) all = jm_pending_values_new ();
  g_autoptr (JmLedgerBatch) batch = jm_pending_values_make_batch (values);
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                        (GDestroyNotify) g_bytes_unref);
  g_autoptr (GPtrArray) running =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_record_unref);

  jm_pending_values_take (all, batch, 1);
  jm_pending_values_change (all, "energy", table);
  jm_pending_values_change_running (all, running);
  jm_pending_values_complete (all, "energy", table);
  jm_pending_values_complete_running (all, running);
  g_variant_unref (g_variant_ref_sink (jm_pending_values_save (all)));
  jm_pending_values_settle (all);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  check_memory (data, size);
  check_content (bytes);

  return 0;
}
