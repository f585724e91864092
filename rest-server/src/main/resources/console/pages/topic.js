import { forEachOf, get, send, topicPath, url } from "../api.js";
import { dialog, field, fill, h, say, table } from "../dom.js";
import { bytes, count, dateTime, duration, none } from "../format.js";
import { action, problemBox } from "../problem.js";
import { followTab } from "./follow.js";
import { groupsTab } from "./groups.js";
import { messagesTab } from "./messages.js";
import { permissionsTab } from "./permissions.js";
import { putTab } from "./put.js";

const TABS = [
  { path: "", label: "Partitions", tab: partitionsTab },
  { path: "messages", label: "Messages", tab: messagesTab },
  { path: "follow", label: "Follow", tab: followTab },
  { path: "put", label: "Put", tab: putTab },
  { path: "groups", label: "Groups", tab: groupsTab },
  { path: "permissions", label: "Permissions", tab: permissionsTab },
];

/** One topic; its tabs keep what was typed into them. */
export function topicPage(app, [name, first]) {
  const box = problemBox();
  const facts = h("dl.facts");
  const links = TABS.map(its => h("a", { href: `#/topics/${name}${its.path ? `/${its.path}` : ""}` }, its.label));
  const body = h("div");
  const heading = h("h1", null, h("a", { href: "#/topics" }, "Topics"), h("span.crumb", null, " / "), name);
  const element = h("div", null,
    h("div.head", null, heading, h("button.danger", { type: "button", onclick: remove }, "Delete this topic")),
    facts, h("nav.tabs", { "aria-label": "Parts of the topic" }, links), box.element, body);
  const context = { app, name, path: topicPath(name), topic: null };
  const tabs = new Map();
  let shown;

  function moveTo(path) {
    const index = Math.max(0, TABS.findIndex(its => its.path === (path ?? "")));
    links.forEach((link, at) => (at === index ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
    if (!tabs.has(index)) {
      tabs.set(index, TABS[index].tab(context));
    }
    shown = tabs.get(index);
    fill(body, shown.element);
    document.title = `${name} – ${TABS[index].label} – Talos Gateway`;
  }

  async function refresh() {
    try {
      const topic = await get(context.path);
      context.topic = topic;
      box.show(null);
      fill(facts, [["owner", topic.owner], ["partitions", count(topic.partitions)], ["kept for", duration(topic.retentionMs)],
        ["created", dateTime(topic.createdAtMs)], ...Object.entries(topic.attributes)]
        .map(([key, value]) => h("div", null, h("dt", null, key), h("dd", null, value))));
      await shown.refresh?.();
    } catch (failure) {
      box.show(failure);
    }
  }

  async function remove() {
    const deleted = await dialog(`Delete the topic ${name}?`, close => {
      const problems = problemBox();
      const typed = h("input", { autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
      const sure = h("button.danger", { type: "submit", disabled: true }, "Delete it");
      typed.addEventListener("input", () => {
        sure.disabled = typed.value !== name;
      });
      return h("form", { onsubmit: action(problems, async () => {
        await send("DELETE", context.path);
        close(true);
      }) },
      h("p", null, "All of its messages are deleted with it. This cannot be undone."),
      field("Type the name of the topic to confirm", typed), problems.element,
      h("div.buttons", null, h("button", { type: "button", onclick: () => close() }, "Cancel"), sure));
    });
    if (deleted) {
      location.hash = "#/topics";
    }
  }

  moveTo(first);
  return {
    title: name,
    element,
    refresh,
    every: 3000,
    moveTo(path, [topic, tab]) {
      if (path !== "topics" || topic !== name) {
        return false;
      }
      moveTo(tab);
      refresh();
      return true;
    },
    end: () => tabs.forEach(tab => tab.end?.()),
  };
}

const PAGE = 100;

/** The partitions, a page at a time: a topic may have ten thousand. */
function partitionsTab(context) {
  const list = table(`Partitions of ${context.name}`, [
    { text: "Partition", number: true }, "Owner", { text: "Start", number: true }, { text: "End", number: true },
    { text: "Messages", number: true }, { text: "Stored", number: true }, "Fencing token", "",
  ]);
  const where = h("span.where");
  const go = h("input", { type: "number", min: 0, value: 0 });
  const previous = h("button", { type: "button", onclick: () => turn(-PAGE) }, "Previous");
  const next = h("button", { type: "button", onclick: () => turn(PAGE) }, "Next");
  const total = h("p.note", { role: "status" });
  const box = problemBox();
  let begin = 0;
  let summed = 0;
  const ending = new AbortController();
  go.addEventListener("change", () => {
    begin = Math.max(0, Number(go.value) || 0);
    begin -= begin % PAGE;
    refresh();
  });

  function turn(step) {
    begin = Math.max(0, begin + step);
    go.value = begin;
    refresh();
  }

  async function refresh() {
    try {
      const { partitions } = await get(url(`${context.path}/partitions`, { limit: PAGE, after: begin > 0 ? begin - 1 : undefined }));
      box.show(null);
      const all = context.topic?.partitions ?? partitions.length;
      say(where, `${count(begin)} to ${count(begin + partitions.length - 1)} of ${count(all)}`);
      previous.disabled = begin === 0;
      next.disabled = begin + partitions.length >= all;
      list.rows(partitions.map(row), "There is no such partition.");
      // All of them are many requests if they are many: then only now and then.
      if (Date.now() - summed > (all > 1000 ? 60_000 : 3_000)) {
        summed = Date.now();
        await sum(all);
      }
    } catch (failure) {
      box.show(failure);
    }
  }

  async function sum(all) {
    const sums = { messages: 0, stored: 0, absent: 0 };
    const starts = Array.from({ length: Math.ceil(all / 1000) }, (_, page) => page * 1000);
    await forEachOf(starts, async start => {
      const { partitions } = await get(url(`${context.path}/partitions`, { after: start > 0 ? start - 1 : undefined }), { signal: ending.signal });
      for (const its of partitions) {
        sums.messages += its.messageCount ?? 0;
        sums.stored += its.storedBytes ?? 0;
        sums.absent += its.owner === undefined ? 1 : 0;
      }
    }, ending.signal, 2);
    say(total, `All partitions: ${count(sums.messages)} messages, ${bytes(sums.stored)} stored`
      + (sums.absent > 0 ? `, without the ${count(sums.absent)} that no host serves at the moment.` : "."));
  }

  function row(its) {
    const served = its.owner !== undefined;
    return h("tr", null,
      h("th.number", { scope: "row" }, its.partition),
      h("td", null, served ? h("span.mono", null, its.owner) : h("span.state.bad", null, "not served")),
      h("td.number", null, count(its.logStartOffset)), h("td.number", null, count(its.logEndOffset)),
      h("td.number", null, count(its.messageCount)), h("td.number", null, bytes(its.storedBytes)),
      h("td.mono", null, its.fencingToken ?? none),
      h("td.act", null, h("a", { href: `#/topics/${context.name}/messages`, onclick: () => {
        context.partition = its.partition;
      } }, "Messages")));
  }

  return {
    element: h("section.card", null,
      h("div.tools", null, field("Go to partition", go), h("div.pager", null, where, previous, next)),
      total, box.element, list.element),
    refresh,
    end: () => ending.abort(),
  };
}
