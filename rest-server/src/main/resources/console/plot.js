/* global uPlot */
import { fill, h, say } from "./dom.js";

const SPAN = 300;
const HEIGHT = 190;

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Lines over the last five minutes, in a box whose size does not change. */
export class Plot {
  /**
   * @param {string} title
   * @param {Array<{name: string, label: string, color: string, dash: boolean}>} lines
   * @param {function(number): string} format of values
   */
  constructor(title, lines, format) {
    this.title = title;
    this.lines = lines;
    this.format = format;
    this.box = h("div.plot", { role: "img", "aria-label": title });
    this.now = lines.map(() => h("b"));
    this.element = h("figure.card", null,
      h("figcaption", null,
        h("span.title", null, title),
        h("span.keys", null, lines.map((line, index) => h(
          "span.key", null, h(line.dash ? "i.dash.c-" + line.color : "i.c-" + line.color), line.label, " ", this.now[index])))),
      this.box);
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.box);
  }

  #draw() {
    this.chart?.destroy();
    fill(this.box);
    const ink = color("soft");
    const rule = color("rule");
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    this.chart = new uPlot({
      width: this.box.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { size: 5 } },
      padding: [10, 8, 0, 0],
      scales: { x: { time: true }, y: { range: (chart, min, max) => [0, max > 0 ? max * 1.1 : 1] } },
      axes: [
        { ...axis, space: 80, size: 28, values: [[60, "{HH}:{mm}", null, null, null, null, null, null, 1], [1, "{HH}:{mm}:{ss}", null, null, null, null, null, null, 1]] },
        { ...axis, size: 62, space: 34, values: (chart, values) => values.map(value => this.format(value)) },
      ],
      series: [{}, ...this.lines.map(line => ({
        label: line.label,
        stroke: color(line.color),
        width: 1.6,
        dash: line.dash ? [5, 4] : undefined,
        points: { show: false },
        spanGaps: false,
      }))],
    }, this.#data(), this.box);
  }

  #data() {
    const times = this.history?.times ?? [];
    if (times.length === 0) {
      const now = Date.now() / 1000;
      return [[now - SPAN, now], ...this.lines.map(() => [null, null])];
    }
    // The span is always the same, so that lines move and do not shrink.
    const early = times.at(-1) - SPAN;
    const pad = times[0] > early ? [early] : [];
    return [[...pad, ...times], ...this.lines.map(line => [...pad.map(() => null), ...this.history.lines[line.name]])];
  }

  fit() {
    if (this.chart && this.box.clientWidth > 0) {
      this.chart.setSize({ width: this.box.clientWidth, height: HEIGHT });
    } else if (this.box.clientWidth > 0) {
      this.#draw();
    }
  }

  /** Draws it anew, in the colors of the scheme. */
  recolor() {
    if (this.chart) {
      this.#draw();
    }
  }

  show(history) {
    this.history = history;
    this.chart?.setData(this.#data());
    const texts = this.lines.map((line, index) => {
      const text = this.format(history.now?.[line.name] ?? null);
      say(this.now[index], text);
      return `${line.label} ${text}`;
    });
    this.box.setAttribute("aria-label", `${this.title}: now ${texts.join(", ")}`);
  }

  end() {
    this.observer.disconnect();
    this.chart?.destroy();
  }
}
