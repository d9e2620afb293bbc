// jobmetrics.js: what makes pages better that work without it
//
// SPDX-FileCopyrightText: 2026 The jobmetrics authors
// SPDX-License-Identifier: GPL-2.0-or-later
"use strict";

const make = (name, text) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  return element;
};

// --- plots: as wide as the page, or wider and to be scrolled ---

const addZoom = (figure) => {
  const box = figure.querySelector(".box, .jm-box");
  if (!box) return;
  const caption = figure.querySelector("figcaption") || figure.appendChild(make("figcaption"));
  const button = make("button", "Zoom in");
  button.type = "button";
  button.setAttribute("aria-pressed", "false");
  const title = figure.querySelector("figcaption, svg > title").textContent;
  button.setAttribute("aria-label", `Zoom in: ${title}`);
  button.addEventListener("click", () => {
    const isWide = figure.classList.toggle("wide");
    button.setAttribute("aria-pressed", String(isWide));
    button.textContent = isWide ? "Zoom out" : "Zoom in";
    button.setAttribute("aria-label", `${button.textContent}: ${title}`);
    if (isWide) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
  caption.append(button);
};

// --- plots of lines: the values at the time that is pointed at, and a part of the time that is dragged over ---

const LEAST_DRAG_PX = 8;

const formatElapsed = (seconds) => {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
  return h > 0 ? `${h}h${String(m).padStart(2, "0")}m` : `${m}m${String(s).padStart(2, "0")}s`;
};

class Lines {
  constructor(svg, all) {
    const frame = svg.querySelector(".jm-plot-frame");
    this.svg = svg;
    this.all = all;
    for (const key of ["left", "right", "top", "bottom", "from", "to"]) this[key] = Number(frame.dataset[key]);
    // values have the unit of the label at the end of their axis
    [, this.highest, this.unit] = frame.dataset.highest.match(/^(-?[\d.]+)(.*)$/) || [null, 0, ""];
    this.lowest = parseFloat(frame.dataset.lowest) || 0;
    this.lines = [...svg.querySelectorAll("path[fill=none]")].filter((path) => path.firstElementChild).map((path) => this.read(path));
    this.part = this.draw("rect", { class: "part", y: this.top, height: this.bottom - this.top, width: 0 });
    this.hand = this.draw("path", { class: "hand" });
    this.text = make("p");
    this.text.className = "values";
    svg.after(this.text);
    svg.addEventListener("pointermove", (event) => this.point(event));
    svg.addEventListener("pointerdown", (event) => this.grab(event));
    svg.addEventListener("pointerup", (event) => this.release(event));
    svg.addEventListener("pointercancel", () => this.drop());
    svg.addEventListener("pointerleave", () => this.all.forEach((one) => one.show(null)));
  }

  draw(name, attributes) {
    const element = this.svg.appendChild(document.createElementNS(this.svg.namespaceURI, name));
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // The first point of a part by its place, the others by their distance to the one before.
  read(path) {
    const points = [];
    let [x, y] = [0, 0];
    for (const [, letter, right, down] of path.getAttribute("d").matchAll(/([Ml])(-?[\d.]+) ?(-?[\d.]+)/g)) {
      [x, y] = letter === "M" ? [Number(right), Number(down)] : [x + Number(right), y + Number(down)];
      points.push([x, y, letter === "M"]);
    }
    return { name: path.firstElementChild.textContent, points };
  }

  // Where an event is on the picture, within the axes.
  place(event) {
    const box = this.svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * this.svg.viewBox.baseVal.width;
    return Math.min(Math.max(x, this.left), this.right);
  }

  time(x) { return this.from + (x - this.left) / (this.right - this.left) * (this.to - this.from); }

  value({ points }, x) {
    const i = points.findIndex(([right,, isFirst], k) => k > 0 && !isFirst && points[k - 1][0] <= x && x <= right);
    if (i < 0) return "–";
    const [[left, top], [right, bottom]] = [points[i - 1], points[i]];
    const y = right > left ? top + (bottom - top) * (x - left) / (right - left) : top;
    const number = this.lowest + (this.bottom - y) / (this.bottom - this.top) * (this.highest - this.lowest);
    return `${Number(number.toPrecision(3))}${this.unit}`;
  }

  show(seconds) {
    const isWithin = seconds !== null && seconds >= this.from && seconds <= this.to;
    const x = this.left + (seconds - this.from) / (this.to - this.from) * (this.right - this.left);
    this.hand.setAttribute("d", isWithin ? `M${x} ${this.top}V${this.bottom}` : "");
    this.text.textContent = isWithin ? `${formatElapsed(seconds)}: ${this.lines.map((line) => `${line.name} ${this.value(line, x)}`).join(", ")}` : "";
  }

  point(event) {
    const x = this.place(event);
    this.all.forEach((one) => one.show(this.time(x)));
    if (this.start !== undefined && event.buttons === 0) this.drop();
    if (this.start === undefined) return;
    this.part.setAttribute("x", Math.min(x, this.start));
    this.part.setAttribute("width", Math.abs(x - this.start));
  }

  grab(event) {
    if (event.button !== 0 || !document.getElementById("zoom")) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    this.start = this.place(event);
    this.part.classList.add("dragged");
  }

  drop() {
    this.start = undefined;
    this.part.classList.remove("dragged");
    this.part.setAttribute("width", 0);
  }

  release(event) {
    const [from, to] = [this.start, this.place(event)].sort((a, b) => a - b);
    const form = document.getElementById("zoom");
    this.drop();
    if (!form || !(to - from > LEAST_DRAG_PX)) return;
    form.elements.from.value = `${Math.floor(this.time(from))}s`;
    form.elements.to.value = `${Math.ceil(this.time(to))}s`;
    form.requestSubmit();
  }
}

const addValues = (main) => {
  const all = [];
  for (const frame of main.querySelectorAll(".jm-plot-frame")) all.push(new Lines(frame.ownerSVGElement, all));
  const [form, plots] = [main.querySelector("#zoom"), main.querySelector(".jm-plots")];
  if (form && plots) plots.before(form);
};

const improve = (main) => {
  main.querySelectorAll("figure").forEach(addZoom);
  addValues(main);
};

// --- what changes: the same page is asked for again, while somebody looks ---

class Live {
  constructor(main) {
    this.main = main;
    this.seconds = Number(main.dataset.refresh);
    this.isPaused = false;
    this.button = make("button", "Pause updates");
    this.button.type = "button";
    this.said = make("p", `Updated every ${this.seconds} s.`);
    this.said.setAttribute("role", "status");
    const bar = make("div");
    bar.className = "live";
    bar.append(this.button, this.said);
    document.querySelector("footer").prepend(bar);
    this.button.addEventListener("click", () => this.pause(!this.isPaused));
    document.addEventListener("visibilitychange", () => this.plan(0));
    this.plan(this.seconds);
  }

  pause(isPaused) {
    this.isPaused = isPaused;
    this.button.textContent = isPaused ? "Resume updates" : "Pause updates";
    this.say(isPaused ? "Updates are paused." : `Updated every ${this.seconds} s.`);
    this.plan(0);
  }

  say(text) {
    if (this.said.textContent !== text) this.said.textContent = text;
  }

  plan(seconds) {
    clearTimeout(this.timer);
    if (!this.isPaused && !document.hidden) this.timer = setTimeout(() => this.update(), seconds * 1000);
  }

  // Somebody who fills in a form, has chosen runs, drags over a plot, or has made one larger, is not disturbed.
  isBusy() {
    const at = document.activeElement;
    const isInForm = at && this.main.contains(at) && at.matches("input, select, button");
    return isInForm || this.main.querySelector(".wide, .part.dragged, :checked[name=run]") !== null;
  }

  async update() {
    if (!this.isBusy()) {
      try {
        const answer = await fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } });
        if (!answer.ok) throw new Error(String(answer.status));
        this.take(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main"));
        if (!this.isPaused) this.say(`Updated every ${this.seconds} s.`);
      } catch (problem) {
        this.say(problem.message === "401" ? "You are signed out. Reload the page to sign in." : "The server does not answer; it is asked again.");
      }
    }
    this.plan(this.seconds);
  }

  // What was focused and how far was scrolled stays, as far as it is still there.
  take(fresh) {
    if (!fresh || this.isBusy() || fresh.innerHTML === this.known) return;
    this.known = fresh.innerHTML;
    const at = this.main.contains(document.activeElement) ? document.activeElement : null;
    const name = at && (at.id ? `#${CSS.escape(at.id)}` : at.getAttribute("href") ? `a[href="${CSS.escape(at.getAttribute("href"))}"]` : null);
    const key = (details) => details.id || details.firstElementChild?.textContent;
    const opened = new Set([...this.main.querySelectorAll("details[open]")].map(key));
    const lefts = [...this.main.querySelectorAll(".scroll, .jm-scroll")].map((box) => box.scrollLeft);
    this.main.replaceChildren(...fresh.childNodes);
    improve(this.main);
    this.main.querySelectorAll("details").forEach((details) => { details.open ||= opened.has(key(details)); });
    this.main.querySelectorAll(".scroll, .jm-scroll").forEach((box, i) => { box.scrollLeft = lefts[i] || 0; });
    if (name) this.main.querySelector(name)?.focus({ preventScroll: true });
  }
}

const main = document.querySelector("main");
if (main.dataset.refresh) new Live(main);
improve(main);
