/* jm-meter-source.c: a site's own meter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-meter-source-private.h"

#include "sources/power/jm-polled-source-private.h"
#include "sources/power/jm-power-meter-private.h"

/*
 * JmMeterSource:
 *
 * A site's own meter: the abstract class of what prints lines `DOMAIN VALUE UNIT`, such
 * as `node 312.5 W` or `package-0 123456789 uJ`, or a number alone if its unit is set.
 *
 * Since: 0.1
 */
typedef struct
{
  JmPowerMeter *meter; /* of the thread that asks */
} JmMeterSourcePrivate;

enum
{
  PROP_DOMAIN = 1,
  PROP_UNIT,
  PROP_RANGE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (JmMeterSource,
                                     jm_meter_source,
                                     JM_TYPE_POLLED_SOURCE)

static gpointer
jm_meter_source_poll (gpointer self, GCancellable *cancellable, GError **error)
{
  JmMeterSourcePrivate *priv = jm_meter_source_get_instance_private (self);
  gsize length;
  g_autofree char *text =
    JM_METER_SOURCE_GET_CLASS (self)->read_text (self, cancellable, &length, error);

  if (text == NULL)
    return NULL;

  return jm_power_meter_take (priv->meter, text, length, g_get_monotonic_time (),
                              error);
}

static void
jm_meter_source_finalize (GObject *object)
{
  JmMeterSourcePrivate *priv =
    jm_meter_source_get_instance_private (JM_METER_SOURCE (object));

  g_clear_pointer (&priv->meter, jm_power_meter_free);

  G_OBJECT_CLASS (jm_meter_source_parent_class)->finalize (object);
}

static void
jm_meter_source_class_init (JmMeterSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JM_POLLED_SOURCE_CLASS (klass)->poll = jm_meter_source_poll;
  object_class->finalize = jm_meter_source_finalize;

  /*
   * JmMeterSource:domain:
   *
   * What a number alone is about; %NULL is `node`.
   *
   * Since: 0.1
   */
  properties[PROP_DOMAIN] = jm_polled_source_text_property ("domain", NULL);

  /*
   * JmMeterSource:unit:
   *
   * The unit of a number alone: W, mW, uW, J, mJ, kJ, uJ, Wh or kWh. %NULL where there
   * is a unit in each line.
   *
   * Since: 0.1
   */
  properties[PROP_UNIT] = jm_polled_source_text_property ("unit", NULL);

  /*
   * JmMeterSource:range:
   *
   * The energy at which counters begin again at zero, such as `65536 J`; %NULL where
   * they never do. One that goes back is then out of order.
   *
   * Since: 0.1
   */
  properties[PROP_RANGE] = jm_polled_source_text_property ("range", NULL);

  jm_polled_source_install_settings (object_class, N_PROPS, properties);
}

static void
jm_meter_source_init (JmMeterSource *self)
{
}

gboolean
jm_meter_source_start (JmMeterSource *self, const char *what, GError **error)
{
  JmMeterSourcePrivate *priv = jm_meter_source_get_instance_private (self);
  const JmPowerMeterSettings settings = {
    .domain = jm_polled_source_get_text (self, "domain"),
    .unit = jm_polled_source_get_text (self, "unit"),
    .range = jm_polled_source_get_text (self, "range"),
  };

  priv->meter = jm_power_meter_new (&settings, what, error);
  if (priv->meter == NULL)
    return FALSE;

  jm_polled_source_start (self, what);

  return TRUE;
}
