/* jm-power-meters-private.h: what the node's power sources have measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-power-domain.h"
#include "core/jm-readings.h"
#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

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
  gint64 span_us; /* between the two answers that it lies between: of a source that
                     asks in the background, another time than between readings */
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
