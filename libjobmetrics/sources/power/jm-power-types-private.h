/* jm-power-types-private.h: the power sources that are opened by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <poll.h>

#include "host/jm-source.h"
#include "sources/power/jm-dcmi-private.h"
#include "sources/power/jm-meter-source-private.h"
#include "sources/power/jm-polled-source-private.h"
#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_COMMAND_SOURCE (jm_command_source_get_type ())

G_DECLARE_FINAL_TYPE (JmCommandSource,
                      jm_command_source,
                      JM,
                      COMMAND_SOURCE,
                      JmMeterSource)

#define JM_TYPE_CRAY_PM_SOURCE (jm_cray_pm_source_get_type ())

G_DECLARE_FINAL_TYPE (JmCrayPmSource, jm_cray_pm_source, JM, CRAY_PM_SOURCE, JmSource)

#define JM_TYPE_ESTIMATE_SOURCE (jm_estimate_source_get_type ())

G_DECLARE_FINAL_TYPE (JmEstimateSource,
                      jm_estimate_source,
                      JM,
                      ESTIMATE_SOURCE,
                      JmSource)

#define JM_TYPE_FILE_SOURCE (jm_file_source_get_type ())

G_DECLARE_FINAL_TYPE (JmFileSource, jm_file_source, JM, FILE_SOURCE, JmMeterSource)

#define JM_TYPE_HWMON_SOURCE (jm_hwmon_source_get_type ())

G_DECLARE_FINAL_TYPE (JmHwmonSource, jm_hwmon_source, JM, HWMON_SOURCE, JmSource)

#define JM_TYPE_IPMI_COMMAND_SOURCE (jm_ipmi_command_source_get_type ())

G_DECLARE_FINAL_TYPE (JmIpmiCommandSource,
                      jm_ipmi_command_source,
                      JM,
                      IPMI_COMMAND_SOURCE,
                      JmDcmiSource)

#define JM_TYPE_REDFISH_SOURCE (jm_redfish_source_get_type ())

G_DECLARE_FINAL_TYPE (JmRedfishSource,
                      jm_redfish_source,
                      JM,
                      REDFISH_SOURCE,
                      JmPolledSource)

#define JM_TYPE_HSMP_SOURCE (jm_hsmp_source_get_type ())

G_DECLARE_FINAL_TYPE (JmHsmpSource, jm_hsmp_source, JM, HSMP_SOURCE, JmSource)

JmHsmpSource *jm_hsmp_source_new (JmHost *host, GError **error);

#define JM_HSMP_MAX_WORDS 8

/* The kernel's struct hsmp_message (arch/x86/include/uapi/asm/amd_hsmp.h), whose header
 * only x86 has. */
typedef struct
{
  guint32 id;
  guint16 n_arguments;
  guint16 n_answers;
  guint32 words[JM_HSMP_MAX_WORDS]; /* the arguments, then the answers */
  guint16 socket;
} JmHsmpMessage;

/* Of the messages, those that are sent. */
typedef enum
{
  JM_HSMP_GET_SOCKET_POWER = 0x04,  /* milliwatts */
  JM_HSMP_GET_DDR_BANDWIDTH = 0x14, /* bits 8 to 19: in use, gigabytes per second */
} JmHsmpMessageId;

/* Each returns a negative errno where it fails. */
typedef struct
{
  int (*open) (gpointer user_data, const char *path);
  int (*send) (gpointer user_data, int fd, JmHsmpMessage *message);
  void (*close) (gpointer user_data, int fd);
} JmHsmpCalls;

/* With another device than that of the system, for tests: the host need not be live.
 * @calls and @user_data must outlive the source. */
JmHsmpSource *jm_hsmp_source_new_with_calls (JmHost *host,
                                             const JmHsmpCalls *calls,
                                             gpointer user_data,
                                             GError **error);

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

#define JM_TYPE_IPMI_SOURCE (jm_ipmi_source_get_type ())

G_DECLARE_FINAL_TYPE (JmIpmiSource, jm_ipmi_source, JM, IPMI_SOURCE, JmDcmiSource)

/* @calls must outlive the source. */
JmIpmiSource *jm_ipmi_source_new_with_calls (JmHost *host,
                                             double interval_s,
                                             double timeout_s,
                                             const JmIpmiCalls *calls,
                                             GError **error);

G_END_DECLS
