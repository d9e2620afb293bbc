/* jm-energy-accounts.c: who has used what of a node's energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-parts-private.h"

#include "core/jm-readings-private.h"
#include "core/jm-snapshot-private.h"
#include "node/energy/jm-energy-archive-private.h"
#include "node/energy/jm-energy-file-private.h"
#include "node/energy/jm-energy-memory-private.h"
#include "node/energy/jm-energy-split-private.h"

#define SECONDS(us) ((double) (us) / G_USEC_PER_SEC)

/* The first of the parts is what is no job's. */
#define SYSTEM_PART 0
#define SYSTEM_ID 0

/* One job of this round. */
typedef struct
{
  JmEnergyAccount *account;
  JmJob *job; /* the claim's */
  guint subject;
  double presence; /* for which part of the round it was there */
} Claim;

struct _JmEnergyAccounts
{
  JmEnergySplit *split;
  JmGpuEnergy *gpus;
  JmEnergyPast *past;
  gboolean has_meters;

  JmEnergyAccount *system;
  JmEnergyAccount *idle;
  JmEnergyAccount *node; /* all, for what they emit together */
  JmWorkMeter work;      /* the node's */
  guint64 last_id;
  JmLabels *kinds[JM_N_ENERGY_KINDS];
  JmLabels *parts[JM_N_ENERGY_PARTS];
  JmLabels *qualities[2]; /* measured, estimated */
  /* for how long each part was divided by what processors counted */
  gint64 counted_us[JM_N_ENERGY_PARTS];

  /* this round */
  gboolean is_telling;
  const GArray *items;   /* of JmEnergyItem; NULL where nothing is read */
  const GArray *sockets; /* of JmEnergySocket */
  gint64 round_us;       /* 0 in the first */
  gint64
    spans_us[JM_N_ENERGY_KINDS]; /* in which its energy was counted; -1: not known */
  GArray *claims;                /* of Claim */
};

static const JmEnergyMetrics job_metrics = {
  JM_METRIC_ENERGY,
  JM_METRIC_POWER,
  JM_METRIC_ENERGY_COVERED,
  JM_METRIC_EMISSIONS,
  JM_METRIC_MARGINAL_EMISSIONS,
  JM_METRIC_EMISSIONS_BY_FACTOR,
};
static const JmEnergyMetrics part_metrics = {
  JM_METRIC_ENERGY,    JM_N_METRICS, JM_N_METRICS,
  JM_METRIC_EMISSIONS, JM_N_METRICS, JM_N_METRICS,
};
static const JmEnergyMetrics node_metrics = {
  JM_N_METRICS,        JM_N_METRICS, JM_N_METRICS,
  JM_METRIC_EMISSIONS, JM_N_METRICS, JM_N_METRICS,
};

JmEnergyAccounts *
jm_energy_accounts_new (JmMachine *machine, gboolean share_idle, const char *boot_id)
{
  JmEnergyAccounts *self = g_new0 (JmEnergyAccounts, 1);

  self->split = jm_energy_split_new (machine, share_idle);
  self->gpus = jm_gpu_energy_new (share_idle);
  self->past = jm_energy_past_new (boot_id);
  self->system = jm_energy_account_new (SYSTEM_ID);
  self->idle = jm_energy_account_new (SYSTEM_ID);
  self->node = jm_energy_account_new (SYSTEM_ID);
  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    self->kinds[i] =
      jm_labels_of (jm_energy_kind_get_part (i), jm_energy_kind_get_quality (i), NULL);
  for (guint i = 0; i < JM_N_ENERGY_PARTS; i++)
    self->parts[i] = jm_labels_of (jm_energy_kind_get_part (i), NULL);
  self->qualities[0] = jm_labels_of (JM_QUALITY_MEASURED, NULL);
  self->qualities[1] = jm_labels_of (JM_QUALITY_ESTIMATED, NULL);
  self->claims = g_array_new (FALSE, FALSE, sizeof (Claim));

  return self;
}

