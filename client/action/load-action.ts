import type { LoaderFunctionArgs } from "react-router";
import type { EventsAnswer } from "#src/events/contract.ts";
import type { LeadersAnswer } from "#src/leaderboard/contract.ts";
import type { SessionsAnswer } from "#src/sessions/contract.ts";
import { apiContext } from "../context.ts";
import { sessionPath } from "../sessions/load-session.ts";

const EVENTS_SHOWN = 100;
const LEADERS_SHOWN = 10;

/** What the Action screen needs besides the session itself. */
export type ActionData = {
  events: EventsAnswer["events"];
  leaders: LeadersAnswer;
  /** The session that is active now, for those who stand in one that is over; null where none is. */
  active: { slug: string; name: string } | null;
  /** When the server looked; everything on the page that depends on time starts from it. */
  serverTime: string;
  /** Idempotency-Key of the forms that are sent without script. */
  formKey: string;
};

/** The published events of the session with the viewer's own calls, its leaders, and where to go when it is over. */
export async function loadAction({ context, params, request }: LoaderFunctionArgs): Promise<ActionData> {
  const api = context.get(apiContext);
  const path = sessionPath(params["slug"]);
  const { signal } = request;
  const [{ events, meta }, leaders, { sessions }] = await Promise.all([
    api.get<EventsAnswer>(`${path}/events`, { query: { perPage: EVENTS_SHOWN }, signal }),
    api.get<LeadersAnswer>("/api/v1/scores/leaders", {
      query: { sessionId: params["slug"], limit: LEADERS_SHOWN },
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
    formKey: crypto.randomUUID(),
  };
}
