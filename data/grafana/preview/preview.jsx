// SPDX-FileCopyrightText: 2026 The jobmetrics authors
// SPDX-License-Identifier: MIT
// Draws a dashboard and the answers to its queries with the components that Grafana's own panels consist of.

import {
  EventBusSrv,
  FieldColorModeId,
  FieldType,
  Registry,
  ThemeContext,
  createTheme,
  applyFieldOverrides,
  cacheFieldDisplayNames,
  createDataFrame,
  dateTime,
  getDisplayValueAlignmentFactors,
  getFieldDisplayValues,
  standardTransformers,
  standardTransformersRegistry,
  transformDataFrame,
} from "@grafana/data";
import { BarGauge, BigValue, GlobalStyles, PanelChrome, PanelContextProvider, TimeSeries, VizRepeater } from "@grafana/ui";
import { TableNG } from "@grafana/ui/unstable";
import React from "react";
import { createRoot } from "react-dom/client";
import { firstValueFrom } from "rxjs";

const CELL = 30;
const GAP = 8;
const WIDTH = 1584;
const { board, answers, chosen, from, to, theme: colors } = window.preview;
const theme = createTheme({ colors: { mode: colors } });
const timeRange = { from: dateTime(from * 1000), to: dateTime(to * 1000), raw: { from: "now", to: "now" } };
const replace = (text) => text;

standardTransformersRegistry.setInit(() =>
  [standardTransformers.mergeTransformer, standardTransformers.organizeFieldsTransformer].map((one) => ({ id: one.id, name: one.name, transformation: async () => one })),
);

// what Grafana lets a panel set of a field; values are taken as they are
const plain = (id, isCustom, path) => ({
  id,
  path,
  name: id,
  isCustom,
  override: () => null,
  editor: () => null,
  process: (value) => value,
  shouldApply: () => true,
});
const STANDARD = ["unit", "min", "max", "decimals", "displayName", "noValue", "links", "color", "thresholds", "mappings"];
const CUSTOM = ["fillOpacity", "lineWidth", "lineStyle", "showPoints", "stacking", "filterable", "align", "width", "minWidth", "cellOptions", "hidden", "gradientMode"];
const registry = new Registry(() => [
  ...STANDARD.map((id) => plain(id, false, id)),
  ...CUSTOM.map((id) => plain(`custom.${id}`, true, id)),
]);

// Grafana's own presets
const THRESHOLDS = { mode: "absolute", steps: [{ value: -Infinity, color: "green" }, { value: 80, color: "red" }] };
const GRAPH = {
  drawStyle: "line",
  lineInterpolation: "linear",
  gradientMode: "none",
  spanNulls: false,
  pointSize: 5,
  axisPlacement: "auto",
  axisLabel: "",
  axisColorMode: "text",
  axisBorderShow: false,
  axisCenteredZero: false,
  scaleDistribution: { type: "linear" },
  hideFrom: { tooltip: false, viz: false, legend: false },
  thresholdsStyle: { mode: "off" },
};

function defaultsOf(panel) {
  const given = panel.fieldConfig.defaults;
  const color = { mode: panel.type === "timeseries" ? FieldColorModeId.PaletteClassic : FieldColorModeId.Thresholds };
  const steps = given.thresholds?.steps.map((step) => ({ ...step, value: step.value ?? -Infinity }));
  const thresholds = steps ? { ...given.thresholds, steps } : THRESHOLDS;
  return { color, ...given, thresholds, custom: { ...(panel.type === "timeseries" ? GRAPH : {}), ...given.custom } };
}

function tableFrames(panel) {
  const told = panel.targets.filter((target) => answers[panel.id][target.refId].length > 0);
  return told.map(({ refId }) => {
    const rows = answers[panel.id][refId];
    const labels = [...new Set(rows.flatMap((row) => Object.keys(row.metric)))].sort();
    const fields = [
      { name: "Time", type: FieldType.time, values: rows.map((row) => row.value[0] * 1000) },
      ...labels.map((name) => ({ name, type: FieldType.string, config: { filterable: true }, values: rows.map((row) => row.metric[name] ?? "") })),
      { name: told.length > 1 ? `Value #${refId}` : "Value", type: FieldType.number, values: rows.map((row) => Number(row.value[1])) },
    ];
    return createDataFrame({ refId, fields });
  });
}

function seriesFrames(panel) {
  return panel.targets.flatMap(({ refId, legendFormat }) =>
    answers[panel.id][refId].map(({ metric, values, value }) => {
      const points = values ?? [value];
      const displayNameFromDS = legendFormat.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => metric[label] ?? "");
      const numbers = points.map((point) => (point[1] === null ? null : Number(point[1])));
      const fields = [
        { name: "Time", type: FieldType.time, values: points.map((point) => point[0] * 1000) },
        { name: "Value", type: FieldType.number, labels: metric, config: { displayNameFromDS }, values: numbers },
      ];
      return createDataFrame({ refId, fields });
    }),
  );
}

