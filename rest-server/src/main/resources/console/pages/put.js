import { randomId, send } from "../api.js";
import { field, fill, h } from "../dom.js";
import { count } from "../format.js";
import { action, problemBox } from "../problem.js";

const KINDS = [["text", "Text"], ["json", "JSON"], ["base64", "Bytes (Base64)"]];

/** Puts a test message. */
export function putTab(context) {
  const box = problemBox();
  const value = h("textarea", { rows: 8, required: true, spellcheck: "false" });
  const kind = h("select", null, KINDS.map(([name, text]) => h("option", { value: name }, text)));
  const key = h("input", { maxlength: 256, spellcheck: "false", autocapitalize: "off" });
  const partition = h("input", { type: "number", min: 0, placeholder: "any" });
  const done = h("div", { role: "status" });
  // The same as long as the message is: a put that is repeated after a failure is stored once.
  let id = randomId();
  const form = h("form", {
    oninput: () => {
      id = randomId();
    },
    onsubmit: action(box, put),
  },
  h("div.tools", null, field("Value is", kind), field("Key", key), field("Partition", partition)),
  field("Value", value, "The message is stored in the topic like any other."),
  box.element, done,
  h("div.buttons", null, h("button.primary", { type: "submit" }, "Put the message")));

  function message() {
    const its = key.value === "" ? {} : { key: key.value };
    switch (kind.value) {
      case "json":
        return { ...its, value: JSON.parse(value.value) };
      case "base64":
        return { ...its, valueBase64: value.value.replace(/\s/g, "") };
      default:
        return { ...its, value: value.value };
    }
  }

  async function put() {
    fill(done);
    const path = partition.value === "" ? `${context.path}/messages` : `${context.path}/partitions/${Number(partition.value)}/messages`;
    const answer = await send("POST", path, { messages: [message()] }, { "Idempotency-Key": id });
    const stored = answer.results?.[0]?.stored ?? answer;
    id = randomId();
    fill(done, h("p.done", null,
      `Stored in partition ${stored.partition} at offset ${count(stored.firstOffset)}, on ${stored.durability}${stored.repeat ? " (by an earlier attempt)" : ""}. `,
      h("a", { href: `#/topics/${context.name}/messages`, onclick: () => {
        context.partition = stored.partition;
      } }, "Read the newest messages of that partition")));
  }

  return { element: h("section.card", null, form) };
}
