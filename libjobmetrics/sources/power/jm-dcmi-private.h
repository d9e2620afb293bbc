/* jm-dcmi-private.h: what a BMC says of a node's power
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-polled-source-private.h"

G_BEGIN_DECLS

#define JM_TYPE_DCMI_SOURCE (jm_dcmi_source_get_type ())

G_DECLARE_DERIVABLE_TYPE (JmDcmiSource, jm_dcmi_source, JM, DCMI_SOURCE, JmPolledSource)

struct _JmDcmiReading;

/*
 * JmDcmiSourceClass:
 * @parent_class: the parent class
 *
 * The class of ways to ask a BMC by IPMI.
 */
struct _JmDcmiSourceClass
{
  JmPolledSourceClass parent_class;

  /* the setting that names what the BMC is asked by */
  const char *setting;
  /* opens that; gives what it is called in messages, or NULL with an error */
  const char *(*open_transport) (gpointer self, GError **error);
  /* Get Power Reading, in the thread that asks */
  gboolean (*ask) (gpointer self,
                   GCancellable *cancellable,
                   struct _JmDcmiReading *reading,
                   GError **error);
};

/* Get Power Reading, 6.6.1 of the Data Center Manageability Interface
 * Specification 1.5.
 */
#define JM_DCMI_NETFN 0x2c
#define JM_DCMI_GET_POWER_READING 0x02
#define JM_DCMI_GROUP 0xdc
#define JM_DCMI_SYSTEM_POWER 0x01

/* What a BMC knows beside the power of the moment: over a time of its own. */
typedef enum
{
  JM_DCMI_MINIMUM,
  JM_DCMI_MAXIMUM,
  JM_DCMI_AVERAGE,
} JmDcmiStatistic;

#define JM_N_DCMI_STATISTICS (JM_DCMI_AVERAGE + 1)

typedef struct _JmDcmiReading
{
  guint watts;
  guint statistics[JM_N_DCMI_STATISTICS]; /* watts; 0 where it is not known */
} JmDcmiReading;

/* The watts of an answer to Get Power Reading, whose first byte is the completion code.
 * @what is who answered, for messages. */
gboolean jm_dcmi_parse_power (const guint8 *bytes,
                              gsize length,
                              const char *what,
                              JmDcmiReading *reading,
                              GError **error);

/* The watts of what ipmi-dcmi, ipmitool or ipmiutil printed of such an answer, or of
 * what capmc prints on Cray machines. */
gboolean jm_dcmi_parse_text (const char *text,
                             gsize length,
                             const char *what,
                             JmDcmiReading *reading,
                             GError **error);

/* Whether these are the watts of a node: some BMCs answer 0 or the largest number when
 * they have measured nothing. */
gboolean jm_dcmi_check_watts (guint64 watts, const char *what, GError **error);

/* Notes a statistic, if it may be one. */
void
jm_dcmi_reading_note (JmDcmiReading *self, JmDcmiStatistic statistic, guint64 watts);

G_END_DECLS
