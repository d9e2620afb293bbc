/* jm-redfish-source.c: a node's power, from its BMC through the network
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host-private.h"
#include "sources/power/jm-power-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "host/jm-secret-file-private.h"
#include "io/jm-http-private.h"
#include "sources/power/jm-polled-source-private.h"
#include "sources/power/jm-power-answer-private.h"
#include "sources/power/jm-redfish-parts-private.h"

#define DEFAULT_INTERVAL_S 30
#define DEFAULT_TIMEOUT_S 10
#define AUTH_SESSION "session"
#define AUTH_BASIC "basic"
#define SERVICE_ROOT "/redfish/v1"

/*
 * JmRedfishSource:
 *
 * Reads a node's power of its BMC over the network, by DMTF's Redfish. The BMC is
 * asked in the background, and nothing waits for it.
 *
 * - Shape: `node`.
 * - Units: microwatts, as of the last answer, whose age is reported.
 * - Errors: `INVALID` for invalid settings; of the credentials as the
 *   system says, and `DENIED` where others may read them. Reading: `UNAVAILABLE` before
 *   the first answer and when the last one is older than three intervals; else what the
 *   last question ended with.
 * - Source: `EnvironmentMetrics`, else `PowerSubsystem`, else `Power` of the chassis
 *   that the node is.
 *
 * Since: 0.1
 */
struct _JmRedfishSource
{
  JmPolledSource parent_instance;

  char *base;              /* the URL as paths are put behind it */
  JmRedfishClient *client; /* of the thread that asks */
};

enum
{
  PROP_URL = 1,
  PROP_CREDENTIALS_FILE,
  PROP_AUTH,
  PROP_CA_FILE,
  PROP_INSECURE,
  PROP_CHASSIS,
  PROP_INTERVAL,
  PROP_TIMEOUT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (JmRedfishSource, jm_redfish_source, JM_TYPE_POLLED_SOURCE)

static gpointer
jm_redfish_source_poll (gpointer user_data, GCancellable *cancellable, GError **error)
{
  JmRedfishSource *self = user_data;
  JmPowerAnswer *answer;
  guint64 power_uw;

  if (!jm_redfish_client_read_power (self->client, &power_uw, cancellable, error))
    return NULL;

  answer = jm_power_answer_new ();
  jm_power_answer_add_power (answer, "node", power_uw);

  return answer;
}

static const char *
get_text (JmRedfishSource *self, const char *setting)
{
  return jm_polled_source_get_text (self, setting);
}

static gboolean
refuse (const char *setting, const char *why, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "redfish: %s: %s", setting, why);

  return FALSE;
}

static gboolean
check_settings (JmRedfishSource *self, GError **error)
{
  const char *auth = get_text (self, "auth");
  const char *chassis = get_text (self, "chassis");

  if (get_text (self, "url") == NULL)
    return refuse ("url", "must be set, such as https://bmc.example.org", error);
  if (get_text (self, "credentials-file") == NULL)
    return refuse ("credentials-file", "must be set", error);
  if (!g_str_equal (auth, AUTH_SESSION) && !g_str_equal (auth, AUTH_BASIC))
    return refuse ("auth", "must be session or basic", error);
  if (chassis != NULL && chassis[0] == '\0')
    return refuse ("chassis", "must be a name, or several with colons between", error);

  return jm_http_check_url (get_text (self, "url"), error);
}

/* Says at once what is wrong with a file that is on this machine. */
static gboolean
check_credentials (JmRedfishSource *self, GError **error)
{
  g_autofree char *username = NULL;
  g_autofree char *password = NULL;

  return jm_secret_file_read_login (jm_source_get_host (JM_SOURCE (self)),
                                    get_text (self, "credentials-file"), &username,
                                    &password, error);
}

/* Without what the paths begin with themselves. */
static char *
make_base (const char *url)
{
  g_autoptr (GString) base = g_string_new (url);

  for (guint i = 0; i < 2; i++)
    {
      while (base->len > 0 && base->str[base->len - 1] == '/')
        g_string_truncate (base, base->len - 1);
      if (g_str_has_suffix (base->str, SERVICE_ROOT))
        g_string_truncate (base, base->len - strlen (SERVICE_ROOT));
    }

  return g_strdup (base->str);
}

