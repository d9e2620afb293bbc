/* jme-trace-door.h: who may tell of processes, and of whose
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "store/jm-trace-record-private.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

typedef struct _JmeTraceDoor JmeTraceDoor;

/* @token is taken over; NULL for none. With @is_open, everybody may tell anything. */
JmeTraceDoor *jme_trace_door_new (char *token, gboolean is_open);
void jme_trace_door_free (JmeTraceDoor *self);

/* What the server is to ask of who tells something: nothing, where this asks itself. */
JmeAccess jme_trace_door_choose_access (JmeTraceDoor *self, JmeRequest *request);

/* Whether one whom the server let in may tell anything; answers with 401 where not. */
gboolean jme_trace_door_admit (JmeTraceDoor *self, JmeRequest *request);

/* Whether he may tell this: a user of this machine tells of himself alone, root of
 * everybody. Answers with 403 where not. */
gboolean jme_trace_door_admit_record (JmeTraceDoor *self,
                                      JmeRequest *request,
                                      const JmTraceRecord *record);

/* As whom he is counted. */
char *jme_trace_door_name_sender (JmeTraceDoor *self, JmeRequest *request);

G_END_DECLS
