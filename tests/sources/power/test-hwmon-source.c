/* test-hwmon-source.c: power and energy as sensors of the kernel report it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-host-private.h"
#include "sources/power/jm-power-types-private.h"

#include <string.h>

#include "answers.h"
#include "base/jm-error.h"
#include "sources/power/jm-energy-trace-private.h"
#include "sources/power/jm-power-files-private.h"
#include "tree.h"

#define METER "sys/class/hwmon/hwmon3/"
#define COUNTER "sys/class/hwmon/hwmon5/"

typedef struct
{
  Tree *tree; /* NULL for a fixture */
  JmHost *host;
  JmHwmonSource *source;
  JmReadings *readings;
} Node;

static Node *
node_open (const char *root, const char *chips)
{
  g_autoptr (GError) error = NULL;
  Node *self = g_new0 (Node, 1);

  self->host = jm_host_new (root);
  self->source = g_initable_new (JM_TYPE_HWMON_SOURCE, NULL, &error, "host", self->host,
                                 "chips", chips, NULL);
  g_assert_no_error (error);
  self->readings = answers_new ();
  g_assert_true (answers_read (self->readings, self->source, &error));
  g_assert_no_error (error);

  return self;
}

static Node *
node_open_fixture (const char *name, const char *chips)
{
  g_autofree char *root = g_test_build_filename (G_TEST_BUILT, "fixtures", name, NULL);

  return node_open (root, chips);
}

static Node *
node_open_tree (Tree *tree)
{
  Node *self = node_open (tree->root, NULL);

  self->tree = tree;

  return self;
}

static void
node_free (Node *self)
{
  g_assert_finalize_object (self->source);
  g_assert_cmpuint (jm_host_get_open_files (self->host), ==, 0);
  g_assert_finalize_object (self->host);
  jm_readings_unref (self->readings);
  g_clear_pointer (&self->tree, tree_free);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Node, node_free)

static void
assert_domains (Node *node, const char *expected)
{
  g_autoptr (GString) domains = g_string_new (NULL);
  guint n_values;
  const JmReading *values = jm_readings_get_values (node->readings, &n_values);

  for (guint i = 0; i < n_values; i++)
    if (jm_labels_get_size (values[i].labels) == 2)
      g_string_append_printf (domains, "%s%s", domains->len > 0 ? " " : "",
                              jm_labels_get_value (values[i].labels, 1));

  g_assert_cmpstr (domains->str, ==, expected);
}

static Tree *
make_tree (void)
{
  Tree *tree = tree_new ();

  tree_write (tree, METER "name", "power_meter\n");
  tree_write (tree, METER "power1_average", "250000000\n");
  tree_write (tree, COUNTER "name", "amd_energy\n");
  tree_write (tree, COUNTER "energy1_input", "5000000\n");
  tree_write (tree, COUNTER "energy1_label", "Esocket1\n");

  return tree;
}

static void
test_a_meter_without_a_label_is_the_node (void)
{
  g_autoptr (Node) node = node_open_fixture ("power-hwmon", NULL);

  assert_domains (node, "node package-0 package-1");
  assert_power (node->readings, "node", 287000000);
  assert_energy (node->readings, "package-1", 0);
}

static void
test_grace_reports_its_parts_by_label (void)
{
  g_autoptr (Node) node = node_open_fixture ("power-grace", NULL);

  assert_domains (node, "module-0 grace-0 package-0 sysio-0");
  assert_power (node->readings, "package-0", 74318000);
}

static void
test_other_chips_are_read_if_asked_for (void)
{
  g_autoptr (Node) node = node_open_fixture ("power-hwmon", "nvme:ina3221");

  assert_domains (node, "ina3221-vdd-gpu-soc ina3221-power2 ina3221-node node "
                        "package-0 package-1");
  assert_power (node->readings, "ina3221-vdd-gpu-soc", 5250000);
}

static void
test_the_average_counts_before_the_present_power (void)
{
  g_autoptr (Node) node = node_open_fixture ("power-hwmon", "ina3221");

  assert_power (node->readings, "ina3221-power2", 1240000);
}