void
jm_energy_accounts_free (JmEnergyAccounts *self)
{
  g_array_unref (self->claims);
  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    jm_labels_unref (self->kinds[i]);
  for (guint i = 0; i < JM_N_ENERGY_PARTS; i++)
    jm_labels_unref (self->parts[i]);
  for (guint i = 0; i < G_N_ELEMENTS (self->qualities); i++)
    jm_labels_unref (self->qualities[i]);
  jm_energy_account_free (self->system);
  jm_energy_account_free (self->idle);
  jm_energy_account_free (self->node);
  jm_energy_past_free (self->past);
  jm_gpu_energy_free (self->gpus);
  jm_energy_split_free (self->split);
  g_free (self);
}

void
jm_energy_accounts_expect_meters (JmEnergyAccounts *self)
{
  self->has_meters = TRUE;
}

gboolean
jm_energy_accounts_has_meters (JmEnergyAccounts *self)
{
  return self->has_meters;
}

gboolean
jm_energy_accounts_is_empty (JmEnergyAccounts *self)
{
  return !self->has_meters && jm_energy_past_is_empty (self->past);
}

/* --- files --- */

static void
take_all_but_jobs (JmEnergyAccounts *self)
{
  jm_energy_past_take (self->past, JM_ENERGY_FILE_SYSTEM, &self->system);
  jm_energy_past_take (self->past, JM_ENERGY_FILE_IDLE, &self->idle);
  jm_energy_past_take (self->past, JM_ENERGY_FILE_NODE, &self->node);
}

void
jm_energy_accounts_set_files (JmEnergyAccounts *self,
                              const char *const *paths,
                              GPtrArray *problems)
{
  jm_energy_past_set_files (self->past, paths, problems);
  take_all_but_jobs (self);
}

void
jm_energy_accounts_follow_files (JmEnergyAccounts *self)
{
  if (!self->has_meters && jm_energy_past_follow_files (self->past))
    take_all_but_jobs (self);
}

void
jm_energy_accounts_list (JmEnergyAccounts *self, GHashTable *accounts)
{
  g_hash_table_insert (accounts, (gpointer) JM_ENERGY_FILE_SYSTEM, self->system);
  g_hash_table_insert (accounts, (gpointer) JM_ENERGY_FILE_IDLE, self->idle);
  g_hash_table_insert (accounts, (gpointer) JM_ENERGY_FILE_NODE, self->node);
}

/* --- over a restart --- */

void
jm_energy_accounts_restore (JmEnergyAccounts *self, GHashTable *node, GHashTable *jobs)
{
  JmEnergyMemory *memory = jm_energy_past_get_memory (self->past);
  g_autoptr (GVariant) gpus = NULL;
  g_autoptr (GVariant) activity = NULL;

  if (!jm_energy_past_restore (self->past, node, jobs))
    return;

  take_all_but_jobs (self);
  gpus =
    jm_energy_memory_take_value (memory, JM_ENERGY_MEMORY_GPUS, JM_GPU_ENERGY_TYPE);
  if (gpus != NULL)
    jm_gpu_energy_restore (self->gpus, gpus);
  activity = jm_energy_memory_take_value (memory, JM_ENERGY_MEMORY_ACTIVITY,
                                          JM_ENERGY_ACTIVITY_TYPE);
  if (activity != NULL)
    jm_energy_split_restore (self->split, activity);
}

void
jm_energy_accounts_save (JmEnergyAccounts *self, JmLedgerBatch *batch)
{
  JmEnergyMemory *memory = jm_energy_past_get_memory (self->past);

  for (guint i = 0; i < self->claims->len; i++)
    {
      const Claim *claim = &g_array_index (self->claims, Claim, i);

      jm_energy_memory_save_job (memory, batch, claim->job, claim->account);
    }
  /* between rounds a job may be another record, or be forgotten */
  g_array_set_size (self->claims, 0);

  jm_energy_memory_save (memory, batch, JM_ENERGY_MEMORY_SYSTEM, self->system);
  jm_energy_memory_save (memory, batch, JM_ENERGY_MEMORY_IDLE, self->idle);
  jm_energy_memory_save (memory, batch, JM_ENERGY_MEMORY_NODE, self->node);
  if (self->items != NULL)
    {
      jm_energy_memory_save_value (memory, batch, JM_ENERGY_MEMORY_GPUS,
                                   jm_gpu_energy_save (self->gpus));
      jm_energy_memory_save_value (memory, batch, JM_ENERGY_MEMORY_ACTIVITY,
                                   jm_energy_split_save (self->split));
    }
  if (jm_energy_memory_end_save (memory, batch) && self->has_meters)
    jm_energy_past_forget_files (self->past);
}

