#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""Makes the dashboards for Grafana of the tables in sites.py and nodes.py.

usage: make-dashboards.py [FOLDER]     where to put them; by default beside this file
"""

import itertools
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import nodes  # noqa: E402
import sites  # noqa: E402
from panels import Board, Panel, Variable  # noqa: E402

BOARDS = (sites.USER, sites.ACCOUNT, sites.CLUSTER_BOARD, sites.ENERGY, nodes.NODE, nodes.JOB)
# of Grafana 9.4; later ones bring it up to theirs as they read it
SCHEMA_VERSION = 37
WIDTH = 24
SIZES = {"stat": (4, 4), "timeseries": (12, 8), "bargauge": (12, 8), "table": (24, 8)}
# the rest of a table's columns follow
FIRST_COLUMNS = ("node", "reason", "jobid", "name", "user", "account", "cluster", "partition", "instance", "gpu", "collector")
WIDE_COLUMN = 340
TIME_COLUMN = 170
LEAST_COLUMN = 100
STATS_IN_A_LINE = 6
# the part whose panels tell of the end of the chosen time: what was so earlier, and is no longer, is not shown there
NOW = "Now"
GREY = {"mode": "fixed", "fixedColor": "#8e8e8e"}
BLUE = {"mode": "fixed", "fixedColor": "blue"}
BOUND = [{"id": "color", "value": GREY}, {"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [6, 6]}}, {"id": "custom.fillOpacity", "value": 0}]
IDLE = "/(^| )idle$/"
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
# label, board, variable: whatever shows the label leads there
WAYS = (("jobid", "job", "jobid"), ("user", "user", "user"), ("account", "account", "account"), ("instance", "node", "instance"))
ALL = {"selected": True, "text": "All", "value": "$__all"}


def uid_of(name: str) -> str:
    return f"jobmetrics-{name}"


def way_to(board: Board, goal: str, variable: str, value: str) -> dict:
    kept = "".join(f"${{{one.name}:queryparam}}&" for one in board.variables if one.name == "cluster")
    url = f"/d/{uid_of(goal)}?${{datasource:queryparam}}&{kept}var-{variable}={value}&${{__url_time_range}}"
    return {"title": f"{goal} {value}", "url": url}


def ways_of_legends(board: Board, panel: Panel) -> list[dict]:
    legends = " ".join(panel.queries)
    return [
        way_to(board, goal, variable, f"${{__field.labels.{label}}}")
        for label, goal, variable in WAYS
        if f"{{{{{label}}}}}" in legends and goal != board.name
    ]


def targets_of(panel: Panel, part: str) -> list[dict]:
    targets = []
    for number, (legend, query) in enumerate(panel.queries.items()):
        expr = query[1] if isinstance(query, tuple) else query
        # what spans the chosen time has one value, which a graph over it would repeat
        instant = panel.kind in ("table", "bargauge") or part == NOW or "$__range" in expr
        target = {"datasource": DATASOURCE, "refId": chr(ord("A") + number), "expr": expr, "legendFormat": legend or panel.title}
        target |= {"instant": True, "range": False} if instant else {"instant": False, "range": True}
        targets.append(target | ({"format": "table"} if panel.kind == "table" else {}))
    return targets


def look_of_column(unit: str) -> list[dict]:
    width = [{"id": "custom.width", "value": TIME_COLUMN}] if unit.startswith("dateTime") else []
    return [{"id": "unit", "value": unit}, *width]


def table_of(board: Board, panel: Panel) -> dict:
    """Queries become columns beside the labels that they have in common."""
    names = {f"Value #{chr(ord('A') + number)}": name for number, name in enumerate(panel.queries)}
    if len(names) == 1:
        names = {"Value": next(iter(panel.queries))}
    # what counts only by being there
    names = {key: name for key, name in names.items() if key not in panel.hidden}
    hidden = {"Time": True, "__name__": True, "job": True} | {name: True for name in panel.hidden}
    order = {name: number for number, name in enumerate(FIRST_COLUMNS)}
    overrides = [
        {"matcher": {"id": "byName", "options": name}, "properties": look_of_column(query[0])}
        for name, query in panel.queries.items()
    ]
    overrides += [
        {
            "matcher": {"id": "byName", "options": label},
            "properties": [{"id": "links", "value": [way_to(board, goal, variable, "${__value.raw}")]}],
        }
        for label, goal, variable in WAYS
        if goal != board.name
    ]
    overrides.append({"matcher": {"id": "byName", "options": "uuid"}, "properties": [{"id": "custom.width", "value": WIDE_COLUMN}]})
    return {
        "transformations": [
            {"id": "merge", "options": {}},
            {"id": "organize", "options": {"excludeByName": hidden, "indexByName": order, "renameByName": names}},
        ],
        "options": {"showHeader": True, "sortBy": []},
        # the unit of what has none of its own is that of labels: the number of a job is no quantity
        "fieldConfig": {"defaults": {"unit": "string", "custom": {"filterable": True, "minWidth": LEAST_COLUMN}}, "overrides": overrides},
    }


def defaults_of(board: Board, panel: Panel) -> dict:
    defaults = {"unit": panel.unit, "noValue": "-"}
    if panel.unit != "celsius":
        defaults |= {"min": 0}
    if panel.bad_from is not None:
        steps = [{"color": "green", "value": None}, {"color": "red", "value": panel.bad_from}]
        defaults |= {"color": {"mode": "thresholds"}, "thresholds": {"mode": "absolute", "steps": steps}}
    elif panel.kind != "timeseries":
        # else Grafana takes all from 80 on for bad
        defaults |= {"color": BLUE, "thresholds": {"mode": "absolute", "steps": [{"color": "blue", "value": None}]}}
    links = ways_of_legends(board, panel)
    return defaults | ({"links": links} if links else {})


def looks_of_lines(panel: Panel) -> list[dict]:
    looks = {panel.bound: BOUND, IDLE: [{"id": "color", "value": GREY}]}
    return [{"matcher": {"id": "byRegexp", "options": pattern}, "properties": look} for pattern, look in looks.items() if pattern]


def look_of(board: Board, panel: Panel) -> dict:
    if panel.kind == "table":
        return table_of(board, panel)
    defaults = defaults_of(board, panel)
    overrides = []
    if panel.kind == "timeseries":
        stacking = {"mode": "normal" if panel.stacked else "none", "group": "A"}
        defaults["custom"] = {"fillOpacity": 30 if panel.stacked else 0, "lineWidth": 1, "showPoints": "never", "stacking": stacking}
        options = {
            "legend": {"displayMode": "list", "placement": "right" if panel.legend_beside else "bottom", "showLegend": True, "calcs": []},
            "tooltip": {"mode": "multi", "sort": "desc"},
        }
        overrides = looks_of_lines(panel)
    else:
        options = {"reduceOptions": {"calcs": [panel.calc], "fields": "", "values": False}}
        if panel.kind == "stat":
            color = "none" if panel.bad_from is None else "value"
            options |= {"orientation": "auto", "colorMode": color, "graphMode": "none", "textMode": "auto", "justifyMode": "auto"}
        else:
            options |= {"orientation": "horizontal", "displayMode": "basic", "showUnfilled": True, "valueMode": "text"}
            options |= {"sizing": "manual", "minVizHeight": 16, "maxVizHeight": 36, "minVizWidth": 8, "text": {"titleSize": 14, "valueSize": 16}}
    return {"options": options, "fieldConfig": {"defaults": defaults, "overrides": overrides}}


def widths_of(part: list[Panel]) -> list[int]:
    """Single values that stand side by side share their line."""
    widths: list[int] = []
    for kind, side_by_side in itertools.groupby(part, lambda panel: panel.kind):
        panels = list(side_by_side)
        if kind == "stat":
            n_lines = -(-len(panels) // STATS_IN_A_LINE)
            each, more = divmod(WIDTH * n_lines, len(panels))
            widths += [each + (number < more) for number in range(len(panels))]
        else:
            widths += [panel.width or SIZES[kind][0] for panel in panels]
    return widths


def panels_of(board: Board) -> list[dict]:
    """From left to right, and on where a line is full; each part below its title."""
    panels, x, y, line = [], 0, 0, 0
    for title, part in board.parts.items():
        y += line
        panels.append({"id": len(panels) + 1, "type": "row", "title": title, "collapsed": False, "panels": []})
        panels[-1]["gridPos"] = {"x": 0, "y": y, "w": WIDTH, "h": 1}
        x, y, line = 0, y + 1, 0
        for panel, width in zip(part, widths_of(part), strict=True):
            height = panel.height or SIZES[panel.kind][1]
            if x + width > WIDTH:
                x, y, line = 0, y + line, 0
            panels.append(
                {
                    "id": len(panels) + 1,
                    "type": panel.kind,
                    "title": panel.title,
                    "description": panel.says,
                    "datasource": DATASOURCE,
                    "gridPos": {"x": x, "y": y, "w": width, "h": height},
                    "targets": targets_of(panel, title),
                    **look_of(board, panel),
                }
            )
            x, line = x + width, max(line, height)
    return panels


def datasource_variable() -> dict:
    return {
        "name": "datasource",
        "label": "Prometheus",
        "type": "datasource",
        "query": "prometheus",
        "hide": 0,
        "includeAll": False,
        "multi": False,
        "options": [],
        "refresh": 1,
        "regex": "",
    }


def variable_of(variable: Variable) -> dict:
    return {
        "name": variable.name,
        "label": variable.label,
        "type": "query",
        "datasource": DATASOURCE,
        "definition": variable.query,
        "query": {"query": variable.query, "refId": variable.name},
        # what has no such label at all is meant, too
        **({"includeAll": True, "allValue": ".*", "current": ALL} if variable.has_all else {"includeAll": False}),
        "multi": False,
        "hide": 0,
        "options": [],
        # with the chosen time: who was there then
        "refresh": 2,
        "regex": "",
        "sort": variable.sort,
    }


def dashboard_of(board: Board) -> dict:
    return {
        "uid": uid_of(board.name),
        "title": f"jobmetrics: {board.title}",
        "description": board.says,
        "tags": ["jobmetrics"],
        "schemaVersion": SCHEMA_VERSION,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "1m",
        "time": {"from": board.since, "to": "now"},
        "timezone": "",
        "annotations": {"list": []},
        "links": [
            {
                "title": "jobmetrics",
                "type": "dashboards",
                "tags": ["jobmetrics"],
                "asDropdown": False,
                "icon": "external link",
                "includeVars": True,
                "keepTime": True,
                "targetBlank": False,
                "tooltip": "",
                "url": "",
            }
        ],
        "templating": {"list": [datasource_variable(), *map(variable_of, board.variables)]},
        "panels": panels_of(board),
    }


def text_of(board: Board) -> str:
    return json.dumps(dashboard_of(board), indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    if len(sys.argv) > 2 or any(re.match("-", argument) for argument in sys.argv[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE
    for board in BOARDS:
        (folder / f"{board.name}.json").write_text(text_of(board), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
