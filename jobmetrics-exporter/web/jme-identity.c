/* jme-identity.c: who asks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-identity.h"

#include <libsoup/soup.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-secret-private.h"
#include "web/jme-user.h"

#define MAX_BYTES 4096

/* What stands behind a backslash for itself, and what stands there alone. */
#define ESCAPED " \"#+,;<=>\\"
#define NEVER_BARE "\"+,;<>\\"

#define HEADER "server.proxy-header"
#define ADDRESSES "server.proxy-addresses"
#define SECRET "server.proxy-secret-file"
#define CERTIFICATE "server.certificate-name"

#define MAX_NAME_BYTES 256

struct _JmeIdentityConfig
{
  char *header;
  GPtrArray *proxies; /* of GInetAddressMask */
  char *secret;       /* NULL where there are no proxies */
  gboolean has_certificates;
};

static const JmSetting rows[] = {
  { .name = HEADER,
    .group = "server",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Header in which a trusted proxy names the user who asks",
    .preset = "X-Remote-User" },
  { .name = ADDRESSES,
    .group = "server",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "ADDRESS,...",
    .help = "Addresses or networks (10.0.0.0/8) of the proxies that are trusted",
    .preset_help = "none" },
  { .name = SECRET,
    .group = "server",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Secret that trusted proxies send in the header X-Jobmetrics-Secret" },
  { .name = CERTIFICATE,
    .group = "server",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Field of a client's verified certificate that names the user: none or "
            "common-name",
    .preset = "none" },
};

/* --- subjects of certificates --- */

static gboolean
refuse_subject (JmError code, const char *reason, GError **error)
{
  g_set_error (error, JM_ERROR, (int) code, "the certificate's subject: %s", reason);

  return FALSE;
}

static gboolean
refuse_form (GError **error)
{
  return refuse_subject (JM_ERROR_MALFORMED, "not as RFC 4514 writes it", error);
}

static gboolean
is_common_name (const char *type, gsize length)
{
  static const char *const names[] = { "CN", "commonName", "2.5.4.3", "OID.2.5.4.3" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == length &&
        g_ascii_strncasecmp (type, names[i], length) == 0)
      return TRUE;

  return FALSE;
}

/* NUL would end the name for some readers, and not for others. */
static gboolean
take_escape (const char **at, GString *value)
{
  const char *c = *at + 1;
  int byte;

  if (*c != '\0' && strchr (ESCAPED, *c) != NULL)
    {
      g_string_append_c (value, *c);
      *at = c + 1;
      return TRUE;
    }
  if (!g_ascii_isxdigit (c[0]) || !g_ascii_isxdigit (c[1]))
    return FALSE;
  byte = g_ascii_xdigit_value (c[0]) * 16 + g_ascii_xdigit_value (c[1]);
  g_string_append_c (value, (char) byte);
  *at = c + 2;

  return byte != 0;
}

static gboolean
take_text (const char **at, GString *value)
{
  while (**at != '\0' && **at != ',' && **at != '+')
    {
      if (**at == '\\')
        {
          if (!take_escape (at, value))
            return FALSE;
          continue;
        }
      if (strchr (NEVER_BARE, **at) != NULL)
        return FALSE;
      g_string_append_c (value, *(*at)++);
    }

  return TRUE;
}

/* What is no text is written as #HEX. */
static gboolean
take_value (const char **at, GString *value, gboolean *is_text)
{
  gsize length;

  *is_text = **at != '#';
  if (*is_text)
    return take_text (at, value);
  length = strspn (*at + 1, "0123456789abcdefABCDEF");
  *at += 1 + length;

  return length > 0 && length % 2 == 0 && (**at == '\0' || strchr (",+", **at) != NULL);
}

/* TYPE=VALUE; @name is set where it is the common name. */
static gboolean
take_attribute (const char **at, char **name, GError **error)
{
  g_autoptr (GString) value = g_string_new (NULL);
  const char *type = *at;
  gsize length = 0;
  gboolean is_text;

  while (g_ascii_isalnum (type[length]) || type[length] == '.' || type[length] == '-')
    length++;
  if (length == 0 || type[length] != '=')
    return refuse_form (error);
  *at += length + 1;
  if (!take_value (at, value, &is_text))
    return refuse_form (error);
  if (!is_common_name (type, length))
    return TRUE;
  if (*name != NULL)
    return refuse_subject (JM_ERROR_MALFORMED, "two common names", error);
  if (!is_text)
    return refuse_subject (JM_ERROR_MALFORMED, "a common name that is no text", error);
  *name = g_string_free (g_steal_pointer (&value), FALSE);

  return TRUE;
}

static gboolean
take_attributes (const char *subject, char **name, GError **error)
{
  const char *at = subject;

  if (strlen (subject) > MAX_BYTES)
    return refuse_subject (JM_ERROR_MALFORMED, "too long", error);

  while (*subject != '\0')
    {
      if (!take_attribute (&at, name, error))
        return FALSE;
      if (*at == '\0')
        break;
      at++;
    }

  return *name != NULL || refuse_subject (JM_ERROR_ABSENT, "no common name", error);
}

char *
jme_distinguished_name_find_common_name (const char *subject, GError **error)
{
  char *name = NULL;

  if (!take_attributes (subject, &name, error))
    g_clear_pointer (&name, g_free);

  return name;
}

/* --- settings --- */

void
jme_identity_config_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

void
jme_identity_config_free (JmeIdentityConfig *self)
{
  if (self->secret != NULL)
    explicit_bzero (self->secret, strlen (self->secret));
  g_free (self->secret);
  g_free (self->header);
  g_ptr_array_unref (self->proxies);
  g_free (self);
}

static gboolean
read_header (JmeIdentityConfig *self, const JmSettings *settings, GError **error)
{
  const char *name = jm_settings_get_text (settings, HEADER);

  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '-')
      return jm_settings_refuse (settings, HEADER, name, "not a header's name", error);
  if (*name == '\0' || g_ascii_strcasecmp (name, JME_IDENTITY_SECRET_HEADER) == 0)
    return jm_settings_refuse (settings, HEADER, name, "not a header's name", error);
  self->header = g_strdup (name);

  return TRUE;
}

