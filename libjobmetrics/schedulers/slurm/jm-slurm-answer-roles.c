/* jm-slurm-answer-roles.c: who slurmrestd says may see what
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-answer-past-private.h"

#include <string.h>

typedef struct
{
  const char *name;
  const char *words; /* coordinators, or levels */
} Draft;

static void
begin (gpointer draft)
{
}

#define NAME                                                                           \
 {                                                                                     \
  "name", JM_SLURM_ANY_TEXT, G_STRUCT_OFFSET (Draft, name)                             \
 }
#define WORDS(key)                                                                     \
 {                                                                                     \
  key, JM_SLURM_WORDS, G_STRUCT_OFFSET (Draft, words)                                  \
 }

static char **
split (const char *words)
{
  return g_strsplit (words != NULL ? words : "", ",", -1);
}

/* An account without any coordinators has lost those that it had. */
static void
end_account (JmSlurmAnswer *answer, gpointer data)
{
  JmSlurmRoles *roles = jm_slurm_answer_get_taker (answer);
  const Draft *draft = data;
  g_auto (GStrv) users = split (draft->words);

  if (draft->name != NULL)
    jm_run_batch_set_coordinators (roles->batch, roles->cluster, draft->name,
                                   (const char *const *) users);
}

/* An operator sees all, too. */
static void
end_user (JmSlurmAnswer *answer, gpointer data)
{
  JmSlurmRoles *roles = jm_slurm_answer_get_taker (answer);
  const Draft *draft = data;
  g_auto (GStrv) levels = split (draft->words);

  if (draft->name != NULL &&
      (g_strv_contains ((const char *const *) levels, "Administrator") ||
       g_strv_contains ((const char *const *) levels, "Operator")))
    g_strv_builder_add (roles->admins, draft->name);
}

static void
end_cluster (JmSlurmAnswer *answer, gpointer data)
{
  JmSlurmRoles *roles = jm_slurm_answer_get_taker (answer);
  const Draft *draft = data;

  if (draft->name != NULL && g_ascii_strcasecmp (draft->name, roles->cluster) == 0)
    roles->has_cluster = TRUE;
}

/* Releases list coordinators as words, or as objects. */
static const JmSlurmField account_fields[] = { NAME, WORDS ("coordinators"),
                                               WORDS ("coordinators.name") };
static const JmSlurmField user_fields[] = { NAME, WORDS ("administrator_level") };
static const JmSlurmField cluster_fields[] = { NAME };

#define SHAPE(list, members, function)                                                 \
 {                                                                                     \
  .records = list, .draft_size = sizeof (Draft), .fields = members,                    \
  .n_fields = G_N_ELEMENTS (members), .begin = begin, .end = function                  \
 }

const JmSlurmShape jm_slurm_accounts_shape =
  SHAPE ("accounts", account_fields, end_account);
const JmSlurmShape jm_slurm_users_shape = SHAPE ("users", user_fields, end_user);
const JmSlurmShape jm_slurm_clusters_shape =
  SHAPE ("clusters", cluster_fields, end_cluster);