static void
start (JmRedfishSource *self)
{
  JmRedfishSettings settings = {
    .credentials_file = get_text (self, "credentials-file"),
    .ca_file = get_text (self, "ca-file"),
    .chassis = get_text (self, "chassis"),
    .timeout_ms = jm_polled_source_get_timeout_ms (self),
    .is_basic = g_str_equal (get_text (self, "auth"), AUTH_BASIC),
    .is_insecure = jm_polled_source_get_flag (self, "insecure"),
  };

  self->base = make_base (get_text (self, "url"));
  settings.url = self->base;
  self->client =
    jm_redfish_client_new (jm_source_get_host (JM_SOURCE (self)), &settings);
  jm_polled_source_start (self, get_text (self, "url"));
}

static gboolean
jm_redfish_source_open (JmSource *source, GError **error)
{
  JmRedfishSource *self = JM_REDFISH_SOURCE (source);

  if (!check_settings (self, error))
    return FALSE;
  if (!jm_host_is_live (jm_source_get_host (source)))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "redfish: a copied tree has no BMC to ask");
      return FALSE;
    }
  if (!check_credentials (self, error))
    return FALSE;

  start (self);

  return TRUE;
}

static void
jm_redfish_source_finalize (GObject *object)
{
  JmRedfishSource *self = JM_REDFISH_SOURCE (object);

  g_clear_pointer (&self->client, jm_redfish_client_free);
  g_free (self->base);

  G_OBJECT_CLASS (jm_redfish_source_parent_class)->finalize (object);
}

static void
jm_redfish_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  jm_secret_file_advise (error, advice);
}

/* The BMC is not asked. */
static gboolean
jm_redfish_source_check (JmSource *source, GError **error)
{
  JmRedfishSource *self = JM_REDFISH_SOURCE (source);

  return check_settings (self, error) && check_credentials (self, error);
}

/* Where the BMC is, and how to be let in. */
static void
set_access_properties (void)
{
  /*
   * JmRedfishSource:url:
   *
   * Where the BMC is, such as `https://bmc.example.org`.
   *
   * Since: 0.1
   */
  properties[PROP_URL] = jm_polled_source_text_property ("url", NULL);

  /*
   * JmRedfishSource:credentials-file:
   *
   * A file with the lines `username=NAME` and `password=TEXT` that nobody else may
   * read.
   *
   * Since: 0.1
   */
  properties[PROP_CREDENTIALS_FILE] =
    jm_polled_source_text_property ("credentials-file", NULL);

  /*
   * JmRedfishSource:auth:
   *
   * `session` begins a session and ends it at the end; where a BMC has none, and with
   * `basic`, user and password go with each question.
   *
   * Since: 0.1
   */
  properties[PROP_AUTH] = jm_polled_source_text_property ("auth", AUTH_SESSION);

  /*
   * JmRedfishSource:ca-file:
   *
   * Certificates of the authorities to trust, PEM; by default those of the system.
   *
   * Since: 0.1
   */
  properties[PROP_CA_FILE] = jm_polled_source_text_property ("ca-file", NULL);

  /*
   * JmRedfishSource:insecure:
   *
   * Whether any certificate will do. Who is between can then read the password.
   *
   * Since: 0.1
   */
  properties[PROP_INSECURE] = jm_polled_source_flag_property ("insecure");
}

/* What it is asked, and how often. */
static void
set_question_properties (void)
{
  /*
   * JmRedfishSource:chassis:
   *
   * Which chassis are the node: their names in the BMC, with a colon between two. By
   * default those that hold the BMC's only computer, and are in no other of them.
   *
   * Since: 0.1
   */
  properties[PROP_CHASSIS] = jm_polled_source_text_property ("chassis", NULL);

  /*
   * JmRedfishSource:interval:
   *
   * How often the BMC is asked, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_INTERVAL] = jm_polled_source_interval_property (DEFAULT_INTERVAL_S);

  /*
   * JmRedfishSource:timeout:
   *
   * How long each answer is waited for, to its last byte, seconds.
   *
   * Since: 0.1
   */
  properties[PROP_TIMEOUT] = jm_polled_source_timeout_property (DEFAULT_TIMEOUT_S);
}

static void
jm_redfish_source_class_init (JmRedfishSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmPolledSourceClass *polled_class = JM_POLLED_SOURCE_CLASS (klass);

  JM_SOURCE_CLASS (klass)->open = jm_redfish_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_redfish_source_advise;
  JM_SOURCE_CLASS (klass)->check = jm_redfish_source_check;
  polled_class->thread_name = "jm-redfish";
  polled_class->poll = jm_redfish_source_poll;
  object_class->finalize = jm_redfish_source_finalize;

  set_access_properties ();
  set_question_properties ();
  jm_polled_source_install_settings (object_class, N_PROPS, properties);
}

static void
jm_redfish_source_init (JmRedfishSource *self)
{
}
