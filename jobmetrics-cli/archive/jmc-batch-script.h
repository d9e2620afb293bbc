/* jmc-batch-script.h: the options of sbatch that a script has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where sbatch's options stand in a script: before its first command. */
#define JMC_BATCH_SCRIPT_MAX_BYTES (64 * 1024)

/* JmcBatchScript:
 * @job_name: NULL where the script does not name its job
 * @memory_option: the option by which it asks for memory of each CPU or accelerator,
 *   which excludes --mem; NULL for none */
typedef struct
{
  char *job_name;
  const char *memory_option;
} JmcBatchScript;

/* Reads any bytes; a line that sbatch would refuse is passed over. */
void jmc_batch_script_parse (JmcBatchScript *self, const char *text, gsize length);

/* Reads a file. A job that is not named has the file's name, as sbatch has it.
 *
 * - Errors: those of GFileError. */
gboolean jmc_batch_script_read (JmcBatchScript *self, const char *path, GError **error);

void jmc_batch_script_clear (JmcBatchScript *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcBatchScript, jmc_batch_script_clear)

G_END_DECLS
