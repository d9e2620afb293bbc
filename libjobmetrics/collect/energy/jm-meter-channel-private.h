/* jm-meter-channel-private.h: one domain of one power source, from reading to reading
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-power-domain.h"
#include "core/jm-readings-private.h"
#include "sources/power/jm-energy-trace-private.h"

G_BEGIN_DECLS

typedef struct
{
  JmLabels *read;   /* the labels that the source puts on it */
  JmLabels *labels; /* the same with the source's name */
  JmPowerDomain kind;
  guint number;
  guint die;
  JmMetric metric;
  guint first;    /* position of the first channel of this domain */
  gboolean is_up; /* of the first: this round has one of them */
  gboolean is_counter;
  guint64 value;        /* as read last: microjoules or microwatts */
  gint64 read_us;       /* when; 0 where nothing can be reckoned from it */
  gint64 changed_us;    /* when it was another one for the last time */
  guint device;         /* of an accelerator: its number in the node, or JM_NO_DEVICE */
  guint64 energy_uj;    /* since it was read first */
  guint64 remainder_pj; /* of integrating, less than a microjoule */
  gint64 owed_uj;       /* of a counter: what lies between @value and the next one more
                           than its difference, or less */
} JmMeterChannel;

/* What of a channel outlives the program. */
typedef struct
{
  char *source;
  char *domain;
  gboolean is_counter;
  guint64 energy_uj;
  guint64 remainder_pj;
  gint64 read_us; /* 0 where nothing can be reckoned from what follows */
  gint64 changed_us;
  gint64 owed_uj;
  JmEnergyTrace trace; /* without its first reading */
} JmMeterRecord;

/* @reading is the first of its domain that the source @source tells. */
void jm_meter_channel_init (JmMeterChannel *self,
                            const char *source,
                            const JmReading *reading);
void jm_meter_channel_clear (JmMeterChannel *self);

/* `package-0`; stays the channel's. */
const char *jm_meter_channel_get_domain (const JmMeterChannel *self);

/* What went into the domain since it was read last; FALSE where that is not known. */
gboolean jm_meter_channel_take (JmMeterChannel *self,
                                guint64 value,
                                gint64 now_us,
                                JmReadings *readings,
                                guint64 *energy_uj);

/* Goes on from what an earlier program left. What the counter of @source took meanwhile
 * counts from the last reading then, where it is known; else @readings are told. */
void jm_meter_channel_restore (JmMeterChannel *self,
                               const JmMeterRecord *record,
                               JmPowerSource *source,
                               JmReadings *readings);

/* The record, the texts of which stay the channel's. */
JmMeterRecord jm_meter_channel_save (const JmMeterChannel *self, JmPowerSource *source);

/* An array of records, with texts of their own, as JM_METER_RECORDS_TYPE; and back. */
#define JM_METER_RECORD_TYPE "(ssbttxxx(txttdt))"
#define JM_METER_RECORDS_TYPE "a" JM_METER_RECORD_TYPE
GArray *jm_meter_records_new (void);
void jm_meter_records_pack (GVariantBuilder *builder, const JmMeterRecord *record);
void jm_meter_records_unpack (GArray *records, GVariant *value);

G_END_DECLS
