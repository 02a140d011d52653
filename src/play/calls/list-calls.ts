import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { notFound } from "#src/base/refusal.ts";
import { createKnownRead } from "#src/http/known-read.ts";
import { listMeta, type Page, sliceOf, totalOf } from "#src/http/list-meta.ts";
import { readSessionKey, requireSessionId, type SessionAsker } from "#src/play/find-session-id.ts";
import { countCalls, findCallViews, keptCountOfCalls } from "./find-call-views.ts";
import { findStreaks, type Streaks } from "./find-streaks.ts";
import type { callsAnswer, CallsQuery, CallView, ListedCall } from "./schemas.ts";

type Asked = { viewer: { id: number }; query: CallsQuery; page: Page };
type CallsAnswer = v.InferOutput<typeof callsAnswer>;

/** A page of calls that was read together with the sign-in. */
export const knownCalls = createKnownRead<Asked, CallsAnswer>();

/**
 * One page of the viewer's own calls, newest first.
 * @throws Refusal 404 for an unknown session.
 */
export async function listCalls(
  db: Queryable,
  { viewer, query, page }: Asked,
  { now, asker }: { now: Date; asker: SessionAsker },
): Promise<CallsAnswer> {
  const { active, sessionId, ...rest } = query;
  const session = sessionId === undefined ? undefined : readSessionKey(sessionId);
  if (session === null) throw notFound();
  const filter = {
    ...rest,
    userId: viewer.id,
    session,
    active: active === undefined ? undefined : active === "true",
  };
  const keptCount = await keptCountOfCalls(db, filter);
  const slice = keptCount === null ? { limit: page.perPage, offset: page.offset } : sliceOf(page, keptCount);
  // An unknown session has no calls: whether it is one is asked at the same time.
  const [calls] = await Promise.all([
    slice.limit === 0 ? [] : findCallViews(db, { ...filter, page: slice }, now),
    requireSessionId(db, sessionId, asker),
  ]);
  const totalCount = keptCount ?? (await totalOf(page, calls.length, () => countCalls(db, filter)));
  return { calls: await withStreaks(db, viewer.id, calls), meta: listMeta(page, totalCount, now) };
}

/** Only calls that were right have a streak: a page without one costs no query. */
async function withStreaks(db: Queryable, userId: number, calls: readonly CallView[]): Promise<ListedCall[]> {
  const sessionIds = [...new Set(calls.filter(isRight).flatMap(({ sessionId }) => sessionId ?? []))];
  const streaks: Streaks =
    sessionIds.length === 0 ? new Map() : await findStreaks(db, { userId, sessionIds });
  return calls.map((call) => ({
    ...call,
    streak: isRight(call) ? (streaks.get(call.eventId) ?? 0) : 0,
  }));
}

function isRight({ outcome, refundReason }: CallView): boolean {
  return outcome === "won" || refundReason === "no_loser";
}
