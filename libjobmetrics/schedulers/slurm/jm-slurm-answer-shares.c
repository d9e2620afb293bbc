/* jm-slurm-answer-shares.c: shares and limits that slurmrestd has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-answer-private.h"

#include <math.h>
#include <string.h>

#include "schedulers/jm-scheduler-value-private.h"

/* --- shares --- */

typedef struct
{
  JmSchedulerShare share;
  const char *name; /* of the account, or of the user */
  const char *parent;
  const char *types;
} ShareDraft;

#define SHARE(name, kind, member)                                                      \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (ShareDraft, share.member)                               \
 }

static const JmSlurmField share_fields[] = {
  { "name", JM_SLURM_TEXT, G_STRUCT_OFFSET (ShareDraft, name) },
  { "parent", JM_SLURM_TEXT, G_STRUCT_OFFSET (ShareDraft, parent) },
  { "type", JM_SLURM_WORDS, G_STRUCT_OFFSET (ShareDraft, types) },
  SHARE ("partition", JM_SLURM_TEXT, partition),
  SHARE ("shares", JM_SLURM_COUNT, raw_shares),
  SHARE ("shares_normalized", JM_SLURM_REAL, norm_shares),
  SHARE ("usage", JM_SLURM_REAL, raw_usage),
  SHARE ("usage_normalized", JM_SLURM_REAL, norm_usage),
  SHARE ("effective_usage", JM_SLURM_REAL, effective_usage),
  SHARE ("fairshare.factor", JM_SLURM_REAL, fair_share),
  SHARE ("fairshare.level", JM_SLURM_REAL, level_fair_share),
};

static void
begin_share (gpointer draft)
{
  jm_scheduler_share_init (&((ShareDraft *) draft)->share);
}

static void
end_share (JmSlurmAnswer *answer, gpointer data)
{
  ShareDraft *self = data;
  JmSchedulerReport *report = jm_slurm_answer_get_report (answer);
  gboolean is_user = self->types != NULL && strstr (self->types, "USER") != NULL;

  self->share.account = is_user ? self->parent : self->name;
  self->share.user = is_user ? self->name : NULL;
  /* slurmrestd writes 0 where sshare has none */
  if (!is_user)
    self->share.fair_share = NAN;
  if (self->share.account != NULL)
    jm_scheduler_report_add_share (report, &self->share);
  else
    jm_scheduler_report_pass_over (report, "a share without an account");
}

const JmSlurmShape jm_slurm_shares_shape = {
  .records = "shares.shares",
  .draft_size = sizeof (ShareDraft),
  .fields = share_fields,
  .n_fields = G_N_ELEMENTS (share_fields),
  .begin = begin_share,
  .end = end_share,
};

/* --- limits --- */

typedef struct
{
  JmSchedulerLimit limit;
  const char *cluster;
  const char *tres_type; /* of the one that is read */
  const char *tres_name;
  gint64 tres_count;
} LimitDraft;

#define GROUP_TRES "max.tres.total"
#define LIMIT(name, kind, member)                                                      \
 {                                                                                     \
  name, kind, G_STRUCT_OFFSET (LimitDraft, limit.member)                               \
 }

static const JmSlurmField limit_fields[] = {
  { "cluster", JM_SLURM_TEXT, G_STRUCT_OFFSET (LimitDraft, cluster) },
  LIMIT ("account", JM_SLURM_TEXT, account),
  LIMIT ("user", JM_SLURM_TEXT, user),
  LIMIT ("partition", JM_SLURM_TEXT, partition),
  { GROUP_TRES ".type", JM_SLURM_TEXT, G_STRUCT_OFFSET (LimitDraft, tres_type) },
  { GROUP_TRES ".name", JM_SLURM_TEXT, G_STRUCT_OFFSET (LimitDraft, tres_name) },
  { GROUP_TRES ".count", JM_SLURM_COUNT, G_STRUCT_OFFSET (LimitDraft, tres_count) },
  LIMIT ("max.jobs.per.count", JM_SLURM_COUNT, group_jobs),
  LIMIT ("max.jobs.per.submitted", JM_SLURM_COUNT, group_submit),
  LIMIT ("max.per.account.wall_clock", JM_SLURM_MINUTES, group_wall_seconds),
  LIMIT ("max.jobs.active", JM_SLURM_COUNT, max_jobs),
  LIMIT ("max.jobs.total", JM_SLURM_COUNT, max_submit),
  LIMIT ("max.jobs.per.wall_clock", JM_SLURM_MINUTES, max_wall_seconds),
};

static void
begin_limit (gpointer draft)
{
  LimitDraft *self = draft;

  jm_scheduler_limit_init (&self->limit);
  self->tres_count = -1;
}

static void
end_tres (JmSlurmAnswer *answer, gpointer draft, const char *name)
{
  LimitDraft *self = draft;

  if (self->tres_count >= 0 && g_str_equal (name, GROUP_TRES))
    {
      if (g_strcmp0 (self->tres_type, "cpu") == 0)
        self->limit.group_cpus = self->tres_count;
      else if (g_strcmp0 (self->tres_type, "node") == 0)
        self->limit.group_nodes = self->tres_count;
      else if (g_strcmp0 (self->tres_type, "gres") == 0 &&
               g_strcmp0 (self->tres_name, "gpu") == 0)
        self->limit.group_gpus = self->tres_count;
      else if (g_strcmp0 (self->tres_type, "mem") == 0 &&
               self->tres_count <= G_MAXINT64 / (gint64) JM_SLURM_MEGABYTE)
        self->limit.group_memory_bytes = self->tres_count * (gint64) JM_SLURM_MEGABYTE;
    }
  self->tres_type = NULL;
  self->tres_name = NULL;
  self->tres_count = -1;
}

/* Of all clusters that the database knows. */
static void
end_limit (JmSlurmAnswer *answer, gpointer data)
{
  LimitDraft *self = data;
  JmSchedulerReport *report = jm_slurm_answer_get_report (answer);
  const char *cluster = jm_slurm_answer_get_asked_cluster (answer);

  if (cluster != NULL && self->cluster != NULL &&
      g_ascii_strcasecmp (self->cluster, cluster) != 0)
    return;

  if (self->limit.account != NULL)
    jm_scheduler_report_add_limit (report, &self->limit);
  else
    jm_scheduler_report_pass_over (report, "an association without an account");
}

const JmSlurmShape jm_slurm_limits_shape = {
  .records = "associations",
  .draft_size = sizeof (LimitDraft),
  .fields = limit_fields,
  .n_fields = G_N_ELEMENTS (limit_fields),
  .begin = begin_limit,
  .end = end_limit,
  .end_element = end_tres,
};
