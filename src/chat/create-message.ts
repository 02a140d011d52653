import { and, eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { keyReused } from "#src/base/once.ts";
import { guestRefused, notFound, Refusal } from "#src/base/refusal.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import { writeFact } from "#src/outbox/write-fact.ts";
import { isAdmin, type Viewer } from "#src/sign-ins/viewer.ts";
import { refuseTurn } from "./refuse-turn.ts";
import { refuseUnfitText } from "./refuse-unfit-text.ts";

export type Speech = {
  viewer: Pick<Viewer, "id" | "guest" | "roles">;
  /** A session's id or slug. */
  sessionId: string;
  body: string;
  /** Unique per player: the same id and words answer the first message again. */
  clientId: string;
};

/**
 * Writes a message into a session's chat, and has it told.
 * @returns the message's id, and whether it had been written before under the same client id.
 * @throws Refusal 403 for guests and for who is muted; 404 without such a session; 422 for words and links that are not used
 * here, and for a client id of another message; 429 too soon after the last one. Then nothing has changed.
 */
export async function createMessage(
  deps: Pick<Deps, "pool" | "notifyRelay">,
  speech: Speech,
): Promise<{ messageId: number; replayed: boolean }> {
  const { viewer, body, clientId } = speech;
  if (viewer.guest) throw guestRefused();
  const admin = isAdmin(viewer);
  refuseUnfitText(body, { links: admin ? "allowed" : "refused" });
  const userId = viewer.id;
  const sessionId = await findSessionId(deps.pool.db, speech.sessionId);
  const written = await inTransaction(deps.pool.db, async (tx) => {
    // Whatever this player says elsewhere at this moment comes before or after.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
    const before = await findWritten(tx, { sessionId, userId, body, clientId });
    if (before !== null) return { messageId: before, replayed: true };
    await holdSession(tx, sessionId);
    await refuseMuted(tx, { sessionId, userId });
    await refuseTurn(tx, { sessionId, userId, admin });
    return { messageId: await write(tx, { sessionId, userId, body, clientId }), replayed: false };
  });
  deps.notifyRelay();
  return written;
}

type Line = { sessionId: number; userId: number; body: string; clientId: string };

async function findWritten(tx: Transaction, line: Line): Promise<number | null> {
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(eq(messages.userId, line.userId), eq(messages.clientId, line.clientId)));
  if (row === undefined) return null;
  if (row.sessionId === line.sessionId && row.body === line.body) return row.id;
  throw keyReused("message");
}

/** A session that is deleted at this moment is gone either before or not at all. */
async function holdSession(tx: Transaction, id: number): Promise<void> {
  const [held] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.id, id))
    .for("key share");
  if (held === undefined) throw notFound();
}

async function refuseMuted(
  tx: Transaction,
  { sessionId, userId }: { sessionId: number; userId: number },
): Promise<void> {
  const left = sql<number>`ceil(extract(epoch FROM ${mutes.until} - game_now()) / 60)::int`;
  const [mute] = await tx
    .select({ reason: mutes.reason, minutes: left })
    .from(mutes)
    .where(and(eq(mutes.sessionId, sessionId), eq(mutes.userId, userId)));
  if (mute === undefined || mute.minutes < 1) return;
  const wait = mute.minutes === 1 ? "a minute" : `${mute.minutes} minutes`;
  throw new Refusal(403, "muted", `You cannot write here for ${wait}: ${mute.reason}`);
}

async function write(tx: Transaction, line: Line): Promise<number> {
  const [row] = await tx
    .insert(messages)
    .values({ ...line, createdAt: sql`game_now()` })
    .returning({ id: messages.id });
  if (row === undefined) throw new Error("a written message has an id");
  await writeFact(tx, { kind: "message_created", messageId: row.id });
  return row.id;
}
