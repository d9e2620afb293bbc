/* jm-grafana-query.c: what one of Grafana's data sources asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-grafana-query-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "core/jm-usage-private.h"

#define MAX_TARGETS 100
#define MAX_NAMES 100
#define MAX_TOP 100
#define DEFAULT_TOP 20
#define MAX_PERIOD (G_GINT64_CONSTANT (3660) * 86400)
/* 9999-12-31: later ones are a mistake. */
#define MAX_TIME G_GINT64_CONSTANT (253402300799)
#define BY " by "
#define USAGE "usage"
#define JOBS "jobs"

const JmGrafanaGroup jm_grafana_groups[JM_GRAFANA_N_GROUPS] = {
  { "cluster", "clusters", JM_USAGE_GROUPS_CLUSTER, jm_usage_get_cluster },
  { "user", "users", JM_USAGE_GROUPS_USER, jm_usage_get_user },
  { "account", "accounts", JM_USAGE_GROUPS_ACCOUNT, jm_usage_get_account },
  { "partition", "partitions", JM_USAGE_GROUPS_PARTITION, jm_usage_get_partition },
};

const char *
jm_grafana_query_get_target (guint i)
{
  if (i < JM_N_USAGE_QUANTITIES)
    return jm_usage_quantity_get_quantity ((JmUsageQuantity) i)->name;

  return i == JM_N_USAGE_QUANTITIES       ? USAGE
         : i == JM_N_USAGE_QUANTITIES + 1 ? JOBS
                                          : NULL;
}

static gboolean
refuse (const char *name, const char *value, const char *why, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s: %s", name, value, why);

  return FALSE;
}

static gboolean
find_group (const char *text, JmUsageGroups *group)
{
  for (guint i = 0; i < JM_GRAFANA_N_GROUPS; i++)
    if (g_str_equal (text, jm_grafana_groups[i].name) ||
        g_str_equal (text, jm_grafana_groups[i].names))
      {
        *group = jm_grafana_groups[i].group;
        return TRUE;
      }

  return FALSE;
}

/* --- texts of variables --- */

/* Grafana puts variables into texts as a regular expression, such as `(a\.b|c)`: this
 * is one of the names in it. A backslash before anything else is one of the name. */
static char *
unescape (const char *text, gsize length)
{
  GString *plain = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    {
      if (text[i] == '\\' && i + 1 < length &&
          strchr ("\\^$.*+?()[]{}/|", text[i + 1]) != NULL)
        i++;
      g_string_append_c (plain, text[i]);
    }

  return g_string_free (plain, FALSE);
}

static gsize
find_bar (const char *text, gsize length)
{
  gsize i = 0;

  while (i < length && text[i] != '|')
    i += text[i] == '\\' ? 2 : 1;

  return MIN (i, length);
}

static void
add_names (GPtrArray *names, const char *text)
{
  gsize length = strlen (text);
  gboolean is_list = length > 2 && text[0] == '(' && text[length - 1] == ')';

  if (!is_list)
    {
      if (length > 0)
        g_ptr_array_add (names, unescape (text, length));
      return;
    }

  length -= 2;
  for (text++; names->len <= MAX_NAMES; text++, length--)
    {
      gsize n = find_bar (text, length);

      g_ptr_array_add (names, unescape (text, n));
      text += n;
      length -= n;
      if (length == 0)
        return;
    }
}

static gboolean
add_node (GPtrArray *names, JsonNode *node)
{
  if (node == NULL || json_node_get_value_type (node) != G_TYPE_STRING)
    return FALSE;
  add_names (names, json_node_get_string (node));

  return TRUE;
}

/* A text, or a list of some; NULL-terminated. */
static GPtrArray *
read_names (JsonNode *node, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean is_list = node != NULL && JSON_NODE_HOLDS_ARRAY (node);
  guint n = is_list ? jm_json_get_length (node) : 1;

  for (guint i = 0; i < n && names->len <= MAX_NAMES; i++)
    if (!add_node (names, is_list ? jm_json_get_element (node, i) : node))
      {
        refuse (name, "its value", "no text, and no list of texts", error);
        return NULL;
      }
  if (names->len > MAX_NAMES)
    {
      refuse (name, "its value", "more than 100 names", error);
      return NULL;
    }
  g_ptr_array_add (names, NULL);

  return g_steal_pointer (&names);
}

/* --- what a payload says --- */

