import type { Api } from "#client/base/api/api.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { LiveChange } from "#client/sessions/use-live-session.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { HostsAnswer } from "#src/show/hosting/schemas.ts";
import type { JoinCodeAnswer, WavesAnswer } from "#src/show/join-codes/schemas.ts";
import type { AuditLineView, SessionView, AuditAnswer } from "#src/show/sessions/schemas.ts";

export type ShowState = {
  session: SessionView;
  /** In the order of their positions. */
  events: readonly EventView[];
  /** The newest first. */
  audit: readonly AuditLineView[];
  /** The server's time at the latest fetch. */
  fetchedAt: string;
  /** Pools from messages that are newer than that fetch, by event id. */
  pools: Readonly<Record<number, Pick<EventView, "pool" | "callsCount"> & { receivedAt: string }>>;
};

export type ShowSnapshot = Omit<ShowState, "pools">;

/** What the answer to an act of the viewer says of its event, before a fetch does. */
type OwnAct = { kind: "acted"; event: EventView };

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

const EVENTS_PER_PAGE = 100;
const AUDIT_SHOWN = 20;

/** What the Admin tab shows besides the session itself. */
export type ShowData = {
  /** All events, including drafts and hidden ones, in the order of their positions. */
  events: EventView[];
  /** The newest lines, newest first. */
  audit: AuditAnswer["audit"];
  /** The server's time of the answer; the page computes all times from it until it is hydrated. */
  serverTime: string;
};

/** The session to which players are sent now, if it is another one. */
export type ActiveElsewhere = Pick<SessionView, "id" | "name" | "slug" | "state" | "playersOnline">;

/** And who hosts the session, which is then kept by messages; and the session to which players are sent, if it is another one. */
export type ShowPage = ShowData & {
  hosting: HostsAnswer;
  activeElsewhere: ActiveElsewhere | null;
  /** The code by which players join, and the search of its address. */
  joinCode: JoinCode;
  /** The players whom the address asks for, without JavaScript. */
  found: { text: string; players: FoundPlayer[] } | null;
  /** Who came together, where the address asks for it. */
  waves: WavesAnswer | null;
};

export const FIND = "find";
/** The parameter of the address that looks for waves. */
export const WAVES = "waves";

/** Loads a session's running order with its plan, its audit, who hosts it, where players are sent, and its join code. */
export async function loadShow({ api, params, url }: LoaderArgs): Promise<ShowPage> {
  const slug = params["slug"] ?? "";
  const looksForWaves = url.searchParams.has(WAVES);
  const [show, hosting, activeElsewhere, answered, found, waves] = await Promise.all([
    fetchShow(api, slug),
    api.get(`${sessionPath(slug)}/hosts`),
    fetchActiveElsewhere(api, slug),
    api.get(`${sessionPath(slug)}/join_code`),
    findPlayers(api, slug, url),
    looksForWaves ? api.get(`${sessionPath(slug)}/waves`) : null,
  ]);
  return { ...show, hosting, activeElsewhere, joinCode: joinCodeOf(answered), found, waves };
}

/** A code, and what its address has behind the path. */
export type JoinCode = { code: string; search: string };

export function joinCodeOf({ joinCode: { code, url } }: JoinCodeAnswer): JoinCode {
  return { code, search: new URL(url).search };
}

async function findPlayers(api: Api, slug: string, url: URL): Promise<ShowPage["found"]> {
  const search = url.searchParams.get(FIND)?.trim() ?? "";
  if (search === "") return null;
  const { players } = await api.get(`${sessionPath(slug)}/players`, { query: { search } });
  return { text: search, players };
}

/** The session to which players are sent; null if it is this one, or none. */
export async function fetchActiveElsewhere(api: Api, slug: string): Promise<ActiveElsewhere | null> {
  const { sessions } = await api.get("/api/v1/sessions", { query: { active: true } });
  const [active] = sessions;
  if (active === undefined || active.slug === slug) return null;
  const { id, name, state, playersOnline } = active;
  return { id, name, slug: active.slug, state, playersOnline };
}

/** The same for a page that is open already. */
export async function fetchShow(api: Api, slug: string): Promise<ShowData> {
  const fetchEvents = (page: number) =>
    api.get(`${sessionPath(slug)}/events`, { query: { page, perPage: EVENTS_PER_PAGE } });
  const [{ events, meta }, audit] = await Promise.all([fetchEvents(1), fetchAudit(api, slug, AUDIT_SHOWN)]);
  const further = Array.from({ length: meta.totalPages - 1 }, (_, index) => fetchEvents(index + 2));
  const rest = (await Promise.all(further)).flatMap((page) => page.events);
  return { events: [...events, ...rest], audit, serverTime: meta.serverTime };
}

export async function fetchAudit(api: Api, slug: string, perPage: number): Promise<AuditAnswer["audit"]> {
  return (await api.get(`${sessionPath(slug)}/audit`, { query: { perPage } })).audit;
}