static void
test_the_present_power_and_a_limit_are_reported_besides (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Node) node = NULL;

  tree_write (tree, METER "power1_input", "311000000\n");
  tree_write (tree, METER "power1_cap", "700000000\n");
  node = node_open_tree (tree);

  g_assert_cmpuint (answers_get_detail (node->readings, JM_METRIC_NODE_POWER_STATISTIC,
                                        "node", "instantaneous"),
                    ==, 311000000);
  g_assert_cmpuint (answers_get_detail (node->readings, JM_METRIC_NODE_POWER_LIMIT,
                                        "node", "cap"),
                    ==, 700000000);
  g_assert_cmpuint (answers_get_detail (node->readings, JM_METRIC_NODE_POWER_LIMIT,
                                        "package-1", "cap"),
                    ==, 0);
}

static void
test_of_two_meters_none_is_the_node (void)
{
  Tree *tree = make_tree ();
  g_autoptr (Node) node = NULL;

  tree_write (tree, "sys/class/hwmon/hwmon4/name", "power_meter\n");
  tree_write (tree, "sys/class/hwmon/hwmon4/power1_average", "90000000\n");
  node = node_open_tree (tree);

  assert_domains (node, "hwmon3-power1-node hwmon4-power1-node package-1");
}

static void
test_a_battery_is_no_meter_of_the_node (void)
{
  g_autoptr (Tree) tree = make_tree ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHwmonSource) source = NULL;

  tree_remove (tree, "sys/class/hwmon/hwmon5");
  tree_write (tree, METER "power1_is_battery", "1\n");
  source = g_initable_new (JM_TYPE_HWMON_SOURCE, NULL, &error, "host", host, NULL);

  assert_says (error, JM_ERROR_ABSENT, "no meter of power");
  g_assert_null (source);
}

static void
test_machines_without_sensors_have_none (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "empty", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHwmonSource) source =
    g_initable_new (JM_TYPE_HWMON_SOURCE, NULL, &error, "host", host, NULL);

  assert_says (error, JM_ERROR_ABSENT, "/sys/class/hwmon");
  g_assert_null (source);
}

static void
test_a_node_draws_more_than_nothing (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());
  g_autoptr (GError) error = NULL;

  tree_rewrite (node->tree, METER "power1_average", "0\n");
  g_assert_true (answers_read (node->readings, node->source, &error));

  assert_domains (node, "package-1");
  assert_says (answers_get_problem (node->readings), JM_ERROR_UNAVAILABLE,
               "power1_average: 0 µW");
}

static void
test_what_cannot_be_is_left_out (void)
{
  static const char *const texts[] = { "4294967295000\n", "-1\n",
                                       "65535000000\n",   "4294967295\n",
                                       "a lot\n",         "",
                                       "250 W\n",         "99999999999999999999\n" };
  g_autoptr (Node) node = node_open_tree (make_tree ());

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      tree_rewrite (node->tree, METER "power1_average", texts[i]);
      g_assert_true (answers_read (node->readings, node->source, &error));
      assert_domains (node, "package-1");
      assert_says (answers_get_problem (node->readings), JM_ERROR_MALFORMED,
                   "power1_average: ");
    }
}

static void
test_a_counter_that_goes_back_is_left_out (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());
  g_autoptr (GError) error = NULL;

  tree_rewrite (node->tree, COUNTER "energy1_input", "6500000\n");
  g_assert_true (answers_read (node->readings, node->source, &error));
  assert_energy (node->readings, "package-1", 1500000);

  tree_rewrite (node->tree, COUNTER "energy1_input", "10\n");
  g_assert_true (answers_read (node->readings, node->source, &error));
  assert_domains (node, "node");
  assert_says (answers_get_problem (node->readings), JM_ERROR_MALFORMED,
               "energy1_input: 10 µJ");
}

static void
test_a_counter_is_followed (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());
  g_autoptr (GError) error = NULL;
  JmPowerSource *source = JM_POWER_SOURCE (node->source);
  JmEnergyTrace trace;

  tree_rewrite (node->tree, COUNTER "energy1_input", "6500000\n");
  g_assert_true (answers_read (node->readings, node->source, &error));
  g_assert_true (jm_power_source_trace (source, "package-1", &trace));
  g_assert_cmpuint (trace.first_uj, ==, 5000000);
  g_assert_cmpuint (trace.last_uj, ==, 6500000);
  g_assert_cmpuint (trace.total_uj, ==, 1500000);
  g_assert_false (jm_power_source_trace (source, "node", &trace));
}

