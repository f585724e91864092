import { ask, url } from "./api.js";
import { dialog, h } from "./dom.js";
import { base64Length, bytes, count, dateTime, decodeBase64, hex, none, time } from "./format.js";
import { problemBox } from "./problem.js";

const PREVIEW = 400;
/** What is put into the page of a text; the rest is downloaded. */
const SHOWN = 64 * 1024;
const HEX = 1024;

/**
 * What is kept of a message: its size and its beginning. The whole of it may have 10 MiB.
 *
 * @param {Object} message as the JSON interface has it
 */
export function preview(message) {
  const { value, valueBase64, ...rest } = message;
  if (valueBase64 !== undefined) {
    return { ...rest, size: base64Length(valueBase64), head: decodeBase64(valueBase64, HEX) };
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { ...rest, size: new Blob([text]).size, text: text.slice(0, SHOWN), cut: text.length > SHOWN };
}

/** A row of a table of messages. `source` is the path of the partition's messages. */
export function messageRow(message, source) {
  return h("tr", null,
    h("th.number", { scope: "row" }, count(message.offset)),
    h("td", { title: dateTime(message.appendedAtMs) }, time(message.appendedAtMs)),
    h("td.key", null, message.key === undefined ? none : message.key.slice(0, 60)),
    h("td.number", null, bytes(message.size)),
    h("td.wide", null, message.head
      ? h("code.value.bytes", null, hex(message.head, 16).slice(8))
      : h("span.value", null, message.text.slice(0, PREVIEW))),
    h("td.act", null, h("button", { type: "button", "aria-label": `Open the message at offset ${message.offset}`, onclick: () => open(message, source) }, "Open")));
}

export const MESSAGE_COLUMNS = [
  { text: "Offset", number: true }, "Appended", "Key", { text: "Size", number: true }, "Value", "",
];

function open(message, source) {
  return dialog(`Message at offset ${message.offset}`, close => {
    const box = problemBox();
    const facts = [["key", message.key], ["size", `${bytes(message.size)} (${count(message.size)} bytes)`],
      ["appended", dateTime(message.appendedAtMs)], ["created by its producer", message.createdAtMs && dateTime(message.createdAtMs)],
      ["sequence number", message.sequenceNumber]].filter(([, value]) => value);
    return h("div", null,
      h("dl.facts", null, facts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
      message.head
        ? h("pre", { tabindex: "0", "aria-label": "First bytes" }, hex(message.head))
        : h("pre.text", { tabindex: "0", "aria-label": "Value" }, message.text),
      message.head && message.size > HEX ? h("p.note", null, `The first ${bytes(HEX)} of ${bytes(message.size)}.`) : null,
      message.cut ? h("p.note", null, `The first ${count(SHOWN)} characters.`) : null,
      box.element,
      h("div.buttons", null,
        h("button", { type: "button", onclick: () => download(message, source).catch(failure => box.show(failure, true)) }, "Download"),
        h("button.primary", { type: "button", onclick: () => close() }, "Close")));
  }, true);
}

async function download(message, source) {
  const answer = await ask(url(source, { offset: message.offset, "max-messages": 1 }), { headers: { Accept: "application/octet-stream" } });
  const address = URL.createObjectURL(await answer.blob());
  h("a", { href: address, download: `message-${message.offset}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
