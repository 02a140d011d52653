import { isIP } from "node:net";

// Decision: who is sent to is chosen by others, so a host may answer slowly on purpose. It must not take the places of all others. So a
// host has a few places, and more once it answers quickly; a request that finds none is told when to come back, and waits nowhere
// meanwhile. Hosts are counted by site and by network, because one server can have any number of names.

/** The places of a host that is not known to answer quickly, and the most of one that does. */
const FEW = 3;
const MANY = 15;
/** An answer within this time is quick. */
const QUICK_MS = 1_000;
/** What a request is expected to take before there was one. */
const USUAL_MS = 100;
const WAIT_MIN_MS = 100;
const WAIT_MAX_MS = 60_000;
/** How many hosts are remembered while nothing is sent to them. */
const REMEMBERED_MAX = 1_000;

type Host = {
  active: number;
  places: number;
  /** How long its last request took. */
  tookMs: number;
  /** When the next request that finds no place may come back, so that they do not all come at once. */
  nextAtMs: number;
};

/** All places of a host are taken. */
export class HostBusy extends Error {
  override readonly name = "HostBusy";
  /** The time after which the request may be tried again. */
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("Too many requests to this host are under way.");
    this.waitMs = waitMs;
  }
}

/** One request. It may take a place for each of its keys, and leaves all of them when it ends. */
export type Visit = {
  /** @throws HostBusy if there is no place. */
  enter: (key: string) => void;
  /** @param answered whether the host has answered; null if it was not asked. */
  leave: (answered: boolean | null) => void;
};

/** Limits how many requests are under way for a host at a time. */
export type HostPlaces = { visit: () => Visit };

export function createHostPlaces(): HostPlaces {
  const hosts = new Map<string, Host>();
  const enter = (key: string): Host => {
    const host = hosts.get(key) ?? { active: 0, places: FEW, tookMs: USUAL_MS, nextAtMs: 0 };
    if (host.active >= host.places) throw new HostBusy(waitFor(host));
    host.active += 1;
    hosts.set(key, host);
    return host;
  };
  const forget = (key: string, host: Host) => {
    if (host.active === 0 && hosts.size > REMEMBERED_MAX) hosts.delete(key);
  };
  return {
    visit: () => {
      const entered = new Map<string, Host>();
      const startMs = performance.now();
      let isOver = false;
      return {
        enter: (key) => {
          // A name may be looked up after the request has given up.
          if (!isOver && !entered.has(key)) entered.set(key, enter(key));
        },
        leave: (answered) => {
          isOver = true;
          for (const [key, host] of entered) {
            host.active -= 1;
            if (answered !== null) judge(host, answered, performance.now() - startMs);
            forget(key, host);
          }
        },
      };
    },
  };
}

function judge(host: Host, answered: boolean, tookMs: number): void {
  host.tookMs = tookMs;
  host.places = answered && tookMs < QUICK_MS ? Math.min(host.places + 1, MANY) : FEW;
}

/** The requests that wait come back as fast as the host has lately let them through. */
function waitFor(host: Host): number {
  const nowMs = performance.now();
  const nextAtMs = Math.max(host.nextAtMs, nowMs) + host.tookMs / host.places;
  host.nextAtMs = Math.min(nextAtMs, nowMs + WAIT_MAX_MS);
  return Math.max(WAIT_MIN_MS, Math.ceil(host.nextAtMs - nowMs));
}

/** What the names of one server most often have in common: the last two labels. Example: `example.com` of `a.b.example.com`. */
export function siteOf({ host, hostname }: URL): string {
  const name = hostname.replace(/\.$/, "");
  return isIP(name.replaceAll(/[[\]]/g, "")) === 0 && name.includes(".")
    ? name.split(".").slice(-2).join(".")
    : host;
}
