import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { messages } from "#db/schema/messages.ts";
import { sessions } from "#db/schema/sessions.ts";

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
