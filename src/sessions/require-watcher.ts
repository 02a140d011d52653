import type { Queryable } from "#db/client.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { requireViewer } from "#src/sign-ins/require-viewer.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import type { SessionState } from "./contract.ts";
import { findSession } from "./find-session.ts";

const live: readonly SessionState[] = ["running", "paused"];

/**
 * Whoever may look at a session: everybody signed in, and nobody in particular (null) while it is live. Of all other sessions
 * the signed out learn nothing, not even whether they are there: 401.
 */
export async function requireWatcher(
  db: Queryable,
  visit: Authentication,
  slugOrId: string,
): Promise<Viewer | null> {
  if (visit.viewer !== null) return visit.viewer;
  const session = await findSession(db, slugOrId);
  return session !== null && live.includes(session.state) ? null : requireViewer(visit);
}
