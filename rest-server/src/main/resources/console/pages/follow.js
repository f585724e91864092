import { Problem, ask, url } from "../api.js";
import { field, fill, h, say, table } from "../dom.js";
import { count, time } from "../format.js";
import { MESSAGE_COLUMNS, messageRow, preview } from "../message.js";
import { problemBox } from "../problem.js";

const ROWS = 200;
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 5000;

/** The events of a stream: `{id, event, data}` each. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { data: [] };
      for (const line of block.split(/\r?\n/)) {
        const [, name, text] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        name === "data" ? event.data.push(text) : name && (event[name] = text);
      }
      yield { ...event, data: event.data.join("\n") };
    }
  }
}

/** The messages of a partition as they come. */
export function followTab(context) {
  const box = problemBox();
  const partition = h("input", { type: "number", min: 0, value: 0, required: true });
  const from = h("select", null, h("option", { value: "latest" }, "New messages only"), h("option", { value: "earliest" }, "Oldest message"));
  const start = h("button.primary", { type: "submit" }, "Follow the partition");
  const stop = h("button", { type: "button", disabled: true, onclick: () => following?.abort() }, "Stop");
  const note = h("p.note", { role: "status" }, "Choose a partition, and follow it.");
  const counted = h("p.note");
  const list = table(`New messages of ${context.name}`, MESSAGE_COLUMNS);
  let following = null;
  let waiting = [];
  let seen = 0;
  let frame = 0;

  function add(message) {
    waiting.push(message);
    seen++;
    if (waiting.length > ROWS) {
      waiting.shift();
    }
    frame ||= requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    const source = `${context.path}/partitions/${Number(partition.value)}/messages`;
    const rows = waiting.map(message => messageRow(message, source)).reverse();
    waiting = [];
    list.body.prepend(...rows);
    while (list.body.childElementCount > ROWS) {
      list.body.lastElementChild.remove();
    }
    say(counted, `${count(seen)} messages; the newest ${ROWS} are shown, the newest first.`);
  }

  async function follow(event) {
    event.preventDefault();
    following?.abort();
    const current = following = new AbortController();
    const { signal } = current;
    const path = `${context.path}/partitions/${Number(partition.value)}/messages`;
    fill(list.body);
    seen = 0;
    say(counted, "");
    box.show(null);
    start.disabled = true;
    stop.disabled = false;
    let last = null;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        const answer = await ask(url(path, { offset: from.value }), {
          signal, headers: { Accept: "text/event-stream", ...(last === null ? {} : { "Last-Event-ID": last }) },
        });
        box.show(null);
        say(note, `Following partition ${Number(partition.value)} since ${time(Date.now())}.`);
        for await (const its of events(answer.body)) {
          pauseMs = FIRST_PAUSE_MS;
          last = its.id ?? last;
          if (its.event === "problem") {
            throw new Problem(JSON.parse(its.data));
          }
          if (its.data) {
            add(preview(JSON.parse(its.data)));
          }
        }
      } catch (failure) {
        if (signal.aborted) {
          break;
        }
        box.show(failure);
        if (failure instanceof Problem && failure.retry === "never") {
          break;
        }
      }
      say(note, `The stream has ended at ${time(Date.now())}; going on behind the last message …`);
      await new Promise(resolve => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
    }
    if (following === current) {
      start.disabled = false;
      stop.disabled = true;
      say(note, "Stopped.");
    }
  }

  return {
    element: h("section.card.log", null,
      h("form", { onsubmit: follow }, h("div.tools", null, field("Partition", partition), field("From", from), start, stop)),
      box.element, note, counted, list.element),
    end: () => following?.abort(),
  };
}
