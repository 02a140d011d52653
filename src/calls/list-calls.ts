import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { readPage, readQuery } from "#src/http/read-query.ts";
import { callStates, type callsAnswer, outcomes } from "./contract.ts";
import { countCalls, findCallViews } from "./find-call-views.ts";
import { findSessionId } from "./find-session-id.ts";

const callsQuery = v.object({
  /** A session's id or slug. */
  sessionId: v.optional(v.string()),
  state: v.optional(v.picklist(callStates, "is invalid")),
  /** Placed or closed. */
  active: v.optional(v.picklist(["true", "false"], "is invalid")),
  outcome: v.optional(v.picklist(outcomes, "is invalid")),
  /** The call that was placed under this key, for whoever got no answer. */
  idempotencyKey: v.optional(v.string()),
});

/**
 * A page of the viewer's own calls, newest first; those taken back only where `state=soft_destroyed` asks for them.
 * @param query as the address gives it: session_id, state, active, outcome, idempotency_key, page, per_page.
 * @throws Refusal 422 for a filter that does not fit, 404 for an unknown session.
 */
export async function listCalls(
  db: Queryable,
  viewer: { id: number },
  { query, now }: { query: Record<string, unknown>; now: Date },
): Promise<v.InferOutput<typeof callsAnswer>> {
  const page = readPage(query);
  const { active, sessionId, ...rest } = readQuery(query, callsQuery);
  const filter = {
    ...rest,
    userId: viewer.id,
    sessionId: await findSessionId(db, sessionId),
    active: active === undefined ? undefined : active === "true",
  };
  const [calls, totalCount] = await Promise.all([
    findCallViews(db, { ...filter, page: { limit: page.perPage, offset: page.offset } }, now),
    countCalls(db, filter),
  ]);
  return { calls, meta: listMeta(page, totalCount, now) };
}
