import { forEachOf, get, topicPath, url } from "../api.js";
import { field, h, say, table } from "../dom.js";
import { count, none } from "../format.js";
import { problemBox } from "../problem.js";

const TOPICS = 50;
const PARTITIONS = 100;

/** How far a group is behind; null while that is not known of a partition. */
function lagOf(group) {
  return group.partitions.some(its => its.lag === undefined) ? null : group.partitions.reduce((sum, its) => sum + its.lag, 0);
}

/** Names of the groups of a topic; a thousand at most. */
async function groupsOf(topic, signal) {
  return (await get(`${topicPath(topic)}/groups`, { signal })).groups;
}

function describe(topic, group, signal) {
  return get(`${topicPath(topic)}/groups/${encodeURIComponent(group)}`, { signal });
}

/** The consumer groups of topics whose names begin alike. */
export function groupsPage() {
  const box = problemBox();
  const filter = h("input", { type: "search", spellcheck: "false", autocapitalize: "off", placeholder: "Topics that begin with …" });
  const note = h("p.note", { role: "status" });
  const list = table("Consumer groups", ["Group", "Topic", { text: "Members", number: true }, { text: "Lag", number: true }]);
  let reading = new AbortController();
  let typing;
  filter.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(refresh, 200);
  });

  async function refresh() {
    reading.abort();
    const { signal } = reading = new AbortController();
    try {
      const page = await get(url("/v1/topics", { limit: TOPICS, prefix: filter.value.trim() }), { signal });
      const found = [];
      await forEachOf(page.topics.map(topic => topic.name), async topic => {
        for (const name of await groupsOf(topic, signal)) {
          found.push(await describe(topic, name, signal));
        }
      }, signal);
      box.show(null);
      found.sort((one, other) => (lagOf(other) ?? Infinity) - (lagOf(one) ?? Infinity) || one.group.localeCompare(other.group));
      say(note, page.next
        ? `Groups of the first ${TOPICS} topics, to ${page.next}; the filter shows others.`
        : `Groups of ${count(page.topics.length)} topics, the furthest behind first.`);
      list.rows(found.slice(0, PARTITIONS).map(group => h("tr", null,
        h("th", { scope: "row" }, h("a", { href: `#/topics/${group.topic}/groups` }, group.group)), h("td", null, group.topic),
        h("td.number", null, count(group.members.length)), h("td.number", null, count(lagOf(group))))),
      "No group has members or has committed anything of these topics.");
    } catch (failure) {
      box.show(failure);
    }
  }

  return {
    title: "Groups",
    element: h("div", null, h("div.head", null, h("h1", null, "Consumer groups")),
      h("div.tools", null, field("Filter by prefix of the topic", filter)), box.element,
      h("section.card", null, note, list.element)),
    refresh,
    every: 10_000,
    end: () => reading.abort(),
  };
}

/** The consumer groups of one topic, and how far one of them is on each partition. */
export function groupsTab(context) {
  const box = problemBox();
  const list = table(`Consumer groups of ${context.name}`, ["Group", { text: "Members", number: true }, { text: "Lag", number: true }, ""]);
  const heading = h("h2");
  const where = h("span.where");
  const previous = h("button", { type: "button", onclick: () => turn(-PARTITIONS) }, "Previous");
  const next = h("button", { type: "button", onclick: () => turn(PARTITIONS) }, "Next");
  const progress = table("Progress on each partition", [
    { text: "Partition", number: true }, "Member", { text: "Next offset", number: true }, { text: "End", number: true }, { text: "Lag", number: true },
  ]);
  const detail = h("section.card", { hidden: true },
    h("div.head", null, heading, h("div.pager", null, where, previous, next)), progress.element);
  const ending = new AbortController();
  let chosen = null;
  let begin = 0;

  function turn(step) {
    begin = Math.max(0, begin + step);
    refresh();
  }

  async function refresh() {
    try {
      const groups = [];
      await forEachOf(await groupsOf(context.name, ending.signal), async name => groups.push(await describe(context.name, name, ending.signal)), ending.signal);
      box.show(null);
      groups.sort((one, other) => one.group.localeCompare(other.group));
      list.rows(groups.map(group => h("tr", null,
        h("th", { scope: "row" }, group.group), h("td.number", null, count(group.members.length)), h("td.number", null, count(lagOf(group))),
        h("td.act", null, h("button", { type: "button", "aria-pressed": String(group.group === chosen), onclick: () => {
          chosen = group.group;
          begin = 0;
          refresh();
        } }, "Partitions")))), "No group has members or has committed anything of this topic.");
      show(groups.find(group => group.group === chosen));
    } catch (failure) {
      box.show(failure);
    }
  }

  function show(group) {
    detail.hidden = !group;
    if (!group) {
      return;
    }
    const page = group.partitions.slice(begin, begin + PARTITIONS);
    say(heading, `Group ${group.group}`);
    say(where, `${count(begin)} to ${count(begin + page.length - 1)} of ${count(group.partitions.length)}`);
    previous.disabled = begin === 0;
    next.disabled = begin + PARTITIONS >= group.partitions.length;
    progress.rows(page.map(its => h("tr", null,
      h("th.number", { scope: "row" }, its.partition), h("td.mono", null, its.member ?? none), h("td.number", null, count(its.nextOffset)),
      h("td.number", null, count(its.logEndOffset)), h("td.number", null, count(its.lag)))), "");
  }

  return {
    element: h("div", null, box.element, h("section.card", null, list.element), detail),
    refresh,
    end: () => ending.abort(),
  };
}
