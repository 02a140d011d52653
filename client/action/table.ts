import type { CallView } from "#src/calls/schemas.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { ScoreView } from "#src/leaderboard/schemas.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";

const FEED_MAX = 12;
const SHARES_MAX = 60;

/** A line of what others do: "mira_k called True $10". */
export type FeedLine = {
  id: number;
  eventId: number;
  username: string;
  side: "true" | "false";
  /** Dollars. */
  wager: number;
};

/** All that the Action screen shows of a session, as far as this page knows. */
export type Table = {
  session: SessionView;
  /** The session that is live now, where it is another one. */
  next: { slug: string; name: string } | null;
  events: readonly EventView[];
  leaders: readonly ScoreView[];
  me: ScoreView | null;
  playersCount: number;
  playersOnline: number;
  feed: readonly FeedLine[];
  /** How the pool leaned since this page was opened, by event: shares of True from 0 to 1. */
  shares: Readonly<Record<number, readonly number[]>>;
  /** Ids of events whose result was changed under the eyes of this page. */
  corrected: readonly number[];
  /** The server's moment of the newest thing heard. */
  heardAt: string;
};

/** What a page load or a reload knows; it holds the viewer's own calls, which messages do not. */
export type Snapshot = Omit<Table, "feed" | "shares" | "playersOnline" | "corrected">;

export type TableChange =
  | { kind: "snapshot"; snapshot: Snapshot }
  | { kind: "message"; message: SessionMessage }
  | { kind: "call"; call: CallView }
  | { kind: "over" }
  | { kind: "me"; me: ScoreView | null };

export function layTable(snapshot: Snapshot): Table {
  return { ...snapshot, playersOnline: snapshot.session.playersOnline, feed: [], shares: {}, corrected: [] };
}

/** The table after something was heard. Of two states of one thing the one with the higher version stays. */
export function changeTable(table: Table, change: TableChange): Table {
  switch (change.kind) {
    case "snapshot":
      return takeSnapshot(table, change.snapshot);
    case "call":
      return { ...table, events: table.events.map((event) => withCall(event, change.call)) };
    case "me":
      return { ...table, me: change.me };
    case "over":
      return { ...table, session: { ...table.session, state: "stopped" } };
    case "message":
      return { ...hear(table, change.message), heardAt: change.message.detail.serverTime };
  }
}

/**
 * A snapshot was looked up while messages and answers went on arriving, so what is known from after that look stays:
 * newer states, events published since, calls placed or moved on since.
 */
function takeSnapshot(table: Table, snapshot: Snapshot): Table {
  if (table.session.id !== snapshot.session.id) return layTable(snapshot);
  const seen = new Map(snapshot.events.map((event) => [event.id, event]));
  const since = table.events.filter(
    ({ id, updatedAt }) => !seen.has(id) && isAfter(updatedAt, snapshot.heardAt),
  );
  const known = new Map(table.events.map((event) => [event.id, event]));
  const events = snapshot.events.map((event) => mergeEvent(known.get(event.id), event, snapshot.heardAt));
  return {
    ...table,
    ...snapshot,
    session: snapshot.session.version >= table.session.version ? snapshot.session : table.session,
    events: [...events, ...since].toSorted(byPosition),
    playersOnline: snapshot.session.playersOnline,
    corrected: [
      ...table.corrected,
      ...events.filter((event) => isCorrection(known.get(event.id), event)).map(idOf),
    ],
    heardAt: isAfter(table.heardAt, snapshot.heardAt) ? table.heardAt : snapshot.heardAt,
  };
}

function mergeEvent(ours: EventView | undefined, theirs: EventView, lookedAt: string): EventView {
  if (ours === undefined) return theirs;
  const placedSince = ours.myCalls.filter(
    (call) => isAfter(call.placedAt, lookedAt) && !theirs.myCalls.some(({ id }) => id === call.id),
  );
  const myCalls = theirs.myCalls.map((call) => {
    const known = ours.myCalls.find(({ id }) => id === call.id);
    return known !== undefined && stage(known) > stage(call) ? known : call;
  });
  const newest = ours.version > theirs.version ? ours : theirs;
  return { ...newest, myCalls: [...myCalls, ...placedSince].toSorted(byId) };
}

