#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What check-layers.py lets through, and what it does not."""

import importlib.util
import pathlib
import tempfile
import unittest

spec = importlib.util.spec_from_file_location("check_layers", pathlib.Path(__file__).parent / "check-layers.py")
check_layers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_layers)


class Includes(unittest.TestCase):
    def problems(self, path: str, include: str, headers: tuple[str, ...]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in [*((header, "") for header in headers), (path, f"\n#include {include}\n")]:
                file = pathlib.Path(folder) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return check_layers.problems_of(pathlib.Path(folder))

    def assert_fine(self, path: str, include: str, *headers: str) -> None:
        self.assertEqual(self.problems(path, include, headers), [])

    def assert_wrong(self, path: str, include: str, why: str, *headers: str) -> None:
        found = self.problems(path, include, headers)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(f"{path}:2: "), found[0])
        self.assertIn(why, found[0])

    def test_may_run_downward(self):
        self.assert_fine("libjobmetrics/host/jm-host.c", '"core/jm-error.h"')
        self.assert_fine("libjobmetrics/report/jm-report.c", '"store/jm-store.h"')

    def test_must_not_run_upward_or_sideways(self):
        self.assert_wrong("libjobmetrics/core/jm-job.c", '"host/jm-host.h"', "must not know")
        self.assert_wrong("libjobmetrics/store/jm-store.c", '"expose/jm-text.h"', "must not know")

    def test_what_shows_and_keeps_figures_needs_core_alone(self):
        self.assert_fine("libjobmetrics/store/jm-ledger.c", '"core/jm-job.h"')
        self.assert_fine("libjobmetrics/collect/ledger/jm-a.c", '"store/jm-ledger.h"')
        self.assert_wrong("libjobmetrics/store/jm-ledger.c", '"host/jm-host.h"', "must not know")
        self.assert_wrong("libjobmetrics/expose/jm-text.c", '"collect/jm-node.h"', "must not know")

    def test_sources_share_one_header_and_no_other(self):
        self.assert_fine("libjobmetrics/sources/jobs/jm-a.c", '"sources/jm-source.h"')
        self.assert_fine("libjobmetrics/sources/jobs/jm-a.c", '"sources/jobs/jm-a.h"')
        self.assert_wrong("libjobmetrics/sources/jobs/jm-a.c", '"sources/cgroup/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/sources/jm-source.h", '"sources/cgroup/jm-b.h"', "must not know")

    def test_the_doctor_stands_above_what_it_examines(self):
        self.assert_fine("libjobmetrics/doctor/jm-a.c", '"collect/jm-node.h"')
        self.assert_wrong("libjobmetrics/collect/jm-node.c", '"doctor/jm-a.h"', "must not know")

    def test_reports_are_of_runs_and_these_of_figures(self):
        self.assert_fine("libjobmetrics/report/run/jm-a.c", '"report/jm-figure.h"')
        self.assert_fine("libjobmetrics/report/advice/jm-a.c", '"report/run/jm-b.h"')
        self.assert_fine("libjobmetrics/report/page/jm-a.c", '"report/advice/jm-b.h"')
        self.assert_wrong("libjobmetrics/report/run/jm-a.c", '"report/advice/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/report/advice/jm-a.c", '"report/page/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/report/plot/jm-a.c", '"report/run/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/report/jm-figure.c", '"report/run/jm-b.h"', "must not know")

    def test_a_room_knows_neither_its_layer_nor_another_room(self):
        self.assert_fine("libjobmetrics/collect/jm-node.c", '"collect/energy/jm-a.h"')
        self.assert_fine("libjobmetrics/collect/energy/jm-a.c", '"collect/energy/jm-b.h"')
        self.assert_wrong("libjobmetrics/collect/energy/jm-a.c", '"collect/jm-node.h"', "must not know")
        self.assert_wrong("libjobmetrics/collect/energy/jm-a.c", '"collect/ledger/jm-b.h"', "must not know")

    def test_the_rooms_of_reports_share_fields_and_plots(self):
        self.assert_fine("libjobmetrics/report/plot/jm-a.c", '"core/jm-format.h"')
        self.assert_fine("libjobmetrics/report/page/jm-a.c", '"report/plot/jm-plot.h"')
        self.assert_fine("libjobmetrics/report/jm-a.c", '"report/plot/jm-plot.h"')
        self.assert_wrong("libjobmetrics/report/plot/jm-a.c", '"report/page/jm-a.h"', "must not know")

    def test_are_spelled_from_the_root(self):
        self.assert_wrong("libjobmetrics/core/jm-job.c", '"jm-job.h"', "not spelled from")
        self.assert_wrong("libjobmetrics/core/jm-job.c", '"../core/jm-job.h"', "not spelled from")
        self.assert_wrong("libjobmetrics/core/jm-job.c", "<core/jm-job.h>", "quotes")
        self.assert_fine("libjobmetrics/core/jm-job.c", "<glib.h>")

    def test_keep_private_headers_private(self):
        self.assert_wrong("libjobmetrics/core/jm-job.h", '"core/jm-job-private.h"', "a private header")
        self.assert_fine("libjobmetrics/core/jm-job-private.h", '"core/jm-set-private.h"')
        self.assert_fine("libjobmetrics/core/jm-job.c", '"core/jm-job-private.h"')

    def test_front_ends_do_not_know_each_other(self):
        self.assert_wrong("jobmetrics-cli/jm-list.c", '"jobmetrics-exporter/jm-web.h"', "neither from")

    def test_roles_of_the_exporter_share_the_web_and_the_daemon_and_nothing_else(self):
        web, daemon = "jobmetrics-exporter/web/jme-web.h", "jobmetrics-exporter/daemon/jme-log.h"
        node = "jobmetrics-exporter/node/jme-node.h"
        self.assert_fine("jobmetrics-exporter/main.c", '"node/jme-node.h"', node)
        self.assert_fine("jobmetrics-exporter/node/jme-page.c", '"node/jme-node.h"', node)
        self.assert_fine("jobmetrics-exporter/node/jme-page.c", '"web/jme-web.h"', web)
        self.assert_fine("jobmetrics-exporter/daemon/jme-health.c", '"web/jme-web.h"', web)
        self.assert_wrong("jobmetrics-exporter/web/jme-web.c", '"daemon/jme-log.h"', "web must not know daemon", daemon)
        self.assert_wrong("jobmetrics-exporter/web/jme-web.c", '"node/jme-node.h"', "web must not know node", node)
        self.assert_wrong("jobmetrics-exporter/daemon/jme-a.c", '"node/jme-node.h"', "daemon must not know node", node)
        self.assert_wrong("jobmetrics-exporter/cluster/jme-a.c", '"node/jme-node.h"', "cluster must not know node", node)
        self.assert_wrong("jobmetrics-exporter/node/jme-page.c", '"jme-node.h"', "not spelled from", node)


if __name__ == "__main__":
    unittest.main()
