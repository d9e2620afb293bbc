/* jm-power-meters-private.h: what the node's power sources have measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings-private.h"
#include "core/jm-readings.h"
#include "sources/power/jm-energy-trace-private.h"
#include "sources/power/jm-power-source.h"

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
  guint64 step_uw;      /* power between the last two steps of one that makes such */
  gint64 stepped_us;    /* when the last of them was answered; 0 before */
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

/* @reading is the first of its domain that the source @source reports. */
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
 * counts from the last reading then, where it is known; else @readings get an error. */
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

#define JM_NO_DEVICE G_MAXUINT

/* Whose numbers of accelerators are another's than the source's own: what is numbered
 * there, as a device of the node; JM_NO_DEVICE where it is not known. FALSE for a
 * source of which nobody else knows the numbers. */
typedef gboolean (*JmFindDevice) (JmPowerSource *source,
                                  guint number,
                                  guint *device,
                                  gpointer user_data);

/* What one domain of one source has taken between two readings. */
typedef struct
{
  JmPowerDomain domain;
  guint number; /* JM_POWER_DOMAIN_ALL where there is none */
  guint die;
  gboolean is_estimate;
  guint64 energy_uj;
  gint64 began_us; /* monotonic */
  gint64 ended_us;
  gboolean is_constant; /* whatever anybody does */
  gboolean is_keyed;    /* of an accelerator: which one it is, is known */
  guint device;         /* then its number in the node */
  gint64 span_us; /* in which the energy was counted; -1 where that is not known, as
                     between two steps of a counter that is asked in the background */
} JmMeterInterval;

/* All power sources of a node, the best first: integrates those that show power, and
 * passes over what a source cannot mean. */
typedef struct _JmPowerMeters JmPowerMeters;

JmPowerMeters *jm_power_meters_new (void);
void jm_power_meters_free (JmPowerMeters *self);

/* One that could not be opened, such as for a driver that is not loaded yet, is tried
 * again now and then. */
void jm_power_meters_add (JmPowerMeters *self, const char *name, JmPowerSource *source);
gboolean jm_power_meters_is_empty (JmPowerMeters *self);

/* Who knows the devices of sources; nobody before this. */
void
jm_power_meters_set_finder (JmPowerMeters *self, JmFindDevice find, gpointer user_data);

/* Reads every source. The node's figures go to @readings; the intervals, of
 * JmMeterInterval, in the order of sources and their domains, stay the meters'. */
const GArray *
jm_power_meters_read (JmPowerMeters *self, gint64 now_us, JmReadings *readings);

/* Waits until sources that answer in the background have done so once. */
void jm_power_meters_wait (JmPowerMeters *self, gint64 timeout_us);

/* What was read last of each domain, and of its sum, as JM_POWER_METERS_TYPE, for the
 * program that comes after: it goes on from there with those domains that it sees
 * again,
 * and counts what they took meanwhile as far as it was read by @until_us of the same
 * clock; 0 in another boot. */
#define JM_POWER_METERS_TYPE "a(ssbttxxx(txttdt))"
GVariant *jm_power_meters_save (JmPowerMeters *self);
void jm_power_meters_restore (JmPowerMeters *self, GVariant *value, gint64 until_us);

/* Those of the sources, as "as". */
GVariant *jm_power_meters_list_names (JmPowerMeters *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowerMeters, jm_power_meters_free)

G_END_DECLS
