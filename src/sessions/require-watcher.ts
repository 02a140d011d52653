import type { Queryable } from "#db/client.ts";
import type { SessionState } from "#db/lists/sessions.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { requireViewer } from "#src/sign-ins/require-viewer.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { findSession } from "./find-session.ts";

const live: readonly SessionState[] = ["running", "paused"];

/**
 * Authorizes a read of a session. Signed-in users can read every session; signed-out clients only live ones. For all others
 * they get 401, so that they cannot find out which sessions exist.
 * @returns the viewer; null for a signed-out client.
 * @throws Refusal 401.
 */
export async function requireWatcher(
  db: Queryable,
  authentication: Authentication,
  slugOrId: string,
): Promise<Viewer | null> {
  if (authentication.viewer !== null) return authentication.viewer;
  const session = await findSession(db, slugOrId);
  return session !== null && canWatch(null, session) ? null : requireViewer(authentication);
}

/** True if a viewer may read a session in this state; null: a signed-out client. */
export function canWatch(viewer: object | null, { state }: { state: SessionState }): boolean {
  return viewer !== null || live.includes(state);
}
