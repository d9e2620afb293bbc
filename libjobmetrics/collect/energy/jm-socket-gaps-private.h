/* jm-socket-gaps-private.h: for how long meters of a job's sockets could not be read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/energy/jm-energy-balance-private.h"
#include "core/jm-readings.h"

G_BEGIN_DECLS

/* By part of the node and socket, those whose meters were read throughout included. */
typedef struct _JmSocketGaps JmSocketGaps;

JmSocketGaps *jm_socket_gaps_new (void);
JmSocketGaps *jm_socket_gaps_copy (const JmSocketGaps *self);
void jm_socket_gaps_free (JmSocketGaps *self);

void jm_socket_gaps_add (JmSocketGaps *self,
                         JmEnergyPart part,
                         guint socket,
                         gint64 unread_us);

guint jm_socket_gaps_get_size (const JmSocketGaps *self);
gint64 jm_socket_gaps_get (const JmSocketGaps *self,
                           guint i,
                           JmEnergyPart *part,
                           guint *socket);

/* As %JM_METRIC_ENERGY_UNREAD. */
void jm_socket_gaps_tell (const JmSocketGaps *self, JmReadings *readings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSocketGaps, jm_socket_gaps_free)

G_END_DECLS
