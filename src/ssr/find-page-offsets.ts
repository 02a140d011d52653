import { type StreamOffsets, unknownOffsets } from "#client/page.ts";
import type { Deps } from "#src/base/deps.ts";
import { findSession } from "#src/sessions/find-session.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { sessionStream, userStream } from "#src/streams/broadcast.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { findStreamOffsets } from "#src/streams/stream-offsets.ts";

/** A Redis that does not answer for so long is not waited for. */
const ANSWER_WAIT_MS = 200;

type Opened = {
  request: Request;
  viewer: Viewer | null;
  /** The live session, which most pages of sessions are about. */
  active: { id: number; slug: string } | null;
};

/**
 * Where the streams stand that this page will listen to. To be asked before anything is looked up for the page: what is
 * told after that place is not lost to it. While Redis is away nobody knows, and the page looks for itself.
 */
export async function findPageOffsets(
  { pool, redis, log }: Pick<Deps, "pool" | "redis" | "log">,
  { request, viewer, active }: Opened,
): Promise<StreamOffsets> {
  if (viewer === null) return unknownOffsets;
  const slug = /^\/sessions\/([a-z0-9-]+)/.exec(new URL(request.url).pathname)?.[1] ?? "";
  const session = slug === active?.slug ? active : await findSession(pool.db, slug);
  const streams = [userStream(viewer.id), ...(session === null ? [] : [sessionStream(session.id)])];
  try {
    const [user = null, place] = await Promise.race([findStreamOffsets(redis, streams), nobodyKnows()]);
    return { user, session: session === null || place === undefined ? null : { ...place, id: session.id } };
  } catch (error) {
    log.debug({ err: error }, "a page does not know the places of its streams");
    return unknownOffsets;
  }
}

async function nobodyKnows(): Promise<StreamOffset[]> {
  await Bun.sleep(ANSWER_WAIT_MS);
  return [];
}
