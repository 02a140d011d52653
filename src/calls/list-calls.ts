import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { listMeta, type Page, sliceOf, totalOf } from "#src/http/list-meta.ts";
import { countCalls, findCallViews, keptCountOfCalls } from "./find-call-views.ts";
import { findSessionId } from "./find-session-id.ts";
import type { callsAnswer, CallsQuery } from "./schemas.ts";

/**
 * One page of the viewer's own calls, newest first. Calls that the viewer cancelled are listed only with `state=soft_destroyed`.
 * @throws Refusal 404 for an unknown session.
 */
export async function listCalls(
  db: Queryable,
  { viewer, query, page }: { viewer: { id: number }; query: CallsQuery; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof callsAnswer>> {
  const { active, sessionId, ...rest } = query;
  const filter = {
    ...rest,
    userId: viewer.id,
    sessionId: await findSessionId(db, sessionId),
    active: active === undefined ? undefined : active === "true",
  };
  const keptCount = await keptCountOfCalls(db, filter);
  const slice = keptCount === null ? { limit: page.perPage, offset: page.offset } : sliceOf(page, keptCount);
  const calls = slice.limit === 0 ? [] : await findCallViews(db, { ...filter, page: slice }, now);
  const totalCount = keptCount ?? (await totalOf(page, calls.length, () => countCalls(db, filter)));
  return { calls, meta: listMeta(page, totalCount, now) };
}
