import type { LoaderFunctionArgs } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { SessionState } from "#db/lists/sessions.ts";
import type { SessionsAnswer, SessionView } from "#src/show/sessions/schemas.ts";

/** Live and coming sessions are few and come all at once; finished ones come in pages. */
const UNFINISHED_MAX = 100;

export type SessionsData = { sessions: Deferred<SessionsPage> };
export type SessionsPage = {
  /** Running, paused, or active before its start. */
  live: SessionView[];
  /** The next one first; those without a planned start last. */
  coming: SessionView[];
  finished: SessionView[];
  /** Of the finished ones. */
  meta: SessionsAnswer["meta"];
};

/** Loads the list of sessions; `?page=2` pages through the finished ones. */
export async function loadSessions(args: LoaderFunctionArgs): Promise<SessionsData> {
  const { context, request } = args;
  const page = pageIn(new URL(request.url).searchParams);
  return { sessions: await defer(args, () => fetchPage(context.get(apiContext), page, request.signal)) };
}

async function fetchPage(api: Api, page: number, signal: AbortSignal): Promise<SessionsPage> {
  const load = (state: SessionState, query: { page?: number; perPage?: number }) =>
    api.get("/api/v1/sessions", { query: { state, ...query }, signal });
  const [running, paused, pending, stopped] = await Promise.all([
    load("running", { perPage: UNFINISHED_MAX }),
    load("paused", { perPage: UNFINISHED_MAX }),
    load("pending", { perPage: UNFINISHED_MAX }),
    load("stopped", { page }),
  ]);
  const active = pending.sessions.filter((session) => session.active);
  return {
    live: [...active, ...running.sessions, ...paused.sessions].toSorted(activeFirst),
    coming: pending.sessions.filter((session) => !session.active).toSorted(soonestFirst),
    finished: stopped.sessions,
    meta: stopped.meta,
  };
}

function activeFirst(one: SessionView, other: SessionView): number {
  return Number(other.active) - Number(one.active);
}

function soonestFirst(one: SessionView, other: SessionView): number {
  return startMs(one) - startMs(other) || other.id - one.id;
}

function startMs({ startsAt }: SessionView): number {
  return startsAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(startsAt);
}
