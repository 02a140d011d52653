import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { messages } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { usernameColumns } from "#src/people/users/judge-username.ts";

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

/** Of how many messages open pages are told. Older ones are shown on no page. */
const SHOWN_MAX = 100;

/** The newest messages of a player that open pages of a chat may show: not deleted, in a session that is not over. */
export function findShownMessages(tx: Transaction, userId: number): Promise<{ id: number }[]> {
  return tx
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
    .limit(SHOWN_MAX);
}
