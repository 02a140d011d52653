import type { Deps } from "#src/base/deps.ts";
import type { Based } from "#src/http/if-match.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { requireSession } from "./find-session.ts";
import type { SessionView } from "./schemas.ts";
import { showSession } from "./show-session.ts";
import type { SessionOrder, SessionRow } from "./with-session.ts";

/** What moves a session from state to state. */
export type SessionVerb = (deps: Deps, order: SessionOrder) => Promise<SessionRow>;

/**
 * Performs a session's action that a path names, for the session that it names.
 * @returns the session as it stands afterwards.
 * @throws Refusal 404 for an unknown session, and whatever the verb refuses.
 */
export async function changeSessionState(
  deps: Deps,
  verb: SessionVerb,
  { slugOrId, viewer, ifVersion }: Based & { slugOrId: string; viewer: Viewer },
): Promise<{ session: SessionView }> {
  const { id } = await requireSession(deps.pool.db, slugOrId);
  await verb(deps, { sessionId: id, actor: viewer, ifVersion });
  return showSession(deps, id, viewer);
}
