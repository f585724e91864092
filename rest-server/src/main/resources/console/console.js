import * as api from "./api.js";
import { field, fill, h, say } from "./dom.js";
import { History } from "./figures.js";
import { time } from "./format.js";
import { problemBox } from "./problem.js";
import { groupsPage } from "./pages/groups.js";
import { keysPage } from "./pages/keys.js";
import { overviewPage } from "./pages/overview.js";
import { topicPage } from "./pages/topic.js";
import { topicsPage } from "./pages/topics.js";

const SAMPLE_MS = 2000;
const PAGES = [
  { path: "", label: "Overview", page: overviewPage, admin: true },
  { path: "topics", label: "Topics", page: topicsPage },
  { path: "groups", label: "Groups", page: groupsPage },
  { path: "keys", label: "Keys", page: keysPage, admin: true },
];

const byId = id => document.getElementById(id);
const main = byId("main");

/** What all pages share. */
const app = { admin: false, history: new History(), cluster: null, clusterProblem: null, samples: new Set(), schemes: new Set() };
let shown = null;
let timer = null;

// --- The host that goes and comes ---

api.onOutage(since => {
  const outage = byId("outage");
  outage.hidden = since === null;
  if (since !== null) {
    say(outage, `This host has not answered since ${time(since)}. The console goes on trying; what is shown is from before, and what you typed is kept.`);
  }
  document.body.classList.toggle("stale", since !== null);
});

// --- Light and dark ---

const SCHEMES = ["system", "light", "dark"];

function scheme() {
  return localStorage.getItem("talos-gateway-scheme") ?? "system";
}

function applyScheme() {
  const chosen = scheme();
  if (chosen === "system") {
    delete document.documentElement.dataset.scheme;
  } else {
    document.documentElement.dataset.scheme = chosen;
  }
  const button = byId("scheme");
  say(button, { system: "Auto", light: "Light", dark: "Dark" }[chosen]);
  button.setAttribute("aria-label", `Color scheme: ${chosen}`);
  app.schemes.forEach(listener => listener());
}

byId("scheme").addEventListener("click", () => {
  localStorage.setItem("talos-gateway-scheme", SCHEMES[(SCHEMES.indexOf(scheme()) + 1) % SCHEMES.length]);
  applyScheme();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyScheme);

// --- Session ---

function signInPage(failure) {
  const box = problemBox();
  const id = h("input", { name: "id", autocomplete: "username", required: true, spellcheck: "false", autocapitalize: "off" });
  const secret = h("input", { name: "secret", type: "password", autocomplete: "current-password", required: true });
  const form = h("form.sign-in.card", { onsubmit: async event => {
    event.preventDefault();
    api.setKey({ id: id.value.trim(), secret: secret.value.trim() });
    const refused = await enter();
    if (refused) {
      api.setKey(null);
      box.show(refused, true);
    }
  } },
  h("h1", null, "Sign in"),
  h("p", null, "With the id and the secret of a key. The console keeps them in this tab only, until you close it or sign out."),
  field("Key id", id), field("Secret", secret), box.element,
  h("button.primary", { type: "submit" }, "Sign in"));
  document.title = "Sign in – Talos Gateway";
  fill(main, form);
  box.show(failure);
  id.focus();
}

/** Finds out what the key may do, and shows the page; else returns why it may nothing. */
async function enter() {
  try {
    await api.get("/v1/topics?limit=1");
  } catch (failure) {
    return failure;
  }
  await readCluster();
  app.admin = app.clusterProblem?.code !== "permission-denied";
  byId("leave").hidden = api.key() === null;
  showNav();
  sample();
  if (!app.admin && /^#?\/?$/.test(location.hash)) {
    history.replaceState(null, "", "#/topics");
  }
  route();
  return null;
}

async function begin() {
  const failure = await enter();
  if (failure?.status === 401) {
    signInPage(api.key() ? failure : null);
    return;
  }
  if (failure) {
    const box = problemBox();
    fill(main, h("h1", null, "Talos Gateway"), box.element);
    box.show(failure, true);
    setTimeout(begin, SAMPLE_MS);
  }
}

byId("leave").addEventListener("click", () => {
  api.setKey(null);
  location.hash = "#/";
  location.reload();
});

// --- Figures of the host ---

async function readCluster() {
  try {
    app.cluster = await api.get("/v1/cluster");
    app.clusterProblem = null;
    say(byId("host"), app.cluster.host);
  } catch (failure) {
    app.clusterProblem = failure;
  }
}

async function sample() {
  if (!app.admin) {
    return;
  }
  try {
    app.history.add(await api.get("/v1/host"));
    await readCluster();
  } catch (failure) {
    app.clusterProblem = failure;
  }
  app.samples.forEach(listener => listener());
  setTimeout(sample, SAMPLE_MS);
}

// --- Pages ---

function showNav() {
  const nav = byId("nav");
  nav.hidden = false;
  fill(nav, PAGES.filter(page => !page.admin || app.admin)
    .map(page => h("a", { href: `#/${page.path}` }, page.label)));
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function route() {
  const [path, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  // A page that stays when only its part changes keeps what was typed into it.
  if (shown?.moveTo?.(path, rest)) {
    return;
  }
  clearTimeout(timer);
  shown?.end?.();
  const page = PAGES.find(its => its.path === path) ?? PAGES[0];
  document.querySelectorAll("#nav a").forEach(link => {
    const here = link.getAttribute("href") === `#/${page.path}`;
    here ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  });
  shown = path === "topics" && rest.length > 0 ? topicPage(app, rest) : page.page(app, rest);
  document.title = `${shown.title} – Talos Gateway`;
  fill(main, shown.element);
  main.scrollTop = 0;
  window.scrollTo(0, 0);
  poll(shown);
}

async function poll(page) {
  try {
    await page.refresh?.();
  } finally {
    if (page === shown && page.every) {
      timer = setTimeout(() => poll(page), document.hidden ? 5 * page.every : page.every);
    }
  }
}

addEventListener("hashchange", () => {
  if (shown) {
    route();
    main.focus({ preventScroll: true });
  }
});
applyScheme();
begin();
