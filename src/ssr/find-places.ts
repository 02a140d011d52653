import { type Places, placesUnknown } from "#client/page.ts";
import { sessionStream, userStream } from "#src/broadcast.ts";
import type { Deps } from "#src/deps.ts";
import { findPositions } from "#src/positions.ts";
import { findSession } from "#src/sessions/find-session.ts";
import type { Viewer } from "#src/users/viewer.ts";

/**
 * Where the streams stand that this page will listen to. To be asked before anything is looked up for the page: what is
 * told after that place is not lost to it. While Redis is away nobody knows, and the page looks for itself.
 */
export async function findPlaces(
  { pool, redis, log }: Pick<Deps, "pool" | "redis" | "log">,
  request: Request,
  viewer: Viewer | null,
): Promise<Places> {
  if (viewer === null) return placesUnknown;
  const session = await findSessionOf(pool.db, request);
  const streams = [userStream(viewer.id), ...(session === null ? [] : [sessionStream(session.id)])];
  try {
    const [user = null, place] = await findPositions(redis, streams);
    return { user, session: session === null || place === undefined ? null : { ...place, id: session.id } };
  } catch (error) {
    log.debug({ err: error }, "a page does not know the places of its streams");
    return placesUnknown;
  }
}

async function findSessionOf(db: Deps["pool"]["db"], request: Request) {
  const slug = /^\/sessions\/([a-z0-9-]+)/.exec(new URL(request.url).pathname)?.[1];
  return slug === undefined || slug === "new" ? null : findSession(db, slug);
}
