import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { findSession } from "#src/sessions/find-session.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { chatStream, sessionStream, userStream } from "#src/streams/broadcast.ts";
import { parseJson } from "./parse-command.ts";
import { channelIdentifier } from "./schemas.ts";

/** The streams that a subscription receives. */
export type ChannelStreams = {
  /** The stream that a page catches up on. */
  stream: string;
  extraStreams: string[];
  /** The session in which the player counts as online; null: none. */
  sessionId: number | null;
};

/**
 * Decides who may subscribe to what. Signed-in viewers may subscribe to any session, by id or slug; viewers with an account
 * also receive its chat. A player may subscribe to the own UserChannel only.
 * @param identifier the JSON string that names the subscription.
 * @returns null if the subscription is to be rejected.
 */
export async function authorizeChannel(
  db: Queryable,
  viewer: Viewer,
  identifier: string,
): Promise<ChannelStreams | null> {
  const parsed = v.safeParse(channelIdentifier, parseJson(identifier));
  if (!parsed.success) return null;
  const { channel, id } = parsed.output;
  switch (channel) {
    case "UserChannel":
      return id === viewer.gid ? { stream: userStream(viewer.id), extraStreams: [], sessionId: null } : null;
    case "SessionsChannel": {
      const session = await findSession(db, String(id));
      if (session === null) return null;
      const extraStreams = viewer.guest ? [] : [chatStream(session.id)];
      return { stream: sessionStream(session.id), extraStreams, sessionId: session.id };
    }
  }
}
