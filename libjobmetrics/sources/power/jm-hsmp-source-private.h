/* jm-hsmp-source-private.h: power of AMD's server processors, from their management
 * port
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

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

G_END_DECLS
