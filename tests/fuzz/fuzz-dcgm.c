/* fuzz-dcgm.c: any bytes for what NVIDIA's host engine answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>
#include <string.h>

#include "core/jm-gpu-report-private.h"
#include "sources/gpu/jm-dcgm-engine-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* The bytes again and again, whoever asks; the engine has no other state. */
static struct
{
  const uint8_t *data;
  size_t size;
  size_t at;
} input;

static void
take (void *to, size_t size)
{
  for (size_t i = 0; i < size; i++)
    ((uint8_t *) to)[i] = input.data[input.at++ % input.size];
}

static JmDcgmStatus
answer (void)
{
  uint8_t byte;

  take (&byte, 1);

  return byte % 8 == 7 ? -1 - byte : JM_DCGM_OK;
}

static JmDcgmStatus
fake_connect (const char *address, JmDcgmConnectParams *params, guintptr *connection)
{
  *connection = 1;

  return JM_DCGM_OK;
}

static JmDcgmStatus
fake_disconnect (guintptr connection)
{
  return JM_DCGM_OK;
}

static JmDcgmStatus
fake_get_entities (guintptr connection,
                   guint32 entity_group,
                   guint32 *entities,
                   int *n_entities,
                   guint32 flags)
{
  int room = *n_entities;
  uint8_t ids[JM_DCGM_MAX_GPUS];

  take (ids, sizeof ids);
  for (int i = 0; i < room; i++)
    entities[i] = ids[i];
  take (n_entities, sizeof *n_entities);

  return answer ();
}

static JmDcgmStatus
fake_get_hierarchy (guintptr connection, JmDcgmHierarchy *hierarchy)
{
  take (&hierarchy->count, sizeof hierarchy->count);
  take (hierarchy->entries, sizeof hierarchy->entries);

  return answer ();
}

static JmDcgmStatus
fake_make_group (guintptr connection, int type, const char *name, guintptr *group)
{
  *group = 1;

  return answer ();
}

static JmDcgmStatus
fake_add_entity (guintptr connection,
                 guintptr group,
                 guint32 entity_group,
                 guint32 entity)
{
  return answer ();
}

static JmDcgmStatus
fake_make_field_group (guintptr connection,
                       int n_fields,
                       guint16 *fields,
                       const char *name,
                       guintptr *field_group)
{
  g_assert (n_fields > 0 && n_fields <= JM_DCGM_MAX_FIELDS);
  *field_group = 1;

  return answer ();
}

static JmDcgmStatus
fake_watch (guintptr connection,
            guintptr group,
            guintptr field_group,
            long long period_us,
            double keep_s,
            int n_keep)
{
  return answer ();
}

static JmDcgmStatus
fake_update (guintptr connection, int waits)
{
  return answer ();
}

static JmDcgmStatus
fake_get_latest (guintptr connection,
                 JmDcgmEntity *entities,
                 guint32 n_entities,
                 guint16 *fields,
                 guint32 n_fields,
                 guint32 flags,
                 JmDcgmValue *values)
{
  static const char types[] = { 'i', 'd', 's', 'b' };

  for (guint i = 0; i < n_fields; i++)
    {
      take (&values[i], sizeof values[i]);
      values[i].field = fields[i];
      values[i].type = (guint16) types[values[i].type % G_N_ELEMENTS (types)];
      values[i].status = answer ();
    }

  return answer ();
}

static JmDcgmStatus
fake_get_since (guintptr connection,
                guintptr group,
                guintptr field_group,
                long long since_us,
                long long *next_us,
                JmDcgmSampleFunc func,
                void *user_data)
{
  JmDcgmSample samples[2];

  take (samples, sizeof samples);
  samples[0].type = JM_DCGM_TYPE_INT64;
  samples[0].status = JM_DCGM_OK;
  func (JM_DCGM_GPU, 0, samples, G_N_ELEMENTS (samples), user_data);

  return answer ();
}

static const JmDcgmApi api = {
  .connect = fake_connect,
  .disconnect = fake_disconnect,
  .get_entities = fake_get_entities,
  .get_hierarchy = fake_get_hierarchy,
  .make_group = fake_make_group,
  .add_entity = fake_add_entity,
  .make_field_group = fake_make_field_group,
  .watch = fake_watch,
  .update = fake_update,
  .get_latest = fake_get_latest,
  .get_since = fake_get_since,
};

static void
tell (const JmDcgmLabels *labels, const JmDcgmValue *value, JmGpuReport *report)
{
  g_autofree char *text = jm_dcgm_value_get_text (value);

  g_assert (text == NULL || (text[0] != '\0' && g_utf8_validate (text, -1, NULL)));
  jm_dcgm_fields_tell (labels, value, report);
}

static void
read_device (JmDcgmClient *client,
             const JmDcgmDevice *device,
             const JmDcgmLabels *labels,
             JmDcgmXids *xids)
{
  g_autoptr (JmGpuReport) report = jm_gpu_report_new ();
  g_autoptr (JmGpu) gpu = jm_gpu_new ("0", 0);
  g_autofree JmDcgmValue *values = NULL;
  const JmReading *readings;
  guint n = 0;

  jm_gpu_report_add_device (report, gpu);
  values = jm_dcgm_client_read (client, device, &n, NULL);
  for (guint i = 0; values != NULL && i < n; i++)
    tell (labels, &values[i], report);
  jm_dcgm_client_read_events (client, device, 0, jm_dcgm_xids_take, xids);
  jm_dcgm_xids_tell (xids, report);

  readings = jm_gpu_report_get_readings (report, 0, &n);
  for (guint i = 0; i < n; i++)
    g_assert (readings[i].value <= G_MAXINT64);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (JmDcgmClient) client = jm_dcgm_client_new (&api, "localhost", 5, 1);
  g_autoptr (JmDcgmLabels) labels = jm_dcgm_labels_new ();
  g_autoptr (GArray) devices = NULL;
  JmDcgmXids *xids;

  if (size == 0)
    return 0;

  input.data = data;
  input.size = size;
  input.at = 0;
  xids = jm_dcgm_xids_new (0);
  devices = jm_dcgm_client_list (client, NULL);
  g_assert (devices == NULL ||
            devices->len <= JM_DCGM_MAX_GPUS + JM_DCGM_MAX_INSTANCES);
  for (guint i = 0; devices != NULL && i < MIN (devices->len, 4); i++)
    read_device (client, &g_array_index (devices, JmDcgmDevice, i), labels, xids);
  jm_dcgm_xids_unref (xids);

  return 0;
}
