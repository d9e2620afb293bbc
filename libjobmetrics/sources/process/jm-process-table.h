/* jm-process-table.h: what the processes of jobs do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-place.h"
#include "core/jm-process.h"
#include "core/jm-readings.h"
#include "sources/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_PROCESS_TABLE (jm_process_table_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmProcessTable, jm_process_table, JM, PROCESS_TABLE, JmSource)

JM_AVAILABLE_IN_ALL
JmProcessTable *jm_process_table_new (JmHost *host, GError **error);

JM_AVAILABLE_IN_ALL
void jm_process_table_set_filesystems (JmProcessTable *self, const char *const *mounts);

JM_AVAILABLE_IN_ALL
void jm_process_table_set_max_executables (JmProcessTable *self, guint max_executables);

JM_AVAILABLE_IN_ALL
guint jm_process_table_add_group (JmProcessTable *self, guint parent);

JM_AVAILABLE_IN_ALL
void jm_process_table_remove_group (JmProcessTable *self, guint group);

JM_AVAILABLE_IN_ALL
void jm_process_table_begin_round (JmProcessTable *self, JmReadings *readings);

JM_AVAILABLE_IN_ALL
void jm_process_table_add_process (JmProcessTable *self, guint group, guint pid);

JM_AVAILABLE_IN_ALL
void jm_process_table_end_round (JmProcessTable *self);

JM_AVAILABLE_IN_ALL
void
jm_process_table_read_group (JmProcessTable *self, guint group, JmReadings *readings);

JM_AVAILABLE_IN_ALL
JmProcess *jm_process_table_describe (JmProcessTable *self, guint pid, JmPlace *place);

G_END_DECLS
