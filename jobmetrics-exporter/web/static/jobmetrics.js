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

const improve = (main) => main.querySelectorAll("figure").forEach(addZoom);

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

  // Somebody who fills in a form, has chosen runs, or has made a plot larger, is not disturbed.
  isBusy() {
    const at = document.activeElement;
    const isInForm = at && this.main.contains(at) && at.matches("input, select, button");
    return isInForm || this.main.querySelector(".wide, :checked[type=checkbox]") !== null;
  }

  async update() {
    if (!this.isBusy()) {
      try {
        const answer = await fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } });
        if (!answer.ok) throw new Error(String(answer.status));
        this.take(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main"));
        if (!this.isPaused) this.say(`Updated every ${this.seconds} s.`);
      } catch {
        this.say("The server does not answer; it is asked again.");
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
    const lefts = [...this.main.querySelectorAll(".scroll, .jm-scroll")].map((box) => box.scrollLeft);
    this.main.replaceChildren(...fresh.childNodes);
    improve(this.main);
    this.main.querySelectorAll(".scroll, .jm-scroll").forEach((box, i) => { box.scrollLeft = lefts[i] || 0; });
    if (name) this.main.querySelector(name)?.focus({ preventScroll: true });
  }
}

const main = document.querySelector("main");
if (main.dataset.refresh) new Live(main);
improve(main);