/** A result took the place of another one. */
function isCorrection(before: EventView | undefined, after: EventView): boolean {
  if (before?.state !== "resolved" || after.state !== "resolved") return false;
  return before.result !== after.result || before.voided !== after.voided;
}

function hear(table: Table, message: SessionMessage): Table {
  switch (message.sourceType) {
    case "Event":
      return hearEvent(table, message.detail.event);
    case "Session": {
      // Whoever hears the message looks again, and finds that there is none.
      if (message.eventType === "destroy") return table;
      const { session } = message.detail;
      if (session.version < table.session.version) return table;
      return { ...table, session: { ...session, registered: table.session.registered } };
    }
    case "Spot":
      return hearPool(table, message.detail);
    case "Score": {
      const { leaders, totalCount } = message.detail;
      const me = leaders.find((score) => score.userId === table.me?.userId) ?? table.me;
      return { ...table, leaders, me, playersCount: totalCount };
    }
    case "Presence":
      return { ...table, playersOnline: message.detail.playersOnline };
    case "Message":
      return table;
  }
}

type PoolDetail = Extract<SessionMessage, { sourceType: "Spot" }>["detail"];

function hearPool(table: Table, { eventId, pool, callsCount, latest }: PoolDetail): Table {
  const events = table.events.map((event) =>
    event.id === eventId && event.state === "open" ? { ...event, pool, callsCount } : event,
  );
  const share = pool.total > 0 ? pool.true / pool.total : 0.5;
  const shares = [...(table.shares[eventId] ?? []), share].slice(-SHARES_MAX);
  const lastId = table.feed.at(-1)?.id ?? 0;
  const lines = latest.map((call, index) => ({ id: lastId + index + 1, eventId, ...call }));
  return {
    ...table,
    events,
    feed: [...table.feed, ...lines].slice(-FEED_MAX),
    shares: { ...table.shares, [eventId]: shares },
  };
}

/** Puts an event in its place. Messages carry nobody's calls, so the known ones stay. */
function hearEvent(table: Table, event: EventView): Table {
  const known = table.events.find(({ id }) => id === event.id);
  if (known !== undefined && known.version > event.version) return table;
  const others = table.events.filter(({ id }) => id !== event.id);
  if (departed.includes(event.state)) return { ...table, events: others };
  return {
    ...table,
    events: [...others, { ...event, myCalls: known?.myCalls ?? [] }].toSorted(byPosition),
    corrected: isCorrection(known, event) ? [...table.corrected, event.id] : table.corrected,
  };
}

const departed: readonly EventView["state"][] = ["draft", "hidden", "soft_destroyed"];

function withCall(event: EventView, call: CallView): EventView {
  if (event.id !== call.eventId) return event;
  const known = event.myCalls.find(({ id }) => id === call.id);
  if (known !== undefined && stage(known) > stage(call)) return event;
  const others = event.myCalls.filter(({ id }) => id !== call.id);
  return { ...event, myCalls: [...others, call].toSorted(byId) };
}

/** A call only moves on: placed, closed, and then what became of it. */
function stage({ state }: CallView): number {
  return { placed: 0, closed: 1, resolved: 2, soft_destroyed: 2 }[state];
}

function byPosition(one: EventView, other: EventView): number {
  return one.position - other.position || one.id - other.id;
}

function byId(one: { id: number }, other: { id: number }): number {
  return one.id - other.id;
}

function idOf({ id }: { id: number }): number {
  return id;
}

function isAfter(moment: string, other: string): boolean {
  return Date.parse(moment) > Date.parse(other);
}
