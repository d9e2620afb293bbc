/* jm-placeholder-private.h: what a part of a path may have, and how it looks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"

G_BEGIN_DECLS

/**
 * JmPathField:
 * @JM_PATH_FIELD_JOB: the job's id
 * @JM_PATH_FIELD_KEY: what the job's cgroup is called where that is not its id
 * @JM_PATH_FIELD_SLUID: Slurm's SLUID
 * @JM_PATH_FIELD_STEP: a step's name
 * @JM_PATH_FIELD_TASK: a task's number
 * @JM_PATH_FIELD_UID: the id of the job's user
 * @JM_PATH_FIELD_USER: the name of the job's user
 * @JM_PATH_FIELD_OWNER: the id of a user who is not the job's, and must be a certain one
 * @JM_PATH_FIELD_CLUSTER: the cluster's name
 * @JM_PATH_FIELD_ACCOUNT: the account, or what comes next to it
 * @JM_PATH_FIELD_NAME: the job's name
 * @JM_PATH_FIELD_INDEX: a number of an array's job
 * @JM_PATH_FIELD_NODE: a node's name
 * @JM_PATH_FIELD_ANY: nothing that anybody asks for
 *
 * What a part of a path may report.
 */
typedef enum
{
  JM_PATH_FIELD_JOB,
  JM_PATH_FIELD_KEY,
  JM_PATH_FIELD_SLUID,
  JM_PATH_FIELD_STEP,
  JM_PATH_FIELD_TASK,
  JM_PATH_FIELD_UID,
  JM_PATH_FIELD_USER,
  JM_PATH_FIELD_OWNER,
  JM_PATH_FIELD_CLUSTER,
  JM_PATH_FIELD_ACCOUNT,
  JM_PATH_FIELD_NAME,
  JM_PATH_FIELD_INDEX,
  JM_PATH_FIELD_NODE,
  JM_PATH_FIELD_ANY,
} JmPathField;

#define JM_N_PATH_FIELDS (JM_PATH_FIELD_ANY + 1)
#define JM_PATH_BIT(field) (1u << JM_PATH_FIELD_##field)

/* A name in a file system has no more. */
#define JM_NAME_MAX_BYTES 255

/**
 * JmPlaceholder:
 * @letter: behind the percent sign
 * @field: what it reports
 * @is_free: whether it may have any character
 * @has_letters: whether it may have letters beside digits
 * @others: which other characters it may have
 * @example: one that it can stand for
 * @check: whether a text of such characters is one
 *
 * What stands for a part of a path: the set of its characters shows where it ends.
 */
typedef struct
{
  char letter;
  JmPathField field;
  gboolean is_free;
  gboolean has_letters;
  const char *others;
  const char *example;
  gboolean (*check) (JmSlice text);
} JmPlaceholder;

const JmPlaceholder *jm_placeholder_find (char letter);
gboolean jm_placeholder_may_have (const JmPlaceholder *self, char c);
gboolean jm_placeholder_check (char letter, JmSlice text);
char *jm_placeholder_dup_value (const JmPlaceholder *self, JmSlice text);

G_END_DECLS