/* --- a round begins --- */

void
jm_energy_accounts_begin_round (JmEnergyAccounts *self,
                                const GArray *items,
                                gint64 round_us,
                                JmReadings *readings)
{
  g_array_set_size (self->claims, 0);
  jm_gpu_energy_begin_round (self->gpus);
  self->is_telling = jm_readings_begin (readings, JM_COLLECTOR_POWER) &&
                     !jm_energy_accounts_is_empty (self);
  self->items = self->is_telling ? items : NULL;
  self->sockets = NULL;
  self->round_us = round_us;
  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    self->spans_us[i] = round_us;
  if (self->items == NULL)
    return;

  jm_energy_split_begin_round (self->split, round_us, readings);

  jm_readings_end (readings);
}

void
jm_energy_accounts_read_sockets (JmEnergyAccounts *self, const GArray *sockets)
{
  self->sockets = sockets;
}

void
jm_energy_accounts_count_node (JmEnergyAccounts *self, JmReadings *counts)
{
  JmWork work;

  if (self->items == NULL)
    return;

  work = jm_work_meter_take_node (&self->work, counts);
  jm_energy_split_count_node (self->split, &work);
}

/* --- jobs --- */

/* One that came or went within the round was there for half of it, as far as is known.
 */
static double
get_presence (const JmEnergyAccount *account, gboolean is_new)
{
  if (account->is_over)
    return 0;

  return is_new || account->has_ended ? 0.5 : 1;
}

/* Returns for which part of the round it was there. A job that was not there in the
 * round before has begun since, but in the first, before which nothing is known. */
static double
take_demand (JmEnergyAccounts *self,
             JmEnergyAccount *account,
             const JmEnergyClaim *claim,
             gboolean is_new,
             JmReadings *readings)
{
  double presence;
  const JmReading *n_cpus = jm_readings_find (readings, claim->from, JM_METRIC_CPUS);
  const JmReading *cpu = jm_readings_find (readings, claim->from, JM_METRIC_CPU_TOTAL);
  gboolean is_whole = is_new && self->round_us > 0;
  JmCpuUser user = { 0 };
  JmWork work;

  jm_energy_account_begin_round (account, self->round_us);
  account->is_over = claim->has_ended && account->has_ended;
  account->has_ended = claim->has_ended;
  account->has_changed |= !account->is_over;

  user.n_allocated =
    n_cpus != NULL && !claim->has_claimed_cpus ? (double) n_cpus->value : 0;
  presence = get_presence (account, is_new);
  user.seconds = presence * SECONDS (self->round_us);
  if (cpu != NULL)
    user.cpu_ns = jm_energy_account_take_cpu_time (account, cpu->value, is_whole);
  if (claim->placed_ns != NULL)
    jm_energy_account_take_placed (account, claim->placed_ns, is_whole);
  if (account->placement != NULL)
    user.placed_ns = jm_placement_get (account->placement, &user.n_placed);
  work =
    jm_work_meter_take (&account->work, readings, claim->from, user.cpu_ns, is_whole);
  jm_energy_split_add (self->split, account->id, &user, &work, claim->cpus);

  return presence;
}

static gint64
get_start (const JmEnergyClaim *claim, JmReadings *readings)
{
  const JmReading *start =
    jm_readings_find (readings, claim->from, JM_METRIC_PROCESS_FIRST_START);

  return start != NULL ? (gint64) (start->value / 1000) : 0;
}

void
jm_energy_accounts_claim (JmEnergyAccounts *self,
                          JmEnergyAccount **account,
                          const JmEnergyClaim *claim,
                          JmReadings *readings)
{
  gboolean is_first = *account == NULL;
  gboolean is_known = FALSE;
  gint64 start_us;
  Claim record = { NULL, claim->job, claim->subject, 0 };

  if (!self->is_telling)
    return;

  start_us = get_start (claim, readings);
  if (is_first || self->items == NULL)
    is_known = jm_energy_past_take_job (self->past, claim->job, start_us, account);
  if (*account == NULL && self->items == NULL)
    return;
  if (*account == NULL)
    *account = jm_energy_account_new (0);
  if (is_first)
    (*account)->id = ++self->last_id;
  if ((*account)->alias == NULL)
    (*account)->alias = jm_energy_archive_make_alias (claim->job);
  if ((*account)->start_us == 0)
    (*account)->start_us = start_us;

  record.account = *account;
  if (self->items != NULL)
    record.presence =
      take_demand (self, record.account, claim, is_first && !is_known, readings);
  g_array_append_val (self->claims, record);
}

