/* asked.h: a reader that was asked, and what it answered
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"

typedef struct
{
  JmHost *host;
  JmCgroupReader *reader;
  JmReadings *readings;
} Asked;

Asked *asked_new (const char *root);
Asked *asked_new_for_fixture (const char *situation);
Asked *asked_new_for_reader (JmHost *host, JmCgroupReader *reader);
void asked_free (Asked *self);

guint asked_open (Asked *self, const char *path, JmSubjectKind level);
void asked_read (Asked *self, guint cgroup);
guint asked_open_and_read (Asked *self, const char *path, JmSubjectKind level);
gboolean asked_has_child (Asked *self, const char *path, const char *name);
gboolean asked_hears_of (Asked *self, const char *path);
char *asked_list_processes (Asked *self, guint cgroup);
void asked_note_process (Asked *self, guint cgroup, guint pid);

gboolean asked_get (Asked *self, JmMetric metric, const char *label, guint64 *value);
guint asked_count (Asked *self, JmMetric metric);
const char *asked_get_error (Asked *self, JmCollector collector);

#define assert_figure(asked, metric, label, expected)                                  \
 G_STMT_START                                                                          \
 {                                                                                     \
  guint64 figure_ = G_MAXUINT64;                                                       \
  g_assert_true (asked_get (asked, metric, label, &figure_));                          \
  g_assert_cmpuint (figure_, ==, expected);                                            \
 }                                                                                     \
 G_STMT_END

#define assert_no_figure(asked, metric)                                                \
 g_assert_cmpuint (asked_count (asked, metric), ==, 0)

#define assert_error_is(asked, collector, text)                                        \
 g_assert_true (asked_get_error (asked, collector) != NULL &&                          \
                strstr (asked_get_error (asked, collector), text) != NULL)

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Asked, asked_free)
