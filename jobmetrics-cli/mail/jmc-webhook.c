/* jmc-webhook.c: messages to webhooks of users, at hosts that the site allows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-webhook.h"

#include <curl/curl.h>
#include <gio/gio.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "mail/jmc-mail-log.h"
#include "mail/jmc-mail-transport.h"

#define CLEAR "http://"
#define MATRIX_PATH "/_matrix/client/v3/rooms/"
/* An answer is not read further: it is "ok" or a short object. */
#define MAX_ANSWER_BYTES (64 * 1024)
#define FIRST_PAUSE_MS 1000
/* In less, no host is asked: that it does not answer then is not its fault. */
#define LEAST_MS 100
/* A host that failed for so many users in a row is not asked again by this program, and
 * after so many files in a row that did not come none is read. */
#define MAX_FAILURES 3

struct _JmcWebhookSender
{
  char **hosts; /* as the site lists them */
  const char *file;
  const char *ca_file;
  guint timeout_ms;
  GHashTable *failures; /* of hosts: users in a row for whom it failed */
  GHashTable *counted;  /* user and host of each of them */
  guint n_hung;         /* files in a row of which the file system gave no answer */
  gboolean is_denied;   /* whether a file that could not be read was reported */
};

JmcWebhookSender *
jmc_webhook_sender_new (const JmcOptions *options)
{
  const char *hosts = jmc_options_get_text (options, "webhook-hosts");
  JmcWebhookSender *self = g_new0 (JmcWebhookSender, 1);

  self->hosts = g_strsplit_set (hosts != NULL ? hosts : "", ", ", -1);
  self->file = jmc_options_get_text (options, "webhook-file");
  self->ca_file = jmc_options_get_text (options, "webhook-ca-file");
  self->timeout_ms = jm_settings_get_number (options->settings, "timeout");
  self->failures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->counted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
jmc_webhook_sender_free (JmcWebhookSender *self)
{
  g_strfreev (self->hosts);
  g_hash_table_unref (self->failures);
  g_hash_table_unref (self->counted);
  g_free (self);
}

/* --- where requests may go --- */

/* Addresses of nobody's public server: https://www.iana.org/assignments,
 * special-purpose address registries; and IPv6 addresses with an IPv4 address in them.
 */
static const char *const inside[] = {
  "0.0.0.0/8",      "10.0.0.0/8",    "100.64.0.0/10",   "127.0.0.0/8",
  "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",
  "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
  "224.0.0.0/3",    "::/3",          "2001::/23",       "2001:db8::/32",
  "2002::/16",      "4000::/2",      "8000::/1",
};

static gboolean
is_inside (const struct curl_sockaddr *address)
{
  g_autoptr (GSocketAddress) socket_address =
    g_socket_address_new_from_native ((gpointer) &address->addr, address->addrlen);
  GInetAddress *ip;

  if (!G_IS_INET_SOCKET_ADDRESS (socket_address))
    return TRUE;
  ip = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (socket_address));
  for (guint i = 0; i < G_N_ELEMENTS (inside); i++)
    {
      g_autoptr (GInetAddressMask) mask =
        g_inet_address_mask_new_from_string (inside[i], NULL);

      if (g_inet_address_mask_matches (mask, ip))
        return TRUE;
    }

  return FALSE;
}

/* Target:
 * @name: host and port, as reports of failures have it
 * @may_be_inside: whether the site lists this very host, not a pattern of it */
typedef struct
{
  CURLU *url;
  char *name;
  gboolean may_be_inside;
} Target;

