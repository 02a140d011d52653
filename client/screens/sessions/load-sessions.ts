import type { LoaderFunctionArgs } from "react-router";
import type { Api, RequestOptions } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { SessionState } from "#db/lists/sessions.ts";
import type { SessionsAnswer, SessionView } from "#src/show/sessions/schemas.ts";
import type { Beginning } from "./first-steps.tsx";

/** Live sessions are few and come all at once; the others come in pages. */
const LIVE_MAX = 100;
/** The name of the page of those that come, in the address. */
export const COMING_PAGE = "coming";

export type SessionsData = { sessions: Deferred<SessionsPage>; search: string };
export type SessionsPage = {
  /** Running, paused, or active before its start. */
  live: SessionView[];
  /** The next one first; those without a planned start last. */
  coming: SessionsAnswer;
  finished: SessionsAnswer;
  /** For an admin where no show has been yet. */
  beginning: Beginning | null;
};

/** Loads the list of sessions: `?search=derby&coming=2&page=3`, where `page` is that of the finished ones. */
export async function loadSessions(args: LoaderFunctionArgs): Promise<SessionsData> {
  const { context, request } = args;
  const query = new URL(request.url).searchParams;
  const search = query.get("search")?.trim() ?? "";
  const sessions = await defer(args, () =>
    fetchSessions(context.get(apiContext), {
      admin: context.get(pageContext).viewer?.roles.includes("admin") === true,
      search: search === "" ? undefined : search,
      coming: pageIn(query, COMING_PAGE),
      finished: pageIn(query),
      signal: request.signal,
    }),
  );
  return { sessions, search };
}

type Asked = {
  admin: boolean;
  search: string | undefined;
  coming: number;
  finished: number;
  signal: AbortSignal;
};

async function fetchSessions(api: Api, { admin, search, signal, ...pages }: Asked): Promise<SessionsPage> {
  const load = (state: SessionState, query: RequestOptions["query"]) =>
    api.get("/api/v1/sessions", { query: { state, ...query }, signal });
  const [running, paused, active, coming, finished] = await Promise.all([
    load("running", { perPage: LIVE_MAX }),
    load("paused", { perPage: LIVE_MAX }),
    load("pending", { active: true }),
    load("pending", { active: false, order: "soonest", search, page: pages.coming }),
    load("stopped", { search, page: pages.finished }),
  ]);
  const live = [...active.sessions, ...running.sessions, ...paused.sessions];
  const isBeginning =
    admin &&
    search === undefined &&
    live.length + finished.meta.totalCount === 0 &&
    coming.meta.totalCount < 2;
  const beginning = isBeginning ? await fetchBeginning(api, coming.sessions[0], signal) : null;
  return { live: live.toSorted(activeFirst), coming, finished, beginning };
}

async function fetchBeginning(
  api: Api,
  session: SessionView | undefined,
  signal: AbortSignal,
): Promise<Beginning> {
  const { blueprints } = await api.get("/api/v1/blueprints", { query: { perPage: 1 }, signal });
  return { blueprint: blueprints[0], session };
}

function activeFirst(one: SessionView, other: SessionView): number {
  return Number(other.active) - Number(one.active);
}
