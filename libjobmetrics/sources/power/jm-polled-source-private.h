/* jm-polled-source-private.h: what sources that are asked in the background share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_POLLED_SOURCE (jm_polled_source_get_type ())

G_DECLARE_DERIVABLE_TYPE (JmPolledSource, jm_polled_source, JM, POLLED_SOURCE, JmSource)

/*
 * JmPolledSourceClass:
 * @parent_class: the parent class
 *
 * The class of meters that are asked in the background.
 */
struct _JmPolledSourceClass
{
  JmSourceClass parent_class;

  const char *thread_name;
  /* asks once, in a thread of its own; a JmPowerAnswer */
  gpointer (*poll) (gpointer self, GCancellable *cancellable, GError **error);
};

/* Settings: properties that a subclass installs, each with its own default and where it
 * is to be listed; this class keeps their values, from construction on. Each has an
 * interval, and the others where they have a meaning. */
void jm_polled_source_install_settings (GObjectClass *object_class,
                                        guint n_properties,
                                        GParamSpec **properties);

GParamSpec *jm_polled_source_interval_property (double default_s);
GParamSpec *jm_polled_source_timeout_property (double default_s);
GParamSpec *jm_polled_source_seconds_property (const char *name,
                                               double min_s,
                                               double max_s,
                                               double default_s);
GParamSpec *jm_polled_source_text_property (const char *name, const char *default_text);
GParamSpec *jm_polled_source_flag_property (const char *name);

guint jm_polled_source_get_timeout_ms (gpointer self);
double jm_polled_source_get_seconds (gpointer self, const char *name);
const char *jm_polled_source_get_text (gpointer self, const char *name);
gboolean jm_polled_source_get_flag (gpointer self, const char *name);

/* The last step of open (): begins to call the class's poll (), which ends before
 * anything is finalized. @what is what is asked, for messages. */
void jm_polled_source_start (gpointer self, const char *what);

G_END_DECLS
