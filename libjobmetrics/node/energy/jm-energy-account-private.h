/* jm-energy-account-private.h: what somebody has used of a node's energy so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-emission-factor.h"
#include "core/jm-metric-private.h"
#include "core/jm-readings.h"
#include "node/energy/jm-energy-balance-private.h"
#include "node/energy/jm-work-private.h"

G_BEGIN_DECLS

/* A job's threads are looked at in moments, and some have just moved: what was seen
 * before counts as well, the less the older it is. */
typedef struct _JmPlacement JmPlacement;

JmPlacement *jm_placement_new (void);
void jm_placement_free (JmPlacement *self);

/* Takes how long the job has run on each CPU, by number, up to now. @is_whole: all of
 * that was since the round before; else, the first time, nothing is known of when it
 * was. */
void jm_placement_take (JmPlacement *self,
                        const guint64 *total_ns,
                        guint n,
                        gboolean is_whole);

/* What it was seen to run on one CPU of late, before the program began. */
void jm_placement_restore (JmPlacement *self, guint cpu, guint64 recent_ns);

/* Nanoseconds, of which the proportions count. */
const guint64 *jm_placement_get (JmPlacement *self, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPlacement, jm_placement_free)

/* By part of the node and socket, those whose meters were read throughout included. */
typedef struct _JmSocketGaps JmSocketGaps;

JmSocketGaps *jm_socket_gaps_new (void);

void jm_socket_gaps_add (JmSocketGaps *self,
                         JmEnergyPart part,
                         guint socket,
                         gint64 unread_us);

guint jm_socket_gaps_get_size (const JmSocketGaps *self);
gint64 jm_socket_gaps_get (const JmSocketGaps *self,
                           guint i,
                           JmEnergyPart *part,
                           guint *socket);

/* Which metrics an account is exported as; JM_N_METRICS for none. */
typedef struct
{
  JmMetric energy;
  JmMetric power;
  JmMetric covered;
  JmMetric emissions;
  JmMetric marginal_emissions;
  JmMetric emissions_by_factor;
} JmEnergyMetrics;

/* The factors of one round; NULL where there is none. */
typedef struct
{
  JmEmissionFactor *average;
  JmEmissionFactor *marginal;
} JmRoundFactors;

/* What measured or estimated energy has emitted by the factors of one provenance. */
typedef struct
{
  JmLabels *labels;
  double emissions_ug;
} JmFactorShare;

#define JM_UNSEEN_GPU G_MAXUINT

/* What a job has had of one accelerator. */
typedef struct
{
  char *name;   /* a GRefString; NULL where it has none */
  guint device; /* its number in the node; JM_UNSEEN_GPU before it was seen */
  guint64 energy_uj;
  guint64 round_uj;
  gboolean is_current; /* this round has some */
} JmGpuTotal;

typedef struct _JmEnergyAccount JmEnergyAccount;

/* A job's, the system's, or nobody's. The caller may look, and see to who it is. */
struct _JmEnergyAccount
{
  guint64 id;
  char *alias;     /* scheduler and job id, which name a job for as long as it lives */
  gint64 start_us; /* of its first process, since 1970; 0 where unknown */
  guint64 cpu_ns;  /* as read last */
  JmPlacement *placement; /* NULL before it was seen on any CPU */
  JmWorkMeter work;
  gboolean has_cpu;
  gboolean has_ended;
  gboolean is_over;     /* the job ended in an earlier round */
  gboolean has_changed; /* since it was kept last */

  guint32 known;   /* bits by kind of energy */
  guint32 current; /* of those that this round has */
  guint32 whole;   /* of those, what is known of all sockets that the job was on */
  guint64 energy_uj[JM_N_ENERGY_KINDS];
  guint64 round_uj[JM_N_ENERGY_KINDS];
  gint64 covered_us[JM_N_ENERGY_KINDS];
  gint64 round_us;
  JmSocketGaps *gaps; /* made with the first */

  /* by method, then measured and estimated energy; micrograms, by factors of one scope
   */
  gboolean has_emissions[2][2];
  double emissions_ug[2][2];
  GArray *by_factor; /* of JmFactorShare; made with the first */
  guint scopes[2];   /* by method: one more than the scope; 0 before it is known */

  GArray *gpus; /* of JmGpuTotal; made with the first */
};

JmEnergyAccount *jm_energy_account_new (guint64 id);
void jm_energy_account_free (JmEnergyAccount *self);

/* For those who only export it: without where the job ran, and without accelerators. */
JmEnergyAccount *jm_energy_account_copy (const JmEnergyAccount *self);

/* What a job has used of CPUs so far, and on which: how much of it is since the round
 * before. @is_whole: all of it, for the job was not there yet. */
guint64 jm_energy_account_take_cpu_time (JmEnergyAccount *self,
                                         guint64 total_ns,
                                         gboolean is_whole);
void jm_energy_account_take_placed (JmEnergyAccount *self,
                                    const GArray *placed_ns,
                                    gboolean is_whole);

void jm_energy_account_begin_round (JmEnergyAccount *self, gint64 round_us);

/* Says that of this round so much is known of a kind, 1 where all is. */
void jm_energy_account_cover (JmEnergyAccount *self, guint kind, double part);
/* The same of the meters of one socket, of whatever it had this round. */
void jm_energy_account_read_socket (JmEnergyAccount *self,
                                    const JmEnergySocket *socket);
gboolean jm_energy_account_is_covered (const JmEnergyAccount *self, guint kind);

void jm_energy_account_add (JmEnergyAccount *self,
                            guint kind,
                            guint64 energy_uj,
                            const JmRoundFactors *factors);

/* What of the energy went into one accelerator; it was added already. @name is a
 * GRefString, or NULL. */
void jm_energy_account_add_gpu (JmEnergyAccount *self,
                                guint device,
                                const char *name,
                                guint64 energy_uj);

/* The same of before the program began, when its number may have been another one; and
 * which number it has now. */
void jm_energy_account_restore_gpu (JmEnergyAccount *self,
                                    const char *name,
                                    guint64 energy_uj);
void jm_energy_account_seat_gpu (JmEnergyAccount *self, const char *name, guint device);

/* @labels are those of the grams of a factor. */
void jm_energy_account_add_factor (JmEnergyAccount *self,
                                   JmLabels *labels,
                                   double emissions_ug);

/* @kinds are labels by kind, @spans_us the times in which their energy was counted, -1
 * where that is not known, @qualities the labels of measured and estimated energy. */
void jm_energy_account_tell (const JmEnergyAccount *self,
                             const JmEnergyMetrics *metrics,
                             JmLabels *const *kinds,
                             const gint64 *spans_us,
                             JmLabels *const *qualities,
                             JmReadings *readings);
void jm_energy_account_tell_gpu (const JmEnergyAccount *self,
                                 guint device,
                                 JmReadings *readings);

G_END_DECLS
