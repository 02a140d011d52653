import type { LoaderFunctionArgs } from "react-router";
import type { EventsAnswer } from "#src/events/schemas.ts";
import type { LeadersAnswer } from "#src/leaderboard/schemas.ts";
import type { Api } from "../api.ts";
import { apiContext, pageContext } from "../context.ts";
import { sessionPath } from "../sessions/load-session.ts";

const EVENTS_SHOWN = 100;
const LEADERS_SHOWN = 10;

/** What the Action screen shows of a session besides the session itself. */
export type Looked = {
  events: EventsAnswer["events"];
  leaders: LeadersAnswer;
  /** The session that is active now, for those who stand in one that is over; null where none is. */
  active: { slug: string; name: string } | null;
  /** When the server looked; everything on the page that depends on time starts from it. */
  serverTime: string;
};

export type ActionData = Looked & {
  /** Idempotency-Key of the forms that are sent without script. */
  formKey: string;
};

/** The published events of the session with the viewer's own calls, its leaders, and where to go when it is over. */
export async function loadAction({ context, params, request }: LoaderFunctionArgs): Promise<ActionData> {
  const watching = context.get(pageContext).viewer === null;
  const looking = { slug: params["slug"] ?? "", watching };
  const looked = await lookUp(context.get(apiContext), looking, request.signal);
  return { ...looked, formKey: crypto.randomUUID() };
}

/** A session, and whether it is looked at by somebody who is signed out: of the game around it they see nothing. */
export type Looking = { slug: string; watching: boolean };

/** The same for a page that is open already. */
export async function lookUp(api: Api, { slug, watching }: Looking, signal: AbortSignal): Promise<Looked> {
  const [{ events, meta }, around] = await Promise.all([
    api.get(`${sessionPath(slug)}/events`, { query: { perPage: EVENTS_SHOWN }, signal }),
    watching ? nothingAround : lookAround(api, slug, signal),
  ]);
  return { ...around, events, serverTime: meta.serverTime };
}

type Around = Pick<Looked, "leaders" | "active">;

const noLeaders: LeadersAnswer = { leaders: [], me: null, exclusion: null, totalCount: 0 };
const nothingAround: Around = { leaders: noLeaders, active: null };

async function lookAround(api: Api, slug: string, signal: AbortSignal): Promise<Around> {
  const [leaders, { sessions }] = await Promise.all([
    api.get("/api/v1/scores/leaders", {
      query: { sessionId: slug, limit: LEADERS_SHOWN },
      signal,
    }),
    api.get("/api/v1/sessions", { query: { active: true }, signal }),
  ]);
  const [active] = sessions;
  return { leaders, active: active === undefined ? null : { slug: active.slug, name: active.name } };
}
