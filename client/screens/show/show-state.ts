import type { LiveChange } from "#client/sessions/use-live-session.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { AuditLineView, SessionView } from "#src/show/sessions/schemas.ts";

type Pool = Pick<EventView, "pool" | "callsCount">;

/** The state of the show that the viewer runs. */
export type ShowState = {
  session: SessionView;
  /** In the order of their positions. */
  events: readonly EventView[];
  /** The newest first. */
  audit: readonly AuditLineView[];
  /** The server's time at the latest fetch. */
  fetchedAt: string;
  /** Pools from messages that are newer than that fetch, by event id. */
  pools: Readonly<Record<number, Pool & { receivedAt: string }>>;
};

/** The result of one fetch. */
export type ShowSnapshot = Omit<ShowState, "pools">;

/** What the answer to an act of the viewer says of its event, before a fetch does. */
export type OwnAct = { kind: "acted"; event: EventView };

export function initialShowState(snapshot: ShowSnapshot): ShowState {
  return { ...snapshot, pools: {} };
}

/**
 * The state after a change. Calls come too often for a fetch each, so pools are taken from messages. All other changes are
 * fetched (see `needsRefetch`), and a snapshot that is older than the state changes nothing.
 */
export function reduceShowState(state: ShowState, change: LiveChange<ShowSnapshot> | OwnAct): ShowState {
  if (change.kind === "snapshot") return applySnapshot(state, change.snapshot);
  if (change.kind === "acted") return { ...state, events: withNewest(state.events, [change.event]) };
  const { message } = change;
  if (message.sourceType === "Presence") {
    return { ...state, session: { ...state.session, playersOnline: message.detail.playersOnline } };
  }
  if (message.sourceType !== "Spot") return state;
  const { eventId, pool, callsCount, serverTime } = message.detail;
  return { ...state, pools: { ...state.pools, [eventId]: { pool, callsCount, receivedAt: serverTime } } };
}

/** True for a message about more than a pool: it may change the plan of other events, the session or the audit. */
export function needsRefetch({ sourceType }: SessionMessage): boolean {
  return sourceType === "Event" || sourceType === "Session";
}

/** The events with their pools as of the newest message. */
export function eventsWithPools({ events, pools }: ShowState): EventView[] {
  return events.map((event) => {
    const newer = event.state === "open" ? pools[event.id] : undefined;
    return newer === undefined ? event : { ...event, pool: newer.pool, callsCount: newer.callsCount };
  });
}

function applySnapshot(state: ShowState, snapshot: ShowSnapshot): ShowState {
  if (state.session.id !== snapshot.session.id) return initialShowState(snapshot);
  if (Date.parse(snapshot.fetchedAt) < Date.parse(state.fetchedAt)) return state;
  const pools = Object.entries(state.pools).filter(
    ([, { receivedAt }]) => Date.parse(receivedAt) > Date.parse(snapshot.fetchedAt),
  );
  const events = withNewest(snapshot.events, state.events);
  return { ...snapshot, events, pools: Object.fromEntries(pools) };
}

/** The events, each in its newest version: a fetch that was under way may be older than what is known from an answer. */
function withNewest(events: readonly EventView[], known: readonly EventView[]): EventView[] {
  const byId = new Map(known.map((event) => [event.id, event]));
  return events.map((event) => {
    const other = byId.get(event.id);
    return other !== undefined && other.version > event.version ? other : event;
  });
}
