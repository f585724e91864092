/**
 * Asks the JSON interface of this port. The key is kept for this tab only, and sent with each request; there are no cookies, so that
 * no other page can ask in its name.
 */

const KEY = "talos-gateway-key";

/** An answer that is a problem, or no answer. */
export class Problem extends Error {
  /** @param {{status: number, code: string, title: string, detail: string, retry: string}} json */
  constructor(json) {
    super(json.detail || json.title);
    Object.assign(this, { status: 0, code: "", title: "", detail: "", retry: "" }, json);
  }

  /** Whether nothing was heard of the host. */
  get unreachable() {
    return this.status === 0;
  }
}

const watchers = new Set();
let down = null;

/** Has `watcher` called with when the host was last heard of, or null, each time it goes or comes. */
export function onOutage(watcher) {
  watchers.add(watcher);
}

function heard(reachable) {
  const now = reachable ? null : down ?? Date.now();
  if (now !== down) {
    down = now;
    watchers.forEach(watcher => watcher(down));
  }
}

export function isDown() {
  return down !== null;
}

export function key() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
}

/** @param {{id: string, secret: string}|null} value null to forget it */
export function setKey(value) {
  if (value) {
    sessionStorage.setItem(KEY, JSON.stringify(value));
  } else {
    sessionStorage.removeItem(KEY);
  }
}

function authorization() {
  const known = key();
  if (!known) {
    return {};
  }
  const text = new TextEncoder().encode(`${known.id}:${known.secret}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...text))}` };
}

/** The answer to a request; throws a Problem if it is none. */
export async function ask(path, { method = "GET", json, headers = {}, signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: {
        ...authorization(),
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body: json === undefined ? undefined : JSON.stringify(json),
      // Else the browser asks for a name and a password by itself when a key is refused.
      credentials: "omit",
      cache: "no-store",
      signal,
    });
  } catch (failure) {
    if (failure.name === "AbortError") {
      throw failure;
    }
    heard(false);
    throw new Problem({
      code: "no-answer",
      title: "The host does not answer",
      detail: "This host does not answer. Check that it runs; nothing that you typed is lost.",
      retry: method === "GET" ? "after-backoff" : "outcome-unknown",
    });
  }
  heard(true);
  if (!answer.ok) {
    throw new Problem(await problem(answer));
  }
  return answer;
}

async function problem(answer) {
  try {
    return await answer.json();
  } catch {
    return { status: answer.status, code: `http-${answer.status}`, title: answer.statusText, detail: `The host answered ${answer.status}.` };
  }
}

export async function get(path, options) {
  return (await ask(path, options)).json();
}

export async function send(method, path, json, headers) {
  const answer = await ask(path, { method, json, headers });
  return answer.status === 204 ? null : answer.json();
}

/** A path with a query, without what is undefined, null or empty. */
export function url(path, query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      parameters.set(name, value);
    }
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}

export function topicPath(topic) {
  return `/v1/topics/${encodeURIComponent(topic)}`;
}

/** What to do after a problem. */
export function nextStep(failure) {
  switch (failure.code) {
    case "unauthenticated":
      return key() ? "Sign out, and sign in with another key." : "Check the key id and the secret.";
    case "permission-denied":
    case "topic-not-found":
      return "Use a key that may do this, or ask the owner of the topic for a permission.";
    default:
  }
  switch (failure.retry) {
    case "after-backoff":
      return "Nothing was changed. Try again shortly.";
    case "same-key":
      return "Put it again: with the same idempotency key it is stored once.";
    case "outcome-unknown":
      return "It may have been done: look before you do it again.";
    default:
      return "";
  }
}

/** A random id of 128 bits. */
export function randomId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(one => one.toString(16).padStart(2, "0")).join("");
}

/** Runs `action` for each item, a few at once, in order; ends early if `signal` is aborted. */
export async function forEachOf(items, action, signal, atOnce = 4) {
  const left = [...items];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (left.length > 0 && !signal.aborted) {
      await action(left.shift());
    }
  }));
}