static void
test_without_any_answer_there_is_an_error (void)
{
  g_autoptr (Node) node = node_open_tree (make_tree ());
  g_autoptr (GError) error = NULL;

  tree_rewrite (node->tree, METER "power1_average", "0\n");
  tree_rewrite (node->tree, COUNTER "energy1_input", "?\n");

  g_assert_false (answers_read (node->readings, node->source, &error));
  assert_says (error, JM_ERROR_UNAVAILABLE, "power1_average");
}

static void
test_labels_have_many_shapes (void)
{
  static const struct
  {
    const char *chip;
    const char *label;
    const char *domain;
  } cases[] = {
    { "power_meter", NULL, "node" },
    { "power_meter", "CPU Power Socket 3", "package-3" },
    { "power_meter", "cpu power socket 3", "package-3" },
    { "power_meter", "Grace Power Socket 1", "grace-1" },
    { "power_meter", "CPU Power Socket ", "power_meter-cpu-power-socket" },
    { "power_meter", "CPU Power Socket 99999999",
      "power_meter-cpu-power-socket-99999999" },
    { "power_meter", "Total Power socket 0", "power_meter-total-power-socket-0" },
    { "power_meter", "\x01\xff{}\"", "power_meter-power1" },
    { "amd_energy", "Esocket0", "package-0" },
    { "amd_energy", "Ecore017", NULL },
    { "amd_energy", NULL, "amd_energy-power1" },
    { "package", "0", "hwmon-package-0" },
    { "ina3221", "Esocket0", "ina3221-esocket0" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *domain =
        jm_hwmon_make_domain (cases[i].chip, "power1", cases[i].label);

      g_assert_cmpstr (domain, ==, cases[i].domain);
    }
}

static void
test_files_have_many_names (void)
{
  static const struct
  {
    const char *name;
    JmHwmonKind kind;
    const char *channel;
  } cases[] = {
    { "power1_average", JM_HWMON_POWER_AVERAGE, "power1" },
    { "power12_input", JM_HWMON_POWER_INPUT, "power12" },
    { "energy3_input", JM_HWMON_ENERGY, "energy3" },
    { "energy3_average", JM_HWMON_NONE, NULL },
    { "power_average", JM_HWMON_NONE, NULL },
    { "power1_average_interval", JM_HWMON_NONE, NULL },
    { "power123456_input", JM_HWMON_NONE, NULL },
    { "temp1_input", JM_HWMON_NONE, NULL },
    { "", JM_HWMON_NONE, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *channel = NULL;

      g_assert_cmpint (jm_hwmon_parse_file_name (cases[i].name, &channel), ==,
                       cases[i].kind);
      g_assert_cmpstr (channel, ==, cases[i].channel);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, name) g_test_add_func ("/hwmon/" path, name)
  ADD ("a-meter-without-a-label-is-the-node", test_a_meter_without_a_label_is_the_node);
  ADD ("grace-reports-its-parts-by-label", test_grace_reports_its_parts_by_label);
  ADD ("other-chips-are-read-if-asked-for", test_other_chips_are_read_if_asked_for);
  ADD ("the-average-counts-before-the-present-power",
       test_the_average_counts_before_the_present_power);
  ADD ("the-present-power-and-a-limit-are-reported-besides",
       test_the_present_power_and_a_limit_are_reported_besides);
  ADD ("of-two-meters-none-is-the-node", test_of_two_meters_none_is_the_node);
  ADD ("a-battery-is-no-meter-of-the-node", test_a_battery_is_no_meter_of_the_node);
  ADD ("machines-without-sensors-have-none", test_machines_without_sensors_have_none);
  ADD ("a-node-draws-more-than-nothing", test_a_node_draws_more_than_nothing);
  ADD ("what-cannot-be-is-left-out", test_what_cannot_be_is_left_out);
  ADD ("a-counter-that-goes-back-is-left-out",
       test_a_counter_that_goes_back_is_left_out);
  ADD ("a-counter-is-followed", test_a_counter_is_followed);
  ADD ("without-any-answer-there-is-an-error",
       test_without_any_answer_there_is_an_error);
  ADD ("labels-have-many-shapes", test_labels_have_many_shapes);
  ADD ("files-have-many-names", test_files_have_many_names);

  return g_test_run ();
}
