/* jme-web-setup.c: what web.yml says at this moment, ready for use
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-web-setup.h"

#include <stdint.h>
#include <sys/stat.h>

#include "base/jm-error.h"
#include "web/jme-tls-config.h"

#define PRIORITY_VARIABLE "G_TLS_GNUTLS_PRIORITY"

#define EXPIRY_NOTICE_S (7 * 24 * 60 * 60)

/* What was said of the certificate. */
typedef enum
{
  NOTHING,
  EXPIRES_SOON,
  HAS_EXPIRED,
} ExpiryNotice;

struct _JmeWebSetup
{
  JmeWebConfig *config;
  JmeWebTls *tls;   /* nullable: plain HTTP */
  guint generation; /* of these two */
  ExpiryNotice notice;
  char *tls_priority; /* the process's, for good */
  GStrv files;        /* those of the last attempt, good or bad */
  char *stamp;        /* of these files, before they were read */
  double turns;       /* of the rate limit's bucket */
  gint64 filled_us;   /* when it was last filled up */
};

/* Distinguishes one state of the files from another, without reading them. */
static char *
make_stamp (GStrv files)
{
  GString *stamp = g_string_new (NULL);

  for (gsize i = 0; files[i] != NULL; i++)
    {
      struct stat info = { 0 };

      /* A missing file is a state as well: all zeros. */
      (void) !stat (files[i], &info);
      g_string_append_printf (stamp, "%ju:%ju:%jd.%09ld:%jd ", (uintmax_t) info.st_dev,
                              (uintmax_t) info.st_ino, (intmax_t) info.st_ctim.tv_sec,
                              info.st_ctim.tv_nsec, (intmax_t) info.st_size);
    }

  return g_string_free (stamp, FALSE);
}

/* A file may be seen while it is being written: empty, it would open the server to
 * all. So a change counts from a second after it on. */
static gboolean
is_settled (GStrv files)
{
  gint64 now_us = g_get_real_time ();

  for (gsize i = 0; files[i] != NULL; i++)
    {
      struct stat info;
      gint64 age_us;

      if (stat (files[i], &info) != 0)
        continue;
      age_us =
        now_us - info.st_ctim.tv_sec * G_USEC_PER_SEC - info.st_ctim.tv_nsec / 1000;
      if (age_us >= 0 && age_us < G_USEC_PER_SEC)
        return FALSE;
    }

  return TRUE;
}

static void
watch_files (JmeWebSetup *self, GStrv files)
{
  g_strfreev (self->files);
  g_free (self->stamp);
  self->files = files;
  self->stamp = make_stamp (files);
}

/* What is missing when a file is new to us is noticed by its next change. */
static JmeWebConfig *
load_config (JmeWebSetup *self, const char *path, GError **error)
{
  const char *const only_this[] = { path, NULL };
  JmeWebConfig *config;

  watch_files (self, g_strdupv ((char **) only_this));
  config = jme_web_config_load (path, error);
  if (config != NULL)
    {
      g_autofree char *stamp = g_steal_pointer (&self->stamp);

      watch_files (self, jme_web_config_list_files (config));

      /* web.yml comes first; its stamp must be the one from before it was read. */
      if (!g_str_has_prefix (self->stamp, stamp))
        self->stamp[0] = '\0';
    }

  return config;
}

static gboolean
check_priority (JmeWebSetup *self, const JmeWebConfig *config, GError **error)
{
  g_autofree char *priority = jme_tls_config_get_priority (&config->tls);

  if (config->tls.line == 0 || g_str_equal (priority, self->tls_priority))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s:%u: tls_server_config: other TLS versions and curves need a restart",
               config->path, config->tls.line);
  return FALSE;
}

/* Once each: who scrapes comes often, and learns only that it cannot. */
static void
tell_expiry (JmeWebSetup *self)
{
  g_autoptr (GDateTime) expiry =
    self->tls != NULL ? jme_web_tls_get_expiry (self->tls) : NULL;
  g_autofree char *time = NULL;
  ExpiryNotice notice;
  gint64 left_s;

  if (expiry == NULL)
    return;

  left_s = g_date_time_to_unix (expiry) - g_get_real_time () / G_USEC_PER_SEC;
  notice = left_s <= 0                 ? HAS_EXPIRED
           : left_s <= EXPIRY_NOTICE_S ? EXPIRES_SOON
                                       : NOTHING;
  if (notice <= self->notice)
    return;

  self->notice = notice;
  time = g_date_time_format (expiry, "%Y-%m-%d %H:%M:%S UTC");
  if (notice == HAS_EXPIRED)
    g_critical ("%s: the server's certificate expired at %s: clients that look will "
                "not "
                "come in",
                self->config->path, time);
  else
    g_warning ("%s: the server's certificate expires at %s", self->config->path, time);
}

/* Somebody who empties web.yml, or whose disk is full, wants no door opened. */
static const char *
find_loss (const JmeWebConfig *before, const JmeWebConfig *now)
{
  JmeClientAuth had = before->tls.client_auth;
  JmeClientAuth has = now->tls.client_auth;

  if (before->tls.line != 0 && now->tls.line == 0)
    return "tls_server_config";
  if (jme_client_auth_requires (had) && !jme_client_auth_requires (has))
    return "a client_auth_type that requires a certificate";
  if (jme_client_auth_verifies (had) && !jme_client_auth_verifies (has))
    return "a client_auth_type that verifies certificates";
  if (before->tls.client_allowed_sans != NULL && now->tls.client_allowed_sans == NULL)
    return "client_allowed_sans";
  if (g_hash_table_size (before->users) > 0 && g_hash_table_size (now->users) == 0)
    return "basic_auth_users";

  return NULL;
}

