/* jm-checkpoint-memory-private.h: memory that outlives the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A memory file of fixed size that holds one content. It outlives the program where
 * somebody else has it open, too, such as the service manager. A program that is
 * killed while it writes leaves the content before. It is of this machine, and of one
 * node. */
typedef struct _JmCheckpointMemory JmCheckpointMemory;

/* Of a content, in bytes; memory is taken for what is written alone. */
#define JM_CHECKPOINT_MEMORY_MAX (16 * 1024 * 1024)

/* Makes one without a content.
 *
 * - Errors: as the system reports. */
JmCheckpointMemory *jm_checkpoint_memory_new (const char *node, GError **error);

/* Takes the descriptor of one that an earlier program made.
 *
 * - Errors: `MALFORMED` for what has another version, size or node, or is none. */
JmCheckpointMemory *
jm_checkpoint_memory_open (int fd, const char *node, GError **error);
void jm_checkpoint_memory_free (JmCheckpointMemory *self);

/* Opens it once more, for whoever shall keep it.
 *
 * - Errors: as the system reports. */
int jm_checkpoint_memory_share (const JmCheckpointMemory *self, GError **error);

/* Whether somebody else has it open, so that it outlives this program; TRUE as well
 * where the system does not say.
 *
 * - Errors: `UNAVAILABLE` where nobody has. */
gboolean jm_checkpoint_memory_check_shared (const JmCheckpointMemory *self,
                                            GError **error);

/* What was written last; NULL for nothing. */
GBytes *jm_checkpoint_memory_read (const JmCheckpointMemory *self);

/* Puts @content in place of the one before, which stays with an error.
 *
 * - Errors: `TOO_LARGE`; `UNAVAILABLE` where there is no memory. */
gboolean
jm_checkpoint_memory_write (JmCheckpointMemory *self, GBytes *content, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCheckpointMemory, jm_checkpoint_memory_free)

G_END_DECLS
