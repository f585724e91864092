import { forEachOf, get, send, topicPath, url } from "../api.js";
import { dialog, field, h, say, table } from "../dom.js";
import { bytes, count, dateTime, duration, none } from "../format.js";
import { action, problemBox } from "../problem.js";

const PAGE = 50;
/** A page of partitions; topics with more are summed up on their own page. */
const SUMMED = 1000;

/** The topics that the key may describe, by name. */
export function topicsPage() {
  const box = problemBox();
  const filter = h("input", { type: "search", spellcheck: "false", autocapitalize: "off", placeholder: "Names that begin with …" });
  const list = table("Topics", [
    "Topic", "Owner", { text: "Partitions", number: true }, { text: "Messages", number: true },
    { text: "Stored", number: true }, { text: "Kept for", number: true }, "Created",
  ]);
  const where = h("span.where", { role: "status" });
  const previous = h("button", { type: "button", onclick: () => turn(-1) }, "Previous");
  const next = h("button", { type: "button", onclick: () => turn(1) }, "Next");
  const element = h("div", null,
    h("div.head", null, h("h1", null, "Topics"),
      h("button.primary", { type: "button", onclick: create }, "Create a topic")),
    h("div.tools", null, field("Filter by prefix", filter), h("div.pager", null, where, previous, next)),
    box.element, h("section.card", null, list.element));

  /** Where the pages before this one begin. */
  let starts = [null];
  let following = null;
  let reading = new AbortController();
  let rows = new Map();

  let typing;
  filter.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      starts = [null];
      refresh();
    }, 200);
  });

  function turn(direction) {
    direction > 0 ? starts.push(following) : starts.pop();
    refresh();
  }

  async function refresh() {
    reading.abort();
    const current = reading = new AbortController();
    try {
      const page = await get(url("/v1/topics", { limit: PAGE, after: starts.at(-1), prefix: filter.value.trim() }), { signal: current.signal });
      if (current.signal.aborted) {
        return;
      }
      box.show(null);
      following = page.next ?? null;
      previous.disabled = starts.length === 1;
      next.disabled = following === null;
      say(where, page.topics.length > 0 ? `Page ${starts.length}` : "");
      const before = rows;
      rows = new Map(page.topics.map(topic => [topic.resourceName, before.get(topic.resourceName) ?? row(topic)]));
      page.topics.forEach(topic => rows.get(topic.resourceName).show(topic));
      list.rows([...rows.values()].map(its => its.element), filter.value
        ? "No topic that this key may describe begins so." : "There are no topics that this key may describe. Create one.");
      await forEachOf(page.topics.filter(topic => topic.partitions <= SUMMED), async topic => {
        const { partitions } = await get(`${topicPath(topic.name)}/partitions`, { signal: current.signal });
        rows.get(topic.resourceName)?.sum(partitions);
      }, current.signal);
    } catch (failure) {
      box.show(failure);
    }
  }

  function row(topic) {
    const cells = { owner: h("td"), partitions: h("td.number"), messages: h("td.number", null, none), stored: h("td.number", null, none),
      kept: h("td.number"), created: h("td") };
    return {
      element: h("tr", null,
        h("th", { scope: "row" }, h("a", { href: `#/topics/${topic.name}` }, topic.name)), Object.values(cells)),
      show(now) {
        say(cells.owner, now.owner);
        say(cells.partitions, count(now.partitions));
        say(cells.kept, duration(now.retentionMs));
        say(cells.created, dateTime(now.createdAtMs));
        if (now.partitions > SUMMED) {
          cells.messages.title = cells.stored.title = "The page of the topic sums it up.";
        }
      },
      sum(partitions) {
        const sum = name => (partitions.some(its => its[name] === undefined) ? null : partitions.reduce((all, its) => all + its[name], 0));
        say(cells.messages, count(sum("messageCount")));
        say(cells.stored, bytes(sum("storedBytes")));
      },
    };
  }

  async function create() {
    const created = await dialog("Create a topic", close => {
      const problems = problemBox();
      const name = h("input", { required: true, maxlength: 80, pattern: "[a-zA-Z0-9_\\-]+", spellcheck: "false", autocapitalize: "off" });
      const partitions = h("input", { type: "number", min: 1, value: 8, required: true });
      const hours = h("input", { type: "number", min: 1, value: 24, required: true });
      return h("form", { onsubmit: action(problems, async () => {
        await send("POST", "/v1/topics", {
          name: name.value, partitions: Number(partitions.value), retentionMs: Math.round(Number(hours.value) * 3_600_000),
        });
        close(name.value);
      }) },
      field("Name", name, "1 to 80 letters, digits, _ or -; not _ or - at the start, not _ at the end."),
      field("Partitions", partitions, "More can be added later; there are never fewer."),
      field("Keep messages for, in hours", hours),
      problems.element,
      h("div.buttons", null, h("button", { type: "button", onclick: () => close() }, "Cancel"), h("button.primary", { type: "submit" }, "Create")));
    });
    if (created) {
      location.hash = `#/topics/${created}`;
    }
  }

  return { title: "Topics", element, refresh, every: 5000, end: () => reading.abort() };
}
