/** Rates and percentiles of what a host counts: each is of the time between two readings. */

/** How many points the plots have: five minutes. */
const POINTS = 150;

export const LINES = ["puts", "gets", "putP50", "putP99", "getP50", "getP99"];

/** @returns {number} the time in seconds that so many of the counted requests took at most; null if there were none */
export function quantile(buckets, share) {
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  if (total === 0) {
    return null;
  }
  let left = Math.ceil(share * total);
  for (const bucket of buckets) {
    left -= bucket.count;
    if (left <= 0) {
      return bucket.upToSeconds ?? buckets.at(-2)?.upToSeconds ?? null;
    }
  }
  return null;
}

function between(before, now) {
  const counts = new Map(before.buckets.map(bucket => [bucket.upToSeconds, bucket.count]));
  return now.buckets
    .map(bucket => ({ ...bucket, count: bucket.count - (counts.get(bucket.upToSeconds) ?? 0) }))
    .filter(bucket => bucket.count > 0);
}

function counted(reading, requestClass, wanted) {
  return reading.requests
    .filter(its => its.requestClass === requestClass && wanted(its.outcome))
    .reduce((sum, its) => sum + its.count, 0);
}

/** What two readings of the same process say; null if the process was started again between them. */
export function compare(before, now) {
  const seconds = (now.atMs - before.atMs) / 1000;
  if (seconds <= 0 || now.cpuSeconds < before.cpuSeconds || now.receivedBytes < before.receivedBytes) {
    return null;
  }
  const rate = (from, to) => (to - from) / seconds;
  const requests = requestClass =>
    rate(counted(before, requestClass, () => true), counted(now, requestClass, () => true));
  const [putsBefore, getsBefore] = before.latencies;
  const [puts, gets] = now.latencies;
  const put = between(putsBefore, puts);
  const get = between(getsBefore, gets);
  return {
    atMs: now.atMs,
    puts: requests("put"),
    gets: requests("get"),
    putP50: quantile(put, 0.5),
    putP99: quantile(put, 0.99),
    getP50: quantile(get, 0.5),
    getP99: quantile(get, 0.99),
    received: rate(before.receivedBytes, now.receivedBytes),
    sent: rate(before.sentBytes, now.sentBytes),
    cpu: rate(before.cpuSeconds, now.cpuSeconds) / now.processors,
    errors: errors(before, now, seconds),
  };
}

/** Errors by class and code, the most frequent first. */
function errors(before, now, seconds) {
  const known = new Map(before.requests.map(its => [`${its.requestClass} ${its.outcome}`, its.count]));
  return now.requests
    .filter(its => its.outcome !== "ok")
    .map(its => ({
      ...its,
      rate: (its.count - (known.get(`${its.requestClass} ${its.outcome}`) ?? 0)) / seconds,
    }))
    .sort((one, other) => other.rate - one.rate || other.count - one.count);
}

/** The figures of the last minutes. */
export class History {
  constructor() {
    this.last = null;
    this.now = null;
    this.times = [];
    this.lines = Object.fromEntries(LINES.map(line => [line, []]));
  }

  add(reading) {
    const compared = this.last && compare(this.last, reading);
    this.last = reading;
    if (!compared) {
      return;
    }
    this.now = compared;
    this.times.push(compared.atMs / 1000);
    for (const line of LINES) {
      this.lines[line].push(compared[line]);
    }
    if (this.times.length > POINTS) {
      [this.times, ...Object.values(this.lines)].forEach(values => values.shift());
    }
  }
}
