import * as v from "valibot";
import { readQuery } from "#src/http/read-query.ts";
import type { Viewer } from "#src/users/viewer.ts";
import { requireOwn } from "#src/users/require-own.ts";

const ownerQuery = v.object({
  /** Whose; the viewer's own where left out. */
  userId: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, "is invalid"), v.transform(Number))),
});

/**
 * Whose wallet a query string asks about, by `user_id`.
 * @throws Refusal 422 for what is no id; 404 for somebody else's, unless an admin asks.
 */
export function readOwner(viewer: Viewer, query: Record<string, unknown>): number {
  const userId = readQuery(query, ownerQuery).userId ?? viewer.id;
  requireOwn(viewer, userId);
  return userId;
}