static gboolean
check_loss (const JmeWebConfig *before, const JmeWebConfig *now, GError **error)
{
  const char *loss = before != NULL ? find_loss (before, now) : NULL;

  if (loss == NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "%s: lacks %s: what keeps others out goes at a restart alone", now->path,
               loss);
  return FALSE;
}

static gboolean
use_config (JmeWebSetup *self, JmeWebConfig *config, GError **error)
{
  g_autoptr (JmeWebConfig) owned = config;
  g_autoptr (JmeWebTls) tls = NULL;

  if (!check_loss (self->config, config, error))
    return FALSE;
  if (config->tls.line != 0)
    {
      if (!check_priority (self, config, error))
        return FALSE;
      tls = jme_web_tls_new (config, error);
      if (tls == NULL)
        return FALSE;
    }

  g_clear_pointer (&self->config, jme_web_config_free);
  g_clear_pointer (&self->tls, jme_web_tls_unref);
  self->config = g_steal_pointer (&owned);
  self->tls = g_steal_pointer (&tls);
  self->generation++;
  self->turns = self->config->rate_burst;
  self->notice = NOTHING;
  tell_expiry (self);

  if (self->config->http2)
    g_info ("%s: http2: no effect: this server speaks HTTP/1.1", self->config->path);

  return TRUE;
}

/**
 * jme_web_setup_new:
 * @path: (nullable): web.yml, or %NULL for plain HTTP that is open to all
 * @error: return location for an error
 *
 * Must be made before the program starts a thread or uses TLS: it sets
 * `G_TLS_GNUTLS_PRIORITY` in the environment, where GnuTLS takes the versions of TLS
 * and the curves from, for the whole process and for good.
 *
 * - Errors: `INVALID` when web.yml or a file that it names is wrong.
 *
 * Returns: (transfer full): the setup
 */
JmeWebSetup *
jme_web_setup_new (const char *path, GError **error)
{
  g_autoptr (JmeWebSetup) self = g_new0 (JmeWebSetup, 1);
  g_autoptr (JmeWebConfig) config = NULL;

  config = path != NULL ? load_config (self, path, error) : jme_web_config_new_empty ();
  if (config == NULL)
    return NULL;

  self->tls_priority = jme_tls_config_get_priority (&config->tls);
  g_setenv (PRIORITY_VARIABLE, self->tls_priority, TRUE);

  if (!use_config (self, g_steal_pointer (&config), error))
    return NULL;

  return g_steal_pointer (&self);
}

void
jme_web_setup_free (JmeWebSetup *self)
{
  g_clear_pointer (&self->config, jme_web_config_free);
  g_clear_pointer (&self->tls, jme_web_tls_unref);
  g_strfreev (self->files);
  g_free (self->tls_priority);
  g_free (self->stamp);
  g_free (self);
}

static void
load_again (JmeWebSetup *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_strdup (self->config->path);
  JmeWebConfig *config = load_config (self, path, &error);

  if (config != NULL && use_config (self, config, &error))
    g_message ("%s: read again", path);
  else
    g_critical ("%s; the previous configuration stays", error->message);
}

/**
 * jme_web_setup_reload:
 * @self: the setup
 *
 * Reads web.yml and the certificates again, whether they have changed or not.
 */
void
jme_web_setup_reload (JmeWebSetup *self)
{
  if (self->config->path != NULL)
    load_again (self);
}

/**
 * jme_web_setup_refresh:
 * @self: the setup
 *
 * Reads web.yml and the certificates again when one of the files has changed. A
 * wrong one is logged once, and the old state stays, as it does where the new one lacks
 * what keeps others out. Says when the certificate expires.
 */
void
jme_web_setup_refresh (JmeWebSetup *self)
{
  g_autofree char *stamp = NULL;

  if (self->config->path == NULL)
    return;

  tell_expiry (self);
  stamp = make_stamp (self->files);
  if (!g_str_equal (stamp, self->stamp) && is_settled (self->files))
    load_again (self);
}

const JmeWebConfig *
jme_web_setup_get_config (JmeWebSetup *self)
{
  return self->config;
}

/* Another one where web.yml or a certificate is. */
guint
jme_web_setup_get_generation (JmeWebSetup *self)
{
  return self->generation;
}

/* %NULL: plain HTTP. */
JmeWebTls *
jme_web_setup_get_tls (JmeWebSetup *self)
{
  return self->tls;
}

/**
 * jme_web_setup_take_turn:
 * @self: the setup
 *
 * Takes a turn out of the rate limit's bucket, which fills by one each interval.
 *
 * Returns: whether there was one, or there is no limit
 */
gboolean
jme_web_setup_take_turn (JmeWebSetup *self)
{
  gint64 interval_us = self->config->rate_interval_us;
  gint64 now_us = g_get_monotonic_time ();

  if (interval_us == 0)
    return TRUE;

  self->turns += (double) (now_us - self->filled_us) / (double) interval_us;
  self->turns = MIN (self->turns, self->config->rate_burst);
  self->filled_us = now_us;
  if (self->turns < 1)
    return FALSE;
  self->turns -= 1;

  return TRUE;
}