typedef gboolean (*TakeFunc) (JmGrafanaTarget *self,
                              const char *name,
                              const char *const *values,
                              GError **error);

static gboolean
is_one (const char *name, const char *const *values, GError **error)
{
  return values[1] == NULL || refuse (name, values[1], "there is another", error);
}

static gboolean
take_states (JmGrafanaTarget *self,
             const char *name,
             const char *const *values,
             GError **error)
{
  jm_run_filter_set_states (self->filter, values);

  return self->kind == JM_GRAFANA_JOBS ||
         refuse (name, values[0], "sums are not kept by it", error);
}

static gboolean
take_group (JmGrafanaTarget *self,
            const char *name,
            const char *const *values,
            GError **error)
{
  if (self->kind == JM_GRAFANA_JOBS || !find_group (values[0], &self->group))
    return refuse (name, values[0], "nothing that sums are kept apart by", error);

  return is_one (name, values, error);
}

static gboolean
read_count (const char *name,
            const char *value,
            guint max,
            guint *count,
            GError **error)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (value, 10, 1, max, &number, NULL))
    return refuse (name, value, "no number from 1 on, or too large a one", error);
  *count = (guint) number;

  return TRUE;
}

static gboolean
take_top (JmGrafanaTarget *self,
          const char *name,
          const char *const *values,
          GError **error)
{
  return read_count (name, values[0], MAX_TOP, &self->top, error) &&
         is_one (name, values, error);
}

static gboolean
take_limit (JmGrafanaTarget *self,
            const char *name,
            const char *const *values,
            GError **error)
{
  guint limit = 1;

  if (!read_count (name, values[0], JM_RUN_FILTER_MAX_LIMIT, &limit, error))
    return FALSE;
  jm_run_filter_set_limit (self->filter, limit);

  return is_one (name, values, error);
}

/* One of the functions takes the values of a key, or the only one. */
static const struct
{
  const char *name;
  gboolean is_filter; /* also one of a whole dashboard */
  void (*set) (JmRunFilter *filter, const char *value);
  void (*set_list) (JmRunFilter *filter, const char *const *values);
  TakeFunc take;
} keys[] = {
  { "cluster", TRUE, .set = jm_run_filter_set_cluster },
  { "user", TRUE, .set_list = jm_run_filter_set_users },
  { "account", TRUE, .set_list = jm_run_filter_set_accounts },
  { "partition", TRUE, .set = jm_run_filter_set_partition },
  { "state", .take = take_states },
  { "group", .take = take_group },
  { "top", .take = take_top },
  { "limit", .take = take_limit },
};

static gboolean
find_key (const char *name, guint *i, GError **error)
{
  for (*i = 0; *i < G_N_ELEMENTS (keys); (*i)++)
    if (g_str_equal (name, keys[*i].name))
      return TRUE;

  return refuse (name, "", "no such key here", error);
}

/* What stands there twice, such as of a panel and of its dashboard, would have to be
 * both. */
static gboolean
take_once (JmGrafanaTarget *self, guint key, const char *const *values, GError **error)
{
  if ((self->taken & (1u << key)) != 0)
    return refuse (keys[key].name, values[0], "there too often", error);
  self->taken |= 1u << key;
  if (keys[key].set_list != NULL)
    keys[key].set_list (self->filter, values);
  if (keys[key].set != NULL)
    keys[key].set (self->filter, values[0]);
  if (keys[key].take != NULL)
    return keys[key].take (self, keys[key].name, values, error);

  return keys[key].set == NULL || is_one (keys[key].name, values, error);
}

/* What is left empty in Grafana's form chooses nothing. */
static gboolean
take (JmGrafanaTarget *self, guint key, JsonNode *value, GError **error)
{
  g_autoptr (GPtrArray) names = read_names (value, keys[key].name, error);

  if (names == NULL)
    return FALSE;

  return names->len == 1 ||
         take_once (self, key, (const char *const *) names->pdata, error);
}

/* A number stands for its digits. */
static JsonNode *
make_text (JsonNode *value)
{
  GType type = json_node_get_value_type (value);
  g_autofree char *digits = NULL;

  if (type != G_TYPE_INT64)
    return json_node_ref (value);
  digits = g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (value));

  return json_node_init_string (json_node_alloc (), digits);
}

