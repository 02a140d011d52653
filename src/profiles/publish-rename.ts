import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { usernameColumns } from "#src/people/users/username-columns.ts";
import { findShownMessages } from "./find-shown-messages.ts";

/**
 * Has all open pages show a player's new name, in the transaction that changes it: leaderboards, chats, big screens, and what was
 * just called. The guests that are a part of the account have its name. After the commit call `deps.notifyRelay()`.
 */
export async function publishRename(
  tx: Transaction,
  { userId, username }: { userId: number; username: string },
): Promise<void> {
  await tx.update(users).set(usernameColumns(username)).where(eq(users.mergedInto, userId));
  await tx.update(registrations).set({ displayName: username }).where(eq(registrations.userId, userId));
  await recordPlayerChange(tx, { userId, sessionId: null });
  const said = await findShownMessages(tx, userId);
  await writeFacts(tx, [
    { kind: "avatar_changed", userId, renamed: true },
    ...said.map(({ id }) => ({ kind: "message_changed" as const, messageId: id })),
  ]);
}
