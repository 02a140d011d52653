import { createContext } from "react-router";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import type { LeadersAnswer } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import type { EventsAnswer } from "#src/show/events/schemas.ts";
import { EVENTS_SHOWN } from "#src/show/sessions/pages/contract.ts";
import type { MostWon } from "#src/show/stage/schemas.ts";
import type { Api } from "../base/api/api.ts";
import { randomId } from "../base/browser/random-id.ts";
import { pageContext } from "../base/page/context.ts";
import { sessionPath } from "../sessions/load-session.ts";

export type NextStart = { slug: string; name: string; startsAt: string };

/** What the Action screen shows besides the session itself. */
export type FetchedAction = {
  events: EventsAnswer["events"];
  leaders: LeadersAnswer;
  /** The session that is active now, for viewers of a stopped session; null if none is. */
  active: { slug: string; name: string } | null;
  /** The next planned session, which the server brings with the page of a session that is over; null if none is planned. */
  next?: NextStart | null;
  /** Who has won the most money in a session that is over; the server brings it with its page. */
  mostWon?: MostWon | null;
  /** The teams of a session that is over and has some; the server brings them with its page. */
  finalTeams?: TeamsAnswer;
  /** The server's time of the answer; the page computes all times from it until it is hydrated. */
  serverTime: string;
};

export type ActionData = FetchedAction & {
  /** Idempotency-Key for the forms that are submitted without JavaScript. */
  formKey: string;
  /** What the player has wagered last by such a form, in cents; $1 without one. */
  formCents: number;
};

/** The screen's data that the server has read before the loaders run; null: the loader fetches it. */
export const startedActionContext = createContext<FetchedAction | null>(null);
/** `formCents` of the data, as the server has read it from the cookie. */
export const formCentsContext = createContext(100);

/** Loads the session's published events with the viewer's own calls, its leaders, and the session to go to when it is over. */
export async function loadAction({ api, context, params }: LoaderArgs): Promise<ActionData> {
  const started = context.get(startedActionContext);
  const form = { formKey: randomId(), formCents: context.get(formCentsContext) };
  if (started !== null) return { ...started, ...form };
  const watching = context.get(pageContext).viewer === null;
  const query = { slug: params["slug"] ?? "", watching };
  const fetched = await fetchAction(api, query);
  return { ...fetched, ...form };
}

/** `watching`: the viewer is signed out, and gets neither leaders nor other sessions. */
export type ActionQuery = { slug: string; watching: boolean };

/** The same for a page that is open already. */
export async function fetchAction(api: Api, { slug, watching }: ActionQuery): Promise<FetchedAction> {
  const [{ events, meta }, sessionContext] = await Promise.all([
    api.get(`${sessionPath(slug)}/events`, { query: { perPage: EVENTS_SHOWN } }),
    watching ? emptyContext : fetchContext(api, slug),
  ]);
  return { ...sessionContext, events, serverTime: meta.serverTime };
}

type SessionContext = Pick<FetchedAction, "leaders" | "active">;

const noLeaders: LeadersAnswer = { leaders: [], me: null, exclusion: null, totalCount: 0 };
const emptyContext: SessionContext = { leaders: noLeaders, active: null };

async function fetchContext(api: Api, slug: string): Promise<SessionContext> {
  const [leaders, { sessions }] = await Promise.all([
    api.get("/api/v1/scores/leaders", {
      query: { sessionId: slug, limit: LEADERS_DEFAULT },
    }),
    api.get("/api/v1/sessions", { query: { active: true } }),
  ]);
  const [active] = sessions;
  return { leaders, active: active === undefined ? null : { slug: active.slug, name: active.name } };
}
