import { get, key as signedIn, send, url } from "../api.js";
import { dialog, field, fill, h, say, table } from "../dom.js";
import { dateTime, none } from "../format.js";
import { action, problemBox } from "../problem.js";

const PAGE = 100;

const ALL = 5;

function may(key) {
  if (key.admin && key.permissions?.length === ALL) {
    return "everything (administrator)";
  }
  const permissions = key.permissions?.length === ALL ? "all that its owner may" : key.permissions?.join(", ") ?? none;
  return key.admin ? `${permissions} (administrator)` : permissions;
}

/** The keys of the cluster and of this host, for administrators. */
export function keysPage() {
  const box = problemBox();
  const made = h("div", { role: "status" });
  const list = table("Keys", ["Key id", "State", "Owner", "May", "Topics", "Kept by", "Expires", "Last used here", ""]);
  const where = h("span.where");
  const previous = h("button", { type: "button", onclick: () => turn(false) }, "Previous");
  const next = h("button", { type: "button", onclick: () => turn(true) }, "Next");
  let starts = [null];
  let following = null;
  let shown = "";

  function turn(forward) {
    forward ? starts.push(following) : starts.pop();
    refresh();
  }

  async function refresh() {
    try {
      const page = await get(url("/v1/keys", { limit: PAGE, after: starts.at(-1) }));
      box.show(null);
      following = page.next ?? null;
      previous.disabled = starts.length === 1;
      next.disabled = following === null;
      say(where, `Page ${starts.length}`);
      const now = JSON.stringify(page);
      if (now !== shown) {
        shown = now;
        list.rows(page.keys.map(row), "There are no keys.");
      }
    } catch (failure) {
      box.show(failure);
    }
  }

  function row(its) {
    const ended = its.expiresAtMs !== undefined && its.expiresAtMs < Date.now();
    const [state, look] = its.problem ? ["unreadable", "bad"] : its.disabled ? ["disabled", "bad"] : ended ? ["expired", "busy"] : ["valid", "good"];
    const mine = signedIn()?.id === its.id;
    return h("tr", null,
      h("th.mono", { scope: "row" }, its.id, mine ? h("span.tag", null, "yours") : null),
      h("td", { title: its.problem ?? its.description }, h(`span.state.${look}`, null, state)),
      h("td", null, its.owner ?? none, its.organization ? ` of ${its.organization}` : null),
      h("td.may", null, may(its)),
      h("td.mono", null, its.topics?.join(", ") ?? "*"), h("td", null, its.source === "file" ? "key file" : "cluster"),
      h("td", null, its.expiresAtMs === undefined ? "never" : dateTime(its.expiresAtMs)), h("td", null, dateTime(its.lastUsedAtMs)),
      h("td.act", null, its.source === "file" ? null : h("button" + (its.disabled ? "" : ".danger"), {
        type: "button", "aria-label": `${its.disabled ? "Enable" : "Disable"} the key ${its.id}`, onclick: () => change(its, mine),
      }, its.disabled ? "Enable" : "Disable")));
  }

  async function change(its, mine) {
    const done = await dialog(`${its.disabled ? "Enable" : "Disable"} the key ${its.id}?`, close => {
      const problems = problemBox();
      return h("form", { onsubmit: action(problems, async () => {
        await send("PATCH", `/v1/keys/${encodeURIComponent(its.id)}`, { disabled: !its.disabled });
        close(true);
      }) },
      h("p", null, its.disabled ? "Requests with this key are accepted again, at all hosts within seconds."
        : "Requests with this key are refused, at all hosts within seconds. It can be enabled again."),
      mine && !its.disabled ? h("p", null, h("b", null, "You are signed in with this key: you will be refused, too.")) : null,
      problems.element,
      h("div.buttons", null, h("button", { type: "button", onclick: () => close() }, "Cancel"),
        h(its.disabled ? "button.primary" : "button.danger", { type: "submit" }, its.disabled ? "Enable" : "Disable")));
    });
    if (done) {
      await refresh();
    }
  }

  async function create() {
    const created = await dialog("Create a key", close => {
      const problems = problemBox();
      const owner = h("input", { maxlength: 128, spellcheck: "false", autocapitalize: "off" });
      const organization = h("input", { maxlength: 128, spellcheck: "false", autocapitalize: "off" });
      const role = h("select", null, [["full", "All that the owner may"], ["reader", "Reader: get, describe"], ["writer", "Writer: put, describe"],
        ["reader,writer", "Reader and writer"], ["admin", "Administrator"]].map(([value, text]) => h("option", { value }, text)));
      const topics = h("input", { spellcheck: "false", autocapitalize: "off", placeholder: "orders-*, payments" });
      const days = h("input", { type: "number", min: 1 });
      const description = h("input", { maxlength: 256 });
      const text = input => (input.value.trim() === "" ? undefined : input.value.trim());
      return h("form", { onsubmit: action(problems, async () => {
        const patterns = topics.value.split(/[\s,]+/).filter(Boolean);
        close(await send("POST", "/v1/keys", {
          owner: text(owner),
          organization: text(organization),
          ...(role.value === "admin" ? { admin: true } : role.value === "full" ? {} : { role: role.value }),
          ...(patterns.length > 0 ? { topics: patterns } : {}),
          ...(days.value === "" ? {} : { expiresAtMs: Date.now() + Number(days.value) * 86_400_000 }),
          description: text(description),
        }));
      }) },
      field("Owner", owner, "The principal that uses the key; named after the key if left out."),
      field("Organization", organization), field("May", role), field("Only topics (patterns)", topics),
      field("Ends after days", days), field("Description", description), problems.element,
      h("div.buttons", null, h("button", { type: "button", onclick: () => close() }, "Cancel"), h("button.primary", { type: "submit" }, "Create")));
    });
    if (created) {
      fill(made, h("div.card", null, h("h2", null, "The new key"),
        h("p", null, "This is the only time that the secret is shown. Copy both now."),
        h("code.secret", null, `${created.id}:${created.secret}`),
        h("button", { type: "button", onclick: () => fill(made) }, "Copied; hide it")));
      await refresh();
    }
  }

  return {
    title: "Keys",
    element: h("div", null,
      h("div.head", null, h("h1", null, "Keys"), h("button.primary", { type: "button", onclick: create }, "Create a key")),
      made, box.element,
      h("section.card", null, h("div.tools", null, h("div.pager", null, where, previous, next)), list.element)),
    refresh,
    every: 10_000,
  };
}
