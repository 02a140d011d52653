import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { sessionStream, userStream } from "#src/broadcast.ts";
import { findSession } from "#src/sessions/find-session.ts";
import type { Viewer } from "#src/users/viewer.ts";
import { channelIdentifier } from "./contract.ts";
import { parseJson } from "./parse-command.ts";

/** What a subscription listens to; `sessionId` where its player counts as being there. */
export type Admission = { stream: string; sessionId: number | null };

/**
 * Who may subscribe to what: everybody signed in to a session, by id or slug; each player to the own UserChannel alone.
 * @param identifier the JSON string that names the subscription.
 * @returns null where the subscription is to be rejected.
 */
export async function admit(db: Queryable, viewer: Viewer, identifier: string): Promise<Admission | null> {
  const parsed = v.safeParse(channelIdentifier, parseJson(identifier));
  if (!parsed.success) return null;
  const { channel, id } = parsed.output;
  switch (channel) {
    case "UserChannel":
      return id === viewer.gid ? { stream: userStream(viewer.id), sessionId: null } : null;
    case "SessionsChannel": {
      const session = await findSession(db, String(id));
      return session === null ? null : { stream: sessionStream(session.id), sessionId: session.id };
    }
  }
}
