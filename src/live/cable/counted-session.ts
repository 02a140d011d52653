import { inSession } from "#src/people/sign-ins/count-as-host.ts";
import { isAdmin } from "#src/people/sign-ins/viewer.ts";
import type { Subscription } from "./hub-api.ts";

/** The session in which a viewer counts as a player: hosts look at it without playing. */
export function countedSession({ sessionId, client }: Subscription): number | null {
  return sessionId === null || isAdmin(inSession(client.viewer, sessionId)) ? null : sessionId;
}