static void
target_clear (Target *self)
{
  curl_url_cleanup (self->url);
  g_free (self->name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Target, target_clear)

static char *
get_part (const Target *self, CURLUPart part)
{
  char *text = NULL;
  char *copy;

  if (curl_url_get (self->url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK)
    return NULL;
  copy = g_ascii_strdown (text, -1);
  curl_free (text);

  return copy;
}

/* `[http://]HOST[:PORT]`, where the host may begin with `*.` */
static gboolean
is_listed (const char *entry, const char *scheme, const char *host, const char *port)
{
  const gboolean is_clear = g_str_has_prefix (entry, CLEAR);
  const char *rest = is_clear ? entry + strlen (CLEAR) : entry;
  const char *colon = strrchr (rest, ':');
  g_autofree char *listed = NULL;

  if (*rest == '\0' || !g_str_equal (scheme, is_clear ? "http" : "https"))
    return FALSE;
  if (colon != NULL && strchr (colon, ']') != NULL)
    colon = NULL;
  if (!g_str_equal (port, colon != NULL ? colon + 1 : is_clear ? "80" : "443"))
    return FALSE;

  listed = g_ascii_strdown (rest, colon != NULL ? colon - rest : -1);

  return g_str_has_prefix (listed, "*.")
           ? g_str_has_suffix (host, listed + 1) && *host != '.'
           : g_str_equal (host, listed);
}

static gboolean
is_allowed (JmcWebhookSender *self, Target *target)
{
  g_autofree char *scheme = get_part (target, CURLUPART_SCHEME);
  g_autofree char *host = get_part (target, CURLUPART_HOST);
  g_autofree char *port = get_part (target, CURLUPART_PORT);
  gboolean is_found = FALSE;

  if (scheme == NULL || host == NULL || port == NULL)
    return FALSE;
  target->name = g_strconcat (host, ":", port, NULL);
  for (char **entry = self->hosts; *entry != NULL; entry++)
    if (is_listed (*entry, scheme, host, port))
      {
        is_found = TRUE;
        target->may_be_inside |= strchr (*entry, '*') == NULL;
      }

  return is_found;
}

/* The path of one message in a room; a repeated request has the same one, and the
 * server then shows the message once. */
static gboolean
set_matrix_path (Target *target, const char *room)
{
  g_autofree char *base = get_part (target, CURLUPART_PATH);
  g_autofree char *escaped = g_uri_escape_string (room, NULL, FALSE);
  g_autofree char *transaction = g_uuid_string_random ();
  g_autofree char *path = NULL;

  if (base == NULL || !g_str_equal (base, "/"))
    return FALSE;
  path = g_strconcat (MATRIX_PATH, escaped, "/send/m.room.message/", transaction, NULL);

  return curl_url_set (target->url, CURLUPART_PATH, path, 0) == CURLUE_OK &&
         curl_url_set (target->url, CURLUPART_QUERY, NULL, 0) == CURLUE_OK;
}

/* libcurl's reading of the URL is the one that counts. */
static const char *
target_init (Target *target, JmcWebhookSender *self, const JmcWebhook *webhook)
{
  target->url = curl_url ();
  if (curl_url_set (target->url, CURLUPART_URL, webhook->url, CURLU_DISALLOW_USER) !=
      CURLUE_OK)
    return "its url is invalid or contains a user";
  if (!is_allowed (self, target))
    return "the site does not list its host";
  if (webhook->format == JMC_WEBHOOK_MATRIX && !set_matrix_path (target, webhook->room))
    return "the url of a Matrix server must not have a path";

  return NULL;
}

/* --- one request --- */

typedef struct
{
  const Target *target;
  GString *answer; /* its begin */
  gsize n_received;
  gboolean was_inside;
} Request;

static curl_socket_t
on_open (void *data, curlsocktype purpose, struct curl_sockaddr *address)
{
  Request *self = data;

  if (!self->target->may_be_inside && is_inside (address))
    {
      self->was_inside = TRUE;
      return CURL_SOCKET_BAD;
    }

  return socket (address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t
on_answer (char *bytes, size_t size, size_t n, void *data)
{
  Request *self = data;

  if (self->answer->len == 0)
    g_string_append_len (self->answer, bytes, (gssize) MIN (size * n, 64));
  self->n_received += size * n;

  return self->n_received > MAX_ANSWER_BYTES ? 0 : size * n;
}

static struct curl_slist *
make_headers (const JmcWebhook *webhook)
{
  struct curl_slist *headers =
    curl_slist_append (NULL, "Content-Type: application/json; charset=utf-8");
  g_autofree char *token = NULL;

  headers = curl_slist_append (headers, "Expect:");
  if (webhook->token == NULL)
    return headers;
  token = g_strconcat ("Authorization: Bearer ", webhook->token, NULL);

  return curl_slist_append (headers, token);
}

static CURL *
make_curl (JmcWebhookSender *self, const JmcWebhook *webhook, Request *request)
{
  CURL *curl = curl_easy_init ();

  if (curl == NULL)
    return NULL;

  curl_easy_setopt (curl, CURLOPT_CURLU, request->target->url);
  curl_easy_setopt (curl, CURLOPT_PROTOCOLS_STR, "http,https");
  /* whatever the environment says; and no redirect is followed */
  curl_easy_setopt (curl, CURLOPT_PROXY, "");
  curl_easy_setopt (curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt (curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt (curl, CURLOPT_USERAGENT, "jobmetrics");
  curl_easy_setopt (curl, CURLOPT_OPENSOCKETFUNCTION, on_open);
  curl_easy_setopt (curl, CURLOPT_OPENSOCKETDATA, request);
  curl_easy_setopt (curl, CURLOPT_WRITEFUNCTION, on_answer);
  curl_easy_setopt (curl, CURLOPT_WRITEDATA, request);
  if (webhook->format == JMC_WEBHOOK_MATRIX)
    curl_easy_setopt (curl, CURLOPT_CUSTOMREQUEST, "PUT");
  jmc_mail_set_trust (curl, self->ca_file);

  return curl;
}

/* --- what came of it --- */

typedef enum
{
  RECEIVED,
  REFUSED, /* for good */
  BUSY,    /* for now and for this user: it says nothing about the host */
  FAILED,  /* for now */
} Outcome;

static Outcome
judge_status (Request *request, long status, char **why)
{
  if (status >= 200 && status < 300)
    {
      if (*g_strchug (request->answer->str) != '<')
        return RECEIVED;
      *why = g_strdup ("the answer is a web page");
      return REFUSED;
    }
  *why = g_strdup_printf ("HTTP %ld", status);
  if (status == 429)
    return BUSY;

  return status == 408 || status == 425 || status >= 500 ? FAILED : REFUSED;
}

/* A status counts even where the rest of the answer does not end, or another address of
 * the host is none to go to. */
static Outcome
judge (Request *request, CURLcode code, long status, char **why)
{
  if (status >= 200)
    return judge_status (request, status, why);
  if (request->was_inside)
    *why = g_strdup ("its address is not public, and the site lists a pattern alone");
  else
    *why = g_strdup (curl_easy_strerror (code));

  return request->was_inside || code == CURLE_PEER_FAILED_VERIFICATION ||
             code == CURLE_SSL_CACERT_BADFILE || code == CURLE_UNSUPPORTED_PROTOCOL
           ? REFUSED
           : FAILED;
}

static Outcome
try (CURL *curl, Request *request, gint64 left_ms, gint64 *pause_ms, char **why)
{
  curl_off_t wanted_s = 0;
  long status = 0;
  CURLcode code;

  g_string_truncate (request->answer, 0);
  request->n_received = 0;
  curl_easy_setopt (curl, CURLOPT_TIMEOUT_MS, (long) left_ms);
  code = curl_easy_perform (curl);
  curl_easy_getinfo (curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo (curl, CURLINFO_RETRY_AFTER, &wanted_s);
  *pause_ms = MAX (*pause_ms, (gint64) MIN (wanted_s, G_MAXINT) * 1000);
  g_clear_pointer (why, g_free);

  return judge (request, code, status, why);
}

/* Tries again, with pauses that double, as long as there is time. */
static Outcome
post (CURL *curl, Request *request, gint64 deadline_us, char **why)
{
  gint64 next_ms = FIRST_PAUSE_MS;
  Outcome outcome = BUSY;

  *why = g_strdup ("no time was left for it");
  for (;;)
    {
      const gint64 left_ms = (deadline_us - g_get_monotonic_time ()) / 1000;
      gint64 pause_ms = next_ms;

      if (left_ms < LEAST_MS)
        return outcome;
      outcome = try (curl, request, left_ms, &pause_ms, why);
      if (outcome < BUSY || g_get_monotonic_time () + pause_ms * 1000 >= deadline_us)
        return outcome;
      g_usleep ((gulong) pause_ms * 1000);
      next_ms *= 2;
    }
}

static Outcome
deliver (JmcWebhookSender *self,
         const JmcWebhook *webhook,
         const Target *target,
         const char *body,
         gint64 deadline_us,
         char **why)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  Request request = { .target = target, .answer = answer };
  struct curl_slist *headers;
  CURL *curl = make_curl (self, webhook, &request);
  Outcome outcome;

  if (curl == NULL)
    {
      *why = g_strdup ("libcurl cannot be initialized");
      return REFUSED;
    }
  headers = make_headers (webhook);
  curl_easy_setopt (curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt (curl, CURLOPT_POSTFIELDS, body);
  outcome = post (curl, &request, deadline_us, why);
  curl_easy_cleanup (curl);
  curl_slist_free_all (headers);

  return outcome;
}

/* --- users --- */

static void
complain (const char *user, const JmcWebhook *webhook, const char *why)
{
  jmc_mail_log_complain ("webhook %s of %s: %s", webhook->name, user, why);
}

/* Whether the host is asked no more. */
static gboolean
is_down (JmcWebhookSender *self, const Target *target)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->failures, target->name)) >=
         MAX_FAILURES;
}

/* One user's webhooks are counted once: nobody alone stops those of others. */
static void
count (JmcWebhookSender *self, const Target *target, const char *user, Outcome outcome)
{
  const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->failures, target->name));

  if (outcome < BUSY)
    g_hash_table_remove (self->failures, target->name);
  if (outcome != FAILED ||
      !g_hash_table_add (self->counted, g_strconcat (user, " ", target->name, NULL)))
    return;
  g_hash_table_insert (self->failures, g_strdup (target->name),
                       GUINT_TO_POINTER (n + 1));
  if (n + 1 == MAX_FAILURES)
    jmc_mail_log_complain ("webhooks at %s: %u failures in a row: not asked again",
                           target->name, n + 1);
}

static gboolean
send_to (JmcWebhookSender *self,
         const JmcWebhook *webhook,
         const JmcWebhookMessage *message,
         gint64 deadline_us)
{
  g_autofree char *body = jmc_webhook_make_body (webhook->format, message);
  g_auto (Target) target = { 0 };
  const char *fault = target_init (&target, self, webhook);
  g_autofree char *why = NULL;
  g_autofree char *where = NULL;
  Outcome outcome;

  if (fault != NULL)
    {
      complain (message->user, webhook, fault);
      return FALSE;
    }
  if (is_down (self, &target))
    return FALSE;

  outcome = deliver (self, webhook, &target, body, deadline_us, &why);
  count (self, &target, message->user, outcome);
  if (outcome == RECEIVED)
    return TRUE;
  where = g_strconcat (target.name, ": ", why, NULL);
  complain (message->user, webhook, where);

  return FALSE;
}

/* A user has no such file, as most, or it is not for this program to read: the latter
 * is reported once. */
static void
note_error (JmcWebhookSender *self, const char *user, const GError *error)
{
  const gboolean is_hung = g_error_matches (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  const gboolean is_denied = g_error_matches (error, JM_ERROR, JM_ERROR_DENIED);

  self->n_hung = is_hung ? self->n_hung + 1 : 0;
  if (error == NULL || g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    return;
  if (!self->is_denied || !is_denied)
    jmc_mail_log_complain ("webhooks of %s: %s", user, error->message);
  if (self->n_hung == MAX_FAILURES)
    jmc_mail_log_complain ("webhooks: %u files in a row did not come: others are left "
                           "out",
                           self->n_hung);
  self->is_denied |= is_denied;
}

static GPtrArray *
read_webhooks (JmcWebhookSender *self, const char *user)
{
  const struct passwd *entry = getpwnam (user);
  g_autoptr (GPtrArray) refused = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) path = g_string_new (self->file);
  g_autoptr (GError) error = NULL;
  GPtrArray *webhooks;

  if (entry == NULL || self->n_hung == MAX_FAILURES)
    return NULL;
  g_string_replace (path, "{home}", entry->pw_dir, 0);
  g_string_replace (path, "{user}", entry->pw_name, 0);
  webhooks =
    jmc_webhook_read_file (path->str, entry->pw_uid, entry->pw_gid, refused, &error);
  for (guint i = 0; i < refused->len; i++)
    jmc_mail_log_complain ("webhooks of %s: %.500s", user, (char *) refused->pdata[i]);
  note_error (self, user, error);

  return webhooks;
}

gboolean
jmc_webhook_sender_send (JmcWebhookSender *self, const JmcWebhookMessage *message)
{
  g_autoptr (GPtrArray) webhooks = NULL;
  gint64 deadline_us;
  gboolean is_received = FALSE;

  if (self->hosts[0] == NULL || message->user == NULL)
    return FALSE;
  webhooks = read_webhooks (self, message->user);
  deadline_us = g_get_monotonic_time () + (gint64) self->timeout_ms * 1000;
  for (guint i = 0; webhooks != NULL && i < webhooks->len; i++)
    {
      const JmcWebhook *webhook = webhooks->pdata[i];

      if ((webhook->events & message->event) != 0)
        is_received |= send_to (self, webhook, message, deadline_us);
    }

  return is_received;
}
