import * as v from "valibot";
import { sessionStates } from "#db/lists/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import { findKnownLeaders, type KnownLeaders } from "#src/play/leaderboard/find-scores.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import { presentSpot } from "#src/play/spots/present-spot.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import {
  presentSession,
  type SessionCounts,
  type ShownSession,
} from "#src/show/sessions/find-session-views.ts";
import { EVENTS_SHOWN } from "#src/show/sessions/pages/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type SeenSession, type SpotTuple, spotTuple } from "./page-read-row.ts";

// Decision: each process keeps what all viewers of a session share, and nothing about a viewer. The statement that reads the
// viewers also reads the versions of these parts, and a part with another version is loaded before it is shown. A version is read
// before its data, so a part is never older than its version says. So a snapshot needs no messages to be right, also with several
// processes and without Redis. Its objects are never changed.

/** The most sessions in memory; the least recently used is dropped first. */
const SNAPSHOTS_MAX = 50;
/** Snapshots that nobody has looked at for this time are dropped when another one is looked at. */
const UNUSED_MS = 600_000;

type EventsPart = {
  version: string;
  /** As loaded. Their pools are those of the last page read: see applyLiveSpots. */
  views: readonly EventView[];
  liveSpots: string;
};
type LeadersPart = KnownLeaders & { leaderboardVersion: string };

type Wanted = { events: boolean; leaders: boolean };
/** The parts of one moment. A part that is not wanted is null. */
export type SharedParts = { events: readonly EventView[] | null; leaders: KnownLeaders | null };

/** A session as a page read has seen it, and the last event of the leaders that the process knew at that moment. */
type Seen = { seen: SeenSession; lastEventId: number | null };

/** The parts of a session that all viewers share. A part that was not asked for yet is null. */
class SessionSnapshot {
  readonly #id: number;
  #row: { version: string; view: SessionView } | null = null;
  #events: EventsPart | null = null;
  #leaders: LeadersPart | null = null;
  readonly #loading = new Map<string, Promise<void>>();

  constructor(id: number) {
    this.#id = id;
  }

  /** The leaders as last loaded; null before. */
  get leaders(): KnownLeaders | null {
    return this.#leaders;
  }

  /** The columns of the session as a page read has seen it; its counts are 0. */
  columns({ rowVersion, row }: SeenSession): SessionView {
    if (this.#row?.version === rowVersion) return this.#row.view;
    const session: ShownSession = v.parse(sessionRow, JSON.parse(row));
    this.#row = { version: rowVersion, view: presentSession(session, noCounts) };
    return this.#row.view;
  }

  session(seen: SeenSession, own: Pick<SessionCounts, "registered" | "playersOnline">): SessionView {
    const { eventsCount, registrationsCount } = seen;
    return { ...this.columns(seen), eventsCount, registrationsCount, ...own };
  }

  /** The wanted parts as a page read has seen them, events without own calls; null if one of them must be loaded first. */
  parts({ seen, lastEventId }: Seen, wanted: Wanted): SharedParts | null {
    const events = wanted.events ? this.#eventsAt(seen) : null;
    const known = wanted.leaders ? this.#leadersAt(seen) : null;
    const leaders = known?.rankings.lastEventId === lastEventId ? known : null;
    const isMissing = (wanted.events && events === null) || (wanted.leaders && leaders === null);
    return isMissing ? null : { events, leaders };
  }

  /** Loads the wanted parts that are not as a page read has seen them. Concurrent callers share one load. */
  async load(deps: Deps, seen: SeenSession, wanted: Wanted): Promise<void> {
    const { eventsVersion, leaderboardVersion, leadersVersion } = seen;
    const isOld = {
      events: wanted.events && this.#eventsAt(seen) === null,
      leaders: wanted.leaders && this.#leadersAt(seen) === null,
    };
    await Promise.all([
      isOld.events && this.#once(`events ${eventsVersion}`, () => this.#loadEvents(deps, eventsVersion)),
      isOld.leaders &&
        this.#once(`leaders ${leaderboardVersion} ${leadersVersion}`, () =>
          this.#loadLeaders(deps, leaderboardVersion),
        ),
    ]);
  }

  #eventsAt({ eventsVersion: version, liveSpots }: SeenSession): readonly EventView[] | null {
    if (this.#events?.version !== version) return null;
    if (this.#events.liveSpots !== liveSpots) {
      const views = applyLiveSpots(this.#events.views, liveSpots);
      this.#events = { version, views, liveSpots };
    }
    return this.#events.views;
  }

  #leadersAt({ leaderboardVersion, leadersVersion }: SeenSession): LeadersPart | null {
    const known = this.#leaders;
    const isCurrent = known?.leaderboardVersion === leaderboardVersion && known.version === leadersVersion;
    return isCurrent ? known : null;
  }

