import { get, send } from "../api.js";
import { field, h, say, table } from "../dom.js";
import { action, problemBox } from "../problem.js";

const PERMISSIONS = ["put", "get", "describe"];

/** Who was granted what on a topic. */
export function permissionsTab(context) {
  const box = problemBox();
  const problems = problemBox();
  const note = h("p.note");
  const list = table(`Grants on ${context.name}`, ["Principal", "Permissions", ""]);
  const principal = h("input", { required: true, maxlength: 128, spellcheck: "false", autocapitalize: "off" });
  const checks = PERMISSIONS.map(name => h("input", { type: "checkbox", value: name, checked: name !== "put" }));
  const path = name => `${context.path}/permissions/${encodeURIComponent(name)}`;
  let shown = "";

  async function refresh() {
    try {
      const its = await get(`${context.path}/permissions?limit=200`);
      box.show(null);
      say(note, `${its.owner} owns the topic and may do everything with it.${its.next ? " The first 200 grants are shown." : ""}`);
      const now = JSON.stringify(its.grants);
      // Buttons that stay keep the focus.
      if (now === shown) {
        return;
      }
      shown = now;
      list.rows(its.grants.map(grant => h("tr", null,
        h("th", { scope: "row" }, grant.principal), h("td", null, grant.permissions.join(", ")),
        h("td.act", null, h("button.danger", { type: "button", "aria-label": `Revoke what ${grant.principal} was granted`, onclick: action(problems, async () => {
          await send("DELETE", path(grant.principal));
          await refresh();
        }) }, "Revoke")))), "Nobody else was granted anything.");
    } catch (failure) {
      box.show(failure);
    }
  }

  const form = h("form", { onsubmit: action(problems, async () => {
    await send("PUT", path(principal.value), { permissions: checks.filter(check => check.checked).map(check => check.value) });
    principal.value = "";
    await refresh();
  }) },
  h("h2", null, "Grant"),
  field("Principal", principal, "The owner of a key, or an organization. The grant takes the place of what the principal had."),
  h("fieldset.checks", null, h("legend", null, "Permissions"), PERMISSIONS.map((name, index) => h("label", null, checks[index], name))),
  problems.element,
  h("button.primary", { type: "submit" }, "Grant"));

  return {
    element: h("div.columns", null, h("section.card", null, note, box.element, list.element), h("section.card", null, form)),
    refresh,
  };
}
