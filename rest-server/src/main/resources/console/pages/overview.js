import { fill, h, say, table } from "../dom.js";
import { about, bytes, count, latency, none } from "../format.js";
import { Plot } from "../plot.js";
import { problemBox } from "../problem.js";

const STATES = {
  serving: "good", joining: "busy", leaving: "busy", restarting: "busy", absent: "bad",
};

/** The cluster, and what the host that serves the console does at the moment. */
export function overviewPage(app) {
  const box = problemBox();
  const tiles = tilesOf(["Puts/s", "Gets/s", "Put P99", "Get P99", "Errors/s", "CPU", "Heap", "Stored"]);
  const plots = [
    new Plot("Requests per second", [
      { name: "puts", label: "puts", color: "one" },
      { name: "gets", label: "gets", color: "two" },
    ], value => about(value)),
    new Plot("Latency", [
      { name: "putP50", label: "put P50", color: "one", dash: true },
      { name: "putP99", label: "put P99", color: "one" },
      { name: "getP50", label: "get P50", color: "two", dash: true },
      { name: "getP99", label: "get P99", color: "two" },
    ], value => latency(value)),
  ];
  const summary = h("p.summary");
  const hosts = table("Hosts of the cluster", ["Host", "State", "Endpoint", { text: "Partitions", number: true }, "Part of all"]);
  const queues = h("div.queues");
  const errors = table("Errors by code", ["Class", "Code", { text: "per second", number: true }, { text: "since start", number: true }]);
  const ofHost = h("h2");
  const figures = h("div", null,
    tiles.element,
    h("div.plots", null, plots.map(plot => plot.element)),
    h("div.columns", null,
      h("section.card", null, h("h2", null, "Queues"), queues),
      h("section.card", null, h("h2", null, "Errors"), errors.element)));
  const cluster = h("section.card", null, h("h2", null, "Cluster"), summary, hosts.element);
  const body = h("div", null, cluster, ofHost, figures);
  const element = h("div", null, h("h1", null, "Overview"), box.element, body);

  function show() {
    body.hidden = !app.admin;
    if (!app.admin) {
      box.show(app.clusterProblem, true);
      return;
    }
    box.show(app.clusterProblem);
    showCluster(app.cluster);
    const { last, now } = app.history;
    if (last) {
      showHost(last, now);
    }
  }

  function showCluster(known) {
    if (!known) {
      return;
    }
    const own = known.hosts.find(host => host.name === known.host);
    const moving = Math.max(0, (own?.partitions ?? 0) - known.served - known.refused);
    say(summary, [
      `${count(known.topics)} topics, ${count(known.partitions)} partitions, ${known.hosts.length} hosts.`,
      known.controller ? `${known.host} is the controller.` : "Another host is the controller.",
      moving > 0 ? `${count(moving)} partitions are moving to ${known.host}.` : "No partitions are moving to this host.",
      known.refused > 0 ? `${count(known.refused)} partitions cannot be served: stored messages are missing (storage-corrupt).` : "",
      known.connected ? "" : "There is no connection to ZooKeeper: this may be old.",
    ].filter(Boolean).join(" "));
    say(ofHost, `Host ${known.host}`);
    const all = Math.max(1, known.partitions);
    hosts.rows(known.hosts.map(host => h("tr", null,
      h("th", { scope: "row" }, host.name, host.name === known.host ? h("span.tag", null, "this host") : null),
      h("td", null, h(`span.state.${STATES[host.state]}`, null, host.state)),
      h("td.mono", null, host.endpoint ?? none),
      h("td.number", null, count(host.partitions)),
      h("td", null, bar(host.partitions / all, `${Math.round((100 * host.partitions) / all)} %`)))), "No hosts.");
  }

  function showHost(last, now) {
    tiles.show({
      "Puts/s": about(now?.puts),
      "Gets/s": about(now?.gets),
      "Put P99": latency(now?.putP99),
      "Get P99": latency(now?.getP99),
      "Errors/s": about(now?.errors.reduce((sum, its) => sum + its.rate, 0)),
      CPU: now ? `${Math.round(100 * now.cpu)} %` : none,
      Heap: `${bytes(last.heapBytes)}`,
      Stored: bytes(last.storedBytes),
    });
    plots.forEach(plot => plot.show(app.history));
    showQueues(last);
    errors.rows((now?.errors ?? []).slice(0, 8).map(its => h("tr", null,
      h("td", null, its.requestClass), h("td.mono", null, its.outcome),
      h("td.number", null, about(its.rate)), h("td.number", null, count(its.count)))), "None since the host started.");
  }

  function showQueues(last) {
    fill(queues,
      h("dl.facts", null,
        fact("requests", count(last.requestsInFlight)), fact("gets waiting", count(last.getsWaiting)),
        fact("streams", count(last.streams)), fact("connections", count(last.connections))),
      last.pools.map(pool => h("div.pool", null,
        h("span.name", null, `${pool.pool} threads`),
        h("span.threads", { role: "img", "aria-label": `Tasks of each thread: ${pool.workers.join(", ")}` },
          pool.workers.map(tasks => h("span.thread" + (tasks > 0 ? ".busy" : ""), { title: `${tasks} tasks` }, tasks))),
        h("span.number", null, `${count(pool.queued)} queued, ${bytes(pool.queuedBytes)}`))),
      last.lanes.map(lane => h("div.pool", null,
        h("span.name", null, `lane ${lane.lane}`),
        lane.broken ? h("span.state.bad", null, "cannot write") : h("span.state.good", null, "writing"),
        h("span.number", null, `${count(lane.queuedPuts)} queued, ${bytes(lane.queuedBytes)}`))));
  }

  const recolor = () => plots.forEach(plot => plot.recolor());
  app.samples.add(show);
  app.schemes.add(recolor);
  show();
  return {
    title: "Overview",
    element,
    end() {
      app.samples.delete(show);
      app.schemes.delete(recolor);
      plots.forEach(plot => plot.end());
    },
  };
}

function fact(name, value) {
  return h("div", null, h("dt", null, name), h("dd", null, value));
}

function tilesOf(names) {
  const values = new Map(names.map(name => [name, h("b", null, none)]));
  return {
    element: h("dl.tiles", null, names.map(name => h("div.tile", null, h("dt", null, name), h("dd", null, values.get(name))))),
    show(texts) {
      for (const [name, text] of Object.entries(texts)) {
        say(values.get(name), text);
      }
    },
  };
}

/** A share as a bar; its width is one of the classes w0 to w20. */
function bar(share, label) {
  return h("span.meter", { role: "img", "aria-label": label },
    h(`span.w${Math.round(20 * Math.min(1, share))}`));
}
