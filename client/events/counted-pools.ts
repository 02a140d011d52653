import type { Side } from "#db/lists/spots.ts";
import { CENTS_PER_DOLLAR } from "#src/http/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { isOfRound, type KnownCall } from "./known-calls.ts";

// Decision: an answer about an own call, or the message about it, comes before the pool that has it: by seconds in a crowd, and by the
// device's stream delay. What a call could pay is computed from both. So the page keeps each pool as the server has counted it, with
// the time, and shows it with what the player has placed and taken back since: own wagers are in a pool that is shown, and only once.

/** The pool of an event as the server has counted it, and the server's time of that, or a little before it. */
export type CountedPool = Pick<EventView, "pool" | "callsCount"> & { at: string };
/** By event id. */
export type CountedPools = Readonly<Record<number, CountedPool>>;

/** The pool that an event came with. A snapshot also has the viewer's calls, and its pool contains them. */
export function countedIn({ pool, callsCount, myCalls }: EventView, asOf: string): CountedPool {
  const at = myCalls.reduce((latest, { placedAt }) => (isBefore(latest, placedAt) ? placedAt : latest), asOf);
  return { pool, callsCount, at };
}

/** The pools with those of a snapshot, except where a later one is known. */
export function withLoadedPools(
  known: CountedPools,
  events: readonly EventView[],
  asOf: string,
): CountedPools {
  const loaded = events.map((event) => {
    const before = known[event.id];
    const now = countedIn(event, asOf);
    return [event.id, before !== undefined && isBefore(now.at, before.at) ? before : now] as const;
  });
  return { ...known, ...Object.fromEntries(loaded) };
}

/** The event with its pool as it is with the viewer's own calls of this moment. */
export function withOwnWagers(
  event: EventView,
  counted: CountedPool | undefined,
  known: readonly KnownCall[],
): EventView {
  if (counted === undefined) return event;
  const own = known.filter(({ call }) => call.eventId === event.id && isOfRound(call, event));
  const { pool } = counted;
  const withOwn = (count: number, weigh: (call: CallView) => number) =>
    Math.max(
      own.reduce((sum, each) => sum + missingTimes(each, counted) * weigh(each.call), count),
      // A pool that was read while a call was being committed has a later time than the call, and yet lacks it until the next one.
      event.myCalls.reduce((sum, call) => sum + weigh(call), 0),
    );
  const on = (side: Side) => (call: CallView) => (call.side === side ? call.wagerCents : 0);
  return {
    ...event,
    pool: poolOf(withOwn(pool.trueCents, on("true")), withOwn(pool.falseCents, on("false"))),
    callsCount: withOwn(counted.callsCount, () => 1),
  };
}

/** How often a call is to be added to a pool: 1 if it was placed after the count, -1 if it was taken back after it. */
function missingTimes({ call, asOf }: KnownCall, { at }: CountedPool): number {
  const isCounted = !isBefore(at, call.placedAt);
  if (call.state !== "soft_destroyed") return isCounted ? 0 : 1;
  return isCounted && isBefore(at, asOf) ? -1 : 0;
}

function poolOf(trueCents: number, falseCents: number): EventView["pool"] {
  const totalCents = trueCents + falseCents;
  return {
    true: trueCents / CENTS_PER_DOLLAR,
    trueCents,
    false: falseCents / CENTS_PER_DOLLAR,
    falseCents,
    total: totalCents / CENTS_PER_DOLLAR,
    totalCents,
  };
}

function isBefore(moment: string, other: string): boolean {
  return Date.parse(moment) < Date.parse(other);
}
