/** Numbers, sizes and times as text. */

const GROUPS = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
const NONE = "–";

export const none = NONE;

/** A count, with its digits in groups. */
export function count(value) {
  return value === null || value === undefined ? NONE : GROUPS.format(value);
}

/** About how many, in at most five characters: 12.3k. */
export function about(value) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return NONE;
  }
  for (const [factor, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (value >= factor) {
      return digits(value / factor) + unit;
    }
  }
  return value === 0 ? "0" : digits(value);
}

function digits(value) {
  return value >= 99.95 ? value.toFixed(0) : value.toFixed(1);
}

export function bytes(value) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return NONE;
  }
  let unit = 0;
  let amount = value;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  return unit === 0 ? `${Math.round(amount)} B` : `${digits(amount)} ${UNITS[unit]}`;
}

/** A short time, given in seconds. */
export function latency(seconds) {
  if (seconds === null || seconds === undefined) {
    return NONE;
  }
  const ms = seconds * 1000;
  if (ms === 0) {
    return "0";
  }
  if (ms < 1) {
    return `${ms.toFixed(2)} ms`;
  }
  return ms < 1000 ? `${digits(ms)} ms` : `${digits(seconds)} s`;
}

/** A long time, given in milliseconds. */
export function duration(ms) {
  for (const [length, unit] of [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"]]) {
    if (ms >= length) {
      return `${Number((ms / length).toFixed(1))} ${unit}`;
    }
  }
  return `${Math.round(ms / 1000)} s`;
}

/** A time of the day, or with the date if it is another day. */
export function time(ms) {
  if (ms === null || ms === undefined) {
    return NONE;
  }
  const at = new Date(ms);
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const today = at.toDateString() === new Date().toDateString();
  return today ? clock : `${date(at)} ${clock}`;
}

export function dateTime(ms) {
  return ms === null || ms === undefined ? NONE : `${date(new Date(ms))} ${time(ms).slice(-8)}`;
}

function date(at) {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function two(number) {
  return String(number).padStart(2, "0");
}

/** Bytes as lines of hex digits and characters, as `hexdump -C` has them. */
export function hex(data, most = 1024) {
  const lines = [];
  for (let at = 0; at < Math.min(data.length, most); at += 16) {
    const part = [...data.subarray(at, Math.min(at + 16, most))];
    const digit = part.map(one => one.toString(16).padStart(2, "0")).join(" ").padEnd(48);
    const text = part.map(one => (one >= 32 && one < 127 ? String.fromCharCode(one) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${digit} ${text}`);
  }
  return lines.join("\n");
}

/** The bytes that Base64 stands for; only the first ones, if it is long. */
export function decodeBase64(text, most = Infinity) {
  const whole = Math.min(text.length, 4 * Math.ceil(most / 3));
  return Uint8Array.from(atob(text.slice(0, whole)), one => one.charCodeAt(0));
}

/** How many bytes Base64 stands for. */
export function base64Length(text) {
  return (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}