/* --- the split --- */

static void
give (JmEnergyAccounts *self,
      JmEnergyAccount *account,
      guint kind,
      guint64 energy_uj,
      const JmRoundFactors *factors)
{
  jm_energy_account_add (account, kind, energy_uj, factors);
  jm_energy_account_add (self->node, kind, energy_uj, factors);
}

/* What was used while the source was silent, and of an accelerator of which is not
 * known which one it is all, is the system's. */
static void
give_to_system (JmEnergyAccounts *self,
                const JmEnergyItem *item,
                const JmRoundFactors *factors)
{
  guint64 energy_uj = item->earlier_uj;

  if (item->domain == JM_POWER_DOMAIN_GPU && !item->is_keyed)
    energy_uj += item->energy_uj;
  give (self, self->system, item->kind, energy_uj, factors);
}

static void
split_gpu (JmEnergyAccounts *self,
           const JmEnergyItem *item,
           const JmRoundFactors *factors)
{
  const JmGpuParts *parts = jm_gpu_energy_take (self->gpus, item);

  give (self, self->idle, item->kind, parts->idle_uj, factors);
  give (self, self->system, item->kind, parts->system_uj, factors);
  for (guint i = 0; i < jm_gpu_energy_get_n_users (self->gpus); i++)
    {
      JmEnergyAccount *account = jm_gpu_energy_get_account (self->gpus, i);

      if (account != NULL || parts->users_uj[i] > 0)
        give (self, account != NULL ? account : self->system, item->kind,
              parts->users_uj[i], factors);
    }
}

static void
give_parts (JmEnergyAccounts *self,
            guint kind,
            const guint64 *parts,
            guint64 idle_uj,
            const JmRoundFactors *factors)
{
  give (self, self->idle, kind, idle_uj, factors);
  give (self, self->system, kind, parts[SYSTEM_PART], factors);
  for (guint i = 0; i < self->claims->len; i++)
    {
      JmEnergyAccount *account = g_array_index (self->claims, Claim, i).account;

      if (jm_energy_account_is_covered (account, kind))
        give (self, account, kind, parts[i + 1], factors);
      else if (parts[i + 1] > 0)
        give (self, self->system, kind, parts[i + 1], factors);
    }
}

/* A job that was on sockets alone whose meters could not be read has no figure, which
 * is not the same as none used. One that is over has none any more. */
static void
cover_jobs (JmEnergyAccounts *self, guint kind)
{
  for (guint i = 0; i < self->claims->len; i++)
    {
      JmEnergyAccount *account = g_array_index (self->claims, Claim, i).account;
      double part = jm_energy_split_get_covered (self->split, i, kind, self->items);

      if (part > 0 && self->round_us > 0 && !account->is_over)
        jm_energy_account_cover (account, kind, part);
    }
}

/* @is_first: of its kind in this round; the sockets go by the same. */
static void
note_counted (JmEnergyAccounts *self, guint kind, gboolean is_first)
{
  if (is_first && jm_energy_split_is_counted (self->split))
    self->counted_us[kind % JM_N_ENERGY_PARTS] += self->round_us;
}

/* What was counted in a longer time than the round is no power of the round. */
static void
note_span (JmEnergyAccounts *self, const JmEnergyItem *item)
{
  gint64 *span_us = &self->spans_us[item->kind];

  if (item->counted_us < 0)
    *span_us = -1;
  else if (*span_us >= 0)
    *span_us = MAX (*span_us, item->counted_us);
}

static void
split_item (JmEnergyAccounts *self,
            const JmEnergyItem *item,
            const JmRoundFactors *factors)
{
  gboolean is_first = !jm_energy_account_is_covered (self->idle, item->kind);
  const guint64 *parts;
  guint64 idle_uj;

  note_span (self, item);
  give_to_system (self, item, factors);
  if (item->is_keyed)
    split_gpu (self, item, factors);
  if (item->domain == JM_POWER_DOMAIN_GPU)
    return;

  if (is_first)
    cover_jobs (self, item->kind);
  parts = jm_energy_split_take (self->split, item, &idle_uj);
  note_counted (self, item->kind, is_first);
  give_parts (self, item->kind, parts, idle_uj, factors);
}