static gboolean
read_addresses (JmeIdentityConfig *self, const JmSettings *settings, GError **error)
{
  const char *const *list = jm_settings_get_list (settings, ADDRESSES);

  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    {
      g_autoptr (GError) reason = NULL;
      GInetAddressMask *mask = g_inet_address_mask_new_from_string (list[i], &reason);

      if (mask == NULL)
        return jm_settings_refuse (settings, ADDRESSES, list[i], reason->message,
                                   error);
      g_ptr_array_add (self->proxies, mask);
    }

  return TRUE;
}

/* An address alone is no proof: other users of the proxy's machine have it too. */
static gboolean
read_secret (JmeIdentityConfig *self, const JmSettings *settings, GError **error)
{
  const char *path = jm_settings_get_text (settings, SECRET);

  if (path == NULL && self->proxies->len > 0)
    return jm_settings_refuse (settings, ADDRESSES, NULL, "wants " SECRET " beside it",
                               error);
  if (path != NULL && self->proxies->len == 0)
    return jm_settings_refuse (settings, SECRET, NULL, "wants " ADDRESSES " beside it",
                               error);
  if (path == NULL)
    return TRUE;
  self->secret = jm_secret_read_token (path, error);

  return self->secret != NULL;
}

static gboolean
read_certificate (JmeIdentityConfig *self, const JmSettings *settings, GError **error)
{
  const char *name = jm_settings_get_text (settings, CERTIFICATE);

  self->has_certificates = strcmp (name, "common-name") == 0;

  return self->has_certificates || strcmp (name, "none") == 0 ||
         jm_settings_refuse (settings, CERTIFICATE, name,
                             "neither none nor common-name", error);
}

JmeIdentityConfig *
jme_identity_config_new (const JmSettings *settings, GError **error)
{
  g_autoptr (JmeIdentityConfig) self = g_new0 (JmeIdentityConfig, 1);

  self->proxies = g_ptr_array_new_with_free_func (g_object_unref);
  if (!read_header (self, settings, error) || !read_addresses (self, settings, error) ||
      !read_secret (self, settings, error) || !read_certificate (self, settings, error))
    return NULL;

  return g_steal_pointer (&self);
}

const char *
jme_identity_config_get_header (const JmeIdentityConfig *self)
{
  return self->header;
}

/* --- who asks --- */

static gboolean
refuse (guint *status, guint as, const char *reason, GError **error)
{
  *status = as;
  g_set_error_literal (error, JM_ERROR, JM_ERROR_DENIED, reason);

  return FALSE;
}

