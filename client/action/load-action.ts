import type { LoaderFunctionArgs } from "react-router";
import type { EventsAnswer } from "#src/events/contract.ts";
import type { LeadersAnswer } from "#src/leaderboard/contract.ts";
import type { SessionsAnswer } from "#src/sessions/contract.ts";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
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
  const looked = await lookUp(context.get(apiContext), params["slug"] ?? "", request.signal);
  return { ...looked, formKey: crypto.randomUUID() };
}

/** The same for a page that is open already. */
export async function lookUp(api: Api, slug: string, signal: AbortSignal): Promise<Looked> {
  const [{ events, meta }, leaders, { sessions }] = await Promise.all([
    api.get<EventsAnswer>(`${sessionPath(slug)}/events`, { query: { perPage: EVENTS_SHOWN }, signal }),
    api.get<LeadersAnswer>("/api/v1/scores/leaders", {
      query: { sessionId: slug, limit: LEADERS_SHOWN },
      signal,
    }),
    api.get<SessionsAnswer>("/api/v1/sessions", { query: { active: true }, signal }),
  ]);
  const [active] = sessions;
  return {
    events,
    leaders,
    active: active === undefined ? null : { slug: active.slug, name: active.name },
    serverTime: meta.serverTime,
  };
}
