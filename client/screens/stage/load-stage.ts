import type { Api } from "#client/base/api/api.ts";
import { stageKeyIn } from "#client/base/page/guard.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { startedActionContext } from "#client/events/load-action.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { EventsAnswer } from "#src/show/events/schemas.ts";
import { EVENTS_SHOWN } from "#src/show/sessions/pages/contract.ts";
import type { StageAnswer } from "#src/show/stage/schemas.ts";

/** What the big screen shows besides the session itself. It is the same for all viewers, signed in or not. */
export type StageData = StageAnswer & {
  events: EventsAnswer["events"];
  /** The server's time of the answer; the page computes all times from it until it is hydrated. */
  serverTime: string;
};

/** Loads the session's published events, its first three players, its newest chat messages and its join link. */
export async function loadStage({ api, context, params, request }: LoaderArgs): Promise<StageData> {
  const started = context.get(startedActionContext);
  const asked = { slug: params["slug"] ?? "", key: stageKeyIn(request.url) };
  if (started === null) return fetchStage(api, asked);
  const { events, serverTime } = started;
  return { ...(await fetchStageAnswer(api, asked)), events, serverTime };
}

/** `key`: see stageKeyIn. */
type StageQuery = { slug: string; key: string | null };

/** The same for a page that is open already. */
export async function fetchStage(api: Api, asked: StageQuery): Promise<StageData> {
  const { slug, key } = asked;
  const [{ events, meta }, answer] = await Promise.all([
    api.get(`${sessionPath(slug)}/events`, { query: { perPage: EVENTS_SHOWN, key } }),
    fetchStageAnswer(api, asked),
  ]);
  return { ...answer, events, serverTime: meta.serverTime };
}

function fetchStageAnswer(api: Api, { slug, key }: StageQuery): Promise<StageAnswer> {
  return api.get(`${sessionPath(slug)}/stage`, { query: { key } });
}
