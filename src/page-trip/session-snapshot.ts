import * as v from "valibot";
import { sessionStates } from "#db/lists/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { EVENTS_SHOWN } from "#src/events/contract.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import type { EventView } from "#src/events/schemas.ts";
import { LEADERS_DEFAULT } from "#src/leaderboard/contract.ts";
import { findKnownLeaders, type KnownLeaders } from "#src/leaderboard/find-scores.ts";
import { presentSession, type SessionCounts, type ShownSession } from "#src/sessions/present-session.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { applyLiveSpots } from "./apply-live-spots.ts";
import type { SeenSession } from "./trip-row.ts";

/*
 * What all viewers of a session share is kept by each process. Every trip reads the versions of its parts in the statement that
 * reads the viewers, and a part with another version is loaded before it is shown. A version is always read before its data, so
 * a part is never older than its version says. Objects in a snapshot are never changed: an event that has not changed stays the
 * same object, so that what is rendered from it can be kept by identity.
 */

type EventsPart = {
  version: string;
  /** As loaded. Their pools are those of the last trip: see applyLiveSpots. */
  views: readonly EventView[];
  liveSpots: string;
};
type LeadersPart = KnownLeaders & { leaderboardVersion: string };

/** The parts of a session that all viewers share. A part that was not asked for yet is null. */
export class SessionSnapshot {
  readonly #id: number;
  #row: { version: string; view: SessionView } | null = null;
  /** The session as last seen: by a player who has joined, and by others. */
  readonly #views = new Map<boolean, SessionView>();
  #events: EventsPart | null = null;
  #leaders: LeadersPart | null = null;
  #loadingEvents: { version: string; done: Promise<void> } | null = null;
  #loadingLeaders: { version: string; done: Promise<void> } | null = null;

  constructor(id: number) {
    this.#id = id;
  }

  /** The leaders as last loaded; null before. */
  get leaders(): LeadersPart | null {
    return this.#leaders;
  }

  /** The columns of the session as a trip has seen it; its counts are 0. */
  columns({ rowVersion, row }: SeenSession): SessionView {
    if (this.#row?.version === rowVersion) return this.#row.view;
    const session: ShownSession = v.parse(sessionRow, JSON.parse(row));
    this.#row = { version: rowVersion, view: presentSession(session, noCounts) };
    this.#views.clear();
    return this.#row.view;
  }

  /** The session as a trip has seen it. */
  session(seen: SeenSession, own: OwnCounts): SessionView {
    const columns = this.columns(seen);
    const { eventsCount, registrationsCount } = seen;
    const known = this.#views.get(own.registered);
    const isCurrent =
      known?.eventsCount === eventsCount &&
      known.registrationsCount === registrationsCount &&
      known.playersOnline === own.playersOnline;
    if (isCurrent) return known;
    const view = { ...columns, eventsCount, registrationsCount, ...own };
    this.#views.set(own.registered, view);
    return view;
  }

  /** The published events as a trip has seen them, without own calls; null if they must be loaded first. */
  events({ eventsVersion, liveSpots }: SeenSession): readonly EventView[] | null {
    if (this.#events === null || this.#events.version !== eventsVersion) return null;
    if (this.#events.liveSpots !== liveSpots) {
      const views = applyLiveSpots(this.#events.views, liveSpots);
      this.#events = { version: eventsVersion, views, liveSpots };
    }
    return this.#events.views;
  }

  /** Loads the events of this version. Concurrent callers share one load. */
  loadEvents(deps: Deps, { eventsVersion: version }: SeenSession): Promise<void> {
    if (this.#loadingEvents?.version !== version) {
      const done = this.#readEvents(deps, version).finally(() => {
        if (this.#loadingEvents?.done === done) this.#loadingEvents = null;
      });
      this.#loadingEvents = { version, done };
    }
    return this.#loadingEvents.done;
  }

  /** True if the leaders are as the trip has seen them. */
  hasLeaders({ leaderboardVersion, leadersVersion }: SeenSession): boolean {
    const known = this.#leaders;
    return known?.leaderboardVersion === leaderboardVersion && known.version === leadersVersion;
  }

  /** Loads the leaders. Concurrent callers share one load. */
  loadLeaders(deps: Deps, { leaderboardVersion, leadersVersion }: SeenSession): Promise<void> {
    const version = `${leaderboardVersion} ${leadersVersion}`;
    if (this.#loadingLeaders?.version !== version) {
      const done = this.#readLeaders(deps, leaderboardVersion).finally(() => {
        if (this.#loadingLeaders?.done === done) this.#loadingLeaders = null;
      });
      this.#loadingLeaders = { version, done };
    }
    return this.#loadingLeaders.done;
  }

  async #readEvents({ pool }: Deps, version: string): Promise<void> {
    const filter = { sessionId: this.#id, viewerId: null, publishedOnly: true, now: serverNow() };
    const views = (await findEventViews(pool.db, filter)).slice(0, EVENTS_SHOWN);
    this.#events = { version, views: keepIdentity(this.#events?.views ?? [], views), liveSpots: "" };
  }

  async #readLeaders(deps: Deps, leaderboardVersion: string): Promise<void> {
    const found = await findKnownLeaders(deps, this.#id, { leaderboardVersion, limit: LEADERS_DEFAULT });
    const leaders = [...keepIdentity(this.#leaders?.leaders ?? [], found.leaders)];
    this.#leaders = { ...found, leaders, leaderboardVersion };
  }
}

type OwnCounts = Pick<SessionCounts, "registered" | "playersOnline">;

const noCounts: SessionCounts = {
  eventsCount: 0,
  registrationsCount: 0,
  registered: false,
  playersOnline: 0,
};

/** The new list, with the old objects where nothing has changed. */
function keepIdentity<Item extends { id: number }>(
  old: readonly Item[],
  loaded: readonly Item[],
): readonly Item[] {
  const byId = new Map(old.map((item) => [item.id, item]));
  return loaded.map((item) => {
    const before = byId.get(item.id);
    return before !== undefined && Bun.deepEquals(before, item, true) ? before : item;
  });
}

const date = v.pipe(
  v.string(),
  v.transform((text) => new Date(text)),
);

/** The columns of a session as the trip's statement writes them in JSON. */
const sessionRow = v.object({
  id: v.number(),
  slug: v.string(),
  name: v.string(),
  description: v.string(),
  state: v.picklist(sessionStates),
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
