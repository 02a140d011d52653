import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { countPlayersOnline } from "./count-players-online.ts";
import { findSessionView } from "./find-session-views.ts";
import type { SessionView } from "./schemas.ts";

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /**
     * A session as the caller reads it, by its slug or id as the address has it, that was read together with the sign-in; null for
     * another one.
     */
    knownSession?: (slugOrId: string) => Promise<SessionView | null>;
  }
}

/**
 * One session as this viewer sees it; null: a signed-out client.
 * @throws Refusal 404 if no session has this slug or id.
 */
export async function showSession(
  { pool, redis }: Pick<Deps, "pool" | "redis">,
  slugOrId: string | number,
  viewer: Viewer | null,
): Promise<{ session: SessionView }> {
  const view = await findSessionView(pool.db, slugOrId, viewer?.id ?? null);
  const [session] = view === null ? [] : await countPlayersOnline(redis, [view]);
  if (session === undefined) throw notFound();
  return { session };
}