static gboolean
take_payload (JmGrafanaTarget *self, JsonNode *payload, GError **error)
{
  const char *name;
  JsonObjectIter iter;
  JsonNode *value;

  if (payload == NULL || JSON_NODE_HOLDS_NULL (payload))
    return TRUE;
  if (json_node_get_value_type (payload) == G_TYPE_STRING &&
      *json_node_get_string (payload) == '\0')
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (payload))
    return refuse ("payload", "its value", "no object", error);

  json_object_iter_init_ordered (&iter, json_node_get_object (payload));
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      g_autoptr (JsonNode) text = make_text (value);
      guint key;

      if (!find_key (name, &key, error) || !take (self, key, text, error))
        return FALSE;
    }

  return TRUE;
}

/* --- targets --- */

static void
target_free (gpointer data)
{
  JmGrafanaTarget *self = data;

  g_free (self->ref_id);
  jm_run_filter_free (self->filter);
  g_free (self);
}

static gboolean
find_target (JmGrafanaTarget *self, const char *name)
{
  const char *target = jm_grafana_query_get_target (0);
  guint i = 0;

  while (target != NULL && !g_str_equal (name, target))
    target = jm_grafana_query_get_target (++i);
  if (target == NULL)
    return FALSE;
  if (i < JM_N_USAGE_QUANTITIES)
    self->quantity = (JmUsageQuantity) i;
  else
    self->kind = g_str_equal (name, USAGE) ? JM_GRAFANA_USAGE : JM_GRAFANA_JOBS;

  return TRUE;
}

/* `energy_joules`, `energy_joules by user`, `usage by account` or `jobs`. */
static gboolean
take_target (JmGrafanaTarget *self, const char *text, GError **error)
{
  const char *by = strstr (text, BY);
  g_autofree char *name =
    by != NULL ? g_strndup (text, (gsize) (by - text)) : g_strdup (text);

  if (!find_target (self, name))
    return refuse ("target", text, "no such metric", error);
  if (by == NULL)
    return TRUE;
  if (self->kind == JM_GRAFANA_JOBS || !find_group (by + strlen (BY), &self->group))
    return refuse ("target", text, "nothing that sums are kept apart by", error);

  return TRUE;
}

/* The data source of old asks for a quantity as a table, too. */
static void
take_type (JmGrafanaTarget *self, const char *type)
{
  if (self->kind == JM_GRAFANA_SERIES && g_strcmp0 (type, "table") == 0)
    self->kind = JM_GRAFANA_USAGE;
}

static gboolean
read_target (JmGrafanaTarget *self, JsonNode *node, GError **error)
{
  const char *text = jm_json_get_string (node, "target");

  if (text == NULL)
    return refuse ("target", "", "no text", error);
  self->ref_id = g_strdup (jm_json_get_string (node, "refId"));
  if (!take_target (self, text, error))
    return FALSE;
  take_type (self, jm_json_get_string (node, "type"));

  return take_payload (self, jm_json_get (node, "payload"), error);
}

/* What was chosen for a whole dashboard. */
static gboolean
read_filter (JmGrafanaTarget *self, JsonNode *node, GError **error)
{
  const char *name = jm_json_get_string (node, "key");
  const char *sign = jm_json_get_string (node, "operator");
  const char *values[2] = { NULL, NULL };
  guint key;

  if (name == NULL || sign == NULL)
    return refuse ("adhocFilters", "", "no key, or no operator", error);
  if (!find_key (name, &key, error))
    return FALSE;
  values[0] = jm_json_get_string (node, "value");
  if (values[0] == NULL || !keys[key].is_filter)
    return refuse (name, "adhocFilters", "nothing that is filtered by", error);
  if (!g_str_equal (sign, "="))
    return refuse (name, sign, "no other operator than = is known", error);

  return take_once (self, key, values, error);
}

static gboolean
read_filters (JmGrafanaTarget *self, JsonNode *filters, GError **error)
{
  for (guint i = 0; i < jm_json_get_length (filters); i++)
    if (!read_filter (self, jm_json_get_element (filters, i), error))
      return FALSE;

  return TRUE;
}

/* --- the whole --- */

static gboolean
read_time (JsonNode *range, const char *name, gint64 *seconds, GError **error)
{
  const char *text = jm_json_get_string (range, name);
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time =
    text != NULL ? g_date_time_new_from_iso8601 (text, utc) : NULL;

  *seconds = time != NULL ? g_date_time_to_unix (time) : 0;
  if (*seconds > 0 && *seconds <= MAX_TIME)
    return TRUE;

  return refuse (name, text != NULL ? text : "none", "no date and time of ISO 8601",
                 error);
}

