/* jm-ipmi-device-private.h: the kernel's door to the BMC
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <poll.h>

#include "sources/power/jm-dcmi-private.h"

G_BEGIN_DECLS

/* The system calls, which a test replaces by a BMC of its own. Each answers as the call
 * does, or a negative `errno`. */
typedef struct
{
  int (*open) (gpointer user_data, const char *path);
  int (*ioctl) (gpointer user_data, int fd, unsigned long request, void *argument);
  int (*poll) (gpointer user_data, struct pollfd *fds, guint n_fds, int timeout_ms);
  void (*close) (gpointer user_data, int fd);
  gpointer user_data;
} JmIpmiCalls;

extern const JmIpmiCalls jm_ipmi_system_calls;

/* A device such as `/dev/ipmi0`. Belongs to one thread at a time. */
typedef struct _JmIpmiDevice JmIpmiDevice;

/* @calls must outlive the device. Needs the right to read and to write. */
JmIpmiDevice *
jm_ipmi_device_new (const char *path, const JmIpmiCalls *calls, GError **error);
void jm_ipmi_device_free (JmIpmiDevice *self);

/* Asks the BMC for the node's power, watts; waits for at most @timeout_ms. */
gboolean jm_ipmi_device_read_power (JmIpmiDevice *self,
                                    guint timeout_ms,
                                    GCancellable *cancellable,
                                    JmDcmiReading *reading,
                                    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmIpmiDevice, jm_ipmi_device_free)

G_END_DECLS
