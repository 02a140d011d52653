import * as v from "valibot";
import type { Database } from "#db/client.ts";
import { chatStream, hostsStream, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import type { AccessToken } from "#src/people/sign-ins/access-tokens.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import { gidOf, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { findSessionId } from "#src/play/find-session-id.ts";
import { parseJson } from "./frames.ts";

/** The name of a subscription. On the wire it is JSON text, which is always compared and returned as the client sent it. */
export const channelIdentifier = v.object({
  channel: v.picklist(["SessionsChannel", "UserChannel"]),
  /** A session's id or slug; a user's gid. */
  id: v.union([v.string(), v.number()]),
});

/** What a connection stores of its viewer. */
export type CableViewer = Pick<Viewer, "id" | "guest" | "roles" | "hostOf" | "username">;

/** What a subscription receives. */
export type ChannelStreams = {
  /** A page catches up on the first one. */
  streams: readonly [string, ...string[]];
  /** The session in which the player counts as online; null: none. */
  sessionId: number | null;
};

/** Who follows. `token`: of a program or a dock; null for everybody else. */
type Follower = { viewer: CableViewer; token: AccessToken | null };

/**
 * Decides who may subscribe to what. Signed-in viewers may subscribe to any session that is not shut for them, by id or slug; viewers with an account
 * also receive its chat, and its hosts what each of them is about to do. A player may subscribe only to their own UserChannel.
 * A program reads what the API opens to its token: no UserChannel, and what hosts are about to do with the scope `run` only. A dock
 * receives what players do of its session, and takes no part in it.
 * @param identifier the JSON string that names the subscription.
 * @returns null if the subscription is to be rejected.
 */
export async function authorizeChannel(
  db: Database,
  follower: Follower,
  identifier: string,
): Promise<ChannelStreams | null> {
  const parsed = v.safeParse(channelIdentifier, parseJson(identifier));
  if (!parsed.success) return null;
  const { channel, id } = parsed.output;
  if (channel === "SessionsChannel") return authorizeSession(db, follower, String(id));
  const { viewer, token } = follower;
  const isOwn = id === gidOf(viewer.id) && token === null;
  return isOwn ? { streams: [userStream(viewer.id)], sessionId: null } : null;
}

async function authorizeSession(
  db: Database,
  { viewer, token }: Follower,
  slugOrId: string,
): Promise<ChannelStreams | null> {
  const sessionId = await findSessionId(db, slugOrId, viewer);
  if (sessionId === null) return null;
  const dockOf = token?.sessionId ?? null;
  if (dockOf !== null)
    return dockOf === sessionId ? { streams: [sessionStream(sessionId)], sessionId: null } : null;
  const others = [
    ...(viewer.guest ? [] : [chatStream(sessionId)]),
    ...(can(viewer, "run", { id: sessionId }) && token?.scope !== "read" ? [hostsStream(sessionId)] : []),
  ];
  return { streams: [sessionStream(sessionId), ...others], sessionId };
}
