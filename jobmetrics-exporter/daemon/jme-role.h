/* jme-role.h: what a daemon is there for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "web/jme-web-server.h"

/* Where a role has what is scraped; `--web.telemetry-path` puts it elsewhere. */
#define JME_TELEMETRY_PATH "/metrics"
#define JME_TELEMETRY_SETTING "web.telemetry-path"

G_BEGIN_DECLS

/**
 * JmeRole:
 * @name: the word on the command line, and the group in the configuration file
 * @summary: what it does, in half a sentence
 * @listen_address: where it listens by default: each role has a port of its own
 * @add_settings: adds the settings that it has beside those of every role
 * @open: makes the role's state; errors are `INVALID` for a setting that is wrong. The
 *   daemon does not listen yet, and may not come to: nothing is written for others
 * @start: (nullable): begins what it does; the daemon listens
 * @why_not_ready: %NULL when it has something to show that is new; else a sentence,
 *   what is amiss
 * @get_busy_us: (nullable): microseconds that it has been at what it does just now:
 *   once that is too long, the service manager's watchdog is not notified
 * @print_once: (nullable): for `--once`: prints what a scraper would get, returns the
 *   exit status; %NULL of a role that has no such option
 * @check: (nullable): for `--check`: prints whether it could do its work, returns the
 *   exit status; %NULL of a role that has no such option
 * @routes: what it serves, up to one without a path, what is scraped as the last;
 *   handlers are given the state
 * @add_routes: (nullable): adds what parts of it serve, each for its own part
 * @close: ends what it does and frees the state; nothing is asked of it any more
 *
 * A role is a folder of the program with one of these, and a row in the table of
 * main.c.
 */
typedef struct
{
  const char *name;
  const char *summary;
  const char *listen_address;
  void (*add_settings) (JmSettings *settings);
  gpointer (*open) (const JmSettings *settings, GError **error);
  void (*start) (gpointer state);
  const char *(*why_not_ready) (gpointer state);
  gint64 (*get_busy_us) (gpointer state);
  int (*print_once) (gpointer state);
  int (*check) (gpointer state);
  const JmeRoute *routes;
  void (*add_routes) (gpointer state, JmeWebServer *server);
  void (*close) (gpointer state);
} JmeRole;

const JmeRole *
jme_role_find (const JmeRole *const *roles, gsize n_roles, const char *name);

char *jme_role_list (const JmeRole *const *roles, gsize n_roles);

G_END_DECLS