/* Takes as long whatever of it is right. */
static gboolean
is_secret (const JmeIdentityConfig *self, const char *given)
{
  gsize length = strlen (given);
  gsize secret_length = strlen (self->secret);
  guint8 difference = length != secret_length;

  for (gsize i = 0; i < length; i++)
    difference |= (guint8) (given[i] ^ self->secret[i % secret_length]);

  return difference == 0;
}

static gboolean
is_from_proxy (const JmeIdentityConfig *self, JmeRequest *request)
{
  g_autoptr (GInetAddress) address = jme_request_get_remote_address (request);

  for (guint i = 0; address != NULL && i < self->proxies->len; i++)
    if (g_inet_address_mask_matches (self->proxies->pdata[i], address))
      return TRUE;

  return FALSE;
}

static gboolean
is_name (const char *name)
{
  gsize length = strlen (name);

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isgraph (name[i]) || name[i] == ',')
      return FALSE;

  return length > 0 && length <= MAX_NAME_BYTES;
}

/* @name is NULL where no proxy says one. */
static gboolean
find_proxied (const JmeIdentityConfig *self,
              JmeRequest *request,
              const char **name,
              guint *status,
              GError **error)
{
  guint n_names = jme_request_count_header (request, self->header);
  guint n_secrets = jme_request_count_header (request, JME_IDENTITY_SECRET_HEADER);

  *name = NULL;
  if (n_names > 1 || n_secrets > 1)
    return refuse (status, SOUP_STATUS_BAD_REQUEST,
                   "a header of identity is there twice", error);
  if (n_names == 0 && n_secrets == 0)
    return TRUE;
  if (self->secret == NULL || !is_from_proxy (self, request) || n_secrets == 0 ||
      !is_secret (self, jme_request_get_header (request, JME_IDENTITY_SECRET_HEADER)))
    return refuse (status, SOUP_STATUS_FORBIDDEN,
                   "a user is named by somebody who is no trusted proxy", error);
  if (n_names == 0)
    return refuse (status, SOUP_STATUS_FORBIDDEN, "the proxy names no user", error);
  if (!is_name (jme_request_get_header (request, self->header)))
    return refuse (status, SOUP_STATUS_BAD_REQUEST, "the proxy names no good user",
                   error);
  *name = jme_request_get_header (request, self->header);

  return TRUE;
}

/* @name is NULL where it did not come over the local socket. */
static gboolean
find_local (JmeRequest *request, char **name, guint *status, GError **error)
{
  guint uid;

  *name = NULL;
  if (!jme_request_get_peer (request, &uid, NULL))
    return TRUE;
  *name = jme_user_find_name (uid, NULL);

  return *name != NULL ||
         refuse (status, SOUP_STATUS_FORBIDDEN, "your user id has no name here", error);
}

/* NULL where no certificate names one, empty where it names no good one. That of a
 * trusted proxy is its own. */
static char *
find_certified (const JmeIdentityConfig *self, JmeRequest *request, const char *proxied)
{
  GTlsCertificate *certificate = jme_request_get_certificate (request);
  g_autofree char *subject = NULL;
  char *found = NULL;

  if (!self->has_certificates || certificate == NULL || proxied != NULL)
    return NULL;
  subject = g_tls_certificate_get_subject_name (certificate);
  if (subject != NULL)
    found = jme_distinguished_name_find_common_name (subject, NULL);

  return found != NULL ? found : g_strdup ("");
}

char *
jme_identity_find (const JmeIdentityConfig *self,
                   JmeRequest *request,
                   guint *status,
                   GError **error)
{
  g_autofree char *local = NULL;
  g_autofree char *certified = NULL;
  const char *proxied;
  const char *names[4];
  const char *found = NULL;

  if (!find_proxied (self, request, &proxied, status, error) ||
      !find_local (request, &local, status, error))
    return NULL;
  certified = find_certified (self, request, proxied);
  if (certified != NULL && !is_name (certified))
    {
      refuse (status, SOUP_STATUS_FORBIDDEN, "your certificate names no good user",
              error);
      return NULL;
    }

  names[0] = proxied;
  names[1] = jme_request_get_login_name (request);
  names[2] = local;
  names[3] = certified;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (found != NULL && names[i] != NULL && strcmp (found, names[i]) != 0)
        {
          refuse (status, SOUP_STATUS_FORBIDDEN, "you are two different users", error);
          return NULL;
        }
      found = found != NULL ? found : names[i];
    }
  if (found == NULL)
    refuse (status, SOUP_STATUS_UNAUTHORIZED, "the request names no user", error);

  return g_strdup (found);
}
