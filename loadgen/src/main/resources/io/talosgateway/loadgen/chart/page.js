// Draws each figure of the page that has data: the JSON of a Chart.
"use strict";
for (const figure of document.querySelectorAll("figure[data-plot]")) {
  const plot = JSON.parse(figure.dataset.plot);
  const colour = style => getComputedStyle(figure).getPropertyValue("--" + style).trim();
  const number = value => value === null || value === undefined ? "–" : Math.abs(value) >= 100 || Number.isInteger(value)
    ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(3)).toString();
  // A share of 99.9 % is three nines.
  const nines = percent => -Math.log10(1 - Math.min(percent, 100 - 1e-9) / 100);
  const share = count => Number((100 * (1 - Math.pow(10, -count))).toPrecision(7)) + " %";
  const toX = plot.x === "NINES" ? nines : value => value;
  const fromX = plot.x === "NINES" ? share : number;
  const shown = y => Number.isFinite(y) && (plot.y !== "LOG" || y > 0) ? y : null;
  const empty = plot.series.every(line => line.points.every(point => shown(Number(point[1] ?? NaN)) === null));
  if (empty) {
    figure.append("There is nothing to plot.");
    continue;
  }
  const data = uPlot.join(plot.series.map(line => [
    line.points.map(point => toX(point[0])),
    line.points.map(point => point[1] === "NaN" ? null : shown(point[1]))
  ]), plot.series.map(() => [0, 2]));
  const distribution = axis => axis === "LOG" ? 3 : 1;
  const linear = (u, least, most) => [0, most > 0 ? most * 1.05 : 1];
  const axis = extra => ({stroke: colour("soft"), grid: {stroke: colour("rule"), width: 1}, ticks: {stroke: colour("rule")}, ...extra});
  const drawMarks = u => {
    const {ctx, bbox} = u;
    ctx.save();
    for (const mark of plot.marks) {
      ctx.fillStyle = colour(mark.style);
      const from = u.valToPos(mark.fromX, "x", true);
      const until = u.valToPos(mark.untilX, "x", true);
      if (mark.shape === "BAND") {
        ctx.globalAlpha = 0.45;
        ctx.fillRect(from, bbox.top, Math.max(2 * devicePixelRatio, until - from), bbox.height);
      } else {
        const size = 5 * devicePixelRatio;
        const middle = (from + until) / 2;
        ctx.globalAlpha = 1;
        ctx.beginPath();
        ctx.moveTo(middle, bbox.top + bbox.height - 2 * size);
        ctx.lineTo(middle + size, bbox.top + bbox.height);
        ctx.lineTo(middle - size, bbox.top + bbox.height);
        ctx.fill();
      }
    }
    ctx.restore();
  };
  const width = () => Math.max(200, figure.clientWidth);
  const u = new uPlot({
    width: width(),
    height: 260,
    scales: {
      x: {time: false, distr: distribution(plot.x)},
      y: {distr: distribution(plot.y), ...(plot.y === "LOG" ? {} : {range: linear})}
    },
    series: [{label: "at", value: (u, x) => x === null || x === undefined ? "–" : fromX(x)}].concat(plot.series.map(line => ({
      label: line.name,
      stroke: colour(line.style),
      width: 1.8,
      points: {show: line.points.length < 20},
      value: (u, y) => number(y)
    }))),
    axes: [
      axis({
        label: plot.xLabel,
        labelSize: 20,
        values: (u, ticks) => ticks.map(tick => tick === null ? "" : fromX(tick)),
        ...(plot.x === "NINES" ? {splits: u => (figure.clientWidth < 600 ? [0, 1, 2, 3, 4, 5, 6] : [0, Math.log10(2), 1, 2, 3, 4, 5, 6]).filter(tick => tick <= u.scales.x.max)} : {})
      }),
      axis({size: 62, values: (u, ticks) => ticks.map(tick => tick === null ? "" : number(tick))})
    ],
    hooks: {drawClear: [drawMarks]}
  }, data, figure);
  const legend = document.createElement("p");
  legend.className = "marks";
  for (const [name, mark] of new Map(plot.marks.map(mark => [mark.name, mark]))) {
    const key = document.createElement("span");
    key.textContent = name;
    key.style.setProperty("--c", colour(mark.style));
    legend.append(key);
  }
  if (plot.marks.length > 0) {
    figure.append(legend);
  }
  new ResizeObserver(() => u.setSize({width: width(), height: 260})).observe(figure);
}
