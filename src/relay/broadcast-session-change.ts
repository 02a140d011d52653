import * as v from "valibot";
import { countPlayersOnline } from "#src/sessions/count-players-online.ts";
import { findSessionView } from "#src/sessions/find-session-views.ts";
import { forSession } from "./address-message.ts";
import { sessionChanges } from "./contract.ts";
import type { Messages, Telling } from "./messages.ts";

const sessionChange = v.picklist(sessionChanges);

/** Everybody in the session hears how it stands. */
export async function* tellSessionChange(
  { tx, redis, serverTime }: Telling,
  { sessionId, change }: { sessionId: number; change: string },
): Messages {
  const view = await findSessionView(tx, sessionId, null);
  const [session] = view === null ? [] : await countPlayersOnline(redis, [view]);
  if (session === undefined) return;
  yield [
    forSession(sessionId, {
      sourceType: "Session",
      eventType: v.parse(sessionChange, change),
      detail: { session, version: session.version, serverTime },
    }),
  ];
}

/** Everybody who listened to a session that was planned and is deleted hears that it is gone. */
export async function* tellSessionEnd(
  { serverTime }: Telling,
  { sessionId, version }: { sessionId: number; version: number },
): Messages {
  yield [
    forSession(sessionId, {
      sourceType: "Session",
      eventType: "destroy",
      detail: { sessionId, version, serverTime },
    }),
  ];
}
