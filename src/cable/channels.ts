import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { findSession } from "#src/sessions/find-session.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { chatStream, sessionStream, userStream } from "#src/streams/broadcast.ts";
import { parseJson } from "./parse-command.ts";
import { channelIdentifier } from "./schemas.ts";

/** What a subscription listens to. */
export type Admission = {
  /** The stream that a page catches up on. */
  stream: string;
  /** What is heard besides it. */
  more: string[];
  /** Where its player counts as being there. */
  sessionId: number | null;
};

/**
 * Who may subscribe to what: everybody signed in to a session, by id or slug, with its chat for those who have an account;
 * each player to the own UserChannel alone.
 * @param identifier the JSON string that names the subscription.
 * @returns null where the subscription is to be rejected.
 */
export async function admit(db: Queryable, viewer: Viewer, identifier: string): Promise<Admission | null> {
  const parsed = v.safeParse(channelIdentifier, parseJson(identifier));
  if (!parsed.success) return null;
  const { channel, id } = parsed.output;
  switch (channel) {
    case "UserChannel":
      return id === viewer.gid ? { stream: userStream(viewer.id), more: [], sessionId: null } : null;
    case "SessionsChannel": {
      const session = await findSession(db, String(id));
      if (session === null) return null;
      const more = viewer.guest ? [] : [chatStream(session.id)];
      return { stream: sessionStream(session.id), more, sessionId: session.id };
    }
  }
}