  async #once(what: string, load: () => Promise<void>): Promise<void> {
    const loading = this.#loading.get(what) ?? load().finally(() => this.#loading.delete(what));
    this.#loading.set(what, loading);
    return loading;
  }

  async #loadEvents({ pool }: Deps, version: string): Promise<void> {
    const filter = { sessionId: this.#id, viewerId: null, publishedOnly: true, now: serverNow() };
    const views = (await findEventViews(pool.db, filter)).slice(0, EVENTS_SHOWN);
    this.#events = { version, views, liveSpots: "" };
  }

  async #loadLeaders(deps: Deps, leaderboardVersion: string): Promise<void> {
    const found = await findKnownLeaders(deps, this.#id, { leaderboardVersion, limit: LEADERS_DEFAULT });
    this.#leaders = { ...found, leaderboardVersion };
  }
}

type Entry = { snapshot: SessionSnapshot; usedAtMs: number };
const snapshots = new WeakMap<Deps["pool"], Map<number, Entry>>();

/** This process's snapshot of a session; an empty one if nobody has looked at it before. */
export function snapshotOf({ pool }: Pick<Deps, "pool">, sessionId: number): SessionSnapshot {
  const all = snapshots.get(pool) ?? new Map<number, Entry>();
  snapshots.set(pool, all);
  const usedAtMs = performance.now();
  const { snapshot } = all.get(sessionId) ?? { snapshot: new SessionSnapshot(sessionId) };
  // Inserted again, so that the first one is the least recently used.
  all.delete(sessionId);
  all.set(sessionId, { snapshot, usedAtMs });
  for (const [id, entry] of all) {
    if (all.size <= SNAPSHOTS_MAX && usedAtMs - entry.usedAtMs < UNUSED_MS) break;
    all.delete(id);
  }
  return snapshot;
}

const noCounts: SessionCounts = {
  eventsCount: 0,
  registrationsCount: 0,
  registered: false,
  playersOnline: 0,
};

const date = v.pipe(
  v.string(),
  v.transform((text) => new Date(text)),
);

/** The columns of a session as the statement writes them in JSON. */
const sessionRow = v.object({
  id: v.number(),
  slug: v.string(),
  name: v.string(),
  description: v.string(),
  // A state that only a newer release knows takes no calls.
  state: v.fallback(v.picklist(sessionStates), "paused"),
  active: v.boolean(),
  rehearsal: v.boolean(),
  blueprintId: v.nullable(v.number()),
  settings: v.unknown(),
  startsAt: v.nullable(date),
  startedAt: v.nullable(date),
  startLeadSeconds: v.number(),
  pausedAt: v.nullable(date),
  stoppedAt: v.nullable(date),
  version: v.number(),
});

const spotTuples = v.array(spotTuple);
const dateOf = (time: string | null) => (time === null ? null : new Date(time));

/**
 * The events with the spots that a page read has.
 * @param liveSpots JSON of the spots of the events without a result.
 */
function applyLiveSpots(events: readonly EventView[], liveSpots: string): readonly EventView[] {
  const byEvent = Map.groupBy(v.parse(spotTuples, JSON.parse(liveSpots)), ([eventId]) => eventId);
  return events.map((event) => {
    const tuples = byEvent.get(event.id);
    return tuples === undefined ? event : withSpots(event, tuples);
  });
}

function withSpots(event: EventView, tuples: readonly SpotTuple[]): EventView {
  const [trueSpot, falseSpot] = event.spots;
  const spots = [trueSpot, falseSpot].map((spot) => spotFrom(event, spot, tuples));
  const [onTrue = trueSpot, onFalse = falseSpot] = spots;
  return {
    ...event,
    spots: [onTrue, onFalse],
    pool: poolOf(onTrue.poolCents, onFalse.poolCents),
    callsCount: onTrue.callsCount + onFalse.callsCount,
  };
}

function spotFrom(event: EventView, spot: SpotView, tuples: readonly SpotTuple[]): SpotView {
  const tuple = tuples.find(([, id]) => id === spot.id);
  if (tuple === undefined) return spot;
  const [eventId, id, state, callsCount, poolCents, won, openedAt, closedAt, resolvedAt] = tuple;
  const times = { openedAt: dateOf(openedAt), closedAt: dateOf(closedAt), resolvedAt: dateOf(resolvedAt) };
  return presentSpot({ eventId, id, side: spot.side, state, callsCount, poolCents, won, ...times }, event);
}
