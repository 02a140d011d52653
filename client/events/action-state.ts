import type { Side } from "#db/lists/spots.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import type { TeamView } from "#src/play/teams/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { LiveChange } from "../sessions/use-live-session.ts";
import { isOfRound, type KnownCall, withKnownCall, withLoadedCalls, withOwnCalls } from "./known-calls.ts";

const SHARES_MAX = 60;
const FEED_MAX = 12;

/** A call of another player, for the feed: "mira_k called True $10". */
export type FeedEntry = {
  id: number;
  eventId: number;
  username: string;
  /** Of the side. It stays when the event leaves the show. */
  label: string;
  wagerCents: number;
};

type PoolDetail = Extract<SessionMessage, { sourceType: "Spot" }>["detail"];

/** An event that the host has just taken out of the show, and when. It is in no list any more. */
export type Withdrawn = { event: EventView; at: string; cause: "skip" | "reset" };

export type ActionState = {
  session: SessionView;
  /** The live session, if it is another one. */
  nextSession: { slug: string; name: string } | null;
  events: readonly EventView[];
  /**
   * The viewer's calls in this session, from which `myCalls` of the events is filled. A message about a call may come before
   * the one about its event: the two streams catch up independently.
   */
  ownCalls: readonly KnownCall[];
  /** From which and from the viewer's calls `pool` and `callsCount` of the events are made. */
  pools: CountedPools;
  leaders: readonly ScoreView[];
  me: ScoreView | null;
  /** The server's time from which on `me` is known to be so. */
  meAsOf: string;
  playersCount: number;
  /** The teams as the last message about the leaders had them; undefined before, and in a session without teams. */
  teams?: readonly TeamView[] | undefined;
  playersOnline: number;
  feed: readonly FeedEntry[];
  /** History of the pool since this page was opened, by event id: True's share of the pool, 0 to 1. */
  shares: Readonly<Record<number, readonly number[]>>;
  /** Ids of events whose result was corrected while this page was open. */
  corrected: readonly number[];
  /** The last event that was skipped or reset while this device looked; null for none. */
  withdrawn: Withdrawn | null;
  /** The server's time of the newest message or snapshot. */
  asOf: string;
};

/** What a page load or a refetch returns. It contains the viewer's own calls, which messages do not. */
export type ActionSnapshot = Omit<
  ActionState,
  "feed" | "shares" | "playersOnline" | "corrected" | "ownCalls" | "pools" | "withdrawn" | "meAsOf"
>;

/** What this screen's reducer takes besides snapshots and messages. */
export type OwnActionChange =
  | ({ kind: "call" } & KnownCall)
  /** A viewer who is signed out may not watch it any more: what everybody still reads of it. */
  | { kind: "unwatched"; session: SessionView }
  | { kind: "me"; me: ScoreView | null }
  /** What this device has seen go before the page was loaded, with the viewer's calls on it. */
  | { kind: "withdrawn"; withdrawn: Withdrawn; ownCalls: readonly KnownCall[] };
export type ActionChange = LiveChange<ActionSnapshot> | OwnActionChange;

export function initialActionState(snapshot: ActionSnapshot): ActionState {
  return {
    ...snapshot,
    ownCalls: withLoadedCalls([], callsIn(snapshot), snapshot.asOf),
    pools: withLoadedPools({}, snapshot.events, snapshot.asOf),
    meAsOf: snapshot.asOf,
    playersOnline: snapshot.session.playersOnline,
    feed: [],
    shares: {},
    corrected: [],
    withdrawn: null,
  };
}

/**
 * The state after a change. Of two versions of an event or a session the higher one is kept, and of a call the later state. The
 * same change again changes nothing.
 */
export function reduceActionState(state: ActionState, change: ActionChange): ActionState {
  const next = applyChange(state, change);
  const { events, ownCalls, pools } = next;
  if (events === state.events && ownCalls === state.ownCalls && pools === state.pools) return next;
  return {
    ...next,
    events: events.map((event) => withOwnWagers(withOwnCalls(event, ownCalls), pools[event.id], ownCalls)),
  };
}

