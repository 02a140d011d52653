import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { messages } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";

/** Of how many messages the open pages of a chat hear. Older ones are shown on no page. */
const TOLD_MAX = 100;

/**
 * Has all open pages show a player's new name, in the transaction that changes it: leaderboards, chats, big screens, and what was
 * just called. After the commit call `deps.notifyRelay()`.
 */
export async function tellRename(
  tx: Transaction,
  { userId, username }: { userId: number; username: string },
): Promise<void> {
  await tx.update(registrations).set({ displayName: username }).where(eq(registrations.userId, userId));
  await recordPlayerChange(tx, { userId, sessionId: null });
  const said = await tx
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(sessions, eq(sessions.id, messages.sessionId))
    .where(
      and(
        eq(messages.userId, userId),
        isNull(messages.deletedAt),
        inArray(sessions.state, ["pending", "running", "paused"]),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(TOLD_MAX);
  await writeFacts(tx, [
    { kind: "avatar_changed", userId, renamed: true },
    ...said.map(({ id }) => ({ kind: "message_changed" as const, messageId: id })),
  ]);
}