static gboolean
read_range (JmGrafanaQuery *self, JsonNode *root, GError **error)
{
  JsonNode *range = jm_json_get (root, "range");

  if (!read_time (range, "from", &self->since, error) ||
      !read_time (range, "to", &self->until, error))
    return FALSE;
  if (self->until < self->since || self->until - self->since > MAX_PERIOD)
    return refuse ("range", "its length", "below zero, or more than ten years", error);

  return TRUE;
}

static JsonNode *
parse (GBytes *body, GError **error)
{
  gsize length = 0;
  const char *text = body != NULL ? g_bytes_get_data (body, &length) : NULL;
  g_autoptr (JsonNode) root = length > 0 ? jm_json_parse (text, length) : NULL;

  if (root == NULL)
    refuse ("body", "", "no JSON", error);
  else if (!JSON_NODE_HOLDS_OBJECT (root))
    refuse ("body", "", "no object", error);
  else
    return g_steal_pointer (&root);

  return NULL;
}

static gboolean
add_target (JmGrafanaQuery *self, JsonNode *root, JsonNode *node, GError **error)
{
  JmGrafanaTarget *target;
  gboolean is_hidden = FALSE;

  jm_json_get_boolean (node, "hide", &is_hidden);
  if (is_hidden)
    return TRUE;

  target = g_new0 (JmGrafanaTarget, 1);
  target->filter = jm_run_filter_new ();
  target->top = DEFAULT_TOP;
  jm_run_filter_set_period (target->filter, self->since, self->until);
  g_ptr_array_add (self->targets, target);

  return read_target (target, node, error) &&
         read_filters (target, jm_json_get (root, "adhocFilters"), error);
}

gboolean
jm_grafana_query_init (JmGrafanaQuery *self, GBytes *body, GError **error)
{
  g_autoptr (JsonNode) root = parse (body, error);
  JsonNode *targets = jm_json_get (root, "targets");

  *self = (JmGrafanaQuery){ .targets = g_ptr_array_new_with_free_func (target_free) };
  if (root == NULL || !read_range (self, root, error))
    return FALSE;
  if (jm_json_get_length (targets) > MAX_TARGETS)
    return refuse ("targets", "its length", "more than 100", error);
  for (guint i = 0; i < jm_json_get_length (targets); i++)
    if (!add_target (self, root, jm_json_get_element (targets, i), error))
      return FALSE;

  return TRUE;
}

void
jm_grafana_query_clear (JmGrafanaQuery *self)
{
  g_clear_pointer (&self->targets, g_ptr_array_unref);
}

gboolean
jm_grafana_query_init_annotations (JmGrafanaQuery *self,
                                   JmRunFilter *filter,
                                   GBytes *body,
                                   GError **error)
{
  g_autoptr (JsonNode) root = parse (body, error);
  JsonNode *annotation = jm_json_get (root, "annotation");
  const char *text = jm_json_get_string (annotation, "query");
  g_auto (GStrv) states = NULL;

  *self = (JmGrafanaQuery){ 0 };
  if (root == NULL || !read_range (self, root, error))
    return FALSE;
  if (annotation != NULL && !JSON_NODE_HOLDS_OBJECT (annotation))
    return refuse ("annotation", "its value", "no object", error);
  states = g_strsplit_set (text != NULL ? text : "", " ,", MAX_NAMES);
  jm_run_filter_set_period (filter, self->since, self->until);
  jm_run_filter_set_states (filter, (const char *const *) states);

  return TRUE;
}

gboolean
jm_grafana_query_find_choice (GBytes *body, JmUsageGroups *kind, GError **error)
{
  static const char *const members[] = { "key", "name", "target" };
  g_autoptr (JsonNode) root = NULL;

  *kind = JM_USAGE_GROUPS_NONE;
  root = parse (body, error);
  if (root == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *text = jm_json_get_string (root, members[i]);

      if (text != NULL && find_group (text, kind))
        return TRUE;
    }
  if (jm_json_get_string (jm_json_get (root, "payload"), "target") != NULL)
    find_group (jm_json_get_string (jm_json_get (root, "payload"), "target"), kind);

  return TRUE;
}