static void
read_sockets_of (JmEnergyAccounts *self, guint job)
{
  JmEnergyAccount *account = g_array_index (self->claims, Claim, job).account;

  for (guint i = 0; i < self->sockets->len; i++)
    {
      const JmEnergySocket *socket = &g_array_index (self->sockets, JmEnergySocket, i);

      if (jm_energy_split_is_on_socket (self->split, job, socket->number))
        jm_energy_account_read_socket (account, socket);
    }
}

static void
read_sockets (JmEnergyAccounts *self)
{
  if (self->sockets == NULL || self->round_us == 0)
    return;

  for (guint i = 0; i < self->claims->len; i++)
    if (!g_array_index (self->claims, Claim, i).account->is_over)
      read_sockets_of (self, i);
}

static void
split_items (JmEnergyAccounts *self, const JmRoundFactors *factors)
{
  jm_energy_account_begin_round (self->system, self->round_us);
  jm_energy_account_begin_round (self->idle, self->round_us);
  jm_energy_account_begin_round (self->node, self->round_us);
  jm_energy_split_weigh (self->split);
  read_sockets (self);
  jm_gpu_energy_cover (self->gpus, self->items);
  for (guint i = 0; i < self->items->len; i++)
    split_item (self, &g_array_index (self->items, JmEnergyItem, i), factors);
}

/* --- figures --- */

static void
tell (JmEnergyAccounts *self,
      const JmEnergyAccount *account,
      const JmEnergyMetrics *metrics,
      JmReadings *readings)
{
  jm_energy_account_tell (account, metrics, self->kinds, self->spans_us,
                          self->qualities, readings);
}

static void
tell_counted (JmEnergyAccounts *self, JmReadings *readings)
{
  for (guint i = 0; i < JM_N_ENERGY_PARTS; i++)
    if (self->counted_us[i] > 0)
      jm_readings_add_labelled (readings, JM_METRIC_NODE_ENERGY_COUNTED, self->parts[i],
                                (guint64) self->counted_us[i]);
}

static void
tell_all (JmEnergyAccounts *self, JmReadings *readings)
{
  for (guint i = 0; i < self->claims->len; i++)
    {
      const Claim *claim = &g_array_index (self->claims, Claim, i);

      jm_readings_set_subject (readings, claim->subject);
      tell (self, claim->account, &job_metrics, readings);
    }

  jm_gpu_energy_tell (self->gpus, readings);
  jm_readings_set_subject (readings, JM_SYSTEM_SUBJECT);
  tell (self, self->system, &part_metrics, readings);
  jm_readings_set_subject (readings, JM_IDLE_SUBJECT);
  tell (self, self->idle, &part_metrics, readings);
  jm_readings_set_subject (readings, JM_NODE_SUBJECT);
  if (jm_readings_begin (readings, JM_COLLECTOR_POWER))
    tell_counted (self, readings);
  tell (self, self->node, &node_metrics, readings);
}

/* --- accelerators --- */

void
jm_energy_accounts_add_gpu (JmEnergyAccounts *self, const JmGpuDevice *device)
{
  if (self->items != NULL)
    jm_gpu_energy_add_device (self->gpus, device);
}

void
jm_energy_accounts_add_gpu_user (JmEnergyAccounts *self,
                                 JmEnergyAccount *account,
                                 const JmGpuUser *user,
                                 guint subject)
{
  JmGpuUser present = *user;

  for (guint i = 0; i < self->claims->len; i++)
    {
      const Claim *claim = &g_array_index (self->claims, Claim, i);

      if (claim->account != account)
        continue;

      present.presence = claim->presence;
      jm_gpu_energy_add_user (self->gpus, account, &present, subject);
    }
}

/* --- the end of a round --- */

void
jm_energy_accounts_end_round (JmEnergyAccounts *self,
                              const JmRoundFactors *factors,
                              JmReadings *readings)
{
  if (!self->is_telling)
    return;

  jm_readings_begin (readings, JM_COLLECTOR_POWER);
  if (self->items != NULL)
    split_items (self, factors);
  tell_all (self, readings);
  jm_readings_end (readings);
}