function applyChange(state: ActionState, change: ActionChange): ActionState {
  switch (change.kind) {
    case "snapshot":
      return mergeSnapshot(state, change.snapshot);
    case "call":
      return change.call.sessionId === state.session.id
        ? { ...state, ownCalls: withKnownCall(state.ownCalls, { call: change.call, asOf: change.asOf }) }
        : state;
    case "me":
      return { ...state, me: change.me, meAsOf: state.asOf };
    case "unwatched":
      return { ...state, session: change.session };
    case "withdrawn":
      return {
        ...state,
        ownCalls: change.ownCalls.reduce(withKnownCall, state.ownCalls),
        withdrawn: change.withdrawn,
      };
    case "message":
      // For hosts, and outside of the stream: it says nothing about what this page knows.
      if (change.message.sourceType === "Host") return state;
      return { ...applyMessage(state, change.message), asOf: change.message.detail.serverTime };
  }
}

/**
 * Messages and answers may arrive while a snapshot is being fetched. What is newer than the snapshot is kept: higher
 * versions, events that were published since, calls that were placed or changed since.
 */
function mergeSnapshot(state: ActionState, snapshot: ActionSnapshot): ActionState {
  if (state.session.id !== snapshot.session.id) return initialActionState(snapshot);
  const loaded = new Map(snapshot.events.map((event) => [event.id, event]));
  const since = state.events.filter(
    ({ id, updatedAt }) => !loaded.has(id) && isBefore(snapshot.asOf, updatedAt),
  );
  const known = new Map(state.events.map((event) => [event.id, event]));
  const events = snapshot.events.map((event) => newerOf(known.get(event.id), event));
  // Its message was missed, or this page gets none.
  const gone = state.events.find(
    ({ id, state: was, updatedAt }) =>
      (was === "open" || was === "closed") && !loaded.has(id) && !isBefore(snapshot.asOf, updatedAt),
  );
  return {
    ...state,
    ...snapshot,
    session: snapshot.session.version >= state.session.version ? snapshot.session : state.session,
    events: [...events, ...since].toSorted(byPosition),
    ownCalls: withLoadedCalls(state.ownCalls, callsIn(snapshot), snapshot.asOf),
    pools: withLoadedPools(state.pools, snapshot.events, snapshot.asOf),
    meAsOf: snapshot.asOf,
    playersOnline: snapshot.session.playersOnline,
    withdrawn: gone === undefined ? state.withdrawn : { event: gone, at: snapshot.asOf, cause: "skip" },
    corrected: [
      ...state.corrected,
      ...events.filter((event) => isCorrection(known.get(event.id), event)).map(({ id }) => id),
    ],
    asOf: isBefore(snapshot.asOf, state.asOf) ? state.asOf : snapshot.asOf,
  };
}

function newerOf(known: EventView | undefined, loaded: EventView): EventView {
  return known !== undefined && known.version > loaded.version ? known : loaded;
}

function callsIn({ events }: ActionSnapshot): CallView[] {
  return events.flatMap(({ myCalls }) => myCalls);
}

/** True where a result replaced another one. */
function isCorrection(before: EventView | undefined, after: EventView): boolean {
  if (before?.state !== "resolved" || after.state !== "resolved") return false;
  return before.result !== after.result || before.voided !== after.voided;
}

function applyMessage(
  state: ActionState,
  message: Exclude<SessionMessage, { sourceType: "Host" }>,
): ActionState {
  switch (message.sourceType) {
    case "Event":
      return applyEvent(state, message.detail);
    case "Session": {
      // The page fetches the session again, and gets 404.
      if (message.eventType === "destroy") return state;
      const { session, namesChanged } = message.detail;
      if (session.version < state.session.version) return state;
      return {
        ...state,
        feed: namesChanged ? [] : state.feed,
        session: { ...session, registered: state.session.registered },
      };
    }
    case "Spot":
      return applyPool(state, message.detail);
    case "Score":
      return applyLeaders(state, message.detail);
    case "Presence":
      return { ...state, playersOnline: message.detail.playersOnline };
    case "Reaction":
    case "Message":
    // And what a newer release sends.
    default:
      return state;
  }
}

type Leaders = Extract<SessionMessage, { sourceType: "Score" }>["detail"];

function applyLeaders(state: ActionState, { leaders, totalCount, teams, serverTime }: Leaders): ActionState {
  const known = { ...state, leaders, playersCount: totalCount, teams };
  const me = leaders.find((score) => score.userId === state.me?.userId);
  return me === undefined ? known : { ...known, me, meAsOf: serverTime };
}

