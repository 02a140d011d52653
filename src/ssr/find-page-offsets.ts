import { type StreamOffsets, unknownOffsets } from "#client/page.ts";
import type { Deps } from "#src/base/deps.ts";
import { pathOf } from "#src/http/page-request.ts";
import { findSession } from "#src/sessions/find-session.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { sessionStream, userStream } from "#src/streams/broadcast.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { findStreamOffsets } from "#src/streams/stream-offsets.ts";

/** How long the page waits for Redis. */
const ANSWER_WAIT_MS = 200;

type OpenedPage = {
  request: Request;
  viewer: Viewer | null;
  /** The live session. Most session pages show it, so no query is needed for them. Other pages do not wait for it. */
  active: Promise<{ id: number; slug: string } | null>;
};

/**
 * Finds the current offsets (`epoch`, `offset`) of the streams that this page will subscribe to. Call it before any other
 * query for the page. The browser then asks each subscription for the messages after that offset, so no change between
 * rendering and subscribing is lost. While Redis is unavailable the offsets are unknown, and the browser loads the data
 * again. An epoch ends when Redis restarts, which may lose its last second.
 */
export async function findPageOffsets(
  { pool, redis, log }: Pick<Deps, "pool" | "redis" | "log">,
  { request, viewer, active }: OpenedPage,
): Promise<StreamOffsets> {
  if (viewer === null) return unknownOffsets;
  const slug = /^\/sessions\/([a-z0-9-]+)/.exec(pathOf(request))?.[1];
  const shown = slug === undefined ? null : await active;
  const session = slug === undefined || slug === shown?.slug ? shown : await findSession(pool.db, slug);
  const streams = [userStream(viewer.id), ...(session === null ? [] : [sessionStream(session.id)])];
  try {
    const [user = null, ofSession] = await Promise.race([findStreamOffsets(redis, streams), timeout()]);
    return {
      user,
      session: session === null || ofSession === undefined ? null : { ...ofSession, id: session.id },
    };
  } catch (error) {
    log.debug({ err: error }, "could not find the stream offsets of a page");
    return unknownOffsets;
  }
}

/** No offsets, after the wait. */
async function timeout(): Promise<StreamOffset[]> {
  await Bun.sleep(ANSWER_WAIT_MS);
  return [];
}
