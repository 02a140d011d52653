import type { LoaderFunctionArgs } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { stageKeyIn } from "#client/base/page/guard.ts";
import { startedActionContext } from "#client/events/load-action.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { EVENTS_SHOWN } from "#src/show/events/contract.ts";
import type { EventsAnswer } from "#src/show/events/schemas.ts";
import type { StageAnswer } from "#src/show/stage/schemas.ts";

/** What the big screen shows besides the session itself. It is the same for all viewers, signed in or not. */
export type StageData = StageAnswer & {
  events: EventsAnswer["events"];
  /** The server's time of the answer; the page computes all times from it until it is hydrated. */
  serverTime: string;
};

/** Loads the session's published events, its first three players, its newest chat messages and its join link. */
export async function loadStage({ context, params, request }: LoaderFunctionArgs): Promise<StageData> {
  const started = context.get(startedActionContext);
  const asked = { slug: params["slug"] ?? "", key: stageKeyIn(request.url) };
  const api = context.get(apiContext);
  if (started === null) return fetchStage(api, asked, request.signal);
  const { events, serverTime } = started;
  return { ...(await fetchStageAnswer(api, asked, request.signal)), events, serverTime };
}

/** `key`: see stageKeyIn. */
type StageQuery = { slug: string; key: string | null };

/** The same for a page that is open already. */
export async function fetchStage(api: Api, asked: StageQuery, signal: AbortSignal): Promise<StageData> {
  const { slug, key } = asked;
  const [{ events, meta }, answer] = await Promise.all([
    api.get(`${sessionPath(slug)}/events`, { query: { perPage: EVENTS_SHOWN, key }, signal }),
    fetchStageAnswer(api, asked, signal),
  ]);
  return { ...answer, events, serverTime: meta.serverTime };
}

function fetchStageAnswer(api: Api, { slug, key }: StageQuery, signal: AbortSignal): Promise<StageAnswer> {
  return api.get(`${sessionPath(slug)}/stage`, { query: { key }, signal });
}