function applyPool(state: ActionState, detail: PoolDetail): ActionState {
  const { eventId, pool, callsCount, serverTime: at } = detail;
  const { events } = state;
  const before = state.pools[eventId];
  const isOpen = events.some(({ id, state: now }) => id === eventId && now === "open");
  const pools = isOpen ? { ...state.pools, [eventId]: { pool, callsCount, at } } : state.pools;
  const known = state.shares[eventId] ?? [];
  const shares = pool.total > 0 ? [...known, pool.true / pool.total].slice(-SHARES_MAX) : known;
  // Somebody has taken a call back, and the message does not say which: none of the event is told any more.
  const isFewer = before !== undefined && callsCount < before.callsCount;
  const told = isFewer ? state.feed.filter((entry) => entry.eventId !== eventId) : state.feed;
  const feed = withNewest(told, events, detail);
  return { ...state, pools, feed, shares: { ...state.shares, [eventId]: shares } };
}

/** Inserts, replaces or removes an event. Messages carry no calls of the viewer: the known ones are filled in. */
function applyEvent(
  state: ActionState,
  { event, serverTime }: { event: EventView; serverTime: string },
): ActionState {
  const known = state.events.find(({ id }) => id === event.id);
  if (known !== undefined && known.version > event.version) return state;
  // That all are paid may be heard before the own payment.
  const payoutTerms = known?.version === event.version ? known.payoutTerms : event.payoutTerms;
  const others = state.events.filter(({ id }) => id !== event.id);
  if (unlistedStates.includes(event.state)) {
    return { ...state, events: others, withdrawn: withdrawnBy(event, known) ?? state.withdrawn };
  }
  return {
    ...state,
    events: [...others, { ...event, payoutTerms }].toSorted(byPosition),
    pools: { ...state.pools, [event.id]: countedIn(event, serverTime) },
    corrected: isCorrection(known, event) ? [...state.corrected, event.id] : state.corrected,
  };
}

/** What was still to be called or decided, and is gone: the message has no texts any more. */
function withdrawnBy({ state, updatedAt }: EventView, known: EventView | undefined): Withdrawn | null {
  const cause = state === "hidden" ? "skip" : "reset";
  const isDecided = known?.state === "resolved" && cause === "skip";
  return known === undefined || isDecided ? null : { event: known, at: updatedAt, cause };
}

const unlistedStates: readonly EventView["state"][] = ["draft", "hidden", "soft_destroyed"];

function byPosition(one: EventView, other: EventView): number {
  return one.position - other.position || one.id - other.id;
}

// Decision: an answer about an own call, or the message about it, comes before the pool that has it: by seconds in a crowd, and by the
// device's stream delay. What a call could pay is computed from both. So the page keeps each pool as the server has counted it, with
// the time, and shows it with what the player has placed and taken back since: own wagers are in a pool that is shown, and only once.

/** The pool of an event as the server has counted it, and the server's time of that, or a little before it. */
type CountedPool = Pick<EventView, "pool" | "callsCount"> & { at: string };

/** By event id. */
type CountedPools = Readonly<Record<number, CountedPool>>;

/** The pool that an event came with. A snapshot also has the viewer's calls, and its pool contains them. */
function countedIn({ pool, callsCount, myCalls }: EventView, asOf: string): CountedPool {
  const at = myCalls.reduce((latest, { placedAt }) => (isBefore(latest, placedAt) ? placedAt : latest), asOf);
  return { pool, callsCount, at };
}

/** The pools with those of a snapshot, except where a later one is known. */
function withLoadedPools(known: CountedPools, events: readonly EventView[], asOf: string): CountedPools {
  const loaded = events.map((event) => {
    const before = known[event.id];
    const now = countedIn(event, asOf);
    return [event.id, before !== undefined && isBefore(now.at, before.at) ? before : now] as const;
  });
  return { ...known, ...Object.fromEntries(loaded) };
}

/** The event with its pool as it is with the viewer's own calls of this moment. */
function withOwnWagers(
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

function isBefore(moment: string, other: string): boolean {
  return Date.parse(moment) < Date.parse(other);
}

/** The feed with the newest calls at its end. */
function withNewest(
  feed: readonly FeedEntry[],
  events: readonly EventView[],
  { eventId, latest }: PoolDetail,
): readonly FeedEntry[] {
  const lastId = feed.at(-1)?.id ?? 0;
  const spots = events.find(({ id }) => id === eventId)?.spots ?? [];
  const entries = latest.map(({ side, ...call }, index) => ({
    ...call,
    id: lastId + index + 1,
    eventId,
    label: spots.find((spot) => spot.side === side)?.label ?? side,
  }));
  return [...feed, ...entries].slice(-FEED_MAX);
}
