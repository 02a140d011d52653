import { findMessagesById } from "#src/chat/find-messages.ts";
import { forChat } from "./address-message.ts";
import type { Messages, Telling } from "./messages.ts";

const changes = {
  message_created: { eventType: "create", version: 1 },
  message_destroyed: { eventType: "destroy", version: 2 },
} as const;

/** Everybody who may see a session's chat hears what was written, and what was deleted without what it said. */
export async function* tellMessage(
  { tx, serverTime }: Pick<Telling, "tx" | "serverTime">,
  { kind, messageId }: { kind: keyof typeof changes; messageId: number },
): Messages {
  const { eventType, version } = changes[kind];
  const found = await findMessagesById(tx, [messageId]);
  yield found.map((message) =>
    forChat(message.sessionId, {
      sourceType: "Message",
      eventType,
      detail: { message, version, serverTime },
    }),
  );
}
