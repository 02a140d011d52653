import type { Deps } from "#src/deps.ts";
import type { Viewer } from "#src/users/viewer.ts";
import type { SessionView } from "./contract.ts";
import { requireSession } from "./find-session.ts";
import { showSession } from "./show-session.ts";
import type { SessionOrder, SessionRow } from "./with-session.ts";

type Verb = (deps: Deps, order: SessionOrder) => Promise<SessionRow>;

/**
 * Performs a session's action that a path names, for the session that it names.
 * @returns the session as it stands afterwards.
 * @throws Refusal 404 for an unknown session, and whatever the verb refuses.
 */
export async function changeSessionState(
  deps: Deps,
  verb: Verb,
  { slugOrId, viewer }: { slugOrId: string; viewer: Viewer },
): Promise<{ session: SessionView }> {
  const { id } = await requireSession(deps.pool.db, slugOrId);
  await verb(deps, { sessionId: id, actor: viewer });
  return showSession(deps, id, viewer);
}
