import { PROCESS_CONNECTIONS_MAX } from "#db/client.ts";
import type { Assumptions } from "./assumptions.ts";
import { type Limit, limitsOf } from "./limits.ts";
import { type Load, loadOf, type Traffic } from "./load.ts";
import type { Units } from "./units.ts";

// The model: what players do -> traffic -> load -> machines, storage, and the first limit. It is pure. Its unit costs are measured
// (`measure.ts`), and `check-model.ts` compares its load with a measured one.

const HOUR_S = 3_600;
const DAYS_PER_MONTH = 30;
const BITS_PER_BYTE = 8;
const GIB = 1_073_741_824;

/** The traffic of the busiest second: an event takes calls while the result before it is paid, and players open pages. */
export function peakTraffic(players: number, assumed: Assumptions): Traffic {
  const live = players * assumed.liveShare;
  const arriving = live / assumed.arrivalSeconds;
  const callsOfEvent = live * assumed.callsPerEvent;
  return {
    pages: Math.max(arriving, ((live * assumed.pagesPerHour) / HOUR_S) * assumed.peakFactor),
    connects: arriving,
    sockets: live,
    calls: (callsOfEvent / assumed.openSeconds) * assumed.peakFactor,
    settled: callsOfEvent / assumed.paidWithinSeconds,
    events: assumed.eventsPerHour / HOUR_S,
  };
}

/** What so many players need. */
export type Plan = {
  players: number;
  traffic: Traffic;
  load: Load;
  machines: { web: number; worker: number; postgres: number; redis: number };
  webProcesses: number;
  workerProcesses: number;
  /** To Postgres, at most: the pools of all processes. */
  connections: number;
  /** Bytes that are added in a month: to the tables, and to the log if it is archived. */
  monthly: { tableBytes: number; walBytes: number };
  /** All that grows with the players and cannot be solved by one more machine of its kind, the tightest first. */
  limits: Limit[];
};

/** What so many players need, at the peak and in a month. */
export function planFor(players: number, units: Units, assumed: Assumptions): Plan {
  const traffic = peakTraffic(players, assumed);
  const { firstVisitShare } = assumed;
  // More processes have a lower rate each, and so a higher cost: two rounds are enough.
  let webProcesses = 1;
  let load = loadOf(units, traffic, { firstVisitShare });
  for (let round = 0; round < 2; round += 1) {
    webProcesses = Math.max(1, Math.ceil(load.cores.web / assumed.utilisation));
    load = loadOf(units, traffic, { processes: webProcesses, firstVisitShare });
  }
  // A worker is one thread, beside its relay.
  const workerProcesses = Math.max(1, Math.ceil(load.cores.worker / assumed.utilisation));
  const connections = (webProcesses + workerProcesses) * PROCESS_CONNECTIONS_MAX;
  return {
    players,
    traffic,
    load,
    webProcesses,
    workerProcesses,
    connections,
    machines: machinesFor({ load, webProcesses, sockets: traffic.sockets }, units, assumed),
    monthly: monthlyOf(players, units, assumed),
    limits: limitsOf({ players, load, traffic, connections }, units, assumed).toSorted(
      (a, b) => b.use - a.use,
    ),
  };
}

function machinesFor(
  { load, webProcesses, sockets }: { load: Load; webProcesses: number; sockets: number },
  units: Units,
  { cores, memoryGb, networkGbit, utilisation }: Assumptions,
): Plan["machines"] {
  const usable = cores * utilisation;
  const machines = (need: number, each: number) => Math.max(1, Math.ceil(need / each));
  const webMemory = webProcesses * units.memory.webBytes + sockets * units.memory.socketBytes;
  return {
    web: Math.max(
      machines(load.cores.web + load.cores.relay, usable),
      machines(webMemory, memoryGb * GIB * utilisation),
      machines(load.sentBytes * BITS_PER_BYTE, networkGbit * 1e9 * utilisation),
    ),
    worker: machines(load.cores.worker, usable),
    postgres: machines(load.cores.postgres, usable),
    redis: machines(load.cores.redis, utilisation),
  };
}

function monthlyOf(players: number, units: Units, assumed: Assumptions): Plan["monthly"] {
  const hours = assumed.showHoursPerDay * DAYS_PER_MONTH;
  const events = hours * assumed.eventsPerHour;
  const calls = players * assumed.liveShare * assumed.callsPerEvent * events;
  const newPlayers = players * assumed.newPlayerShare;
  const sum = (bytes: "diskBytes" | "walBytes") =>
    calls * (units.call[bytes] + units.settled[bytes]) +
    events * units.event[bytes] +
    DAYS_PER_MONTH * (units.session[bytes] + units.idleDay[bytes]) +
    newPlayers * units.player[bytes];
  return { tableBytes: sum("diskBytes"), walBytes: sum("walBytes") };
}

/** So many players more than anybody has. */
const PLAYERS_MAX = 1e10;
const SEARCH_STEPS = 60;

/** @returns the number of players at which this limit is reached; infinite if it is beyond 10^10. */
export function playersUntil(name: string, units: Units, assumed: Assumptions): number {
  const useOf = (players: number) =>
    planFor(players, units, assumed).limits.find((limit) => limit.name === name)?.use ?? 0;
  let [low, high] = [1, PLAYERS_MAX];
  if (useOf(high) < 1) return Number.POSITIVE_INFINITY;
  for (let step = 0; step < SEARCH_STEPS; step += 1) {
    const middle = Math.sqrt(low * high);
    if (useOf(middle) < 1) low = middle;
    else high = middle;
  }
  return high;
}
