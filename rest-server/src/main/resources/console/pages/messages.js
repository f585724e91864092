import { get, url } from "../api.js";
import { field, h, say, table } from "../dom.js";
import { bytes, count } from "../format.js";
import { MESSAGE_COLUMNS, messageRow, preview } from "../message.js";
import { action, problemBox } from "../problem.js";

const PAGE = 50;
/** Of one request of a search. */
const READ_MESSAGES = 1000;
const MAX_HITS = 100;
const MAX_BYTES = 64 * 1024 * 1024;

/** Messages of a partition from an offset or a time on, and a search among them. */
export function messagesTab(context) {
  const box = problemBox();
  const partition = h("input", { type: "number", min: 0, value: context.partition ?? 0, required: true });
  const from = h("select", null,
    [["latest", "Newest"], ["earliest", "Oldest"], ["offset", "Offset"], ["time", "Time"]].map(([value, text]) => h("option", { value }, text)));
  const offset = h("input", { type: "number", min: 0, value: 0 });
  const at = h("input", { type: "datetime-local", step: 1 });
  const offsetField = field("Offset", offset);
  const timeField = field("Time (of this browser)", at);
  const text = h("input", { type: "search", spellcheck: "false", autocapitalize: "off" });
  const window = h("select", null, [1000, 10_000, 100_000].map(size => h("option", { value: size }, `${count(size)} messages`)));
  const stop = h("button", { type: "button", hidden: true, onclick: () => searching?.abort() }, "Stop");
  const note = h("p.note", { role: "status" }, "Choose where to begin, and read.");
  const list = table(`Messages of ${context.name}`, MESSAGE_COLUMNS);
  const older = h("button", { type: "button", disabled: true, onclick: action(box, () => read(Math.max(start, first - PAGE))) }, "Older");
  const newer = h("button", { type: "button", disabled: true, onclick: action(box, () => read(following)) }, "Newer");
  const onwards = h("button", { type: "button", hidden: true, onclick: action(box, () => search(following)) }, "Search on");
  let searching = null;
  let first = 0;
  let following = 0;
  let start = 0;

  function showFields() {
    offsetField.hidden = from.value !== "offset";
    timeField.hidden = from.value !== "time";
  }
  from.addEventListener("change", showFields);
  showFields();

  const source = () => `${context.path}/partitions/${Number(partition.value)}/messages`;

  /** Where to begin, as parameters of a get. */
  async function position(back) {
    if (from.value === "time") {
      return { "timestamp-ms": new Date(at.value).getTime() || 0 };
    }
    if (from.value === "latest") {
      const its = await get(`${context.path}/partitions/${Number(partition.value)}`);
      return { offset: Math.max(its.logStartOffset ?? 0, (its.logEndOffset ?? 0) - back) };
    }
    return { offset: from.value === "earliest" ? "earliest" : Number(offset.value) };
  }

  async function read(where) {
    onwards.hidden = true;
    const parameters = where === undefined ? await position(PAGE) : { offset: where };
    const page = await get(url(source(), { ...parameters, "max-messages": PAGE }));
    const messages = page.messages.map(preview);
    start = page.logStartOffset;
    first = messages[0]?.offset ?? page.nextOffset;
    following = page.nextOffset;
    list.rows(messages.map(message => messageRow(message, source())), "There are no messages from there on.");
    say(note, messages.length > 0
      ? `Partition ${page.partition}: offsets ${count(first)} to ${count(following - 1)}; it has ${count(start)} to ${count((page.logEndOffset ?? following) - 1)}.`
      : `Partition ${page.partition} has no messages from offset ${count(following)} on.`);
    older.disabled = first <= start;
    newer.disabled = following >= (page.logEndOffset ?? following);
  }

  /** Looks at a bounded number of messages and bytes, and says at which. */
  async function search(where) {
    const wanted = text.value.toLowerCase();
    const most = Number(window.value);
    const found = [];
    let parameters = where === undefined ? await position(most) : { offset: where };
    let seen = 0;
    let size = 0;
    let began = null;
    let ended = false;
    searching = new AbortController();
    stop.hidden = false;
    onwards.hidden = true;
    try {
      while (seen < most && size < MAX_BYTES && found.length < MAX_HITS && !ended) {
        const page = await get(url(source(), {
          ...parameters, "max-messages": Math.min(READ_MESSAGES, most - seen), value: "text",
        }), { signal: searching.signal });
        for (const message of page.messages) {
          size += (message.value ?? message.valueBase64).length;
          if (matches(message, wanted) && found.length < MAX_HITS) {
            found.push(preview(message));
          }
        }
        began ??= page.messages[0]?.offset ?? page.nextOffset;
        seen += page.messages.length;
        following = page.nextOffset;
        parameters = { offset: following };
        ended = page.messages.length === 0 || following >= page.logEndOffset;
        say(note, `Searching: ${count(seen)} messages, ${count(found.length)} found …`);
      }
    } catch (failure) {
      if (failure.name !== "AbortError") {
        throw failure;
      }
    } finally {
      stop.hidden = true;
    }
    list.rows(found.map(message => messageRow(message, source())), `No message there has “${text.value}” in its key or text.`);
    const limit = found.length >= MAX_HITS ? ` Only the first ${MAX_HITS} are shown.` : "";
    say(note, `Searched partition ${Number(partition.value)}, offsets ${count(began ?? following)} to ${count(following - 1)}: `
      + `${count(seen)} messages, ${bytes(size)}; ${count(found.length)} found.${limit}`
      + (ended ? " This is the end of the partition." : ""));
    onwards.hidden = ended;
    older.disabled = newer.disabled = true;
  }

  const form = h("form", { onsubmit: action(box, () => (text.value === "" ? read() : search())) },
    h("div.tools", null,
      half(field("Partition", partition)), half(field("From", from)), offsetField, timeField,
      field("Search for text (not case-sensitive)", text), half(field("Search at most", window)),
      h("button.primary", { type: "submit" }, "Read"), stop));
  text.addEventListener("input", () => {
    say(form.querySelector("button.primary"), text.value === "" ? "Read" : "Search");
  });

  return {
    element: h("section.card", null, form, box.element, note, list.element,
      h("div.buttons", null, older, newer, onwards)),
    /** The partition that was chosen in the list of partitions. */
    refresh() {
      if (context.partition !== undefined) {
        partition.value = context.partition;
        context.partition = undefined;
        return read().catch(failure => box.show(failure));
      }
      return null;
    },
    end: () => searching?.abort(),
  };
}

function half(element) {
  element.classList.add("half");
  return element;
}

function matches(message, wanted) {
  const value = typeof message.value === "string" ? message.value : "";
  return value.toLowerCase().includes(wanted) || (message.key ?? "").toLowerCase().includes(wanted);
}
