import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { type Database, inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import type { ShareKind } from "#db/lists/shares.ts";
import { scores } from "#db/schema/scores.ts";
import { shares } from "#db/schema/shares.ts";
import { users } from "#db/schema/users.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import { isPrivate } from "#src/play/access-denied.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { DEFAULT_ZONE, LIVE_SHARES_MAX } from "./contract.ts";
import type { CreateShareBody } from "./schemas.ts";

/** 128 bits: nobody finds a link by trying. */
const TOKEN_BYTES = 16;

export type NewShare = CreateShareBody & { viewer: { id: number } };

/**
 * Makes a link that shows something of the viewer's to everybody who has it. What has a live link keeps it, so sharing twice
 * gives the same address.
 * @returns the link's id, and whether there was one already.
 * @throws Refusal 404 for another player's call or records and for what does not exist; 422 for what cannot be shown (see
 *   requireShareable), and for a player with 100 live links. Nothing changes then.
 */
export async function createShare(
  db: Database,
  share: NewShare,
  now: Date,
  keyed: MaybeKeyed = null,
): Promise<v.InferOutput<typeof madeShare>> {
  return inTransaction(db, (tx) =>
    once(tx, keyed, madeShare, async () => {
      // Serializes the player's links, so that the limit holds and a double tap makes one.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, share.viewer.id)).for("no key update");
      await requireShareable(tx, share, now);
      const known = await findLive(tx, share);
      if (known !== null) return { shareId: known, repeated: true };
      const live = await tx.$count(shares, isLiveShareOf(share.viewer.id));
      if (live >= LIVE_SHARES_MAX) throw tooMany();
      return { shareId: await insertShare(tx, share), repeated: false };
    }),
  );
}

const madeShare = v.object({ shareId: v.number(), repeated: v.boolean() });

/** In SQL: the player's links that work. */
function isLiveShareOf(userId: number) {
  return and(eq(shares.userId, userId), isLive);
}

export const isLive = and(
  isNull(shares.revokedAt),
  or(isNull(shares.expiresAt), gt(shares.expiresAt, sql`clock_timestamp()`)),
);

async function findLive(
  tx: Transaction,
  { viewer, kind, targetId }: Pick<NewShare, "viewer" | "kind" | "targetId">,
): Promise<number | null> {
  const [row] = await tx
    .select({ id: shares.id })
    .from(shares)
    .where(and(isLiveShareOf(viewer.id), eq(shares.kind, kind), ...targetOf(kind, targetId)))
    .limit(1);
  return row?.id ?? null;
}

/** In SQL: of this target. The records of a player are one target. */
function targetOf(kind: ShareKind, targetId: number) {
  if (kind === "records") return [];
  return [eq(kind === "session" ? shares.sessionId : shares.callId, targetId)];
}

async function insertShare(
  tx: Transaction,
  { viewer, kind, targetId, timeZone = DEFAULT_ZONE, expiresInDays = null }: NewShare,
): Promise<number> {
  const [row] = await tx
    .insert(shares)
    .values({
      userId: viewer.id,
      kind,
      sessionId: kind === "session" ? targetId : null,
      callId: kind === "call" || kind === "result" ? targetId : null,
      token: randomBytes(TOKEN_BYTES).toString("base64url"),
      timeZone,
      expiresAt: inDays(expiresInDays),
    })
    .returning({ id: shares.id });
  if (row === undefined) throw new Error("the insert of a share returned no row");
  return row.id;
}

/** In SQL: so many days from now; null for never. */
export function inDays(days: number | null) {
  return days === null ? null : sql`clock_timestamp() + make_interval(days => ${days})`;
}

function tooMany(): Refusal {
  return new Refusal(
    422,
    "too_many_shares",
    `You have ${LIVE_SHARES_MAX} live links. Revoke one that you no longer need.`,
  );
}

type Target = { viewer: { id: number }; kind: ShareKind; targetId: number };

/**
 * Lets pass what a player can share: an own call that was not cancelled, an own call with its result, and a session that is over
 * and in which the player has a result. Nothing of a private session, and of the own records what is for everybody.
 * @throws Refusal 404 for what does not exist or is shut for the player, and for another player's call; 422 for everything else.
 */
async function requireShareable(db: Queryable, { viewer, kind, targetId }: Target, now: Date): Promise<void> {
  if (kind === "records") return requireRecords(db, { userId: targetId, viewer });
  if (kind === "session") return requireOver(db, { sessionId: targetId, userId: viewer.id }, now);
  const [call] = await findCallViews(db, { callIds: [targetId] }, now);
  if (call === undefined || call.userId !== viewer.id) throw notFound();
  if (call.state === "soft_destroyed" && call.refundedBy === null) {
    throw new Refusal(422, "cancelled", "You took this call back, so there is nothing to show.");
  }
  if (call.sessionId !== null) await requirePublic(db, call.sessionId);
  if (kind === "result" && call.outcome === null) {
    throw new Refusal(422, "no_result", "This call has no result yet. Share the call itself.");
  }
}

/** A player who has won has a record: the shortest streak is one. */
async function requireRecords(
  db: Queryable,
  { userId, viewer }: { userId: number; viewer: { id: number } },
): Promise<void> {
  if (userId !== viewer.id) throw notFound();
  const won = and(eq(scores.userId, userId), isNull(scores.sessionId), gt(scores.bestStreak, 0));
  if ((await db.$count(scores, won)) > 0) return;
  throw new Refusal(422, "no_records", "You have no record yet. Your first right call makes one.");
}

/** What happens in a private session stays among those who have joined it. */
async function requirePublic(db: Queryable, sessionId: number): Promise<SessionRow> {
  const session = await requireSession(db, sessionId);
  if (!isPrivate(session.settings)) return session;
  throw new Refusal(422, "private", "This show is private. What happens in it is not shared outside.");
}

async function requireOver(
  db: Queryable,
  { sessionId, userId }: { sessionId: number; userId: number },
  now: Date,
): Promise<void> {
  // Before anything is said of it: for who is not in it, a private session does not exist. An admin shares as a player, too.
  await requireSessionId(db, String(sessionId), { id: userId, roles: [] });
  const session = await requirePublic(db, sessionId);
  if (session.state !== "stopped") {
    throw new Refusal(422, "not_over", "The session is not over yet. Share it when it is.");
  }
  const calls = await findSummedCalls(db, { sessionId, userId }, now);
  if (!calls.some(({ outcome }) => outcome !== null)) {
    throw new Refusal(422, "no_calls", "You have no result in this session, so there is nothing to show.");
  }
}

/** More than a player can place in a session by hand. */
const CALLS_MAX = 1_000;

/** A player's calls in a session in the order in which they were placed, without those that the player cancelled. */
export async function findSummedCalls(
  db: Queryable,
  { sessionId, userId }: { sessionId: number; userId: number },
  now: Date,
): Promise<CallView[]> {
  const page = { limit: CALLS_MAX, offset: 0 };
  return (await findCallViews(db, { userId, session: sessionId, cancelled: false, page }, now)).toReversed();
}
