import type { Queryable } from "#db/client.ts";
import { invalid } from "#src/base/refusal.ts";
import { findSessionId } from "#src/play/find-session-id.ts";

/** The ids of sessions that are named by slug or id. Refuses an unknown one: 422. */
export async function findNamedIds(db: Queryable, named: readonly string[]): Promise<number[]> {
  const ids = await Promise.all(named.map((slugOrId) => findSessionId(db, slugOrId, "host")));
  const unknown = named.find((_, index) => ids[index] === null);
  if (unknown !== undefined)
    throw invalid({ sessions: ["must exist"] }, { detail: `No session has the slug or id ${unknown}.` });
  return [...new Set(ids.filter((id) => id !== null))];
}