async function framesOf(panel) {
  const raw = panel.type === "table" ? tableFrames(panel) : seriesFrames(panel);
  const steps = panel.transformations ?? [];
  const data = await firstValueFrom(transformDataFrame(steps, raw, { interpolate: replace }));
  const fieldConfig = { ...panel.fieldConfig, defaults: defaultsOf(panel) };
  const frames = applyFieldOverrides({ data, fieldConfig, fieldConfigRegistry: registry, replaceVariables: replace, theme, timeZone: "utc" });
  cacheFieldDisplayNames(frames);
  return frames;
}

function Values({ panel, data, width, height }) {
  const { options } = panel;
  const fieldConfig = { ...panel.fieldConfig, defaults: defaultsOf(panel) };
  const all = () => getFieldDisplayValues({ fieldConfig, reduceOptions: options.reduceOptions, replaceVariables: replace, theme, data, sparkline: options.graphMode !== "none", timeZone: "utc" });
  const draw = ({ value, alignmentFactors, width, height, orientation, count }) =>
    panel.type === "stat" ? (
      <BigValue value={value.display} sparkline={value.sparkline} count={count} width={width} height={height} theme={theme}
        alignmentFactors={alignmentFactors} colorMode={options.colorMode} graphMode={options.graphMode} justifyMode={options.justifyMode} textMode={options.textMode} />
    ) : (
      <BarGauge value={value.display} width={width} height={height} theme={theme} orientation={orientation} field={value.field} display={value.view?.getFieldDisplayProcessor(value.colIndex)}
        text={options.text} itemSpacing={8} lcdCellWidth={8} displayMode={options.displayMode} valueDisplayMode={options.valueMode ?? "color"} namePlacement={options.namePlacement ?? "auto"}
        showUnfilled={options.showUnfilled} alignmentFactors={alignmentFactors} />
    );
  return (
    <VizRepeater getValues={all} getAlignmentFactors={getDisplayValueAlignmentFactors} renderValue={draw} width={width} height={height} source={data}
      autoGrid={panel.type === "stat"} orientation={options.orientation} itemSpacing={panel.type === "stat" ? 3 : 8} renderCounter={0} minVizWidth={8} minVizHeight={16} maxVizHeight={options.maxVizHeight} />
  );
}

function Content({ panel, data, width, height }) {
  const points = data.some((frame) => frame.length > 0);
  if (panel.type === "stat" || (panel.type === "bargauge" && points)) return <Values {...{ panel, data, width, height }} />;
  if (!points) return <div style={{ textAlign: "center", paddingTop: height / 2 - 10, color: theme.colors.text.secondary }}>No data</div>;
  if (panel.type === "table") return <TableNG data={data[0]} width={width} height={height} cellHeight={panel.options.cellHeight} noHeader={!panel.options.showHeader} />;
  return (
    <TimeSeries frames={data} structureRev={1} timeRange={timeRange} timeZone="utc" width={width} height={height} legend={panel.options.legend} options={panel.options} />
  );
}

function Panel({ panel, data }) {
  const { x, y, w, h } = panel.gridPos;
  const column = (WIDTH + GAP) / 24;
  const place = { position: "absolute", left: x * column, top: y * (CELL + GAP), width: w * column - GAP, height: h * (CELL + GAP) - GAP };
  if (panel.type === "row") return <h2 style={{ ...place, ...theme.typography.h6, lineHeight: "30px", margin: 0 }}>⌄ {panel.title}</h2>;
  return (
    <div style={place}>
      <PanelChrome title={panel.title} description={panel.description} width={place.width} height={place.height} padding={panel.type === "table" ? "none" : "md"}>
        {(width, height) => <Content panel={panel} data={data} width={width} height={height} />}
      </PanelChrome>
    </div>
  );
}

function Board({ frames }) {
  const height = Math.max(...board.panels.map(({ gridPos }) => gridPos.y + gridPos.h)) * (CELL + GAP);
  const box = { border: `1px solid ${theme.colors.border.medium}`, borderRadius: 2, padding: "3px 8px", background: theme.components.input.background };
  const shown = board.templating.list.filter(({ name }) => chosen[name]);
  const context = { eventsScope: "preview", eventBus: new EventBusSrv(), sync: () => 0 };
  return (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <PanelContextProvider value={context}>
        <div style={{ padding: 16, width: WIDTH + 32, background: theme.colors.background.canvas }}>
          <div style={{ display: "flex", gap: 12, alignItems: "center", marginBottom: 12 }}>
            <strong style={{ fontSize: 18, marginRight: 12 }}>{board.title}</strong>
            {shown.map(({ name, label }) => (
              <span key={name}>{label} <span style={box}>{chosen[name]}</span></span>
            ))}
          </div>
          <div id="panels" style={{ position: "relative", height }}>
            {board.panels.map((panel) => <Panel key={panel.id} panel={panel} data={frames[panel.id]} />)}
          </div>
        </div>
      </PanelContextProvider>
    </ThemeContext.Provider>
  );
}

async function main() {
  const shown = board.panels.filter(({ type }) => type !== "row");
  const frames = Object.fromEntries(await Promise.all(shown.map(async (panel) => [panel.id, await framesOf(panel)])));
  createRoot(document.getElementById("root")).render(<Board frames={frames} />);
}

main();
