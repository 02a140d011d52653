import type { LoaderFunctionArgs } from "react-router";
import type { SessionState } from "#src/sessions/contract.ts";
import type { SessionsAnswer, SessionView } from "#src/sessions/schemas.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

/** Live and coming sessions are few; what was before is a page at a time. */
const UNFINISHED_MAX = 100;

export type SessionsData = {
  /** On now, or where players are taken to until it starts. */
  live: SessionView[];
  /** The next first; those without a planned start last. */
  coming: SessionView[];
  finished: SessionView[];
  /** Of the finished ones. */
  meta: SessionsAnswer["meta"];
};

/** All sessions, for the list; `?page=2` of those that are finished. */
export async function loadSessions({ context, request }: LoaderFunctionArgs): Promise<SessionsData> {
  const api = context.get(apiContext);
  const page = pageIn(new URL(request.url).searchParams);
  const ask = (state: SessionState, query: { page?: number; perPage?: number }) =>
    api.get("/api/v1/sessions", { query: { state, ...query }, signal: request.signal });
  const [running, paused, pending, stopped] = await Promise.all([
    ask("running", { perPage: UNFINISHED_MAX }),
    ask("paused", { perPage: UNFINISHED_MAX }),
    ask("pending", { perPage: UNFINISHED_MAX }),
    ask("stopped", { page }),
  ]);
  const awaited = pending.sessions.filter(({ active }) => active);
  return {
    live: [...awaited, ...running.sessions, ...paused.sessions].toSorted(activeFirst),
    coming: pending.sessions.filter(({ active }) => !active).toSorted(soonestFirst),
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
