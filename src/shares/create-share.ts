import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { type Database, inTransaction, type Transaction } from "#db/client.ts";
import type { ShareKind } from "#db/lists/shares.ts";
import { shares } from "#db/schema/shares.ts";
import { users } from "#db/schema/users.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { Refusal } from "#src/base/refusal.ts";
import { DEFAULT_ZONE, LIVE_SHARES_MAX } from "./contract.ts";
import { requireShareable } from "./require-shareable.ts";
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

/** In SQL: neither revoked nor expired. */
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
