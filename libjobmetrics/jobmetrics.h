/* jobmetrics.h: all of jobmetrics
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "collect/jm-doctor.h"
#include "collect/jm-finding.h"
#include "collect/jm-node.h"
#include "collect/jm-sampler.h"
#include "core/jm-emission-factor.h"
#include "core/jm-error.h"
#include "core/jm-job.h"
#include "core/jm-metric.h"
#include "core/jm-place.h"
#include "core/jm-power-domain.h"
#include "core/jm-process.h"
#include "core/jm-readings.h"
#include "core/jm-snapshot.h"
#include "core/jm-uuid.h"
#include "core/jm-version-macros.h"
#include "core/jm-version.h"
#include "expose/jm-json.h"
#include "expose/jm-text-encoder.h"
#include "expose/jm-text-format.h"
#include "host/jm-host.h"
#include "sources/cgroup/jm-cgroup-detect.h"
#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/cgroup/jm-cgroup-v1-reader.h"
#include "sources/cgroup/jm-cgroup-v2-reader.h"
#include "sources/emissions/jm-emission-provider.h"
#include "sources/jm-source.h"
#include "sources/jobs/jm-cgroup-job-source.h"
#include "sources/jobs/jm-job-source.h"
#include "sources/jobs/jm-job-sources.h"
#include "sources/jobs/jm-scheduler-definition.h"
#include "sources/machine/jm-machine.h"
#include "sources/power/jm-ipmi-command-source.h"
#include "sources/power/jm-ipmi-source.h"
#include "sources/power/jm-power-source.h"
#include "sources/power/jm-rapl-powercap-source.h"
#include "sources/process/jm-process-table.h"
