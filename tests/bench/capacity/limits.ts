import type { Assumptions } from "./assumptions.ts";
import type { Load, Traffic } from "./load.ts";
import type { Units } from "./units.ts";

/** All processes together tell so many settled calls a second; see src/relay/slice-limiter.ts. */
const SETTLED_MESSAGES_PER_SECOND = 5_000;

/** Something that can be the first to break. `use`: of what it can do, at the peak; 1 is all of it. */
export type Limit = { name: string; use: number; cure: string };

type Planned = { players: number; load: Load; traffic: Traffic; connections: number };

/** All that grows with the players and cannot be solved by one more machine of its kind. */
export function limitsOf(
  { players, load, traffic, connections }: Planned,
  units: Units,
  assumed: Assumptions,
): Limit[] {
  const { utilisation, cores, diskMbPerSecond, paidWithinSeconds, liveShare, callsPerEvent } = assumed;
  const busiest = units.call.curve.at(-1)?.cpu.postgres ?? 0;
  const callsOfEvent = players * liveShare * callsPerEvent;
  return [
    {
      name: "Postgres: its cores",
      use: load.cores.postgres / (cores * utilisation),
      cure: "a larger machine, reads from a replica; then shards",
    },
    {
      name: "Postgres: its log",
      use: load.walBytes / (diskMbPerSecond * 1e6 * utilisation),
      cure: "a faster disk; then shards",
    },
    {
      name: "Postgres: its connections",
      use: connections / assumed.databaseConnections,
      cure: "a higher max_connections; then a PgBouncer",
    },
    {
      name: "one event: its calls are placed in turn",
      use: (traffic.calls * busiest) / 1e6 / utilisation,
      cure: "the counts of an event in several rows",
    },
    {
      name: "the relay: one works at a time",
      use: load.cores.relay / utilisation,
      cure: "a relay for each session or each part of the players",
    },
    {
      name: "results: 5,000 players a second are notified",
      use: callsOfEvent / SETTLED_MESSAGES_PER_SECOND / paidWithinSeconds,
      cure: "larger slices (src/relay/slice-limiter.ts)",
    },
    {
      name: "an event is paid by one worker",
      use: (callsOfEvent * (units.settled.cpu.postgres + units.settled.cpu.worker)) / 1e6 / paidWithinSeconds,
      cure: "parts of one event in several workers",
    },
    {
      name: "Redis: its one core",
      use: load.cores.redis / utilisation,
      cure: "Redis Cluster",
    },
  ];
}
