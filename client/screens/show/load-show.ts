import type { LoaderFunctionArgs } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { HostsAnswer } from "#src/show/hosting/schemas.ts";
import type { JoinCodeAnswer, WavesAnswer } from "#src/show/join-codes/schemas.ts";
import type { AuditAnswer } from "#src/show/sessions/schemas.ts";
import type { ActiveElsewhere } from "./start/checklist.ts";

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

/** The parameter of the address that finds players. */
export const FIND = "find";
/** The parameter of the address that looks for waves. */
export const WAVES = "waves";

/** Loads a session's running order with its plan, its audit, who hosts it, where players are sent, and its join code. */
export async function loadShow({ context, params, request }: LoaderFunctionArgs): Promise<ShowPage> {
  const api = context.get(apiContext);
  const slug = params["slug"] ?? "";
  const { signal } = request;
  const looksForWaves = new URL(request.url).searchParams.has(WAVES);
  const [show, hosting, activeElsewhere, answered, found, waves] = await Promise.all([
    fetchShow(api, slug, signal),
    api.get(`${sessionPath(slug)}/hosts`, { signal }),
    fetchActiveElsewhere(api, slug, signal),
    api.get(`${sessionPath(slug)}/join_code`, { signal }),
    findPlayers(api, slug, request),
    looksForWaves ? api.get(`${sessionPath(slug)}/waves`, { signal }) : null,
  ]);
  return { ...show, hosting, activeElsewhere, joinCode: joinCodeOf(answered), found, waves };
}

/** A code, and what its address has behind the path. */
export type JoinCode = { code: string; search: string };

export function joinCodeOf({ joinCode: { code, url } }: JoinCodeAnswer): JoinCode {
  return { code, search: new URL(url).search };
}

async function findPlayers(api: Api, slug: string, { url, signal }: Request): Promise<ShowPage["found"]> {
  const search = new URL(url).searchParams.get(FIND)?.trim() ?? "";
  if (search === "") return null;
  const { players } = await api.get(`${sessionPath(slug)}/players`, { query: { search }, signal });
  return { text: search, players };
}

/** The session to which players are sent; null if it is this one, or none. */
export async function fetchActiveElsewhere(
  api: Api,
  slug: string,
  signal: AbortSignal,
): Promise<ActiveElsewhere | null> {
  const { sessions } = await api.get("/api/v1/sessions", { query: { active: true }, signal });
  const [active] = sessions;
  if (active === undefined || active.slug === slug) return null;
  const { id, name, state, playersOnline } = active;
  return { id, name, slug: active.slug, state, playersOnline };
}

/** The same for a page that is open already. */
export async function fetchShow(api: Api, slug: string, signal: AbortSignal): Promise<ShowData> {
  const fetchEvents = (page: number) =>
    api.get(`${sessionPath(slug)}/events`, {
      query: { page, perPage: EVENTS_PER_PAGE },
      signal,
    });
  const [{ events, meta }, audit] = await Promise.all([
    fetchEvents(1),
    fetchAudit(api, slug, { count: AUDIT_SHOWN, signal }),
  ]);
  const further = Array.from({ length: meta.totalPages - 1 }, (_, index) => fetchEvents(index + 2));
  const rest = (await Promise.all(further)).flatMap((page) => page.events);
  return { events: [...events, ...rest], audit, serverTime: meta.serverTime };
}

/** The newest lines of the session's audit. */
export async function fetchAudit(
  api: Api,
  slug: string,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<AuditAnswer["audit"]> {
  const query = { perPage: count };
  return (await api.get(`${sessionPath(slug)}/audit`, { query, signal })).audit;
}
